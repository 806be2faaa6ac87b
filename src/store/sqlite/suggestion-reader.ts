import type { Model } from '#domain/record-types/model.ts'
import type { StoredEntity, SuggestionQuery } from '../store.ts'
import { lastOf } from '../search-plan.ts'
import { typesToSql } from './filter-to-sql.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { planSearchWith } from './search-planner.ts'
import { searchToSql } from './search-to-sql.ts'
import { joined, parameter, type Sql } from './sql.ts'

type Row = Record<string, unknown>
type All = (statement: Sql) => Row[]

const columns = 'e.id, e.uuid, e.type, e.version, e.document'

/**
 * Names that go on as was typed, in their own order, which is a range of an index; then names that
 * have all the words; and names with slips only where there is neither.
 */
export function findSuggestions(
  all: All,
  { search, types, limits, limit }: SuggestionQuery,
  model: Model
): readonly StoredEntity[] {
  if (search.words.length === 0) return []
  const allowed: Sql | string = types
    ? joined(' AND ', typesToSql(types, model), ' AND ', limitsToSql('e', limits))
    : ''
  const found = new Map<string, StoredEntity>()
  const add = (rows: readonly Row[]) => {
    for (const row of rows) if (found.size < limit) found.set(String(row.id), toStored(row))
  }
  add(
    all(
      joined(
        `SELECT ${columns} FROM search_words p CROSS JOIN entities e ON e.pk = p.entity_pk
          WHERE (p.entity_pk & 63 <> 0 OR within_deadline()) AND p.word >= `,
        parameter(search.name),
        ' AND p.word <= ',
        parameter(lastOf(search.name)),
        allowed,
        ' ORDER BY p.word, p.entity_pk LIMIT ',
        parameter(limit)
      )
    )
  )
  for (const isLoose of [false, true]) {
    if (found.size >= limit || (isLoose && found.size > 0)) break
    const hits = searchToSql(planSearchWith(all, search, isLoose, undefined, true), {
      readableTypes: types,
      isByName: true
    })
    add(
      all(
        joined(
          'WITH hits AS MATERIALIZED (',
          hits,
          `) SELECT ${columns} FROM hits h CROSS JOIN entities e ON e.pk = h.pk WHERE TRUE`,
          allowed,
          ' ORDER BY h.score, h.pk LIMIT ',
          parameter(limit)
        )
      )
    )
  }
  return [...found.values()]
}

const toStored = (row: Row): StoredEntity => ({
  id: String(row.id),
  uuid: String(row.uuid),
  type: String(row.type),
  version: Number(row.version),
  json: String(row.document)
})
