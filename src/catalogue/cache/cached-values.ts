import type { Dependency, Dependencies } from './dependencies.ts'

/**
 * A cache of values that depend on entities. It has a maximum size, and drops a value when an
 * entity that it depends on has changed.
 */
export interface CachedValues<T> {
  /** Never returns a stale value, as far as the dependencies are up to date. */
  get(key: string): T | undefined
  /** Caches a value that was made from reads since the dependencies had this generation. */
  put(key: string, value: T, generation: number): void
  measure(): { readonly bytes: number; readonly entries: number }
}

/** Tells the cache how large a value is, and which entities it depends on. */
export interface CachePolicy<T> {
  sizeOf(value: T): number
  madeFrom(value: T): readonly string[]
}

interface Entry<T> {
  readonly value: T
  readonly dependencies: readonly Dependency[]
  /** The generation at which no dependency had changed. */
  freshAt: number
  /** Whether it was used since `makeRoom` last visited it: then it is spared once. */
  isUsed: boolean
}

export function cacheValues<T>(
  dependencies: Dependencies,
  maxBytes: number,
  { sizeOf, madeFrom }: CachePolicy<T>
): CachedValues<T> {
  const values = new Map<string, Entry<T>>()
  let bytes = 0

  const drop = (key: string, { value, dependencies: from }: Entry<T>) => {
    values.delete(key)
    bytes -= sizeOf(value)
    for (const dependency of from) dependencies.release(dependency)
  }

  let round = values.entries()
  /**
   * Drops the oldest values, but spares those once that were used. Marking used values, instead of
   * moving them to the end, is nearly as good and saves a microsecond for each answer
   * (bench/get.ts). The next call continues where this one stopped: starting at the front each time
   * would step over all entries that were dropped there since the map was last rebuilt, which took
   * 8 µs.
   */
  const makeRoom = () => {
    while (bytes > maxBytes) {
      const { done, value: next } = round.next()
      if (done) {
        round = values.entries()
        continue
      }
      const [key, entry] = next
      if (entry.isUsed) entry.isUsed = false
      else drop(key, entry)
    }
  }

  return {
    get(key) {
      const entry = values.get(key)
      if (!entry) return undefined
      if (entry.freshAt !== dependencies.generation) {
        if (entry.dependencies.some(dependency => dependency.hasChanged)) {
          drop(key, entry)
          return undefined
        }
        entry.freshAt = dependencies.generation
      }
      entry.isUsed = true
      return entry.value
    },
    put(key, value, generation) {
      const size = sizeOf(value)
      if (generation !== dependencies.generation || size > maxBytes / 8) return
      const earlier = values.get(key)
      if (earlier) drop(key, earlier)
      values.set(key, {
        value,
        dependencies: madeFrom(value).map(dependencies.use),
        freshAt: generation,
        isUsed: false
      })
      bytes += size
      makeRoom()
    },
    measure: () => ({ bytes, entries: values.size })
  }
}
