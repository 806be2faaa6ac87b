import { Worker } from 'node:worker_threads'

import type { Base } from '#index/base.ts'
import type { BuildBase, BuiltBase } from './base-holder.ts'

/** The messages of a thread that builds a base. */
export type BuilderMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'built'; readonly base: Base; readonly isFromSnapshot: boolean }

/** Data of every thread that builds a base. */
export interface BuilderOptions {
  /** The file with a snapshot, where there is one. */
  readonly snapshot: string | undefined
  /** A snapshot is used if it is newer than this change; undefined where none may be used. */
  readonly newerThan: number | undefined
}

/** Builds bases, each in a thread of its own, which does not keep the process alive. */
export function buildInThread<Data>(file: URL, data: Data, snapshot: string | undefined): BuildBase {
  return (signal, report, newerThan) => {
    const { promise, resolve, reject } = Promise.withResolvers<BuiltBase>()
    const workerData: Data & BuilderOptions = { ...data, snapshot, newerThan }
    const worker = new Worker(file, { workerData })
    worker.unref()
    worker.on('message', (message: BuilderMessage) => {
      if (message.kind === 'built') resolve(message)
      else report(message.done, message.of)
    })
    worker.on('error', reject)
    worker.on('exit', code => reject(new Error(`The thread that builds the index ended with ${code}`)))
    signal.addEventListener('abort', () => void worker.terminate(), { once: true })
    return promise
  }
}
