import { checkMetadata, checkRelationCounts, type SanitizeHtml } from '#domain/editing/check-fields.ts'
import { doubtOfRelation, lacksZone } from '#domain/editing/value-warnings.ts'
import {
  contentOf,
  type Entity,
  type EntityContent,
  type MetadataEntry,
  type Relation,
  targetsOf
} from '#domain/entity/entity.ts'
import { zoneOfShow } from '#domain/values/zone-of-place.ts'
import { programme, venuesOf } from '#domain/record-types/programme.ts'
import { readDate } from '#domain/values/dates.ts'
import { instantIn, momentIn } from '#domain/values/time-zone.ts'
import { CatalogueError, type Fault, invalidWith, missingTarget } from '#domain/errors.ts'
import { identityOfRelation } from '#domain/editing/merge-lists.ts'
import { type Pointers, repeatedRelation, type WantedContent } from '#domain/editing/read-draft.ts'
import type { Principal } from '#domain/permissions.ts'
import { findByteExcess, findExcess, newHtmlBudget } from '#domain/editing/record-limits.ts'
import { differentRelation } from '#domain/record-types/different-relation.ts'
import { mediaRelations } from '#domain/record-types/media-relations.ts'
import { storedIdentifier } from '#domain/entity/ids.ts'
import type { RecordType, RelationRule } from '#domain/record-types/record-type.ts'
import { type ContentFacts, retainServerFields } from '#domain/entity/server-fields.ts'
import type { Identified } from '#store/ports/entities.ts'
import type { Parts } from '../parts.ts'

export interface Prepared {
  readonly content: EntityContent
  readonly warnings: readonly Fault[]
}

export interface PrepareOptions {
  /** Faults that were found before; they are reported with all others. */
  readonly faults?: readonly Fault[]
  readonly allowDangling?: boolean
  /** The entity before the change; relations that it had already are not checked again. */
  readonly before?: Pick<Entity, 'relations'>
  /**
   * The entity whose counts and content are retained: in its current state, or in its state at
   * deletion.
   */
  readonly existing?: Entity
  /** New content of the entity. */
  readonly content?: ContentFacts | undefined
  /** Relations that the writer cannot see and that are retained. */
  readonly retained?: readonly Relation[]
  /**
   * Entities that are created together with this one, by all their identifiers; they are not in the
   * store yet.
   */
  readonly together?: ReadonlyMap<string, CreatedTogether>
  /**
   * Leaves out relations to entities that do not exist, with a warning, for content that comes
   * back, and joins those that lead to one entity since a merge. Contains keys that the store has
   * refused: their entities were deleted meanwhile.
   */
  readonly leavesOut?: ReadonlySet<string>
}

/** An entity that is not in the store yet, with its content where it is known. */
export type CreatedTogether = Identified & Partial<Pick<EntityContent, 'metadata' | 'relations'>>

/** The record type of a stored entity, which the model must have. */
export function recordTypeOf({ model }: Parts, { id, type }: Pick<Entity, 'id' | 'type'>): RecordType {
  const recordType = model.findType(type)
  if (!recordType) throw new Error(`Entity "${id}" is of type "${type}", which is not in the model`)
  return recordType
}

/**
 * Checks content against its record type, and converts it into the stored form: safe HTML,
 * defaults, relations by the id of their target. Throws one `invalid` with everything that is
 * wrong.
 */
