import type { RelationSummary } from '#domain/entity/resolve-relation.ts'
import type { Store } from '#store/store.ts'
import { type CachedValues, cacheValues } from './cached-values.ts'
import { createSources } from './dependencies.ts'

/** An answer ready to send, with what it was made from. */
export interface CachedAnswer {
  /**
   * As text, not bytes: Node sends the head and a text in one piece, which took 2 µs less for each
   * answer of 1 kB (bench/get.ts).
   */
  readonly body: string
  readonly etag: string
  /** Ids of every entity shown in it. */
  readonly madeFrom: readonly string[]
  /**
   * True when it shows that something is missing: that may come to exist under any name, so the
   * answer is not kept.
   */
  readonly hasGaps?: boolean
}

/** What has been read of related entities, by the key in the relation. */
export interface CachedRelationSummaries extends CachedValues<RelationSummary> {
  /** Of what is known of changes, to say with what is read from now on. */
  readonly generation: number
}

/**
 * Keeps answers ready to send, and never gives a stale one: before it looks, it asks the store what
 * has changed and drops every answer made from that, whichever process wrote it.
 */
export interface AnswerCache {
  /**
   * The answer for a key, made and kept when it is not there. `make` gives undefined for what
   * should not be kept.
   */
  answer<T extends CachedAnswer | undefined>(
    key: string,
    make: (relationSummaries: CachedRelationSummaries) => Promise<T>
  ): Promise<CachedAnswer | T>
  /** The estimated memory, and the number of cached answers and summaries. */
  measure(): { readonly bytes: number; readonly entries: number }
}

/**
 * The part of the memory that is for what answers show of related entities: so many have the same
 * author, publisher, language and subjects.
 */
const partForGlimpses = 1 / 4

export function createAnswerCache(store: Store, mostBytes: number): AnswerCache {
  const sources = createSources(store)
  const answers = cacheValues<CachedAnswer>(sources, mostBytes * (1 - partForGlimpses), {
    // Roughly: a text takes one byte a letter or, when any letter is far from Latin, two.
    sizeOf: ({ body }) => 2 * body.length + 500,
    madeFrom: answer => answer.madeFrom
  })
  const kept = cacheValues<RelationSummary>(sources, mostBytes * partForGlimpses, {
    sizeOf: ({ members = '', name }) => 2 * (members.length + name.length) + 400,
    madeFrom: relationSummary => [relationSummary.id]
  })
  const relationSummaries: CachedRelationSummaries = {
    ...kept,
    get generation() {
      return sources.generation
    }
  }

  return {
    measure() {
      const [one, other] = [answers.measure(), kept.measure()]
      return { bytes: one.bytes + other.bytes, entries: one.entries + other.entries }
    },
    async answer(key, make) {
      await sources.catchUp()
      const known = answers.get(key)
      if (known) return known
      const before = sources.generation
      const made = await make(relationSummaries)
      if (made && !made.hasGaps) answers.keep(key, made, before)
      return made
    }
  }
}

const noGlimpses: CachedRelationSummaries = {
  generation: 0,
  get: () => undefined,
  keep() {},
  measure: () => ({ bytes: 0, entries: 0 })
}

/** Keeps nothing: for what is seen by few, or as it was. */
export const noCache: AnswerCache = {
  answer: (_, make) => make(noGlimpses),
  measure: () => ({ bytes: 0, entries: 0 })
}
