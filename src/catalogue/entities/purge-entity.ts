import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { contentHashField } from '#domain/entity/server-fields.ts'
import { forbidden, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { NewAct } from '#store/ports/audit.ts'
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
  const { deleted } = exists ? await deleteEntity(parts, principal, id, options) : { deleted: [] }
  if (options.dryRun) return { id, uuid, purged: [], contents: [] }
  const all = [found]
  for (const each of deleted) {
    const history = await parts.store.findHistory(each, 0, 0)
    if (history) all.push(history)
  }
  const contents = new Set<string>()
  for (const each of all) for await (const hash of contentsOf(parts, each.uuid)) contents.add(hash)
  const done = { id, uuid, purged: all.map(each => each.id) }
  // The entity itself comes last.
  for (const each of all.toReversed())
    await purgeOne(parts, each.uuid, each.id, each === found ? act?.(done) : undefined)
  return { ...done, contents: [...contents] }
}

/** Erases a deleted entity after those that were merged into it. */
async function purgeOne(parts: Parts, uuid: string, id: string, act?: NewAct): Promise<void> {
  for (const merge of await parts.store.findMergesOf([uuid])) {
    const victim = merge.written.find(each => each.id === merge.victimId)
    if (merge.survivorId === id && merge.undone === null && victim && victim.uuid !== uuid)
      await purgeOne(parts, victim.uuid, victim.id)
  }
  await parts.store.purge({ uuid, ...(await parts.importStateOf(id)), act })
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
