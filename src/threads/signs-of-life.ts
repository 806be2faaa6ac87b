import type { Worker } from 'node:worker_threads'

/** The time since a thread last gave a sign of life. */
export interface SignsOfLife {
  /** Notes a sign. */
  note(): void
  /** Milliseconds since the last sign. */
  readonly silence: number
  /** Milliseconds of processor time that it used since, measured every second. */
  readonly silentWork: number
  /** Ends the measurement. */
  end(): void
}

export function watchSigns(worker: Worker): SignsOfLife {
  let lastSign = performance.now()
  /** Milliseconds of processor time at the first measurement after the last sign, and since. */
  let workAtSign: number | undefined
  let silentWork = 0
  const measuring = setInterval(async () => {
    try {
      const { user, system } = await worker.cpuUsage()
      workAtSign ??= (user + system) / 1000
      silentWork = (user + system) / 1000 - workAtSign
    } catch {
      // The thread has ended.
    }
  }, 1000).unref()
  return {
    note() {
      lastSign = performance.now()
      workAtSign = undefined
      silentWork = 0
    },
    get silence() {
      return performance.now() - lastSign
    },
    get silentWork() {
      return silentWork
    },
    end: () => clearInterval(measuring)
  }
}

/** Milliseconds between two signs of life. */
export const signInterval = 1000

/** The limits of a thread that gives no sign of life. */
export interface SilenceLimits {
  /** Maximum milliseconds without a sign. */
  readonly maxSilence: number
  /**
   * Maximum milliseconds of processor time without a sign: the thread hangs in one record. A thread
   * that only waits, or has little of the processor, is given more time.
   */
  readonly maxSilentWork: number
}

export const silenceLimits: SilenceLimits = { maxSilence: 120_000, maxSilentWork: 30_000 }
