import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/model.ts'
import type { RecordType } from '#domain/record-type.ts'
import type { Question, ReferenceQuestion } from '../store.ts'
import { openReading } from './connection.ts'
import { createReader } from './reader.ts'
import { type Reply, type Request, toFailure } from './worker-link.ts'

/* A thread that answers questions, so that a read by id never waits behind a scan. */

export type ReaderRequest =
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'find_references'; readonly question: ReferenceQuestion }

export interface ReaderData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
  readonly queryDeadline: number
}

const { path, recordTypes, queryDeadline } = workerData as ReaderData
const port = parentPort
if (!port) throw new Error('reader-worker.ts is started as a worker thread')

const reader = createReader(openReading(path), createModel(recordTypes), queryDeadline)

port.on('message', ({ number, body }: Request<ReaderRequest>) => {
  let reply: Reply
  try {
    const result = body.kind === 'ask' ? reader.ask(body.question) : reader.findReferences(body.question)
    reply = { number, result }
  } catch (error) {
    reply = { number, failure: toFailure(error) }
  }
  port.postMessage(reply)
})
