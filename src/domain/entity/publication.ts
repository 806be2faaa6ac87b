import type { Entity, MetadataEntry } from './entity.ts'

/*
 * A publication as formats see it: a manifestation, what it holds, and everything that these are
 * related to, found already. Whoever writes one in a format needs nothing else.
 */

export const levels = ['work', 'expression', 'manifestation'] as const
export type Level = (typeof levels)[number]

/** Something that a level is related to. */
export interface RelatedEntity {
  /** The type of the relation: `refAuthors`. */
  readonly type: string
  /** What is true of this relation only, such as the role. */
  readonly metadata: readonly MetadataEntry[]
  readonly entity: Entity
}

/**
 * One level, with its relations in their order. Those that lead from level to level, and those to
 * nothing, are not among them.
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
}

/**
 * The relations that lead from one level up to the next; they are not repeated among those to other
 * things.
 */
export const wemLinks = { manifestation: 'refExpressions', expression: 'refWork' } as const

/** What a level is related to under one type of relation, in order. */
export function relatedBy(level: PublicationLevel | undefined, type: string): RelatedEntity[] {
  return level === undefined ? [] : level.related.filter(each => each.type === type)
}
