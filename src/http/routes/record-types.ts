import Type from 'typebox'

import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { fieldKinds, isTranslatable, type RecordType } from '#domain/record-types/record-type.ts'
import type { App } from '../openapi/typebox-provider.ts'

const FieldRow = Type.Object(
  {
    key: Type.String({ description: 'The metadata key' }),
    kind: Type.Unsafe<string>({ type: 'string', enum: fieldKinds, description: 'What is meant by a value' }),
    required: Type.Boolean(),
    repeatable: Type.Boolean({ description: 'A record may have several values' }),
    translatable: Type.Boolean({ description: 'A record may have one value for each `lang`' }),
    of: Type.Optional(Type.Array(Type.String(), { description: 'The values that a `choice` may have' })),
    default: Type.Optional(Type.String({ description: 'Given to a record that comes without the field' })),
    max_length: Type.Optional(Type.Integer({ description: 'In Unicode code points of the stored text' })),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number())
  },
  { $id: 'FieldRow', additionalProperties: false }
)

const RelationRow = Type.Object(
  {
    type: Type.String({ description: 'The relation type' }),
    to: Type.Array(Type.String(), { description: 'The types it may point to; umbrellas stand as their subtypes' }),
    min: Type.Optional(Type.Integer()),
    max: Type.Optional(Type.Integer())
  },
  { $id: 'RelationRow', additionalProperties: false }
)

const RecordTypeRow = Type.Object(
  {
    type: Type.String(),
    umbrella: Type.Optional(Type.String({ description: 'The name under which it is found with its like' })),
    id_prefix: Type.String(),
    description: Type.String(),
    name_field: Type.String({ description: 'The field people know a record by' }),
    climbs_by: Type.Optional(Type.String({ description: 'The relation to the broader record, in a hierarchy' })),
    fields: Type.Array(FieldRow),
    relations: Type.Array(RelationRow),
    may: Type.Array(Type.Unsafe<string>({ type: 'string', enum: ['read', 'write', 'delete'] }), {
      description: 'What the token may do with records of this type'
    })
  },
  { $id: 'RecordTypeRow', additionalProperties: false }
)

const RecordTypes = Type.Object(
  { record_types: Type.Array(RecordTypeRow) },
  { $id: 'RecordTypes', additionalProperties: false }
)

const Me = Type.Object(
  {
    name: Type.String({ description: 'As it stands in the audit of what this token writes' }),
    is_admin: Type.Boolean({ description: 'May look after tokens and webhooks' })
  },
  { $id: 'Me', additionalProperties: false }
)

/** The tables of the record types as data, for whoever makes forms, and who is asking. */
export function recordTypeRoutes(app: App, model: Model) {
  app.get(
    '/record-types',
    {
      schema: { response: { 200: RecordTypes } },
      config: {
        doc: {
          tag: 'Service',
          summary: 'The record types, with their fields and relations, and what the token may do with each',
          description: 'Types that the token may neither read nor write are left out.'
        }
      }
    },
    async ({ principal }) => ({
      record_types: model.recordTypes
        .filter(({ type }) => isThereFor(principal, type))
        .map(recordType => rowOf(model, principal, recordType))
    })
  )

  app.get(
    '/me',
    {
      schema: { response: { 200: Me } },
      config: { doc: { tag: 'Access', summary: 'Whose token this is' } }
    },
    async ({ principal }) => ({ name: principal.name, is_admin: principal.isAdmin })
  )
}

const isThereFor = (principal: Principal, type: string) => principal.mayRead(type) || principal.mayWrite(type)

function rowOf(model: Model, principal: Principal, recordType: RecordType) {
  const { type, umbrella, idPrefix, description, nameField, climbsBy, fields, relations } = recordType
  const seen = (types: readonly string[]) => types.filter(each => isThereFor(principal, each))
  return {
    type,
    umbrella,
    id_prefix: idPrefix,
    description,
    name_field: nameField,
    climbs_by: climbsBy,
    fields: Object.entries(fields).map(([key, { kind, of, default: fallback, ...field }]) => ({
      key,
      kind,
      required: field.required === true,
      repeatable: field.repeatable === true,
      translatable: isTranslatable({ kind, ...field }),
      of: of && [...of],
      default: fallback,
      max_length: field.maxLength,
      min: field.min,
      max: field.max
    })),
    relations: Object.entries(relations)
      .map(([name, { to, min, max }]) => ({
        type: name,
        to: seen(to.flatMap(each => model.typesNamed(each))),
        min,
        max
      }))
      // To nothing that is there for this token: the relation is not there either.
      .filter(({ to }) => to.length > 0),
    may: [
      ...(principal.mayRead(type) ? ['read'] : []),
      ...(principal.mayWrite(type) ? ['write'] : []),
      ...(principal.mayDelete(type) ? ['delete'] : [])
    ]
  }
}
