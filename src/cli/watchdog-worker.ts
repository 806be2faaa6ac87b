import { readFileSync, writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'

/** How long the main thread may be silent, in milliseconds. */
const maxSilence = 10_000

/** How often this thread looks, in milliseconds. */
const lookInterval = 500

/**
 * Milliseconds of processor time that the main thread must have used since. On a busy machine it
 * may not have run at all, and time alone proves nothing.
 */
const minWork = 5_000

/**
 * How long the main thread is asked where it is, in milliseconds. A busy machine needs seconds for
 * it.
 */
const maxReportTime = 10_000

/** Maximum number of calls in the report. */
const maxCalls = 12

const beats = workerData as Int32Array
let seen = Atomics.load(beats, 0)
let since = performance.now()
let workBefore = workOfMainThread()

const timer = setInterval(() => {
  const now = Atomics.load(beats, 0)
  if (now !== seen) {
    seen = now
    since = performance.now()
    workBefore = workOfMainThread()
    return
  }
  if (performance.now() - since < maxSilence || workOfMainThread() - workBefore < minWork) return
  clearInterval(timer)
  report(calls => {
    const where = calls.length === 0 ? 'unknown' : calls.join(' < ')
    const seconds = Math.round((performance.now() - since) / 1000)
    // The streams of a worker pass through the main thread; the descriptor does not.
    writeSync(2, `The main thread has not answered for ${seconds} s. It was in: ${where}. The process ends.\n`)
    process.kill(process.pid, 'SIGKILL')
  })
}, lookInterval)

/**
 * Returns the milliseconds of processor time of the main thread. Only Linux tells; elsewhere it is
 * the time of all threads, which an idle process does not use either.
 */
function workOfMainThread(): number {
  if (process.platform === 'linux') {
    // The name of the program, in brackets, may have spaces. Times are in hundredths of a second.
    const text = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0] = fields.slice(11, 13).map(Number)
    return (user + system) * 10
  }
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Asks the debugger of the main thread which calls it is in; none where that cannot be had. */
function report(done: (calls: readonly string[]) => void) {
  const giveUp = setTimeout(() => done([]), maxReportTime)
  try {
    const session = new Session()
    session.connectToMainThread()
    const files = new Map<string, string>()
    session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url))
    session.on('Debugger.paused', ({ params }) => {
      clearTimeout(giveUp)
      const calls = params.callFrames.slice(0, maxCalls).map(({ functionName, location }) => {
        const file = (files.get(location.scriptId) ?? '').split('/').slice(-2).join('/')
        return `${functionName === '' ? '(anonymous)' : functionName} (${file}:${location.lineNumber + 1})`
      })
      done(calls)
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  } catch {
    clearTimeout(giveUp)
    done([])
  }
}
