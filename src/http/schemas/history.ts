import Type from 'typebox'

import { changeKinds } from '#domain/events/change-event.ts'
import { Fault, maxWholeNumber, pageMembers } from './common.ts'
import { AnyJson, Entity, MetadataEntry, Relation } from './entity.ts'

const nullable = (schema: object) => Type.Unsafe<unknown>({ anyOf: [schema, { type: 'null' }] })

export const Difference = Type.Unsafe<unknown>({
  $id: 'Difference',
  description: 'One field that changed',
  anyOf: [
    Type.Object(
      {
        field: Type.Literal('metadata'),
        key: Type.String(),
        lang: Type.Optional(Type.String()),
        before: Type.Array(AnyJson),
        after: Type.Array(AnyJson)
      },
      { additionalProperties: false }
    ),
    Type.Object(
      {
        field: Type.Literal('relation'),
        type: Type.String(),
        key: Type.String(),
        before: nullable(Relation),
        after: nullable(Relation)
      },
      { additionalProperties: false }
    ),
    Type.Object(
      { field: Type.Literal('identifier'), before: nullable({ type: 'string' }), after: nullable({ type: 'string' }) },
      { additionalProperties: false }
    ),
    Type.Object(
      {
        field: Type.Literal('order'),
        of: Type.String({ description: '`metadata`, `relations` or `identifiers`: the same entries in another order' })
      },
      { additionalProperties: false }
    )
  ]
})

export const History = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    count: Type.Integer({ minimum: 1 }),
    results: Type.Array(
      Type.Object(
        {
          version: Type.Integer({ minimum: 1 }),
          kind: Type.String({ description: 'created, updated, deleted, merged or restored' }),
          at: Type.String({ format: 'date-time' }),
          by: Type.String(),
          merged_into: Type.Optional(Type.String()),
          carried: Type.Optional(
            Type.Literal(true, {
              description:
                'Another catalogue made this version, at this moment and by this editor; an import brought it'
            })
          ),
          changes: Type.Array(Difference, { description: 'Compared with the previous version' })
        },
        { additionalProperties: false }
      )
    ),
    ...pageMembers
  },
  { $id: 'History', additionalProperties: false }
)

export const RevertInput = Type.Object(
  { version: Type.Integer({ minimum: 1, maximum: maxWholeNumber, description: 'The version to restore' }) },
  { $id: 'RevertInput', additionalProperties: false }
)

export const MergeInput = Type.Object(
  {
    victim_id: Type.String({ description: 'Any identifier of the entity that is merged into the survivor' }),
    metadata: Type.Optional(
      Type.Array(AnyJson, { description: 'The metadata of the survivor afterwards; its own by default' })
    ),
    relations: Type.Optional(Type.Array(Relation)),
    keep: Type.Optional(
      Type.String({
        description:
          '`both` adds the values of the victim for which the survivor has room: fields and relations that it lacks, and more values of those that may have several'
      })
    )
  },
  { $id: 'MergeInput' }
)

const MergedValues = Type.Object(
  { metadata: Type.Array(MetadataEntry), relations: Type.Array(Relation) },
  {
    additionalProperties: false,
    description: 'With `keep`: what the survivor gains from the victim, and what of the victim is dropped'
  }
)

export const MergeOutcome = Type.Object(
  {
    survivor_id: Type.String(),
    victim_id: Type.String(),
    repointed_references: Type.Integer({ minimum: 0 }),
    gained: Type.Optional(MergedValues),
    dropped: Type.Optional(MergedValues)
  },
  { $id: 'MergeOutcome', additionalProperties: false }
)

export const UnmergeInput = Type.Object(
  {
    victim_id: Type.Optional(
      Type.String({ description: 'The merge to undo, where there were several; by default the newest' })
    )
  },
  { $id: 'UnmergeInput' }
)

export const UnmergeOutcome = Type.Object(
  {
    survivor_id: Type.String(),
    victim_id: Type.String(),
    restored_references: Type.Integer({ minimum: 0 }),
    warnings: Type.Optional(
      Type.Array(Fault, { description: 'Relations that were not restored: their targets do not exist any more' })
    )
  },
  { $id: 'UnmergeOutcome', additionalProperties: false }
)

export const ChangeEvent = Type.Object(
  {
    specversion: Type.Literal('1.0'),
    id: Type.String({ description: 'Also the cursor after this change' }),
    source: Type.String(),
    type: Type.Unsafe<string>({ type: 'string', enum: changeKinds.map(kind => `entity.${kind}`) }),
    subject: Type.String({ description: 'Id of the entity' }),
    time: Type.String({ format: 'date-time' }),
    datacontenttype: Type.String(),
    data: Type.Object(
      {
        id: Type.String(),
        _id: Type.String(),
        type: Type.String(),
        version: Type.Integer(),
        by: Type.String(),
        entity: Type.Optional(Entity),
        merged_into: Type.Optional(Type.String())
      },
      { additionalProperties: false }
    )
  },
  { $id: 'ChangeEvent', additionalProperties: false, description: 'CloudEvents 1.0' }
)

export const ChangesPage = Type.Object(
  {
    changes: Type.Array(ChangeEvent),
    cursor: Type.String({ description: 'Send it as `since` to continue' }),
    more: Type.Boolean({ description: 'Whether more changes are available now' })
  },
  { $id: 'ChangesPage', additionalProperties: false }
)
