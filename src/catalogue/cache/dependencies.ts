import type { Store } from '#store/store.ts'

/**
 * An entity that cached values depend on, until it changes. All of them refer to this object, and
 * see here that they are stale.
 */
export interface Dependency {
  readonly id: string
  hasChanged: boolean
  /** Number of cached values that depend on it. */
  uses: number
}

/**
 * The entities that cached values depend on, and which of them have changed since, in this or
 * another process.
 *
 * A change marks one object, however many values depend on it: renaming an author of 10,000 works
 * takes a moment. Each value is found stale when it is next read.
 */
export interface Dependencies {
  /**
   * Reads which entities have changed. Requests that arrive together share one read. It begins
   * after all of them have arrived, so it sees every write that was acknowledged before any of them
   * was sent. The read takes two system calls; sharing it is the difference between 60 and 75 % of
   * the throughput of a bare server (bench/get.ts).
   */
  catchUp(): Promise<void>
  /**
   * Counts the reads that found changes, so that a value that was read before a change is not
   * cached after it.
   */
  readonly generation: number
  use(id: string): Dependency
  release(dependency: Dependency): void
}

export function createDependencies(store: Store): Dependencies {
  const byId = new Map<string, Dependency>()
  let generation = 0
  let catchingUp: Promise<void> | undefined

  const change = (dependency: Dependency | undefined) => {
    if (!dependency) return
    dependency.hasChanged = true
    byId.delete(dependency.id)
  }

  return {
    catchUp() {
      // `setImmediate` runs after everything that has arrived was read: all requests until then
      // share the read.
      catchingUp ??= new Promise<void>(resolve => setImmediate(resolve)).then(async () => {
        catchingUp = undefined
        const reading = store.changedSinceLastCall()
        const changed = reading instanceof Promise ? await reading : reading
        if (changed.length === 0) return
        generation++
        if (changed === 'all') for (const dependency of byId.values()) change(dependency)
        else for (const id of changed) change(byId.get(id))
      })
      return catchingUp
    },
    get generation() {
      return generation
    },
    use(id) {
      const dependency = byId.get(id) ?? { id, hasChanged: false, uses: 0 }
      if (dependency.uses === 0) byId.set(id, dependency)
      dependency.uses++
      return dependency
    },
    release(dependency) {
      dependency.uses--
      if (dependency.uses === 0 && !dependency.hasChanged) byId.delete(dependency.id)
    }
  }
}
