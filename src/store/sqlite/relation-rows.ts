import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import type { Relation } from '#domain/entity/entity.ts'
import { prepareWriting } from './connection.ts'
import { byCodeUnits, prepareRows } from './row-inserts.ts'

interface RelationRow extends Relation {
  readonly pk: number
  readonly position: number
}

/** Buffers rows of `relations` until they are flushed. */
export class RelationRows {
  #pending: RelationRow[] = []
  readonly #insert
  readonly #delete

  constructor(db: DatabaseSync) {
    this.#insert = prepareRows(db, 'relations', ['entity_pk', 'position', 'type', 'target'])
    this.#delete = prepareWriting(db, 'DELETE FROM relations WHERE entity_pk = ?')
  }

  add(pk: number, relations: readonly Relation[]) {
    for (const [position, { type, key }] of relations.entries()) this.#pending.push({ pk, position, type, key })
  }

  delete(pk: number) {
    this.#delete.run(pk)
  }

  flush() {
    this.#pending.sort((one, other) => byCodeUnits(one.key, other.key))
    const rows: SQLInputValue[] = []
    for (const { pk, position, type, key } of this.#pending) rows.push(pk, position, type, key)
    this.#insert(rows)
    this.clear()
  }

  clear() {
    this.#pending = []
  }
}
