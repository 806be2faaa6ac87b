import type { RelationSummary } from '#domain/entity/resolve-relation.ts'
import type { Identified, StoredEntity } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'
import type { AnswerRing } from './answer-ring.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { giveTheSame, referrersOf } from './noting-store.ts'
import {
  type Changes,
  createSentAnswers,
  type MadeFrom,
  noSentAnswers,
  type SentAnswers,
  type SentWith
} from './sent-answers.ts'

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
  /**
   * Returns the page for a key; makes and caches it when it is not cached. A page may show any
   * entity, so it is made again after any change.
   */
  page(key: string, make: () => Promise<string>): Promise<string>
  /**
   * Answers as they were sent. Those that `sent` finds are never stale if `catchUp` has been
   * called after the request arrived, and has resolved.
   */
  readonly sent: Pick<SentAnswers, 'has' | 'find' | 'measure'>
  catchUp(): Promise<void>
  /**
   * Tells what an answer of this cache was made from; undefined for others: a copy that was changed
   * may depend on more.
   */
  madeFrom(answer: CachedAnswer): MadeFrom | undefined
  /**
   * Follows, from now on, which entities others refer to. Resolves to the generation to keep
   * answers with that are made after this call (`notingStore`); undefined if none are kept.
   */
  follow(): Promise<number | undefined>
  /** Stores how an answer was sent. */
  keepSent(key: string, from: MadeFrom, sent: SentWith): void
  /** The estimated memory, and the number of cached answers, pages and summaries. */
  measure(): { readonly bytes: number; readonly entries: number }
}

/**
 * The share of the memory for summaries of related entities: many answers show the same authors,
 * publishers, languages and subjects.
 */
const shareOfSummaries = 1 / 4
/** The share of pages: few are read often, and they are large. */
const shareOfPages = 1 / 4
/**
 * The share of the places of sent answers, which are in a file themselves: enough for 100,000 of
 * 64 MB.
 */
const shareOfSent = 3 / 8

/** Opens a ring for answers as they were sent. */
export type OpenRing = (overwritten: (from: number, to: number) => void) => AnswerRing

/** Creates a cache; without `openRing` it does not store answers as they were sent. */
export function createAnswerCache(store: Store, maxBytes: number, openRing?: OpenRing): AnswerCache {
  const dependencies = createDependencies(store)
  const sent = openRing ? createSentAnswers(dependencies, openRing, maxBytes * shareOfSent) : noSentAnswers
  const shareOfAnswers = 1 - shareOfSummaries - shareOfPages - (openRing ? shareOfSent : 0)
  const answers = cacheValues<CachedAnswer>(dependencies, maxBytes * shareOfAnswers, {
    // An estimate: a text takes one byte per character or, when it contains characters beyond
    // Latin-1, two.
    sizeOf: ({ body }) => 2 * body.length + 500,
    madeFrom: answer => answer.madeFrom
  })
  const keyOf = new WeakMap<CachedAnswer, string>()
  const cached = cacheValues<RelationSummary>(dependencies, maxBytes * shareOfSummaries, {
    sizeOf: ({ members = '', name }) => 2 * (members.length + name.length) + 400,
    madeFrom: relationSummary => [relationSummary.id]
  })
  const pages = cacheValues<string>(dependencies, maxBytes * shareOfPages, {
    sizeOf: page => 2 * page.length + 200,
    madeFrom: () => 'everything'
  })
  const relationSummaries: CachedRelationSummaries = {
    ...cached,
    get generation() {
      return dependencies.generation
    }
  }

  return {
    measure() {
      const all = [answers, cached, pages, sent].map(each => each.measure())
      const sum = (member: 'bytes' | 'entries') => all.reduce((total, each) => total + each[member], 0)
      return { bytes: sum('bytes'), entries: sum('entries') }
    },
    async page(key, make) {
      await dependencies.catchUp()
      const known = pages.get(key)
      if (known !== undefined) return known
      const before = dependencies.generation
      const made = await make()
      pages.put(key, made, before)
      return made
    },
    async answer(key, make) {
      await dependencies.catchUp()
      const known = answers.get(key)
      if (known) return known
      const before = dependencies.generation
      const made = await make(relationSummaries)
      if (made && !made.hasGaps) {
        answers.put(key, made, before)
        keyOf.set(made, key)
      }
      return made
    },
    sent,
    catchUp: dependencies.catchUp,
    madeFrom(answer) {
      const generation = answers.freshAt(keyOf.get(answer) ?? '', answer)
      return generation === undefined ? undefined : { ids: answer.madeFrom, generation }
    },
    async follow() {
      if (!openRing) return undefined
      dependencies.followReferrers()
      await dependencies.catchUp()
      return dependencies.generation
    },
    keepSent: (key, from, how) => sent.put(key, how, from)
  }
}

