import type { EarlierOutcome, WriteUnit } from '../store.ts'
import type { Link, Row } from './connection.ts'
import { selectOutcomes, toOutcome } from './outcomes.ts'
import { anyOf } from './write-rows.ts'

/** What the writing of a group starts from, brought up to date by each of its units. */
export interface Known {
  readonly numbers: Numbers
  /** By id. */
  readonly entities: Map<string, CurrentRow | undefined>
  /** The entity that has an identifier. */
  readonly owners: Map<string, number | undefined>
  /** By uuid: the newest version that was replaced or deleted. */
  readonly lastVersions: Map<string, LastVersion | undefined>
  readonly outcomes: Map<string, EarlierOutcome | undefined>
  /** Merges that can be taken back. */
  readonly merges: Map<number, boolean | undefined>
}

/** The numbers that were given last. */
export interface Numbers {
  readonly entity: number
  readonly change: number
  readonly merge: number
  readonly at: string | null
}

export interface CurrentRow {
  readonly pk: number
  readonly version: number
  readonly changed: number
  readonly document: string
}

interface LastVersion {
  readonly version: number
  readonly isDeletion: boolean
  readonly pk: number | null
}
/** Locks out all other writers, and reads what the units need. All of it is sent at once. */
export async function readKnown(link: Link, units: readonly WriteUnit[], now: number): Promise<Known> {
  const writes = units.flatMap(unit => unit.writes)
  const made = writes.filter(each => each.kind === 'insert' || each.kind === 'restore')
  const contents = writes.filter(each => each.kind !== 'delete').map(each => each.content)
  const ids = writes.flatMap(each =>
    each.kind === 'delete' ? [each.id] : each.kind === 'update' ? [each.content.id] : []
  )
  const names = contents.flatMap(content => [
    content.uuid,
    content.id,
    ...content.otherIdentifiers,
    ...content.relations.map(relation => relation.key)
  ])
  const keys = units.flatMap(unit => (unit.once ? [unit.once] : []))
  const merges = units.flatMap(unit => (unit.unmerges === undefined ? [] : [unit.unmerges]))
  const list = (values: readonly (string | number)[]) => JSON.stringify([...new Set(values)])

  const [[numbers], entities, owners, lastVersions, outcomes, openMerges] = await Promise.all([
    link.run('SELECT entity, change, merge, at FROM counters FOR UPDATE'),
    ids.length === 0
      ? []
      : link.run(`SELECT id, pk, version, changed, document FROM entities WHERE id ${anyOf}`, [list(ids)]),
    names.length === 0
      ? []
      : link.run(`SELECT identifier, entity_pk FROM identifiers WHERE identifier ${anyOf}`, [list(names)]),
    made.length === 0
      ? []
      : link.run(
          `SELECT DISTINCT ON (uuid) uuid, version, document IS NULL AS is_deletion, entity_pk FROM versions
           WHERE uuid ${anyOf} ORDER BY uuid, version DESC`,
          [list(made.map(each => each.content.uuid))]
        ),
    keys.length === 0
      ? []
      : link.run(`${selectOutcomes} WHERE scope ${anyOf} AND key ${anyOf}`, [
          list(keys.map(each => each.scope)),
          list(keys.map(each => each.key))
        ]),
    merges.length === 0
      ? []
      : link.run(`SELECT number FROM merges WHERE number::text ${anyOf} AND undone IS NULL`, [list(merges.map(String))])
  ])
  return {
    numbers: {
      entity: Number(numbers?.entity),
      change: Number(numbers?.change),
      merge: Number(numbers?.merge),
      at: (numbers?.at ?? null) as string | null
    },
    entities: new Map(entities.map(row => [String(row.id), row as unknown as CurrentRow])),
    owners: new Map(owners.map(row => [String(row.identifier), Number(row.entity_pk)])),
    lastVersions: new Map(lastVersions.map(row => [String(row.uuid), toLastVersion(row)])),
    outcomes: new Map(outcomes.map(row => [nameOfKey(String(row.scope), String(row.key)), toOutcome(row, now)])),
    merges: new Map(openMerges.map(row => [Number(row.number), true]))
  }
}

const toLastVersion = (row: Row): LastVersion => ({
  version: Number(row.version),
  isDeletion: row.is_deletion === true,
  pk: row.entity_pk === null ? null : Number(row.entity_pk)
})

export const nameOfKey = (scope: string, key: string) => `${scope}\n${key}`
