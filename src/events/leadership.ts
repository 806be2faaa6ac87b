import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

import type { Store } from '#store/store.ts'

/**
 * Lets one process at a time do work that two must not do: delivering to webhooks, cleaning up.
 * Every process tries to take the task at intervals; the holder renews it, and when the holder ends
 * another process takes over.
 */
export interface Leadership {
  /**
   * Whether this process holds the task now. Check before every step: a process that was suspended
   * may have lost it.
   */
  isHeld(): boolean
  /** `gained` is called each time this process takes the task. */
  start(report: (error: unknown) => void, gained?: () => void): void
  /** Releases the task, so that another process need not wait until it expires. */
  stop(): Promise<void>
}

/**
 * Milliseconds: the duration of the task, the interval of its renewal, and the margin before its
 * end from which on it counts as lost.
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
 * Makes a name for this process. A restarted process gets another name, also when it has the same
 * process id.
 */
export const nameOfHolder = () => `${machine ?? 'unknown'}/${process.pid}/${randomBytes(6).toString('hex')}`

/**
 * Takes a task, also from a process of this machine that has ended. Resolves to whether this
 * process holds it.
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
 * Names the space in which process ids are unique: one machine since its start, and one container
 * on it. A host name is not enough, since two machines, or a container and its host, may share one.
 * Undefined when it is unknown.
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
    // A process of another user exists, too, although it may not be signalled.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
