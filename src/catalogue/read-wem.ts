import { hash } from 'node:crypto'

import { type Entity, type Json, type MetadataEntry, type Relation, targetsOf } from '#domain/entity.ts'
import { CatalogueError, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { type ResolvedRelation, resolveRelations } from '#domain/resolve-relation.ts'
import type { CachedAnswer } from './answer-cache.ts'
import { fetchForResolving } from './fetch-related.ts'
import type { Parts } from './parts.ts'
import { refuseBlind } from './read-entity.ts'
import { visibleTargets } from './visibility.ts'

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

/** The relations that lead from one level up to the next; they are not repeated among the resolved ones. */
export const wemLinks = { manifestation: 'refExpressions', expression: 'refWork' } as const

/** Always strings, whatever was stored (contract, section 2). */
const alwaysText = new Set(['title', 'isbn', 'year_of_publication'])

/**
 * Starts at a manifestation and climbs to its expression and its work, with every relation resolved, as bytes ready to send. Throws `not_found`
 * when it is no manifestation, `incomplete_wem` when a level above it is missing.
 */
export async function readWem(parts: Parts, principal: Principal, manifestationId: string): Promise<CachedAnswer> {
  refuseBlind(principal)
  // What somebody sees depends on what they may read; those who read everything share their answers.
  const view = principal.readsEverything ? '' : principal.readableTypes.join()
  return parts.cache.answer(`wem ${view} ${manifestationId}`, () => makeWem(parts, principal, manifestationId))
}

async function makeWem(parts: Parts, principal: Principal, manifestationId: string): Promise<CachedAnswer> {
  const manifestation = await findLevel(parts, principal, manifestationId, 'manifestation')
  if (!manifestation) throw notFound('manifestation', manifestationId)
  const expression = await climb(parts, principal, manifestation, wemLinks.manifestation, 'expression', manifestationId)
  const work = await climb(parts, principal, expression, wemLinks.expression, 'work', manifestationId)

  const related = await fetchForResolving(
    parts,
    principal,
    [manifestation, expression, work].flatMap(level => level.relations)
  )
  const answer = {
    work: await toLevel(parts, principal, work, related),
    expression: await toLevel(parts, principal, expression, related, wemLinks.expression),
    manifestation: await toLevel(parts, principal, manifestation, related, wemLinks.manifestation)
  }
  const body = Buffer.from(JSON.stringify(answer))
  return {
    body,
    etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
    type: manifestation.type,
    madeFrom: [...new Set([manifestation, expression, work, ...related.values()].map(entity => entity.id))]
  }
}

async function climb(
  parts: Parts,
  principal: Principal,
  from: Entity,
  link: string,
  level: string,
  manifestationId: string
): Promise<Entity> {
  const [key] = targetsOf(from, link)
  const found = key === undefined ? undefined : await findLevel(parts, principal, key, level)
  if (found) return found
  throw new CatalogueError('incomplete_wem', `The ${level} of manifestation "${manifestationId}" is missing`, {
    about: ['id', manifestationId],
    extra: { missing_level: level }
  })
}

/** Finds an entity that stands on a level and that the principal may read. */
async function findLevel(parts: Parts, principal: Principal, key: string, level: string): Promise<Entity | undefined> {
  const stored = await parts.store.findEntity(key)
  if (!stored || parts.model.umbrellaOf(stored.type) !== level || !principal.mayRead(stored.type)) return undefined
  return JSON.parse(stored.json) as Entity
}

/** An entity as a level of a WEM answer or a tree. */
export async function toLevel(
  parts: Parts,
  principal: Principal,
  entity: Entity,
  related: ReadonlyMap<string, Entity>,
  link?: string
): Promise<WemLevel> {
  const isVisible = await visibleTargets(parts.store, principal, entity.relations)
  const relations = entity.relations.filter((relation: Relation) => relation.type !== link && isVisible(relation))
  return {
    type: entity.type,
    metadata: toDictionary(entity.metadata),
    relations: resolveRelations(parts.model, relations, key => related.get(key))
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
