import type { Entity } from '#domain/entity/entity.ts'
import type { PageParts } from './page.ts'

/** The records with these identifiers that visitors may read, each under the given identifier. */
export const readRecords = async (
  { catalogue, principal }: PageParts,
  keys: readonly string[]
): Promise<ReadonlyMap<string, Entity>> =>
  keys.length === 0 ? new Map() : catalogue.entities.findMany(principal, keys)
