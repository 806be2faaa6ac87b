import { getHeapStatistics } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'

/**
 * What a thread that works through much data may take of memory.
 *
 * A thread's heap grows as far as it may before its garbage is collected, whatever is alive in it:
 * two threads that hold 40 MB and 10 MB while they import had taken 200 MB and 120 MB
 * (bench/import.ts). New values get 24 MB instead of 96. The limit on the old ones is far above
 * what is needed; that there is one makes the heap grow in smaller steps, since V8 takes them by
 * it.
 */
export const frugalThread = (mostMegabytes: number): ResourceLimits => ({
  maxYoungGenerationSizeMb: 24,
  maxOldGenerationSizeMb: Math.min(mostMegabytes, Math.floor(getHeapStatistics().heap_size_limit / 1_048_576))
})

/** Whether a thread was ended since it wanted more. */
export const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
