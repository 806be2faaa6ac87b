import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { EntityPage as Page } from '#catalogue/lists/list-entities.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { TableOptions } from '#protocols/export/entity-table.ts'
import { acceptable } from '../representations/negotiate.ts'
import { linkHeader, type PageLinks } from './page.ts'

export const tableType = 'text/csv'

/** Adds the count and the links of a page as headers. */
export function withPageHeaders(reply: FastifyReply, page: Page, links: PageLinks): FastifyReply {
  const link = linkHeader(links)
  if (link !== undefined) reply.header('link', link)
  return reply.header('x-total-count', page.count)
}

/** Whether the client prefers a table to JSON. */
export function wantsTable({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'Accept, Accept-Encoding, Accept-Language')
  if (headers.accept?.includes(tableType) !== true) return false
  return (
    acceptable(headers.accept, [{ mediaType: 'application/json' }, { mediaType: tableType }])[0]?.mediaType ===
    tableType
  )
}

/** Sends a page as a table in CSV, with its count and links as headers. */
export async function sendTable(
  parts: { readonly catalogue: Catalogue; readonly model: Model },
  { principal }: FastifyRequest,
  reply: FastifyReply,
  { page, links }: { readonly page: Page; readonly links: PageLinks },
  options: TableOptions
): Promise<FastifyReply> {
  if (page.groups)
    throw invalidWith([{ pointer: 'group_by', message: 'A table has one row for each record: leave out group_by' }])
  const { entityTable } = await import('#protocols/export/entity-table.ts')
  const table = entityTable(parts, principal, options)
  return withPageHeaders(reply, page, links)
    .type(`${tableType}; charset=utf-8; header=present`)
    .send(table.head + (await table.rows(page.entities)))
}
