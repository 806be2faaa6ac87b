import type { Entity } from '#domain/entity/entity.ts'
import { memoize } from '#domain/memoize.ts'
import { type IndexValue, indexValues } from '#domain/search/index-values.ts'
import { indexWords } from '#domain/search/index-words.ts'
import type { Model } from '#domain/record-types/model.ts'

/** A record in every form that it is found by. */
export interface IndexedDocument {
  /** Its place in the order of creation, which never changes. */
  readonly number: number
  /** The number of the change that wrote it. */
  readonly changed: number
  readonly uuid: string
  readonly id: string
  readonly type: string
  /** The uuid, the id, and those that clients added. */
  readonly identifiers: readonly string[]
  /** In milliseconds since 1970. */
  readonly createdAt: number
  readonly createdBy: string
  readonly updatedAt: number
  readonly updatedBy: string
  readonly values: readonly IndexValue[]
  readonly words: ReadonlyMap<string, number>
  readonly relations: readonly { readonly type: string; readonly key: string }[]
}

/** Changes of some documents, up to a change number. */
export interface IndexChanges {
  /** The number of the last change. */
  readonly change: number
  /** Documents as they are after it. */
  readonly written: readonly IndexedDocument[]
  /** Own uuids of documents that are there no more. */
  readonly removed: readonly string[]
}

/** Records that were written together share a moment. */
const instantOf = memoize(1000, text => Date.parse(text))

export function toIndexedDocument(model: Model, entity: Entity, number: number, changed: number): IndexedDocument {
  return {
    number,
    changed,
    uuid: entity._id,
    id: entity.id,
    type: entity.type,
    identifiers: entity.identifiers,
    createdAt: instantOf(entity.audit.created.at),
    createdBy: entity.audit.created.by,
    updatedAt: instantOf(entity.audit.updated.at),
    updatedBy: entity.audit.updated.by,
    values: indexValues(model, entity),
    words: indexWords(model, entity),
    relations: entity.relations.map(({ type, key }) => ({ type, key }))
  }
}
