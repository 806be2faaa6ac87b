import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import type { IndexValue } from '#domain/search/index-values.ts'
import { prepareWriting } from './connection.ts'
import { byCodeUnits, prepareRows } from './row-inserts.ts'

interface ValueRow {
  readonly pk: number
  readonly value: IndexValue
  /** The number of the row itself: rows of an entity are in the order of its values. */
  number: number
}

const columns = ['pk', 'entity_pk', 'key', 'position', 'text', 'folded', 'head', 'sort', 'number', 'instant', 'truth']

/** Buffers rows of `field_values`, and of the trigram index over them, until they are flushed. */
export class ValueRows {
  #pending: ValueRow[] = []
  readonly #last
  readonly #insert
  readonly #insertText
  readonly #deleteText
  readonly #delete

  constructor(db: DatabaseSync) {
    this.#last = db.prepare('SELECT max(pk) AS pk FROM field_values')
    this.#insert = prepareRows(db, 'field_values', [...columns, 'is_name', 'is_derived'])
    // One by one: a statement of several rows would have a savepoint, before which the full-text
    // index writes all its pending rows.
    this.#insertText = db.prepare('INSERT INTO field_text (rowid, folded) VALUES (?, ?)')
    this.#deleteText = prepareWriting(
      db,
      'DELETE FROM field_text WHERE rowid IN (SELECT pk FROM field_values WHERE entity_pk = ?)'
    )
    this.#delete = prepareWriting(db, 'DELETE FROM field_values WHERE entity_pk = ?')
  }

  add(pk: number, values: Iterable<IndexValue>) {
    for (const value of values) this.#pending.push({ pk, value, number: 0 })
  }

  delete(pk: number) {
    this.#deleteText.run(pk)
    this.#delete.run(pk)
  }

  flush() {
    if (this.#pending.length === 0) return
    let last = Number(this.#last.get()?.pk ?? 0)
    // The full-text index wants its rows in the order of their numbers.
    for (const row of this.#pending) {
      row.number = ++last
      this.#insertText.get(row.number, row.value.folded)
    }
    this.#pending.sort(
      (one, other) => byCodeUnits(one.value.key, other.value.key) || byCodeUnits(one.value.head, other.value.head)
    )
    const rows: SQLInputValue[] = []
    for (const { pk, value, number } of this.#pending) {
      rows.push(number, pk, value.key, value.position, value.text, value.folded, value.head, value.sort)
      rows.push(value.number, value.instant, value.truth, value.isName, value.isDerived)
    }
    this.#insert(rows)
    this.clear()
  }

  clear() {
    this.#pending = []
  }
}
