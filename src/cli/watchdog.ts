import { Worker } from 'node:worker_threads'

/** How often the main thread shows that it runs, in milliseconds. */
const beatInterval = 500

/**
 * Watches the main thread from another one. A main thread that has not answered for 10 s and worked
 * all the while, such as in a loop without an end, can neither answer requests nor be stopped by
 * SIGTERM: the watchdog reports what it was doing and ends the process, for `serve --workers` or
 * the operating system to start it again.
 */
export function startWatchdog(): Disposable {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('./watchdog-worker.ts', import.meta.url), {
    workerData: beats,
    resourceLimits: { maxOldGenerationSizeMb: 16 }
  })
  worker.unref()
  worker.on('error', error => console.error('The watchdog ended:', error))
  const timer = setInterval(() => Atomics.add(beats, 0, 1), beatInterval)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      void worker.terminate()
    }
  }
}
