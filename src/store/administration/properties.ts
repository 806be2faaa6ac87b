import { sql } from '../query/sql.ts'
import type { Steps } from './steps.ts'

/* Single facts about a database, in the table `properties`. */

/** The property with the moment before which replaced versions were deleted on purpose. */
export const versionsDeleted = 'versions_deleted'
/** The property with the number of the last change that was deleted on purpose, by age. */
export const forgotten = 'forgotten'

/** The number in that property, in SQL; 0 where no change was deleted by age. */
export const lastForgotten = `coalesce((SELECT CAST(value AS bigint) FROM properties WHERE name = '${forgotten}'), 0)`

/** The properties with the number of rows that were deleted on purpose, out of the order of age. */
export const removed = { changes: 'changes_removed', merges: 'merges_removed' } as const

export const setProperty =
  'INSERT INTO properties VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value'

export function* findProperty(name: string, lock = ''): Steps<string | undefined> {
  const [row] = yield sql(`SELECT value FROM properties WHERE name = ? ${lock}`, name)
  return row?.value as string | undefined
}
