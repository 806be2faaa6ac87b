import { Worker } from 'node:worker_threads'

import type { BuildBase, BuilderInput, BuilderMessage, BuilderOptions, BuiltBase } from './builder.ts'

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
