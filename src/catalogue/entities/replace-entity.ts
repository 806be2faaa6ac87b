import { contentOf, type Entity } from '#domain/entity/entity.ts'
import type { Fault } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Draft, readDraft, type WantedContent } from '#domain/editing/read-draft.ts'
import { type ChangeOptions, changeEntity, type Edit } from './change-entity.ts'
import type { Written } from './create-entity.ts'
import type { Parts } from '../parts.ts'

/** Replaces what a client decides about an entity. Its id, uuid and type stay. */
export function replaceEntity(
  parts: Parts,
  principal: Principal,
  identifier: string,
  body: unknown,
  options: ChangeOptions
): Promise<Written> {
  return changeEntity(parts, principal, identifier, replacing(body), options)
}

/** The edit that puts a body in the place of what an entity holds. */
export const replacing =
  (body: unknown): Edit =>
  (current, faults) =>
    replaceWith(current, readDraft(body, faults), faults)

/**
 * The content of an entity replaced by a draft. Other identifiers stay unless the draft lists them:
 * a name once given should go on working.
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
    faults.push({ pointer: '/id', message: `The id of an entity stays: it is "${current.id}", not "${draft.id}"` })
  }
  if (draft.type !== undefined && draft.type !== current.type) {
    faults.push({
      pointer: '/type',
      message: `The type of an entity stays: it is "${current.type}", not "${draft.type}"`
    })
  }
}
