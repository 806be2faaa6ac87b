import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/*
 * The processor time of test files. On two cores it decides how long the tests take, and it does
 * not change when the machine is busy with other work as the time on the clock does.
 */

/** Linux counts in hundredths of a second. */
const ticksPerSecond = 100

export interface ProcessorTime {
  /** In seconds. */
  readonly own: number
  /** That of the processes that this one started and that have ended, and of theirs. */
  readonly children: number
}

/** The processor time so far. Undefined where there is no /proc. */
export function processorTime(): ProcessorTime | undefined {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = fields.slice(11, 15).map(Number)
    return { own: (user + system) / ticksPerSecond, children: (userOfChildren + systemOfChildren) / ticksPerSecond }
  } catch {
    return undefined
  }
}

let told = 0

/**
 * The processor time, in seconds, of the children that have ended since this was last asked. Asked
 * after the end of each child, it is the time of that child.
 */
export function timeOfEndedChildren(): number {
  const { children } = processorTime() ?? { children: 0 }
  const since = children - told
  told = children
  return since
}

/** Returns the processor time of all cores since the machine was started, in milliseconds. */
export interface CoreTime {
  readonly idle: number
  readonly all: number
}

export function coreTime(): CoreTime {
  const times = cpus().map(core => core.times)
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap(each => Object.values(each))) }
}
