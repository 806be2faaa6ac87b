import { type Entity, targetsOf } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import { type Publication, type PublicationLevel, wemLinks } from '#domain/entity/publication.ts'
import type { Parts } from '../parts.ts'
import { findItems } from './find-items.ts'
import { findManyEntities } from '../entities/find-many-entities.ts'
import { refuseBlind } from '../entities/read-entity.ts'

interface ReadOptions {
  readonly withItems?: boolean
  readonly known?: readonly Entity[]
}

/**
 * Reads many manifestations with their expressions, works and related entities, by the requested
 * identifiers and in their order. Identifiers that lead to no manifestation or to one that may not
 * be read are left out. `withItems` reads the items of each, too. `known` are manifestations that
 * were read already, as the principal sees them.
 *
 * Runs four queries for any number of them: for manifestations, for their targets, and so on up to
 * the works.
 */
export async function readPublications(
  parts: Parts,
  principal: Principal,
  identifiers: readonly string[],
  { withItems = false, known = [] }: ReadOptions = {}
): Promise<ReadonlyMap<string, Publication>> {
  refuseBlind(principal)
  const entities = new Map<string, Entity>()
  const requested = new Set<string>()
  const fetch = async (keys: readonly string[]) => {
    const wanted = [...new Set(keys)].filter(key => !requested.has(key))
    for (const key of wanted) requested.add(key)
    const found = await findManyEntities(parts.store, wanted, type => principal.mayRead(type))
    for (const [key, entity] of found) entities.set(key, entity)
  }
  const find = (key: string, level: string) => {
    const entity = entities.get(key)
    return entity !== undefined && parts.model.umbrellaOf(entity.type) === level ? entity : undefined
  }
  const above = (from: Entity, link: string, level: string) =>
    targetsOf(from, link).flatMap(key => find(key, level) ?? [])
  const fetchTargets = (levels: readonly Entity[]) =>
    fetch(levels.flatMap(each => each.relations.map(({ key }) => key)))

  for (const entity of known) {
    entities.set(entity.id, entity)
    requested.add(entity.id)
  }
  await fetch(identifiers)
  const manifestations = identifiers.flatMap(key => find(key, 'manifestation') ?? [])
  await fetchTargets(manifestations)
  const expressions = manifestations.flatMap(each => above(each, wemLinks.manifestation, 'expression'))
  await fetchTargets(expressions)
  await fetchTargets(expressions.flatMap(each => above(each, wemLinks.expression, 'work').slice(0, 1)))
  const items = withItems
    ? await findItems(
        parts,
        principal,
        manifestations.map(({ id }) => id)
      )
    : undefined
  if (items) await fetchTargets([...items.values()].flat())

  /** Relations to entities that may not be read are left out, too. */
  const toLevel = (entity: Entity, link?: string): PublicationLevel => ({
    entity: principal.readsEverything
      ? entity
      : { ...entity, relations: entity.relations.filter(({ key }) => entities.has(key)) },
    related: entity.relations.flatMap(({ type, key, metadata = [] }) => {
      const target = type === link ? undefined : entities.get(key)
      return target === undefined ? [] : [{ type, metadata, entity: target }]
    })
  })
  const toPublication = (manifestation: Entity): Publication => ({
    manifestation: toLevel(manifestation, wemLinks.manifestation),
    expressions: above(manifestation, wemLinks.manifestation, 'expression').map(expression => {
      const [work] = above(expression, wemLinks.expression, 'work')
      return { ...toLevel(expression, wemLinks.expression), work: work && toLevel(work) }
    }),
    ...(items ? { items: (items.get(manifestation.id) ?? []).map(item => toLevel(item, holdings.ofPublication)) } : {})
  })
  return new Map(
    identifiers.flatMap(key => {
      const manifestation = find(key, 'manifestation')
      return manifestation === undefined ? [] : [[key, toPublication(manifestation)] as const]
    })
  )
}
