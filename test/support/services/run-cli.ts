import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

import { program } from './program.ts'
import { compileCache } from './server-process.ts'
import { secretKey, type Teardown } from './start.ts'
import { hangLimit } from '../machines/hang-limit.ts'
import { storeOutput } from './service-output.ts'

export interface CliOptions {
  /** The whole environment: only the search path of programs is inherited from the test run. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Sent to standard input. */
  readonly input?: string | Buffer
  /** Nobody reads what it writes. */
  readonly isOutputClosed?: boolean
}

export interface CliOutcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs `libretto` with these arguments to its end. */
export async function runCli(
  args: readonly string[],
  { env = {}, cwd, input, isOutputClosed = false }: CliOptions = {}
): Promise<CliOutcome> {
  const child = startProcess(args, env, cwd)
  if (isOutputClosed) child.process.stdout?.destroy()
  const timer = setTimeout(() => child.process.kill('SIGKILL'), hangLimit)
  child.process.stdin?.end(input ?? '')
  const [code] = (await once(child.process, 'close')) as [number | null]
  clearTimeout(timer)
  return { code, out: child.out(), err: child.err() }
}

export interface Served {
  /** Where it listens. */
  readonly url: string
  /** The output until it was ready. */
  readonly welcome: string
  /** Asks it to stop, as a supervisor does, and waits until it has. Gives its exit code. */
  stop(): Promise<number | null>
}

/** Runs `libretto serve` on a free port until the test is over. */
export async function serve(t: Teardown, { env = {}, cwd }: CliOptions = {}): Promise<Served> {
  const child = startProcess(['serve'], { PORT: '0', ...env }, cwd)
  const ended = once(child.process, 'close') as Promise<[number | null]>
  const stop = async () => {
    if (child.process.exitCode === null) child.process.kill('SIGTERM')
    const timer = setTimeout(() => child.process.kill('SIGKILL'), hangLimit)
    const [code] = await ended
    clearTimeout(timer)
    return code
  }
  t.after(async () => {
    await stop()
  })
  const deadline = Date.now() + hangLimit
  while (!child.out().includes('Reference of the interface:')) {
    if (child.process.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The service did not start: ${child.out()}${child.err()}`)
    }
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const url = /listens at (\S+)/.exec(child.out())?.[1] ?? ''
  return { url, welcome: child.out(), stop }
}

function startProcess(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string | undefined) {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, SECRET_KEY: secretKey, ...env },
    ...(cwd === undefined ? {} : { cwd })
  })
  const texts = { out: '', err: '' }
  child.stdout?.on('data', chunk => {
    texts.out += chunk
  })
  child.stderr?.on('data', chunk => {
    texts.err += chunk
  })
  child.on('close', () => storeOutput(args, texts))
  // A program that ends before it has read everything closes its input.
  child.stdin?.on('error', () => {})
  return { process: child, out: () => texts.out, err: () => texts.err }
}
