import { Worker } from 'node:worker_threads'

import { frugalThread } from '#threads/thread-limits.ts'
import type { BuildBase, BuilderData, BuilderMessage, BuiltBase } from './builder.ts'
import { deleteAbandoned } from './snapshot-file.ts'

/** Builds bases, each in a thread of its own, which does not keep the process alive. */
export function buildInThread<Place extends object>(file: URL, data: BuilderData<Place>): BuildBase {
  return (signal, report, input) => {
    const built = Promise.withResolvers<BuiltBase>()
    const saved = Promise.withResolvers<number>()
    const fail = (error: unknown) => {
      built.reject(error)
      saved.reject(error)
    }
    // Nobody waits for a snapshot that is not saved.
    saved.promise.catch(() => {})
    const resourceLimits = frugalThread(Number.POSITIVE_INFINITY)
    const worker = new Worker(file, { workerData: { ...data, ...input }, resourceLimits })
    worker.unref()
    worker.on('message', (message: BuilderMessage) => {
      if (message.kind === 'built') built.resolve({ ...message, saving: message.isSaving ? saved.promise : undefined })
      else if (message.kind === 'saved') saved.resolve(message.change)
      else if (message.kind === 'progress') report(message.done, message.of)
    })
    worker.on('error', fail)
    const end = () => void worker.terminate()
    worker.on('exit', code => {
      // The signal lasts as long as the process, and would keep the base of each builder.
      signal.removeEventListener('abort', end)
      // A thread that was ended leaves what it had written of a snapshot.
      if (code !== 0) deleteAbandoned(data.snapshot)
      fail(new Error(`The thread that builds the index ended with ${code}`))
    })
    signal.addEventListener('abort', end, { once: true })
    return built.promise
  }
}
