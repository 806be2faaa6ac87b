import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { adminToken, secretKey, type Teardown } from './start.ts'
import { hangLimit } from '../machines/hang-limit.ts'
import { program } from './program.ts'
import { storeOutput } from './service-output.ts'

/*
 * The real program in a process of its own: what is killed, starved and signalled here is what an
 * operator runs.
 */

export interface Ending {
  readonly code: number | null
  readonly signal: string | null
}

export interface Process {
  readonly child: ChildProcess
  /** Resolves when the process has ended, and everything it said has arrived. */
  readonly ended: Promise<Ending>
  /** The output so far, standard output and standard error. */
  output(): { readonly out: string; readonly err: string }
}

export interface ServerProcess extends Process {
  readonly port: number
  readonly url: string
  /** The log and the error output so far. */
  complaints(): string
  /** SIGKILL: it gets no chance to finish anything. Resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM: it finishes what it has begun. Resolves to its exit code. */
  stop(): Promise<number | null>
}

/**
 * Halves the time that a process takes to start, once one has ended by itself; what it holds is
 * known by its content, so it is never out of date.
 */
export const compileCache = join(tmpdir(), 'libretto-test-compile-cache')

/** Should this process be ended before its tests are over, what they started ends too. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

type Environment = Readonly<Record<string, string>>

/**
 * Runs a command of the program with these settings and no others. Should the test end first, the
 * process ends with it.
 */
export function runLibretto(t: Teardown, args: readonly string[], environment: Environment, file = program): Process {
  const child = spawn(process.execPath, [file, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ADMIN_TOKEN: adminToken,
      SECRET_KEY: secretKey,
      // Few tests are about the deadline; those say which.
      QUERY_DEADLINE: String(hangLimit),
      ...environment
    },
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
  const ended = new Promise<Ending>(resolve =>
    child.on('close', (code, signal) => {
      storeOutput(args, said)
      resolve({ code, signal })
    })
  )
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { child, ended, output: () => ({ ...said }) }
}

/**
 * Starts the service on a database and waits until it listens. The port is a free one, unless the
 * environment names another; the program is the present one, unless a file of another is named.
 */
export async function startServer(
  t: Teardown,
  databaseUrl: string,
  environment: Environment = {},
  file = program
): Promise<ServerProcess> {
  const started = runLibretto(t, ['serve'], { DATABASE_URL: databaseUrl, PORT: '0', ...environment }, file)
  const { child, ended, output } = started
  const listens = /listens at (http:\/\/[^:]+:(\d+))/
  const giveUp = AbortSignal.timeout(hangLimit)
  while (!listens.test(output().out)) {
    const ending = await Promise.race([
      ended,
      once(child.stdout ?? child, 'data', { signal: giveUp }).then(() => undefined)
    ])
    if (ending) throw new Error(`The service ended with ${ending.code ?? ending.signal}: ${output().err}`)
  }
  const [, url = '', port] = listens.exec(output().out) ?? []
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    ...started,
    port: Number(port),
    url,
    // Lines of its log are JSON; the welcome beside them is not. Refusals are logged too, and are
    // not complaints.
    complaints: () => {
      const { out, err } = output()
      return [
        ...out.split('\n').filter(line => line.startsWith('{"level":') && !line.includes('"msg":"security"')),
        err
      ]
        .filter(Boolean)
        .join('\n')
    },
    kill: async () => {
      if (isRunning()) child.kill('SIGKILL')
      await ended
    },
    stop: async () => {
      if (isRunning()) child.kill('SIGTERM')
      return (await ended).code
    }
  }
}

/** Waits for the end, but not for ever. */
export async function waitForEnd({ ended, child }: Process, longest = hangLimit): Promise<Ending> {
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
  /**
   * Sends a request as admin, with a body as JSON, or with the bytes of a buffer. Throws when no
   * whole answer arrives.
   */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  close(): void
}

/** A client that keeps so many connections open, and sends on each one request after the other. */
export function createClient(port: number, connections = 1): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    call: (method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const payload = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body)
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
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
            ...headers
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

export const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))
