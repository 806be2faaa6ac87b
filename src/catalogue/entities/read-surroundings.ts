import type { Entity, Surrounded } from '#domain/entity/entity.ts'
import { maxPageBytes } from '#domain/page-budget.ts'
import type { Principal } from '#domain/permissions.ts'
import { fetchRelated } from './fetch-related.ts'
import type { Parts } from '../parts.ts'
import { findReadable, refuseBlind } from './read-entity.ts'
import { readWithinBudget } from './read-within-budget.ts'
import { scopeOf } from '../guarded/visibility.ts'

/** The entities to read around an entity of a type. */
export interface Surroundings {
  /** Relations whose targets are read with their own relations in turn. */
  readonly follow: readonly string[]
  /**
   * Relations by which other entities refer to the requested one, and whether those are read with
   * their own relations.
   */
  readonly referrers: Readonly<Record<string, { readonly follow?: boolean }>>
}

/** Maximum number of referring entities read for one relation, where a caller sets none. */
const maxReferrers = 1000
/** Maximum bytes of all referring entities. */
const maxBytesOfReferrers = 4 * maxPageBytes

/**
 * Reads an entity with the entities around it. Throws `not_found` when it does not exist or the
 * principal may not read it.
 */
export async function readSurroundings(
  parts: Parts,
  principal: Principal,
  identifier: string,
  around: (type: string) => Surroundings,
  max = maxReferrers
): Promise<Surrounded> {
  refuseBlind(principal)
  const { store, model, timeZone } = parts
  const stored = await findReadable(parts, principal, identifier)
  const entity = JSON.parse(stored.json) as Entity
  const whole = new Map([[entity.id, entity]])
  const referring: Entity[] = []
  const cutOff: string[] = []
  let next = [entity]

  const { referrers } = around(entity.type)
  const pointing = await readReferrers(parts, principal, entity.id, { relationTypes: Object.keys(referrers), max })
  for (const [relationType, { follow = false }] of Object.entries(referrers)) {
    const { entities = [], isCutOff = false } = pointing.get(relationType) ?? {}
    if (isCutOff) cutOff.push(relationType)
    const fresh = entities.filter(each => !whole.has(each.id))
    if (!follow) referring.push(...fresh)
    else for (const each of fresh) whole.set(each.id, each)
    if (follow) next.push(...fresh)
  }

  const related = new Map<string, Entity>([[entity.id, entity]])
  while (next.length > 0) {
    const { entities } = await fetchRelated(
      store.findEntities,
      model,
      principal,
      next.flatMap(({ relations }) => relations.filter(({ key }) => !related.has(key)))
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
  return { entity, whole: [...whole.values()], referring, related, cutOff, timeZone }
}

interface Referrers {
  readonly entities: readonly Entity[]
  /** Whether more entities refer to this one than were read. */
  readonly isCutOff: boolean
}

/**
 * Reads the entities that refer to an entity, by relation type: all types in one query, then the
 * types of which that query left some out.
 */
async function readReferrers(
  { store }: Parts,
  principal: Principal,
  id: string,
  { relationTypes, max }: { readonly relationTypes: readonly string[]; readonly max: number }
): Promise<ReadonlyMap<string, Referrers>> {
  if (relationTypes.length === 0) return new Map()
  const find = (types: readonly string[]) =>
    store.findReferences({
      id,
      relationTypes: types,
      ...scopeOf(principal),
      skip: 0,
      limit: max
    })
  const all = await find(relationTypes)
  const answers = new Map(
    await Promise.all(
      relationTypes.map(async type => {
        const found = all.references.filter(each => each.relationType === type)
        const isRead = found.length >= Math.min(max, all.countByType[type] ?? 0)
        return [type, isRead ? found : (await find([type])).references] as const
      })
    )
  )
  const ids = [...new Set([...answers.values()].flat().map(each => each.id))]
  const { entities: found, length } = await readWithinBudget(store, ids, maxBytesOfReferrers)
  const unread = new Set(ids.slice(length))
  return new Map(
    [...answers].map(([type, references]) => {
      const entities = [...new Set(references.map(each => each.id))].flatMap(each => found.get(each) ?? [])
      return [
        type,
        {
          entities: entities.filter(each => principal.mayRead(each.type)),
          isCutOff: (all.countByType[type] ?? 0) > references.length || references.some(each => unread.has(each.id))
        }
      ]
    })
  )
}
