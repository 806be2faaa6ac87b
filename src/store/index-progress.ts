import { changedTypes, type IndexRules, rulesText } from '#domain/search/index-rules.ts'
import type { Model } from '#domain/record-types/model.ts'

/*
 * Lookups follow from the records and from the model. A database stores the rules by which its
 * lookups were written. When a service starts with another model, the lookups of the types
 * concerned are written again, some at a time; the progress is stored with them.
 */

/**
 * Names of the properties with the rules and the progress. They are not moved to other databases.
 */
export const rulesName = 'index_rules'
export const progressName = 'index_progress'

/** The work that is left: entities of these types, from this key downwards. */
export interface IndexingPlan {
  readonly types: readonly string[]
  readonly from: number
  /** The new value of the property with the rules. */
  readonly rules: string
}

/** Plans the work; undefined where the lookups follow the model. */
export function planIndexing(
  model: Model,
  stored: string | undefined,
  progress: string | undefined
): IndexingPlan | undefined {
  const rules = rulesText(model)
  if (stored === undefined || stored === rules) return undefined
  const types = changedTypes(JSON.parse(stored) as IndexRules, JSON.parse(rules) as IndexRules)
  const begun = progress === undefined ? undefined : (JSON.parse(progress) as { rules: string; from: number })
  return { types, rules, from: begun?.rules === rules ? begun.from : Number.MAX_SAFE_INTEGER }
}

/** The types that lookups were written for and that this model does not have. */
export function droppedTypes(model: Model, known: string | undefined): string[] {
  if (known === undefined) return []
  const present = new Set(model.recordTypes.map(({ type }) => type))
  return Object.keys(JSON.parse(known) as IndexRules).filter(type => !present.has(type))
}

/** The error of a start with a model that does not describe all existing records. */
export const recordsWithoutType = (types: readonly string[]) =>
  new Error(
    `there are records of ${types.map(type => `"${type}"`).join(', ')}, which the model does not describe. Set MODEL to the file that does; to drop a type, delete its records first`
  )

/** The value of the property with the progress, after the entity with this key. */
export const progressText = ({ rules }: IndexingPlan, pk: number) => JSON.stringify({ rules, from: pk - 1 })

/** The types, of those given, whose lookups were written by other rules. */
export function typesOfOtherRules(model: Model, stored: string | undefined, types: readonly string[]): string[] {
  const plan = planIndexing(model, stored, undefined)
  return types.filter(type => plan?.types.includes(type))
}
