import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'

import { timeOfEndedChildren } from './processor-time.ts'
import { compileCache } from '../services/server-process.ts'
import { waitingForAll, writeSharedModule } from './shared-processes.ts'

/** A test that did not pass, as it is told at the end. */
export interface Complaint {
  readonly name: string
  readonly where: string
  readonly words: string
  /** The command that runs it again. */
  readonly again?: string
}

/** The cost of a process of test files. */
export interface Used {
  readonly file: string
  /** Of the processor. */
  readonly seconds: number
}

export interface Outcome {
  readonly passed: number
  readonly skipped: number
  readonly complaints: readonly Complaint[]
  /** The processor time of each process. */
  readonly used: readonly Used[]
}

/** Test files that are run in one process, and the store that they are run on. */
export interface TestProcess {
  readonly files: readonly string[]
  readonly store: string
}

export interface Run {
  /** In the order in which they are begun. */
  readonly processes: readonly TestProcess[]
  /** Number of processes at once. */
  readonly lanes: number
  /**
   * A test that takes longer than this, in milliseconds, hangs, unless it says itself how long it
   * may take.
   */
  readonly maxTestTime: number
  /** After so long without a word from any test, those that still run are ended. */
  readonly maxSilence: number
  /** A line for each test, not only for each process. */
  readonly isTold: boolean
  /** Whether a skipped test is a failure, as on CI, where nobody reads the reasons. */
  readonly mustRunAll: boolean
  readonly isLong: boolean
  /** Words in the names of the tests that are run, if they are not all. */
  readonly name?: string | undefined
}

const root = resolve(import.meta.dirname, '../../..')
const isTerminal = process.stdout.isTTY === true

/** Runs test files and tells a line for each process. */
export async function runTestFiles(options: Run): Promise<Outcome> {
  // Node fails a test that takes too long but waits for its process; when nothing at all is heard
  // any more, that is ended too.
  const silence = new AbortController()
  const watch = setTimeout(() => silence.abort(), options.maxSilence)
  const folder = mkdtempSync(join(tmpdir(), 'libretto-test-run-'))
  const outcomes: Outcome[] = []
  timeOfEndedChildren()
  const waiting = options.processes.entries()
  const work = async () => {
    for (const [index, each] of waiting)
      outcomes.push(
        await runProcess(each, options, {
          folder: join(folder, `${index}`),
          signal: silence.signal,
          heard: () => watch.refresh()
        })
      )
  }
  await Promise.all(Array.from({ length: options.lanes }, work))
  clearTimeout(watch)
  rmSync(folder, { recursive: true, force: true })
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    skipped: outcomes.reduce((sum, { skipped }) => sum + skipped, 0),
    complaints: outcomes.flatMap(({ complaints }) => complaints),
    used: outcomes.flatMap(({ used }) => used)
  }
}

interface Surroundings {
  /** For files of this process only. */
  readonly folder: string
  readonly signal: AbortSignal
  /** Called with each event. */
  heard(): void
}

