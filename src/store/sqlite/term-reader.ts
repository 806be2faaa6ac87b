import { headLength } from '#domain/search/index-values.ts'
import { firstCharacters } from '#domain/values/fold.ts'
import type { Term, TermQuery } from '../store.ts'
import { limitsToSql } from './limits-to-sql.ts'
import type { Sql } from './sql.ts'

/**
 * Values of a key in order. The index by head leads to them; within one head the folded texts
 * decide.
 */
export function termsToSql({ key, types, limits, from, backwards, limit }: TermQuery): Sql {
  const [beyond, direction] = backwards ? ['<', 'DESC'] : ['>', 'ASC']
  const head = firstCharacters(from, headLength)
  const limited = limitsToSql('e', limits)
  const entries = `FROM field_values v JOIN entities e ON e.pk = v.entity_pk
      WHERE v.key = ? AND v.is_derived = 0 AND v.text IS NOT NULL AND e.type IN (SELECT value FROM json_each(?)) AND ${limited.text}`
  const parameters = [key, JSON.stringify(types), ...limited.parameters]
  // Heads first, in the order of the index: to group all values that follow would read them all.
  // One more than asked for, since what begins at the first may lie before the place.
  return {
    text: `SELECT v.folded, min(v.text) AS text ${entries}
      AND v.head IN (SELECT DISTINCT v.head ${entries} AND v.head ${beyond}= ? ORDER BY v.head ${direction} LIMIT ?)
      AND (v.head ${beyond} ? OR v.folded ${backwards ? '<' : '>='} ?)
      GROUP BY v.head, v.folded ORDER BY v.head ${direction}, v.folded ${direction} LIMIT ?`,
    parameters: [...parameters, ...parameters, head, limit + 1, head, from, limit]
  }
}

export const toTerm = (row: Readonly<Record<string, unknown>>): Term => ({
  folded: String(row.folded),
  text: String(row.text)
})
