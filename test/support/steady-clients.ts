import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'

import { adminToken } from './start.ts'

/* Clients that go on whatever happens to the service, and remember what they were told. */

export interface SteadyAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Sends requests to a port, keeping connections open, and takes down how long the slowest took and which statuses came. */
export interface SteadySender {
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<SteadyAnswer>
  readonly statuses: ReadonlyMap<number, number>
  readonly slowest: { readonly milliseconds: number; readonly what: string }
  close(): void
}

export function createSender(port: number, connections: number): SteadySender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses = new Map<number, number>()
  const slowest = { milliseconds: 0, what: '' }
  return {
    statuses,
    slowest,
    async send(method, path, body, headers = {}) {
      const began = performance.now()
      const answer = await new Promise<SteadyAnswer>((resolve, reject) => {
        const payload = body === undefined ? undefined : JSON.stringify(body)
        const sent = request({
          agent,
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: {
            authorization: `Bearer ${adminToken}`,
            ...(payload === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
            ...headers
          }
        })
        sent.on('error', reject)
        sent.on('response', response => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', chunk => {
            text += chunk
          })
          response.on('error', reject)
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
        })
        sent.end(payload)
      })
      const milliseconds = performance.now() - began
      if (milliseconds > slowest.milliseconds) {
        slowest.milliseconds = milliseconds
        slowest.what = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      return answer
    },
    close: () => agent.destroy()
  }
}

/** What one writer was told of its records. */
export interface Ledger {
  /** How often each record was changed, its creation included, by its id: exactly so many versions it must have. */
  readonly versions: Map<string, number>
}

/**
 * Creates records and changes them, one request after the other, until it is told to stop. Every request has an Idempotency-Key and is sent again with
 * it until it is answered; so each happens once, however often the database goes away in between.
 */
export async function writeSteadily(
  sender: SteadySender,
  name: string,
  isOver: () => boolean,
  onSuccess: () => void = () => {}
): Promise<Ledger> {
  const versions = new Map<string, number>()
  for (let number = 0; !isOver(); number++) {
    const id = `${name}-${number}`
    const entity = { id, type: 'venue', metadata: [{ key: 'name', value: `Venue ${number}` }] }
    await untilAnswered(sender, 'POST', '/entities', entity, `${id}-create`, 201, isOver)
    versions.set(id, 1)
    onSuccess()
    for (let change = 1; change <= 2; change++) {
      const patch = { metadata: [{ key: 'city', value: `City ${change}` }] }
      await untilAnswered(sender, 'PATCH', `/entities/${id}`, patch, `${id}-change-${change}`, 200, isOver)
      versions.set(id, change + 1)
      onSuccess()
    }
  }
  return { versions }
}

/** After the end nobody breaks anything any more, so what is under way will be answered. */
const mostTries = 200

async function untilAnswered(
  sender: SteadySender,
  method: string,
  path: string,
  body: unknown,
  key: string,
  wanted: number,
  isOver: () => boolean
) {
  let last = ''
  for (let tries = 0, afterEnd = 0; afterEnd < mostTries; tries++) {
    if (isOver()) afterEnd++
    const { status, text, headers } = await sender.send(method, path, body, { 'idempotency-key': key })
    if (status === wanted) return
    last = `${status} ${text}`
    const mayComeAgain = status === 503 && headers['retry-after'] !== undefined
    // The first of the two is still under way.
    const isUnderWay = status === 409 && tries > 0 && text.includes('key')
    if (!mayComeAgain && !isUnderWay) throw new Error(`${method} ${path} was answered ${last}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`${method} ${path} was never done: ${last}`)
}

/** Every record has as many versions as it was written, and the feed tells of each of them once, in order. */
export async function assertEveryWriteOnce(sender: SteadySender, ledgers: readonly Ledger[]) {
  const expected = new Map(ledgers.flatMap(({ versions }) => [...versions]))
  const told = new Map<string, number[]>()
  let since = ''
  let isMore = true
  while (isMore) {
    const { status, text } = await sender.send('GET', `/changes?limit=1000${since}`)
    assert.equal(status, 200, text)
    const page = JSON.parse(text) as {
      changes: { subject: string; data: { version: number } }[]
      cursor: string
      more: boolean
    }
    for (const { subject, data } of page.changes) told.set(subject, [...(told.get(subject) ?? []), data.version])
    since = `&since=${encodeURIComponent(page.cursor)}`
    isMore = page.more
  }
  const wrong: string[] = []
  for (const [id, versions] of expected) {
    const { status, text } = await sender.send('GET', `/entities/${id}`)
    const version = status === 200 ? (JSON.parse(text) as { version: number }).version : 0
    if (version !== versions) wrong.push(`${id} has version ${version}, was written ${versions} times`)
    const all = Array.from({ length: versions }, (_, index) => index + 1)
    if (String(told.get(id)) !== String(all)) wrong.push(`${id}: the feed tells of versions ${told.get(id)}`)
  }
  for (const id of told.keys()) if (!expected.has(id)) wrong.push(`${id} was never answered for`)
  assert.deepEqual(wrong, [])
}
