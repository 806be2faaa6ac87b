import { type Difference, mergeChanges } from '#domain/editing/difference.ts'
import { contentOf, type Entity, type EntityContent, type Relation } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, forbidden, notFound } from '#domain/errors.ts'
import { identityOfRelation } from '#domain/editing/merge-lists.ts'
import type { Principal } from '#domain/permissions.ts'
import type { WantedContent } from '#domain/editing/read-draft.ts'
import type { StoredEntity } from '#store/store.ts'
import { noteOf, type WriteOptions, type Written, writtenEarlier } from './create-entity.ts'
import { findEarlier, happensOnce, onceOf } from './once.ts'
import type { Parts } from '../parts.ts'
import { prepareContent, type PrepareOptions, type Prepared, relationsById } from './prepare-content.ts'
import { showWrittenTo, visibleTargets } from '../guarded/visibility.ts'

/** Which versions a change may be made to: from `If-Match`. Undefined means any. */
export type ExpectedVersions = ReadonlySet<number> | undefined

export interface ChangeOptions extends WriteOptions {
  readonly expected?: ExpectedVersions
  /**
   * Joins the change with what others changed since the expected version, where they changed other
   * fields.
   */
  readonly merges?: boolean
}

/**
 * What an edit makes of the entity as its editor sees it. Faults it adds are told together with all
 * others.
 */
export type Edit = (current: Entity, faults: Fault[]) => WantedContent

/**
 * So often is a change made again when somebody else, in another process, was quicker; each time
 * one of them has got through.
 */
const mostTries = 100

/**
 * Changes an entity: reads it, edits it, checks it, and writes it if nobody else has in the
 * meantime; otherwise it starts again from what they wrote, so that two changes of different fields
 * both last. With `expected` it is not tried again: throws `version_mismatch`.
 *
 * Who changes the same entity in this process waits for their turn: of a hundred who try at once
 * only one gets through, and the others would have done everything for nothing, again and again
 * (1,000 editors of 10 records took 45 s that way).
 */
export const changeEntity = happensOnce(2, changeNow)

async function changeNow(
  parts: Parts,
  principal: Principal,
  identifier: string,
  edit: Edit,
  options: ChangeOptions = {}
): Promise<Written> {
  const earlier = await findEarlier(parts, principal, options.once)
  if (earlier) return showWritten(parts, principal, writtenEarlier(earlier))
  const mayRepeat = !options.expected || options.merges === true
  const { uuid } = await findWritable(parts, principal, identifier)
  using _turn = mayRepeat ? await parts.turns.take(uuid) : undefined
  for (let tries = 1; ; tries++) {
    const stored = await findWritable(parts, principal, identifier)
    const isExpected = !options.expected || options.expected.has(stored.version)
    const fitting = isExpected ? edit : await mergingEdit(parts, principal, stored, edit, options)
    try {
      return await changeOnce(parts, principal, stored, fitting, options)
    } catch (error) {
      // Fields that both changed stay in conflict, however often it is tried.
      const isRace =
        error instanceof CatalogueError && error.code === 'version_mismatch' && error.extra.conflicts === undefined
      if (!isRace || !mayRepeat || tries === mostTries) throw error
    }
  }
}

/**
 * The edit as it would have been, had its maker seen the newest version: what they changed is laid
 * over what others changed since. Throws `version_mismatch` with the fields that both changed, and
 * always when no merge was asked for.
 */
async function mergingEdit(
  parts: Parts,
  principal: Principal,
  stored: StoredEntity,
  edit: Edit,
  options: ChangeOptions
): Promise<Edit> {
  const [version, ...more] = options.expected ?? []
  const past =
    version === undefined || more.length > 0 ? undefined : await parts.store.findVersionByUuid(stored.uuid, version)
  if (!past?.json) throw otherVersion(stored)
  const whole = JSON.parse(past.json) as Entity
  // As its editor saw it.
  const isVisible = await visibleTargets(parts.store, principal, whole.relations)
  const base = { ...whole, relations: whole.relations.filter(isVisible) }
  return (current, faults) => {
    const mine = edit(base, faults)
    const joined = mergeChanges(contentOf(base), contentOf(current), mine)
    // Conflicts show what others wrote: only for those who may read it.
    if ('conflicts' in joined) throw otherVersion(stored, principal.mayRead(stored.type) ? joined.conflicts : undefined)
    if (!options.merges) throw otherVersion(stored, [])
    return { ...mine, ...joined.merged }
  }
}

