import { type Difference, mergeChanges } from '#domain/editing/difference.ts'
import { contentOf, type Entity, type EntityContent, type Relation } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault } from '#domain/errors.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
import { identityOfRelation } from '#domain/editing/merge-lists.ts'
import type { Principal } from '#domain/permissions.ts'
import type { WantedContent } from '#domain/editing/read-draft.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import { noteOf, repeatWrite, writeOne, type WriteOptions, type Written } from './create-entity.ts'
import { findWritable } from './find-permitted.ts'
import { keyedOperation, onceOf } from './once.ts'
import type { Parts } from '../parts.ts'
import { prepareContent, type PrepareOptions, type Prepared, recordTypeOf, relationsById } from './prepare-content.ts'
import { viewOfWritten, visibleTargets } from '../guarded/visibility.ts'
import { warnOfDuplicates } from './warn-of-duplicates.ts'

/** The versions that a change may apply to, from `If-Match`. Undefined means any. */
export type ExpectedVersions = ReadonlySet<number> | undefined

export interface ChangeOptions extends WriteOptions {
  readonly expected?: ExpectedVersions
  /**
   * Merges the change with changes of others since the expected version, when they changed other
   * fields.
   */
  readonly merges?: boolean
  /** As in `PrepareOptions`. */
  readonly leavesOut?: ReadonlySet<string>
}

/**
 * Makes the new content of an entity from its current state, as the editor sees it. Faults that it
 * adds are reported together with all others. It is made again after a concurrent write, so it
 * reads what it needs from the store itself: targets of relations may have been merged meanwhile.
 */
export type Edit = (current: Entity, faults: Fault[]) => MaybePromise<WantedContent>

/**
 * Maximum retries after a concurrent write by another process; each time one of the writers has
 * succeeded.
 */
const maxTries = 100

/**
 * Changes an entity: reads it, edits it, checks it, and writes it unless somebody else has written
 * it meanwhile; then it starts again from their version, so that two changes of different fields
 * both last. With `expected` it does not retry: throws `version_mismatch`.
 *
 * Changes of the same entity in this process wait for each other: of a hundred concurrent writers
 * only one would succeed, and all others would repeat their work again and again (1,000 editors of
 * 10 records took 45 s that way).
 */
export const changeEntity = keyedOperation<Edit, ChangeOptions, Written>(
  repeatWrite,
  async (parts, principal, identifier, edit, options = {}) => {
    const mayRepeat = !options.expected || options.merges === true
    const { uuid } = await findWritable(parts, principal, identifier)
    using _lock = mayRepeat ? await parts.locks.take(uuid) : undefined
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
        if (!isRace || !mayRepeat || tries === maxTries) throw error
      }
    }
  }
)

