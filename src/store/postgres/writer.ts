import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { StoredEntity, WriteUnit } from '../store.ts'
import type { Link } from './connection.ts'
import { type Known, nameOfKey } from './known.ts'
import { forgottenBefore } from './outcomes.ts'
import { stateStatements } from './state-entries.ts'
import { createDraft } from './unit-draft.ts'

/*
 * Writes entities with everything that belongs to them: versions, identifiers, relations, index
 * rows, change rows.
 *
 * A server is a journey away, so what SQLite looks up step by step is read here at once for a whole
 * group of units (known.ts); each unit is then worked out in memory (unit-draft.ts), and its rows
 * are sent without waiting for answers. Whoever writes holds the lock on `counters`, so nothing
 * that was read changes until the group is committed. A unit that is refused has sent nothing.
 */

export interface Applied {
  readonly stored: readonly (StoredEntity | undefined)[]
  /** What is known after the unit; the same as before where it wrote nothing. */
  readonly known: Known
}

/**
 * Applies a unit inside the transaction that is open. Throws what is wrong with it, and has sent
 * nothing then. `send` is given each statement of it; their answers are of no interest but for
 * their failure.
 */
export async function applyUnit(
  link: Link,
  model: Model,
  known: Known,
  unit: WriteUnit,
  now: number,
  send: (text: string, ...parameters: (string | number | null)[]) => void
): Promise<Applied> {
  const earlier = unit.once && known.outcomes.get(nameOfKey(unit.once.scope, unit.once.key))
  if (earlier) {
    refuseReusedKey(earlier.fingerprint === unit.once?.fingerprint)
    return { stored: earlier.outcome, known }
  }
  const at = momentAfter(known.numbers.at, now)
  const draft = createDraft(model, known, at, unit.by)
  // First of all: what it gives back would be found taken otherwise.
  if (unit.unmerges !== undefined && !known.merges.get(unit.unmerges)) throw alreadyUndone()
  const stored = draft.write(unit)
  await draft.refuseReferenced(link)
  if (unit.dryRun) return { stored, known }

  draft.send(send)
  for (const { text, parameters } of stateStatements(unit.state ?? [])) send(text, ...parameters)
  const number = known.numbers.merge + 1
  if (unit.merge) {
    send(
      `INSERT INTO merges (number, survivor_uuid, survivor_id, victim_id, written, at, by)
       SELECT ?, uuid, id, ?, ?, ?, ? FROM entities WHERE id = ?`,
      number,
      unit.merge.victimId,
      JSON.stringify(draft.written),
      at,
      unit.by,
      unit.merge.survivorId
    )
  }
  const numbers = draft.numbers()
  if (unit.unmerges !== undefined) send('UPDATE merges SET undone = ? WHERE number = ?', numbers.change, unit.unmerges)
  const outcomes = new Map(known.outcomes)
  if (unit.once) {
    const { scope, key, fingerprint, note } = unit.once
    send('DELETE FROM outcomes WHERE at < ?', forgottenBefore(now))
    send(
      'INSERT INTO outcomes (scope, key, fingerprint, outcome, note, at) VALUES (?, ?, ?, ?, ?, ?)',
      scope,
      key,
      fingerprint,
      JSON.stringify(stored),
      JSON.stringify(note),
      new Date(now).toISOString()
    )
    outcomes.set(nameOfKey(scope, key), { fingerprint, outcome: stored, note })
  }
  const merges = new Map(known.merges)
  if (unit.unmerges !== undefined) merges.delete(unit.unmerges)
  return {
    stored: unit.isSilent ? [] : stored,
    known: { ...draft.known(), numbers: unit.merge ? { ...numbers, merge: number } : numbers, outcomes, merges }
  }
}
function refuseReusedKey(isSameRequest: boolean) {
  if (!isSameRequest) throw new CatalogueError('key_reused', 'This Idempotency-Key was used for another request')
}
const alreadyUndone = () => new CatalogueError('version_mismatch', 'This merge was taken back in the meantime')
/**
 * Now, but never before what was written last: a clock that is set back must not change the order
 * of things.
 */
function momentAfter(last: string | null, now: number): string {
  const at = new Date(now).toISOString()
  return last !== null && last > at ? last : at
}
