import Type from 'typebox'

import { recordLimits } from '#domain/editing/record-limits.ts'
import { Fault, pageMembers } from './common.ts'

export const AnyJson = Type.Unsafe<unknown>({ description: 'Any JSON value' })

export const MetadataEntry = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 512 }),
    value: AnyJson,
    lang: Type.Optional(Type.String({ maxLength: 64 }))
  },
  { $id: 'MetadataEntry', additionalProperties: true }
)

export const Relation = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 512, description: 'Id of the related entity' }),
    type: Type.String({ minLength: 1, maxLength: 128, description: 'Relation type, such as `refVenues`' }),
    metadata: Type.Optional(Type.Array(MetadataEntry, { description: 'Metadata of this relation' }))
  },
  { $id: 'Relation', additionalProperties: true }
)

const AuditStamp = Type.Object(
  { at: Type.String({ format: 'date-time' }), by: Type.String() },
  { $id: 'AuditStamp', additionalProperties: false }
)

const entityMembers = {
  id: Type.String({ description: 'Human-readable id with a type prefix' }),
  _id: Type.String({ format: 'uuid' }),
  _key: Type.String({ description: 'The same as `id`' }),
  type: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  metadata: Type.Array(MetadataEntry),
  relations: Type.Array(Relation),
  identifiers: Type.Array(Type.String()),
  audit: Type.Object({ created: AuditStamp, updated: AuditStamp }, { additionalProperties: false })
}

const local = Type.Optional(
  Type.Unsafe<Readonly<Record<string, string>> & { readonly zone: string }>({
    type: 'object',
    properties: { zone: { type: 'string', description: 'Name in the IANA database' } },
    required: ['zone'],
    additionalProperties: { type: 'string' },
    description:
      'The times of a performance on the clocks of its venue, by their fields, as `2026-01-16T20:00:00`; with `include=local`'
  })
)

export const Entity = Type.Object({ ...entityMembers, local }, { $id: 'Entity', additionalProperties: false })

/** An entity that an edit of a source record changes. */
const EditedRecord = Type.Object(
  {
    id: entityMembers.id,
    type: Type.String(),
    outcome: Type.Unsafe<string>({ type: 'string', enum: ['created', 'updated', 'deleted'] }),
    changes: Type.Array(Type.Unsafe<unknown>({ $ref: '#/components/schemas/Difference' }))
  },
  { $id: 'EditedRecord', additionalProperties: false }
)

export const WrittenEntity = Type.Object(
  {
    ...entityMembers,
    warnings: Type.Optional(
      Type.Array(Fault, {
        description: 'Values that were changed or look wrong, but were accepted, and records that may be the same'
      })
    ),
    records: Type.Optional(
      Type.Array(EditedRecord, {
        description: 'For a body in MARC: the records that it changes, such as the work and its authors'
      })
    )
  },
  { $id: 'WrittenEntity', additionalProperties: false }
)

/** The answer to a write by a token that may not read the type. */
export const WriteReceipt = Type.Object(
  {
    id: entityMembers.id,
    version: entityMembers.version,
    warnings: Type.Optional(Type.Array(Fault))
  },
  {
    $id: 'WriteReceipt',
    additionalProperties: false,
    description: 'The answer for tokens that may write the type but not read it'
  }
)

export const WriteAnswer = Type.Unsafe<unknown>({ anyOf: [WrittenEntity, WriteReceipt] })

const { maxMetadata, maxMetadataKeys, maxRelations, maxRelationTypes, maxIdentifiers } = recordLimits
const { maxNameCharacters, maxTextCharacters, maxHtmlElements, maxBytes } = recordLimits
const limits = `A record has at most ${maxMetadata} metadata entries (each element of a list of values counts) of ${maxMetadataKeys} different keys, ${maxRelations} relations of ${maxRelationTypes} different types and ${maxIdentifiers} identifiers, a name of ${maxNameCharacters} characters, other values of ${maxTextCharacters} characters, HTML of ${maxHtmlElements} elements, and ${maxBytes} bytes in all; more is refused with \`invalid\``

