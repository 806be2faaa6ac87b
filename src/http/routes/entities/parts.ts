import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { clientAddressOf } from '../../base-path.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { sendJson } from '../../reply/json.ts'
import { nextByOffset } from '../../reply/page.ts'
import { EntityParams, limit, skip } from '../../schemas/common.ts'
import { PartList } from '../../schemas/wem.ts'
import { route } from '../../openapi/route.ts'

/** The parts of a record, such as the volumes of a series. */
export function partRoutes(app: App, catalogue: Catalogue) {
  app.get(
    '/entities/:id/parts',
    route(
      { params: EntityParams, querystring: Type.Object({ skip, limit }), response: { 200: PartList } },
      {
        tag: 'WEM',
        summary: 'Read the parts of a record in the order of their numbers, such as the volumes of a series',
        description: 'Resolved as in WEM. A record of a type that has no parts has an empty list.',
        problems: ['not_found']
      }
    ),
    async (request, reply) => {
      const { query } = request
      const { skip, limit } = query
      const { results, count, shown } = await catalogue.publications.parts(request.principal, request.params.id, query)
      const next = nextByOffset(clientAddressOf(request), query, count, {}, shown)
      return sendJson(reply, `{"results":[${results}],${JSON.stringify({ count, skip, limit, next }).slice(1)}`)
    }
  )
}
