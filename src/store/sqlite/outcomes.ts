import type { DatabaseSync } from 'node:sqlite'

import { deleteOutcomesBefore, expiredBefore, insertOutcome, toOutcome } from '../rows.ts'
import { prepareWriting } from './connection.ts'
import type { EarlierOutcome, Once, StoredEntity } from '../ports/entities.ts'

/** Writes the outcomes of requests with an Idempotency-Key, in the transaction of the request. */
export function createOutcomeWriter(db: DatabaseSync) {
  const find = prepareOutcomeRead(db)
  const insert = prepareWriting(db, insertOutcome)
  const deleteExpired = prepareWriting(db, deleteOutcomesBefore)
  return {
    find(scope: string, key: string, now: number): EarlierOutcome | undefined {
      deleteExpired.run(expiredBefore(now))
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
    return row && toOutcome(row, Date.now())
  }
}
