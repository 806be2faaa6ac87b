import type { Json } from '#domain/entity/entity.ts'
import type { EarlierOutcome, StoredEntity } from '../store.ts'
import type { Row } from './connection.ts'

/** How long a key is remembered. */
const keptFor = 24 * 60 * 60 * 1000

export const selectOutcomes = 'SELECT scope, key, fingerprint, outcome, note, at FROM outcomes'

/** The moment before which keys are forgotten. */
export const forgottenBefore = (now: number) => new Date(now - keptFor).toISOString()

/** What came of a request that was sent under a key; undefined when that is too long ago. */
export function toOutcome(row: Row, now: number): EarlierOutcome | undefined {
  if (String(row.at) < forgottenBefore(now)) return undefined
  const outcome = JSON.parse(String(row.outcome)) as (StoredEntity | null)[]
  return {
    fingerprint: String(row.fingerprint),
    outcome: outcome.map(each => each ?? undefined),
    note: JSON.parse(String(row.note)) as Json
  }
}
