import { pumpedStrings, type PumpedString } from './pumped-strings.ts'

/*
 * Finds strings on which the time of a regular expression grows faster than their length. The
 * engine itself is measured. All strings are tried at a few small sizes. Those that take long are
 * grown, and the last word has processor time, so that a busy machine changes nothing.
 */

/** Rounds of the first trials: an exponential pattern takes long with few of them. */
const fewRounds = [6, 8, 10, 12, 14, 16, 20, 24, 32]

/** Milliseconds that no other pattern takes with few rounds. */
const exponential = 2

/** Rounds of the other trials. */
const manyRounds = [200, 1_000]

/** Maximum characters of a trial. */
const maxLength = 10_000

/** Milliseconds of a trial: 1,000 rounds take longer if the time is quadratic. */
const suspicious = 0.1

/** Growth of the time while the length grows four times: 4 if linear, 16 if quadratic. */
const maxGrowth = 8

/** Milliseconds of processor time that are measured well: systems count it in steps of up to 10. */
const wellMeasured = 60

type Run = (text: string) => void

const stringOf = ({ prefix, pump, suffix }: PumpedString, rounds: number) => prefix + pump.repeat(rounds) + suffix

/** Returns the string that shows a pattern to be superlinear; undefined if none does. */
export function findSuperlinear(pattern: string, flags: string): PumpedString | undefined {
  const everywhere = new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)
  const run = (text: string) => void text.replace(everywhere, '')
  // The engine compiles a pattern at its second use.
  for (let use = 0; use < 3; use++) run('a b')
  const { strings, isNested } = pumpedStrings(pattern, flags)
  return strings.find(each => (isNested && isExponential(run, each)) || isPolynomial(run, each))
}

function isExponential(run: Run, string: PumpedString): boolean {
  return fewRounds.some(rounds => {
    const text = stringOf(string, rounds)
    return elapsed(run, text, 1) > exponential && processorTime(run, text) > exponential
  })
}

function isPolynomial(run: Run, string: PumpedString): boolean {
  return manyRounds.some(rounds => {
    const [text, longer] = [stringOf(string, rounds), stringOf(string, 4 * rounds)]
    if (text.length > maxLength || elapsed(run, text, 1) < suspicious) return false
    const time = elapsed(run, text, 4)
    return (
      time > suspicious &&
      elapsed(run, longer, 3) > maxGrowth * time &&
      processorTime(run, longer) > maxGrowth * processorTime(run, text)
    )
  })
}

/** Returns the milliseconds of a run, the least of several. */
function elapsed(run: Run, text: string, times: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time++) {
    const start = performance.now()
    run(text)
    least = Math.min(least, performance.now() - start)
  }
  return least
}

/** Returns the milliseconds of processor time of a run. */
function processorTime(run: Run, text: string): number {
  const before = process.threadCpuUsage()
  for (let times = 1; ; times++) {
    run(text)
    const { user, system } = process.threadCpuUsage(before)
    if (user + system > wellMeasured * 1_000) return (user + system) / 1_000 / times
  }
}
