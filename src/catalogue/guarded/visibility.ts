import type { Entity, Relation } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'

/*
 * A type that a token may not read does not exist for it. Whole records are left out by the store;
 * here go the relations that point to such records. Whoever reads everything pays nothing for this.
 */

/** What a question may look among: undefined for everything. */
export const readableTypes = (principal: Principal) => (principal.readsEverything ? undefined : principal.readableTypes)

/** The entities as the principal sees them. */
export async function showAllTo(
  store: Store,
  principal: Principal,
  stored: readonly StoredEntity[]
): Promise<readonly StoredEntity[]> {
  if (principal.readsEverything) return stored
  const entities = stored.map(each => JSON.parse(each.json) as Entity)
  const visible = await visibleTargets(
    store,
    principal,
    entities.flatMap(entity => entity.relations)
  )
  return stored.map((each, index) => {
    const entity = entities[index] as Entity
    const relations = entity.relations.filter(visible)
    return relations.length === entity.relations.length
      ? each
      : { ...each, json: JSON.stringify({ ...entity, relations }) }
  })
}

/**
 * What somebody who wrote an entity is told of it: its id and version only, where they may not read
 * its type.
 */
export async function showWrittenTo(store: Store, principal: Principal, stored: StoredEntity): Promise<StoredEntity> {
  if (principal.mayRead(stored.type)) return showTo(store, principal, stored)
  const { id, version } = stored
  return { ...stored, json: JSON.stringify({ id, version }) }
}

export async function showTo(store: Store, principal: Principal, stored: StoredEntity): Promise<StoredEntity> {
  const [shown = stored] = await showAllTo(store, principal, [stored])
  return shown
}

/**
 * Tells which relations the principal may see: those to readable entities, deleted ones included,
 * and those to nothing.
 */
export async function visibleTargets(
  store: Store,
  principal: Principal,
  relations: readonly Pick<Relation, 'key'>[]
): Promise<(relation: Pick<Relation, 'key'>) => boolean> {
  if (principal.readsEverything) return () => true
  const keys = [...new Set(relations.map(relation => relation.key))]
  const known = await store.identify(keys)
  const unknown = keys.filter(key => !known.has(key))
  const deleted = unknown.length === 0 ? known : await store.identifyDeleted(unknown)
  return relation => {
    const type = (known.get(relation.key) ?? deleted.get(relation.key))?.type
    return type === undefined || principal.mayRead(type)
  }
}