export const EntityInput = Type.Object(
  {
    id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._:~@-]{1,200}$' })),
    type: Type.String(),
    metadata: Type.Optional(Type.Array(MetadataEntry)),
    relations: Type.Optional(Type.Array(Relation)),
    identifiers: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 512 })))
  },
  {
    $id: 'EntityInput',
    description: `A new entity. The schemas named after record types list the fields and relations of each. Members that the server sets may be sent and are ignored. ${limits}`
  }
)

export const EntityReplacement = Type.Object(
  { ...EntityInput.properties, type: Type.Optional(Type.String()) },
  { $id: 'EntityReplacement', description: 'A complete entity; its id, UUID and type do not change' }
)

export const EntityPatch = Type.Object(
  { ...EntityReplacement.properties },
  {
    $id: 'EntityPatch',
    description:
      'Metadata replaces entries with the same key and language, relations those with the same type and key; other entries do not change'
  }
)

export const facetCount = { type: 'integer', description: 'Exact number of matches with the value' } as const

const Facets = {
  type: 'object',
  description: 'The values of each requested path, the most frequent first',
  additionalProperties: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        value: { type: 'string' },
        label: { type: 'string', description: 'The name of the related entity' },
        count: facetCount
      },
      required: ['value', 'count'],
      additionalProperties: false
    }
  }
} as const

/** Another search for one that found nothing. */
const InsteadOffer = Type.Object(
  {
    kind: Type.Unsafe<'words' | 'spelling' | 'isbn' | 'filter'>({
      type: 'string',
      enum: ['words', 'spelling', 'isbn', 'filter'],
      description: 'Without words, with other spellings, by another ISBN, or without a filter'
    }),
    left_out: Type.Array(Type.Unsafe<string | Record<string, unknown>>({ type: ['string', 'object'] }), {
      description: 'The words that were left out as they were typed, or the filter that was'
    }),
    changed: Type.Optional(
      Type.Array(Type.Object({ from: Type.String(), to: Type.String() }, { additionalProperties: false }), {
        description: 'The words in place of others'
      })
    ),
    query: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), {
      description: 'The filters, as the body of the same request'
    }),
    count: Type.Integer({ minimum: 1, description: 'Number of matches; of an ISBN at most 10 are counted' })
  },
  { $id: 'InsteadOffer', additionalProperties: false }
)

/** Facts about a work or a production of a list. */
export const Summary = Type.Object(
  {
    editions: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of editions of a work' })),
    years: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The first and the last year of the editions; one if they are the same'
      })
    ),
    newest: Type.Optional(Type.Array(Entity, { description: 'The newest editions, at most 10' })),
    next_performance: Type.Optional(Entity),
    premiere: Type.Optional(Entity),
    last_night: Type.Optional(Entity)
  },
  { $id: 'Summary', additionalProperties: false }
)

export const EntityPage = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'Exact number of matches' }),
    results: Type.Array(Entity),
    skip: Type.Integer({ minimum: 0 }),
    limit: Type.Integer({ minimum: 0 }),
    next: Type.Optional(Type.String({ description: 'Relative URL of the next page, if there is one' })),
    previous: Type.Optional(Type.String({ description: 'Relative URL of the previous page, if there is one' })),
    facets: Type.Optional(Type.Unsafe<Record<string, unknown>>(Facets)),
    warnings: Type.Optional(
      Type.Array(Fault, { description: 'Names in the filters that no record has, and an ISBN with a mistake' })
    ),
    instead: Type.Optional(Type.Array(InsteadOffer, { description: 'Other searches, if a search found nothing' })),
    highlights: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'The matching passages of each result, by its id',
        additionalProperties: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              key: { type: 'string', description: 'The metadata key, or the type of the relation' },
              id: { type: 'string', description: 'The related entity, where the passage is its name' },
              parts: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { text: { type: 'string' }, hit: { type: 'boolean' } },
                  required: ['text'],
                  additionalProperties: false
                }
              }
            },
            required: ['key', 'parts'],
            additionalProperties: false
          }
        }
      })
    ),
    summaries: Type.Optional(
      Type.Unsafe<unknown>({
        type: 'object',
        description: 'With `include=summary`: facts of works and productions that are in other records, by their ids',
        additionalProperties: Summary
      })
    )
  },
  { $id: 'EntityPage', additionalProperties: false }
)

