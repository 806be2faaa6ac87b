import { type Entity, type Json, type Relation, targetsOf, valuesOf } from './entity.ts'
import { inLanguages } from './languages.ts'
import type { Model } from '../record-types/model.ts'
import type { RecordType } from '../record-types/record-type.ts'

/*
 * Relations as the WEM answer shows them, as JSON text: most of the text of an answer is the same
 * in thousands of others, and joining texts costs a tenth of serialising values again
 * (bench/wem.ts).
 */

/**
 * The part of an entity that the answers about entities that refer to it show. Its record type says
 * which members these are.
 */
export interface RelationSummary {
  readonly id: string
  readonly type: string
  /**
   * The members of a relation to it, as JSON without the braces: `"label":"person","value":"…"`.
   * Undefined if the type is unknown.
   */
  readonly members: string | undefined
  readonly name: string
  /** Whether a relation to it shows all its broader levels as well. */
  readonly climbs: boolean
  /** The key of the broader record, if it has one. */
  readonly parent: string | undefined
}

/** The way in which a client wants related entities to be shown. */
export interface RelatedView {
  /** The languages of their names, the preferred ones first. */
  readonly languages?: readonly string[]
  /** Their fields and relations that are shown under `fields`. */
  readonly fields?: readonly string[]
}

export function relationSummaryOf(model: Model, given: Entity, view: RelatedView = {}): RelationSummary {
  const entity = inLanguages(given, view.languages)
  const { id, type } = entity
  const recordType = model.findType(type)
  if (!recordType) return { id, type, members: undefined, name: '', climbs: false, parent: undefined }
  const { climbsBy } = recordType
  const shown = {
    label: recordType.relationLabel ?? type,
    ...membersOf(recordType, entity),
    ...(view.fields && { fields: chosenOf(entity, view.fields) })
  }
  return {
    id,
    type,
    members: withoutBraces(shown),
    name: String(valuesOf(entity, recordType.nameField)[0] ?? ''),
    climbs: climbsBy !== undefined,
    parent: climbsBy === undefined ? undefined : targetsOf(entity, climbsBy)[0]
  }
}

/** Chosen fields of an entity: its values, and the ids of its related entities. */
const chosenOf = (entity: Entity, names: readonly string[]): Record<string, readonly Json[]> =>
  Object.fromEntries(
    names.flatMap(name => {
      const all = [...valuesOf(entity, name), ...targetsOf(entity, name)]
      return all.length === 0 ? [] : [[name, all] as const]
    })
  )

function membersOf(recordType: RecordType, target: Entity): Record<string, Json> {
  const members: Record<string, Json> = {}
  for (const [member, key] of Object.entries(recordType.resolvedAs ?? { value: recordType.nameField })) {
    const [first] = valuesOf(target, key)
    if (first === undefined || first === null || first === '') {
      if (recordType.resolvedAs && !recordType.omittedWhenEmpty?.includes(member)) members[member] = ''
      continue
    }
    members[member] = recordType.fields[key]?.kind === 'codes' && !Array.isArray(first) ? [first] : first
  }
  return members
}

/** Returns the summary of a related entity, or undefined when it is missing. */
export type FindRelationSummary = (key: string) => RelationSummary | undefined

/**
 * The relations of an entity as a dictionary by key, in JSON. A dictionary cannot have one key
 * twice, so further types of the same relation, with their metadata, are listed beside the first.
 */
export function resolveRelations(relations: readonly Relation[], find: FindRelationSummary): string {
  const byKey = Map.groupBy(relations, relation => relation.key)
  let text = ''
  for (const [key, all] of byKey) {
    const [first] = all
    if (first === undefined) continue
    const metadata = all.some(each => each.metadata) ? all.flatMap(each => each.metadata ?? []) : undefined
    const relation = metadata === undefined || all.length === 1 ? first : { ...first, metadata }
    const others = all.length > 1 ? severalTypes(all) : ''
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:{${resolveRelation(relation, find)}${others}}`
  }
  return `{${text}}`
}

/** The types of several relations to one entity, and the metadata of each type. */
function severalTypes(all: readonly Relation[]): string {
  const roles = all.flatMap(({ type, metadata }) => (metadata ? [[type, metadata] as const] : []))
  const types = `,"types":${JSON.stringify(all.map(each => each.type))}`
  return roles.length === 0 ? types : `${types},"roles":${JSON.stringify(Object.fromEntries(roles))}`
}

/** The members of a relation, as JSON without the braces. */
export function resolveRelation({ key, type, metadata }: Relation, find: FindRelationSummary): string {
  const target = find(key)
  const own = metadata ? `,"metadata":${JSON.stringify(metadata)}` : ''
  if (target?.members === undefined) return `"type":${JSON.stringify(type)},"label":"missing"${own}`
  const levels = target.climbs ? `,"levels":${climb(target, find)}` : ''
  return `"type":${JSON.stringify(type)},${target.members}${levels}${own}`
}

/**
 * From the broadest record, level "1", down to the record itself. A cycle in the data ends the
 * climb.
 */
function climb(from: RelationSummary, find: FindRelationSummary): string {
  const chain: RelationSummary[] = []
  const seen = new Set<string>()
  for (let each: RelationSummary | undefined = from; each && !seen.has(each.id); ) {
    seen.add(each.id)
    chain.push(each)
    each = each.parent === undefined ? undefined : find(each.parent)
  }
  return JSON.stringify(chain.reverse().map(({ name }, index) => ({ level: String(index + 1), title: name })))
}

const withoutBraces = (value: object) => JSON.stringify(value).slice(1, -1)
