import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { openReading } from './connection.ts'
import type { Reader } from '../query/reader.ts'
import { createSqliteReader, type QueryTime } from './reader.ts'
import { type Reply, type Request, toFailure, upReply } from './worker-link.ts'

/* A thread that runs queries, so that a read by id never waits behind a scan. */

/**
 * A method of the reader with its arguments, the deadline, and the time since the query came to the
 * store, both in milliseconds.
 */
export interface ReaderRequest extends QueryTime {
  readonly method: keyof Reader
  readonly given: readonly unknown[]
}

export interface ReaderData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
  readonly readCacheMegabytes: number
}

const { path, recordTypes, readCacheMegabytes } = workerData as ReaderData
const port = parentPort
if (!port) throw new Error('reader-worker.ts is started as a worker thread')

let time: QueryTime = { deadline: 0, waited: 0 }
const reader = createSqliteReader(openReading(path, readCacheMegabytes), createModel(recordTypes), () => time)

// A thread is terminated, and never ends by itself: its compiled program is cached now, for the
// next start.
flushCompileCache()

port.on('message', async ({ number, body }: Request<ReaderRequest>) => {
  let reply: Reply
  try {
    time = body
    const method = reader[body.method] as (...given: readonly unknown[]) => Promise<unknown>
    reply = { number, result: await method(...body.given) }
  } catch (error) {
    reply = { number, failure: toFailure(error) }
  }
  port.postMessage(reply)
})
port.postMessage(upReply)
