import type { ValueKind } from './values.ts'
import type { Name } from './vocabularies.ts'

/*
 * What is said in RDF of a type of record. The tables are in `mapping.ts`; `describe-entity.ts`
 * reads them.
 */

/** A node inside a record, such as its title in BIBFRAME or its address. */
export interface Part {
  /** Fragment of its name, behind the name of the record. */
  readonly name: string
  /** How the record points to it. */
  readonly by: Name
  readonly is: Name
  /** One for each value, counted from 1; else all values are said of the same one. */
  readonly each?: boolean
}

export interface FieldRule {
  readonly says: readonly Name[]
  /** How the value is read; as a text where nothing else is said. */
  readonly as?: ValueKind
  /** It is said of a part of the record, not of the record. */
  readonly in?: Part
}

export interface RelationRule {
  readonly says?: readonly Name[]
  /** What the target says of this record in turn. */
  readonly back?: readonly Name[]
  readonly in?: Part
  /** The predicate depends on the role: which table of `roles.ts`. */
  readonly roles?: RoleTable
  /** The target is described with its own relations, not only by its fields. */
  readonly follow?: boolean
}

export type RoleTable = 'ofWork' | 'ofEvent'

/** What is said of a record because of what its relations lead to, some steps away. */
export interface ReachRule extends Pick<RelationRule, 'says' | 'back' | 'roles'> {
  readonly by: readonly string[]
  /** The name of what is reached is the name of this record too. */
  readonly name?: boolean
}

export interface RdfMapping {
  readonly classes: readonly Name[]
  readonly fields?: Readonly<Record<string, readonly FieldRule[]>>
  readonly relations?: Readonly<Record<string, readonly RelationRule[]>>
  readonly reaches?: readonly ReachRule[]
  /**
   * Who points here and is shown: by which relation, and whether they are described with their own
   * relations.
   */
  readonly referrers?: Readonly<Record<string, { readonly follow?: boolean }>>
}
