import { getHeapStatistics } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'

/**
 * Memory limits of a thread that works through much data.
 *
 * The heap of a thread grows to its limit before its garbage is collected, whatever is alive in it:
 * two threads with 40 MB and 10 MB of live data during an import had taken 200 MB and 120 MB
 * (bench/import.ts). New values get 24 MB instead of 96. The limit of old values is far above the
 * need; with a limit V8 grows the heap in smaller steps.
 */
export const frugalThread = (maxMegabytes: number): ResourceLimits => ({
  maxYoungGenerationSizeMb: 24,
  maxOldGenerationSizeMb: Math.min(maxMegabytes, Math.floor(getHeapStatistics().heap_size_limit / 1_048_576))
})

/** Whether a thread was ended because it exceeded its limits. */
export const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
