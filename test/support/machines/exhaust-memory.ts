import cluster from 'node:cluster'
import { appendFileSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { basename } from 'node:path'
import { StatementSync } from 'node:sqlite'
import threads from 'node:worker_threads'

/*
 * Loaded before the program (`node --import`), in each of its threads: the thread that the file
 * EXHAUSTED names takes memory until it has none. A thread that reads or writes SQLite does so at
 * some statement, in the middle of its work; others at a timer, or at their start. The file gets
 * `.log` and the names of those that did. A thread has the name of its program, a process that
 * serves is `main`.
 */

const file = process.env.EXHAUSTED ?? ''
const variable = 'EXHAUSTED_THREAD'
const name = process.env[variable] ?? (cluster.isWorker ? 'main' : 'the process above')

/** One statement in so many. */
const share = 5

function look() {
  if (readFileSync(file, 'utf8') !== name) return
  appendFileSync(`${file}.log`, `${name}\n`)
  const hoard: number[][] = []
  for (;;) hoard.push(Array.from({ length: 100_000 }, (_, at) => at + 0.5))
}

const databaseThreads = ['writer-worker', 'reader-worker', 'sqlite-index-thread', 'import-thread']
if (process.env.DATABASE_URL?.startsWith('sqlite:') && databaseThreads.includes(name))
  for (const method of ['all', 'get', 'run', 'iterate'] as const) {
    const original = StatementSync.prototype[method]
    StatementSync.prototype[method] = function (this: StatementSync, ...given: unknown[]) {
      if (Math.random() * share < 1) look()
      return Reflect.apply(original, this, given)
    } as never
  }
else {
  setInterval(look, 20).unref()
  if (name !== 'main') look()
}

const MachineWorker = threads.Worker
threads.Worker = class extends MachineWorker {
  constructor(program: string | URL, options: threads.WorkerOptions = {}) {
    const own = basename(String(program)).replace(/\.\w+$/, '')
    super(program, { ...options, env: { ...process.env, [variable]: own } })
  }
}
// Imports then describe records in threads on every machine.
os.availableParallelism = () => 4
syncBuiltinESMExports()
