import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'
import { MetadataEntry } from '../schemas/entity.ts'

/** Number of records of a group that are named. */
const maxNamed = 3

const RecentChange = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'The latest of the changes' }),
    by: Type.String(),
    import: Type.Optional(Type.String({ description: 'The id of the import that made the changes' })),
    kind: Type.Optional(
      Type.String({ description: 'The type of the records, or its umbrella; absent for imports, which have many' })
    ),
    created: Type.Boolean({ description: 'Whether the records were created, not changed' }),
    count: Type.Integer({ minimum: 1, description: 'The number of records that were read' }),
    more: Type.Boolean({ description: 'Whether there may be more than `count`' }),
    records: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          type: Type.String(),
          metadata: Type.Array(MetadataEntry, { description: 'The name, in each of its languages' })
        },
        { additionalProperties: false }
      ),
      { description: `The latest of the records, at most ${maxNamed}` }
    )
  },
  { $id: 'RecentChange', additionalProperties: false }
)

const Recent = Type.Object({ results: Type.Array(RecentChange) }, { $id: 'Recent', additionalProperties: false })

/** The latest changes of the catalogue. */
export function recentRoutes(app: App, catalogue: Catalogue, model: Model) {
  app.get(
    '/recent',
    route(
      {
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Maximum number of groups' })
        }),
        response: { 200: Recent }
      },
      {
        tag: 'Entities',
        summary: 'List the latest changes in groups',
        description:
          'The newest first. Changes of one author to records of one kind within an hour are one group, and so is an import. Deletions are in `/changes`.',
        problems: ['query_timeout']
      }
    ),
    async request => {
      const groups = await catalogue.lists.recent(request.principal, request.query.limit)
      return {
        results: groups.map(({ entities, importId, kind, by, isNew, isCut }) => ({
          at: entities[0].audit.updated.at,
          by,
          ...(importId === undefined ? {} : { import: importId }),
          ...(kind === undefined ? {} : { kind }),
          created: isNew,
          count: entities.length,
          more: isCut,
          records: entities.slice(0, maxNamed).map(({ id, type, metadata }) => {
            const name = model.findType(type)?.nameField
            return { id, type, metadata: metadata.filter(({ key }) => key === name) }
          })
        }))
      }
    }
  )
}
