import { changedTypes, type IndexRules, indexRulesOf } from '#domain/search/index-rules.ts'
import type { Model } from '#domain/record-types/model.ts'

/*
 * Index rows follow from the records and from the model. A database remembers by which rules its
 * rows were written, and where a service is started with another model, those of the types
 * concerned are written anew, some at a time; how far that came is kept with them.
 */

/**
 * The properties that remember it. They are about the rows of one database, and are not moved to
 * another.
 */
export const rulesName = 'index_rules'
export const progressName = 'index_progress'

/** What is still to be done: entities of these types, from this place downwards. */
export interface IndexingPlan {
  readonly types: readonly string[]
  readonly from: number
  /** The value of the first property, once it is done. */
  readonly rules: string
}

export const rulesText = (model: Model) => JSON.stringify(indexRulesOf(model))

/** Undefined where the rows are as the model wants them. */
export function planIndexing(
  model: Model,
  known: string | undefined,
  progress: string | undefined
): IndexingPlan | undefined {
  const rules = rulesText(model)
  if (known === undefined || known === rules) return undefined
  const types = changedTypes(JSON.parse(known) as IndexRules, JSON.parse(rules) as IndexRules)
  const begun = progress === undefined ? undefined : (JSON.parse(progress) as { rules: string; from: number })
  return { types, rules, from: begun?.rules === rules ? begun.from : Number.MAX_SAFE_INTEGER }
}

/** The types that rows were written for and that this model does not have. */
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

/** The value of the second property, after the entity at this place was done. */
export const progressText = ({ rules }: IndexingPlan, place: number) => JSON.stringify({ rules, from: place - 1 })

/** What `check` says first where rows of types that there are were written by other rules. */
export function describeOtherRules(model: Model, known: string | undefined, types: readonly string[]): string[] {
  const plan = planIndexing(model, known, undefined)
  const concerned = types.filter(type => plan?.types.includes(type))
  return concerned.length === 0
    ? []
    : [`Index rows of ${concerned.join(', ')} follow another model (MODEL); start the service once with this one`]
}
