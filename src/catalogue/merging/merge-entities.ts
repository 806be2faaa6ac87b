import {
  contentOf,
  type Entity,
  type EntityContent,
  type Json,
  type MetadataEntry,
  type Relation
} from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, forbidden, invalidWith } from '#domain/errors.ts'
import { findJsonFaults, pointerTo } from '#domain/json.ts'
import { keepBoth, type Values, valuesWithout } from '#domain/editing/keep-both.ts'
import { identityOfRelation, repointRelations } from '#domain/editing/merge-lists.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Pointers, readMetadata, readRelations, type WantedContent } from '#domain/editing/read-draft.ts'
import type { EntityWrite, StoredEntity } from '#store/ports/entities.ts'
import { type ExpectedVersions, refuseOtherVersion } from '../entities/change-entity.ts'
import { findWritable } from '../entities/find-permitted.ts'
import { findReferring } from '../entities/find-referring.ts'
import { keyedOperation, onceOf, repeatNote, type RequestKey } from '../entities/once.ts'
import type { Parts } from '../parts.ts'
import { prepareContent, recordTypeOf, relationsById } from '../entities/prepare-content.ts'
import { visibleTargets } from '../guarded/visibility.ts'

/** Options of merging and unmerging. */
export interface MergeOptions {
  readonly expected?: ExpectedVersions
  readonly dryRun?: boolean
  readonly once?: RequestKey | undefined
}

/** The two entities of a merge. */
export interface MergedPair {
  readonly survivor_id: string
  readonly victim_id: string
}

export interface MergeOutcome extends MergedPair {
  readonly repointed_references: number
  /** The values that the survivor gets from the victim, of a merge that keeps those of both. */
  readonly gained?: Values
  /** The values of the victim for which the survivor has no room. */
  readonly dropped?: Values
}

const maxTries = 20

/**
 * Merges one entity into another, in one transaction: every reference to the victim leads to the
 * survivor, the victim's identifiers become the survivor's, so that old ids resolve, and the victim
 * is deleted. Metadata and relations are the survivor's, unless the caller chose others.
 */
export const mergeEntities = keyedOperation<unknown, MergeOptions, MergeOutcome>(
  repeatNote,
  async (parts, principal, survivorIdentifier, body, options = {}) => {
    const { victimIdentifier, ...chosen } = readMerge(body)
    for (let tries = 1; ; tries++) {
      const survivor = await findWritable(parts, principal, survivorIdentifier)
      refuseOtherVersion(survivor, options.expected)
      const victim = await findWritable(parts, principal, victimIdentifier)
      refuseUnfit(parts, principal, survivor, victim)
      try {
        return await mergeOnce(parts, principal, { survivor, victim, chosen }, options)
      } catch (error) {
        // Somebody changed one of the records, or referred to the victim, meanwhile: try again.
        const isRace =
          error instanceof CatalogueError &&
          ((error.code === 'version_mismatch' && !options.expected) || error.code === 'still_referenced')
        if (!isRace || tries === maxTries) throw error
      }
    }
  }
)

/** A merge that was found fit. */
interface Merging {
  readonly survivor: StoredEntity
  readonly victim: StoredEntity
  readonly chosen: Chosen
}

/** The lists that the caller chose for the survivor. */
interface Chosen {
  readonly keepsBoth: boolean
  readonly metadata: readonly MetadataEntry[] | undefined
  readonly relations: readonly Relation[] | undefined
  readonly pointers: Pointers
}

async function mergeOnce(
  parts: Parts,
  principal: Principal,
  { survivor, victim, chosen }: Merging,
  options: MergeOptions
): Promise<MergeOutcome> {
  const survivorEntity = JSON.parse(survivor.json) as Entity
  const victimEntity = JSON.parse(victim.json) as Entity
  const names = new Set(victimEntity.identifiers)
  const content = await survivorContent(parts, principal, survivorEntity, victimEntity, chosen)
  const referring = (await findReferring(parts.store, victim.id, undefined)).filter(
    id => id !== survivor.id && id !== victim.id
  )
  const writes: EntityWrite[] = [
    { kind: 'delete', id: victim.id, expectedVersion: victim.version, mergedInto: survivor.id },
    { kind: 'update', content, expectedVersion: survivor.version }
  ]
  for (const stored of (await parts.store.findEntities(referring)).values()) {
    if (!principal.mayWrite(stored.type)) throw forbidden('change all records that refer to the one to be merged')
    const entity = JSON.parse(stored.json) as Entity
    const relations = repoint(entity.relations, names, survivor.id)
    writes.push({ kind: 'update', content: { ...contentOf(entity), relations }, expectedVersion: stored.version })
  }
  const outcome: MergeOutcome = {
    survivor_id: survivor.id,
    victim_id: victim.id,
    repointed_references: referring.length,
    ...(chosen.keepsBoth ? await keptValues(parts, principal, survivorEntity, victimEntity, content) : {})
  }
  await parts.store.write({
    writes,
    by: principal.name,
    dryRun: options.dryRun ?? false,
    merge: { survivorId: survivor.id, victimId: victim.id },
    ...onceOf(principal, options.once, outcome as unknown as Json)
  })
  return outcome
}

