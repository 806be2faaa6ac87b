import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { readListQuery } from '#catalogue/lists/read-list-query.ts'
import { everything } from '#domain/filter/filter.ts'
import { clientAddressOf } from '../base-path.ts'
import type { MediaQuery } from '../schemas/mediafile.ts'
import { sendJson } from './json.ts'
import { listParameters, pageJson, pageLinks } from './page.ts'

/** Sends a page of media files: of one entity, or of all. */
export async function sendMediaPage(
  catalogue: Catalogue,
  request: FastifyRequest,
  reply: FastifyReply,
  entityId: string | undefined
): Promise<FastifyReply> {
  const { category, ...query } = request.query as Static<typeof MediaQuery>
  const list = { ...query, facets: '', facet_limit: 1 }
  const { filter: _, ...page } = readListQuery(list, everything)
  const found = await catalogue.media.list(request.principal, entityId, category, page)
  return sendJson(
    reply,
    pageJson(found, pageLinks(found, clientAddressOf(request), { ...listParameters(list), category }))
  )
}
