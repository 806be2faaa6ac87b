import type { RelationSummary } from '#domain/entity/resolve-relation.ts'
import type { Store } from '#store/store.ts'
import { type CachedValues, cacheValues } from './cached-values.ts'
import { createDependencies } from './dependencies.ts'

/** An answer ready to send, with the entities that it depends on. */
export interface CachedAnswer {
  /**
   * As text, not bytes: Node sends the head and a text in one piece, which took 2 µs less for each
   * answer of 1 kB (bench/get.ts).
   */
  readonly body: string
  readonly etag: string
  /** Ids of every entity that it shows. */
  readonly madeFrom: readonly string[]
  /**
   * True when something is missing in it: that may be created under any identifier, so the answer
   * is not cached.
   */
  readonly hasGaps?: boolean
}

/** Cached summaries of related entities, by the key in the relation. */
export interface CachedRelationSummaries extends CachedValues<RelationSummary> {
  /** The current generation of the dependencies, to cache values with that are read from now on. */
  readonly generation: number
}

/**
 * Caches answers ready to send, and never returns a stale one: before each answer it reads from the
 * store which entities have changed and drops every answer that depends on them. Writes of other
 * processes count, too.
 */
export interface AnswerCache {
  /**
   * Returns the answer for a key; makes and caches it when it is not cached. `make` returns
   * undefined for an answer that should not be cached.
   */
  answer<T extends CachedAnswer | undefined>(
    key: string,
    make: (relationSummaries: CachedRelationSummaries) => Promise<T>
  ): Promise<CachedAnswer | T>
  /** The estimated memory, and the number of cached answers and summaries. */
  measure(): { readonly bytes: number; readonly entries: number }
}

/**
 * The share of the memory for summaries of related entities: many answers show the same authors,
 * publishers, languages and subjects.
 */
const shareOfSummaries = 1 / 4

export function createAnswerCache(store: Store, maxBytes: number): AnswerCache {
  const dependencies = createDependencies(store)
  const answers = cacheValues<CachedAnswer>(dependencies, maxBytes * (1 - shareOfSummaries), {
    // An estimate: a text takes one byte per character or, when it contains characters beyond
    // Latin-1, two.
    sizeOf: ({ body }) => 2 * body.length + 500,
    madeFrom: answer => answer.madeFrom
  })
  const cached = cacheValues<RelationSummary>(dependencies, maxBytes * shareOfSummaries, {
    sizeOf: ({ members = '', name }) => 2 * (members.length + name.length) + 400,
    madeFrom: relationSummary => [relationSummary.id]
  })
  const relationSummaries: CachedRelationSummaries = {
    ...cached,
    get generation() {
      return dependencies.generation
    }
  }

  return {
    measure() {
      const [one, other] = [answers.measure(), cached.measure()]
      return { bytes: one.bytes + other.bytes, entries: one.entries + other.entries }
    },
    async answer(key, make) {
      await dependencies.catchUp()
      const known = answers.get(key)
      if (known) return known
      const before = dependencies.generation
      const made = await make(relationSummaries)
      if (made && !made.hasGaps) answers.put(key, made, before)
      return made
    }
  }
}

const emptyMeasure = () => ({ bytes: 0, entries: 0 })
const noSummaries: CachedRelationSummaries = { generation: 0, get: () => undefined, put() {}, measure: emptyMeasure }

/** A cache that stores nothing: for answers that few readers see, or past states. */
export const noCache: AnswerCache = { answer: (_, make) => make(noSummaries), measure: emptyMeasure }
