import { contentOf, type Entity, type MetadataEntry, type Relation } from '#domain/entity/entity.ts'
import { type Fault, invalidWith } from '#domain/errors.ts'
import { findJsonFaults } from '#domain/json.ts'
import {
  addRelations,
  mergeMetadata,
  mergeRelations,
  removeMetadata,
  removeRelations
} from '#domain/editing/merge-lists.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Pointers, readMetadata, readRelations, type WantedContent } from '#domain/editing/read-draft.ts'
import { type ChangeOptions, changeEntity } from './change-entity.ts'
import type { Written } from './create-entity.ts'
import type { Parts } from '../parts.ts'
import { relationsById } from './prepare-content.ts'

export const lists = ['metadata', 'relations'] as const
export type List = (typeof lists)[number]

export const listActions = ['add', 'replace', 'patch', 'remove'] as const
export type ListAction = (typeof listActions)[number]

/** A change of one list. */
export interface ListEdit {
  readonly list: List
  readonly action: ListAction
  readonly body: unknown
}

/** Changes the metadata or the relations of an entity as a list of its own. */
export async function editList(
  parts: Parts,
  principal: Principal,
  identifier: string,
  { list, action, body }: ListEdit,
  options: ChangeOptions
): Promise<Written> {
  // One level down: the list is inside the entity, and the whole must fit into a request again.
  const unreadable = findJsonFaults(body, '', 1)
  if (unreadable.length > 0) throw invalidWith(unreadable)
  if (list === 'metadata') {
    return changeEntity(
      parts,
      principal,
      identifier,
      (current, faults) => editMetadata(current, action, body, faults),
      options
    )
  }
  // Relations are named by any identifier of their target, but stored by its id.
  const faults: Fault[] = []
  const pointers: Pointers = new Map()
  const relations = readRelations(body, '', faults, pointers)
  if (faults.length > 0) throw invalidWith(faults)
  const edit = async (current: Entity) => {
    const byId = await relationsById(parts, principal, relations, pointers)
    return { ...contentOf(current), relations: relationActions[action](current.relations, byId), pointers }
  }
  return changeEntity(parts, principal, identifier, edit, options)
}

const relationActions: Record<
  ListAction,
  (kept: readonly Relation[], given: readonly Relation[]) => readonly Relation[]
> = {
  add: addRelations,
  replace: (_, given) => given,
  patch: mergeRelations,
  remove: removeRelations
}

function editMetadata(current: Entity, action: ListAction, body: unknown, faults: Fault[]): WantedContent {
  const pointers: Pointers = new Map()
  // Entries to remove are named by key; a value is allowed but not needed.
  const given = action === 'remove' ? readNames(body, faults) : readMetadata(body, '', faults, pointers)
  return { ...contentOf(current), metadata: metadataActions[action](current.metadata, given), pointers }
}

const metadataActions: Record<
  ListAction,
  (kept: readonly MetadataEntry[], given: readonly MetadataEntry[]) => readonly MetadataEntry[]
> = {
  add: (kept, given) => [...kept, ...given],
  replace: (_, given) => given,
  patch: mergeMetadata,
  remove: removeMetadata
}

function readNames(body: unknown, faults: Fault[]): MetadataEntry[] {
  // A DELETE may have no body; it removes nothing then.
  if (body === undefined || body === null) return readMetadata(body, '', faults)
  const items: unknown[] = Array.isArray(body) ? body : [body]
  const named = items.map(each => {
    const entry = typeof each === 'string' ? { key: each } : each
    return typeof entry === 'object' && entry !== null && !('value' in entry) ? { ...entry, value: null } : entry
  })
  return readMetadata(named, '', faults)
}
