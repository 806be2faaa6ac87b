import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * The processor time of test files. On two cores it decides how long the tests take, and it does
 * not change when the machine is busy with other work as the time on the clock does.
 */

const variable = 'TEST_PROCESSOR_TIME'

/** Linux counts in hundredths of a second. */
const ticksPerSecond = 100

/**
 * The processor time, in seconds, of this process and of all that it started and that have ended.
 * Undefined where there is no /proc.
 */
export function processorTime(): number | undefined {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    // User and system time, of the process and of its children.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    return undefined
  }
}

/** What the cores of the machine have spent since it was started, in milliseconds. */
export interface CoreTime {
  readonly idle: number
  readonly all: number
}

export function coreTime(): CoreTime {
  const times = cpus().map(core => core.times)
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap(each => Object.values(each))) }
}

export interface Used {
  /** The test files of the process. */
  readonly file: string
  readonly seconds: number
}

export interface ProcessorTime {
  /** For the command line of the test process. */
  readonly execArgv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** In seconds, once the process has ended. */
  read(): number | undefined
}

/** Asks a test process to store its processor time in this folder when it ends. */
export function watchProcessorTime(folder: string): ProcessorTime {
  const file = join(folder, 'processor-time.txt')
  return {
    execArgv: ['--import', pathToFileURL(import.meta.filename).href],
    env: { [variable]: file },
    read: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined)
  }
}

const file = process.env[variable]
if (file !== undefined) {
  // Only this process: those that it starts are counted with it.
  delete process.env[variable]
  process.on('exit', () => {
    const seconds = processorTime()
    if (seconds !== undefined) writeFileSync(file, String(seconds))
  })
}
