import { contentOf, type Entity, type Json } from '#domain/entity/entity.ts'
import { CatalogueError, invalidWith, notFound, forbidden } from '#domain/errors.ts'
import { pointerTo } from '#domain/json.ts'
import type { Principal } from '#domain/permissions.ts'
import type { EntityWrite, Merge, StoredEntity } from '#store/store.ts'
import { type ExpectedVersions, findWritable, isSameContent, refuseOtherVersion } from '../entities/change-entity.ts'
import { findEarlier, happensOnce, onceOf, type RequestKey } from '../entities/once.ts'
import type { Parts } from '../parts.ts'
import { contentWithout, readVersion } from './replay-merges.ts'

export interface UnmergeOptions {
  readonly expected?: ExpectedVersions
  readonly dryRun?: boolean
  readonly once?: RequestKey | undefined
}

export interface UnmergeOutcome {
  readonly survivor_id: string
  readonly victim_id: string
  readonly restored_references: number
}

const mostTries = 20

/**
 * Takes a merge back, in one transaction: the victim is there again with its identifiers, and every
 * reference points where it did. Records that nobody touched since are exactly as before; of those
 * that were changed, only what the merge had done is turned back. Merges may be taken back in any
 * order: what is left is as if the one had never been made.
 */
export const unmergeEntity = happensOnce(2, unmergeNow)

async function unmergeNow(
  parts: Parts,
  principal: Principal,
  survivorIdentifier: string,
  body: unknown,
  options: UnmergeOptions = {}
): Promise<UnmergeOutcome> {
  const earlier = await findEarlier(parts, principal, options.once)
  if (earlier) return earlier.note as unknown as UnmergeOutcome
  const victimId = readVictim(body)
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
      return await unmergeOnce(parts, principal, survivor, merge, options)
    } catch (error) {
      const isRace = error instanceof CatalogueError && error.code === 'version_mismatch' && !options.expected
      if (!isRace || tries === mostTries) throw error
    }
  }
}

async function unmergeOnce(
  parts: Parts,
  principal: Principal,
  survivor: StoredEntity,
  merge: Merge,
  options: UnmergeOptions
): Promise<UnmergeOutcome> {
  const deletion = merge.written.find(each => each.id === merge.victimId)
  const victim = deletion && (await readVersion(parts.store, deletion.uuid, deletion.version - 1))
  if (!victim) throw notFound('entity', merge.victimId)
  if (!principal.mayWrite(victim.type)) throw forbidden(`write records of type "${victim.type}"`)

  const turned: EntityWrite[] = []
  const touched = merge.written.map(each => each.id).filter(id => id !== merge.victimId)
  const now = await parts.store.findEntities(touched)
  const merges = await mergesByUuid(
    parts,
    merge.written.map(each => each.uuid)
  )
  for (const { id, uuid, version } of merge.written) {
    const stored = now.get(id)
    // A record that was deleted, or merged away itself, has nothing to turn back.
    if (id === merge.victimId || !stored || stored.uuid !== uuid) continue
    if (!principal.mayWrite(stored.type)) throw forbidden('change all records that the merge had changed')
    const current = contentOf(JSON.parse(stored.json) as Entity)
    const others = merges.get(uuid) ?? []
    const before =
      stored.version === version && others.length === 1 && (await readVersion(parts.store, uuid, version - 1))
    const content = before
      ? contentOf(before)
      : await contentWithout(parts.store, uuid, current, others, each => each.number === merge.number)
    if (isSameContent(content, current)) continue
    turned.push({ kind: 'update', content, expectedVersion: stored.version })
  }
  const deleted = await parts.store.findVersionByUuid(deletion.uuid, deletion.version)
  const isUndoneSince = ({ undone }: Merge) => undone !== null && undone > (deleted?.sequence ?? 0)
  const earlier = (merges.get(victim._id) ?? []).filter(each => each.number < merge.number)
  const restored = await contentWithout(parts.store, victim._id, contentOf(victim), earlier, isUndoneSince)

  const outcome: UnmergeOutcome = {
    survivor_id: survivor.id,
    victim_id: victim.id,
    restored_references: turned.filter(each => each.kind === 'update' && each.content.id !== survivor.id).length
  }
  await parts.store.write({
    // The survivor first: it must let go of the names before the victim can have them.
    writes: [
      ...turned,
      { kind: 'restore', content: restored, expectedVersion: deletion.version, created: victim.audit.created }
    ],
    by: principal.name,
    dryRun: options.dryRun ?? false,
    // What the victim pointed to may be gone by now; that it did is still what it was.
    allowDangling: true,
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
      { pointer: '', message: 'To take a merge back, send an object, with "victim_id" where there were several' }
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
