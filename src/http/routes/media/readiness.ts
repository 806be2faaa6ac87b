import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { readinessStates } from '#domain/find/readiness-states.ts'
import { mediaAvailabilities, mediaCategories } from '#domain/record-types/production.ts'
import { EntityParams } from '../../schemas/common.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { route } from '../../openapi/route.ts'

const oneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] })

const Readiness = Type.Object(
  {
    id: Type.String(),
    state: oneOf(readinessStates),
    categories: Type.Array(
      Type.Object(
        {
          category: oneOf(mediaCategories),
          declared: oneOf(mediaAvailabilities),
          files: Type.Integer({ minimum: 0, description: 'Number of files' }),
          agrees: Type.Boolean({ description: 'Whether the declared status matches the files' }),
          done: Type.Boolean({ description: 'Whether the category is complete' })
        },
        { additionalProperties: false }
      )
    ),
    publishable: Type.Boolean(),
    missing: Type.Array(Type.String(), { description: 'Reasons why it cannot be published' }),
    missing_fields: Type.Array(Type.String(), { description: 'Keys of the fields that are missing for it' })
  },
  { $id: 'Readiness', additionalProperties: false }
)

export function readinessRoutes(app: App, catalogue: Catalogue) {
  app.get(
    '/entities/:id/readiness',
    route(
      { params: EntityParams, response: { 200: Readiness } },
      {
        tag: 'Media',
        summary: 'Read the media readiness of a production, and whether it can be published',
        description:
          'Compares the media files of each category with the status that the production declares for it: `ready`, `incomplete`, or `contradictory` where they disagree. `missing_fields` names what publication needs besides.',
        problems: ['not_found']
      }
    ),
    async request => {
      const { id, state, categories, missing, missingFields } = await catalogue.productions.readiness(
        request.principal,
        request.params.id
      )
      return {
        id,
        state,
        categories: categories.map(({ isDone, ...each }) => ({ ...each, done: isDone })),
        publishable: missing.length === 0,
        missing,
        missing_fields: missingFields
      }
    }
  )
}
