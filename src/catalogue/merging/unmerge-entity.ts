import { contentOf, type Entity, type EntityContent, type Json, type Relation } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, forbidden, invalidWith, missingTargetsIn, notFound } from '#domain/errors.ts'
import { pointerTo } from '#domain/json.ts'
import type { Principal } from '#domain/permissions.ts'
import type { EntityWrite, StoredEntity } from '#store/ports/entities.ts'
import type { Merge } from '#store/ports/history.ts'
import { isSameContent, refuseOtherVersion } from '../entities/change-entity.ts'
import { findWritable } from '../entities/find-permitted.ts'
import { keyedOperation, onceOf, repeatNote } from '../entities/once.ts'
import type { Parts } from '../parts.ts'
import { leaveOutMissing } from '../entities/prepare-content.ts'
import { visibleTargets } from '../guarded/visibility.ts'
import type { MergedPair, MergeOptions } from './merge-entities.ts'
import { contentWithout, readVersion } from './replay-merges.ts'

export interface UnmergeOutcome extends MergedPair {
  readonly restored_references: number
  /** Relations that were not restored, since their targets do not exist any more. */
  readonly warnings?: readonly Fault[]
}

const maxTries = 20

/**
 * Undoes a merge, in one transaction: the victim is restored with its identifiers, and every
 * reference leads where it did before. Records that were not changed since are exactly as before;
 * in changed ones only the effect of the merge is undone. Merges can be undone in any order: the
 * result is as if the merge had never been made. Relations to records that were deleted since are
 * left out, with a warning.
 */
export const unmergeEntity = keyedOperation<unknown, MergeOptions, UnmergeOutcome>(
  repeatNote,
  async (parts, principal, survivorIdentifier, body, options = {}) => {
    const victimId = readVictim(body)
    const missing = new Set<string>()
    for (let tries = 1; ; tries++) {
      const survivor = await findWritable(parts, principal, survivorIdentifier)
      refuseOtherVersion(survivor, options.expected)
      const merge = await parts.store.findMerge(survivor.id, victimId)
      if (!merge)
        throw notFound(
          victimId === undefined ? 'merge into an entity' : `merge of "${victimId}" into an entity`,
          survivor.id
        )
      try {
        return await unmergeOnce(parts, principal, { survivor, merge, missing }, options)
      } catch (error) {
        // Somebody deleted the target of a relation just now.
        const found = missingTargetsIn(error)?.filter(key => !missing.has(key)) ?? []
        for (const key of found) missing.add(key)
        if (found.length > 0) continue
        const isRace = error instanceof CatalogueError && error.code === 'version_mismatch' && !options.expected
        if (!isRace || tries === maxTries) throw error
      }
    }
  }
)

interface Unmerging {
  readonly survivor: StoredEntity
  readonly merge: Merge
  /** Keys of relations whose targets do not exist any more. */
  readonly missing: ReadonlySet<string>
}

async function unmergeOnce(
  parts: Parts,
  principal: Principal,
  { survivor, merge, missing }: Unmerging,
  options: MergeOptions
): Promise<UnmergeOutcome> {
  const deletion = merge.written.find(each => each.id === merge.victimId)
  const victim = deletion && (await readVersion(parts.store, deletion.uuid, deletion.version - 1))
  if (!victim) throw notFound('entity', merge.victimId)
  if (!principal.mayWrite(victim.type)) throw forbidden(`write records of type "${victim.type}"`)

  const warnings: Fault[] = []
  const comingBack = victim.identifiers.map(key => ({ key }))
  const withoutMissing = async (content: EntityContent, now: readonly Relation[] = []): Promise<EntityContent> => {
    const present = [...now, ...comingBack]
    const { relations, warnings: own } = await leaveOutMissing(parts, content.relations, present, missing)
    warnings.push(...own)
    return { ...content, relations }
  }
  const turned: EntityWrite[] = []
  const touched = merge.written.map(each => each.id).filter(id => id !== merge.victimId)
  const now = await parts.store.findEntities(touched)
  const merges = await mergesByUuid(
    parts,
    merge.written.map(each => each.uuid)
  )
  for (const { id, uuid, version } of merge.written) {
    const stored = now.get(id)
    // A record that was deleted or merged itself needs no change.
    if (id === merge.victimId || !stored || stored.uuid !== uuid) continue
    if (!principal.mayWrite(stored.type)) throw forbidden('change all records that the merge had changed')
    const current = contentOf(JSON.parse(stored.json) as Entity)
    const others = merges.get(uuid) ?? []
    const before =
      stored.version === version && others.length === 1 && (await readVersion(parts.store, uuid, version - 1))
    const wanted = before
      ? contentOf(before)
      : await contentWithout(parts, uuid, current, others, each => each.number === merge.number)
    const content = await withoutMissing(wanted, current.relations)
    if (isSameContent(content, current)) continue
    turned.push({ kind: 'update', content, expectedVersion: stored.version })
  }
  const deleted = await parts.store.findVersionByUuid(deletion.uuid, deletion.version)
  const isUndoneSince = ({ undone }: Merge) => undone !== null && undone > (deleted?.sequence ?? 0)
  const earlier = (merges.get(victim._id) ?? []).filter(each => each.number < merge.number)
  const restored = await withoutMissing(
    await contentWithout(parts, victim._id, contentOf(victim), earlier, isUndoneSince)
  )
  const isVisible = await visibleTargets(
    parts.store,
    principal,
    warnings.map(({ value = '' }) => ({ key: value }))
  )
  const shown = warnings.filter(({ value = '' }) => isVisible({ key: value }))

  const outcome: UnmergeOutcome = {
    survivor_id: survivor.id,
    victim_id: victim.id,
    restored_references: turned.filter(each => each.kind === 'update' && each.content.id !== survivor.id).length,
    ...(shown.length > 0 ? { warnings: shown } : {})
  }
  await parts.store.write({
    // The survivor first: it must release the identifiers before the victim can have them.
    writes: [
      ...turned,
      { kind: 'restore', content: restored, expectedVersion: deletion.version, created: victim.audit.created }
    ],
    by: principal.name,
    dryRun: options.dryRun ?? false,
    unmerges: merge.number,
    ...onceOf(principal, options.once, outcome as unknown as Json)
  })
  return outcome
}

/** The merges that wrote each of the entities, oldest first. */
async function mergesByUuid(parts: Parts, uuids: readonly string[]): Promise<Map<string, Merge[]>> {
  const byUuid = new Map(uuids.map((uuid): [string, Merge[]] => [uuid, []]))
  for (const merge of await parts.store.findMergesOf(uuids))
    for (const { uuid } of merge.written) byUuid.get(uuid)?.push(merge)
  return byUuid
}

function readVictim(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw invalidWith([
      { pointer: '', message: 'To undo a merge, send an object, with "victim_id" if there were several' }
    ])
  }
  const { victim_id, ...unknown } = body as Record<string, unknown>
  const [member] = Object.keys(unknown)
  if (member !== undefined)
    throw invalidWith([{ pointer: pointerTo('', member), message: `Unknown member "${member}"` }])
  if (victim_id === undefined) return undefined
  if (typeof victim_id !== 'string')
    throw invalidWith([{ pointer: '/victim_id', message: '"victim_id" must be a string' }])
  return victim_id
}
