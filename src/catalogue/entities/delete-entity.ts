import { checkRelationCounts } from '#domain/editing/check-fields.ts'
import { contentOf, type Entity, type Relation, targetsOf } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, forbidden } from '#domain/errors.ts'
import { isJsonObject } from '#domain/json.ts'
import type { Principal } from '#domain/permissions.ts'
import { differentRelation } from '#domain/record-types/different-relation.ts'
import { mediaRelation } from '#domain/record-types/media-relations.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import type { EntityWrite, StoredEntity } from '#store/ports/entities.ts'
import { type ExpectedVersions, refuseOtherVersion } from './change-entity.ts'
import { findDeletable } from './find-permitted.ts'
import { findReferring } from './find-referring.ts'
import { happensOnce, onceOf, type RequestKey } from './once.ts'
import { scopeOf } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'

export interface DeleteOptions {
  readonly expected?: ExpectedVersions
  readonly dryRun?: boolean
  /** Removes the relations that refer to the entity from their records, instead of refusing. */
  readonly detach?: boolean
  /** Also deletes entities that are parts of this entity alone; other references are detached. */
  readonly withParts?: boolean
  /** Deletes the media files of the entity with it, unless other records have them. */
  readonly withMediafiles?: boolean
  /** Makes the deletion happen once, however often the request is sent. */
  readonly once?: RequestKey | undefined
}

const maxTries = 20

/**
 * Deletes an entity; its versions stay stored. Throws `still_referenced` with the entities that
 * refer to it, unless they are detached. A record that is only said to be different from it loses
 * that relation.
 */
export const deleteEntity = happensOnce(deleteNow, {
  keyOf: (_identifier, options?) => options?.once,
  repeat: () => ({ deleted: [], detached: [] })
})

/** The entities that were deleted or detached together with an entity. */
export interface Deletion {
  readonly deleted: readonly string[]
  readonly detached: readonly string[]
}

async function deleteNow(
  parts: Parts,
  principal: Principal,
  identifier: string,
  options: DeleteOptions = {}
): Promise<Deletion> {
  let relationTypes: readonly string[] | undefined
  for (let tries = 1; ; tries++) {
    const stored = await findDeletable(parts, principal, identifier)
    refuseOtherVersion(stored, options.expected)
    const isPart = (type: string) =>
      options.withParts === true || (options.withMediafiles === true && type === mediafile.type)
    const hasParts = options.withParts === true || options.withMediafiles === true
    const removed = hasParts ? await findParts(parts, principal, stored, isPart) : []
    const named = options.withMediafiles ? await findNamedMediafiles(parts, principal, stored) : []
    const removedIds = new Set([...removed, ...named].map(each => each.id))
    const isDetaching = options.detach || options.withParts
    const detaching =
      isDetaching || relationTypes
        ? await detachReferences(parts, principal, stored, id => removedIds.has(id), relationTypes)
        : []
    try {
      await parts.store.write({
        writes: [
          ...detaching,
          ...removed.map(each => ({ kind: 'delete' as const, id: each.id, expectedVersion: each.version })),
          { kind: 'delete', id: stored.id, expectedVersion: stored.version },
          ...named.map(each => ({ kind: 'delete' as const, id: each.id, expectedVersion: each.version }))
        ],
        by: principal.name,
        dryRun: options.dryRun ?? false,
        ...onceOf(principal, options.once, null)
      })
      return { deleted: [...removedIds], detached: detaching.map(each => each.content.id) }
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error
      // Somebody changed one of the records, or referred to this one, meanwhile: try again.
      const isReferenced = error.code === 'still_referenced'
      const isMarked = isReferenced && !isDetaching && !relationTypes && isOnlySaidToBeDifferent(error)
      if (isMarked) relationTypes = [differentRelation]
      const isRace =
        (error.code === 'version_mismatch' && !options.expected) || (isReferenced && isDetaching) || isMarked
      if (!isRace || tries === maxTries) throw await withReadableReferences(parts, principal, error)
    }
  }
}

/**
 * Tests whether a refusal names only records that are said to be different. Others are refused at
 * once: the next lines of a batch may go first when a deletion is tried again.
 */
function isOnlySaidToBeDifferent({ extra: { references } }: CatalogueError): boolean {
  return (
    Array.isArray(references) && references.every(each => isJsonObject(each) && each.relation === differentRelation)
  )
}

/**
 * Finds entities that are parts of this entity alone: its performances and media files. Throws
 * `forbidden` when one may not be deleted.
 */
