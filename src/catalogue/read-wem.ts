import { hash } from 'node:crypto'

import { type Entity, type Json, type MetadataEntry, type Relation, targetsOf } from '#domain/entity.ts'
import { CatalogueError, notFound } from '#domain/errors.ts'
import type { Model } from '#domain/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { wemLinks } from '#domain/publication.ts'
import { type ResolvedRelation, resolveRelations } from '#domain/resolve-relation.ts'
import type { CachedAnswer } from './answer-cache.ts'
import { type FindEntities, fetchRelated, type Related } from './fetch-related.ts'
import type { Parts } from './parts.ts'
import { refuseBlind } from './read-entity.ts'

/** One level of a WEM answer (specification 2.1). */
export interface WemLevel {
  readonly type: string
  readonly metadata: Readonly<Record<string, WemMetadata>>
  readonly relations: Readonly<Record<string, ResolvedRelation>>
}

export interface WemMetadata {
  readonly value: Json
  readonly lang?: string
  /** All values, and their languages, where a key is repeated. */
  readonly values?: readonly Json[]
  readonly langs?: readonly (string | null)[]
}

/** Always strings, whatever was stored (contract, section 2). */
const alwaysText = new Set(['title', 'isbn', 'year_of_publication'])

/**
 * Starts at a manifestation and climbs to its expression and its work, with every relation resolved, as text ready to send. Throws `not_found`
 * when it is no manifestation, `incomplete_wem` when a level above it is missing.
 */
export async function readWem(parts: Parts, principal: Principal, manifestationId: string): Promise<CachedAnswer> {
  refuseBlind(principal)
  // What somebody sees depends on what they may read; those who read everything share their answers.
  const view = principal.readsEverything ? '' : principal.readableTypes.join()
  return parts.cache.answer(`wem ${view} ${manifestationId}`, () =>
    makeWem(parts, principal, manifestationId, parts.store.findEntities)
  )
}

/** Makes a WEM answer from entities as `find` gives them: as they are, or as they were. */
export async function makeWem(
  parts: Parts,
  principal: Principal,
  manifestationId: string,
  find: FindEntities
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

  const levels = [manifestation, expression, work]
  const related = await fetchRelated(
    find,
    parts.model,
    principal,
    levels.flatMap(level => level.relations)
  )
  const answer = {
    work: toLevel(parts.model, work, related),
    expression: toLevel(parts.model, expression, related, wemLinks.expression),
    manifestation: toLevel(parts.model, manifestation, related, wemLinks.manifestation)
  }
  const body = JSON.stringify(answer)
  return {
    body,
    etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
    madeFrom: [...new Set([...levels, ...related.entities.values()].map(entity => entity.id))],
    hasGaps: Object.values(answer).some(showsMissing) || [...related.entities.values()].some(lacksParent)
  }

  function lacksParent(entity: Entity): boolean {
    const climbsBy = parts.model.findType(entity.type)?.climbsBy
    const [parent] = climbsBy === undefined ? [] : targetsOf(entity, climbsBy)
    return parent !== undefined && !related.entities.has(parent)
  }
}

const showsMissing = (level: WemLevel) => Object.values(level.relations).some(relation => relation.label === 'missing')

/** An entity as a level of a WEM answer or a tree. */
export function toLevel(model: Model, entity: Entity, related: Related, link?: string): WemLevel {
  const relations = entity.relations.filter(({ type, key }: Relation) => type !== link && !related.hidden.has(key))
  return {
    type: entity.type,
    metadata: toDictionary(entity.metadata),
    relations: resolveRelations(model, relations, key => related.entities.get(key))
  }
}

/** Metadata by key; a repeated key shows the first value, and all of them beside it. */
function toDictionary(metadata: readonly MetadataEntry[]): Record<string, WemMetadata> {
  const dictionary: Record<string, WemMetadata> = Object.create(null)
  const groups = Map.groupBy(metadata, entry => entry.key)
  for (const [key, entries] of groups) {
    const values = entries.map(entry => (alwaysText.has(key) ? toText(entry.value) : entry.value))
    const [first] = entries
    dictionary[key] = {
      value: values[0] ?? null,
      ...(first?.lang === undefined ? {} : { lang: first.lang }),
      ...(values.length > 1 ? { values } : {}),
      ...(values.length > 1 && entries.some(entry => entry.lang !== undefined)
        ? { langs: entries.map(entry => entry.lang ?? null) }
        : {})
    }
  }
  return dictionary
}

const toText = (value: Json) =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
