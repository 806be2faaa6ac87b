import { type Entity, type Json, type MetadataEntry, type Relation, valuesOf } from '#domain/entity/entity.ts'
import { type Fault, forbidden, invalid, notFound } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { type ContentFacts, contentHashField } from '#domain/entity/server-fields.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import { createEntity, type WriteOptions, type Written } from '../entities/create-entity.ts'
import { findDeletable, findWritable } from '../entities/find-permitted.ts'
import { type EntityPage, listEntities } from '../lists/list-entities.ts'
import type { Parts } from '../parts.ts'
import { findReadable, refuseBlind } from '../entities/read-entity.ts'

/** The facts about a media file that are needed to serve its bytes. */
export interface MediafileContent {
  readonly id: string
  readonly filename: string
  readonly facts: ContentFacts | undefined
  readonly externalUrl: string | undefined
}

/**
 * Finds a media file that the principal may read. Throws `not_found`, also for a record of another
 * type.
 */
export async function readMediafile(parts: Parts, principal: Principal, identifier: string): Promise<MediafileContent> {
  refuseBlind(principal)
  return toContent(onlyMediafile(await findReadable(parts, principal, identifier), identifier))
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
    externalUrl: text('external_url')
  }
}

export interface MediafileOptions extends Omit<WriteOptions, 'allowDangling'> {
  /** The bytes that it has from the beginning, if any. */
  readonly content?: ContentFacts
}

/** Members of a body that belong to the entity; all others are fields of the media file. */
const entityMembers = new Set(['id', '_id', '_key', 'type', 'metadata', 'relations', 'identifiers', 'version', 'audit'])

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
  const { draft, warnings } = toDraft(body, target)
  const written = await createEntity(parts, principal, draft, content ? { ...rest, content } : rest)
  return warnings.length === 0 ? written : { ...written, warnings: [...written.warnings, ...warnings] }
}

/** Throws `forbidden` for a principal who may not write media files at all. */
export async function refuseMediafiles(_: Parts, principal: Principal): Promise<void> {
  if (!principal.mayWrite(mediafile.type)) throw forbidden(`write records of type "${mediafile.type}"`)
}

function toDraft(body: unknown, target: StoredEntity | undefined): { draft: object; warnings: Fault[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('A media file must be a JSON object', [{ pointer: '', message: 'Must be an object' }])
  const given = body as Record<string, unknown>
  const members = Object.entries(given).filter(([member]) => entityMembers.has(member))
  const fields: MetadataEntry[] = Object.entries(given)
    .filter(([member, value]) => !entityMembers.has(member) && value !== null && value !== undefined)
    .map(([key, value]) => ({ key, value: value as Json }))
  const warnings: Fault[] = []
  const metadata = given.metadata === undefined ? [] : given.metadata
  const isCategorised = [...fields, ...(Array.isArray(metadata) ? metadata : [])].some(
    entry => (entry as Partial<MetadataEntry> | null)?.key === mediafile.countedBy
  )
  if (!isCategorised && mediafile.countedBy !== undefined) {
    fields.push({ key: mediafile.countedBy, value: fallbackCategory })
    warnings.push({
      pointer: '/metadata',
      message: `No "${mediafile.countedBy}" was given; it was set to "${fallbackCategory}"`
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

/** Lists the media files of an entity, of one category or of all. */
export async function listMediafiles(
  parts: Parts,
  principal: Principal,
  entityId: string | undefined,
  category: string | undefined,
  page: { readonly skip: number; readonly limit: number; readonly cursor: string | undefined }
): Promise<EntityPage> {
  refuseBlind(principal)
  const filters: Filter[] = [{ kind: 'types', types: [mediafile.type] }]
  if (entityId !== undefined) {
    const { id } = await findReadable(parts, principal, entityId)
    filters.push({
      kind: 'field',
      path: { kind: 'relation_key', type: mediafile.partOf ?? '' },
      test: { kind: 'equals', values: [id] }
    })
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
  return listEntities(parts, principal, {
    ...page,
    filter: { kind: 'all', of: filters },
    order: { items: [{ by: 'created' }], ascending: true }
  })
}
