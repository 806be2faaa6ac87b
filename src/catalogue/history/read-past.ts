import { readDate } from '#domain/values/dates.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { type CatalogueError, invalidWith, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Version } from '#store/ports/history.ts'
import { climbingBy } from '../publications/climbing-by.ts'
import type { FindEntities } from '../entities/fetch-related.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { makeWem } from '../publications/read-wem.ts'
import { showTo } from '../guarded/visibility.ts'

/** A moment in the past: a version of the requested entity, or a time. */
export type PastMoment = { readonly version: number } | { readonly at: string }

/**
 * Reads the past state of an entity, also of a deleted one. Throws `not_found` when it did not
 * exist then.
 */
export async function readPastEntity(
  parts: Parts,
  principal: Principal,
  identifier: string,
  moment: PastMoment
): Promise<StoredEntity> {
  refuseBlind(principal)
  const past = await findPast(parts, identifier, moment)
  if (!past || !principal.mayRead(past.type)) throw missing(identifier, moment)
  return showTo(parts.store, principal, past)
}

/** Reads a past WEM answer: every level and every related record in its state at one moment. */
export async function readPastWem(
  parts: Parts,
  principal: Principal,
  manifestationId: string,
  moment: PastMoment
): Promise<string> {
  refuseBlind(principal)
  const sequence = await sequenceOf(parts, manifestationId, moment)
  const findEntities: FindEntities = identifiers => parts.store.findEntitiesAt(identifiers, sequence)
  const findClimbing = climbingBy(findEntities)
  const { body } = await makeWem(parts, principal, manifestationId, { findClimbing, findEntities })
  return body
}

async function findPast(parts: Parts, identifier: string, moment: PastMoment): Promise<StoredEntity | undefined> {
  if ('version' in moment) {
    const version = await parts.store.findVersion(identifier, moment.version)
    return version && toStored(version)
  }
  const sequence = await sequenceOf(parts, identifier, moment)
  return (await parts.store.findEntitiesAt([identifier], sequence)).get(identifier)
}

/**
 * The last change at the moment. For a version it is the moment of its commit: records that were
 * written together existed together.
 */
async function sequenceOf(parts: Parts, identifier: string, moment: PastMoment): Promise<number> {
  if ('version' in moment) {
    const version = await parts.store.findVersion(identifier, moment.version)
    if (!version) throw missing(identifier, moment)
    const next = await parts.store.findVersion(identifier, moment.version + 1)
    return Math.min(await parts.store.sequenceAt(version.at), (next?.sequence ?? Number.POSITIVE_INFINITY) - 1)
  }
  const date = readDate(moment.at)
  if (!date) throw invalidWith([{ pointer: 'at', message: `Not an ISO 8601 date: "${moment.at}"` }])
  return parts.store.sequenceAt(new Date(date.last).toISOString())
}

export function toStored({ json, version }: Version): StoredEntity | undefined {
  if (json === null) return undefined
  const { id, _id: uuid, type } = JSON.parse(json) as Entity
  return { id, uuid, type, version, json }
}

function missing(identifier: string, moment: PastMoment): CatalogueError {
  return notFound('version' in moment ? `version ${moment.version} of an entity` : `entity at ${moment.at}`, identifier)
}
