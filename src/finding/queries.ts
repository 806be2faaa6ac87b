import type { StoredEntity } from '#domain/entity/entity.ts'
import type { Search } from '#domain/filter/filter.ts'
import type { ReadLimit } from '#domain/permissions.ts'
import type { FindAnswer, FindQuery } from '#index/find.ts'
import type { Group } from '#index/group-by-work.ts'
import type { Scope } from '#index/readable.ts'
import type { WorkEditions } from '#index/work-editions.ts'

/* The queries that the index in memory answers, and their answers. */

/** A query of a caller. */
export interface Asked {
  /** Names the caller: queries of different callers take turns. Those without a name share one. */
  readonly caller?: string
  /** Whether it may go to a thread with others that the caller asks in the same turn. */
  readonly isTogether?: boolean
}

export interface EntityQuery extends FindQuery, Asked {}

/**
 * A record with everything that belongs to it and matches: a work with its expressions and
 * publications, a production with its performances and media files, or any other record by itself.
 * Records are given by their ids.
 */
export interface ResultGroup extends Pick<Group, 'isMatch' | 'matching'> {
  readonly head: string
  /** The first matching one in the order of the query. */
  readonly expression?: string
  readonly manifestation?: string
  readonly part?: string
  /** The languages of all expressions of a work, the most frequent first. */
  readonly languages: readonly string[]
}

/** The editions of a work; the newest by their ids. */
export interface EditionsOfWork extends Omit<WorkEditions, 'newest'> {
  readonly newest: readonly string[]
}

export interface QueryResult extends Omit<FindAnswer, 'numbers' | 'groups' | 'works'> {
  readonly entities: readonly StoredEntity[]
  /** The editions of the works of the page, and the newest of them. */
  readonly works?: readonly EditionsOfWork[]
  readonly editions?: readonly StoredEntity[]
  /** The groups of the page; `entities` are then all records that they name. */
  readonly groups?: readonly ResultGroup[]
}

/** The beginning of a name, for suggestions. */
export interface SuggestionQuery extends Asked {
  readonly search: Search
  /** The types to search; undefined for all. */
  readonly types: readonly string[] | undefined
  /** Types of which the caller may read some records only. */
  readonly limits?: readonly ReadLimit[]
  readonly limit: number
}

/** Selects values to list, in the order of their folded text. */
export interface TermQuery extends Asked {
  /** Values of this metadata key, of entities of these types. */
  readonly key: string
  readonly types: readonly string[]
  readonly limits?: readonly ReadLimit[]
  /** From this folded text on, itself included; or before it, backwards and without it. */
  readonly from: string
  readonly backwards: boolean
  readonly limit: number
}

/** A value that some entities have: folded, and as one of them has it. */
export interface Term {
  readonly folded: string
  readonly text: string
}

/** The rights of the caller, for whom growth is counted. */
export type GrowthQuery = Scope & Asked

export interface GrowthCount {
  /** `2026-11` */
  readonly month: string
  readonly type: string
  readonly count: number
}
