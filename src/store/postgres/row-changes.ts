import type { EntityContent } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import {
  deleteEntities,
  deleteIdentifiers,
  deleteRelations,
  deleteValues,
  deleteWords,
  type IndexedRow,
  identifierRow,
  insertChanges,
  insertEntities,
  insertIdentifiers,
  insertNames,
  insertRelations,
  insertValues,
  insertVersions,
  insertVocabulary,
  insertWords,
  relationRows,
  updateEntities,
  valueRows,
  vocabularyRows,
  wordRows
} from './write-rows.ts'

type Columns = Readonly<Record<string, string | number | null>>

/** The change of one row of `entities`: its final state, or none when it is deleted. */
export interface RowChange {
  readonly pk: number
  /** Whether the row existed before the unit. */
  readonly existed: boolean
  content: EntityContent | undefined
  row: Columns | undefined
  hasNewRelations: boolean
  hasNewValues: boolean
}

/** All rows that a unit writes. */
export class RowChanges {
  readonly entities = new Map<number, RowChange>()
  /** Identifiers whose owner changed, with the key of the new owner. */
  readonly owners = new Map<string, number | undefined>()
  readonly names: Columns[] = []
  readonly versions: Columns[] = []
  readonly changes: Columns[] = []

  /** The change of a row, which is added where there is none. */
  of(pk: number, existed: boolean): RowChange {
    const earlier = this.entities.get(pk)
    if (earlier) return earlier
    const change = { pk, existed, content: undefined, row: undefined, hasNewRelations: false, hasNewValues: false }
    this.entities.set(pk, change)
    return change
  }

  /** Sends the statements, each for all its rows, without waiting for answers. */
  send(model: Model, sendOne: (text: string, ...parameters: string[]) => void) {
    const sendRows = (text: string, rows: readonly unknown[]) => {
      if (rows.length > 0) sendOne(text, JSON.stringify(rows))
    }
    const all = [...this.entities.values()]
    const isUpdate = (change: RowChange) => change.existed && change.row !== undefined
    const deleted = all.filter(change => change.existed && !change.row).map(({ pk }) => pk)
    const newRelations = all.filter(change => change.row && change.hasNewRelations)
    const newValues = all.filter(change => change.row && change.hasNewValues)
    const replaced = (changes: readonly RowChange[]) => [...deleted, ...changes.filter(isUpdate).map(({ pk }) => pk)]
    const rowsOf = (changes: readonly RowChange[]) =>
      changes.flatMap(({ pk, content }): IndexedRow[] => (content ? [{ pk, content }] : []))
    const words = rowsOf(newValues).flatMap(row => wordRows(row, model))

    sendRows(insertVersions, this.versions)
    sendRows(deleteEntities, deleted)
    sendRows(deleteIdentifiers, [...this.owners.keys()])
    sendRows(deleteRelations, replaced(newRelations))
    sendRows(deleteValues, replaced(newValues))
    sendRows(deleteWords, replaced(newValues))
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
      [...this.owners].flatMap(([identifier, pk]) => (pk === undefined ? [] : [identifierRow(identifier, pk)]))
    )
    sendRows(insertNames, this.names)
    sendRows(insertRelations, rowsOf(newRelations).flatMap(relationRows))
    sendRows(
      insertValues,
      rowsOf(newValues).flatMap(row => valueRows(row, model))
    )
    sendRows(insertWords, words)
    sendRows(insertVocabulary, vocabularyRows(words))
    sendRows(insertChanges, this.changes)
  }
}
