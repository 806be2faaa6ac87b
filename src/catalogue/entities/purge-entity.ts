import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { contentHashField } from '#domain/entity/server-fields.ts'
import { forbidden, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { NewAct } from '#store/ports/audit.ts'
import type { History } from '#store/ports/history.ts'
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

/** More than any record has. */
const maxVersions = 1_000_000

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
  const found = await parts.store.findHistory(identifier, 0, maxVersions)
  if (!found) throw notFound('entity', identifier)
  const { id, uuid } = found
  const exists = (await parts.store.identify([id])).get(id)?.id === id
  const { deleted } = exists ? await deleteEntity(parts, principal, id, options) : { deleted: [] }
  if (options.dryRun) return { id, uuid, purged: [], contents: [] }
  const all = [found]
  for (const each of deleted) {
    const history = await parts.store.findHistory(each, 0, maxVersions)
    if (history) all.push(history)
  }
  const contents = new Set<string>()
  for (const history of all) for (const hash of contentsOf(parts.model, history)) contents.add(hash)
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

/** Only the hashes that the service set: in records without content anybody may write the field. */
const contentsOf = (model: Model, { versions }: History): string[] =>
  versions.flatMap(({ json }) => {
    if (json === null) return []
    const entity = JSON.parse(json) as Entity
    const hasContent = model.fieldOf(entity.type, contentHashField)?.ofContent === true
    return hasContent ? valuesOf(entity, contentHashField).map(String) : []
  })
