import type { DatabaseSync } from 'node:sqlite'

import type { Json } from '#domain/entity/entity.ts'
import { prepareWriting } from './connection.ts'
import type { EarlierOutcome, Once, StoredEntity } from '../store.ts'

/** How long a key is remembered. */
const keptFor = 24 * 60 * 60 * 1000

/**
 * What came of requests that were sent under a key, written in the transaction of the request
 * itself.
 */
export function createOutcomeBook(db: DatabaseSync) {
  const find = prepareOutcomeRead(db)
  const insert = prepareWriting(
    db,
    'INSERT INTO outcomes (scope, key, fingerprint, outcome, note, at) VALUES (?, ?, ?, ?, ?, ?)'
  )
  const forget = prepareWriting(db, 'DELETE FROM outcomes WHERE at < ?')
  return {
    find(scope: string, key: string, now: number): EarlierOutcome | undefined {
      forget.run(new Date(now - keptFor).toISOString())
      return find(scope, key)
    },
    insert({ scope, key, fingerprint, note }: Once, outcome: readonly (StoredEntity | undefined)[], now: number) {
      insert.run(scope, key, fingerprint, JSON.stringify(outcome), JSON.stringify(note), new Date(now).toISOString())
    }
  }
}

export function prepareOutcomeRead(db: DatabaseSync): (scope: string, key: string) => EarlierOutcome | undefined {
  const select = db.prepare('SELECT fingerprint, outcome, note, at FROM outcomes WHERE scope = ? AND key = ?')
  return (scope, key) => {
    const row = select.get(scope, key)
    if (!row || Date.parse(String(row.at)) < Date.now() - keptFor) return undefined
    const outcome = JSON.parse(String(row.outcome)) as (StoredEntity | null)[]
    return {
      fingerprint: String(row.fingerprint),
      outcome: outcome.map(each => each ?? undefined),
      note: JSON.parse(String(row.note)) as Json
    }
  }
}
