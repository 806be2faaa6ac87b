import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { route } from '../openapi/route.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { limit, skip } from '../schemas/common.ts'

const text = Type.String({ maxLength: 200 })
const entry = Type.Object(
  {
    key: text,
    value: text,
    lang: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 64 }))
  },
  { additionalProperties: false }
)

const members = {
  private: Type.Boolean({ description: 'Whether only its owner may read it' }),
  metadata: Type.Array(entry, { maxItems: 20, description: 'Its name, with the key `title`' }),
  definition: Type.Array(Type.Unsafe<object>({ type: 'object' }), {
    maxItems: 100,
    description: 'Filters for `POST /entities/filter`. Those of an address follow from it'
  }),
  address: Type.String({ maxLength: 4000, description: 'The address of the search: `/find?q=hamlet`' })
}

const SavedSearch = Type.Object(
  {
    ...{ id: Type.String(), _id: Type.String(), _key: Type.String(), type: Type.String() },
    user: Type.String({ description: 'The name of its owner, as in `audit`' }),
    is_own: Type.Boolean({ description: 'Whether the token of the request is its owner' }),
    ...{ private: members.private, metadata: members.metadata, definition: members.definition },
    address: Type.Optional(members.address),
    feed: Type.Optional(Type.String({ description: 'The address of its feed, where visitors may read' })),
    date_created: Type.String({ format: 'date-time' }),
    date_updated: Type.String({ format: 'date-time' })
  },
  { $id: 'SavedSearch', additionalProperties: false }
)

const SavedSearchList = Type.Object(
  { count: Type.Integer(), skip: Type.Integer(), limit: Type.Integer(), results: Type.Array(SavedSearch) },
  { $id: 'SavedSearchList', additionalProperties: false }
)

const Draft = Type.Object(
  {
    type: Type.Optional(Type.String({ maxLength: 100, description: 'Ignored' })),
    private: Type.Optional(members.private),
    metadata: Type.Optional(members.metadata),
    definition: Type.Optional(members.definition),
    address: Type.Optional(members.address)
  },
  { $id: 'SavedSearchDraft', additionalProperties: false }
)

const SavedSearchParams = Type.Object({ id: Type.String({ maxLength: 100 }) })

const doc = { tag: 'Entities', needs: 'read', mayBeAnonymous: false } as const

/** Searches under a name, private or shared. */
export function savedSearchRoutes(app: App, { savedSearches }: Catalogue, isPublic: boolean) {
  const show = <T extends { readonly address?: string }>(search: T) =>
    isPublic && search.address !== undefined
      ? { ...search, feed: search.address.replace('/find', '/feed.atom') }
      : search
  app.get(
    '/saved_searches',
    route(
      {
        querystring: Type.Object({
          ...{ skip, limit },
          title: Type.String({ default: '', maxLength: 512, description: 'Part of the title' })
        }),
        response: { 200: SavedSearchList }
      },
      { ...doc, summary: 'List saved searches', description: 'Those of the token, and those that are shared.' }
    ),
    async request => {
      const list = await savedSearches.list(request.principal, request.query)
      return { ...list, results: list.results.map(show) }
    }
  )
  app.post(
    '/saved_searches',
    route(
      { body: Draft, response: { 201: SavedSearch } },
      {
        ...doc,
        summary: 'Save a search',
        description: 'Private unless `private` is false. Sharing needs the scope `write`.',
        problems: ['invalid', 'storage_full']
      }
    ),
    async (request, reply) => {
      const saved = await savedSearches.create(request.principal, request.body)
      return reply.code(201).header('location', `/saved_searches/${saved.id}`).send(show(saved))
    }
  )
  app.get(
    '/saved_searches/:id',
    route(
      { params: SavedSearchParams, response: { 200: SavedSearch } },
      {
        ...doc,
        summary: 'Read a saved search',
        description:
          '`address` is the search as the page has it, so that a link opens it. A search that another token saved is found only if it is shared.',
        problems: ['not_found']
      }
    ),
    async request => show(await savedSearches.read(request.principal, request.params.id))
  )
  app.patch(
    '/saved_searches/:id',
    route(
      { params: SavedSearchParams, body: Draft, response: { 200: SavedSearch } },
      {
        ...doc,
        summary: 'Rename, change, share or unshare a saved search',
        description:
          'Members that are left out do not change. Its owner may change it; an administrator may change a shared one.',
        problems: ['invalid', 'not_found', 'storage_full']
      }
    ),
    async request => show(await savedSearches.change(request.principal, request.params.id, request.body))
  )
  app.delete(
    '/saved_searches/:id',
    route(
      { params: SavedSearchParams, response: { 204: Type.Null() } },
      {
        ...doc,
        summary: 'Delete a saved search',
        description: 'Its owner may delete it; an administrator may delete a shared one.',
        problems: ['not_found', 'storage_full']
      }
    ),
    async (request, reply) => {
      await savedSearches.delete(request.principal, request.params.id)
      return reply.code(204).send()
    }
  )
}
