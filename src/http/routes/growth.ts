import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'

const Growth = Type.Object(
  {
    growth: Type.Array(
      Type.Object(
        {
          month: Type.String({ description: 'Year and month of creation, in UTC: `2026-11`' }),
          type: Type.String(),
          count: Type.Integer({ minimum: 1 })
        },
        { additionalProperties: false }
      )
    )
  },
  { $id: 'Growth', additionalProperties: false }
)

/** Growth of the catalogue. */
export function growthRoutes(app: App, catalogue: Catalogue) {
  app.get(
    '/growth',
    route(
      { response: { 200: Growth } },
      {
        tag: 'Entities',
        summary: 'Records created per month, by type',
        description: 'Exact and current: deleted records are not counted. Sorted by month, then by type.',
        problems: ['query_timeout']
      }
    ),
    async request => ({ growth: [...(await catalogue.lists.growth(request.principal))] })
  )
}