export async function prepareContent(
  parts: Parts,
  principal: Principal,
  recordType: RecordType,
  { pointers, ...given }: WantedContent,
  options: PrepareOptions = {}
): Promise<Prepared> {
  const faults = [...(options.faults ?? [])]
  const { relations: present, warnings: leftOut } = options.leavesOut
    ? await leaveOutMissing(parts, given.relations, options.before?.relations ?? [], options.leavesOut)
    : { relations: given.relations, warnings: [] }
  const wanted = { ...given, relations: await withVenueOfHall(parts, recordType, present, options) }
  const before = options.existing && contentOf(options.existing)
  const isWithoutZone = wanted.metadata.some(entry => lacksZoneHere(recordType, entry))
  const zone = isWithoutZone ? await zoneFor(parts, wanted, options.together) : parts.timeZone
  const zoned = wanted.metadata.map(entry => withZone(zone, recordType, entry, pointers))
  const complete = retainServerFields(recordType, zoned, options.existing?.metadata ?? [], options.content)
  const excess = findExcess(recordType, wanted, before, pointers)
  // Content that exceeds a limit is not processed further.
  if (excess.length > 0) throw invalidWith([...excess, ...faults])
  faults.push(...(await parts.undeclaredNames.findExcess(wanted, before, pointers)))
  // To others, the lack of a warning would tell what the record has.
  const known = principal.mayRead(recordType.type) ? options.existing : undefined
  const { metadata, warnings } = checkMetadata(recordType, complete, sanitizerFor(parts, options.existing), faults, {
    ...{ before: options.existing?.metadata, pointers },
    knownKeys: new Set(known?.metadata.map(({ key }) => key))
  })
  checkRelationCounts(recordType, wanted.relations, faults)
  const relations = await checkTargets(parts, principal, recordType, wanted.relations, { ...options, pointers, faults })
  await refuseLoop(parts, recordType, { ...wanted, relations }, faults)
  if (options.content?.size === 0) faults.push({ pointer: '', message: 'The file is empty' })
  if (faults.length > 0) throw toError(recordType, faults)
  const content = { ...wanted, metadata, relations }
  // HTML may have become longer by closing tags.
  const grown = findByteExcess(content, before)
  if (grown.length > 0) throw invalidWith(grown)
  const doubts = doubtsOfRelations(recordType, wanted.relations, known && options.before, pointers)
  return { content, warnings: [...leftOut, ...warnings, ...doubts] }
}

/**
 * The relations without those to entities that do not exist, and a warning for each of these.
 * Content that comes back (by a revert, a restoration, the end of a merge) refers to entities that
 * may have been deleted or purged since. Relations that the entity has now stay as they are.
 */
export async function leaveOutMissing(
  parts: Pick<Parts, 'store'>,
  relations: readonly Relation[],
  present: readonly Pick<Relation, 'key'>[],
  missing: ReadonlySet<string>
): Promise<{ relations: readonly Relation[]; warnings: Fault[] }> {
  const had = new Set(present.map(({ key }) => key))
  const added = relations.filter(({ key }) => !had.has(key))
  if (added.length === 0) return { relations, warnings: [] }
  const known = await identifyTargets(parts, added)
  const isLeftOut = ({ key }: Relation) => !had.has(key) && (missing.has(key) || !known(key))
  return {
    relations: relations.filter(each => !isLeftOut(each)),
    warnings: relations.filter(isLeftOut).map(({ type, key }) => ({
      pointer: '/relations',
      message: `The relation ${type} to "${key}" was not restored: no record has this identifier any more`,
      code: 'missing_target',
      value: key
    }))
  }
}

/** The relations of a performance that names a hall and no venue, with the venue of the hall. */
async function withVenueOfHall(
  { store }: Parts,
  { relations: rules }: RecordType,
  relations: readonly Relation[],
  { together }: PrepareOptions
): Promise<readonly Relation[]> {
  const [key] = Object.hasOwn(rules, programme.halls) ? targetsOf({ relations }, programme.halls) : []
  if (key === undefined || relations.some(({ type }) => type === programme.at)) return relations
  const stored = await store.findEntity(key)
  const hall = stored ? (JSON.parse(stored.json) as Entity) : together?.get(key)
  const [venue] = hall?.relations ? targetsOf({ relations: hall.relations }, programme.at) : []
  return venue === undefined ? relations : [...relations, { key: venue, type: programme.at }]
}

