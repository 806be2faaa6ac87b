import { headLength } from '#domain/search/index-values.ts'
import { firstCharacters } from '#domain/values/fold.ts'
import type { Term, TermQuery } from '../ports/queries.ts'
import { limitsToSql } from './limits-to-sql.ts'
import type { Session } from './dialect.ts'

/**
 * Lists values of a key in order. The index by head leads to them; within one head the folded texts
 * decide.
 */
export async function listTerms({ dialect, run }: Session, query: TermQuery): Promise<Term[]> {
  const { key, types, limits, from, backwards, limit } = query
  if (!dialect.isStorable(from)) return []
  const [beyond, direction] = backwards ? ['<', 'DESC'] : ['>', 'ASC']
  const head = firstCharacters(from, headLength)
  const limited = limitsToSql(dialect, 'e', limits)
  const entries = `FROM field_values v JOIN entities e ON e.pk = v.entity_pk
      WHERE v.key = ? AND v.is_derived = 0 AND v.text IS NOT NULL AND e.type ${dialect.inList()} AND ${limited.text}`
  const parameters = [key, JSON.stringify(types), ...limited.parameters]
  // Heads first, in the order of the index: grouping all values that follow would read them all.
  // One more than the limit, since values with the first head may lie before the position.
  const rows = await run({
    text: `SELECT v.folded, min(v.text) AS text ${entries}
      AND v.head IN (SELECT DISTINCT v.head ${entries} AND v.head ${beyond}= ? ORDER BY v.head ${direction} LIMIT ?)
      AND (v.head ${beyond} ? OR v.folded ${backwards ? '<' : '>='} ?)
      GROUP BY v.head, v.folded ORDER BY v.head ${direction}, v.folded ${direction} LIMIT ?`,
    parameters: [...parameters, ...parameters, head, limit + 1, head, from, limit]
  })
  return rows.map(row => ({ folded: String(row.folded), text: String(row.text) }))
}
