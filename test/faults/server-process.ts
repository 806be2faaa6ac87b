import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { adminToken, type Teardown } from '../support/start.ts'

/* The real program in a process of its own: what is killed, starved and signalled here is what an operator runs. */

const program = join(import.meta.dirname, '..', '..', 'src', 'cli', 'libretto.ts')

/** So long may a start or an end take before the test gives up on it, in milliseconds. */
const patience = 20_000

export interface Ending {
  readonly code: number | null
  readonly signal: string | null
}

export interface Process {
  readonly child: ChildProcess
  /** Resolves when the process has ended, and everything it said has arrived. */
  readonly ended: Promise<Ending>
  /** What it said so far, on standard output and on standard error. */
  output(): { readonly out: string; readonly err: string }
}

export interface ServerProcess extends Process {
  readonly port: number
}

/** Where Node keeps compiled code from one start to the next, once one has ended by itself: it halves the cost of a start. */
const codeFolder = mkdtempSync(join(tmpdir(), 'libretto-test-code-'))

/** Should this process be ended before its tests are over, what they started ends too. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(codeFolder, { recursive: true, force: true })
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

type Environment = Readonly<Record<string, string>>

/** Runs a command of the program with these settings and no others. Should the test end first, the process ends with it. */
export function runLibretto(t: Teardown, args: readonly string[], environment: Environment): Process {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: codeFolder, ADMIN_TOKEN: adminToken, ...environment },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  running.add(child)
  child.on('exit', () => running.delete(child))
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    said.err += text
  })
  const ended = new Promise<Ending>(resolve => child.on('close', (code, signal) => resolve({ code, signal })))
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { child, ended, output: () => ({ ...said }) }
}

/** Starts the service on a file and waits until it listens. The port is a free one, unless the environment names another. */
export async function startServer(t: Teardown, path: string, environment: Environment = {}): Promise<ServerProcess> {
  const started = runLibretto(t, ['serve'], { DATABASE_URL: `sqlite:${path}`, PORT: '0', ...environment })
  const listens = /listens at http:\/\/[^:]+:(\d+)/
  const giveUp = AbortSignal.timeout(patience)
  while (!listens.test(started.output().out)) {
    const ending = await Promise.race([
      started.ended,
      once(started.child.stdout ?? started.child, 'data', { signal: giveUp }).then(() => undefined)
    ])
    if (ending) throw new Error(`The service ended with ${ending.code ?? ending.signal}: ${started.output().err}`)
  }
  return { ...started, port: Number(listens.exec(started.output().out)?.[1]) }
}

/** Waits for the end, but not for ever. */
export async function waitForEnd({ ended, child }: Process, longest = patience): Promise<Ending> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Process ${child.pid} did not end within ${longest} ms`)), longest)
  })
  try {
    return await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
  }
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export interface Client {
  /** Sends a request as admin. Throws when no whole answer arrives. */
  call(method: string, path: string, body?: unknown): Promise<HttpAnswer>
  close(): void
}

/** A client that keeps one connection open and sends one request after the other on it. */
export function createClient(port: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    call: (method, path, body) =>
      new Promise((resolve, reject) => {
        const payload = body === undefined ? undefined : JSON.stringify(body)
        const sent = request({
          agent,
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: {
            authorization: `Bearer ${adminToken}`,
            ...(payload === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) })
          }
        })
        sent.on('error', reject)
        sent.on('response', response => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', chunk => {
            text += chunk
          })
          response.on('error', reject)
          response.on('close', () => {
            if (!response.complete) reject(new Error('The answer was cut off'))
            else resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
          })
        })
        sent.end(payload)
      }),
    close: () => agent.destroy()
  }
}

/** Numbers that look random and are the same for the same seed; each from 0 to below the bound. */
export function createChance(seed: number): (bound: number) => number {
  let state = seed >>> 0
  return bound => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * bound)
  }
}

export const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))
