import type { KeptSource } from '#domain/kept-source.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Parts } from './parts.ts'

/**
 * The records that manifestations were imported from, by the ids of the manifestations. A source names everything that it
 * was read as, so it is only for those who may read everything.
 */
export async function findSources(
  { findKeptRecords }: Parts,
  principal: Principal,
  ids: readonly string[]
): Promise<ReadonlyMap<string, KeptSource>> {
  return principal.readsEverything ? findKeptRecords(ids) : new Map()
}
