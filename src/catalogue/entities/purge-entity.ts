import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { contentHashField } from '#domain/entity/server-fields.ts'
import { forbidden, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { NewAct } from '#store/ports/audit.ts'
import type { Purge } from '#store/ports/purge.ts'
import type { Parts } from '../parts.ts'
import { deleteEntity, type DeleteOptions } from './delete-entity.ts'

/** The entities that were erased, and the hashes of their content. */
export interface Purged {
  readonly id: string
  readonly uuid: string
  /** Ids of the entity and of everything that was erased with it. */
  readonly purged: readonly string[]
  /** Hashes of the bytes of erased media files. Other media files may have the same bytes. */
  readonly contents: readonly string[]
}

const versionsPerRead = 100

/**
 * Erases an entity for ever, deleted ones too: all its versions, the entities that were merged into
 * it, its source record and its changes. Its id, uuid and type remain, so that harvesters and
 * readers of the feed learn that it is gone. The act is logged in the transaction that erases the
 * entity itself. Throws as `deleteEntity` does; only an admin may do it.
 */
export async function purgeEntity(
  parts: Parts,
  principal: Principal,
  identifier: string,
  options: DeleteOptions = {},
  act?: (purged: Omit<Purged, 'contents'>) => NewAct
): Promise<Purged> {
  if (!principal.isAdmin) throw forbidden('purge records')
  const found = await parts.store.findHistory(identifier, 0, 0)
  if (!found) throw notFound('entity', identifier)
  const { id, uuid } = found
  const exists = (await parts.store.identify([id])).get(id)?.id === id
  const remove = async (dryRun: boolean) =>
    exists ? (await deleteEntity(parts, principal, id, { ...options, dryRun })).deleted : []
  // Everything is read before the deletion: no read may fail a purge that has begun.
  const plans = new Map<string, PurgePlan>()
  for (const each of [id, ...(await remove(true))]) plans.set(each, await planPurge(parts, each))
  if (options.dryRun) return { id, uuid, purged: [], contents: [] }
  const purged = [id, ...(await remove(false))]
  // Only a part that somebody added meanwhile is not planned yet.
  for (const each of purged) if (!plans.has(each)) plans.set(each, await planPurge(parts, each))
  const planned = purged.map(each => plans.get(each) ?? { purges: [], contents: [] })
  const done = { id, uuid, purged }
  // The entity itself comes last.
  for (const each of planned.toReversed().flatMap(({ purges }) => purges))
    await parts.store.purge(each.uuid === uuid ? { ...each, act: act?.(done) } : each)
  return { ...done, contents: [...new Set(planned.flatMap(({ contents }) => contents))] }
}

/** Everything that is erased with an entity: first the entities that were merged into it. */
interface PurgePlan {
  readonly purges: readonly Purge[]
  /** Hashes of the bytes of the entity. */
  readonly contents: readonly string[]
}

async function planPurge(parts: Parts, id: string): Promise<PurgePlan> {
  const history = await parts.store.findHistory(id, 0, 0)
  if (!history) return { purges: [], contents: [] }
  const { uuid } = history
  return { purges: await purgesOf(parts, uuid, history.id), contents: await Array.fromAsync(contentsOf(parts, uuid)) }
}

async function purgesOf(parts: Parts, uuid: string, id: string): Promise<Purge[]> {
  const purges: Purge[] = []
  for (const merge of await parts.store.findMergesOf([uuid])) {
    const victim = merge.written.find(each => each.id === merge.victimId)
    if (merge.survivorId === id && merge.undone === null && victim && victim.uuid !== uuid)
      purges.push(...(await purgesOf(parts, victim.uuid, victim.id)))
  }
  return [...purges, { uuid, ...(await parts.importStateOf(id)) }]
}

/**
 * The hashes in all versions of an entity. In records without content anybody may write the field;
 * they have none.
 */
async function* contentsOf({ model, store }: Parts, uuid: string): AsyncGenerator<string> {
  for (let read = 0; ; ) {
    const history = await store.findHistory(uuid, read, versionsPerRead)
    for (const { json } of history?.versions ?? []) {
      const entity = json === null ? undefined : (JSON.parse(json) as Entity)
      if (entity && model.fieldOf(entity.type, contentHashField)?.ofContent === true)
        yield* valuesOf(entity, contentHashField).map(String)
    }
    read += history?.versions.length ?? 0
    if (!history || history.versions.length === 0 || read >= history.count) return
  }
}
