import type { StoredEntity } from '#domain/entity/entity.ts'
import type {
  Asked,
  EntityQuery,
  GrowthCount,
  GrowthQuery,
  QueryResult,
  SuggestionQuery,
  Term,
  TermQuery
} from '#finding/queries.ts'
import type { DuplicatesAnswer, DuplicatesQuery } from '#index/duplicates.ts'
import type { NamesInUse } from '#index/names-in-use.ts'
import type { Scope } from '#index/readable.ts'
import type { SameRecord, SameRecordsQuery } from '#index/same-records.ts'

export type * from '#finding/queries.ts'
export type { DuplicatePosition, DuplicatesAnswer, DuplicatesQuery, FoundDuplicates } from '#index/duplicates.ts'
export type { FacetValue } from '#index/facet-counts.ts'
export type { Position } from '#index/order.ts'
export type { NamesInUse } from '#index/names-in-use.ts'
export type { SameRecord, SameRecordsQuery } from '#index/same-records.ts'

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
   * Lists the types of the relations that point to an entity, from records of any type. Unlike
   * their number, they cost the same for an entity that half the catalogue refers to.
   */
  findReferenceTypes(id: string): Promise<readonly string[]>

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
