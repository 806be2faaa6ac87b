import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

import { hangLimit } from '../machines/hang-limit.ts'
import type { ServerProcess } from './server-process.ts'
import { pause } from './server-process.ts'

/*
 * Reads the metrics of a running service: the longest stall of its event loop, and its memory. The
 * delay that a busy machine adds to a stall is subtracted: the share of time in which the main
 * thread was ready but had no core, and the longest wait of a thread that only measures. No stall
 * is longer than the processor time that the main thread used in it.
 */

export interface Look {
  /** When the look began, by `performance.now()`. */
  readonly at: number
  /** Milliseconds of the longest stall since the look before, without what the machine added. */
  readonly stall: number
  /** Milliseconds of that stall that were subtracted. */
  readonly machine: number
  /**
   * Whether other virtual machines took processor time from this one, then or in the look before:
   * afterwards everything that waited is handled in one turn, which says nothing of the service.
   */
  readonly isDisturbed: boolean
  /** Bytes. */
  readonly heap: number
  readonly resident: number
}

/** Processor time since the start of a service, in milliseconds. */
export interface ServiceTimes {
  /** Of all threads, also of those that have ended, in steps of 10 ms. */
  readonly all: number
  /** Of the thread with the event loop. */
  readonly main: number
  /** By the ids of the threads that exist. */
  readonly threads: ReadonlyMap<string, number>
}

export interface WatchedService {
  look(): Promise<Look>
  times(): ServiceTimes
  /** Most processor time that the event loop used without a pause since this was last asked. */
  maxPiece(): Promise<number>
  /** Number of requests by method, route and status, such as `GET /entities 200`. */
  countRequests(): Promise<Map<string, number>>
  close(): Promise<void>
}

/** Milliseconds between two measurements of the event loop (`src/cli/measure-service.ts`). */
const resolution = 10

/** Milliseconds of one core between two looks. */
const maxStolen = 20

/** Watches a service that was started with `METRICS_PORT`. */
export async function watchService(server: ServerProcess): Promise<WatchedService> {
  const url = await findMetrics(server)
  const pid = findServingProcess(server.child.pid ?? 0)
  const longest = new Float64Array(new SharedArrayBuffer(8))
  const control = new Worker(measuring, { eval: true, workerData: longest })
  await new Promise(resolve => control.once('online', resolve))
  let before = timesOf(pid)
  let stolen = stolenTimes()
  let wasDisturbed = false

  const read = async () => (await fetch(url)).text()
  // The first values include the start, and are ignored.
  await read()
  const readValue = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    async look() {
      const at = performance.now()
      const text = await read()
      const now = timesOf(pid)
      const [ran, waited] = [now.ran - before.ran, now.waited - before.waited]
      before = now
      const lag = readValue(text, 'libretto_event_loop_lag_seconds\\{statistic="max"\\}') * 1000 - resolution
      const share = ran > 0 ? waited / (ran + waited) : 0
      const busy = readValue(text, 'libretto_event_loop_busy_seconds') * 1000
      const machine = Math.min(lag, Math.max(lag * share, longest[0] ?? 0, lag - busy))
      longest[0] = 0
      const stolenNow = stolenTimes()
      const isDisturbed = stolenNow.some((time, core) => time - (stolen[core] ?? 0) >= maxStolen)
      stolen = stolenNow
      const look = { isDisturbed: isDisturbed || wasDisturbed }
      wasDisturbed = isDisturbed
      return {
        ...look,
        at,
        stall: Math.max(0, lag - machine),
        machine,
        heap: readValue(text, 'nodejs_heap_size_used_bytes'),
        resident: readValue(text, 'process_resident_memory_bytes')
      }
    },
    times() {
      const { exitCode, signalCode } = server.child
      if (exitCode === null && signalCode === null) return processorTimes(pid)
      throw new Error(`The service has ended with ${exitCode ?? signalCode}: ${server.output().err.slice(-1000)}`)
    },
    maxPiece: async () => readValue(await read(), 'libretto_event_loop_busy_seconds') * 1000,
    async countRequests() {
      const counts = new Map<string, number>()
      for (const [, labels = '', value] of (await read()).matchAll(/^libretto_http_requests_total\{(.*)\} (\d+)$/gm)) {
        const of = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? ''
        counts.set(`${of('method')} ${of('route')} ${of('status')}`, Number(value))
      }
      return counts
    },
    close: async () => void (await control.terminate())
  }
}

/** Stores the longest delay of a timer, in milliseconds. */
const measuring = `
  const { workerData: longest } = require('node:worker_threads')
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    longest[0] = Math.max(longest[0], now - last - ${resolution})
    last = now
  }, ${resolution})
`

export async function findMetrics(server: ServerProcess): Promise<string> {
  for (const giveUp = performance.now() + hangLimit; performance.now() < giveUp; await pause(20)) {
    const url = /^Metrics: (\S+)$/m.exec(server.output().out)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('The service has no metrics')
}

/** The process that answers: a child of the one that supervises it, or that one itself. */
function findServingProcess(parent: number): number {
  const parentOf = (pid: string) => {
    try {
      return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1])
    } catch {
      return undefined
    }
  }
  try {
    const child = readdirSync('/proc').find(name => /^\d+$/.test(name) && parentOf(name) === parent)
    return child === undefined ? parent : Number(child)
  } catch {
    return parent
  }
}

/** Milliseconds that other virtual machines have taken from each core; none where unknown. */
function stolenTimes(): number[] {
  try {
    const lines = readFileSync('/proc/stat', 'latin1').split('\n')
    return lines.filter(line => /^cpu\d/.test(line)).map(line => Number(line.split(/\s+/)[8]) * 10)
  } catch {
    return []
  }
}

/** Time that the main thread of a process had a core, and waited for one; 0 where unknown. */
function timesOf(pid: number): { readonly ran: number; readonly waited: number } {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ').map(Number)
    return { ran, waited }
  } catch {
    return { ran: 0, waited: 0 }
  }
}

function processorTimes(pid: number): ServiceTimes {
  const threads = new Map<string, number>()
  for (const thread of readdirSync(`/proc/${pid}/task`))
    try {
      const [ran] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
      threads.set(thread, Number(ran) / 1e6)
    } catch {
      // The thread has ended.
    }
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return { all: (Number(fields[11]) + Number(fields[12])) * step, main: threads.get(String(pid)) ?? 0, threads }
}

/** Milliseconds: Linux counts the processor time of a process in hundredths of a second. */
const step = 10

/**
 * Processor time between two looks, in milliseconds: of the threads that exist, which is exact, or
 * of all, where threads have ended that used more.
 */
export function timeBetween(before: ServiceTimes, after: ServiceTimes): number {
  const ofThreads = [...after.threads].reduce((sum, [id, time]) => sum + time - (before.threads.get(id) ?? 0), 0)
  return Math.max(ofThreads, after.all - before.all - 2 * step)
}
