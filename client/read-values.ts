import type { Entity, Relation } from './api.ts'
import type { FieldKey, FieldValue, RelationType } from './checked-names.ts'

type WithMetadata = Pick<Entity, 'metadata'>

/** A relation of an entity. Lists with `include: 'relations'` also give the name of its target. */
export type Related = Relation & {
  /** The name of the related entity, where relations are resolved. */
  readonly value?: string
}

/**
 * The value of a metadata key: in this language if there is one, else the first. Undefined where
 * there is none.
 */
export function value<Key extends FieldKey>(
  { metadata }: WithMetadata,
  key: Key,
  lang?: string
): FieldValue<Key> | undefined {
  const entries = metadata.filter(entry => entry.key === key)
  const entry = entries.find(each => lang !== undefined && each.lang === lang) ?? entries[0]
  return entry?.value as FieldValue<Key> | undefined
}

/** All values of a metadata key that repeats, such as `isbn`. */
export const values = <Key extends FieldKey>({ metadata }: WithMetadata, key: Key): FieldValue<Key>[] =>
  metadata.filter(entry => entry.key === key).map(entry => entry.value as FieldValue<Key>)

/** The relations of a type: `key` is the id of the target. */
export const related = (entity: Pick<Entity, 'relations'>, type: RelationType): Related[] =>
  entity.relations.filter(relation => relation.type === type) as Related[]