/** The time zone of moments without one: that of the venue, or that of the catalogue. */
async function zoneFor(
  { store, timeZone }: Parts,
  content: Pick<EntityContent, 'relations'>,
  together: PrepareOptions['together']
): Promise<string> {
  const found = new Map<string, Pick<EntityContent, 'metadata' | 'relations'>>()
  const find = async (keys: readonly string[]) => {
    for (const [key, { json }] of keys.length === 0 ? [] : await store.findEntities(keys))
      found.set(key, JSON.parse(json) as Entity)
    for (const key of keys) {
      const { metadata, relations } = together?.get(key) ?? {}
      if (metadata && relations) found.set(key, { metadata, relations })
    }
  }
  const productions = targetsOf(content, programme.ofProduction)
  await find([...productions, ...targetsOf(content, programme.at)])
  await find(venuesOf(content, found.get(productions[0] ?? '')))
  return zoneOfShow(content, key => found.get(key)) ?? timeZone
}

/** Tests whether an entry is a moment with a time and without a time zone. */
function lacksZoneHere({ fields }: RecordType, { key, value }: MetadataEntry): boolean {
  const isMoment = Object.hasOwn(fields, key) && fields[key]?.kind === 'moment'
  return isMoment && typeof value === 'string' && lacksZone(value)
}

/** Adds the offset of a time zone to a moment without one. */
function withZone(
  zone: string,
  recordType: RecordType,
  entry: MetadataEntry,
  pointers: Pointers | undefined
): MetadataEntry {
  if (!lacksZoneHere(recordType, entry)) return entry
  const read = readDate(String(entry.value))
  if (read === undefined) return entry
  const zoned = { ...entry, value: momentIn(zone, instantIn(zone, read.first)) }
  const sentAt = pointers?.get(entry)
  if (sentAt !== undefined) pointers?.set(zoned, sentAt)
  return zoned
}

/** Doubts about new relations of a type that the record type does not have. */
function doubtsOfRelations(
  recordType: RecordType,
  relations: readonly Relation[],
  before: Pick<Entity, 'relations'> | undefined,
  pointers: Pointers | undefined
): Fault[] {
  const known = new Set(before?.relations.map(each => each.type))
  return relations.flatMap(relation => {
    const { type } = relation
    const sentAt = pointers?.get(relation)
    if (sentAt === undefined || ruleOf(recordType, type) || known.has(type)) return []
    // Once for each type: a record may have thousands of relations.
    known.add(type)
    return [{ pointer: `${sentAt}/type`, ...doubtOfRelation(recordType, type), key: type }]
  })
}

/**
 * Sanitizes the HTML of one record. HTML that is stored already stays as it is, even when it
 * exceeds the limits of now.
 */
function sanitizerFor({ sanitizeHtml }: Parts, existing: Entity | undefined): SanitizeHtml {
  const budget = newHtmlBudget()
  return html => {
    const safe = sanitizeHtml(html, budget)
    const isStored = safe.excess !== undefined && existing?.metadata.some(each => each.value === html)
    return isStored ? { html, removed: [] } : safe
  }
}

/** Maximum number of steps in search of a cycle: no classification is deeper. */
const maxClimb = 64

/** Refuses a record that would be above itself in its hierarchy. */
async function refuseLoop(parts: Parts, { type, climbsBy }: RecordType, content: EntityContent, faults: Fault[]) {
  if (climbsBy === undefined) return
  let above = content.relations.find(relation => relation.type === climbsBy)?.key
  for (let step = 0; step < maxClimb && above !== undefined; step++) {
    if (above === content.id || above === content.uuid) {
      faults.push({ pointer: '/relations', message: `A ${type} cannot be above itself` })
      return
    }
    const stored = await parts.store.findEntity(above)
    const entity = stored && (JSON.parse(stored.json) as Entity)
    above = entity?.relations.find(relation => relation.type === climbsBy)?.key
  }
}

interface TargetOptions extends Omit<PrepareOptions, 'faults'>, Pick<WantedContent, 'pointers'> {
  /** Receives the faults. */
  readonly faults: Fault[]
}