const anEntity = (description: string) =>
  Type.Optional(Type.Unsafe<unknown>({ $ref: '#/components/schemas/Entity', description }))

/** An entry of a list with `group_by=work`. */
export const WorkResult = Type.Object(
  {
    work: anEntity('The work of the matches'),
    record: anEntity('The record that matches or that the matches are part of, if it is not a work'),
    expression: anEntity('Its best matching expression, if any matches'),
    manifestation: anEntity('Its best matching manifestation, if any matches'),
    part: anEntity('Its best matching performance or media file'),
    is_match: Type.Boolean({ description: 'Whether the work or the record itself matches' }),
    matching: Type.Object(
      {
        expressions: Type.Integer({ minimum: 0 }),
        manifestations: Type.Integer({ minimum: 0 }),
        parts: Type.Integer({ minimum: 0, description: 'Performances and media files' })
      },
      { additionalProperties: false, description: 'Number of matching records of each level' }
    ),
    languages: Type.Array(
      Type.Object({ id: Type.String(), label: Type.Optional(Type.String()) }, { additionalProperties: false }),
      { description: 'Languages of all expressions of the work, the most frequent first' }
    )
  },
  { $id: 'WorkResult', additionalProperties: false }
)

/** A page of a list with `group_by=work`. */
export const WorkPage = Type.Object(
  {
    ...EntityPage.properties,
    count: Type.Integer({ minimum: 0, description: 'Exact number of entries' }),
    count_records: Type.Integer({ minimum: 0, description: 'Exact number of matching records' }),
    results: Type.Array(WorkResult)
  },
  { $id: 'WorkPage', additionalProperties: false, description: 'The answer with `group_by=work`' }
)

export const References = Type.Object(
  {
    count: Type.Integer(),
    count_by_relation: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Number of references by relation type'
    }),
    results: Type.Array(
      Type.Object({ id: Type.String(), type: Type.String(), relation: Type.String() }, { additionalProperties: false })
    ),
    ...pageMembers
  },
  { $id: 'References', additionalProperties: false }
)

const filterKey = Type.Union([
  Type.String({ maxLength: 512 }),
  Type.Array(Type.String({ maxLength: 512 }), { maxItems: 16 })
])

export const Filter = Type.Object(
  {
    type: Type.String({
      description: 'type, text, selection, date, number, boolean, id, search, readiness, geo or together'
    }),
    key: Type.Optional(filterKey),
    value: AnyJson,
    match_exact: Type.Optional(Type.Boolean()),
    match_not: Type.Optional(Type.Boolean({ description: 'Negates the filter' })),
    match_all_words: Type.Optional(Type.Boolean({ description: 'Every word of a text is in the field, in any order' })),
    and_condition: Type.Optional(Type.Boolean({ description: 'All values of a selection, not any of them' })),
    relation_keys: Type.Optional(
      Type.Array(Type.String({ maxLength: 512 }), {
        maxItems: 16,
        description:
          'Every word of a text is in a field, or in the name of a record that one of these relations leads to'
      })
    ),
    or: Type.Optional(Type.Array(Type.Unsafe<unknown>({ $ref: '#/components/schemas/Filter' }))),
    operator: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['or', 'and'] })),
    item_types: Type.Optional(Type.Array(Type.String(), { description: 'Only records of these types' })),
    distinct_by: Type.Optional(
      Type.String({ description: 'A path: of the records with the same value there, only the first created is found' })
    ),
    aggregation: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['size', ''],
        description: 'size: the number filter is about how many there are'
      })
    ),
    regex: Type.Optional(Type.Boolean({ description: 'The text is a regular expression, of a safe subset' })),
    regex_options: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['', 'i'] })),
    inner_exact_matches: Type.Optional(
      Type.Unsafe<unknown>({ type: 'object', description: 'Members that the entry must have beside its value' })
    )
  },
  { $id: 'Filter' }
)