async function survivorContent(
  parts: Parts,
  principal: Principal,
  survivor: Entity,
  victim: Entity,
  chosen: Chosen
): Promise<EntityContent> {
  const recordType = recordTypeOf(parts, survivor)
  const own = contentOf(survivor)
  const both = chosen.keepsBoth ? keepBoth(recordType, survivor, victim) : survivor
  const relations = chosen.relations ? await withHidden(parts, principal, survivor, chosen.relations) : both.relations
  const wanted: WantedContent = {
    ...own,
    metadata: chosen.metadata ?? both.metadata,
    relations: withoutRelationsTo(relations, new Set(victim.identifiers), own),
    otherIdentifiers: [...survivor.identifiers.slice(2), ...victim.identifiers],
    pointers: chosen.pointers
  }
  const options = { before: survivor, existing: survivor }
  const { content } = await prepareContent(parts, principal, recordType, wanted, options)
  return content
}

/** The values of the victim that are taken and those that are not, as the principal sees them. */
async function keptValues(
  parts: Parts,
  principal: Principal,
  survivor: Entity,
  victim: Entity,
  content: EntityContent
): Promise<Pick<MergeOutcome, 'gained' | 'dropped'>> {
  if (![survivor, victim].every(({ type }) => principal.mayRead(type))) return {}
  const recordType = recordTypeOf(parts, survivor)
  const isVisible = await visibleTargets(parts.store, principal, [...content.relations, ...victim.relations])
  const own = new Set([...survivor.identifiers, ...victim.identifiers])
  const shown = ({ metadata, relations }: Values) => ({
    metadata,
    relations: relations.filter(relation => isVisible(relation) && !own.has(relation.key))
  })
  return {
    gained: shown(valuesWithout(recordType, content, survivor)),
    dropped: shown(valuesWithout(recordType, victim, content))
  }
}

/** Adds the relations of the entity that the caller could not see to the chosen ones. */
async function withHidden(parts: Parts, principal: Principal, entity: Entity, chosen: readonly Relation[]) {
  const isVisible = await visibleTargets(parts.store, principal, entity.relations)
  const named = new Set((await relationsById(parts, principal, chosen)).map(identityOfRelation))
  return [...chosen, ...entity.relations.filter(each => !isVisible(each) && !named.has(identityOfRelation(each)))]
}

/**
 * The relations of a survivor without those to the victim or to itself: they would refer to itself
 * afterwards.
 */
export function withoutRelationsTo(
  relations: readonly Relation[],
  names: ReadonlySet<string>,
  { id, uuid, otherIdentifiers }: EntityContent
): Relation[] {
  const own = new Set([id, uuid, ...otherIdentifiers])
  return relations.filter(relation => !names.has(relation.key) && !own.has(relation.key))
}

/** Redirects all relations with old identifiers to the new id. */
export const repoint = (relations: readonly Relation[], names: ReadonlySet<string>, id: string): Relation[] =>
  repointRelations(relations, key => (names.has(key) ? id : key))

function readMerge(body: unknown) {
  const faults: Fault[] = [...findJsonFaults(body)]
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidWith([{ pointer: '', message: 'A merge is a JSON object with "victim_id"' }])
  }
  const { victim_id, metadata, relations, keep, ...unknown } = body as Record<string, unknown>
  for (const member of Object.keys(unknown))
    faults.push({ pointer: pointerTo('', member), message: `Unknown member "${member}" of a merge` })
  if (typeof victim_id !== 'string') faults.push({ pointer: '/victim_id', message: 'A merge needs the "victim_id"' })
  if (keep !== undefined && (keep !== 'both' || metadata !== undefined || relations !== undefined))
    faults.push({ pointer: '/keep', message: '"keep" can only be "both", without "metadata" and "relations"' })
  const pointers: Pointers = new Map()
  const chosen = {
    pointers,
    victimIdentifier: String(victim_id),
    keepsBoth: keep === 'both',
    metadata: metadata === undefined ? undefined : readMetadata(metadata, '/metadata', faults, pointers),
    relations: relations === undefined ? undefined : readRelations(relations, '/relations', faults, pointers)
  }
  if (faults.length > 0) throw invalidWith(faults)
  return chosen
}

function refuseUnfit(parts: Parts, principal: Principal, survivor: StoredEntity, victim: StoredEntity) {
  if (survivor.id === victim.id) {
    throw invalidWith([{ pointer: '/victim_id', message: 'An entity cannot be merged into itself' }])
  }
  const umbrellas = [survivor, victim].map(each => parts.model.umbrellaOf(each.type))
  if (umbrellas[0] !== umbrellas[1]) {
    throw invalidWith([
      {
        pointer: '/victim_id',
        message: `A ${victim.type} cannot be merged into a ${survivor.type}: they are of different families`
      }
    ])
  }
  if (!principal.mayDelete(victim.type)) throw forbidden(`delete records of type "${victim.type}"`)
}
