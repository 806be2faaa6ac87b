import { type Entity, targetsOf } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Position } from '#store/ports/queries.ts'
import { fetchRelationSummaries } from '../entities/fetch-relation-summaries.ts'
import { scopeOf, showAllTo } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'
import { levelText, relationsBeside } from './level-text.ts'

const pageSize = 1000

/**
 * Finds the items of manifestations, in the order of creation, by the ids of the manifestations.
 * One query for any number of manifestations, unless they have many items; those of one are found
 * by its references, which need no other thread where they are few. Items that the principal may
 * not read do not exist.
 */
export async function findItems(
  parts: Parts,
  principal: Principal,
  manifestationIds: readonly string[]
): Promise<ReadonlyMap<string, readonly Entity[]>> {
  const found = new Map<string, Entity[]>()
  if (manifestationIds.length === 0 || !principal.mayRead(holdings.item)) return found
  const add = async (entities: readonly StoredEntity[]) => {
    for (const { json } of await showAllTo(parts.store, principal, entities)) {
      const item = JSON.parse(json) as Entity
      const [manifestationId = ''] = targetsOf(item, holdings.ofPublication)
      const known = found.get(manifestationId)
      if (known) known.push(item)
      else found.set(manifestationId, [item])
    }
  }
  const [only = '', another] = manifestationIds
  const referring = another === undefined ? await readReferringItems(parts, principal, only) : undefined
  if (referring) {
    await add(referring)
    return found
  }
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
    await add(page.entities)
    position = page.hasMore ? page.last : undefined
  } while (position !== undefined)
  return found
}

/** Reads the items that refer to a manifestation; undefined where they are too many for a page. */
async function readReferringItems(
  { store }: Parts,
  principal: Principal,
  id: string
): Promise<readonly StoredEntity[] | undefined> {
  const query = { id, relationTypes: [holdings.ofPublication], ...scopeOf(principal), skip: 0, limit: pageSize }
  const { references, count } = await store.findReferences(query)
  if (count > references.length) return undefined
  const ids = new Set(references.flatMap(each => (each.type === holdings.item ? each.id : [])))
  return ids.size === 0 ? [] : [...(await store.findEntities([...ids])).values()]
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
