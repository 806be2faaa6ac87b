import assert from 'node:assert/strict'

import { hangLimit } from '../machines/hang-limit.ts'
import { createClient, type HttpAnswer, pause } from './server-process.ts'

/* Clients that go on whatever happens to the service, and remember what they were told. */

/**
 * Sends requests to a port, keeping connections open, and takes down how long the slowest took and
 * which statuses came.
 */
export interface SteadySender {
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  readonly statuses: ReadonlyMap<number, number>
  readonly slowest: { readonly milliseconds: number; readonly what: string }
  close(): void
}

export function createSender(port: number, connections: number): SteadySender {
  const client = createClient(port, connections)
  const statuses = new Map<number, number>()
  const slowest = { milliseconds: 0, what: '' }
  return {
    statuses,
    slowest,
    async send(method, path, body, headers) {
      const began = performance.now()
      const answer = await client.call(method, path, body, headers)
      const milliseconds = performance.now() - began
      if (milliseconds > slowest.milliseconds) {
        slowest.milliseconds = milliseconds
        slowest.what = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      return answer
    },
    close: () => client.close()
  }
}

/** The acknowledged writes of one client. */
export interface Ledger {
  /**
   * How often each record was changed, its creation included, by its id: exactly so many versions
   * it must have.
   */
  readonly versions: Map<string, number>
}

/**
 * Creates records and changes them, one request after the other, until `isOver`. Each takes effect
 * once, even if the database is often unavailable: with keys every request has an Idempotency-Key
 * and is repeated with it until it is answered; without, a refused client looks whether the request
 * took effect before it repeats it, for the version that it was to change.
 */
export async function writeSteadily(
  sender: SteadySender,
  name: string,
  { isOver, onSuccess = () => {}, withKeys = true }: SteadyOptions
): Promise<Ledger> {
  const versions = new Map<string, number>()
  const answered = withKeys ? untilAnswered : untilSeen
  for (let number = 0; !isOver(); number++) {
    const id = `${name}-${number}`
    const entity = { id, type: 'venue', metadata: [{ key: 'name', value: `Venue ${number}` }] }
    await answered(sender, { method: 'POST', path: '/entities', body: entity, id, version: 1, wanted: 201 }, isOver)
    versions.set(id, 1)
    onSuccess()
    for (let version = 2; version <= 3; version++) {
      const body = { metadata: [{ key: 'city', value: `City ${version}` }] }
      await answered(sender, { method: 'PATCH', path: `/entities/${id}`, body, id, version, wanted: 200 }, isOver)
      versions.set(id, version)
      onSuccess()
    }
  }
  return { versions }
}

export interface SteadyOptions {
  readonly isOver: () => boolean
  readonly onSuccess?: () => void
  readonly withKeys?: boolean
}

/** A request that makes a version of a record. */
interface SteadyWrite {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly id: string
  readonly version: number
  readonly wanted: number
}

/**
 * Tells whether to try again. After the end nobody breaks anything any more, so what is under way
 * will be answered.
 */
function patience(isOver: () => boolean): () => boolean {
  let last = Number.POSITIVE_INFINITY
  return () => {
    if (isOver()) last = Math.min(last, performance.now() + hangLimit)
    return performance.now() < last
  }
}

async function untilAnswered(sender: SteadySender, write: SteadyWrite, isOver: () => boolean) {
  const { method, path, body, id, version, wanted } = write
  let last = ''
  const mayTry = patience(isOver)
  for (let isFirst = true; mayTry(); isFirst = false) {
    const key = { 'idempotency-key': `${id}-${version}` }
    const { status, text, headers } = await sender.send(method, path, body, key)
    if (status === wanted) return
    last = `${status} ${text}`
    const mayComeAgain = status === 503 && headers['retry-after'] !== undefined
    // The first of the two is still under way.
    const isUnderWay = status === 409 && !isFirst && text.includes('key')
    if (!mayComeAgain && !isUnderWay) throw new Error(`${method} ${path} was answered ${last}`)
    await pause(20)
  }
  throw new Error(`${method} ${path} was never done: ${last}`)
}

async function untilSeen(sender: SteadySender, write: SteadyWrite, isOver: () => boolean) {
  const { method, path, body, id, version, wanted } = write
  const mayTry = patience(isOver)
  for (let isFirst = true; mayTry(); isFirst = false) {
    const { status, text } = await sender.send(
      method,
      path,
      body,
      version > 1 ? { 'if-match': `"${version - 1}"` } : {}
    )
    if (status === wanted) return
    // A request that was refused with 503 may have been carried out; then the second attempt is
    // refused because the record exists.
    const isThere = !isFirst && (status === 409 || status === 412)
    if (status !== 503 && !isThere) throw new Error(`${method} ${path} was answered ${status} ${text}`)
    await pause(200)
    const seen = await versionOf(sender, id, isOver)
    if (seen === version) return
    if (isThere || seen !== version - 1) throw new Error(`${id} has version ${seen} after the ${version}. write`)
  }
  throw new Error(`${method} ${path} was never done`)
}

async function versionOf(sender: SteadySender, id: string, isOver: () => boolean): Promise<number> {
  const mayTry = patience(isOver)
  while (mayTry()) {
    const { status, text } = await sender.send('GET', `/entities/${id}`)
    if (status === 200) return (JSON.parse(text) as { version: number }).version
    if (status === 404) return 0
    await pause(20)
  }
  throw new Error(`${id} can never be read`)
}

/** A change, as the feed tells of it. */
export interface FedChange {
  readonly subject: string
  readonly data: { readonly version: number }
}

/** The whole feed, from its beginning. */
export async function readFeed(sender: SteadySender): Promise<FedChange[]> {
  const changes: FedChange[] = []
  for (let since = ''; ; ) {
    const { status, text } = await sender.send('GET', `/changes?limit=1000${since}`)
    assert.equal(status, 200, text)
    const page = JSON.parse(text) as { changes: FedChange[]; cursor: string; more: boolean }
    changes.push(...page.changes)
    since = `&since=${encodeURIComponent(page.cursor)}`
    if (!page.more) return changes
  }
}

/**
 * Every record has as many versions as it was written, and the feed tells of each of them once, in
 * order.
 */
export async function assertEveryWriteOnce(sender: SteadySender, ledgers: readonly Ledger[]) {
  const expected = new Map(ledgers.flatMap(({ versions }) => [...versions]))
  const told = new Map<string, number[]>()
  for (const { subject, data } of await readFeed(sender))
    told.set(subject, [...(told.get(subject) ?? []), data.version])
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

/** Every record has as many versions as it was written; there may be others beside them. */
export async function assertWrittenOnce(sender: SteadySender, ledgers: readonly Ledger[]) {
  for (const [id, versions] of ledgers.flatMap(ledger => [...ledger.versions])) {
    const { text } = await sender.send('GET', `/entities/${id}`)
    assert.equal((JSON.parse(text) as { version?: number }).version, versions, `${id}: ${text}`)
  }
}