/**
 * Makes the edit that its editor would have made of the newest version: their changes are applied
 * on top of the changes of others. Throws `version_mismatch` with the fields that both changed, and
 * always when no merge was requested.
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
  // The state that the editor saw.
  const isVisible = await visibleTargets(parts.store, principal, whole.relations)
  const base = { ...whole, relations: whole.relations.filter(isVisible) }
  return async (current, faults) => {
    const mine = await edit(base, faults)
    const joined = mergeChanges(contentOf(base), contentOf(current), mine)
    // Conflicts show values of others, so only principals who may read them see them.
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
  { dryRun = false, allowDangling = false, once, content: facts, warnsOfDuplicates = true, leavesOut }: ChangeOptions
): Promise<Written> {
  const before = JSON.parse(stored.json) as Entity
  const { content, warnings: doubts } = await applyEdit(parts, principal, before, edit, {
    allowDangling,
    content: facts,
    ...(leavesOut ? { leavesOut } : {})
  })
  const view = await viewOfWritten(parts.store, principal, [content])
  const same = warnsOfDuplicates ? warnOfDuplicates(parts, principal, content, before) : []
  if (isSameContent(contentOf(before), content)) {
    const warnings = [...doubts, ...(await same)]
    // The outcome is stored, too: when the request comes again, somebody may have changed the
    // entity since.
    if (once && !dryRun) {
      const note = noteOf({ warnings, isNew: false, unchanged: stored })
      await parts.store.write({ writes: [], by: principal.name, ...onceOf(principal, once, note) })
    }
    return { entity: view(stored), warnings, changed: false, isNew: false }
  }
  // The search runs beside the write, unless its result is stored with it.
  const found = once ? await same : []
  const entity = await writeOne(parts, {
    writes: [{ kind: 'update', content, expectedVersion: stored.version }],
    by: principal.name,
    dryRun,
    allowDangling,
    ...onceOf(principal, once, noteOf({ warnings: [...doubts, ...found], isNew: false }))
  })
  const warnings = [...doubts, ...(await same)]
  return { entity: view(entity), warnings, changed: true, isNew: false }
}

/** Applies an edit to an entity, and checks the result. */
export async function applyEdit(
  parts: Parts,
  principal: Principal,
  before: Entity,
  edit: Edit,
  options: Pick<PrepareOptions, 'allowDangling' | 'together' | 'content' | 'leavesOut'>
): Promise<Prepared> {
  const recordType = recordTypeOf(parts, before)
  const isVisible = await visibleTargets(parts.store, principal, before.relations)
  const faults: Fault[] = []
  const seen = { ...before, relations: before.relations.filter(isVisible) }
  const edited = await edit(seen, faults)
  // An editor who could not see a relation did not mean to remove it; one who writes without
  // reading may still name it.
  const hidden = before.relations.filter(relation => !isVisible(relation))
  const given = hidden.length === 0 ? [] : await relationsById(parts, principal, edited.relations)
  const named = new Set(given.map(identityOfRelation))
  const retained = hidden.filter(relation => !named.has(identityOfRelation(relation)))
  const wanted = { ...edited, relations: [...edited.relations, ...retained] }
  const prepared = await prepareContent(parts, principal, recordType, wanted, {
    ...options,
    faults,
    before: seen,
    existing: before,
    retained
  })
  const relations = restorePositions(before.relations, prepared.content.relations, retained)
  return { ...prepared, content: { ...prepared.content, relations } }
}

/**
 * Moves the retained relations, which come last, back to their positions behind those that they
 * followed, so that the order stays for readers who see them.
 */
function restorePositions(
  before: readonly Relation[],
  edited: readonly Relation[],
  retained: readonly Relation[]
): readonly Relation[] {
  if (retained.length === 0) return edited
  const shown = edited.slice(0, edited.length - retained.length)
  const present = new Set(shown.map(identityOfRelation))
  const hidden = new Set(retained.map(identityOfRelation))
  const following = new Map<string, Relation[]>()
  let previous = ''
  for (const relation of before) {
    const identity = identityOfRelation(relation)
    const group = following.get(previous)
    if (!hidden.has(identity)) previous = present.has(identity) ? identity : previous
    else if (group) group.push(relation)
    else following.set(previous, [relation])
  }
  const behind = (identity: string) => following.get(identity) ?? []
  return [...behind(''), ...shown.flatMap(relation => [relation, ...behind(identityOfRelation(relation))])]
}

export function refuseOtherVersion(stored: StoredEntity, expected: ExpectedVersions) {
  if (expected && !expected.has(stored.version)) throw otherVersion(stored)
}

/** Makes the error for another version, with the fields in conflict, if they are known. */
function otherVersion(stored: StoredEntity, conflicts?: readonly Difference[]): CatalogueError {
  const words =
    conflicts === undefined || conflicts.length === 0
      ? `Entity "${stored.id}" has version ${stored.version}, not the given version`
      : `Entity "${stored.id}" has version ${stored.version}, and somebody else changed the same fields`
  return new CatalogueError('version_mismatch', words, {
    about: ['id', stored.id],
    extra: { current_version: stored.version, ...(conflicts ? { conflicts } : {}) }
  })
}

export const isSameContent = (one: EntityContent, other: EntityContent) =>
  JSON.stringify([one.metadata, one.relations, one.otherIdentifiers]) ===
  JSON.stringify([other.metadata, other.relations, other.otherIdentifiers])
