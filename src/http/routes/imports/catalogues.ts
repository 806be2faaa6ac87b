import Type from 'typebox'

import type { ForeignCatalogue } from '#domain/imports/foreign-catalogue.ts'
import type { ForeignCatalogues } from '#imports/foreign-catalogues.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { route } from '../../openapi/route.ts'
import { importScopes } from '../../schemas/import.ts'

const text = Type.String()

const ForeignAnswer = Type.Object(
  {
    name: Type.String({ description: 'The name of the catalogue, as an administrator gave it' }),
    count: Type.Integer({ description: 'Number of records that it has found, of which at most 10 are listed' }),
    records: Type.Array(
      Type.Object(
        {
          ...{ title: text, responsibility: text, publisher: text, year: text, isbn: Type.Array(text) },
          source: Type.String({ description: 'The record in XML, for `POST /imports`' }),
          here: Type.Array(Type.Object({ id: text, type: text, label: text }, { additionalProperties: false }), {
            description: 'Records of this catalogue that are likely to be the same'
          })
        },
        { additionalProperties: false }
      )
    ),
    error: Type.Optional(Type.String({ description: 'The reason, where the catalogue gave no records' }))
  },
  { $id: 'ForeignAnswer', additionalProperties: false }
)

const doc = { tag: 'Imports', needs: 'read and write everything' } as const

/** Other catalogues that records are copied from, by SRU. */
export function catalogueRoutes(app: App, foreign: ForeignCatalogues, catalogues: () => readonly ForeignCatalogue[]) {
  app.get(
    '/catalogues',
    route(
      { response: { 200: Type.Array(Type.Object({ name: text }, { additionalProperties: false })) } },
      {
        ...doc,
        summary: 'List the catalogues that records can be copied from',
        description: `An administrator lists them in the settings of the site. ${importScopes}`
      }
    ),
    () => catalogues().map(({ name }) => ({ name }))
  )
  app.get(
    '/catalogues/records',
    route(
      {
        querystring: Type.Object({
          q: Type.String({ maxLength: 200, description: 'An ISBN, or words' })
        }),
        response: { 200: Type.Array(ForeignAnswer) }
      },
      {
        ...doc,
        summary: 'Search other catalogues for records to copy',
        description: `All of them are asked by SRU at the same time. ${importScopes}`,
        problems: ['invalid']
      }
    ),
    async ({ principal, query }) => [...(await foreign.search(principal, catalogues(), query.q))]
  )
}
