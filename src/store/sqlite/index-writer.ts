import type { DatabaseSync } from 'node:sqlite'

import type { EntityContent } from '#domain/entity/entity.ts'
import { indexValues } from '#domain/search/index-values.ts'
import { indexWords } from '#domain/search/index-words.ts'
import type { Model } from '#domain/record-types/model.ts'
import { prepareWriting } from './connection.ts'
import { RelationRows } from './relation-rows.ts'
import { ValueRows } from './value-rows.ts'
import { WordRows } from './word-rows.ts'

/**
 * Writes the rows by which entities are found, inside the open transaction.
 *
 * New rows are pending until `flush`, and are then written in the order of their index: neighbours
 * there share a page, which is located, changed and written once. The larger the catalogue and the
 * unit, the more that saves. Rows of an entity are flushed before they are deleted.
 */
export class IndexWriter {
  readonly #model: Model
  readonly #relations: RelationRows
  readonly #values: ValueRows
  readonly #words: WordRows
  /** Entities with pending rows. */
  readonly #pending = new Set<number>()
  readonly #insertIdentifier

  constructor(db: DatabaseSync, model: Model) {
    this.#model = model
    this.#relations = new RelationRows(db)
    this.#values = new ValueRows(db)
    this.#words = new WordRows(db)
    this.#insertIdentifier = prepareWriting(
      db,
      'INSERT OR REPLACE INTO identifiers (identifier, entity_pk) VALUES (?, ?)'
    )
  }

  /** Writes the rows of a new entity. */
  insert(pk: number, content: EntityContent) {
    this.#pending.add(pk)
    this.#relations.add(pk, content.relations)
    this.#values.add(pk, indexValues(this.#model, content))
    this.#words.add(pk, indexWords(this.#model, content))
  }

  /** Replaces the rows of an entity that changed. */
  update(pk: number, content: EntityContent, changed: { readonly relations: boolean; readonly metadata: boolean }) {
    this.#flushPending(pk)
    if (changed.relations) {
      this.#relations.delete(pk)
      this.#relations.add(pk, content.relations)
    }
    if (changed.metadata) {
      this.#values.delete(pk)
      this.#words.replace(pk, indexWords(this.#model, content))
      this.#values.add(pk, indexValues(this.#model, content))
    }
    this.#pending.add(pk)
  }

  updateWords(pk: number, content: EntityContent) {
    this.#flushPending(pk)
    this.#words.replace(pk, indexWords(this.#model, content))
    this.#pending.add(pk)
  }

  /** Replaces all rows of an entity, its identifiers included. */
  replace(pk: number, content: EntityContent) {
    for (const identifier of [content.uuid, content.id, ...content.otherIdentifiers])
      this.#insertIdentifier.run(identifier, pk)
    this.update(pk, content, { relations: true, metadata: true })
  }

  delete(pk: number) {
    this.#flushPending(pk)
    this.#relations.delete(pk)
    this.#values.delete(pk)
    this.#words.delete(pk)
  }

  /** Writes the pending rows. */
  flush() {
    this.#relations.flush()
    this.#values.flush()
    this.#words.flush()
    this.#pending.clear()
  }

  /** Discards the pending rows; must be called after every rollback. */
  clear() {
    this.#pending.clear()
    this.#relations.clear()
    this.#values.clear()
    this.#words.clear()
  }

  /** Flushes before existing rows of an entity are read or deleted. */
  #flushPending(pk: number) {
    if (this.#pending.has(pk)) this.flush()
  }
}
