import {
  contentOf,
  type Entity,
  type EntityContent,
  type Json,
  type MetadataEntry,
  type Relation,
  targetsOf,
  valuesOf
} from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, forbidden, invalid, notFound } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import {
  mediaRelation,
  mediaRelations,
  type PrimaryKind,
  primaryRelations
} from '#domain/record-types/media-relations.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { type ContentFacts, contentHashField } from '#domain/entity/server-fields.ts'
import type { EntityWrite, StoredEntity } from '#store/ports/entities.ts'
import { createEntity, type WriteOptions, type Written } from '../entities/create-entity.ts'
import { applyEdit, type ChangeOptions, changeEntity } from '../entities/change-entity.ts'
import { deleteEntity, type DeleteOptions } from '../entities/delete-entity.ts'
import { findReferring } from '../entities/find-referring.ts'
import { patchEntity } from '../entities/patch-entity.ts'
import { replaceEntity } from '../entities/replace-entity.ts'
import { type EntityPage, type ListRequest, listEntities } from '../lists/list-entities.ts'
import { findDeletable, findWritable } from '../entities/find-permitted.ts'
import type { Parts } from '../parts.ts'
import { findReadable, refuseBlind } from '../entities/read-entity.ts'
import { readableTypes, showAllTo } from '../guarded/visibility.ts'

/** The facts about a media file that are needed to serve its bytes. */
export interface MediafileContent {
  readonly id: string
  readonly filename: string
  readonly facts: ContentFacts | undefined
  readonly externalUrl: string | undefined
  /** The point that is never cut off, in shares of the width and height of a picture. */
  readonly focus: { readonly x: number; readonly y: number }
}

/**
 * Finds a media file that the principal may read. Throws `not_found`, also for a record of another
 * type.
 */
export async function readMediafile(parts: Parts, principal: Principal, identifier: string): Promise<MediafileContent> {
  refuseBlind(principal)
  return toContent(onlyMediafile(await findReadable(parts, principal, identifier), identifier))
}

/**
 * Finds the picture of a media file: itself, or the one that stands for a video or a recording.
 * Throws `not_found` if there is none.
 */
export async function readPicture(parts: Parts, principal: Principal, identifier: string): Promise<MediafileContent> {
  refuseBlind(principal)
  const entity = onlyMediafile(await findReadable(parts, principal, identifier), identifier)
  const content = toContent(entity)
  const [standIn] = Object.values(primaryRelations).flatMap(type => targetsOf(entity, type))
  return standIn === undefined || content.facts?.mimetype.startsWith('image/') === true
    ? content
    : readMediafile(parts, principal, standIn)
}

/** Lists the records that have a media file, in the order of their relations and of creation. */
export async function listMediafileOwners(
  parts: Parts,
  principal: Principal,
  identifier: string
): Promise<readonly StoredEntity[]> {
  refuseBlind(principal)
  const entity = onlyMediafile(await findReadable(parts, principal, identifier), identifier)
  const naming = await findReferring(parts.store, entity.id, readableTypes(principal), Object.keys(mediaRelations))
  const ids = [...new Set([...targetsOf(entity, mediafile.partOf ?? ''), ...naming])]
  const found = await parts.store.findEntities(ids)
  const owners = ids.flatMap(id => found.get(id) ?? []).filter(({ type }) => principal.mayRead(type))
  return showAllTo(parts.store, principal, owners)
}

/** Finds a media file that the principal may write. */
export async function findWritableMediafile(
  parts: Parts,
  principal: Principal,
  identifier: string
): Promise<MediafileContent> {
  return toContent(onlyMediafile(await findWritable(parts, principal, identifier), identifier))
}

/** Finds a media file that the principal may delete. */
export async function findDeletableMediafile(
  parts: Parts,
  principal: Principal,
  identifier: string
): Promise<MediafileContent> {
  return toContent(onlyMediafile(await findDeletable(parts, principal, identifier), identifier))
}

