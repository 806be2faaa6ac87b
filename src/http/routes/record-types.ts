import Type from 'typebox'

import { mediaRelations } from '#domain/record-types/media-relations.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { fieldKinds, isTranslatable, type RecordType } from '#domain/record-types/record-type.ts'
import type { Labels } from '#domain/labels/labels.ts'
import { labelsFor } from '#domain/labels/labels-of.ts'
import { lang, languagesOf } from './entities/views.ts'
import type { App } from '../openapi/typebox-provider.ts'

const FacetRow = Type.Object(
  {
    order: Type.Number({ description: 'The place among all facets, smallest first' }),
    open: Type.Boolean({ description: 'Counted from the start; others when people unfold them' }),
    for_readers: Type.Boolean({ description: 'The public pages have it' })
  },
  { $id: 'FacetRow', additionalProperties: false, description: 'Values by which a search page narrows results' }
)

const label = Type.Optional(
  Type.String({ description: 'The name for people, if `lang` or `Accept-Language` asks for a known language' })
)

const FieldRow = Type.Object(
  {
    key: Type.String({ description: 'The metadata key' }),
    label,
    kind: Type.Unsafe<string>({ type: 'string', enum: fieldKinds, description: 'The kind of the values' }),
    required: Type.Boolean(),
    repeatable: Type.Boolean({ description: 'A record may have several values' }),
    translatable: Type.Boolean({ description: 'A record may have one value for each `lang`' }),
    of: Type.Optional(Type.Array(Type.String(), { description: 'The values that a `choice` may have' })),
    of_labels: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'The names of these values for people' })
    ),
    default: Type.Optional(Type.String({ description: 'Value for records created without the field' })),
    max_length: Type.Optional(Type.Integer({ description: 'In Unicode code points of the stored text' })),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    facet: Type.Optional(FacetRow)
  },
  { $id: 'FieldRow', additionalProperties: false }
)

const RelationRow = Type.Object(
  {
    type: Type.String({ description: 'The relation type' }),
    label,
    to: Type.Array(Type.String(), { description: 'Types of its targets; umbrellas are expanded to their subtypes' }),
    min: Type.Optional(Type.Integer()),
    max: Type.Optional(Type.Integer()),
    is_part: Type.Optional(
      Type.Boolean({ description: 'The record is a part of the target; `number` of the relation orders the parts' })
    ),
    details: Type.Optional(
      Type.Array(Type.String(), { description: 'Keys of the metadata of the relation itself, such as `role`' })
    ),
    facet: Type.Optional(FacetRow)
  },
  { $id: 'RelationRow', additionalProperties: false }
)

const RecordTypeRow = Type.Object(
  {
    type: Type.String(),
    label,
    umbrella: Type.Optional(Type.String({ description: 'Name of the group of types it belongs to' })),
    id_prefix: Type.String(),
    description: Type.String(),
    name_field: Type.String({ description: 'The field with the name of a record' }),
    climbs_by: Type.Optional(Type.String({ description: 'The relation to the broader record, in a hierarchy' })),
    part_of: Type.Optional(Type.String({ description: 'The relation to the record that one of this type belongs to' })),
    fields: Type.Array(FieldRow),
    relations: Type.Array(RelationRow),
    media_relations: Type.Array(RelationRow, {
      description:
        'Relations to media files, which records of every type may have; empty for tokens that do not see media files'
    }),
    may: Type.Array(Type.Unsafe<string>({ type: 'string', enum: ['read', 'write', 'delete'] }), {
      description: 'Permissions of the token for records of this type'
    })
  },
  { $id: 'RecordTypeRow', additionalProperties: false }
)

const RecordTypes = Type.Object(
  {
    record_types: Type.Array(RecordTypeRow),
    time_zone: Type.String({ description: 'Time zone of times at places whose own zone is not known' })
  },
  { $id: 'RecordTypes', additionalProperties: false }
)

const Me = Type.Object(
  {
    name: Type.String({ description: 'Name in the audit of writes by this token' }),
    is_admin: Type.Boolean({ description: 'May administer tokens and webhooks' })
  },
  { $id: 'Me', additionalProperties: false }
)

/** The tables of the record types as data, for forms; and the caller. */
export function recordTypeRoutes(app: App, model: Model, timeZone: string) {
  app.get(
    '/record-types',
    {
      schema: { querystring: Type.Object({ lang }), response: { 200: RecordTypes } },
      config: {
        doc: {
          tag: 'Service',
          summary: 'List record types with their fields, relations and the permissions of the token',
          description: 'Types that the token may neither read nor write are omitted.'
        }
      }
    },
    async (request, reply) => {
      const { principal } = request
      const labels = labelsFor(languagesOf(request))
      reply.header('vary', 'Accept-Encoding, Accept-Language')
      return {
        record_types: model.recordTypes
          .filter(({ type }) => isVisibleTo(principal, type))
          .map(recordType => rowOf(model, principal, recordType, labels)),
        time_zone: timeZone
      }
    }
  )

  app.get(
    '/me',
    {
      schema: { response: { 200: Me } },
      config: {
        doc: {
          tag: 'Access',
          summary: 'Read the name of the token',
          description: 'The name under which the changes of this token are recorded. The quickest check of a token.'
        }
      }
    },
    async ({ principal }) => ({ name: principal.name, is_admin: principal.isAdmin })
  )
}

const isVisibleTo = (principal: Principal, type: string) => principal.mayRead(type) || principal.mayWrite(type)

function rowOf(model: Model, principal: Principal, recordType: RecordType, labels: Labels | undefined) {
  const { type, umbrella, idPrefix, description, nameField, climbsBy, partOf, fields, relations } = recordType
  const visible = (types: readonly string[]) => types.filter(each => isVisibleTo(principal, each))
  const rowsOf = (rules: RecordType['relations']) =>
    Object.entries(rules)
      .map(([name, { to, min, max, isPart, details }]) => ({
        type: name,
        label: labels?.relations[name],
        to: visible(to.flatMap(each => model.typesNamed(each))),
        min,
        max,
        is_part: isPart,
        details: details && [...details],
        facet: facetRow(model, name)
      }))
      // A relation without a visible target type is hidden too.
      .filter(({ to }) => to.length > 0)
  return {
    type,
    label: labels?.types[type],
    umbrella,
    id_prefix: idPrefix,
    description,
    name_field: nameField,
    climbs_by: climbsBy,
    part_of: partOf,
    fields: Object.entries(fields).map(([key, { kind, of, default: fallback, ...field }]) => ({
      key,
      label: labels?.fields[key],
      kind,
      required: field.required === true,
      repeatable: field.repeatable === true,
      translatable: isTranslatable({ kind, ...field }),
      of: of && [...of],
      of_labels: of && labels && Object.fromEntries(of.map(value => [value, labels.values[value] ?? value])),
      default: fallback,
      max_length: field.maxLength,
      min: field.min,
      max: field.max,
      facet: facetRow(model, key)
    })),
    relations: rowsOf(relations),
    media_relations: rowsOf(mediaRelations),
    may: [
      ...(principal.mayRead(type) ? ['read'] : []),
      ...(principal.mayWrite(type) ? ['write'] : []),
      ...(principal.mayDelete(type) ? ['delete'] : [])
    ]
  }
}

function facetRow(model: Model, name: string) {
  const facet = model.findFacet(name)
  return facet && { order: facet.order, open: facet.isOpen === true, for_readers: !facet.isForStaff }
}
