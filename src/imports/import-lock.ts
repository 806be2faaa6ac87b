import { CatalogueError } from '#domain/errors.ts'
import { nameOfHolder, takeTask } from '#events/leadership.ts'
import type { Store } from '#store/store.ts'

/**
 * Whoever imports, or settles a question, does it alone: works are found among all records, and two
 * would not see each other's.
 */
const task = 'imports'
const takenFor = 15_000
const keptEvery = 3000

export interface ImportLock extends AsyncDisposable {
  /** Whether it is still ours: one who was held up too long must not go on. */
  isHeld(): boolean
}

/** Takes the lock; returns undefined when another holds it. */
export async function takeImportLock(store: Store): Promise<ImportLock | undefined> {
  const holder = nameOfHolder()
  let until = performance.now() + takenFor
  if (!(await takeTask(store, task, holder, takenFor))) return undefined
  const timer = setInterval(async () => {
    const began = performance.now()
    try {
      if (await store.holdLease(task, holder, takenFor)) until = began + takenFor
      else until = 0
    } catch {
      // Tried again, as long as there is time.
    }
  }, keptEvery)
  timer.unref()
  return {
    isHeld: () => performance.now() < until - keptEvery,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await store.releaseLease(task, holder).catch(() => {})
    }
  }
}

export const importIsRunning = () =>
  new CatalogueError('unavailable', 'An import is running; wait until it is done, or stop it')
