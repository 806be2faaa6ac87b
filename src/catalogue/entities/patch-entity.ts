import { contentOf, type Json } from '#domain/entity/entity.ts'
import { type Fault, invalidWith } from '#domain/errors.ts'
import { applyJsonPatch } from '#domain/editing/json-patch.ts'
import { mergeMetadata, mergeRelations } from '#domain/editing/merge-lists.ts'
import type { Principal } from '#domain/permissions.ts'
import { findJsonFaults, isJsonObject } from '#domain/json.ts'
import { readDraft } from '#domain/editing/read-draft.ts'
import { type ChangeOptions, changeEntity, type Edit } from './change-entity.ts'
import type { Written } from './create-entity.ts'
import type { Parts } from '../parts.ts'
import { relationsById } from './prepare-content.ts'
import { refuseOtherIdentity, replaceWith } from './replace-entity.ts'

/** The forms of a change: lists of entries, RFC 7396 and RFC 6902. */
const patchForms = ['lists', 'merge_patch', 'json_patch'] as const
export type PatchForm = (typeof patchForms)[number]

export interface Patch {
  readonly form: PatchForm
  readonly body: unknown
}

/** Changes part of an entity. The rules of the record type apply to the whole result. */
export async function patchEntity(
  parts: Parts,
  principal: Principal,
  identifier: string,
  patch: Patch,
  options: ChangeOptions
): Promise<Written> {
  return changeEntity(parts, principal, identifier, patching(parts, principal, patch), options)
}

/** Makes the edit of a patch. */
export function patching(parts: Parts, principal: Principal, { form, body }: Patch): Edit {
  switch (form) {
    case 'lists':
      return mergingLists(parts, principal, body)
    case 'merge_patch':
      return (current, faults) => {
        refuseUnreadable(body)
        return replaceWith(current, readDraft(mergePatch(current as unknown as Json, body as Json), faults), faults)
      }
    case 'json_patch':
      return (current, faults) => {
        refuseUnreadable(body)
        return replaceWith(current, readDraft(applyJsonPatch(current as unknown as Json, body), faults), faults)
      }
  }
}

/**
 * Relations may be named by any identifier of their target, but are stored, and so replaced, by its
 * id.
 */
function mergingLists(parts: Parts, principal: Principal, body: unknown): Edit {
  const formFaults: Fault[] = []
  const draft = readDraft(body, formFaults)
  return async (current, faults) => {
    faults.push(...formFaults)
    const relations = await relationsById(parts, principal, draft.relations, draft.pointers)
    refuseOtherIdentity(current, draft, faults)
    const known = new Set(current.identifiers)
    return {
      ...contentOf(current),
      metadata: mergeMetadata(current.metadata, draft.metadata),
      relations: mergeRelations(current.relations, relations),
      otherIdentifiers: [...current.identifiers.slice(2), ...draft.identifiers.filter(each => !known.has(each))],
      pointers: draft.pointers
    }
  }
}

/** RFC 7396: members are merged, null removes one, anything else replaces. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const merged = new Map<string, Json>(isJsonObject(target) ? Object.entries(target) : [])
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) merged.delete(member)
    else merged.set(member, mergePatch(merged.get(member) ?? null, value))
  }
  return Object.fromEntries(merged)
}

function refuseUnreadable(body: unknown) {
  const faults = findJsonFaults(body)
  if (faults.length > 0) throw invalidWith(faults)
}
