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
import { route } from '../openapi/route.ts'

const eventStream = 'text/event-stream'
/** Milliseconds between heartbeats: proxies close connections that are silent for longer. */
const heartbeatInterval = 15_000
/** Maximum milliseconds until the feed is read again without a notification. */
const maxWait = 1000
const maxEventsPerPage = 100

const ChangesQuery = Type.Object({
  since: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Cursor of an earlier answer, or `now` for later changes only; by default the oldest stored change'
    })
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: maxPerPage,
    default: 100,
    description: 'Maximum number of changes'
  }),
  types: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Comma list of entity types or umbrellas, and of event types such as `entity.deleted`'
    })
  ),
  ids: Type.Optional(Type.String({ maxLength: 50_000, description: 'Comma list of identifiers' }))
})

/** The change feed, by page or as a stream. */
export function changeRoutes(
  app: App,
  catalogue: Catalogue,
  model: Model,
  notifier: ChangeNotifier,
  connections: ConnectionCounter
) {
  const streams = new Set<() => void>()

  app.get(
    '/changes',
    route(
      { querystring: ChangesQuery, response: { 200: ChangesPage } },
      {
        tag: 'Changes',
        summary: 'Read changes in commit order',
        description:
          'With `Accept: text/event-stream` the answer continues as changes happen; it resumes with `Last-Event-ID`.',
        problems: ['invalid', 'cursor_expired'],
        alsoProduces: [eventStream]
      }
    ),
    async (request, reply) => {
      const { limit } = request.query
      // A client without a cursor may send an empty one.
      const since = request.query.since || undefined
      const wanted = { ...readWanted(model, request.query), since, limit }
      if (!request.headers.accept?.includes(eventStream))
        return catalogue.history.readChanges(request.principal, wanted)
      const resumed = request.headers['last-event-id']
      await stream(request, reply, {
        ...wanted,
        since: typeof resumed === 'string' && resumed !== '' ? resumed : since,
        limit: maxEventsPerPage
      })
      return reply
    }
  )

  app.addHook('preClose', done => {
    for (const end of streams) end()
    done()
  })

  /**
   * Reads a page, sends it and waits for the next. A slow reader delays the next page, so nothing
   * accumulates here.
   */
  async function stream(request: FastifyRequest, reply: FastifyReply, wanted: ChangesRequest) {
    const { principal } = request
    const { raw } = reply
    const release = connections.claimStream(principal.key, request.ip)
    let isOver = false
    const end = () => {
      isOver = true
      raw.end()
    }
    // Registered before anything is awaited: the client may disconnect meanwhile.
    const unregister = () => {
      isOver = true
      streams.delete(end)
      release()
    }
    raw.once('close', unregister)
    const rights = rightsOf(request, reply)
    rights.addEventListener('abort', end, { once: true })
    // The first page is read before anything is sent, so that a bad cursor is answered as a
    // problem.
    let page = await catalogue.history.readChanges(principal, wanted).catch((error: unknown) => {
      rights.removeEventListener('abort', end)
      unregister()
      throw error
    })
    reply.hijack()
    if (isOver || raw.destroyed) return
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': eventStream,
      'x-accel-buffering': 'no'
    })
    // An answer to HEAD has no body.
    if (request.method === 'HEAD') {
      raw.end()
      return
    }
    streams.add(end)
    let lastWrite = performance.now()
    const send = async (text: string) => {
      lastWrite = performance.now()
      if (!isOver && !raw.write(text)) await drained(raw)
    }
    try {
      await send('retry: 1000\n\n')
      while (!isOver) {
        for (const event of page.changes)
          await send(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        if (!page.more) await notifier.wait(readFeedCursor(page.cursor)?.sequence ?? 0, maxWait)
        if (isOver) break
        if (performance.now() - lastWrite > heartbeatInterval) await send(`: still here\nid: ${page.cursor}\n\n`)
        page = await catalogue.history.readChanges(principal, { ...wanted, since: page.cursor })
      }
    } catch (error) {
      // The stream ends: the client reconnects with its last event id and then gets the error.
      request.log.info({ err: error }, 'an event stream ended')
    } finally {
      end()
    }
  }
}

/** Resolves when the response accepts more data or is closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** Reads `types`, which mixes entity types and event types; their names never collide. */
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
