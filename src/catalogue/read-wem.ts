import { hash } from 'node:crypto'

import { type Entity, targetsOf } from '#domain/entity.ts'
import { CatalogueError, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { wemLinks } from '#domain/publication.ts'
import type { CachedAnswer, KeptGlimpses } from './answer-cache.ts'
import { fetchGlimpses } from './fetch-glimpses.ts'
import type { FindEntities } from './fetch-related.ts'
import { levelText, relationsBeside } from './level-text.ts'
import type { Parts } from './parts.ts'
import { refuseBlind } from './read-entity.ts'

/**
 * Starts at a manifestation and climbs to its expression and its work, with every relation resolved, as text ready to send. Throws `not_found`
 * when it is no manifestation, `incomplete_wem` when a level above it is missing.
 */
export async function readWem(parts: Parts, principal: Principal, manifestationId: string): Promise<CachedAnswer> {
  refuseBlind(principal)
  // What somebody sees depends on what they may read; those who read everything share their answers.
  const view = principal.readsEverything ? '' : principal.readableTypes.join()
  return parts.cache.answer(`wem ${view} ${manifestationId}`, glimpses =>
    makeWem(parts, principal, manifestationId, parts.store.findEntities, glimpses)
  )
}

/** Makes a WEM answer from entities as `find` gives them: as they are, with what is kept of those related, or as they were. */
export async function makeWem(
  parts: Parts,
  principal: Principal,
  manifestationId: string,
  find: FindEntities,
  kept?: KeptGlimpses
): Promise<CachedAnswer> {
  const findLevel = async (key: string | undefined, level: string): Promise<Entity | undefined> => {
    const stored = key === undefined ? undefined : (await find([key])).get(key)
    if (!stored || parts.model.umbrellaOf(stored.type) !== level || !principal.mayRead(stored.type)) return undefined
    return JSON.parse(stored.json) as Entity
  }
  const climb = async (from: Entity, link: string, level: string): Promise<Entity> => {
    const found = await findLevel(targetsOf(from, link)[0], level)
    if (found) return found
    throw new CatalogueError('incomplete_wem', `The ${level} of manifestation "${manifestationId}" is missing`, {
      about: ['id', manifestationId],
      extra: { missing_level: level }
    })
  }

  const manifestation = await findLevel(manifestationId, 'manifestation')
  if (!manifestation) throw notFound('manifestation', manifestationId)
  const expression = await climb(manifestation, wemLinks.manifestation, 'expression')
  const work = await climb(expression, wemLinks.expression, 'work')

  const relations = [
    ...relationsBeside(work),
    ...relationsBeside(expression, wemLinks.expression),
    ...relationsBeside(manifestation, wemLinks.manifestation)
  ]
  const glimpses = await fetchGlimpses(find, parts.model, principal, relations, kept)
  const body = `{"work":{${levelText(work, glimpses)}},"expression":{${levelText(expression, glimpses, wemLinks.expression)}},"manifestation":{${levelText(manifestation, glimpses, wemLinks.manifestation)}}}`
  const madeFrom = new Set([work.id, expression.id, manifestation.id])
  for (const { id } of glimpses.shown.values()) madeFrom.add(id)
  for (const { id } of glimpses.hidden.values()) madeFrom.add(id)
  return {
    body,
    etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
    madeFrom: [...madeFrom],
    hasGaps: glimpses.hasGaps
  }
}
