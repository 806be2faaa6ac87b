import type { Search } from '#domain/filter/filter.ts'
import type { EntityQuery } from '../ports/queries.ts'
import { filterToSql, typesToSql } from './filter-to-sql.ts'
import { limitsToSql } from './limits-to-sql.ts'
import type { PlannedSearch } from './search-plan.ts'
import type { Session } from './dialect.ts'
import { joined, type Sql } from './sql.ts'

/** Searches with their plans. */
export type PlannedSearches = ReadonlyMap<Search, PlannedSearch>

/** The filter of a query, and the rights of its caller. */
export type Conditions = Pick<EntityQuery, 'filter' | 'readableTypes' | 'limits'>

/** The condition on `entities e` of the matches that the caller may read. */
export function whereOf(
  { dialect, model }: Session,
  { filter, readableTypes, limits }: Conditions,
  searches: PlannedSearches,
  isWalked: boolean
): Sql {
  const condition = filterToSql(filter, { dialect, model, readableTypes, limits, isWalked, searches })
  if (!readableTypes) return condition
  return joined(
    typesToSql(readableTypes, { dialect, model }),
    ' AND ',
    limitsToSql(dialect, 'e', limits),
    ' AND ',
    condition
  )
}
