import type { Entity, MetadataEntry } from './entity.ts'

/*
 * A publication as formats need it: a manifestation, its expressions and works, and all related
 * entities, already loaded. Writing it in a format needs nothing else.
 */

export const levels = ['work', 'expression', 'manifestation'] as const
export type Level = (typeof levels)[number]

/** An entity that a level is related to. */
export interface RelatedEntity {
  /** The type of the relation: `refAuthors`. */
  readonly type: string
  /** Metadata of this relation only, such as the role. */
  readonly metadata: readonly MetadataEntry[]
  readonly entity: Entity
}

/**
 * One level, with its relations in their order, without those between levels and those to missing
 * entities.
 */
export interface PublicationLevel {
  readonly entity: Entity
  readonly related: readonly RelatedEntity[]
}

export interface PublicationExpression extends PublicationLevel {
  /** Undefined where it is missing, or may not be read. */
  readonly work: PublicationLevel | undefined
}

export interface Publication {
  readonly manifestation: PublicationLevel
  /** In the order of the manifestation's relations; several of an anthology. */
  readonly expressions: readonly PublicationExpression[]
  /** The copies that libraries hold, if they were asked for. */
  readonly items?: readonly PublicationLevel[]
}

/**
 * The relations from one level to the next higher one; they are not repeated among the other
 * relations.
 */
export const wemLinks = { manifestation: 'refExpressions', expression: 'refWork' } as const

/** The entities that a level is related to under one type of relation, in order. */
export function relatedBy(level: PublicationLevel | undefined, type: string): readonly RelatedEntity[] {
  if (level === undefined) return none
  // A record is asked for some thirty types, of which it has five or so.
  return level.related.some(each => each.type === type) ? level.related.filter(each => each.type === type) : none
}

const none: readonly RelatedEntity[] = []
