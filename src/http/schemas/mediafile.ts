import Type from 'typebox'

import { mediaCategories } from '#domain/record-types/production.ts'
import { limit, skip, soft } from './common.ts'
import { AnyJson } from './entity.ts'

const category = { type: 'string', enum: [...mediaCategories, 'poster'] } as const

export const MediafileInput = Type.Object(
  {
    filename: Type.Optional(Type.String()),
    mediafile_type: Type.Optional(Type.Unsafe<string>(category)),
    metadata: Type.Optional(AnyJson),
    relations: Type.Optional(AnyJson)
  },
  {
    $id: 'MediafileInput',
    additionalProperties: true,
    description: 'A new media file, as an entity or with its fields beside `metadata`; the bytes are sent later'
  }
)

export const MediaQuery = Type.Object({
  category: Type.Optional(Type.Unsafe<string>({ ...category, description: 'One category of files' })),
  skip,
  limit,
  soft,
  cursor: Type.Optional(Type.String({ maxLength: 10_000, description: 'Part of the `next` of an answer' }))
})
