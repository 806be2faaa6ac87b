import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

import type { Store } from '#store/store.ts'

/**
 * Makes one process at a time do what must not be done by two: telling webhooks, cleaning up. All
 * of them try to get hold of the task again and again; the one that has it keeps it, and when that
 * one is gone another takes over.
 */
export interface Leadership {
  /**
   * Whether the task is ours now. Ask before every step: a process that was held up finds that it
   * is not any more.
   */
  isHeld(): boolean
  /** `gained` is called each time the task becomes ours. */
  start(report: (error: unknown) => void, gained?: () => void): void
  /** Gives the task back, so that another need not wait for its time to be over. */
  stop(): Promise<void>
}

/**
 * In milliseconds: for how long the task is taken, how often it is taken anew, and how long before
 * its end we count it as lost.
 */
const takenFor = 5000
const takeEvery = 1000
const margin = 1000

export function createLeadership(store: Store, task: string, now: () => number = () => performance.now()): Leadership {
  const holder = nameOfHolder()
  let heldUntil = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let taking: Promise<void> | undefined
  let report: (error: unknown) => void = () => {}
  let gained = () => {}

  const take = async () => {
    try {
      const began = now()
      const isOurs = await takeTask(store, task, holder, takenFor)
      const wasOurs = began < heldUntil
      heldUntil = isOurs ? began + takenFor - margin : Number.NEGATIVE_INFINITY
      if (isOurs && !wasOurs) gained()
    } catch (error) {
      report(error)
    }
  }

  return {
    isHeld: () => now() < heldUntil,
    start(reportFault, onGained = () => {}) {
      report = reportFault
      gained = onGained
      const takeOnce = () => {
        taking ??= take().finally(() => {
          taking = undefined
        })
      }
      timer = setInterval(takeOnce, takeEvery).unref()
      takeOnce()
    },
    async stop() {
      if (!timer) return
      clearInterval(timer)
      timer = undefined
      await taking
      const wasHeld = now() < heldUntil
      heldUntil = Number.NEGATIVE_INFINITY
      if (wasHeld) await store.releaseLease(task, holder).catch(report)
    }
  }
}

/**
 * A name for this process. One that is started again is another, also when it gets the same number.
 */
export const nameOfHolder = () => `${machine ?? 'unknown'}/${process.pid}/${randomBytes(6).toString('hex')}`

/**
 * Takes a task, also from who had it on this machine and is not there any more. Resolves to whether
 * it is ours.
 */
export async function takeTask(store: Store, task: string, holder: string, milliseconds: number): Promise<boolean> {
  if (await store.holdLease(task, holder, milliseconds)) return true
  const other = await store.findLeaseHolder(task)
  const [where, number] = other?.split('/') ?? []
  if (other === undefined || machine === undefined || where !== machine || isRunning(Number(number))) return false
  await store.releaseLease(task, other)
  return store.holdLease(task, holder, milliseconds)
}

/**
 * Where process numbers mean the same: one machine since it was started, and one container on it. A
 * host name would not do, since two machines, or a container and what is around it, may share one.
 * Undefined where it cannot be told.
 */
function nameOfMachine(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

const machine = nameOfMachine()

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // One of another user is there too, though we may not signal it.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
