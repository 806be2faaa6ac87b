import type { Entity } from '#domain/entity/entity.ts'
import type { PageParts } from './page.ts'

/** The records with these identifiers that visitors may read, by each of their identifiers. */
export async function readRecords(
  { catalogue, principal }: PageParts,
  keys: readonly string[]
): Promise<ReadonlyMap<string, Entity>> {
  const identifiers = [...new Set(keys)]
  if (identifiers.length === 0) return new Map()
  const page = await catalogue.lists.entities(principal, {
    filter: { kind: 'identifiers', identifiers },
    order: { items: [{ by: 'created' }], ascending: true },
    ...{ skip: 0, limit: identifiers.length, cursor: undefined, isCounted: false }
  })
  const records = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  return new Map(records.flatMap(each => [each.id, ...each.identifiers].map(key => [key, each] as const)))
}
