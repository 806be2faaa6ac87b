import type { Entity, EntityContent, Json } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, forbidden, invalidWith } from '#domain/errors.ts'
import { newId, uuidPattern } from '#domain/entity/ids.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Draft, readDraft } from '#domain/editing/read-draft.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import type { ContentFacts } from '#domain/entity/server-fields.ts'
import type { EarlierOutcome, EntityWrite, StoredEntity, WriteUnit } from '#store/ports/entities.ts'
import { happensOnce, onceOf, type RequestKey } from './once.ts'
import { viewOfWritten } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'
import { prepareContent } from './prepare-content.ts'
import { warnOfDuplicates } from './warn-of-duplicates.ts'

export interface WriteOptions {
  readonly dryRun?: boolean
  readonly allowDangling?: boolean
  /** Makes the write happen once, however often the request is sent. */
  readonly once?: RequestKey | undefined
  /** Content that the entity has from the beginning. */
  readonly content?: ContentFacts | undefined
  /** Whether the answer warns of likely duplicates, which costs a search; true by default. */
  readonly warnsOfDuplicates?: boolean
}

export interface CreateOptions extends WriteOptions {
  /** Makes a change of another entity that is written together with the new one, or not at all. */
  readonly alongside?: ((created: EntityContent) => Promise<EntityWrite>) | undefined
}

/**
 * The result of a write. `entity` is as stored; `changed` is false when nothing had to be written;
 * `isNew` is true when the entity did not exist before.
 */
export interface Written {
  readonly entity: StoredEntity
  readonly warnings: readonly Fault[]
  readonly changed: boolean
  readonly isNew: boolean
}

/**
 * Maximum attempts with a random id. A taken id is so unlikely that a second attempt is enough;
 * failing five times means an error elsewhere.
 */
const maxTries = 5

/** Creates an entity. Throws `invalid`, `forbidden`, or `identifier_taken`. */
export const createEntity = happensOnce(createNow, { keyOf: (_body, options?) => options?.once, repeat: repeatWrite })

async function createNow(
  parts: Parts,
  principal: Principal,
  body: unknown,
  options: CreateOptions = {}
): Promise<Written> {
  const { dryRun = false, allowDangling = false, alongside } = options
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
      otherIdentifiers,
      pointers: draft.pointers
    }
    const { content, warnings: doubts } = await prepareContent(parts, principal, recordType, wanted, {
      faults,
      allowDangling,
      content: options.content
    })
    const same = options.warnsOfDuplicates === false ? [] : warnOfDuplicates(parts, principal, content)
    // The search runs beside the write, unless its result is stored with it.
    const found = options.once ? await same : []
    const view = await viewOfWritten(parts.store, principal, [content])
    try {
      const entity = await writeOne(parts, {
        writes: [{ kind: 'insert', content }, ...(alongside ? [await alongside(content)] : [])],
        by: principal.name,
        dryRun,
        allowDangling,
        ...onceOf(principal, options.once, noteOf({ warnings: [...doubts, ...found], isNew: true }))
      })
      const warnings = [...doubts, ...(await same)]
      return { entity: view(entity), warnings, changed: true, isNew: true }
    } catch (error) {
      const isOurs = error instanceof CatalogueError && error.code === 'identifier_taken' && error.about?.[1] === id
      if (!isOurs || draft.id !== undefined || tries === maxTries) throw error
    }
  }
}

/**
 * The note that is stored under the key of a write, beside the entity that it wrote. A write that
 * changed nothing stores the unchanged entity.
 */
interface Note {
  readonly warnings: readonly Fault[]
  readonly isNew: boolean
  readonly unchanged?: StoredEntity
}

export const noteOf = (note: Note) => note as unknown as Json

/** Makes the result of a write that has happened. */
export async function repeatWrite(
  parts: Parts,
  principal: Principal,
  { outcome, note }: EarlierOutcome
): Promise<Written> {
  const { warnings, isNew, unchanged } = note as unknown as Note
  const entity = unchanged ?? outcome[0]
  if (!entity) throw new Error('The outcome of a write is stored without its entity')
  const view = await viewOfWritten(parts.store, principal, [JSON.parse(entity.json) as Entity])
  return { entity: view(entity), warnings, changed: unchanged === undefined, isNew }
}

/**
 * The record type of a new entity. Throws when it does not exist, or the principal may not write
 * it.
 */
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

export function checkGivenUuid(body: unknown, faults: Fault[]) {
  const given = (body as { _id?: unknown } | null)?._id
  if (given === undefined || faults.some(fault => fault.pointer === '')) return
  const isUuid = typeof given === 'string' && uuidPattern.test(given)
  if (!isUuid) faults.push({ pointer: '/_id', message: '"_id" must be a UUID' })
}

/** Writes a unit, and returns the entity of its first write. */
export async function writeOne({ store }: Parts, unit: WriteUnit): Promise<StoredEntity> {
  const [entity] = await store.write(unit)
  if (!entity) throw new Error('The store wrote an entity and did not return it')
  return entity
}
