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

/** The processor time that the work takes, in microseconds. */
async function costOf(work: Work): Promise<number> {
  collectGarbage()
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    await work()
    const { user, system } = process.threadCpuUsage(before)
    if (user + system >= minMeasured || runs === maxRuns) return (user + system) / runs
  }
}

/** Microseconds: what is below is too little to be told from noise. */
const minCost = 200

/** Linear work on a busy machine looks bad now and then; quadratic work never looks good. */
const maxAttempts = 12

/** Maximum growth that needs no second measurement. */
const goodGrowth = 6

/**
 * How many times more the work costs when its input is four times as long. Linear work gives 4 or a
 * little more, quadratic work 16. Measured again when it looks bad: a good measurement cannot be
 * luck.
 *
 * Where a cache is too small for the longest input, and others use it too, linear work looks bad
 * each time, but only in the step to that input. So what always looks bad is judged by the better
 * of the two steps that double the input: both are bad for quadratic work.
 */
export async function growthOf(prepare: (size: number) => Work, size: number): Promise<number> {
  const sizes = [size, 2 * size, 4 * size]
  const least = sizes.map(() => Number.POSITIVE_INFINITY)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    // The one in between is needed only when the others look bad.
    for (const index of attempt === 0 ? [0, 2] : [0, 1, 2])
      least[index] = Math.min(least[index] as number, Math.max(await costOf(prepare(sizes[index] as number)), minCost))
    const [small, , large] = least as [number, number, number]
    if (large / small <= goodGrowth) return large / small
  }
  const [small, middle, large] = least as [number, number, number]
  return Math.min(large / middle, middle / small) ** 2
}
