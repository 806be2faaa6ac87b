import type { Store } from '#store/store.ts'

/**
 * An entity for as long as it does not change. Whatever is kept that was made from it points to
 * this very value, and sees here when it is stale.
 */
export interface Source {
  readonly id: string
  hasChanged: boolean
  /** How many kept values were made from it. */
  uses: number
}

/**
 * The entities that anything kept was made from, and which of them have changed since, whichever
 * process wrote them.
 *
 * A change marks one value, however many were made from it: an author of 10,000 works is renamed in
 * a moment. Each of those finds out when it is next asked for.
 */
export interface Sources {
  /**
   * Learns what has changed. Requests that have come in together share one such question. It is
   * asked after all of them were read, so whatever was written before any of them was sent is seen.
   * Asking takes two system calls; shared, it is the difference between 60 and 75 % of a bare
   * server (bench/get.ts).
   */
  catchUp(): Promise<void>
  /**
   * Counts the times that something had changed, so that what was read before such a moment is not
   * kept after it.
   */
  readonly generation: number
  use(id: string): Source
  release(source: Source): void
}

export function createSources(store: Store): Sources {
  const byId = new Map<string, Source>()
  let generation = 0
  let catchingUp: Promise<void> | undefined

  const change = (source: Source | undefined) => {
    if (!source) return
    source.hasChanged = true
    byId.delete(source.id)
  }

  return {
    catchUp() {
      // `setImmediate` comes when everything that has arrived was read: whoever asks until then
      // shares the answer.
      catchingUp ??= new Promise<void>(resolve => setImmediate(resolve)).then(async () => {
        catchingUp = undefined
        const asked = store.changedSinceLastCall()
        const changed = asked instanceof Promise ? await asked : asked
        if (changed.length === 0) return
        generation++
        if (changed === 'all') for (const source of byId.values()) change(source)
        else for (const id of changed) change(byId.get(id))
      })
      return catchingUp
    },
    get generation() {
      return generation
    },
    use(id) {
      const source = byId.get(id) ?? { id, hasChanged: false, uses: 0 }
      if (source.uses === 0) byId.set(id, source)
      source.uses++
      return source
    },
    release(source) {
      source.uses--
      if (source.uses === 0 && !source.hasChanged) byId.delete(source.id)
    }
  }
}
