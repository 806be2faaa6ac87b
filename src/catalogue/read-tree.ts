import type { Entity } from '#domain/entity.ts'
import { notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { wemLinks } from '#domain/publication.ts'
import { fetchRelated } from './fetch-related.ts'
import { findReferring } from './find-referring.ts'
import type { Parts } from './parts.ts'
import { findReadable, refuseBlind } from './read-entity.ts'
import { toLevel, type WemLevel } from './read-wem.ts'
import { readableTypes } from './visibility.ts'

export interface TreeLevel extends WemLevel {
  readonly id: string
}

export interface Tree {
  readonly work: TreeLevel
  readonly expressions: readonly (TreeLevel & { readonly manifestations: readonly TreeLevel[] })[]
  /** Of manifestations; they are what is paged. */
  readonly count: number
  readonly skip: number
  readonly limit: number
}

/** A work with its expressions and their manifestations. All expressions are shown; manifestations a page at a time. */
export async function readTree(
  parts: Parts,
  principal: Principal,
  workId: string,
  skip: number,
  limit: number
): Promise<Tree> {
  refuseBlind(principal)
  const stored = await findReadable(parts, principal, workId)
  if (parts.model.umbrellaOf(stored.type) !== 'work') throw notFound('work', workId)

  const readable = readableTypes(principal)
  const expressionIds = await findReferring(parts.store, stored.id, readable, [wemLinks.expression])
  const pairs: { expressionId: string; manifestationId: string }[] = []
  for (const expressionId of expressionIds) {
    for (const manifestationId of await findReferring(parts.store, expressionId, readable, [wemLinks.manifestation])) {
      pairs.push({ expressionId, manifestationId })
    }
  }
  const page = pairs.slice(skip, skip + limit)
  const found = await parts.store.findEntities([stored.id, ...expressionIds, ...page.map(pair => pair.manifestationId)])
  const entities = new Map([...found].map(([id, each]) => [id, JSON.parse(each.json) as Entity]))
  const relations = [...entities.values()].flatMap(entity => entity.relations)
  const related = await fetchRelated(parts.store.findEntities, parts.model, principal, relations)
  const show = (id: string, link?: string): TreeLevel[] => {
    const entity = entities.get(id)
    return entity ? [{ id: entity.id, ...toLevel(parts.model, entity, related, link) }] : []
  }

  const [work] = show(stored.id)
  if (!work) throw notFound('work', workId)
  const expressions = []
  for (const expressionId of expressionIds) {
    const manifestations: TreeLevel[] = []
    for (const pair of page) {
      if (pair.expressionId === expressionId) manifestations.push(...show(pair.manifestationId, wemLinks.manifestation))
    }
    for (const expression of show(expressionId, wemLinks.expression))
      expressions.push({ ...expression, manifestations })
  }
  return { work, expressions, count: pairs.length, skip, limit }
}
