import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { EntityPage as Page } from '#catalogue/lists/list-entities.ts'
import { readCommaList, readListQuery, readSelection, readTypes } from '#catalogue/lists/read-list-query.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Filter as FilterValue } from '#domain/filter/filter.ts'
import { type FilterBody, readFilterBody } from '#domain/filter/read-filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { clientAddressOf } from '../../base-path.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { sendJson } from '../../reply/json.ts'
import { entitiesJson, linkHeader, listParameters, type PageLinks, pageJson, pageLinks } from '../../reply/page.ts'
import { refuseTypes, sendGoodToReader, typesInFilters } from '../../reply/soft.ts'
import { acceptable } from '../../representations/negotiate.ts'
import { checkedByDomain, faceting, flag, grouping, limit, maxPerPage, paging, soft } from '../../schemas/common.ts'
import { ClientPage, Entity, EntityPage, Filter, WorkPage, WorkResult } from '../../schemas/entity.ts'
import { sendVersions } from './history-filter.ts'

const tableType = 'text/csv'

const columns = Type.String({
  default: '',
  maxLength: 20_000,
  description: 'For `Accept: text/csv`: comma list of columns; by default all fields and relations of the types'
})

/** Maximum number of records whose relations are resolved in one answer. */
const maxResolved = 200

const include = Type.Optional(
  Type.Unsafe<string>({
    type: 'string',
    enum: ['relations'],
    description: `\`relations\` resolves the relations of each result, as \`resolve=1\` of one entity does; with a \`limit\` of at most ${maxResolved}`
  })
)

