import { CatalogueError, type Fault, invalidWith } from '#domain/errors.ts'
import { isJsonObject, pointerTo } from '#domain/json.ts'
import type { ExpectedVersions } from '../entities/change-entity.ts'

const batchOperations = ['create', 'replace', 'patch', 'upsert', 'delete', 'merge', 'unmerge'] as const
export type BatchOperationName = (typeof batchOperations)[number]

/**
 * One line of a batch. `upsert` replaces the entity that has the id, or creates it. `merge` and
 * `unmerge` have the survivor as id, and the body of these operations.
 */
export interface BatchOperation {
  readonly op: BatchOperationName
  /** Any identifier of the entity; a creation may leave it out. */
  readonly id: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  readonly expected: ExpectedVersions
  readonly detach: boolean
}

/** Whether an operation is about two records, and is a transaction of its own. */
export const isMerging = ({ op }: Pick<BatchOperation, 'op'>) => op === 'merge' || op === 'unmerge'

const ownMembers = ['op', 'entity', 'if_match', 'references']

/**
 * Reads `{"op", "id", …}`: the entity is under `entity`, or its members are beside `op`. Throws
 * `invalid`.
 */
export function readBatchOperation(line: unknown): BatchOperation {
  if (line instanceof CatalogueError) throw line
  if (!isJsonObject(line)) throw invalidWith([{ pointer: '', message: 'An operation must be a JSON object' }])
  const faults: Fault[] = []
  const op = batchOperations.find(each => each === line.op)
  if (!op) faults.push({ pointer: '/op', message: `"op" must be one of ${batchOperations.join(', ')}` })
  if (line.entity !== undefined && !isJsonObject(line.entity))
    faults.push({ pointer: '/entity', message: '"entity" must be an object' })
  const { if_match: ifMatch, references } = line
  if (ifMatch !== undefined && !Number.isSafeInteger(ifMatch))
    faults.push({ pointer: '/if_match', message: '"if_match" must be a version' })
  if (references !== undefined && references !== 'detach')
    faults.push({ pointer: '/references', message: '"references" can only be "detach"' })
  const beside = Object.fromEntries(Object.entries(line).filter(([member]) => !ownMembers.includes(member)))
  const body = isJsonObject(line.entity) ? line.entity : beside
  if (isJsonObject(line.entity)) {
    for (const member of Object.keys(beside)) {
      if (member !== 'id') faults.push({ pointer: pointerTo('', member), message: `"${member}" belongs in "entity"` })
    }
  }
  const id = line.id ?? body.id ?? (op === 'upsert' ? body._id : undefined)
  if (id !== undefined && typeof id !== 'string') faults.push({ pointer: '/id', message: '"id" must be a string' })
  if (id === undefined && op !== undefined && op !== 'create' && op !== 'upsert')
    faults.push({ pointer: '/id', message: `"${op}" needs an "id"` })
  if (faults.length > 0 || !op) throw invalidWith(faults)
  const { id: named, ...withoutId } = body
  const isNamedBeside = op === 'create' && typeof line.id === 'string' && named === undefined
  return {
    op,
    id: id as string | undefined,
    body: isMerging({ op }) ? withoutId : isNamedBeside ? { ...body, id: line.id } : body,
    expected: ifMatch === undefined ? undefined : new Set([ifMatch as number]),
    detach: references === 'detach'
  }
}

/** The identifiers of the record that an operation is about, as far as the operation has them. */
export function identifiersOfOperation({ id, body }: BatchOperation): string[] {
  const others: unknown[] = Array.isArray(body.identifiers) ? body.identifiers : []
  return [id, body._id, body.victim_id, ...others].filter(name => typeof name === 'string')
}

/** The keys that the relations of an operation refer to. */
export function targetsOfOperation({ body }: BatchOperation): string[] {
  const { relations } = body
  if (!Array.isArray(relations)) return []
  return relations.flatMap((relation: unknown) =>
    isJsonObject(relation) && typeof relation.key === 'string' ? [relation.key] : []
  )
}
