import type { Entity, Relation } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'

/*
 * A type that a token may not read does not exist for it. The store leaves out whole records; this
 * file removes the relations to such records. It costs nothing for tokens that read everything.
 */

/** The types that a query may return: undefined for all. */
export const readableTypes = (principal: Principal) => (principal.readsEverything ? undefined : principal.readableTypes)

/** The caller of a query, and the types that exist for it. */
export const scopeOf = (principal: Principal) => ({
  readableTypes: readableTypes(principal),
  caller: callerOf(principal)
})

/** The name by which callers take turns: of a bearer, or of the address of a visitor. */
export const callerOf = ({ key, address }: Principal) => (address === undefined ? key : `${key} ${address}`)

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
  return withRelations(stored, entities, visible)
}

/** The documents with only those relations that pass a test. */
export function withRelations<T extends { readonly json: string }>(
  stored: readonly T[],
  entities: readonly Entity[],
  isShown: (relation: Relation) => boolean
): T[] {
  return stored.map((each, index) => {
    const entity = entities[index] as Entity
    const relations = entity.relations.filter(isShown)
    return relations.length === entity.relations.length
      ? each
      : { ...each, json: JSON.stringify({ ...entity, relations }) }
  })
}

/**
 * Shows an entity to the principal who wrote it: only its id and version when the principal may not
 * read its type.
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
 * Makes a test of which relations the principal may see: those to readable entities, deleted ones
 * included, and those to no entity.
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
