import type { EntityContent, Json } from '#domain/entity/entity.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { EarlierOutcome, StoredEntity } from './ports/entities.ts'
import type { Merge } from './ports/history.ts'
import type { StateEntry, StateRange, StateWrite } from './ports/state.ts'

/* Rows of tables that are the same in both databases, and the values that they represent. */

/** Maximum number of changed ids listed for a cache; above it, clearing the cache is faster. */
export const maxListedChanges = 10_000

type Row = Readonly<Record<string, unknown>>

export const toStored = (row: Row): StoredEntity => ({
  id: String(row.id),
  uuid: String(row.uuid),
  type: String(row.type),
  version: Number(row.version),
  json: String(row.document)
})

export function toMerge(row: Row): Merge {
  return {
    number: Number(row.number),
    survivorId: String(row.survivor_id),
    victimId: String(row.victim_id),
    written: JSON.parse(String(row.written)) as Merge['written'],
    undone: row.undone === null ? null : Number(row.undone)
  }
}

/** Time for which the outcome of a request with an Idempotency-Key is stored, in milliseconds. */
const outcomeRetention = 24 * 60 * 60 * 1000

/** The moment before which outcomes have expired. */
export const expiredBefore = (now: number) => new Date(now - outcomeRetention).toISOString()

/** The outcome of an earlier request with the same key; undefined when it has expired. */
export function toOutcome(row: Row, now: number): EarlierOutcome | undefined {
  if (String(row.at) < expiredBefore(now)) return undefined
  const outcome = JSON.parse(String(row.outcome)) as (StoredEntity | null)[]
  return {
    fingerprint: String(row.fingerprint),
    outcome: outcome.map(each => each ?? undefined),
    note: JSON.parse(String(row.note)) as Json
  }
}

/** The kind of the entries that tell when a record last lost a part by a relation of a type. */
export const partedKind = (relation: string) => `parted ${relation}`

/**
 * Notes the publications that an item leaves, when it is deleted or moved, so that harvesters learn
 * of it: the moment, and the number of the change, for the identifier of each.
 */
export const partings = (
  before: Pick<EntityContent, 'relations'>,
  after: Pick<EntityContent, 'relations'> | undefined,
  { at, changed }: { readonly at: string; readonly changed: number }
): StateWrite[] =>
  before.relations
    .filter(({ type, key }) => type === holdings.ofPublication && !after?.relations.some(each => each.key === key))
    .map(({ type, key }) => ({ kind: partedKind(type), key, value: `${at} ${changed}` }))

/** After every key with a prefix, and before those of the next: `\u000b` follows the line end. */
export const endOfPrefix = (prefix: string) => `${prefix}\u000b`

/** The bounds of a range of state entries: its keys are between them. */
export const boundsOf = ({ prefix, after }: StateRange): readonly [low: string, high: string] =>
  prefix === undefined ? [after ?? '', '\u{10ffff}'] : [after ?? `${prefix}\n`, endOfPrefix(prefix)]

export const toStateEntry = (row: Row): StateEntry => ({ key: String(row.key), value: String(row.value) })

export const insertOutcome =
  'INSERT INTO outcomes (scope, key, fingerprint, outcome, note, at) VALUES (?, ?, ?, ?, ?, ?)'
export const deleteOutcomesBefore = 'DELETE FROM outcomes WHERE at < ?'
export const selectStateRange =
  'SELECT key, value FROM papers WHERE kind = ? AND key > ? AND key < ? ORDER BY key LIMIT ?'
export const entityColumns = 'e.id, e.uuid, e.type, e.version, e.document AS json'
