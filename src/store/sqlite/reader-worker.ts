import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import type { Base } from '#index/base.ts'
import { type Finder, IndexNotReady, type IndexState, type Outcome } from '#finding/finder.ts'
import { IndexHost } from '#finding/index-host.ts'
import { type Failure, type Reply, type Request, toFailure, upReply } from '#threads/worker-link.ts'
import { openReading } from './connection.ts'
import type { Reader } from '../query/reader.ts'
import { createSqliteReader, type QueryTime } from './reader.ts'

/* A thread that runs queries, so that a read by id never waits behind a scan. */

/**
 * A method of the reader with its arguments, the deadline, and the time since the query came to the
 * store, both in milliseconds.
 */
export interface ReaderQuery extends QueryTime {
  readonly method: keyof Reader
  readonly given: readonly unknown[]
}

/** Queries that are answered one after the other, by one reply. */
export interface ReaderRequest {
  readonly queries: readonly ReaderQuery[]
  /** A newer base for the index in memory. */
  readonly base: Base | undefined
}

/** An answer tells the state of the index in any case, also that to a query that failed. */
export interface ReaderAnswer {
  readonly result: unknown
  readonly failure: Failure | undefined
  /** Whether there is no index that the query could use. */
  readonly isNotReady: boolean
  /** How the query went, where it used the index, and the state of the index. */
  readonly outcome: Outcome | undefined
  readonly state: IndexState | undefined
}

export interface ReaderData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
  readonly readCacheMegabytes: number
  /** Maximum number of changes that a query applies to the index. */
  readonly maxBehind: number
  readonly recordsOfPart: number
}

const { path, recordTypes, readCacheMegabytes, maxBehind } = workerData as ReaderData
const port = parentPort
if (!port) throw new Error('reader-worker.ts is started as a worker thread')

const model = createModel(recordTypes)
const host = new IndexHost(model)
let outcome: Outcome | undefined
const finder: Finder = {
  maxBehind,
  get state() {
    return host.state
  },
  find: request => host.find(request),
  restart: () => host.restart(),
  discard: () => host.discard(),
  note(noted) {
    outcome = noted
  }
}

let time: QueryTime = { deadline: 0, waited: 0 }
const reader = createSqliteReader(openReading(path, readCacheMegabytes), model, () => time, finder)

// A thread is terminated, and never ends by itself: its compiled program is cached now, for the
// next start.
flushCompileCache()

async function answer(query: ReaderQuery, base: Base | undefined): Promise<ReaderAnswer> {
  time = query
  outcome = undefined
  const { method, given } = query
  const run = async () => {
    if (base) host.use(base)
    return { result: await (reader[method] as (...given: readonly unknown[]) => Promise<unknown>)(...given) }
  }
  const answered = await run().catch((error: unknown) => ({
    result: undefined,
    ...(error instanceof IndexNotReady ? { isNotReady: true } : { failure: toFailure(error) })
  }))
  return { isNotReady: false, failure: undefined, ...answered, outcome, state: host.state }
}

port.on('message', async ({ number, body: { queries, base } }: Request<ReaderRequest>) => {
  const begun = performance.now()
  const result: ReaderAnswer[] = []
  for (const query of queries) {
    const waited = query.waited + performance.now() - begun
    result.push(await answer({ ...query, waited }, result.length === 0 ? base : undefined))
  }
  port.postMessage({ number, result } satisfies Reply)
})
port.postMessage(upReply)
