import assert from 'node:assert/strict'

import type { Answer, TestService } from '../support/services/start.ts'

/*
 * Calls of clients that exist, as they put them on the wire, with what they need from the answer.
 * Written from the documented shapes and from what the clients send; no line of them is here.
 */

export interface RecordedCall {
  /** The client's own name of the call. */
  readonly call: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The status that the client needs; 2xx where nothing is said. */
  readonly status?: number
  /** How the client reads the answer: as JSON, or as text. */
  readonly reads?: 'json' | 'text'
  /** Reads the members of the answer that the client needs; fails if one is missing. */
  readonly needs?: (body: Answer['body'], answer: Answer) => void
}

/** Sends calls one after the other, and holds each answer to what its client needs. */
export async function replay(
  service: TestService,
  calls: readonly RecordedCall[],
  { base = '', headers }: { readonly base?: string; readonly headers: Readonly<Record<string, string>> }
) {
  for (const { call, method, path, body, headers: own, status, reads = 'json', needs } of calls) {
    const answer = await service.call(method, `${base}${path}`, {
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...own
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) })
    })
    const what = `${call}: ${method} ${base}${path} → ${answer.status} ${answer.text.slice(0, 300)}`
    if (status === undefined) assert.ok(answer.status >= 200 && answer.status < 300, what)
    else assert.equal(answer.status, status, what)
    if (reads === 'json') assert.doesNotThrow(() => JSON.parse(answer.text), what)
    try {
      needs?.(answer.body, answer)
    } catch (error) {
      throw new Error(what, { cause: error })
    }
  }
}

/** The values of a metadata key in an entity. */
export const valuesOf = (entity: { metadata: readonly { key: string; value: unknown }[] }, key: string) =>
  entity.metadata.filter(each => each.key === key).map(each => each.value)
