import { Worker } from 'node:worker_threads'

/** How often the main thread shows that it runs, in milliseconds. */
const beatInterval = 500
/** Milliseconds until a watchdog that failed is started again. */
const restartDelay = 1000

/**
 * Watches the main thread from another one. A main thread that has not answered for 10 s and worked
 * all the while, such as in a loop without an end, can neither answer requests nor be stopped by
 * SIGTERM: the watchdog reports what it was doing and ends the process, for `serve --workers` or
 * the operating system to start it again.
 */
export function startWatchdog(): Disposable {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  let isEnded = false
  const start = (): Worker => {
    const started = new Worker(new URL('./watchdog-worker.ts', import.meta.url), {
      workerData: beats,
      resourceLimits: { maxOldGenerationSizeMb: 16 }
    })
    started.unref()
    started.on('error', error => console.error('The watchdog failed, and is started again:', error))
    started.on('exit', () => {
      setTimeout(startAgain, restartDelay).unref()
    })
    return started
  }
  const startAgain = () => {
    if (!isEnded) worker = start()
  }
  let worker = start()
  const timer = setInterval(() => Atomics.add(beats, 0, 1), beatInterval)
  return {
    [Symbol.dispose]() {
      isEnded = true
      clearInterval(timer)
      void worker.terminate()
    }
  }
}