async function runProcess(
  { files: names, store }: TestProcess,
  options: Run,
  { folder, signal, heard }: Surroundings
): Promise<Outcome> {
  const { isTold, mustRunAll, isLong } = options
  const outcome = { passed: 0, skipped: 0, complaints: [] as Complaint[] }
  const bad = new Set<string>()
  const withTests = new Set<string>()
  const parents: string[] = []
  let printed = ''
  let summary: { readonly isGood: boolean; readonly note: string; readonly duration: number } | undefined
  mkdirSync(folder)
  const members = names.map(name => join(root, name))
  const [only] = members
  const module = only !== undefined && members.length === 1 ? only : writeSharedModule(members, folder)
  const isShared = members.length > 1
  const whole = names.join(', ')
  const complain = (name: string, where: string, words: string) => {
    const again = commandFor(where.replace(/:\d+$/, ''), store, isLong)
    outcome.complaints.push({ name, where, words, again })
    // A long run says at once what went wrong; the whole of it follows at the end.
    if (!isTold) console.log(`    ${paint('red', '✖')} ${name}: ${firstLines(words)}`)
  }

  const events = run({
    cwd: root,
    files: [module],
    timeout: options.maxTestTime,
    ...(options.name === undefined ? {} : { testNamePatterns: [new RegExp(RegExp.escape(options.name))] }),
    // Half of what a short test file costs is reading its program.
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, TEST_STORE: store },
    signal
  })
  for await (const { type, data } of events) {
    heard()
    if (type === 'test:stdout' || type === 'test:stderr') {
      printed += data.message
      if (isTold) process.stdout.write(data.message)
    }
    // An error that was thrown after the last test ended arrives as a diagnostic.
    if (type === 'test:diagnostic' && data.file !== undefined && data.message.startsWith('Error'))
      printed += `${data.message}\n`
    // The measurements of a test.
    if (type === 'test:diagnostic' && isTold && data.nesting > 0) console.log(`      ${data.message}`)
    if (type === 'test:start') parents.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    if (type === 'test:summary' && data.file !== undefined) {
      const { tests, skipped } = data.counts
      const note = `${isShared ? tests - 1 : tests} tests${skipped > 0 ? `, ${skipped} skipped` : ''}`
      summary = { isGood: data.success, note, duration: data.duration_ms }
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue

    const file = data.file ?? ''
    withTests.add(file)
    if (type === 'test:pass' && data.name === waitingForAll) continue
    // Node reports each file as a test too, unless it held some and all went well.
    const isFile = data.nesting === 0 && data.name === file
    const where = `${isFile ? whole : relative(root, file)}:${data.line ?? 1}`
    const name = parents.slice(0, data.nesting + 1).join(' › ')
    if (type === 'test:fail') {
      const error = data.details.error as Error & { failureType?: string }
      // A suite whose tests failed says nothing that they have not.
      if (error.failureType === 'subtestsFailed') {
        bad.add(file)
        continue
      }
      if (isFile && bad.has(file)) continue
      bad.add(file)
      if (isFile) summary ??= { isGood: false, note: 'as a whole', duration: data.details.duration_ms }
      else if (isTold) tellTest('✖', data)
      complain(isFile ? whole : name, where, isFile ? explainFile(error, printed) : explain(error))
    } else if (isFile) {
      complain(whole, where, 'The file holds no test.')
    } else if (data.skip !== undefined || data.todo !== undefined) {
      const reason = [data.skip, data.todo].find(each => typeof each === 'string' && each !== '') ?? 'no reason given'
      console.log(`    skipped: ${name}: ${reason}`)
      outcome.skipped++
      if (mustRunAll) complain(name, where, `It was skipped (${reason}), and CI=true lets none be.`)
    } else if (data.details.type !== 'suite') {
      outcome.passed++
      if (isTold) tellTest('✔', data)
    }
  }
  for (const [index, member] of isShared ? members.entries() : [])
    if (!withTests.has(member)) complain(names[index] ?? member, `${names[index]}:1`, 'The file holds no test.')
  const file = store === 'sqlite' ? whole : `${whole}, on ${store}`
  const spent = timeOfEndedChildren()
  if (summary)
    tellFile(
      summary.isGood,
      file,
      summary.note,
      summary.duration,
      spent > 0 ? `${spent.toFixed(1)} s of processor` : ''
    )
  return { ...outcome, used: [{ file, seconds: spent }] }
}

/** The beginning of a complaint, on one line. */
const firstLines = (words: string) => words.split('\n').slice(0, 4).join(' ').replaceAll(/\s+/g, ' ').slice(0, 400)

/** The command that runs one file again as it was run here. */
const commandFor = (file: string, store: string, isLong: boolean) =>
  [
    ...(isLong ? ['LONG=1'] : []),
    ...(store === 'sqlite' ? [] : [`TEST_STORE=${store}`]),
    `npm test -- ${file.replaceAll(',', '')}`
  ].join(' ')

function tellTest(sign: string, data: { nesting: number; name: string; details: { duration_ms: number } }) {
  const name = `${'  '.repeat(data.nesting + 1)}${paint(sign === '✔' ? 'green' : 'red', sign)} ${data.name}`
  console.log(`${name} (${seconds(data.details.duration_ms)})`)
}

/** The line for a file, or for a tool. */
export function tellFile(isGood: boolean, name: string, note: string, duration: number, cost = '') {
  const words = [name, note, seconds(duration), cost].filter(Boolean).join(', ')
  console.log(`  ${isGood ? paint('green', '✔') : paint('red', '✖')} ${words}`)
}

function explain(error: Error): string {
  const cause = error.cause ?? error
  if (!(cause instanceof Error)) return inspect(cause)
  const own = cause.stack ?? inspect(cause)
  // A failed property names its example; what was wrong with it is the cause.
  return cause.cause === undefined ? own : `${own}\nCaused by: ${explain(cause)}`
}

/**
 * A file that failed as a whole did not load, ended early, took too long, or left something behind
 * that threw.
 */
function explainFile(error: Error, output = ''): string {
  const lines = output.split('\n')
  const end = lines.slice(-60).join('\n')
  return [`The file failed as a whole: ${String(error.cause ?? error.message)}`, end].filter(Boolean).join('\n')
}

export const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`

const colours = { red: 31, green: 32, bold: 1 } as const

export function paint(colour: keyof typeof colours, text: string): string {
  return isTerminal ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text
}
