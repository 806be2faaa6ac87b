import { applyPatch, type Operation } from 'rfc6902'

import { contentOf, type Entity, type Json } from '#domain/entity.ts'
import { CatalogueError, type Fault, invalidWith } from '#domain/errors.ts'
import { mergeMetadata, mergeRelations } from '#domain/merge-lists.ts'
import type { Principal } from '#domain/permissions.ts'
import { findJsonFaults } from '#domain/json-limits.ts'
import { readDraft } from '#domain/read-draft.ts'
import { type ChangeOptions, changeEntity, type Edit } from './change-entity.ts'
import type { Written } from './create-entity.ts'
import type { Parts } from './parts.ts'
import { relationsById } from './prepare-content.ts'
import { refuseOtherIdentity, replaceWith } from './replace-entity.ts'

/** The ways to say a change: ours, RFC 7396 and RFC 6902. */
export const patchForms = ['lists', 'merge_patch', 'json_patch'] as const
export type PatchForm = (typeof patchForms)[number]

/** Changes part of an entity. The record type's rules hold for the whole of the outcome. */
export async function patchEntity(
  parts: Parts,
  principal: Principal,
  identifier: string,
  form: PatchForm,
  body: unknown,
  options: ChangeOptions
): Promise<Written> {
  const edits = {
    lists: await listMerger(parts, body, form),
    merge_patch: (current: Entity, faults: Fault[]) => {
      refuseUnreadable(body)
      return replaceWith(current, readDraft(mergePatch(current as unknown as Json, body as Json), faults), faults)
    },
    json_patch: (current: Entity, faults: Fault[]) =>
      replaceWith(current, readDraft(jsonPatch(current, body), faults), faults)
  } as const satisfies Record<PatchForm, unknown>
  return changeEntity(parts, principal, identifier, edits[form], options)
}

/** Relations may be named by any identifier of their target, but are kept, and so replaced, by its id. */
async function listMerger(parts: Parts, body: unknown, form: PatchForm): Promise<Edit> {
  const formFaults: Fault[] = []
  const draft = readDraft(form === 'lists' ? body : {}, formFaults)
  const relations = await relationsById(parts, draft.relations)
  return (current, faults) => {
    faults.push(...formFaults)
    refuseOtherIdentity(current, draft, faults)
    const known = new Set(current.identifiers)
    return {
      ...contentOf(current),
      metadata: mergeMetadata(current.metadata, draft.metadata),
      relations: mergeRelations(current.relations, relations),
      otherIdentifiers: [...current.identifiers.slice(2), ...draft.identifiers.filter(each => !known.has(each))]
    }
  }
}

/** RFC 7396: members are merged, null removes one, anything else replaces. */
export function mergePatch(target: Json, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
  const merged = new Map<string, Json>(isObject ? Object.entries(target as Record<string, Json>) : [])
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) merged.delete(member)
    else merged.set(member, mergePatch(merged.get(member) ?? null, value))
  }
  return Object.fromEntries(merged)
}

/** RFC 6902: all operations or none. Throws `invalid` for a malformed patch, `patch_not_applicable` when it does not fit the entity. */
function jsonPatch(current: Entity, body: unknown): Json {
  refuseUnreadable(body)
  const faults: Fault[] = []
  if (!Array.isArray(body)) throw invalidWith([{ pointer: '', message: 'A JSON Patch must be an array of operations' }])
  body.forEach((operation: unknown, index) => {
    const problem = findOperationProblem(operation)
    if (problem !== undefined) faults.push({ pointer: `/${index}`, message: problem })
  })
  if (faults.length > 0) throw invalidWith(faults)
  const target = structuredClone(current) as unknown as Json
  const failures = applyPatch(target, body as Operation[])
  const index = failures.findIndex(failure => failure !== null)
  if (index < 0) return target
  throw new CatalogueError(
    'patch_not_applicable',
    `Operation ${index} of the patch does not fit the entity: ${failures[index]?.message}`,
    {
      faults: [{ pointer: `/${index}`, message: String(failures[index]?.message) }]
    }
  )
}

const operationNames = ['add', 'remove', 'replace', 'move', 'copy', 'test']

function findOperationProblem(operation: unknown): string | undefined {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation))
    return 'An operation must be an object'
  const { op, path, from, value } = operation as Record<string, unknown>
  if (!operationNames.includes(String(op))) return `"op" must be one of ${operationNames.join(', ')}`
  if (!isPointer(path)) return '"path" must be a JSON pointer'
  if ((op === 'move' || op === 'copy') && !isPointer(from)) return '"from" must be a JSON pointer'
  if ((op === 'add' || op === 'replace' || op === 'test') && value === undefined)
    return `"${String(op)}" needs a "value"`
  return undefined
}

/** RFC 6901, without the members by which JavaScript could be led astray. */
function isPointer(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^(?:\/(?:[^~/]|~[01])*)*$/.test(value) &&
    !value.split('/').some(member => member === '__proto__' || member === 'constructor' || member === 'prototype')
  )
}

function refuseUnreadable(body: unknown) {
  const faults = findJsonFaults(body)
  if (faults.length > 0) throw invalidWith(faults)
}
