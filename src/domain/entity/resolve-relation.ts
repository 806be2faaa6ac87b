import { type Entity, type Json, type Relation, targetsOf, valuesOf } from './entity.ts'
import type { Model } from '../record-types/model.ts'
import type { RecordType } from '../record-types/record-type.ts'

/*
 * Relations as the WEM answer shows them (specification 2.2): as JSON, since most of the text of an
 * answer is the same in thousands of others, and to put texts together costs a tenth of making them
 * anew from values (bench/wem.ts).
 */

/**
 * All that an entity brings into the answers of those that point to it. Which members these are is
 * read from its record type.
 */
export interface RelationSummary {
  readonly id: string
  readonly type: string
  /**
   * What a relation to it shows, as JSON without the braces: `"label":"person","value":"…"`.
   * Undefined where the type is not known.
   */
  readonly members: string | undefined
  readonly name: string
  /** Whether a relation to it shows all levels above it as well. */
  readonly climbs: boolean
  /** The key of the broader record, where it climbs. */
  readonly parent: string | undefined
}

export function relationSummaryOf(model: Model, entity: Entity): RelationSummary {
  const { id, type } = entity
  const recordType = model.findType(type)
  if (!recordType) return { id, type, members: undefined, name: '', climbs: false, parent: undefined }
  const { climbsBy } = recordType
  const shown = { label: recordType.relationLabel ?? type, ...membersOf(recordType, entity) }
  return {
    id,
    type,
    members: withoutBraces(shown),
    name: String(valuesOf(entity, recordType.nameField)[0] ?? ''),
    climbs: climbsBy !== undefined,
    parent: climbsBy === undefined ? undefined : targetsOf(entity, climbsBy)[0]
  }
}

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

/** Gives what is known of a related entity, or undefined when it is missing. */
export type FindRelationSummary = (key: string) => RelationSummary | undefined

/**
 * The relations of an entity as a dictionary by key, in JSON. A dictionary cannot hold one key
 * twice: further types of the same relation, and what they say, stand beside the first.
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

/** What a relation shows, as JSON without the braces. */
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
