import type { Entity, Relation } from '#domain/entity/entity.ts'
import { forbidden, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { type RelatedView, resolveRelation } from '#domain/entity/resolve-relation.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { CachedAnswer } from '../cache/answer-cache.ts'
import { fetchRelationSummaries } from './fetch-relation-summaries.ts'
import type { Parts } from '../parts.ts'
import { showTo } from '../guarded/visibility.ts'

/**
 * Reads one entity, as text ready to send. Throws `not_found` also for a type that the principal
 * may not read.
 */
export async function readEntity(parts: Parts, principal: Principal, identifier: string): Promise<CachedAnswer> {
  refuseBlind(principal)
  // Cached only for principals who see every type: for others the answer depends on their rights.
  if (!principal.readsEverything)
    return toAnswer(await showTo(parts.store, principal, await findReadable(parts, principal, identifier)))
  const answer = await parts.cache.answer(`entity ${identifier}`, async () => {
    const stored = await parts.store.findEntity(identifier)
    return stored && toAnswer(stored)
  })
  if (!answer) throw notFound('entity', identifier)
  return answer
}

/**
 * Reads one entity with resolved relations: each relation gets the members that the type of the
 * related record lists (`resolvedAs`), as in a WEM answer.
 */
export async function readResolvedEntity(
  parts: Parts,
  principal: Principal,
  identifier: string,
  view?: RelatedView
): Promise<Entity> {
  refuseBlind(principal)
  const stored = await showTo(parts.store, principal, await findReadable(parts, principal, identifier))
  const [resolved] = await resolveRelations(parts, principal, [stored], view)
  return resolved as Entity
}

/**
 * Resolves the relations of entities that the principal sees, with one query for all of them, and
 * one for each level of a classification.
 */
export async function resolveRelations(
  parts: Parts,
  principal: Principal,
  stored: readonly StoredEntity[],
  view: RelatedView = {}
): Promise<Entity[]> {
  const entities = stored.map(each => JSON.parse(each.json) as Entity)
  const all = entities.flatMap(({ relations }) => relations)
  const { shown } = await fetchRelationSummaries(parts.store.findEntities, parts.model, principal, all, { view })
  return entities.map(entity => ({
    ...entity,
    relations: entity.relations.map(relation => {
      const resolved = JSON.parse(`{${resolveRelation(relation, key => shown.get(key))}}`) as Relation
      // Resolved members win: a client that puts a resolved record back stores those of that day.
      return { ...resolved, ...relation, ...resolved }
    })
  }))
}

/** Finds a stored entity that the principal may read. Throws `not_found`. */
export async function findReadable(parts: Parts, principal: Principal, identifier: string): Promise<StoredEntity> {
  const stored = await parts.store.findEntity(identifier)
  if (!stored || !principal.mayRead(stored.type)) throw notFound('entity', identifier)
  return stored
}

/**
 * Throws `forbidden` for a token that may read nothing at all, instead of reporting that nothing
 * exists.
 */
export function refuseBlind(principal: Principal) {
  if (!principal.readsEverything && principal.readableTypes.length === 0) throw forbidden('read')
}

const toAnswer = (stored: StoredEntity): CachedAnswer => ({
  body: stored.json,
  etag: `"${stored.version}"`,
  madeFrom: [stored.id]
})
