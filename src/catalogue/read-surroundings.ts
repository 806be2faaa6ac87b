import type { Entity } from '#domain/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import { fetchRelated } from './fetch-related.ts'
import type { Parts } from './parts.ts'
import { findReadable, refuseBlind } from './read-entity.ts'
import { readableTypes } from './visibility.ts'

/** What to read around an entity of a type. */
export interface Surroundings {
  /** Relations whose targets are read with their own relations in turn. */
  readonly follow: readonly string[]
  /** Relations by which others point to the entity that was asked for, and whether those are read with their own. */
  readonly referrers: Readonly<Record<string, { readonly follow?: boolean }>>
}

/** An entity and what is around it, as far as the principal may read it. */
export interface Surrounded {
  readonly entity: Entity
  /** The entity itself and those whose own relations were followed, the entity first. */
  readonly whole: readonly Entity[]
  /** Others that point to the entity. */
  readonly referring: readonly Entity[]
  /** Everything that a relation of these leads to, by the key in the relation. */
  readonly related: ReadonlyMap<string, Entity>
  /** Relation types by which more point to the entity than were read. */
  readonly cutOff: readonly string[]
}

/** So many of those that point to an entity by one relation are read. */
export const mostReferrers = 1000

/** Reads an entity with what is around it. Throws `not_found` when there is none that the principal may read. */
export async function readSurroundings(
  parts: Parts,
  principal: Principal,
  identifier: string,
  around: (type: string) => Surroundings
): Promise<Surrounded> {
  refuseBlind(principal)
  const { store, model } = parts
  const stored = await findReadable(parts, principal, identifier)
  const entity = JSON.parse(stored.json) as Entity
  const whole = new Map([[entity.id, entity]])
  const referring: Entity[] = []
  const cutOff: string[] = []
  let next = [entity]

  for (const [relationType, { follow = false }] of Object.entries(around(entity.type).referrers)) {
    const { count, references } = await store.findReferences({
      id: entity.id,
      relationTypes: [relationType],
      readableTypes: readableTypes(principal),
      skip: 0,
      limit: mostReferrers
    })
    if (count > references.length) cutOff.push(relationType)
    const found = await store.findEntities([...new Set(references.map(reference => reference.id))])
    const entities = [...found.values()]
      .filter(each => principal.mayRead(each.type) && !whole.has(each.id))
      .map(each => JSON.parse(each.json) as Entity)
    if (!follow) referring.push(...entities)
    else for (const each of entities) whole.set(each.id, each)
    if (follow) next.push(...entities)
  }

  const related = new Map<string, Entity>([[entity.id, entity]])
  while (next.length > 0) {
    const { entities } = await fetchRelated(
      store.findEntities,
      model,
      principal,
      next.flatMap(each => each.relations)
    )
    for (const [key, each] of entities) related.set(key, each)
    const followed = next.flatMap(each => {
      const { follow } = around(each.type)
      return each.relations
        .filter(relation => follow.includes(relation.type))
        .map(relation => related.get(relation.key))
    })
    next = []
    for (const each of followed) {
      if (!each || whole.has(each.id)) continue
      whole.set(each.id, each)
      next.push(each)
    }
  }
  return { entity, whole: [...whole.values()], referring, related, cutOff }
}
