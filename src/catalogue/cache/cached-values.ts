import type { Source, Sources } from './dependencies.ts'

/**
 * Values that were made from entities, kept up to a size and as long as none of those has changed.
 */
export interface CachedValues<T> {
  /** Gives nothing stale, as far as `sources` has caught up. */
  get(key: string): T | undefined
  /** Keeps a value that was made from what was read since `sources` had this generation. */
  keep(key: string, value: T, generation: number): void
  measure(): { readonly bytes: number; readonly entries: number }
}

/** What keeping a value costs and what it is made from. */
export interface Keeping<T> {
  sizeOf(value: T): number
  madeFrom(value: T): readonly string[]
}

interface Kept<T> {
  readonly value: T
  readonly sources: readonly Source[]
  /** When none of the sources had changed. */
  freshAt: number
  /**
   * Whether it was asked for since it was last looked at to make room: then it is passed over once.
   */
  isUsed: boolean
}

export function cacheValues<T>(sources: Sources, mostBytes: number, { sizeOf, madeFrom }: Keeping<T>): CachedValues<T> {
  const values = new Map<string, Kept<T>>()
  let bytes = 0

  const drop = (key: string, { value, sources: from }: Kept<T>) => {
    values.delete(key)
    bytes -= sizeOf(value)
    for (const source of from) sources.release(source)
  }

  let round = values.entries()
  /**
   * Drops the oldest values, but gives those that were asked for another round. Only marking what
   * is asked for, instead of moving it to the end, makes room nearly as well and saves a
   * microsecond for each answer (bench/get.ts). It goes on where it stopped: to begin at the front
   * each time is to step over all that were dropped there since the map was last built anew, which
   * took 8 µs.
   */
  const makeRoom = () => {
    while (bytes > mostBytes) {
      const { done, value: entry } = round.next()
      if (done) {
        round = values.entries()
        continue
      }
      const [key, kept] = entry
      if (kept.isUsed) kept.isUsed = false
      else drop(key, kept)
    }
  }

  return {
    get(key) {
      const kept = values.get(key)
      if (!kept) return undefined
      if (kept.freshAt !== sources.generation) {
        if (kept.sources.some(source => source.hasChanged)) {
          drop(key, kept)
          return undefined
        }
        kept.freshAt = sources.generation
      }
      kept.isUsed = true
      return kept.value
    },
    keep(key, value, generation) {
      const size = sizeOf(value)
      if (generation !== sources.generation || size > mostBytes / 8) return
      const earlier = values.get(key)
      if (earlier) drop(key, earlier)
      values.set(key, { value, sources: madeFrom(value).map(sources.use), freshAt: generation, isUsed: false })
      bytes += size
      makeRoom()
    },
    measure: () => ({ bytes, entries: values.size })
  }
}
