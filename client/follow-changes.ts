import type { ChangeEvent } from './api.ts'
import { ConnectionError } from './problem-error.ts'
import { pause, queryText, type Sender } from './send-request.ts'

export interface FollowOptions {
  /**
   * Cursor to start after, or `now` for later changes only; by default from the oldest stored
   * change.
   */
  readonly since?: string
  /** Comma list of entity types, umbrellas and event types. */
  readonly types?: string
  readonly ids?: string
  readonly signal?: AbortSignal
  /** Called when the connection was lost, with the milliseconds until the next attempt. */
  readonly onReconnect?: (wait: number, error: unknown) => void
}

const firstWait = 1000
const maxWaitSeconds = 30_000

/**
 * Yields every change exactly once and in order. A lost connection is resumed after the last change
 * received. Permanent errors (invalid token, expired cursor) are thrown. Ends when the signal is
 * aborted.
 */
export async function* followChanges(sender: Sender, options: FollowOptions = {}): AsyncGenerator<ChangeEvent, void> {
  const { types, ids, signal, onReconnect } = options
  let cursor = options.since
  let wait = firstWait
  while (!signal?.aborted) {
    try {
      const response = await sender.open(`/changes${queryText({ since: cursor, types, ids })}`, {
        headers: { accept: 'text/event-stream' },
        ...(signal ? { signal } : {})
      })
      for await (const { id, data } of readEvents(response)) {
        cursor = id ?? cursor
        wait = firstWait
        if (data !== undefined) yield JSON.parse(data) as ChangeEvent
      }
    } catch (error) {
      if (signal?.aborted) return
      // An interrupted body is a TypeError in browsers and in Node; other errors are for the
      // caller.
      const isLost = error instanceof ConnectionError || error instanceof TypeError || isAway(error)
      if (!isLost) throw error
      onReconnect?.(wait, error)
    }
    await pause(wait, signal).catch(() => {})
    wait = Math.min(wait * 2, maxWaitSeconds)
  }
}

const isAway = (error: unknown) => {
  const status = (error as { readonly status?: unknown } | undefined)?.status
  return status === 429 || status === 503
}

interface StreamedEvent {
  readonly id: string | undefined
  readonly data: string | undefined
}

/**
 * The events of a stream (HTML standard, section 9.2.6). An event with an id and no data only
 * reports the position.
 */
async function* readEvents(response: Response): AsyncGenerator<StreamedEvent, void> {
  let id: string | undefined
  let data: string[] = []
  for await (const line of readLines(response)) {
    if (line === '') {
      if (id !== undefined || data.length > 0) yield { id, data: data.length > 0 ? data.join('\n') : undefined }
      id = undefined
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'id') id = value
    if (name === 'data') data.push(value)
  }
}

async function* readLines(response: Response): AsyncGenerator<string, void> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    while (true) {
      const { value, done } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\r|\n/)
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    // The connection is closed when the caller stops iterating.
    await reader.cancel().catch(() => {})
  }
}
