import type { Entity } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import type { History, Version } from '#store/ports/history.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { showAllTo, visibleTargets } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'
import { toStored } from './read-past.ts'

/** One version of an entity, as an export has it. */
export interface ExportedVersion {
  readonly id: string
  readonly _id: string
  readonly type: string
  readonly version: number
  readonly at: string
  readonly by: string
  /** The entity as it was; null for a deletion. */
  readonly entity: Entity | null
  readonly merged_into?: string
}

/** Versions, and deleted entities, that are read together. */
const pageSize = 99

/**
 * Reads the versions of entities that the principal may read, page by page: those of one entity
 * after those of the other, newest first.
 */
export async function* walkVersions(
  parts: Parts,
  principal: Principal,
  identifiers: readonly string[]
): AsyncGenerator<readonly ExportedVersion[], void, undefined> {
  refuseBlind(principal)
  for (const identifier of identifiers)
    for (let skip = 0; ; ) {
      const history = await parts.store.findHistory(identifier, skip, pageSize)
      if (!history || !principal.mayRead(history.type) || history.versions.length === 0) break
      yield await show(parts, principal, history)
      skip += history.versions.length
      if (skip >= history.count) break
    }
}

/**
 * Reads the versions of all deleted entities. They may be of any type, so the principal must be
 * able to read everything.
 */
export async function* walkDeletedVersions(
  parts: Parts,
  principal: Principal
): AsyncGenerator<readonly ExportedVersion[], void, undefined> {
  if (!principal.readsEverything) return
  for (let after = ''; ; ) {
    const page = await parts.store.listDeleted(after, pageSize)
    yield* walkVersions(
      parts,
      principal,
      page.map(each => each.uuid)
    )
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.uuid
  }
}

async function show(
  { store }: Parts,
  principal: Principal,
  { id, uuid, type, versions }: History
): Promise<ExportedVersion[]> {
  const documents = versions.flatMap(each => toStored(each) ?? [])
  const shown = new Map((await showAllTo(store, principal, documents)).map(each => [each.version, each.json]))
  const merged = versions.flatMap(({ mergedInto }) => (mergedInto === null ? [] : [{ key: mergedInto }]))
  const isVisible = await visibleTargets(store, principal, merged)
  return versions.map(({ version, at, by, mergedInto }: Version) => {
    const json = shown.get(version)
    return {
      ...{ id, _id: uuid, type, version, at, by },
      entity: json === undefined ? null : (JSON.parse(json) as Entity),
      ...(mergedInto !== null && isVisible({ key: mergedInto }) ? { merged_into: mergedInto } : {})
    }
  })
}
