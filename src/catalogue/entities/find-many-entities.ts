import type { Entity } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Store } from '#store/store.ts'
import { visibleTargets } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'
import { createTurns } from '../take-turns.ts'
import { refuseBlind } from './read-entity.ts'

/** Number of entities that are read at once; most pages are related to fewer. */
const atOnce = 500

/** Finds the entities with these identifiers, each under its own, and lets other requests run. */
export async function findManyEntities(
  store: Pick<Store, 'findEntities'>,
  identifiers: Iterable<string>,
  mayRead: (type: string) => boolean = () => true
): Promise<Map<string, Entity>> {
  const takeTurns = createTurns()
  const wanted = [...new Set(identifiers)]
  const found = new Map<string, Entity>()
  for (let at = 0; at < wanted.length; at += atOnce)
    for (const [identifier, { type, json }] of await store.findEntities(wanted.slice(at, at + atOnce))) {
      if (mayRead(type)) found.set(identifier, JSON.parse(json) as Entity)
      await takeTurns()
    }
  return found
}

/** Finds the entities with these identifiers, each under its own, as the principal sees them. */
export async function findReadableEntities(
  { store }: Parts,
  principal: Principal,
  identifiers: readonly string[]
): Promise<ReadonlyMap<string, Entity>> {
  refuseBlind(principal)
  const found = await findManyEntities(store, identifiers, type => principal.mayRead(type))
  if (principal.readsEverything) return found
  const all = [...found.values()].flatMap(({ relations }) => relations)
  const isVisible = await visibleTargets(store, principal, all)
  return new Map([...found].map(([key, each]) => [key, { ...each, relations: each.relations.filter(isVisible) }]))
}
