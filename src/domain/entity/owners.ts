import type { Model } from '../record-types/model.ts'
import { levels, wemLinks } from './publication.ts'

/**
 * The relation from a record to the record that it belongs to: from an item to its publication,
 * from a publication to its expressions, from an expression to its work, from a performance or a
 * media file to its production. Undefined for a record of its own.
 */
export function ownerRelation(model: Model, type: string): string | undefined {
  const umbrella = model.umbrellaOf(type)
  return isLinked(umbrella) ? wemLinks[umbrella] : model.findType(type)?.partOf
}

/** A relation from records of some types to the records that they belong to. */
export interface OwnerRelation {
  readonly relation: string
  readonly from: readonly string[]
}

/** The relations from records to those that they belong to. */
export function ownerRelations(model: Model): OwnerRelation[] {
  const types = model.recordTypes.map(({ type }) => type)
  const byRelation = Map.groupBy(types, type => ownerRelation(model, type))
  return [...byRelation].flatMap(([relation, from]) => (relation === undefined ? [] : [{ relation, from }]))
}

/** The level that publications and expressions belong to in the end. */
export const [workLevel, expressionLevel, manifestationLevel] = levels

/** Maximum number of relations from a record to what it belongs to: item, edition, text, work. */
export const maxOwnerSteps = 3

const isLinked = (umbrella: string): umbrella is keyof typeof wemLinks => Object.hasOwn(wemLinks, umbrella)
