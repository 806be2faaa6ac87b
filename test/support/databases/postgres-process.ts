import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

import { findPostgres, type Owner, type PostgresBinaries } from './postgres-binaries.ts'
import { hangLimit } from '../machines/hang-limit.ts'
import { quickFolder } from '../machines/temporary-folder.ts'

/*
 * PostgreSQL servers in temporary folders. A server always ends with the process that started it,
 * by its id, and its folder is deleted.
 */

/** A folder for servers: their programs, their data and the sockets they want. */
export interface PostgresHome {
  readonly folder: string
  readonly binaries: PostgresBinaries
  readonly password: string
  /** The servers that run in it, by their ids. */
  readonly running: Map<number, { readonly data: string; readonly child: ChildProcess }>
  /** Ends what runs in it, and removes it. */
  remove(): Promise<void>
}

export interface PostgresProcess {
  readonly pid: number
  readonly port: number
  /** The end of its log. */
  log(): string
  /** Ends it as an operator does: sessions are cut, what they had begun is rolled back. */
  stop(): Promise<void>
  /**
   * SIGKILL, for the server and all of its processes at one moment. Resolves when they are gone.
   */
  kill(): Promise<void>
  /** SIGSTOP: connections stay open and nothing is answered any more. */
  freeze(): void
  /** SIGCONT: what was frozen goes on. */
  thaw(): void
  /** Reads its settings again, as after a change of its files. */
  reload(): void
}

export type PostgresSettings = Readonly<Record<string, string | number>>

export const superuser = 'postgres'

/** How long a start or an end may take, in milliseconds; a busy machine needs a while. */
const patience = hangLimit

