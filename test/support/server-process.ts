import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

import { adminToken, type Teardown } from './start.ts'

/** The service in a process of its own, as it runs in earnest, so that it can be killed. */
export interface ServerProcess {
  readonly pid: number
  readonly url: string
  /** What it logged as an error, or said on its error output, so far. */
  complaints(): string
  /** SIGKILL: it gets no chance to finish anything. Resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM: it finishes what it has begun. Resolves to its exit code. */
  stop(): Promise<number | null>
}

export interface ServerOptions {
  /** The same port again, for clients that do not know of a restart; a free one where it is left out. */
  readonly port?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** How long a start may take, in milliseconds; a busy machine needs a while. */
const longestStart = 60_000

/** Starts `libretto serve` on a database file, with the admin token of all tests, and waits until it is ready. It is killed when the test is over. */
export async function startServerProcess(
  t: Teardown,
  databaseFile: string,
  { port, environment = {} }: ServerOptions = {}
): Promise<ServerProcess> {
  const listensOn = port ?? (await freePort())
  const command = fileURLToPath(new URL('../../src/cli/libretto.ts', import.meta.url))
  const child = spawn(process.execPath, [command, 'serve'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(listensOn),
      DATABASE_URL: `sqlite:${databaseFile}`,
      ADMIN_TOKEN: adminToken,
      SAMPLE_DATA: '0',
      READERS: '1',
      LOG_LEVEL: 'error',
      ...environment
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let words = ''
  const listen = (chunk: Buffer) => {
    words = `${words}${chunk}`.slice(-20_000)
  }
  child.stderr.on('data', listen)
  // Lines of its log are JSON; beside them it greets whoever started it.
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes('{"level":')) listen(chunk)
  })
  t.after(async () => {
    await end(child, 'SIGKILL')
  })
  const url = `http://127.0.0.1:${listensOn}`
  await untilReady(child, url, () => words)
  return {
    pid: child.pid as number,
    url,
    complaints: () => words,
    kill: async () => {
      await end(child, 'SIGKILL')
    },
    stop: () => end(child, 'SIGTERM')
  }
}

/** Ends a process by its id and waits until it is gone. */
export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
  return child.exitCode
}

async function untilReady(child: ChildProcess, url: string, words: () => string) {
  const giveUp = performance.now() + longestStart
  while (performance.now() < giveUp) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The service ended with ${child.exitCode ?? child.signalCode} before it was ready:\n${words()}`)
    const isReady = await fetch(`${url}/health/ready`).then(
      async response => {
        await response.arrayBuffer()
        return response.status === 200
      },
      () => false
    )
    if (isReady) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`The service was not ready after ${longestStart} ms:\n${words()}`)
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return address.port
}