/** Resolves relations to the ids of their targets, and checks the types of the targets. */
async function checkTargets(
  parts: Parts,
  principal: Principal,
  recordType: RecordType,
  relations: readonly Relation[],
  { allowDangling = false, before, retained = [], together, leavesOut, pointers, faults }: TargetOptions
): Promise<Relation[]> {
  if (relations.length === 0) return []
  const known = await identifyTargets(parts, relations)
  const had = new Set(before?.relations.map(identityOfRelation))
  const unseen = new Set(retained)
  const seen = new Set<string>()
  return relations.flatMap((relation, index) => {
    const pointer = pointers?.get(relation) ?? `/relations/${index}`
    const given = identityOfRelation(relation)
    if (had.has(given) && !seen.has(given)) {
      // Unchanged, whatever the target is: a relation that referred to nothing may by now lead to a
      // type that does not fit.
      seen.add(given)
      return relation
    }
    const found = together?.get(relation.key) ?? known(relation.key)
    const target = found && (existsFor(principal, found.type) || unseen.has(relation)) ? found : undefined
    const key = target?.id ?? storedIdentifier(relation.key)
    const resolved = key === relation.key ? relation : { ...relation, key }
    const identity = identityOfRelation(resolved)
    if (seen.has(identity)) {
      if (leavesOut) return []
      faults.push(repeatedRelation(pointer))
    }
    seen.add(identity)
    if (!target) {
      if (!allowDangling && !had.has(identity)) faults.push(missingTarget(`${pointer}/key`, relation.key))
    } else {
      const rule = ruleOf(recordType, relation.type)
      const isAllowed = !rule || rule.to.some(name => parts.model.typesNamed(name).includes(target.type))
      if (!isAllowed) {
        faults.push({
          pointer: `${pointer}/key`,
          message: `${relation.type} refers to ${rule.to.join(' or ')}, but "${relation.key}" is a ${target.type}`
        })
      }
    }
    return resolved
  })
}

/**
 * The rule of a relation: of the record type, or of those that every type may have, to media files
 * and to different records of its own kind.
 */
function ruleOf({ type: own, umbrella, relations }: RecordType, type: string): RelationRule | undefined {
  if (Object.hasOwn(relations, type)) return relations[type]
  if (type === differentRelation) return { to: [umbrella ?? own] }
  return Object.hasOwn(mediaRelations, type) ? mediaRelations[type] : undefined
}

/**
 * Replaces each key by the id of the entity that it names, when that exists for the principal. A
 * relation that is replaced gets the pointer of the one it replaces.
 */
export async function relationsById(
  parts: Parts,
  principal: Principal,
  relations: readonly Relation[],
  pointers?: Pointers
): Promise<Relation[]> {
  if (relations.length === 0) return []
  const known = await identifyTargets(parts, relations)
  return relations.map(relation => {
    const target = known(relation.key)
    const key = target && existsFor(principal, target.type) ? target.id : storedIdentifier(relation.key)
    const byId = { ...relation, key }
    const pointer = pointers?.get(relation)
    if (pointer !== undefined) pointers?.set(byId, pointer)
    return byId
  })
}

/**
 * Identifies the targets of relations. Some existing clients put the collection before an
 * identifier (`entities/VE-1`); that is read where nothing has the whole as its identifier.
 */
async function identifyTargets(
  { store }: Pick<Parts, 'store'>,
  relations: readonly Relation[]
): Promise<(key: string) => Identified | undefined> {
  const keys = relations.map(({ key }) => key)
  const known = await store.identify([...new Set([...keys, ...keys.flatMap(key => withoutCollection(key) ?? [])])])
  return key => {
    const bare = known.has(key) ? undefined : withoutCollection(key)
    return known.get(bare ?? key)
  }
}

const withoutCollection = (key: string): string | undefined => /^(?:entities|mediafiles)\/(.+)$/s.exec(key)?.[1]

/**
 * Whether a type exists for a principal. An entity that they can neither read nor write cannot be
 * referred to either: otherwise the error would reveal that it exists.
 */
const existsFor = (principal: Principal, type: string) => principal.mayRead(type) || principal.mayWrite(type)

/**
 * Makes the error for faults. A single field that is too long may have an error code of its own
 * that clients know.
 */
function toError({ fields }: RecordType, faults: readonly Fault[]): CatalogueError {
  const error = invalidWith(faults)
  const [{ code, value = '' } = {}, ...more] = faults
  const known = code === 'too_long' && more.length === 0 ? fields[value]?.tooLong : undefined
  return known === undefined ? error : new CatalogueError(known, error.message, { faults })
}
