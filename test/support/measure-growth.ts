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
 * Collects what earlier inputs left: otherwise their garbage is counted to whoever makes the heap
 * overflow.
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

/** What needs no second look. */
const goodGrowth = 6

/**
 * How many times more the work costs when its input is four times as long. Linear work gives 4 or a
 * little more, quadratic work 16. Measured again when it looks bad: a good measurement cannot be
 * luck.
 */
export async function growthOf(prepare: (size: number) => Work, size: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < maxAttempts && least > goodGrowth; attempt++) {
    const small = await costOf(prepare(size))
    const large = await costOf(prepare(4 * size))
    least = Math.min(least, large / Math.max(small, minCost))
  }
  return least
}
