import type { Model } from '#domain/record-types/model.ts'
import { alreadyUnmerged, momentAfter, refuseReusedKey, TargetsMoved } from '../refusals.ts'
import { deleteOutcomesBefore, expiredBefore, insertOutcome } from '../rows.ts'
import type { StoredEntity, WriteUnit } from '../ports/entities.ts'
import type { Link } from './connection.ts'
import { outcomeKey, type PrefetchedRows } from './prefetched-rows.ts'
import { stateStatements } from './state-entries.ts'
import { UnitDraft } from './unit-draft.ts'

/*
 * Writes entities with everything that belongs to them: versions, identifiers, relations, index
 * rows, change rows.
 *
 * A server is a journey away, so the rows that SQLite looks up step by step are read here at once
 * for a whole group of units (prefetched-rows.ts); each unit is then applied in memory
 * (unit-draft.ts), and its rows are sent without waiting for answers. The writer holds the lock on
 * `counters`, so no prefetched row changes until the group is committed. A unit that is refused has
 * sent nothing.
 */

export interface Applied {
  readonly stored: readonly (StoredEntity | undefined)[]
  /** The rows after the unit; the same as before where it wrote nothing. */
  readonly rows: PrefetchedRows
}

export interface OpenTransaction {
  readonly link: Link
  readonly model: Model
  readonly now: number
  /** Gets each statement of a unit. */
  readonly send: (text: string, ...parameters: (string | number | null)[]) => void
}

/**
 * Applies a unit inside the open transaction. Throws when it is refused, and has sent nothing then.
 */
export async function applyUnit(transaction: OpenTransaction, rows: PrefetchedRows, unit: WriteUnit): Promise<Applied> {
  try {
    return await applyAsGiven(transaction, rows, unit)
  } catch (error) {
    if (!(error instanceof TargetsMoved)) throw error
    return applyAsGiven(transaction, rows, error.unit)
  }
}

async function applyAsGiven(
  { link, model, now, send }: OpenTransaction,
  rows: PrefetchedRows,
  unit: WriteUnit
): Promise<Applied> {
  const earlier = unit.once && rows.outcomes.get(outcomeKey(unit.once.scope, unit.once.key))
  if (earlier) {
    refuseReusedKey(earlier, unit.once)
    return { stored: earlier.outcome, rows }
  }
  const at = momentAfter(rows.numbers.at, now)
  const draft = new UnitDraft(model, rows, at, unit.by)
  // First of all: otherwise the identifiers that it returns would be found taken.
  if (unit.unmerges !== undefined && !rows.openMerges.has(unit.unmerges)) throw alreadyUnmerged()
  const stored = draft.write(unit)
  await draft.refuseReferenced(link)
  if (unit.dryRun) return { stored, rows }

  draft.send(send)
  for (const { text, parameters } of stateStatements([...draft.partings, ...(unit.state ?? [])]))
    send(text, ...parameters)
  const number = rows.numbers.merge + 1
  if (unit.merge) {
    send(
      `INSERT INTO merges (number, survivor_uuid, survivor_id, victim_id, written, at, by)
       SELECT ?, uuid, id, ?, ?, ?, ? FROM entities WHERE id = ?`,
      ...[number, unit.merge.victimId, JSON.stringify(draft.written), at, unit.by, unit.merge.survivorId]
    )
  }
  const { numbers } = draft
  if (unit.unmerges !== undefined) send('UPDATE merges SET undone = ? WHERE number = ?', numbers.change, unit.unmerges)
  const outcomes = new Map(rows.outcomes)
  if (unit.once) {
    const { scope, key, fingerprint, note } = unit.once
    send(deleteOutcomesBefore, expiredBefore(now))
    send(
      insertOutcome,
      ...[scope, key, fingerprint, JSON.stringify(stored), JSON.stringify(note), new Date(now).toISOString()]
    )
    outcomes.set(outcomeKey(scope, key), { fingerprint, outcome: stored, note })
  }
  const openMerges = new Set(rows.openMerges)
  if (unit.unmerges !== undefined) openMerges.delete(unit.unmerges)
  return {
    stored: unit.isSilent ? [] : stored,
    rows: { ...draft.rows, numbers: unit.merge ? { ...numbers, merge: number } : numbers, outcomes, openMerges }
  }
}
