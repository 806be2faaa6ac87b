import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const adminToken = 'bench-admin-token-0123456789'

/** A server in a process of its own, as it runs in earnest. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number
  readonly port: number
  /** From spawning the process to its first good answer, in milliseconds. */
  readonly readyAfter: number
  /** Puts it to sleep, so that it takes nothing from what is measured, and wakes it. */
  pause(): void
  resume(): void
}

/** The folder of this program; that of another version may be measured beside it. */
export const ownCheckout = fileURLToPath(new URL('../..', import.meta.url))

export const programIn = (checkout: string) => join(checkout, 'src/cli/libretto.ts')

/**
 * The service on a database, the path of a file or a URL, exactly as `npm start` runs it; in
 * several processes where `workers` says so.
 */
export function startLibretto(
  database: string,
  environment: Readonly<Record<string, string>> = {},
  { workers = 1, checkout = ownCheckout } = {}
) {
  const words = workers === 1 ? ['serve'] : ['serve', '--workers', String(workers)]
  return startServer([programIn(checkout), ...words], '/health/ready', {
    DATABASE_URL: urlOf(database),
    ADMIN_TOKEN: adminToken,
    SAMPLE_DATA: '0',
    ...environment
  })
}

export const urlOf = (database: string) => (database.includes('://') ? database : `sqlite:${database}`)

/** The limit to compare with: plain `node:http` that has every answer in memory. */
export function startBare(answers: string) {
  return startServer([pathOf('./bare-server.ts'), answers], '/', {})
}

async function startServer(
  command: readonly string[],
  readyPath: string,
  environment: Readonly<Record<string, string>>
): Promise<ServerProcess> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  try {
    await untilReady(child, `http://127.0.0.1:${port}${readyPath}`)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    pid: child.pid as number,
    port,
    readyAfter: performance.now() - started,
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGCONT')
      // Workers follow the process above them when it is told to end, and are gone before it is.
      child.kill(command.includes('--workers') ? 'SIGTERM' : 'SIGKILL')
      await gone
    }
  }
}

/** Asked every few milliseconds: that is how exact `readyAfter` is. */
async function untilReady(child: ChildProcess, url: string) {
  const giveUp = performance.now() + 180_000
  while (performance.now() < giveUp) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode} before it was ready`)
    const isReady = await fetch(url).then(
      async response => {
        await response.arrayBuffer()
        return response.status === 200
      },
      () => false
    )
    if (isReady) return
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  throw new Error('The server was not ready after 180 s')
}

/** Runs a command of Libretto to its end. */
export async function runLibretto(
  words: readonly string[],
  database: string,
  { environment = {}, checkout = ownCheckout }: { environment?: NodeJS.ProcessEnv; checkout?: string } = {}
): Promise<void> {
  const child = spawn(process.execPath, [programIn(checkout), ...words], {
    env: { PATH: process.env.PATH, DATABASE_URL: urlOf(database), ...environment },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`libretto ${words.join(' ')} ended with ${code}`)
}

/**
 * A port that is free, which the system chooses. A server on a port in use would end, or worse,
 * another server that listens there would be measured in its place.
 */
async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  holder.close()
  await once(holder, 'close')
  return port
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/**
 * Processor time a process has used so far, in milliseconds, and its resident memory in megabytes,
 * now and at most so far. From Linux's own books.
 */
export function usageOf(pid: number): { readonly processor: number; readonly memory: number; readonly peak: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in brackets, may hold spaces; what is counted stands after it. A tick is 10 ms.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { processor: ticks * 10, memory: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/**
 * Processor time of a process and of those it started, in milliseconds, by their ids: workers, or
 * the sessions of PostgreSQL.
 */
export function processorOfFamily(pid: number): ReadonlyMap<number, number> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const pids = [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
  return new Map(pids.map(each => [each, usageOf(each).processor]))
}

/** The processor time of a family of processes since then; a session that has ended is left out. */
export function processorSince(pid: number, before: ReadonlyMap<number, number>): number {
  let sum = 0
  for (const [each, used] of processorOfFamily(pid)) sum += used - (before.get(each) ?? 0)
  return sum
}
