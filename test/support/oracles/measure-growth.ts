import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/* How the cost of work grows with the size of its input, by the processor time of this thread. */

/** Does the work on an input that was made before. */
export type Work = () => unknown

/**
 * The clock of the processor moves in steps of some milliseconds: work is repeated until it took
 * this long.
 */
const minMeasured = 10_000
const maxRuns = 200

/**
 * Collects the garbage of earlier inputs: otherwise it is counted to the input that fills the heap.
 */
const collectGarbage = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()

/**
 * The processor time that the work takes, in microseconds, the least of several measurements.
 *
 * The engine compiles what runs often in another thread, which may have to wait for a core: until
 * then, work costs up to ten times as much. So a later attempt goes on for longer.
 */
async function costOf(work: Work, attempt: number): Promise<number> {
  collectGarbage()
  let least = Number.POSITIVE_INFINITY
  for (let measurement = 0; measurement <= attempt; measurement++) {
    const before = process.threadCpuUsage()
    for (let runs = 1; ; runs++) {
      await work()
      const { user, system } = process.threadCpuUsage(before)
      if (user + system < minMeasured && runs < maxRuns) continue
      least = Math.min(least, (user + system) / runs)
      break
    }
  }
  return least
}

/** Microseconds: what is below is too little to be told from noise. */
const minCost = 200

/** Linear work on a busy machine looks bad now and then; quadratic work never looks good. */
const maxAttempts = 12

/** Of four times the input. */
const goodGrowth = 6

/**
 * How many times more the work costs when its input is four times as long. Linear work gives 4 or a
 * little more, quadratic work 16.
 */
export const growthOf = (prepare: (size: number) => Work, size: number): Promise<number> =>
  growthOver([size, 2 * size, 4 * size], (each, attempt) => costOf(prepare(each), attempt), {
    minCost,
    goodGrowth,
    maxAttempts
  })

interface Judgement {
  /** Lower costs are counted as this: they cannot be told from noise. */
  readonly minCost: number
  /** Maximum growth that needs no second measurement. */
  readonly goodGrowth: number
  readonly maxAttempts: number
}

/**
 * How many times more the largest size costs than the smallest, by the least cost of each.
 * Measured again when it looks bad: a good measurement cannot be luck.
 *
 * Where a cache is too small for the longest input, and others use it too, linear work looks bad
 * each time, but only in the step to that input. So what always looks bad is judged by the best of
 * the steps between sizes, each as much larger than the one before: all are bad for quadratic work.
 */
export async function growthOver<Size>(
  sizes: readonly Size[],
  costOfSize: (size: Size, attempt: number) => Promise<number>,
  { minCost, goodGrowth, maxAttempts }: Judgement
): Promise<number> {
  const least = sizes.map(() => Number.POSITIVE_INFINITY)
  const growth = () => (least.at(-1) as number) / (least[0] as number)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    for (const [index, size] of sizes.entries()) {
      // Those in between are needed only when the others look bad.
      if (attempt === 0 && index > 0 && index < sizes.length - 1) continue
      least[index] = Math.min(least[index] as number, Math.max(await costOfSize(size, attempt), minCost))
    }
    if (growth() <= goodGrowth) return growth()
  }
  const steps = least.slice(1).map((cost, index) => cost / (least[index] as number))
  return Math.min(...steps) ** steps.length
}
