import type { Entity } from '#domain/entity.ts'
import { notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { fetchForResolving } from './fetch-related.ts'
import type { Parts } from './parts.ts'
import { findReadable, refuseBlind } from './read-entity.ts'
import { toLevel, type WemLevel, wemLinks } from './read-wem.ts'
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

/** How many referring records are read at once. */
const chunk = 1000

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

  const expressionIds = await findReferring(parts, principal, stored.id, wemLinks.expression)
  const pairs: { expressionId: string; manifestationId: string }[] = []
  for (const expressionId of expressionIds) {
    for (const manifestationId of await findReferring(parts, principal, expressionId, wemLinks.manifestation)) {
      pairs.push({ expressionId, manifestationId })
    }
  }
  const page = pairs.slice(skip, skip + limit)
  const found = await parts.store.findEntities([stored.id, ...expressionIds, ...page.map(pair => pair.manifestationId)])
  const entities = new Map([...found].map(([id, each]) => [id, JSON.parse(each.json) as Entity]))
  const related = await fetchForResolving(
    parts,
    principal,
    [...entities.values()].flatMap(entity => entity.relations)
  )
  const show = async (id: string, link?: string): Promise<TreeLevel[]> => {
    const entity = entities.get(id)
    return entity ? [{ id: entity.id, ...(await toLevel(parts, principal, entity, related, link)) }] : []
  }

  const [work] = await show(stored.id)
  if (!work) throw notFound('work', workId)
  const expressions = []
  for (const expressionId of expressionIds) {
    const manifestations: TreeLevel[] = []
    for (const pair of page) {
      if (pair.expressionId === expressionId)
        manifestations.push(...(await show(pair.manifestationId, wemLinks.manifestation)))
    }
    for (const expression of await show(expressionId, wemLinks.expression))
      expressions.push({ ...expression, manifestations })
  }
  return { work, expressions, count: pairs.length, skip, limit }
}

/** Ids of everything that points to an entity by one relation type, in the order of creation. */
async function findReferring(parts: Parts, principal: Principal, id: string, relationType: string): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const { count, references } = await parts.store.findReferences({
      id,
      relationTypes: [relationType],
      readableTypes: readableTypes(principal),
      skip: ids.length,
      limit: chunk
    })
    ids.push(...references.map(reference => reference.id))
    if (ids.length >= count || references.length === 0) return ids
  }
}
