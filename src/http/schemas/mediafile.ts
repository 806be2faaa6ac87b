import Type from 'typebox'

import { mediaCategories } from '#domain/record-types/production.ts'
import { checkedByDomain, paging, WriteQuery } from './common.ts'
import { AnyJson, WriteAnswer } from './entity.ts'

const category = { type: 'string', enum: [...mediaCategories, 'poster'] } as const

const MediafileInput = Type.Object(
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

/** The schema of routes that create a media file. */
export const mediafileCreation = {
  querystring: WriteQuery,
  body: checkedByDomain(MediafileInput),
  response: { 201: WriteAnswer, 200: WriteAnswer }
}

export const MediaQuery = Type.Object({
  category: Type.Optional(Type.Unsafe<string>({ ...category, description: 'One category of files' })),
  ...paging
})