async function findParts(
  parts: Parts,
  principal: Principal,
  whole: StoredEntity,
  isWanted: (type: string) => boolean
): Promise<StoredEntity[]> {
  const { identifiers } = JSON.parse(whole.json) as Entity
  const names = new Set(identifiers)
  const referring = await parts.store.findEntities(await findReferring(parts.store, whole.id, undefined))
  return [...referring.values()].filter(stored => {
    const relation = parts.model.findType(stored.type)?.partOf
    const wholes = relation === undefined ? [] : targetsOf(JSON.parse(stored.json) as Entity, relation)
    if (!isWanted(stored.type) || wholes.length === 0 || !wholes.every(key => names.has(key))) return false
    if (!principal.mayDelete(stored.type)) throw forbidden(`delete records of type "${stored.type}"`)
    return true
  })
}

/** The media files that a record names and no other record has. Throws `forbidden`. */
async function findNamedMediafiles(parts: Parts, principal: Principal, owner: StoredEntity): Promise<StoredEntity[]> {
  const keys = targetsOf(JSON.parse(owner.json) as Entity, mediaRelation)
  const named: StoredEntity[] = []
  for (const stored of keys.length === 0 ? [] : (await parts.store.findEntities(keys)).values()) {
    const others = (await findReferring(parts.store, stored.id, undefined)).filter(id => id !== owner.id)
    const wholes = targetsOf(JSON.parse(stored.json) as Entity, mediafile.partOf ?? '')
    if (stored.type !== mediafile.type || others.length > 0 || wholes.length > 0) continue
    if (!principal.mayDelete(stored.type)) throw forbidden(`delete records of type "${stored.type}"`)
    named.push(stored)
  }
  return named
}

/**
 * Makes the writes that remove the references to an entity from all records, with exceptions; all
 * of them, or those of some relations.
 */
export async function detachReferences(
  parts: Parts,
  principal: Principal,
  target: StoredEntity,
  except: (id: string) => boolean = () => false,
  relationTypes?: readonly string[]
): Promise<Extract<EntityWrite, { kind: 'update' }>[]> {
  const referring = await findReferring(parts.store, target.id, undefined, relationTypes)
  const ids = referring.filter(id => id !== target.id && !except(id))
  const { identifiers } = JSON.parse(target.json) as Entity
  const names = new Set(identifiers)
  const writes: Extract<EntityWrite, { kind: 'update' }>[] = []
  let isPossible = true
  const impossible: { id: string; type: string; message: string }[] = []
  for (const stored of (await parts.store.findEntities(ids)).values()) {
    if (!principal.mayWrite(stored.type)) throw forbidden('change all records that refer to this one')
    const entity = JSON.parse(stored.json) as Entity
    const isDetached = ({ key, type }: Relation) => names.has(key) && (relationTypes?.includes(type) ?? true)
    const relations = entity.relations.filter(relation => !isDetached(relation))
    const recordType = parts.model.findType(stored.type)
    const faults: Fault[] = []
    if (recordType) checkRelationCounts(recordType, relations, faults)
    const [fault] = faults
    if (fault && principal.mayRead(stored.type))
      impossible.push({ id: stored.id, type: stored.type, message: fault.message })
    isPossible &&= fault === undefined
    writes.push({ kind: 'update', content: { ...contentOf(entity), relations }, expectedVersion: stored.version })
  }
  if (isPossible) return writes
  throw new CatalogueError('still_referenced', `Entity "${target.id}" cannot be detached: other records require it`, {
    about: ['id', target.id],
    extra: { references: impossible }
  })
}

/** Maximum number of references in a refusal. */
const maxListed = 20

/**
 * A refusal with only those references that the principal may read. They are looked up again: the
 * store lists the first ones, hidden or not.
 */
export async function withReadableReferences(
  parts: Parts,
  principal: Principal,
  error: CatalogueError
): Promise<CatalogueError> {
  const { references } = error.extra
  const [, id] = error.about ?? []
  if (!Array.isArray(references) || id === undefined || principal.readsEverything) return error
  const page = await parts.store.findReferences({
    id,
    ...scopeOf(principal),
    skip: 0,
    limit: maxListed
  })
  const readable = page.references.map(each => ({ id: each.id, type: each.type, relation: each.relationType }))
  return new CatalogueError(error.code, error.message, {
    cause: error,
    faults: error.faults,
    extra: { ...error.extra, references: readable },
    ...(error.about ? { about: error.about } : {})
  })
}
