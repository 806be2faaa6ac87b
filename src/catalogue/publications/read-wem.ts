import type { Entity } from '#domain/entity/entity.ts'
import { CatalogueError, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'
import type { CachedAnswer } from '../cache/answer-cache.ts'
import { fetchRelationSummaries, type SummaryOptions } from '../entities/fetch-relation-summaries.ts'
import { findItemTexts } from './find-items.ts'
import { identifyManifestation } from './identify-manifestation.ts'
import { levelText, relationsBeside } from './level-text.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { etagOf } from '../etag.ts'

/**
 * Reads a manifestation with its expression and its work, with every relation resolved, as text
 * ready to send. Throws `not_found` when it is no manifestation, `incomplete_wem` when a level
 * above it is missing.
 */
export async function readWem(
  parts: Parts,
  principal: Principal,
  manifestationId: string,
  languages: readonly string[] = []
): Promise<CachedAnswer> {
  refuseBlind(principal)
  // The answer depends on the rights of the principal; all who read everything share their answers.
  const view = principal.readsEverything ? '' : principal.readableTypes.join()
  const read = (id: string) =>
    parts.cache.answer(`wem ${view} ${languages.join()} ${id}`, cached =>
      // Cached summaries are in no language.
      makeWem(parts, principal, id, parts.store, languages.length === 0 ? { cached } : { view: { languages } })
    )
  return read(manifestationId).catch(async error => {
    if (!(error instanceof CatalogueError) || error.code !== 'not_found') throw error
    // A copy, which is not stored as sent: another publication may get the same number.
    return { ...(await read(await identifyManifestation(parts, principal, manifestationId))) }
  })
}

/**
 * Finds the id of a manifestation as `readWem` does, and throws as that does where a level above it
 * is missing.
 */
export async function identifyWem(parts: Parts, principal: Principal, manifestationId: string): Promise<string> {
  refuseBlind(principal)
  const find = async (id: string) => (await climb(parts, principal, id, parts.store.findClimbing))[0].id
  return find(manifestationId).catch(async error => {
    if (!(error instanceof CatalogueError) || error.code !== 'not_found') throw error
    return find(await identifyManifestation(parts, principal, manifestationId))
  })
}

/** Reads a WEM with the items of its manifestation beside it. */
export async function readWemWithItems(
  parts: Parts,
  principal: Principal,
  manifestationId: string,
  languages: readonly string[] = []
): Promise<CachedAnswer> {
  const wem = await readWem(parts, principal, manifestationId, languages)
  const id = await identifyManifestation(parts, principal, manifestationId)
  const items = (await findItemTexts(parts, principal, [id])).get(id) ?? ''
  const body = `${wem.body.slice(0, -1)},"items":[${items}]}`
  return { ...wem, body, etag: etagOf(body) }
}

/**
 * Makes a WEM answer with the given functions for finding entities: in their current state, with
 * cached summaries, or in a past one.
 */
export async function makeWem(
  parts: Parts,
  principal: Principal,
  manifestationId: string,
  { findClimbing, findEntities }: Pick<Store, 'findClimbing' | 'findEntities'>,
  how: SummaryOptions = {}
): Promise<CachedAnswer> {
  const [edition, text, whole] = await climb(parts, principal, manifestationId, findClimbing)
  const [manifestation, expression, work] = [parse(edition), parse(text), parse(whole)]
  const relations = [
    ...relationsBeside(work),
    ...relationsBeside(expression, wemLinks.expression),
    ...relationsBeside(manifestation, wemLinks.manifestation)
  ]
  const relationSummaries = await fetchRelationSummaries(findEntities, parts.model, principal, relations, how)
  const body = `{"work":{${levelText(work, relationSummaries)}},"expression":{${levelText(expression, relationSummaries, wemLinks.expression)}},"manifestation":{${levelText(manifestation, relationSummaries, wemLinks.manifestation)}}}`
  const madeFrom = new Set([work.id, expression.id, manifestation.id])
  for (const { id } of relationSummaries.shown.values()) madeFrom.add(id)
  for (const { id } of relationSummaries.hidden.values()) madeFrom.add(id)
  return {
    body,
    etag: etagOf(body),
    madeFrom: [...madeFrom],
    hasGaps: relationSummaries.hasGaps
  }
}

const parse = ({ json }: StoredEntity) => JSON.parse(json) as Entity

/** Finds manifestation, expression and work. Throws `not_found` and `incomplete_wem`. */
async function climb(
  { model }: Parts,
  principal: Principal,
  manifestationId: string,
  findClimbing: Store['findClimbing']
): Promise<readonly [StoredEntity, StoredEntity, StoredEntity]> {
  const climbed = await findClimbing(manifestationId, [wemLinks.manifestation, wemLinks.expression])
  const levelAt = (index: number, level: string): StoredEntity | undefined => {
    const stored = climbed[index]
    return stored && model.umbrellaOf(stored.type) === level && principal.mayRead(stored.type) ? stored : undefined
  }
  const incomplete = (level: string) =>
    new CatalogueError('incomplete_wem', `The ${level} of manifestation "${manifestationId}" is missing`, {
      about: ['id', manifestationId],
      extra: { missing_level: level }
    })
  const manifestation = levelAt(0, 'manifestation')
  if (!manifestation) throw notFound('manifestation', manifestationId)
  const expression = levelAt(1, 'expression')
  if (!expression) throw incomplete('expression')
  const work = levelAt(2, 'work')
  if (!work) throw incomplete('work')
  return [manifestation, expression, work]
}
