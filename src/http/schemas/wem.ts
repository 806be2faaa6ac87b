import Type from 'typebox'

import { pageMembers, Problem } from './common.ts'
import { AnyJson, MetadataEntry } from './entity.ts'

const ResolvedRelation = Type.Object(
  {
    type: Type.String({ description: 'Relation type' }),
    label: Type.String({
      description: 'Type of the related entity; `nomen` for a subject, `missing` when it does not exist'
    }),
    types: Type.Optional(Type.Array(Type.String(), { description: 'All relation types, if there are several' })),
    metadata: Type.Optional(Type.Array(MetadataEntry, { description: 'Metadata of the relation, such as a role' })),
    roles: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: { type: 'array', items: MetadataEntry },
        description: 'Metadata of each relation type, if there are several'
      })
    )
  },
  { $id: 'ResolvedRelation', additionalProperties: true }
)

const WemMetadata = Type.Object(
  {
    value: AnyJson,
    lang: Type.Optional(Type.String()),
    values: Type.Optional(Type.Array(AnyJson)),
    langs: Type.Optional(Type.Array(Type.Unsafe<string | null>({ type: ['string', 'null'] })))
  },
  { $id: 'WemMetadata', additionalProperties: false }
)

const levelMembers = {
  type: Type.String(),
  metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: WemMetadata }),
  relations: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: ResolvedRelation })
}

const WemLevel = Type.Object(levelMembers, { $id: 'WemLevel', additionalProperties: false })

const WemItem = Type.Object({ id: Type.String(), ...levelMembers }, { $id: 'WemItem', additionalProperties: false })
const items = Type.Optional(Type.Array(WemItem, { description: 'With `items=1`: the copies that libraries hold' }))

export const Wem = Type.Object(
  { work: WemLevel, expression: WemLevel, manifestation: WemLevel, items },
  { $id: 'Wem', additionalProperties: false }
)

export const WemBatch = Type.Object({
  ids: Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 })
})

export const WemBatchAnswer = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        { id: Type.String(), wem: Type.Optional(Wem), problem: Type.Optional(Problem) },
        { additionalProperties: false }
      )
    )
  },
  { $id: 'WemBatchAnswer', additionalProperties: false }
)

const TreeManifestation = Type.Object(
  { id: Type.String(), ...levelMembers, items },
  { $id: 'TreeManifestation', additionalProperties: false }
)

const TreeExpression = Type.Object(
  { id: Type.String(), ...levelMembers, manifestations: Type.Array(TreeManifestation) },
  { $id: 'TreeExpression', additionalProperties: false }
)

export const Tree = Type.Object(
  {
    work: Type.Object({ id: Type.String(), ...levelMembers }, { $id: 'TreeWork', additionalProperties: false }),
    expressions: Type.Array(TreeExpression),
    count: Type.Integer({ description: 'Number of manifestations' }),
    ...pageMembers
  },
  { $id: 'Tree', additionalProperties: false }
)

const Part = Type.Object(
  {
    id: Type.String(),
    number: Type.Optional(Type.String({ description: 'Its number in the whole, as text' })),
    ...levelMembers
  },
  { $id: 'Part', additionalProperties: false }
)

export const PartList = Type.Object(
  {
    results: Type.Array(Part),
    count: Type.Integer({ description: 'Number of parts' }),
    ...pageMembers
  },
  { $id: 'PartList', additionalProperties: false }
)
