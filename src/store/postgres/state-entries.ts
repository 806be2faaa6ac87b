import type { StateStore, StateWrite } from '../ports/state.ts'
import { boundsOf, endOfPrefix, selectStateRange, toStateEntry } from '../rows.ts'
import { isStorable, type Statement, storableList } from './connection.ts'
import type { Statements } from './statements.ts'
import { anyOf } from './write-rows.ts'

/** The later of two writes with one key counts, as it would one after the other. */
export function stateStatements(entries: readonly StateWrite[]): Statement[] {
  const last = [...new Map(entries.map(each => [`${each.kind}\n${each.key}`, each])).values()]
  const put = last.filter(each => each.value !== null)
  const deleted = last.filter(each => each.value === null)
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
      deleted
    )
  ]
}

/**
 * A range for each prefix; OFFSET 0 makes the server look up each by the index, however few rows
 * its planner expects.
 */
const selectKeys = `SELECT p.key FROM jsonb_to_recordset(?::text::jsonb) AS h (low text, high text)
  CROSS JOIN LATERAL (SELECT key FROM papers WHERE kind = ? AND key > h.low AND key < h.high OFFSET 0) p`

const rangesOf = (prefixes: readonly string[]) =>
  JSON.stringify(prefixes.map(prefix => ({ low: `${prefix}\n`, high: endOfPrefix(prefix) })))

/**
 * No text of the server has a NUL. A key comes after a text with a NUL exactly when it comes after
 * the part before it.
 */
const beforeNul = (text: string) => text.split('\0', 1)[0] ?? ''

export const createStateReads = ({ read }: Statements): StateStore => ({
  async findState(kind, keys) {
    const rows =
      keys.length === 0
        ? []
        : await read(`SELECT key, value FROM papers WHERE kind = ? AND key ${anyOf}`, [kind, storableList(keys)])
    return new Map(rows.map(row => [String(row.key), String(row.value)]))
  },
  async listStateKeys(kind, prefixes) {
    const wanted = prefixes.filter(isStorable)
    const rows = wanted.length === 0 ? [] : await read(selectKeys, [rangesOf(wanted), kind])
    return rows.map(row => String(row.key))
  },
  async readState(kind, range) {
    const [low, high] = boundsOf(range)
    const rows = await read(selectStateRange, [kind, beforeNul(low), high, range.limit])
    return rows.map(toStateEntry)
  }
})
