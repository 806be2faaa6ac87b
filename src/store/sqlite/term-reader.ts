import { headLength } from '#domain/index-values.ts'
import { firstCharacters } from '#domain/fold.ts'
import type { Term, TermQuestion } from '../store.ts'
import { limitsToSql } from './limits-to-sql.ts'
import type { Sql } from './sql.ts'

/** Values of a key in order. The index by head leads to them; within one head the folded texts decide. */
export function termsToSql({ key, types, limits, from, backwards, limit }: TermQuestion): Sql {
  const [beyond, direction] = backwards ? ['<', 'DESC'] : ['>', 'ASC']
  const head = firstCharacters(from, headLength)
  const limited = limitsToSql('e', limits)
  return {
    text: `SELECT v.folded, min(v.text) AS text FROM field_values v JOIN entities e ON e.pk = v.entity_pk
      WHERE v.key = ? AND v.head ${beyond}= ? AND (v.head ${beyond} ? OR v.folded ${backwards ? '<' : '>='} ?)
      AND v.is_derived = 0 AND v.text IS NOT NULL AND e.type IN (SELECT value FROM json_each(?)) AND ${limited.text}
      GROUP BY v.head, v.folded ORDER BY v.head ${direction}, v.folded ${direction} LIMIT ?`,
    parameters: [key, head, head, from, JSON.stringify(types), ...limited.parameters, limit]
  }
}

export const toTerm = (row: Readonly<Record<string, unknown>>): Term => ({
  folded: String(row.folded),
  text: String(row.text)
})
