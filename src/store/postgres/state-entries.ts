import { endOfHeading } from '../rows.ts'
import type { StateRange, StateWrite } from '../store.ts'
import type { Statement } from './connection.ts'

/** Of two writes under one key the later counts, as it would one after the other. */
export function stateStatements(papers: readonly StateWrite[]): Statement[] {
  const last = [...new Map(papers.map(each => [`${each.kind}\n${each.key}`, each])).values()]
  const put = last.filter(each => each.value !== null)
  const taken = last.filter(each => each.value === null)
  const rows = (text: string, list: readonly StateWrite[]) =>
    list.length === 0 ? [] : [{ text, parameters: [JSON.stringify(list)] }]
  return [
    ...rows(
      `INSERT INTO papers SELECT kind, key, value FROM jsonb_to_recordset(?::text::jsonb) AS p (kind text, key text, value text)
       ON CONFLICT (kind, key) DO UPDATE SET value = EXCLUDED.value`,
      put
    ),
    ...rows(
      `DELETE FROM papers p USING jsonb_to_recordset(?::text::jsonb) AS g (kind text, key text) WHERE p.kind = g.kind AND p.key = g.key`,
      taken
    )
  ]
}

export const selectStateEntries = `SELECT key, value FROM papers WHERE kind = ? AND key = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))`

/**
 * A range for each heading; OFFSET 0 makes each be looked up by the index, however few rows the
 * planner thinks there are.
 */
export const selectStateKeys = `SELECT p.key FROM jsonb_to_recordset(?::text::jsonb) AS h (low text, high text)
  CROSS JOIN LATERAL (SELECT key FROM papers WHERE kind = ? AND key > h.low AND key < h.high OFFSET 0) p`

export const headingRanges = (headings: readonly string[]) =>
  JSON.stringify(headings.map(heading => ({ low: `${heading}\n`, high: endOfHeading(heading) })))

/**
 * No text of the server has a NUL. A key comes behind one that has exactly when it comes behind
 * what stands before it.
 */
const beforeNul = (text: string) => text.split('\0', 1)[0] ?? ''

export const readState = (kind: string, { heading, after = `${heading}\n`, limit }: StateRange): Statement => ({
  text: 'SELECT key, value FROM papers WHERE kind = ? AND key > ? AND key < ? ORDER BY key LIMIT ?',
  parameters: [kind, beforeNul(after), endOfHeading(heading), limit]
})
