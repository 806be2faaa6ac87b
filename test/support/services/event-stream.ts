import type { IncomingMessage } from 'node:http'

import type { ChangeEvent } from '#domain/events/change-event.ts'
import { answerOf, beginRequest, linesOf, type SocketOptions } from './listen.ts'

/** One event as a browser would hand it on: the HTML standard, section 9.2.6. */
export interface StreamedEvent {
  /** The last event id at this point: what a client would resume with. */
  readonly id: string
  readonly type: string
  readonly data: ChangeEvent
}

export interface EventStream {
  readonly response: IncomingMessage
  /** The next event; undefined when the stream is over. */
  next(): Promise<StreamedEvent | undefined>
  /** The next so many events. */
  take(count: number): Promise<StreamedEvent[]>
  /** The stream besides its events: comments, and the last event id so far. */
  readonly heard: { readonly comments: readonly string[]; readonly lastEventId: string }
  close(): void
}

/**
 * Opens the change feed as a stream. Reads nothing until asked, so a test can be as slow as it
 * likes.
 */
export async function openStream(port: number, query = '', options: SocketOptions = {}): Promise<EventStream> {
  const sent = beginRequest(port, `/changes${query}`, {
    ...options,
    headers: { accept: 'text/event-stream', ...options.headers }
  })
  sent.end()
  const response = await answerOf(sent)
  // The end of a connection is the end of the stream, however it comes.
  sent.on('error', () => {})
  const heard = { comments: [] as string[], lastEventId: '' }
  const events = readEvents(response, heard)
  const next = async () => {
    const { value, done } = await events.next()
    return done ? undefined : value
  }
  return {
    response,
    heard,
    next,
    async take(count) {
      const taken: StreamedEvent[] = []
      while (taken.length < count) {
        const event = await next()
        if (!event) throw new Error(`The stream ended after ${taken.length} of ${count} events`)
        taken.push(event)
      }
      return taken
    },
    close: () => sent.destroy()
  }
}

async function* readEvents(
  response: IncomingMessage,
  heard: { comments: string[]; lastEventId: string }
): AsyncGenerator<StreamedEvent, void> {
  let fields = new Map<string, string>()
  try {
    for await (const line of linesOf(response)) {
      if (line.startsWith(':')) heard.comments.push(line.slice(1).trim())
      else if (line !== '') {
        const [, name = line, value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? []
        fields.set(name, value)
      } else {
        heard.lastEventId = fields.get('id') ?? heard.lastEventId
        const data = fields.get('data')
        const type = fields.get('event') ?? 'message'
        fields = new Map()
        if (data !== undefined) yield { id: heard.lastEventId, type, data: JSON.parse(data) as ChangeEvent }
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}