const homes = new Set<PostgresHome>()
process.on('exit', () => {
  for (const home of homes) removeNow(home)
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/**
 * Makes a home. It is gone, with its servers, when the process ends, if nobody removes it before.
 * One that is `quick` is kept in memory where there is enough: on the disk of a test machine it
 * took 160 ms to create a database of 300 files, in memory 12 ms.
 */
export function makePostgresHome({ quick = false } = {}): PostgresHome {
  const folder = mkdtempSync(join(quick ? quickFolder() : tmpdir(), 'libretto-postgres-'))
  const binaries = findPostgres(folder)
  give(folder, binaries.owner)
  const home: PostgresHome = {
    folder,
    binaries,
    password: crypto.randomUUID(),
    running: new Map(),
    remove: async () => {
      await Promise.all([...home.running].map(([pid, { child }]) => endServer(pid, child, 'SIGQUIT')))
      removeNow(home)
    }
  }
  homes.add(home)
  return home
}

/**
 * Makes an empty cluster. Its databases sort as Dutch does, not by bytes: whatever must be in the
 * order of SQLite has to say so, and what forgets to is found.
 */
export async function initialise({ folder, binaries, password }: PostgresHome, data: string) {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  give(passwordFile, binaries.owner)
  await promisify(execFile)(
    binaries.initdb,
    [
      `--pgdata=${data}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=icu',
      '--icu-locale=nl',
      // A server that loses power during the tests is not one we go back to.
      '--no-sync'
    ],
    { ...binaries.owner, cwd: folder, timeout: patience, env: environment() }
  )
}

/** Starts a server on a data folder and waits until it takes connections. */
export async function startPostgres(
  { folder, binaries, running }: PostgresHome,
  data: string,
  settings: PostgresSettings = {},
  port?: number
): Promise<PostgresProcess> {
  const listensOn = port ?? (await freePort())
  const logFile = `${data}.log`
  const all: PostgresSettings = {
    listen_addresses: '127.0.0.1',
    port: listensOn,
    unix_socket_directories: '',
    // In its own folder, so that nothing of a server that was killed is left behind.
    dynamic_shared_memory_type: 'mmap',
    ...settings
  }
  // Into a file, not a pipe: a server must not wait for a test to read.
  const log = openSync(logFile, 'a')
  const child = spawn(
    binaries.postgres,
    ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...binaries.owner, cwd: folder, stdio: ['ignore', log, log], env: environment() }
  )
  closeSync(log)
  // A test that is over does not wait for its server; what ends the process ends the server.
  child.unref()
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error))])
  const pid = child.pid as number
  running.set(pid, { data, child })
  child.on('exit', () => running.delete(pid))
  await untilReady(child, data, logFile)
  return {
    pid,
    port: listensOn,
    log: () => readFileSync(logFile, 'utf8').slice(-20_000),
    stop: () => endServer(pid, child, 'SIGINT'),
    kill: () => killServer(pid, child),
    freeze: () => signalAll(pid, 'SIGSTOP'),
    thaw: () => signalAll(pid, 'SIGCONT'),
    reload: () => {
      process.kill(pid, 'SIGHUP')
    }
  }
}

/**
 * A port that nobody listens on at this moment, and that the system gives to nobody who asks for
 * any: else a client that knocks at a server which is away could, now and then, be given that very
 * port and connect to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + randomInt(15_000)
    const server = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false)).once('listening', () => resolve(true))
      server.listen(port, '127.0.0.1')
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Gives a file or folder to who runs the server. */
export function give(path: string, owner: Owner | undefined) {
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid)
}

/** Nothing of ours that libpq or the server would listen to, such as PGPORT or PGDATA. */
const environment = () => ({ PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' })

/**
 * The server writes into its lock file how far it is: `ready`, or `standby` where it follows
 * another.
 */
async function untilReady(child: ChildProcess, data: string, logFile: string) {
  const giveUp = performance.now() + patience
  while (performance.now() < giveUp) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(
        `PostgreSQL ended with ${child.exitCode ?? child.signalCode}:\n${readFileSync(logFile, 'utf8').slice(-4000)}`
      )
    const [pid, , , , , , , status] = readLockFile(data)
    if (Number(pid) === child.pid && /^(ready|standby)/.test(status ?? '')) return
    await delay(5)
  }
  throw new Error(`PostgreSQL was not ready after ${patience} ms:\n${readFileSync(logFile, 'utf8').slice(-4000)}`)
}

function readLockFile(data: string): string[] {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

/** SIGINT cuts the sessions and ends in order, SIGQUIT does not even do that. */
async function endServer(pid: number, child: ChildProcess, signal: 'SIGINT' | 'SIGQUIT') {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const gone = once(child, 'exit')
  signalAll(pid, 'SIGCONT')
  child.kill(signal)
  const late = new AbortController()
  await Promise.race([
    gone,
    delay(patience, undefined, { signal: late.signal })
      .then(() => killServer(pid, child))
      .catch(() => {})
  ])
  late.abort()
}

async function killServer(pid: number, child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const gone = once(child, 'exit')
  // While it stands still it starts no further process.
  process.kill(pid, 'SIGSTOP')
  const children = childrenOf(pid)
  for (const each of [pid, ...children]) tell(each, 'SIGKILL')
  await gone
  while (children.some(isAlive)) await delay(1)
}

function signalAll(pid: number, signal: 'SIGSTOP' | 'SIGCONT') {
  const first = signal === 'SIGSTOP'
  if (first) tell(pid, signal)
  for (const child of childrenOf(pid)) tell(child, signal)
  if (!first) tell(pid, signal)
}

function tell(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It was gone already.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // One that has ended stays in the list until somebody has read how.
  return statusOf(pid)?.[0] !== 'Z'
}

/**
 * The processes that a server has started: one for each connection, and its own. Each leads a group
 * of its own, so there is none to signal.
 */
function childrenOf(pid: number): number[] {
  if (existsSync('/proc/self/stat'))
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
      .filter(each => Number(statusOf(each)?.[1]) === pid)
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map(line => line.trim().split(/\s+/).map(Number))
    .flatMap(([each = 0, parent]) => (parent === pid ? [each] : []))
}

/** State, parent and more of a process, on Linux. */
function statusOf(pid: number): string[] | undefined {
  try {
    // "pid (name) state parent …"; the name can hold anything.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined
  }
}

/**
 * Ends what runs in a home and removes it, without a turn of the event loop: there is none any more
 * when a process exits.
 */
function removeNow(home: PostgresHome) {
  homes.delete(home)
  for (const [pid] of home.running) {
    signalAll(pid, 'SIGCONT')
    tell(pid, 'SIGQUIT')
  }
  const giveUp = performance.now() + 5000
  const isGone = (data: string) => !existsSync(join(data, 'postmaster.pid'))
  while ([...home.running.values()].some(({ data }) => !isGone(data)) && performance.now() < giveUp) pauseThread(5)
  for (const [pid] of home.running) for (const each of [...childrenOf(pid), pid]) tell(each, 'SIGKILL')
  rmSync(home.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
}

function pauseThread(milliseconds: number) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
