import type { ValueKind } from './values.ts'
import type { Name } from './vocabularies.ts'

/*
 * The RDF description of a type of record. The tables are in `mapping.ts`; `describe-entity.ts`
 * reads them.
 */

/** A node inside a record, such as its title in BIBFRAME or its address. */
export interface Part {
  /** Fragment of its IRI, after the IRI of the record. */
  readonly name: string
  /** The predicate from the record to it. */
  readonly by: Name
  readonly is: Name
  /**
   * Whether there is one for each value, counted from 1; else all values belong to the same one.
   */
  readonly each?: boolean
  /**
   * A field for each of whose values there is one; the other fields of the part describe all of
   * them. With at most one value, there is one without a number.
   */
  readonly perValueOf?: string
}

export interface FieldRule {
  readonly predicates: readonly Name[]
  /** The kind of the value; text by default. */
  readonly as?: ValueKind
  /** The part of the record that it describes, instead of the record. */
  readonly in?: Part
}

export interface RelationRule {
  readonly predicates?: readonly Name[]
  /** The inverse predicates, from the target to this record. */
  readonly back?: readonly Name[]
  readonly in?: Part
  /** The table of `roles.ts`, if the predicate depends on the role. */
  readonly roles?: RoleTable
  /** Whether the target is described with its own relations, not only by its fields. */
  readonly follow?: boolean
}

export type RoleTable = 'ofWork' | 'ofEvent'

/** Statements about a record that follow from entities some relations away. */
export interface ReachRule extends Pick<RelationRule, 'predicates' | 'back' | 'roles'> {
  readonly by: readonly string[]
  /** Whether the name of the entity reached is the name of this record too. */
  readonly name?: boolean
}

export interface RdfMapping {
  readonly classes: readonly Name[]
  readonly fields?: Readonly<Record<string, readonly FieldRule[]>>
  readonly relations?: Readonly<Record<string, readonly RelationRule[]>>
  readonly reaches?: readonly ReachRule[]
  /**
   * Referring entities to show, by relation, and whether they are described with their own
   * relations.
   */
  readonly referrers?: Readonly<Record<string, { readonly follow?: boolean }>>
}
