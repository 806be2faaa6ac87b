import { Worker } from 'node:worker_threads'

import type { Base } from '#index/base.ts'
import type { BuildBase, BuiltBase } from './base-holder.ts'

/** The messages of a thread that builds a base. */
export type BuilderMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | ({ readonly kind: 'built' } & BuiltBase)
  /** A part of a base, of a thread that builds parts. */
  | { readonly kind: 'part'; readonly base: Base }

/** What a base is made of. */
export interface BuilderInput {
  /** The last base of the process; undefined where there is none that can be used. */
  readonly previous: Base | undefined
  readonly isFromSnapshot: boolean
  readonly mayReadSnapshot: boolean
  /** Whether it is time to write a snapshot, if enough changed. */
  readonly mayWriteSnapshot: boolean
  /** The change of the last snapshot. */
  readonly savedChange: number
}

/** Data of every thread that builds a base. */
export interface BuilderOptions extends BuilderInput {
  /** The file with a snapshot, where there is one. */
  readonly snapshot: string | undefined
  /** Maximum number of records of a part; building takes several times the memory of a base. */
  readonly recordsOfPart: number
  /** For a thread that builds parts: the records that they have. */
  readonly range?: RecordRange
}

/** Records by their numbers. */
export interface RecordRange {
  readonly after: number
  readonly upTo: number
  /** Maximum number of records of a part. */
  readonly partSize: number
}

/** A snapshot is written again after at least this many changes. */
export const minUnsaved = 1000

/** Builds bases, each in a thread of its own, which does not keep the process alive. */
export function buildInThread<Data extends Omit<BuilderOptions, keyof BuilderInput>>(file: URL, data: Data): BuildBase {
  return (signal, report, input) => {
    const { promise, resolve, reject } = Promise.withResolvers<BuiltBase>()
    const workerData: Data & BuilderInput = { ...data, ...input }
    const worker = new Worker(file, { workerData })
    worker.unref()
    worker.on('message', (message: BuilderMessage) => {
      if (message.kind === 'built') resolve(message)
      else if (message.kind === 'progress') report(message.done, message.of)
    })
    worker.on('error', reject)
    worker.on('exit', code => reject(new Error(`The thread that builds the index ended with ${code}`)))
    signal.addEventListener('abort', () => void worker.terminate(), { once: true })
    return promise
  }
}