async function changeOnce(
  parts: Parts,
  principal: Principal,
  stored: StoredEntity,
  edit: Edit,
  { dryRun = false, allowDangling = false, once, content: facts }: ChangeOptions
): Promise<Written> {
  const before = JSON.parse(stored.json) as Entity
  const { content, warnings } = await applyEdit(parts, principal, before, edit, { allowDangling, content: facts })
  if (isSameContent(contentOf(before), content)) {
    // Remembered too: when the request comes again, somebody may have changed the entity since.
    if (once && !dryRun) {
      const note = noteOf({ warnings, isNew: false, unchanged: stored })
      await parts.store.write({ writes: [], by: principal.name, ...onceOf(principal, once, note) })
    }
    return showWritten(parts, principal, { entity: stored, warnings, changed: false, isNew: false })
  }
  const [entity] = await parts.store.write({
    writes: [{ kind: 'update', content, expectedVersion: stored.version }],
    by: principal.name,
    dryRun,
    allowDangling,
    ...onceOf(principal, once, noteOf({ warnings, isNew: false }))
  })
  if (!entity) throw new Error('The store wrote an entity and did not give it back')
  return showWritten(parts, principal, { entity, warnings, changed: true, isNew: false })
}

/** What an edit makes of an entity, checked. */
export async function applyEdit(
  parts: Parts,
  principal: Principal,
  before: Entity,
  edit: Edit,
  options: Pick<PrepareOptions, 'allowDangling' | 'together' | 'content'>
): Promise<Prepared> {
  const recordType = parts.model.findType(before.type)
  if (!recordType) throw new Error(`Entity "${before.id}" is of type "${before.type}", which the model does not have`)
  const isVisible = await visibleTargets(parts.store, principal, before.relations)
  const faults: Fault[] = []
  const seen = { ...before, relations: before.relations.filter(isVisible) }
  const edited = edit(seen, faults)
  // What the editor could not see, the editor could not mean to remove; one who writes without
  // reading may still name it.
  const hidden = before.relations.filter(relation => !isVisible(relation))
  const given = hidden.length === 0 ? [] : await relationsById(parts, principal, edited.relations)
  const named = new Set(given.map(identityOfRelation))
  const kept = hidden.filter(relation => !named.has(identityOfRelation(relation)))
  const wanted = { ...edited, relations: [...edited.relations, ...kept] }
  const prepared = await prepareContent(parts, principal, recordType, wanted, faults, {
    ...options,
    before: seen,
    keeps: before,
    kept
  })
  const relations = keepPlaces(before.relations, prepared.content.relations, kept)
  return { ...prepared, content: { ...prepared.content, relations } }
}

/** The outcome with the entity as the principal sees it. */
export async function showWritten(parts: Parts, principal: Principal, written: Written): Promise<Written> {
  return { ...written, entity: await showWrittenTo(parts.store, principal, written.entity) }
}

/**
 * Puts the relations that were kept, which come last, back behind those that they followed: order
 * is kept for those who see them.
 */
function keepPlaces(
  before: readonly Relation[],
  edited: readonly Relation[],
  kept: readonly Relation[]
): readonly Relation[] {
  if (kept.length === 0) return edited
  const shown = edited.slice(0, edited.length - kept.length)
  const stillThere = new Set(shown.map(identityOfRelation))
  const hidden = new Set(kept.map(identityOfRelation))
  const following = new Map<string, Relation[]>()
  let previous = ''
  for (const relation of before) {
    const identity = identityOfRelation(relation)
    const group = following.get(previous)
    if (!hidden.has(identity)) previous = stillThere.has(identity) ? identity : previous
    else if (group) group.push(relation)
    else following.set(previous, [relation])
  }
  const behind = (identity: string) => following.get(identity) ?? []
  return [...behind(''), ...shown.flatMap(relation => [relation, ...behind(identityOfRelation(relation))])]
}

/**
 * Finds an entity that the principal may write. One with which they may do nothing at all does not
 * exist for them.
 */
export async function findWritable(parts: Parts, principal: Principal, identifier: string): Promise<StoredEntity> {
  const stored = await parts.store.findEntity(identifier)
  if (stored && principal.mayWrite(stored.type)) return stored
  if (stored && (principal.mayRead(stored.type) || principal.mayDelete(stored.type)))
    throw forbidden(`write records of type "${stored.type}"`)
  throw notFound('entity', identifier)
}

export function refuseOtherVersion(stored: StoredEntity, expected: ExpectedVersions) {
  if (expected && !expected.has(stored.version)) throw otherVersion(stored)
}

/** With the fields in conflict, where they are known. */
function otherVersion(stored: StoredEntity, conflicts?: readonly Difference[]): CatalogueError {
  const words =
    conflicts === undefined || conflicts.length === 0
      ? `Entity "${stored.id}" has version ${stored.version}, not the one given`
      : `Entity "${stored.id}" has version ${stored.version}, and somebody else changed the same fields`
  return new CatalogueError('version_mismatch', words, {
    about: ['id', stored.id],
    extra: { current_version: stored.version, ...(conflicts ? { conflicts } : {}) }
  })
}

export const isSameContent = (one: EntityContent, other: EntityContent) =>
  JSON.stringify([one.metadata, one.relations, one.otherIdentifiers]) ===
  JSON.stringify([other.metadata, other.relations, other.otherIdentifiers])
