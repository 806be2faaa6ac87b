import { CatalogueError, type Fault, forbidden, invalidWith } from '#domain/errors.ts'
import { newId, uuidPattern } from '#domain/ids.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Draft, readDraft } from '#domain/read-draft.ts'
import type { RecordType } from '#domain/record-type.ts'
import type { StoredEntity } from '#store/store.ts'
import type { Parts } from './parts.ts'
import { prepareContent } from './prepare-content.ts'

export interface WriteOptions {
  readonly dryRun?: boolean
  readonly allowDangling?: boolean
}

/** What a write left behind. `entity` is as stored; `changed` is false when nothing had to be written. */
export interface Written {
  readonly entity: StoredEntity
  readonly warnings: readonly Fault[]
  readonly changed: boolean
}

/** A random id that is taken is so unlikely that a second try is enough, and a fifth is a fault elsewhere. */
const mostTries = 5

/** Adds an entity. Throws `invalid`, `forbidden`, or `identifier_taken`. */
export async function createEntity(
  parts: Parts,
  principal: Principal,
  body: unknown,
  options: WriteOptions = {}
): Promise<Written> {
  const faults: Fault[] = []
  const draft = readDraft(body, faults)
  const recordType = readNewType(parts, principal, draft, faults)
  checkGivenUuid(body, faults)
  for (let tries = 1; ; tries++) {
    const id = draft.id ?? newId(recordType.idPrefix, parts.randomBelow)
    const uuid = draft.uuid ?? parts.newUuid()
    const otherIdentifiers = draft.identifiers.filter(each => each !== id && each !== uuid)
    const wanted = {
      id,
      uuid,
      type: recordType.type,
      metadata: draft.metadata,
      relations: draft.relations,
      otherIdentifiers
    }
    const { content, warnings } = await prepareContent(parts, recordType, wanted, faults, options)
    try {
      const [entity] = await parts.store.write({
        writes: [{ kind: 'insert', content }],
        by: principal.name,
        ...options
      })
      if (!entity) throw new Error('The store wrote an entity and did not give it back')
      return { entity, warnings, changed: true }
    } catch (error) {
      const isOurs = error instanceof CatalogueError && error.code === 'identifier_taken' && error.about?.[1] === id
      if (!isOurs || draft.id !== undefined || tries === mostTries) throw error
    }
  }
}

/** The record type that a new entity names. Throws when there is none, or the principal may not write it. */
export function readNewType(parts: Parts, principal: Principal, draft: Draft, faults: Fault[]): RecordType {
  const recordType = draft.type === undefined ? undefined : parts.model.findType(draft.type)
  if (recordType) {
    if (!principal.mayWrite(recordType.type)) throw forbidden(`write records of type "${recordType.type}"`)
    return recordType
  }
  if (draft.type === undefined) {
    if (!faults.some(fault => fault.pointer === '' || fault.pointer === '/type')) {
      faults.push({ pointer: '/type', message: 'An entity needs a "type"' })
    }
  } else if (parts.model.isUmbrella(draft.type)) {
    const subtypes = parts.model.typesNamed(draft.type).join(', ')
    faults.push({ pointer: '/type', message: `"${draft.type}" stands for several types; write one of ${subtypes}` })
  } else {
    faults.push({ pointer: '/type', message: `Unknown type "${draft.type}"` })
  }
  throw invalidWith(faults)
}

function checkGivenUuid(body: unknown, faults: Fault[]) {
  const given = (body as { _id?: unknown } | null)?._id
  if (given === undefined || faults.some(fault => fault.pointer === '')) return
  const isUuid = typeof given === 'string' && uuidPattern.test(given)
  if (!isUuid) faults.push({ pointer: '/_id', message: '"_id" must be a UUID' })
}
