import type { Search } from '#domain/filter/filter.ts'
import type { ReadLimit } from '#domain/permissions.ts'
import type { DuplicatesAnswer, DuplicatesQuery } from '#index/duplicates.ts'
import type { FindAnswer, FindQuery } from '#index/find.ts'
import type { Group } from '#index/group-by-work.ts'
import type { NamesInUse } from '#index/names-in-use.ts'
import type { Scope } from '#index/readable.ts'
import type { SameRecord, SameRecordsQuery } from '#index/same-records.ts'
import type { StoredEntity } from './entities.ts'

export type { DuplicatePosition, DuplicatesAnswer, DuplicatesQuery, FoundDuplicates } from '#index/duplicates.ts'
export type { FacetValue } from '#index/facet-counts.ts'
export type { Position } from '#index/order.ts'
export type { NamesInUse } from '#index/names-in-use.ts'
export type { SameRecord, SameRecordsQuery } from '#index/same-records.ts'

/** A query of a caller. */
export interface Asked {
  /** Names the caller: queries of different callers take turns. Those without a name share one. */
  readonly caller?: string
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

export interface QueryResult extends Omit<FindAnswer, 'numbers' | 'groups'> {
  readonly entities: readonly StoredEntity[]
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

export interface ReferenceQuery extends Scope, Asked {
  /** Id of the entity referred to. */
  readonly id: string
  readonly relationTypes?: readonly string[]
  readonly skip: number
  readonly limit: number
}

export interface Reference {
  readonly id: string
  readonly type: string
  readonly relationType: string
}

export interface ReferencePage {
  readonly count: number
  /** The number of references of each relation type. */
  readonly countByType: Readonly<Record<string, number>>
  readonly references: readonly Reference[]
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

/** Finds entities. Each method throws `query_timeout` when it takes longer than the deadline. */
export interface QueryStore {
  /** Finds the entities that match a filter, in an order, a page at a time. */
  queryEntities(query: EntityQuery): Promise<QueryResult>

  /**
   * Finds entities by their names: first the names that begin as was typed, in their order, then
   * names that have all words, and where there is neither, names with typos.
   */
  suggest(query: SuggestionQuery): Promise<readonly StoredEntity[]>

  /** Lists the relations that point to an entity, in the order of creation. */
  findReferences(query: ReferenceQuery): Promise<ReferencePage>

  /**
   * Lists the values of a key, each once, as an index at the end of a book does. Values of more
   * than 512 characters are left out.
   */
  listTerms(query: TermQuery): Promise<readonly Term[]>

  /** Counts entities by the month of creation, in UTC, and by type, in the order of both. */
  countGrowth(query: GrowthQuery): Promise<readonly GrowthCount[]>

  /**
   * Lists groups of entities that are likely to be duplicates (domain/entity/duplicates.ts), in the
   * order of creation of the first of each. Entities that somebody said are different from all
   * others of a group are not in it.
   */
  listDuplicates(query: DuplicatesQuery & Asked): Promise<DuplicatesAnswer>

  /** Finds entities that are likely to be the same as one with this content, other than itself. */
  findSameRecords(query: SameRecordsQuery & Asked): Promise<readonly SameRecord[]>

  /** Lists the metadata keys and the types of relations that entities have. */
  listNamesInUse(): Promise<NamesInUse>
}
