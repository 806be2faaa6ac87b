import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import type { Base } from '#index/base.ts'
import { type Reply, type Request, toFailure, upReply } from '#threads/worker-link.ts'
import type { FindReply, FindRequest, IndexState } from './finder.ts'
import { IndexHost } from './index-host.ts'

/* A thread that finds in memory. It has no connection: everything it needs is sent to it. */

export interface IndexWorkerData {
  readonly recordTypes: readonly RecordType[]
}

export interface IndexRequest extends FindRequest {
  /** A base to begin with. */
  readonly base: Base | undefined
  /** Whether changes after that base which the thread has applied are retained. */
  readonly retainsChanges: boolean
  /** The change that the index must know of before the update; undefined for a new index. */
  readonly expected: number | undefined
}

export interface IndexReply {
  readonly reply: FindReply
  readonly state: IndexState | undefined
}

const { recordTypes } = workerData as IndexWorkerData
const port = parentPort
if (!port) throw new Error('index-worker.ts is started as a worker thread')

const host = new IndexHost(createModel(recordTypes))
flushCompileCache()

function answer({ base, retainsChanges, expected, ...request }: IndexRequest): IndexReply {
  if (base && !retainsChanges) host.discard()
  if (base) host.use(base)
  if (expected !== undefined && host.state?.change !== expected)
    throw new Error('The thread was started again and has another index')
  return { reply: host.find(request), state: host.state }
}

port.on('message', ({ number, body }: Request<IndexRequest>) => {
  let reply: Reply
  try {
    reply = { number, result: answer(body) }
  } catch (error) {
    host.discard()
    reply = { number, failure: toFailure(error) }
  }
  port.postMessage(reply)
})
port.postMessage(upReply)