const emptyMeasure = () => ({ bytes: 0, entries: 0 })
const noSummaries: CachedRelationSummaries = {
  generation: 0,
  get: () => undefined,
  put() {},
  freshAt: () => undefined,
  measure: emptyMeasure
}

/** A cache that stores nothing: for answers that few readers see, or past states. */
export const noCache: AnswerCache = {
  answer: (_, make) => make(noSummaries),
  page: (_, make) => make(),
  sent: noSentAnswers,
  catchUp: async () => {},
  madeFrom: () => undefined,
  follow: async () => undefined,
  keepSent() {},
  measure: emptyMeasure
}

/**
 * A cache of values that depend on entities. It has a maximum size, and drops a value when an
 * entity that it depends on has changed.
 */
interface CachedValues<T> {
  /** Never returns a stale value, as far as the dependencies are up to date. */
  get(key: string): T | undefined
  /** Caches a value that was made from reads since the dependencies had this generation. */
  put(key: string, value: T, generation: number): void
  /** A generation at which no dependency of a cached value had changed. */
  freshAt(key: string, value: T): number | undefined
  measure(): { readonly bytes: number; readonly entries: number }
}

/** Tells the cache how large a value is, and which entities it depends on. */
interface CachePolicy<T> {
  sizeOf(value: T): number
  madeFrom(value: T): readonly string[] | 'everything'
}

interface Entry<T> {
  readonly value: T
  readonly dependencies: readonly Dependency[]
  readonly dependsOnAll: boolean
  /** The generation at which no dependency had changed. */
  freshAt: number
  /** Whether it was used since `makeRoom` last visited it: then it is spared once. */
  isUsed: boolean
}

function cacheValues<T>(
  dependencies: Dependencies,
  maxBytes: number,
  { sizeOf, madeFrom }: CachePolicy<T>
): CachedValues<T> {
  const values = new Map<string, Entry<T>>()
  let bytes = 0

  const sizeWith = (key: string, value: T) => 2 * key.length + sizeOf(value)
  const drop = (key: string, { value, dependencies: from }: Entry<T>) => {
    values.delete(key)
    bytes -= sizeWith(key, value)
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
        if (entry.dependsOnAll || entry.dependencies.some(dependency => dependency.hasChanged)) {
          drop(key, entry)
          return undefined
        }
        entry.freshAt = dependencies.generation
      }
      entry.isUsed = true
      return entry.value
    },
    put(key, value, generation) {
      const size = sizeWith(key, value)
      if (generation !== dependencies.generation || size > maxBytes / 8) return
      const earlier = values.get(key)
      if (earlier) drop(key, earlier)
      const from = madeFrom(value)
      values.set(key, {
        value,
        dependencies: from === 'everything' ? [] : from.map(dependencies.use),
        dependsOnAll: from === 'everything',
        freshAt: generation,
        isUsed: false
      })
      bytes += size
      makeRoom()
    },
    freshAt(key, value) {
      const entry = values.get(key)
      return entry?.value === value ? entry?.freshAt : undefined
    },
    measure: () => ({ bytes, entries: values.size })
  }
}

