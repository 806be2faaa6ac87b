import { CatalogueError } from '#domain/errors.ts'
import { nameOfHolder, takeTask } from '#events/leadership.ts'
import type { Store } from '#store/store.ts'

/**
 * The lease that an import holds, or the answer to a review question: works are found among all
 * records, and two at a time would not see each other's.
 */
const task = 'imports'
const leaseMilliseconds = 15_000
const renewalInterval = 3000

export interface ImportLock extends AsyncDisposable {
  /** Whether the lock is still held: a process that was suspended too long must not continue. */
  isHeld(): boolean
}

/** Takes the lock; returns undefined when another process holds it. */
export async function takeImportLock(store: Store): Promise<ImportLock | undefined> {
  const holder = nameOfHolder()
  let until = performance.now() + leaseMilliseconds
  if (!(await takeTask(store, task, holder, leaseMilliseconds))) return undefined
  const timer = setInterval(async () => {
    const began = performance.now()
    try {
      if (await store.holdLease(task, holder, leaseMilliseconds)) until = began + leaseMilliseconds
      else until = 0
    } catch {
      // The next interval tries again, as long as the lease lasts.
    }
  }, renewalInterval)
  timer.unref()
  return {
    isHeld: () => performance.now() < until - renewalInterval,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await store.releaseLease(task, holder).catch(() => {})
    }
  }
}

/** Milliseconds. Splits and answers hold the lock for a moment, an import as long as it runs. */
const maxWait = 2000
const waitBetween = 50

/** Takes the lock for somebody who waits for an answer; refuses when an import holds it. */
export async function waitForImportLock(store: Store): Promise<ImportLock> {
  for (const giveUp = performance.now() + maxWait; ; ) {
    const lock = await takeImportLock(store)
    if (lock) return lock
    if (performance.now() > giveUp)
      throw new CatalogueError('unavailable', 'An import is running; wait until it is done, or stop it')
    await new Promise(done => setTimeout(done, waitBetween))
  }
}
