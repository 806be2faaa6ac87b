import type { Entity, EntityContent, Relation } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Identified, StoredEntity } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'
import { createTurns } from '../take-turns.ts'

/*
 * A type that a token may not read does not exist for it. The store leaves out whole records; this
 * file removes the relations to such records. It costs nothing for tokens that read everything.
 */

/** The types that a query may return: undefined for all. */
export const readableTypes = (principal: Principal) => (principal.readsEverything ? undefined : principal.readableTypes)

/** The caller of a query, and the types that exist for it. */
export const scopeOf = (principal: Principal) => ({
  readableTypes: readableTypes(principal),
  caller: callerOf(principal),
  ...(principal.asksTogether ? { isTogether: true } : {})
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
 * Makes the view of entities for the principal who writes them: only their id and version where the
 * principal may not read their type. It is made before the write, from the relations that the
 * entities will have: nothing that is read after a commit may fail the answer. `together` has
 * entities that the same write creates.
 */
export async function viewOfWritten(
  store: Store,
  principal: Principal,
  contents: readonly Pick<EntityContent, 'relations'>[],
  together: ReadonlyMap<string, Identified> = new Map()
): Promise<(stored: StoredEntity) => StoredEntity> {
  if (principal.readsEverything) return stored => stored
  const isVisible = await visibleTargets(
    store,
    principal,
    contents.flatMap(({ relations }) => relations),
    together
  )
  return stored => {
    const { id, version, type } = stored
    if (!principal.mayRead(type)) return { ...stored, json: JSON.stringify({ id, version }) }
    const [shown = stored] = withRelations([stored], [JSON.parse(stored.json) as Entity], isVisible)
    return shown
  }
}

export async function showTo(store: Store, principal: Principal, stored: StoredEntity): Promise<StoredEntity> {
  const [shown = stored] = await showAllTo(store, principal, [stored])
  return shown
}

/** Number of targets that are looked up at once. */
const keysAtOnce = 1000

/**
 * Makes a test of which relations the principal may see: those to readable entities, deleted ones
 * included, and those to no entity.
 */
export async function visibleTargets(
  store: Store,
  principal: Principal,
  relations: readonly Pick<Relation, 'key'>[],
  together: ReadonlyMap<string, Identified> = new Map()
): Promise<(relation: Pick<Relation, 'key'>) => boolean> {
  if (principal.readsEverything) return () => true
  const all = [...new Set(relations.map(relation => relation.key))].filter(key => !together.has(key))
  const types = new Map<string, string>()
  const takeTurns = createTurns()
  for (let from = 0; from < all.length; from += keysAtOnce) {
    await takeTurns()
    const keys = all.slice(from, from + keysAtOnce)
    for (const [key, { type }] of await store.identify(keys)) types.set(key, type)
    const unknown = keys.filter(key => !types.has(key))
    if (unknown.length > 0) for (const [key, { type }] of await store.identifyDeleted(unknown)) types.set(key, type)
  }
  return ({ key }) => {
    const type = together.get(key)?.type ?? types.get(key)
    return type === undefined || principal.mayRead(type)
  }
}
