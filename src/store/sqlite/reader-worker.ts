import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { openReading } from './connection.ts'
import { createReader, type QueryTime, type Reader } from './reader.ts'
import { type Reply, type Request, toFailure, upReply } from './worker-link.ts'

/* A thread that answers questions, so that a read by id never waits behind a scan. */

/** A method of the reader, and what it is asked. */
export type Asked = {
  readonly [Name in keyof Reader]: { readonly method: Name; readonly asked: Parameters<Reader[Name]> }
}[keyof Reader]

/** A query with its deadline and the time since it came to the store, both in milliseconds. */
export type ReaderRequest = Asked & QueryTime

export interface ReaderData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
  readonly readCacheMegabytes: number
}

const { path, recordTypes, readCacheMegabytes } = workerData as ReaderData
const port = parentPort
if (!port) throw new Error('reader-worker.ts is started as a worker thread')

let time: QueryTime = { deadline: 0, waited: 0 }
const reader = createReader(openReading(path, readCacheMegabytes), createModel(recordTypes), () => time)

// A thread is ended, never left to end by itself: what it has read of its program is kept now, for
// the next start.
flushCompileCache()

port.on('message', ({ number, body }: Request<ReaderRequest>) => {
  let reply: Reply
  try {
    time = body
    const method = reader[body.method] as (...asked: readonly unknown[]) => unknown
    reply = { number, result: method(...body.asked) }
  } catch (error) {
    reply = { number, failure: toFailure(error) }
  }
  port.postMessage(reply)
})
port.postMessage(upReply)
