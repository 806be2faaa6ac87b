import { contentOf, type Entity } from '#domain/entity/entity.ts'
import type { Fault } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Draft, readDraft, type WantedContent } from '#domain/editing/read-draft.ts'
import { type ChangeOptions, changeEntity, type Edit } from './change-entity.ts'
import type { Written } from './create-entity.ts'
import type { Parts } from '../parts.ts'

/** Replaces the part of an entity that clients decide. Its id, uuid and type stay. */
export function replaceEntity(
  parts: Parts,
  principal: Principal,
  identifier: string,
  body: unknown,
  options: ChangeOptions
): Promise<Written> {
  return changeEntity(parts, principal, identifier, replacing(body), options)
}

/** Makes the edit that replaces the content of an entity by a body. */
export const replacing =
  (body: unknown): Edit =>
  (current, faults) =>
    replaceWith(current, readDraft(body, faults), faults)

/**
 * Replaces the content of an entity by a draft. Other identifiers stay unless the draft lists them:
 * an identifier should work for ever.
 */
export function replaceWith(current: Entity, draft: Draft, faults: Fault[]): WantedContent {
  refuseOtherIdentity(current, draft, faults)
  return {
    ...contentOf(current),
    metadata: draft.metadata,
    relations: draft.relations,
    otherIdentifiers: draft.given.has('identifiers')
      ? draft.identifiers.filter(each => each !== current.id && each !== current._id)
      : current.identifiers.slice(2),
    pointers: draft.pointers
  }
}

export function refuseOtherIdentity(current: Entity, draft: Draft, faults: Fault[]) {
  if (draft.id !== undefined && !current.identifiers.includes(draft.id)) {
    faults.push({
      pointer: '/id',
      message: `The id of an entity cannot change: it is "${current.id}", not "${draft.id}"`
    })
  }
  if (draft.type !== undefined && draft.type !== current.type) {
    faults.push({
      pointer: '/type',
      message: `The type of an entity cannot change: it is "${current.type}", not "${draft.type}"`
    })
  }
}
