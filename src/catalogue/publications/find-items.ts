import { type Entity, targetsOf } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { Position } from '#store/ports/queries.ts'
import { fetchRelationSummaries } from '../entities/fetch-relation-summaries.ts'
import { scopeOf, showAllTo } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'
import { levelText, relationsBeside } from './level-text.ts'

const pageSize = 1000

/**
 * Finds the items of manifestations, in the order of creation, by the ids of the manifestations.
 * One query for any number of manifestations, unless they have many items. Items that the principal
 * may not read do not exist.
 */
export async function findItems(
  parts: Parts,
  principal: Principal,
  manifestationIds: readonly string[]
): Promise<ReadonlyMap<string, readonly Entity[]>> {
  const found = new Map<string, Entity[]>()
  if (manifestationIds.length === 0 || !principal.mayRead(holdings.item)) return found
  const path = { kind: 'relation_key', type: holdings.ofPublication } as const
  let position: Position | undefined
  do {
    const page = await parts.store.queryEntities({
      filter: {
        kind: 'all',
        of: [
          { kind: 'types', types: [holdings.item] },
          { kind: 'field', path, test: { kind: 'equals', values: manifestationIds } }
        ]
      },
      ...scopeOf(principal),
      order: { items: [{ by: 'created' }], ascending: true },
      skip: 0,
      limit: pageSize,
      counted: false,
      ...(position ? { from: { position, backwards: false } } : {})
    })
    for (const { json } of await showAllTo(parts.store, principal, page.entities)) {
      const item = JSON.parse(json) as Entity
      const [manifestationId = ''] = targetsOf(item, holdings.ofPublication)
      const known = found.get(manifestationId)
      if (known) known.push(item)
      else found.set(manifestationId, [item])
    }
    position = page.hasMore ? page.last : undefined
  } while (position !== undefined)
  return found
}

/**
 * Writes the items of manifestations as JSON, resolved as in WEM, by the ids of the manifestations.
 */
export async function findItemTexts(
  parts: Parts,
  principal: Principal,
  manifestationIds: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const items = await findItems(parts, principal, manifestationIds)
  const relations = [...items.values()].flat().flatMap(each => relationsBeside(each, holdings.ofPublication))
  const summaries = await fetchRelationSummaries(parts.store.findEntities, parts.model, principal, relations)
  return new Map(
    [...items].map(([id, own]) => [
      id,
      own
        .map(each => `{"id":${JSON.stringify(each.id)},${levelText(each, summaries, holdings.ofPublication)}}`)
        .join(',')
    ])
  )
}