/**
 * An entity that cached values depend on, until it changes. All of them refer to this object, and
 * see here that they are stale.
 */
interface Dependency {
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
interface Dependencies extends Changes {
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
  /** From now on, each change counts for the entities that the changed one refers to, too. */
  followReferrers(): void
}

/** Number of changed entities from which all are taken to have changed: about 10 MB. */
const maxChanged = 100_000
/**
 * Number of entities that changed at once from which referrers are taken to have changed
 * everywhere: reading 1,000 takes some 20 ms.
 */
const maxFollowed = 1000

function createDependencies(store: Store): Dependencies {
  const byId = new Map<string, Dependency>()
  /** The generation at which each changed entity last changed, and at which all did. */
  const changedAt = new Map<string, number>()
  let allChangedAt = 0
  let generation = 0
  let allReferrersChangedAt = 0
  let catchingUp: Promise<void> | undefined
  let followsReferrers = false
  /** Reads of whom changed entities refer to; all who catch up meanwhile wait for them. */
  let following: Promise<void> | undefined

  const change = (dependency: Dependency | undefined) => {
    if (!dependency) return
    dependency.hasChanged = true
    byId.delete(dependency.id)
  }

  const noteReferrers = (found: ReadonlyMap<string, StoredEntity>, at: number) => {
    const keys = [...found.values()].flatMap(({ json }) => (JSON.parse(json) as Entity).relations.map(each => each.key))
    const note = (targets: ReadonlyMap<string, Identified>) => {
      for (const id of [...keys, ...[...targets.values()].map(each => each.id)]) changedAt.set(referrersOf(id), at)
      if (changedAt.size <= maxChanged) return
      allChangedAt = generation
      changedAt.clear()
    }
    const targets = store.identify([...new Set(keys)])
    return targets instanceof Promise ? targets.then(note) : note(targets)
  }

  /** Notes which entities the changed ones refer to: they may be new referrers. */
  const follow = (changed: readonly string[]) => {
    const at = generation
    const ids = [...new Set(changed)]
    if (ids.length > maxFollowed) {
      allReferrersChangedAt = at
      return
    }
    const found = store.findEntities(ids)
    const noting = found instanceof Promise ? found.then(each => noteReferrers(each, at)) : noteReferrers(found, at)
    if (!noting) return
    const reading = noting.catch(() => {
      allReferrersChangedAt = Math.max(allReferrersChangedAt, at)
    })
    const all = Promise.all([following, reading]).then(() => {
      if (following === all) following = undefined
    })
    following = all
  }

  const note = (changed: readonly string[] | 'all') => {
    generation++
    if (changed === 'all' || changedAt.size + changed.length > maxChanged) {
      allChangedAt = generation
      changedAt.clear()
    } else for (const id of changed) changedAt.set(id, generation)
    if (changed === 'all') for (const dependency of byId.values()) change(dependency)
    else {
      for (const id of changed) change(byId.get(id))
      if (followsReferrers) follow(changed)
    }
  }

  return {
    catchUp() {
      // `setImmediate` runs after everything that has arrived was read: all requests until then
      // share the read.
      catchingUp ??= new Promise<void>(resolve => setImmediate(resolve)).then(async () => {
        catchingUp = undefined
        const reading = store.changedSinceLastCall()
        const changed = reading instanceof Promise ? await reading : reading
        if (changed.length > 0) note(changed)
        if (following) await following
      })
      return catchingUp
    },
    giveTheSame: reads => giveTheSame(store, reads),
    followReferrers() {
      followsReferrers = true
    },
    get generation() {
      return generation
    },
    areCurrent(ids, since) {
      if (since === generation) return true
      if (since < allChangedAt) return false
      const mayHaveReferrers = following !== undefined || since < allReferrersChangedAt
      return !ids().some(id => (changedAt.get(id) ?? 0) > since || (mayHaveReferrers && id.startsWith(referrersOf(''))))
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
