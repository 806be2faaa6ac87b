import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import type { Base } from '#index/base.ts'
import type { Finder, IndexState, Outcome } from '../finding/finder.ts'
import { openReading } from './connection.ts'
import type { StoreSettings } from '../ports/administration.ts'
import type { Reader } from '../query/reader.ts'
import { createSqliteReader, type QueryTime } from './reader.ts'
import { type Reply, type Request, toFailure, upReply } from '../worker-link.ts'

/* A thread that runs queries, so that a read by id never waits behind a scan. */

/**
 * A method of the reader with its arguments, the deadline, and the time since the query came to the
 * store, both in milliseconds.
 */
export interface ReaderRequest extends QueryTime {
  readonly method: keyof Reader
  readonly given: readonly unknown[]
  /** A newer base for the index in memory. */
  readonly base?: Base | undefined
}

export interface ReaderReply {
  readonly result: unknown
  /** How an index in memory was used, where there is one. */
  readonly finding?: { readonly outcome: Outcome | undefined; readonly state: IndexState | undefined } | undefined
}

export interface ReaderData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
  readonly readCacheMegabytes: number
  readonly finding: StoreSettings['finding']
}

const { path, recordTypes, readCacheMegabytes, finding } = workerData as ReaderData
const port = parentPort
if (!port) throw new Error('reader-worker.ts is started as a worker thread')

const model = createModel(recordTypes)
// Loaded only where it is used, since every thread has its own copy of the program.
const host = finding === 'memory' ? new (await import('../finding/index-host.ts')).IndexHost(model) : undefined
let outcome: Outcome | undefined
const finder: Finder | undefined = host && {
  get state() {
    return host.state
  },
  find: request => host.find(request),
  discard: () => host.discard(),
  note(noted) {
    outcome = noted
  },
  release() {}
}

let time: QueryTime = { deadline: 0, waited: 0 }
const reader = createSqliteReader(openReading(path, readCacheMegabytes), model, () => time, finder)

// A thread is terminated, and never ends by itself: its compiled program is cached now, for the
// next start.
flushCompileCache()

port.on('message', async ({ number, body }: Request<ReaderRequest>) => {
  let reply: Reply
  try {
    time = body
    outcome = undefined
    if (body.base) host?.use(body.base)
    const method = reader[body.method] as (...given: readonly unknown[]) => Promise<unknown>
    const result = await method(...body.given)
    const answer: ReaderReply = { result, finding: host && { outcome, state: host.state } }
    reply = { number, result: answer }
  } catch (error) {
    reply = { number, failure: toFailure(error) }
  }
  port.postMessage(reply)
})
port.postMessage(upReply)
