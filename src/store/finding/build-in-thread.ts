import { Worker } from 'node:worker_threads'

import type { Base } from '#index/base.ts'
import type { BuildBase } from './base-keeper.ts'

/** The messages of a thread that builds a base. */
export type BuilderMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'built'; readonly base: Base }

/** Builds bases, each in a thread of its own, which does not keep the process alive. */
export const buildInThread =
  (file: URL, workerData: unknown): BuildBase =>
  (signal, report) => {
    const { promise, resolve, reject } = Promise.withResolvers<Base>()
    const worker = new Worker(file, { workerData })
    worker.unref()
    worker.on('message', (message: BuilderMessage) => {
      if (message.kind === 'built') resolve(message.base)
      else report(message.done, message.of)
    })
    worker.on('error', reject)
    worker.on('exit', code => reject(new Error(`The thread that builds the index ended with ${code}`)))
    signal.addEventListener('abort', () => void worker.terminate(), { once: true })
    return promise
  }
