import { Worker } from 'node:worker_threads'

import type { Base } from '#index/base.ts'
import type { BuildBase, BuiltBase } from './base-holder.ts'

/** The messages of a thread that builds a base. */
export type BuilderMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'built'; readonly base: Base; readonly isFromSnapshot: boolean }

/** Data of every thread that builds a base. */
export interface BuilderOptions {
  /**
   * Whether a snapshot may be read: only at the start of a process, which knows of nothing newer.
   */
  readonly readsSnapshot: boolean
}

/** Builds bases, each in a thread of its own, which does not keep the process alive. */
export function buildInThread<Data>(file: URL, data: Data): BuildBase {
  let isFirst = true
  return (signal, report) => {
    const { promise, resolve, reject } = Promise.withResolvers<BuiltBase>()
    const workerData: Data & BuilderOptions = { ...data, readsSnapshot: isFirst }
    isFirst = false
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
