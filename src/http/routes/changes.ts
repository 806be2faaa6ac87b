import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { ChangesRequest } from '#catalogue/history/read-changes.ts'
import { type ChangeKind, changeKinds, readFeedCursor } from '#domain/events/change-event.ts'
import { type Fault, invalidWith } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { ChangeNotifier } from '#events/change-notifier.ts'
import type { ConnectionCounter } from '../access/connection-limits.ts'
import { rightsOf } from '../access/lasting-rights.ts'
import { maxPerPage } from '../schemas/common.ts'
import { ChangesPage } from '../schemas/history.ts'
import type { App } from '../openapi/typebox-provider.ts'

const eventStream = 'text/event-stream'
/** Longer than that without a word, and proxies take a connection for dead. */
const heartbeat = 15_000
/** Milliseconds after which the feed is read again though nothing rang. */
const maxWait = 1000
const eventsAtOnce = 100

const ChangesQuery = Type.Object({
  since: Type.Optional(
    Type.String({ maxLength: 100, description: 'Cursor of an earlier answer; without it, from the oldest change kept' })
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: maxPerPage,
    default: 100,
    description: 'How many changes to give at most'
  }),
  types: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Comma list of entity types or umbrellas, and of event types such as `entity.deleted`'
    })
  ),
  ids: Type.Optional(Type.String({ maxLength: 50_000, description: 'Comma list of identifiers' }))
})

/** The change feed: read page by page, or streamed as it happens. */
export function changeRoutes(
  app: App,
  catalogue: Catalogue,
  model: Model,
  bell: ChangeNotifier,
  connections: ConnectionCounter
) {
  const streams = new Set<() => void>()

  app.get(
    '/changes',
    {
      schema: { querystring: ChangesQuery, response: { 200: ChangesPage } },
      config: {
        doc: {
          tag: 'Changes',
          summary: 'What happened, in the order in which it was committed',
          description:
            'With `Accept: text/event-stream` it goes on as things happen, and resumes with `Last-Event-ID`.',
          problems: ['invalid', 'cursor_expired'],
          alsoProduces: [eventStream]
        }
      }
    },
    async (request, reply) => {
      const { limit } = request.query
      // Who has no cursor yet may send an empty one.
      const since = request.query.since || undefined
      const wanted = { ...readWanted(model, request.query), since, limit }
      if (!request.headers.accept?.includes(eventStream)) return catalogue.readChanges(request.principal, wanted)
      const resumed = request.headers['last-event-id']
      await stream(request, reply, {
        ...wanted,
        since: typeof resumed === 'string' && resumed !== '' ? resumed : since,
        limit: eventsAtOnce
      })
      return reply
    }
  )

  app.addHook('preClose', done => {
    for (const end of streams) end()
    done()
  })

  /**
   * Reads a page, sends it, waits for the next. A slow reader is waited for, so nothing piles up
   * here.
   */
  async function stream(request: FastifyRequest, reply: FastifyReply, wanted: ChangesRequest) {
    const { principal } = request
    const { raw } = reply
    const release = connections.claimStream(principal.key)
    let isOver = false
    const end = () => {
      isOver = true
      raw.end()
    }
    // Before anything is waited for: a client that disconnects meanwhile must be noticed.
    const forget = () => {
      isOver = true
      streams.delete(end)
      release()
    }
    raw.once('close', forget)
    const rights = rightsOf(request, reply)
    rights.addEventListener('abort', end, { once: true })
    // The first page is read before anything is sent, so that a bad cursor is still answered as a
    // problem.
    let page = await catalogue.readChanges(principal, wanted).catch((error: unknown) => {
      rights.removeEventListener('abort', end)
      forget()
      throw error
    })
    reply.hijack()
    if (isOver || raw.destroyed) return
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': eventStream,
      'x-accel-buffering': 'no'
    })
    // An answer to HEAD has nothing that could go on.
    if (request.method === 'HEAD') {
      raw.end()
      return
    }
    streams.add(end)
    let spoken = performance.now()
    const say = async (text: string) => {
      spoken = performance.now()
      if (!isOver && !raw.write(text)) await drained(raw)
    }
    try {
      await say('retry: 1000\n\n')
      while (!isOver) {
        for (const event of page.changes)
          await say(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        if (!page.more) await bell.wait(readFeedCursor(page.cursor)?.sequence ?? 0, maxWait)
        if (isOver) break
        if (performance.now() - spoken > heartbeat) await say(`: still here\nid: ${page.cursor}\n\n`)
        page = await catalogue.readChanges(principal, { ...wanted, since: page.cursor })
      }
    } catch (error) {
      // The stream just ends: a client asks again with its last event id, and is then told why.
      request.log.info({ err: error }, 'an event stream ended')
    } finally {
      end()
    }
  }
}

/** Resolves when what was written is on its way, or nobody is there any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** `types` holds entity types and event types alike; they cannot be mixed up. */
function readWanted(
  model: Model,
  { types, ids }: { types?: string; ids?: string }
): Pick<ChangesRequest, 'kinds' | 'types' | 'ids'> {
  const names = types?.split(',').filter(name => name !== '') ?? []
  const kinds = names.filter(name => name.startsWith('entity.')).map(name => name.slice('entity.'.length))
  const entityTypes = names.filter(name => !name.startsWith('entity.'))
  const faults: Fault[] = [
    ...kinds.filter(kind => !(changeKinds as readonly string[]).includes(kind)).map(kind => `entity.${kind}`),
    ...entityTypes.filter(name => model.typesNamed(name).length === 0)
  ].map(name => ({ pointer: 'types', message: `Unknown type "${name}"` }))
  if (faults.length > 0) throw invalidWith(faults)
  return {
    ...(kinds.length > 0 ? { kinds: kinds as ChangeKind[] } : {}),
    ...(entityTypes.length > 0 ? { types: entityTypes.flatMap(name => model.typesNamed(name)) } : {}),
    ...(ids === undefined ? {} : { ids: ids.split(',').filter(id => id !== '') })
  }
}
