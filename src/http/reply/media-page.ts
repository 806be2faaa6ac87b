import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { readListQuery } from '#catalogue/lists/read-list-query.ts'
import { everything } from '#domain/filter/filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { clientAddressOf } from '../base-path.ts'
import type { MediaQuery } from '../schemas/mediafile.ts'
import { sendJson } from './json.ts'
import { listParameters, pageJson, pageLinks } from './page.ts'
import { sendTable, wantsTable } from './table.ts'

/** Sends a page of media files: of one entity, or of all. */
export async function sendMediaPage(
  parts: { readonly catalogue: Catalogue; readonly model: Model },
  request: FastifyRequest,
  reply: FastifyReply,
  entityId: string | undefined
): Promise<FastifyReply> {
  const { category, ...query } = request.query as Static<typeof MediaQuery>
  const list = { ...query, facets: '', facet_limit: 1 }
  const { filter: _, ...page } = readListQuery(list, everything)
  const found = await parts.catalogue.media.list(request.principal, entityId, category, page)
  const links = pageLinks(found, clientAddressOf(request), { ...listParameters(list), category })
  if (wantsTable(request, reply))
    return sendTable(parts, request, reply, { page: found, links }, { types: [mediafile.type], columns: [] })
  return sendJson(reply, pageJson(found, links))
}
