import type { EntityContent } from '#domain/entity/entity.ts'
import {
  deleteEntities,
  deleteIdentifiers,
  deleteLookups,
  deleteRelations,
  insertChanges,
  insertEntities,
  insertIdentifiers,
  insertLookups,
  insertNames,
  insertRelations,
  insertVersions,
  updateEntities
} from './write-rows.ts'
import { relationRows } from '../query/derived-rows.ts'

type Columns = Readonly<Record<string, string | number | null>>

/** The change of one row of `entities`: its final state, or none when it is deleted. */
export interface RowChange {
  readonly pk: number
  /** Whether the row existed before the unit. */
  readonly existed: boolean
  content: EntityContent | undefined
  row: Columns | undefined
  hasNewRelations: boolean
}

/** All rows that a unit writes. */
export class RowChanges {
  readonly entities = new Map<number, RowChange>()
  /** Identifiers whose owner changed, with the key of the new owner. */
  readonly owners = new Map<string, number | undefined>()
  readonly names: Columns[] = []
  readonly versions: Columns[] = []
  readonly changes: Columns[] = []
  /** Rows of `lookups` that the unit writes or deletes, by their content. */
  readonly #lookups = new Map<string, { readonly row: Columns; readonly isWritten: boolean }>()

  /** The change of a row, which is added where there is none. */
  of(pk: number, existed: boolean): RowChange {
    const earlier = this.entities.get(pk)
    if (earlier) return earlier
    const change = { pk, existed, content: undefined, row: undefined, hasNewRelations: false }
    this.entities.set(pk, change)
    return change
  }

  writeLookups(rows: readonly Columns[]) {
    for (const row of rows) this.#lookups.set(JSON.stringify(row), { row, isWritten: true })
  }

  deleteLookups(rows: readonly Columns[]) {
    for (const row of rows) this.#lookups.set(JSON.stringify(row), { row, isWritten: false })
  }

  /** Sends the statements, each for all its rows, without waiting for answers. */
  send(sendOne: (text: string, ...parameters: string[]) => void) {
    const sendRows = (text: string, rows: readonly unknown[]) => {
      if (rows.length > 0) sendOne(text, JSON.stringify(rows))
    }
    const all = [...this.entities.values()]
    const isUpdate = (change: RowChange) => change.existed && change.row !== undefined
    const deleted = all.filter(change => change.existed && !change.row).map(({ pk }) => pk)
    const newRelations = all.filter(change => change.row && change.hasNewRelations)
    const replaced = (changes: readonly RowChange[]) => [...deleted, ...changes.filter(isUpdate).map(({ pk }) => pk)]
    sendRows(insertVersions, this.versions)
    sendRows(deleteEntities, deleted)
    sendRows(deleteIdentifiers, [...this.owners.keys()])
    sendRows(deleteRelations, replaced(newRelations))
    const lookups = [...this.#lookups.values()]
    const lookupsWhere = (isWritten: boolean) =>
      lookups.filter(each => each.isWritten === isWritten).map(({ row }) => row)
    sendRows(deleteLookups, lookupsWhere(false))
    sendRows(
      updateEntities,
      all.filter(isUpdate).map(({ row }) => row)
    )
    sendRows(
      insertEntities,
      all.flatMap(({ existed, row }) => (!existed && row ? [row] : []))
    )
    sendRows(
      insertIdentifiers,
      [...this.owners].flatMap(([identifier, pk]) => (pk === undefined ? [] : [{ identifier, entity_pk: pk }]))
    )
    sendRows(insertNames, this.names)
    sendRows(
      insertRelations,
      newRelations.flatMap(({ pk, content }) => (content ? relationRows(pk, content) : []))
    )
    sendRows(insertLookups, lookupsWhere(true))
    sendRows(insertChanges, this.changes)
  }
}
