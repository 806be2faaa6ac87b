import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { EntityPage as Page } from '#catalogue/lists/list-entities.ts'
import { readCommaList, readListQuery, readSelection, readTypes } from '#catalogue/lists/read-list-query.ts'
import { invalidWith } from '#domain/errors.ts'
import { readOptionsPath } from '#domain/filter/client-filter.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import type { Filter as FilterValue } from '#domain/filter/filter.ts'
import { readFilters } from '#domain/filter/read-filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { clientAddressOf } from '../../base-path.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { sendJson } from '../../reply/json.ts'
import { entitiesJson, linkHeader, listParameters, type PageLinks, pageJson, pageLinks } from '../../reply/page.ts'
import { sendGoodToReader } from '../../reply/soft.ts'
import { acceptable } from '../../representations/negotiate.ts'
import { checkedByDomain, faceting, flag, paging, soft } from '../../schemas/common.ts'
import { Entity, EntityPage, Filter } from '../../schemas/entity.ts'

const tableType = 'text/csv'

const columns = Type.String({
  default: '',
  maxLength: 20_000,
  description: 'For `Accept: text/csv`: comma list of columns; by default all fields and relations of the types'
})

interface ListParts {
  readonly catalogue: Catalogue
  readonly model: Model
}

/** Lists of entities: by type and identifiers, or by filters. */
export function listEntityRoutes(app: App, parts: ListParts) {
  const { catalogue, model } = parts
  app.get(
    '/entities',
    {
      schema: {
        querystring: Type.Object({
          type: Type.String({
            default: '',
            maxLength: 2000,
            description: 'A type, an umbrella such as `manifestation`, or a comma list'
          }),
          ids: Type.Optional(Type.String({ maxLength: 100_000, description: 'Comma list of identifiers' })),
          ...paging,
          soft,
          envelope: flag('1 answers an object with the count, as the filter does, instead of a plain array'),
          ...faceting,
          columns
        }),
        response: { 200: Type.Unsafe({ anyOf: [Type.Array(Entity), EntityPage] }) }
      },
      config: {
        doc: {
          tag: 'Entities',
          summary: 'List entities',
          description:
            'A JSON array. `X-Total-Count` is the exact count, `Link` has the next and previous page. With `Accept: text/csv` the same page as a table.',
          alsoProduces: [tableType],
          problems: ['query_timeout']
        }
      }
    },
    async (request, reply) => {
      const { type, ids, envelope, soft: isSoft, columns: named, ...query } = request.query
      if (isSoft === 1) return sendGoodToReader(reply, request.principal)
      if (query.facets !== '' && envelope !== 1)
        throw invalidWith([{ pointer: 'facets', message: 'Facets are part of the object that envelope=1 answers' }])
      const list = readListQuery(query, readSelection(model, type, ids))
      const page = await catalogue.listEntities(request.principal, list)
      const links = pageLinks(page, clientAddressOf(request), {
        type,
        ids,
        envelope: envelope === 1 ? '1' : undefined,
        ...listParameters(query),
        columns: named
      })
      const types = type === '' ? [] : readTypes(model, type)
      if (wantsTable(request, reply)) return sendTable(parts, request, reply, page, links, types, named)
      if (envelope === 1) return sendJson(reply, pageJson(page, links))
      return sendJson(withPageHeaders(reply, page, links), entitiesJson(page))
    }
  )

  filterRoute(app, parts, '/entities/filter')
  filterRoute(app, parts, '/mediafiles/filter')
}

/** Searches by filters: in all entities, or in media files. */
function filterRoute(app: App, parts: ListParts, path: '/entities/filter' | '/mediafiles/filter') {
  const { catalogue, model } = parts
  const isOfMedia = path === '/mediafiles/filter'
  app.post(
    path,
    {
      schema: {
        querystring: Type.Object({
          ...paging,
          ...faceting,
          soft,
          highlight: flag('1 adds the matching passages of each result'),
          columns
        }),
        body: checkedByDomain(Type.Array(Filter, { maxItems: 64 })),
        response: { 200: EntityPage }
      },
      config: {
        doc: {
          tag: isOfMedia ? 'Media' : 'Entities',
          needs: 'read',
          summary: isOfMedia ? 'Search media files' : 'Search entities',
          description:
            'All filters are combined with AND. `count` is exact; following `next` costs the same on every page. With `Accept: text/csv` the page is a table.',
          alsoProduces: [tableType],
          problems: ['invalid_filter', 'unknown_filter_type', 'query_timeout']
        }
      }
    },
    async (request, reply) => {
      const { columns: named, highlight, soft: isSoft, ...query } = request.query
      if (isSoft === 1) return sendGoodToReader(reply, request.principal)
      const given = readFilters(model, request.body)
      const filter: FilterValue = isOfMedia
        ? { kind: 'all', of: [{ kind: 'types', types: [mediafile.type] }, given] }
        : given
      const options = readOptionsPath(model, request.body)
      if (options) return sendOptions(catalogue, request, reply, filter, options, query.limit)
      const isHighlighted = highlight === 1
      const page = await catalogue.listEntities(request.principal, { ...readListQuery(query, filter), isHighlighted })
      const links = pageLinks(page, clientAddressOf(request), {
        ...listParameters(query),
        highlight: isHighlighted ? '1' : undefined,
        columns: named
      })
      if (!wantsTable(request, reply)) return sendJson(reply, pageJson(page, links))
      const types = isOfMedia ? [mediafile.type] : [...new Set(page.entities.map(({ type }) => type))]
      return sendTable(parts, request, reply, page, links, types, named)
    }
  )
}

/** Adds the count and the links of a page as headers. */
function withPageHeaders(reply: FastifyReply, page: Page, links: PageLinks): FastifyReply {
  const link = linkHeader(links)
  if (link !== undefined) reply.header('link', link)
  return reply.header('x-total-count', page.count)
}

/** Whether the client prefers a table to JSON. */
function wantsTable({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'Accept, Accept-Encoding')
  if (headers.accept?.includes(tableType) !== true) return false
  return (
    acceptable(headers.accept, [{ mediaType: 'application/json' }, { mediaType: tableType }])[0]?.mediaType ===
    tableType
  )
}

/** Sends a page as a table in CSV, with its count and links as headers. */
async function sendTable(
  parts: ListParts,
  { principal }: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  links: PageLinks,
  types: readonly string[],
  named: string
): Promise<FastifyReply> {
  const { entityTable } = await import('#protocols/export/entity-table.ts')
  const table = entityTable(parts, principal, { types, columns: readCommaList(named) })
  return withPageHeaders(reply, page, links)
    .type(`${tableType}; charset=utf-8; header=present`)
    .send(table.head + (await table.rows(page.entities)))
}

/** Sends the values of a field over all matches, as the options of a menu of an existing client. */
async function sendOptions(
  catalogue: Catalogue,
  request: FastifyRequest,
  reply: FastifyReply,
  filter: FilterValue,
  path: FilterPath,
  limit: number
) {
  const { facets } = await catalogue.listEntities(request.principal, {
    ...readListQuery({ skip: 0, limit: 0, order_by: '', asc: 1, facets: '', facet_limit: 1 }, filter),
    facets: { of: [{ name: 'options', path }], limit: Math.max(1, limit) }
  })
  const results = (facets?.options ?? []).map(({ value, label }) => ({ label: label ?? value, value }))
  return sendJson(reply, JSON.stringify({ count: results.length, results, skip: 0, limit }))
}
