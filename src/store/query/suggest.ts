import type { StoredEntity } from '../ports/entities.ts'
import type { SuggestionQuery } from '../ports/queries.ts'
import { toStored } from '../rows.ts'
import { typesToSql } from './filter-to-sql.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { planSearchWith } from './plan-search.ts'
import { lastOf } from './search-plan.ts'
import { searchToSql } from './search-to-sql.ts'
import type { Row, Session } from './dialect.ts'
import { joined, parameter, type Sql } from './sql.ts'

const columns = 'e.id, e.uuid, e.type, e.version, e.document'

/**
 * Suggests names that begin as was typed, in their own order, which is a range of an index; then
 * names that have all the words; and names with typos only where there is neither.
 */
export async function findSuggestions(
  session: Session,
  { search, types, limits, limit }: SuggestionQuery
): Promise<readonly StoredEntity[]> {
  const { dialect, run } = session
  if (search.words.length === 0) return []
  const allowed: Sql | string = types
    ? joined(' AND ', typesToSql(types, session), ' AND ', limitsToSql(dialect, 'e', limits))
    : ''
  const found = new Map<string, StoredEntity>()
  const add = (rows: readonly Row[]) => {
    for (const row of rows) if (found.size < limit) found.set(String(row.id), toStored(row))
  }
  add(
    await run(
      joined(
        `SELECT ${columns} FROM search_words p ${dialect.join} entities e ON e.pk = p.entity_pk
          WHERE ${dialect.deadlineEvery('p.entity_pk')} AND p.word >= `,
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
    const plan = await planSearchWith(session, search, isLoose, undefined, true)
    const hits = searchToSql(plan, { dialect, readableTypes: types, isByName: true })
    add(
      await run(
        joined(
          'WITH hits AS MATERIALIZED (',
          hits,
          `) SELECT ${columns} FROM hits h ${dialect.join} entities e ON e.pk = h.pk WHERE TRUE`,
          allowed,
          ' ORDER BY h.score, h.pk LIMIT ',
          parameter(limit)
        )
      )
    )
  }
  return [...found.values()]
}
