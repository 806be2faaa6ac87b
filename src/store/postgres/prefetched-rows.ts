import type { CurrentRow } from '../refusals.ts'
import { toOutcome } from '../rows.ts'
import type { EarlierOutcome, WriteUnit } from '../ports/entities.ts'
import type { Link, Row } from './connection.ts'
import { anyOf } from './write-rows.ts'

/** The rows that a group of units needs, read at once; each unit brings them up to date. */
export interface PrefetchedRows {
  readonly numbers: Numbers
  /** By id. */
  readonly entities: ReadonlyMap<string, CurrentRow | undefined>
  /** The entity that has an identifier. */
  readonly owners: ReadonlyMap<string, Owner | undefined>
  /** By uuid: the newest version that was replaced or deleted. */
  readonly lastVersions: ReadonlyMap<string, LastVersion | undefined>
  readonly outcomes: ReadonlyMap<string, EarlierOutcome | undefined>
  /** Numbers of merges that can be undone. */
  readonly openMerges: ReadonlySet<number>
}

/** The numbers that were given last. */
export interface Numbers {
  readonly entity: number
  readonly change: number
  readonly merge: number
  readonly at: string | null
}

export interface Owner {
  readonly pk: number
  readonly id: string
}

export interface LastVersion {
  readonly version: number
  readonly isDeletion: boolean
  readonly pk: number | null
}

export const selectOutcome =
  'SELECT scope, key, fingerprint, outcome, note, at FROM outcomes WHERE scope = ? AND key = ?'

/** Locks out all other writers, and reads the rows that the units need. All is sent at once. */
export async function prefetchRows(link: Link, units: readonly WriteUnit[], now: number): Promise<PrefetchedRows> {
  const writes = units.flatMap(unit => unit.writes)
  const inserted = writes.filter(each => each.kind === 'insert' || each.kind === 'restore')
  const contents = writes.filter(each => each.kind !== 'delete').map(each => each.content)
  const ids = writes.flatMap(each =>
    each.kind === 'delete' ? [each.id] : each.kind === 'update' ? [each.content.id] : []
  )
  const identifiers = contents.flatMap(content => [
    content.uuid,
    content.id,
    ...content.otherIdentifiers,
    ...content.relations.map(relation => relation.key)
  ])
  const keys = units.flatMap(unit => (unit.once ? [unit.once] : []))
  const merges = units.flatMap(unit => (unit.unmerges === undefined ? [] : [unit.unmerges]))
  /** Runs a statement with a list for each parameter; an empty list finds nothing. */
  const read = (text: string, ...lists: (readonly (string | number)[])[]): Promise<Row[]> | Row[] =>
    lists[0]?.length === 0
      ? []
      : link.run(
          text,
          lists.map(list => JSON.stringify([...new Set(list)]))
        )

  const [[numbers], entities, owners, lastVersions, outcomes, openMerges] = await Promise.all([
    link.run('SELECT entity, change, merge, at FROM counters FOR UPDATE'),
    read(`SELECT id, pk, version, changed, document FROM entities WHERE id ${anyOf}`, ids),
    read(
      `SELECT i.identifier, i.entity_pk, e.id FROM identifiers i JOIN entities e ON e.pk = i.entity_pk
       WHERE i.identifier ${anyOf}`,
      identifiers
    ),
    read(
      `SELECT DISTINCT ON (uuid) uuid, version, document IS NULL AS is_deletion, entity_pk FROM versions
       WHERE uuid ${anyOf} ORDER BY uuid, version DESC`,
      inserted.map(each => each.content.uuid)
    ),
    read(
      `SELECT scope, key, fingerprint, outcome, note, at FROM outcomes WHERE scope ${anyOf} AND key ${anyOf}`,
      keys.map(each => each.scope),
      keys.map(each => each.key)
    ),
    read(`SELECT number FROM merges WHERE number::text ${anyOf} AND undone IS NULL`, merges.map(String))
  ])
  return {
    numbers: {
      entity: Number(numbers?.entity),
      change: Number(numbers?.change),
      merge: Number(numbers?.merge),
      at: (numbers?.at ?? null) as string | null
    },
    entities: new Map(entities.map(row => [String(row.id), row as unknown as CurrentRow])),
    owners: new Map(
      owners.flatMap(row => {
        const owner = { pk: Number(row.entity_pk), id: String(row.id) }
        // A relation by another identifier is written with the id.
        return [String(row.identifier), owner.id].map((name): [string, Owner] => [name, owner])
      })
    ),
    lastVersions: new Map(lastVersions.map(row => [String(row.uuid), toLastVersion(row)])),
    outcomes: new Map(outcomes.map(row => [outcomeKey(String(row.scope), String(row.key)), toOutcome(row, now)])),
    openMerges: new Set(openMerges.map(row => Number(row.number)))
  }
}

const toLastVersion = (row: Row): LastVersion => ({
  version: Number(row.version),
  isDeletion: row.is_deletion === true,
  pk: row.entity_pk === null ? null : Number(row.entity_pk)
})

export const outcomeKey = (scope: string, key: string) => `${scope}\n${key}`
