import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import type { EntityContent, Relation } from '#domain/entity/entity.ts'
import type { LookupValue } from '#domain/search/lookup-values.ts'
import { prepareWriting } from './connection.ts'
import { byCodeUnits, prepareRows } from './row-inserts.ts'

/**
 * Writes the rows that follow from documents (relations and lookups), inside the open transaction.
 *
 * New rows are pending until `flush`, and are then written in the order of their index: neighbours
 * there share a page, which is located, changed and written once. The larger the catalogue and the
 * unit, the more that saves. Rows of an entity are flushed before they are deleted.
 */
export class IndexWriter {
  readonly #relations: RelationRows
  #lookups: SQLInputValue[] = []
  /** Entities with pending rows. */
  readonly #pending = new Set<number>()
  readonly #insertLookups
  readonly #deleteLookup

  constructor(db: DatabaseSync) {
    this.#relations = new RelationRows(db)
    this.#insertLookups = prepareRows(db, 'lookups', ['type', 'key', 'value', 'entity_pk'], { or: 'OR IGNORE' })
    this.#deleteLookup = prepareWriting(
      db,
      'DELETE FROM lookups WHERE type = ? AND key = ? AND value = ? AND entity_pk = ?'
    )
  }

  insertRelations(pk: number, relations: EntityContent['relations']) {
    if (relations.length > 0) this.#pending.add(pk)
    this.#relations.add(pk, relations)
  }

  replaceRelations(pk: number, relations: EntityContent['relations']) {
    this.deleteRelations(pk)
    this.insertRelations(pk, relations)
  }

  deleteRelations(pk: number) {
    this.#flushPending(pk)
    this.#relations.delete(pk)
  }

  insertLookups(pk: number, lookups: readonly LookupValue[]) {
    if (lookups.length > 0) this.#pending.add(pk)
    for (const { type, key, value } of lookups) this.#lookups.push(type, key, value, pk)
  }

  deleteLookups(pk: number, lookups: readonly LookupValue[]) {
    this.#flushPending(pk)
    for (const { type, key, value } of lookups) this.#deleteLookup.run(type, key, value, pk)
  }

  /** Writes the pending rows. */
  flush() {
    this.#relations.flush()
    this.#insertLookups(this.#lookups)
    this.#lookups = []
    this.#pending.clear()
  }

  /** Discards the pending rows; must be called after every rollback. */
  clear() {
    this.#pending.clear()
    this.#relations.clear()
    this.#lookups = []
  }

  /** Flushes before existing rows of an entity are deleted. */
  #flushPending(pk: number) {
    if (this.#pending.has(pk)) this.flush()
  }
}

interface RelationRow extends Relation {
  readonly pk: number
  readonly position: number
}

/** Buffers rows of `relations` until they are flushed. */
class RelationRows {
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