/** The page with the relations of its entities resolved, if that is requested. */
async function withIncluded(
  { catalogue }: ListParts,
  { principal }: FastifyRequest,
  page: Page,
  included: string | undefined
): Promise<Page> {
  if (included === undefined) return page
  if (page.limit > maxResolved)
    throw invalidWith([{ pointer: 'limit', message: `Must be at most ${maxResolved} with include=relations` }])
  const resolved = await catalogue.resolveRelations(principal, page.entities)
  return {
    ...page,
    entities: page.entities.map((each, index) => ({ ...each, json: JSON.stringify(resolved[index]) }))
  }
}

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
          ...grouping,
          include,
          columns
        }),
        response: { 200: Type.Unsafe({ anyOf: [Type.Array(Entity), EntityPage, Type.Array(WorkResult), WorkPage] }) }
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
      const { type, ids, envelope, include: included, soft: isSoft, columns: named, ...query } = request.query
      if (isSoft === 1) {
        const named = readCommaList(type).map(name => ({ name, pointer: 'type' }))
        refuseTypes(model, named, { act: 'read', may: request.principal.mayRead })
        return sendGoodToReader(reply, request.principal)
      }
      if (query.facets !== '' && envelope !== 1)
        throw invalidWith([{ pointer: 'facets', message: 'Facets are part of the object that envelope=1 answers' }])
      const list = readListQuery(query, readSelection(model, type, ids))
      const page = await withIncluded(parts, request, await catalogue.listEntities(request.principal, list), included)
      const links = pageLinks(page, clientAddressOf(request), {
        type,
        ids,
        include: included,
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
  filterRoute(app, parts, '/entities/filter_v2')
}

const summaryOf = {
  '/entities/filter': 'Search entities',
  '/entities/filter_v2': 'The same as `/entities/filter`, for existing clients',
  '/mediafiles/filter': 'Search media files'
} as const

/** Searches by filters: in all entities, or in media files. */
function filterRoute(app: App, parts: ListParts, path: keyof typeof summaryOf) {
  const { catalogue, model } = parts
  const isOfMedia = path === '/mediafiles/filter'
  app.post(
    path,
    {
      schema: {
        querystring: Type.Object({
          ...paging,
          limit: filterLimit,
          ...faceting,
          ...grouping,
          soft,
          highlight: flag('1 adds the matching passages of each result'),
          history: Type.Optional(
            Type.String({
              maxLength: 10,
              description: '1 lists the versions of the one record that the filters select, as `/history/filter` does'
            })
          ),
          include,
          columns
        }),
        body: checkedByDomain(Type.Array(Filter, { maxItems: 64 })),
        response: { 200: Type.Unsafe({ anyOf: [EntityPage, ClientPage, WorkPage] }) }
      },
      config: {
        doc: {
          tag: isOfMedia ? 'Media' : 'Entities',
          needs: 'read',
          summary: summaryOf[path],
          description:
            'All filters are combined with AND. `count` is exact; following `next` costs the same on every page. With `Accept: text/csv` the page is a table.',
          alsoProduces: [tableType],
          problems: ['invalid_filter', 'unknown_filter_type', 'query_timeout']
        }
      }
    },
    async (request, reply) => {
      const { columns: named, highlight, history = '', include: included, soft: isSoft, ...query } = request.query
      if (isSoft === 1) {
        refuseTypes(model, typesInFilters(request.body), { act: 'read', may: request.principal.mayRead })
        return sendGoodToReader(reply, request.principal)
      }
      if (wantsVersions(history)) return sendVersions(catalogue, model, request, reply, query)
      const given = readFilterBody(model, request.body)
      const body = isOfMedia ? { ...given, filter: ofMediafiles(given.filter) } : given
      if (body.options.length > 0) return sendOptions(catalogue, request, reply, body, query)
      if (query.limit > maxPerPage) throw invalidWith([{ pointer: 'limit', message: `Must be at most ${maxPerPage}` }])
      if (body.facets.length > 0 && query.facets !== '')
        throw invalidWith([{ pointer: 'facets', message: 'A filter of the body requests facets already' }])
      const isHighlighted = highlight === 1
      const found = await catalogue.listEntities(request.principal, {
        ...readListQuery(query, body.filter, body.names),
        ...(body.facets.length > 0 ? { facets: { of: body.facets, limit: maxPerPage } } : {}),
        isHighlighted
      })
      const page = await withIncluded(parts, request, found, included)
      const links = pageLinks(page, clientAddressOf(request), {
        ...listParameters(query),
        include: included,
        highlight: isHighlighted ? '1' : undefined,
        columns: named
      })
      if (wantsTable(request, reply)) {
        const types = isOfMedia ? [mediafile.type] : [...new Set(page.entities.map(({ type }) => type))]
        return sendTable(parts, request, reply, page, links, types, named)
      }
      return sendJson(reply, pageJson(body.facets.length > 0 ? { ...page, facets: toClientFacets(page) } : page, links))
    }
  )
}

/** Reads `history`, which existing clients always send. Throws `invalid`. */
function wantsVersions(history: string): boolean {
  if (history === '1' || history === 'true') return true
  if (['', '0', 'false', 'undefined'].includes(history)) return false
  throw invalidWith([{ pointer: 'history', message: `"history" must be 0 or 1, not "${history}"` }])
}

/** Limits a filter to media files. */
const ofMediafiles = (filter: FilterValue): FilterValue => ({
  kind: 'all',
  of: [{ kind: 'types', types: [mediafile.type] }, filter]
})

/** The limit of filters: clients send more than a page of records for all options of a menu. */
const filterLimit = Type.Integer({
  ...limit,
  maximum: 999_999,
  description: `Maximum number of results; 0 returns only the count. At most ${maxPerPage}; requests for options of a menu may exceed it and get at most ${maxPerPage}`
})

/** Facets in the form that existing clients read: a list, with underscores for dots. */
const toClientFacets = ({ facets = {} }: Page) =>
  Object.entries(facets).map(([name, values]) => ({
    [name.replaceAll('.', '__')]: values.map(({ value, count }) => ({ _id: value, count }))
  }))

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
  if (page.groups)
    throw invalidWith([{ pointer: 'group_by', message: 'A table has one row for each record: leave out group_by' }])
  const { entityTable } = await import('#protocols/export/entity-table.ts')
  const table = entityTable(parts, principal, { types, columns: readCommaList(named) })
  return withPageHeaders(reply, page, links)
    .type(`${tableType}; charset=utf-8; header=present`)
    .send(table.head + (await table.rows(page.entities)))
}

/** Sends the values of fields over all matches, as the options of a menu of an existing client. */
async function sendOptions(
  catalogue: Catalogue,
  request: FastifyRequest,
  reply: FastifyReply,
  { filter, options, names }: FilterBody,
  { skip, limit: wanted }: { readonly skip: number; readonly limit: number }
) {
  const of = [...new Map(options.map(path => [JSON.stringify(path), path]))].map(([name, path]) => ({ name, path }))
  const { facets = {} } = await catalogue.listEntities(request.principal, {
    ...readListQuery(
      { skip: 0, limit: 0, order_by: '', asc: 1, facets: '', facet_limit: 1 },
      filter,
      // A menu of a client may be about a field that no record has yet.
      names.map(each => ({ ...each, isLenient: true }))
    ),
    facets: { of, limit: maxPerPage }
  })
  const labels = new Map(Object.values(facets).flatMap(values => values.map(({ value, label }) => [value, label])))
  const all = [...labels].map(([value, label]) => ({ label: label ?? value, value }))
  const limit = Math.min(wanted, maxPerPage)
  const results = all.slice(skip, skip + limit)
  return sendJson(reply, JSON.stringify({ count: all.length, results, skip, limit }))
}