function onlyMediafile(stored: StoredEntity, identifier: string): Entity {
  if (stored.type !== mediafile.type) throw notFound(mediafile.type, identifier)
  return JSON.parse(stored.json) as Entity
}

function toContent(entity: Entity): MediafileContent {
  const text = (key: string) => {
    const [value] = valuesOf(entity, key)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const number = (key: string) => {
    const [value] = valuesOf(entity, key)
    return typeof value === 'number' ? value : undefined
  }
  const sha256 = text(contentHashField)
  return {
    id: entity.id,
    filename: text('filename') ?? text('title') ?? entity.id,
    facts:
      sha256 === undefined
        ? undefined
        : { sha256, size: number('size') ?? 0, mimetype: text('mimetype') ?? 'application/octet-stream' },
    externalUrl: text('external_url'),
    focus: { x: number('focus_x') ?? 0.5, y: number('focus_y') ?? 0.5 }
  }
}

export interface MediafileOptions extends Omit<WriteOptions, 'allowDangling'> {
  /** The bytes that it has from the beginning, if any. */
  readonly content?: ContentFacts
}

/** Members of a body that belong to the entity; all others are fields of the media file. */
const entityMembers = new Set([
  ...['id', '_id', '_key', 'type', 'metadata', 'relations', 'identifiers', 'version', 'audit'],
  // Members that existing clients send back and that are ignored.
  ...['schema', 'document_version', 'date_created', 'date_updated']
])

/** The category of a file without one. Existing clients send none. */
const fallbackCategory = 'framing'

/**
 * Creates a media file, attached to an entity if one is named. It accepts the form of an entity,
 * and the form of existing clients, which send fields such as `filename` beside `metadata`.
 */
export async function createMediafile(
  parts: Parts,
  principal: Principal,
  entityId: string | undefined,
  body: unknown,
  options: MediafileOptions = {}
): Promise<Written> {
  await refuseMediafiles(parts, principal)
  const target = entityId === undefined ? undefined : await parts.store.findEntity(entityId)
  if (entityId !== undefined && !(target && (principal.mayRead(target.type) || principal.mayWrite(target.type))))
    throw notFound('entity', entityId)
  const { content, ...rest } = options
  const isCounted = target === undefined || isWhole(target.type)
  // A media file of another record is named by that record, which the principal has to write.
  if (!isCounted && !principal.mayWrite(target.type)) throw forbidden(`write records of type "${target.type}"`)
  const { draft, warnings } = toDraft(body, isCounted ? target : undefined)
  const create = { ...rest, ...(content ? { content } : {}) }
  const written = isCounted
    ? await createEntity(parts, principal, draft, create)
    : await createNamedMediafile(parts, principal, target.id, draft, create)
  return warnings.length === 0 ? written : { ...written, warnings: [...written.warnings, ...warnings] }
}

/** Whether the media files of a type refer to their record and are counted there. */
const isWhole = (type: string) => mediafile.relations[mediafile.partOf ?? '']?.to.includes(type) === true

/** Maximum attempts when other processes write the record at the same time. */
const maxTries = 100

/** Creates a media file and names it in a record, in one transaction. */
async function createNamedMediafile(
  parts: Parts,
  principal: Principal,
  entityId: string,
  draft: object,
  options: WriteOptions
): Promise<Written> {
  const { uuid } = await findWritable(parts, principal, entityId)
  using _lock = await parts.locks.take(uuid)
  const alongside = (created: EntityContent) => namingMediafile(parts, principal, entityId, created)
  for (let tries = 1; ; tries++) {
    try {
      return await createEntity(parts, principal, draft, { ...options, alongside })
    } catch (error) {
      const isRace = error instanceof CatalogueError && error.code === 'version_mismatch'
      if (!isRace || tries === maxTries) throw error
    }
  }
}

/** Makes the change of a record that adds a new media file to its relations. */
async function namingMediafile(
  parts: Parts,
  principal: Principal,
  entityId: string,
  { id, type }: EntityContent
): Promise<EntityWrite> {
  const stored = await findWritable(parts, principal, entityId)
  const { content } = await applyEdit(
    parts,
    principal,
    JSON.parse(stored.json) as Entity,
    current => ({ ...contentOf(current), relations: [...current.relations, { type: mediaRelation, key: id }] }),
    { together: new Map([[id, { id, type }]]) }
  )
  return { kind: 'update', content, expectedVersion: stored.version }
}

/** Changes the record of a media file; fields may stand beside `metadata`, as on creation. */
export async function changeMediafile(
  parts: Parts,
  principal: Principal,
  identifier: string,
  body: unknown,
  { isWhole, ...options }: ChangeOptions & { readonly isWhole: boolean }
): Promise<Written> {
  const { id } = await findWritableMediafile(parts, principal, identifier)
  const given = withFieldsAsMetadata(body)
  return isWhole
    ? replaceEntity(parts, principal, id, given, options)
    : patchEntity(parts, principal, id, { form: 'lists', body: given }, options)
}

/**
 * Deletes a media file, and its relations from records that have it. Throws `still_referenced` when
 * records refer to it by other relations.
 */
export async function deleteMediafile(
  parts: Parts,
  principal: Principal,
  identifier: string,
  options: DeleteOptions = {}
): Promise<void> {
  const { id } = await findDeletableMediafile(parts, principal, identifier)
  const owners = new Set(await findReferring(parts.store, id, undefined, Object.keys(mediaRelations)))
  const referring = await findReferring(parts.store, id, undefined)
  const detach = owners.size > 0 && referring.every(each => owners.has(each))
  await deleteEntity(parts, principal, id, { ...options, detach: options.detach === true || detach })
}

/** The media file that a record is shown by, or its thumbnail. */
export interface PrimaryChoice {
  readonly mediafileId: string
  readonly kind: PrimaryKind
}

/**
 * Marks one media file of a record as primary, or as its thumbnail, in place of an earlier one.
 * Throws `invalid` when it is not a media file of the record.
 */
export async function setPrimaryMediafile(
  parts: Parts,
  principal: Principal,
  identifier: string,
  { mediafileId, kind }: PrimaryChoice,
  options: ChangeOptions
): Promise<Written> {
  const { id, entity } = await findMediafileOf(parts, principal, mediafileId)
  return changeEntity(
    parts,
    principal,
    identifier,
    (current, faults) => {
      const isOwn =
        targetsOf(current, mediaRelation).includes(id) || targetsOf(entity, mediafile.partOf ?? '').includes(current.id)
      if (!isOwn)
        faults.push({ pointer: 'mediafile_id', message: `"${mediafileId}" is not a media file of "${identifier}"` })
      const type = primaryRelations[kind]
      const relations = [...current.relations.filter(each => each.type !== type), { type, key: id }]
      return { ...contentOf(current), relations }
    },
    options
  )
}

/** Finds a media file that the principal may read or write. */
async function findMediafileOf(parts: Parts, principal: Principal, identifier: string) {
  const stored = await parts.store.findEntity(identifier)
  if (!stored || !(principal.mayRead(stored.type) || principal.mayWrite(stored.type)))
    throw notFound(mediafile.type, identifier)
  const entity = onlyMediafile(stored, identifier)
  return { id: entity.id, entity }
}

/** Turns unknown members of a body into metadata; other bodies are left to the checks. */
function withFieldsAsMetadata(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { members, fields } = splitMembers(body as Record<string, unknown>)
  if (fields.length === 0) return body
  const { metadata = [] } = body as { metadata?: unknown }
  return { ...Object.fromEntries(members), metadata: Array.isArray(metadata) ? [...metadata, ...fields] : metadata }
}

function splitMembers(given: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(given)
  const fields: MetadataEntry[] = entries
    .filter(([member, value]) => !entityMembers.has(member) && value !== null && value !== undefined)
    .map(([key, value]) => ({ key, value: value as Json }))
  return { members: entries.filter(([member]) => entityMembers.has(member)), fields }
}

/** Throws `forbidden` for a principal who may not write media files at all. */
export async function refuseMediafiles(_: Parts, principal: Principal): Promise<void> {
  if (!principal.mayWrite(mediafile.type)) throw forbidden(`write records of type "${mediafile.type}"`)
}

function toDraft(body: unknown, target: StoredEntity | undefined): { draft: object; warnings: Fault[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('A media file must be a JSON object', [{ pointer: '', message: 'Must be an object' }])
  const given = body as Record<string, unknown>
  const { members, fields } = splitMembers(given)
  const warnings: Fault[] = []
  const metadata = given.metadata === undefined ? [] : given.metadata
  const isCategorised = [...fields, ...(Array.isArray(metadata) ? metadata : [])].some(
    entry => (entry as Partial<MetadataEntry> | null)?.key === mediafile.countedBy
  )
  if (!isCategorised && mediafile.countedBy !== undefined) {
    fields.push({ key: mediafile.countedBy, value: fallbackCategory })
    warnings.push({
      pointer: '/metadata',
      message: `No "${mediafile.countedBy}" was given; it was set to "${fallbackCategory}"`,
      code: 'default_category',
      key: mediafile.countedBy,
      value: fallbackCategory
    })
  }
  const relation = target && mediafile.partOf !== undefined && { key: target.id, type: mediafile.partOf }
  const relations = given.relations === undefined ? [] : given.relations
  const isAttached =
    relation &&
    Array.isArray(relations) &&
    relations.some((each: Partial<Relation> | null) => each?.type === relation.type && each.key === relation.key)
  return {
    draft: {
      ...Object.fromEntries(members),
      type: given.type ?? mediafile.type,
      metadata: Array.isArray(metadata) ? [...metadata, ...fields] : metadata,
      relations: Array.isArray(relations) && relation && !isAttached ? [...relations, relation] : relations
    },
    warnings
  }
}

/** A page of media files; in the order of creation by default. */
export type MediaPage = Pick<ListRequest, 'skip' | 'limit' | 'cursor' | 'names'> & Partial<Pick<ListRequest, 'order'>>

/** Lists the media files of an entity, of one category or of all. */
export async function listMediafiles(
  parts: Parts,
  principal: Principal,
  entityId: string | undefined,
  category: string | undefined,
  page: MediaPage
): Promise<EntityPage> {
  refuseBlind(principal)
  const filters: Filter[] = [{ kind: 'types', types: [mediafile.type] }]
  if (entityId !== undefined) {
    const stored = await findReadable(parts, principal, entityId)
    const own: Filter = {
      kind: 'field',
      path: { kind: 'relation_key', type: mediafile.partOf ?? '' },
      test: { kind: 'equals', values: [stored.id] }
    }
    const named = targetsOf(JSON.parse(stored.json) as Entity, mediaRelation)
    filters.push(named.length === 0 ? own : { kind: 'any', of: [own, { kind: 'identifiers', identifiers: named }] })
  }
  if (category !== undefined) {
    const { readAs = {} } = mediafile.fields[mediafile.countedBy ?? ''] ?? {}
    const wanted = Object.hasOwn(readAs, category) ? (readAs[category] ?? category) : category
    filters.push({
      kind: 'field',
      path: { kind: 'metadata', key: mediafile.countedBy ?? '' },
      test: { kind: 'equals', values: [wanted] }
    })
  }
  const order = page.order ?? { items: [{ by: 'created' }], ascending: true }
  return listEntities(parts, principal, { ...page, order, filter: { kind: 'all', of: filters } })
}
