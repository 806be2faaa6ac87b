import { type Entity, type Json, type MetadataEntry, type Relation, targetsOf, valuesOf } from './entity.ts'
import type { Model } from './model.ts'
import type { RecordType } from './record-type.ts'

/** A relation as the WEM answer shows it (specification 2.2). Further members depend on the related type. */
export interface ResolvedRelation {
  readonly type: string
  readonly label: string
  /** All relation types, only where the same entity is related under more than one. */
  readonly types?: readonly string[]
  readonly metadata?: readonly MetadataEntry[]
  readonly [member: string]: unknown
}

/**
 * Resolves the relations of an entity into a dictionary by id. `find` gives a related entity, or undefined when it is missing.
 * Which members are added is read from the record type of the related entity.
 */
export function resolveRelations(
  model: Model,
  relations: readonly Relation[],
  find: (key: string) => Entity | undefined
): Record<string, ResolvedRelation> {
  // Without a prototype, so that no key a client chose can mean anything else.
  const resolved: Record<string, ResolvedRelation> = Object.create(null)
  for (const relation of relations) {
    const known = resolved[relation.key]
    resolved[relation.key] = known ? addType(known, relation) : resolveRelation(model, relation, find)
  }
  return resolved
}

/** A dictionary cannot hold one key twice: further types of the same relation, and what they say, stand beside the first. */
function addType(known: ResolvedRelation, { type, metadata }: Relation): ResolvedRelation {
  return {
    ...known,
    types: [...(known.types ?? [known.type]), type],
    ...(metadata ? { metadata: [...(known.metadata ?? []), ...metadata] } : {})
  }
}

function resolveRelation(
  model: Model,
  relation: Relation,
  find: (key: string) => Entity | undefined
): ResolvedRelation {
  const own = relation.metadata ? { metadata: relation.metadata } : {}
  const target = find(relation.key)
  const recordType = target && model.findType(target.type)
  if (!target || !recordType) return { type: relation.type, label: 'missing', ...own }
  return {
    type: relation.type,
    label: recordType.relationLabel ?? recordType.type,
    ...membersOf(recordType, target),
    ...(recordType.climbsBy === undefined ? {} : { levels: climb(recordType, target, recordType.climbsBy, find) }),
    ...own
  }
}

function membersOf(recordType: RecordType, target: Entity): Record<string, Json> {
  const members: Record<string, Json> = {}
  for (const [member, key] of Object.entries(recordType.resolvedAs ?? { value: recordType.nameField })) {
    const [first] = valuesOf(target, key)
    if (first === undefined || first === null || first === '') continue
    members[member] = recordType.fields[key]?.kind === 'codes' && !Array.isArray(first) ? [first] : first
  }
  return members
}

/** From the broadest record, level "1", down to the record itself. A cycle in the data ends the climb. */
function climb(
  recordType: RecordType,
  from: Entity,
  parentRelation: string,
  find: (key: string) => Entity | undefined
): Json {
  const chain: Entity[] = []
  const seen = new Set<string>()
  for (let each: Entity | undefined = from; each && !seen.has(each.id); ) {
    seen.add(each.id)
    chain.unshift(each)
    const [parent] = targetsOf(each, parentRelation)
    each = parent === undefined ? undefined : find(parent)
  }
  return chain.map((each, index) => ({
    level: String(index + 1),
    title: String(valuesOf(each, recordType.nameField)[0] ?? '')
  }))
}
