/*
 * Words used throughout:
 *
 * - entity: one stored record; it has a type, metadata and relations
 * - id: the identifier that people use, with a type prefix (`PR-6V8VLIHP0`)
 * - uuid: the identifier that machines use; it never changes (`_id` in the interface)
 * - identifier: any text that identifies an entity: its uuid, its id, and those a client added
 * - relation: a typed reference from one entity to another (`refVenues`)
 * - umbrella: a common name of several types (`manifestation`)
 * - principal: the caller, with the rights that it has
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json }

export interface MetadataEntry {
  readonly key: string
  readonly value: Json
  readonly lang?: string
}

export interface Relation {
  /** The id of the related entity. */
  readonly key: string
  readonly type: string
  /** Metadata of this relation only, such as the role of an author. */
  readonly metadata?: readonly MetadataEntry[]
}

/** The content of an entity that clients decide; the store adds the rest. */
export interface EntityContent {
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly metadata: readonly MetadataEntry[]
  readonly relations: readonly Relation[]
  /** Identifiers beside the uuid and the id. */
  readonly otherIdentifiers: readonly string[]
}

export interface AuditStamp {
  readonly at: string
  readonly by: string
}

export interface Audit {
  readonly created: AuditStamp
  readonly updated: AuditStamp
}

/** An entity as every interface shows it. */
export interface Entity {
  readonly id: string
  readonly _id: string
  readonly _key: string
  readonly type: string
  readonly version: number
  readonly metadata: readonly MetadataEntry[]
  readonly relations: readonly Relation[]
  readonly identifiers: readonly string[]
  readonly audit: Audit
}

/** Members that the server owns. A client may send them back; they are ignored. */
export const serverOwnedMembers = [
  '_id',
  '_key',
  'version',
  'audit',
  'schema',
  'document_version',
  'date_created',
  'date_updated',
  'local',
  'warnings'
] as const

export function toEntity(content: EntityContent, version: number, audit: Audit): Entity {
  return {
    id: content.id,
    _id: content.uuid,
    _key: content.id,
    type: content.type,
    version,
    metadata: content.metadata,
    relations: content.relations,
    identifiers: [content.uuid, content.id, ...content.otherIdentifiers],
    audit
  }
}

export function contentOf(entity: Entity): EntityContent {
  return {
    id: entity.id,
    uuid: entity._id,
    type: entity.type,
    metadata: entity.metadata,
    relations: entity.relations,
    otherIdentifiers: entity.identifiers.slice(2)
  }
}

/** The values of a metadata key, in order. */
export function valuesOf(entity: Pick<Entity, 'metadata'>, key: string): Json[] {
  return entity.metadata.filter(entry => entry.key === key).map(entry => entry.value)
}

/** The keys of the entities related under a relation type, in order. */
export function targetsOf(entity: Pick<Entity, 'relations'>, relationType: string): string[] {
  return entity.relations.filter(relation => relation.type === relationType).map(relation => relation.key)
}

/**
 * An entity as it is stored. `json` is the very text of an answer, so a read need not parse and
 * print it.
 */
export interface StoredEntity {
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly version: number
  readonly json: string
}

/** A change of one entity. */
export type EntityWrite =
  | { readonly kind: 'insert'; readonly content: EntityContent }
  | { readonly kind: 'update'; readonly content: EntityContent; readonly expectedVersion: number }
  | {
      readonly kind: 'delete'
      readonly id: string
      readonly expectedVersion: number
      /** Id of the entity that it is merged into. */
      readonly mergedInto?: string
    }
  /** Restores a deleted entity; its versions continue after the deletion. */
  | {
      readonly kind: 'restore'
      readonly content: EntityContent
      /** The version that marks the deletion. */
      readonly expectedVersion: number
      readonly created: AuditStamp
    }

/** An entity and the entities around it, as far as the reader may see them. */
export interface Surrounded {
  readonly entity: Entity
  /** The entity itself and those whose own relations were followed, the entity first. */
  readonly whole: readonly Entity[]
  /** Other entities that refer to the entity. */
  readonly referring: readonly Entity[]
  /** All targets of relations of these, by the key in the relation. */
  readonly related: ReadonlyMap<string, Entity>
  /** Relation types by which more entities refer to this one than were read. */
  readonly cutOff: readonly string[]
  /** The time zone of the catalogue, for performances at places whose own is not known. */
  readonly timeZone: string
}
