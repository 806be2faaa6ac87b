import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { EntityPage as EntityPageValue } from '#catalogue/lists/list-entities.ts'
import { readListQuery, readSelection } from '#catalogue/lists/read-list-query.ts'
import { invalidWith } from '#domain/errors.ts'
import { type FilterBody, readFilterBody } from '#domain/filter/read-filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import { clientAddressOf } from '../../base-path.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { sendJson } from '../../reply/json.ts'
import { entitiesJson, linkHeader, listParameters, pageJson, pageLinks } from '../../reply/page.ts'
import { sendGoodToReader } from '../../reply/soft.ts'
import { checkedByDomain, faceting, flag, limit, maxPerPage, paging, soft } from '../../schemas/common.ts'
import { ClientPage, Entity, EntityPage, Filter } from '../../schemas/entity.ts'

/** Lists of entities: by type and identifiers, or by filters. */
export function listEntityRoutes(app: App, catalogue: Catalogue, model: Model) {
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
          ...faceting
        }),
        response: { 200: Type.Unsafe({ anyOf: [Type.Array(Entity), EntityPage] }) }
      },
      config: {
        doc: {
          tag: 'Entities',
          summary: 'List entities',
          description: 'A JSON array. `X-Total-Count` is the exact count, `Link` has the next and previous page.',
          problems: ['query_timeout']
        }
      }
    },
    async (request, reply) => {
      const { type, ids, envelope, soft: isSoft, ...query } = request.query
      if (isSoft === 1) return sendGoodToReader(reply, request.principal)
      if (query.facets !== '' && envelope !== 1)
        throw invalidWith([{ pointer: 'facets', message: 'Facets are part of the object that envelope=1 answers' }])
      const list = readListQuery(query, readSelection(model, type, ids))
      const page = await catalogue.listEntities(request.principal, list)
      const links = pageLinks(page, clientAddressOf(request), {
        type,
        ids,
        envelope: envelope === 1 ? '1' : undefined,
        ...listParameters(query)
      })
      if (envelope === 1) return sendJson(reply, pageJson(page, links))
      reply.header('x-total-count', page.count)
      const link = linkHeader(links)
      if (link !== undefined) reply.header('link', link)
      return sendJson(reply, entitiesJson(page))
    }
  )

  app.post(
    '/entities/filter',
    {
      schema: {
        querystring: Type.Object({
          ...paging,
          limit: filterLimit,
          ...faceting,
          soft,
          highlight: flag('1 adds the matching passages of each result')
        }),
        body: checkedByDomain(Type.Array(Filter, { maxItems: 64 })),
        response: { 200: Type.Unsafe({ anyOf: [EntityPage, ClientPage] }) }
      },
      config: {
        doc: {
          tag: 'Entities',
          needs: 'read',
          summary: 'Search entities',
          description:
            'All filters are combined with AND. `count` is exact; following `next` costs the same on every page.',
          problems: ['invalid_filter', 'unknown_filter_type', 'query_timeout']
        }
      }
    },
    async (request, reply) => {
      const { query } = request
      if (query.soft === 1) return sendGoodToReader(reply, request.principal)
      const body = readFilterBody(model, request.body)
      if (body.options.length > 0) return sendOptions(catalogue, request, reply, body, query)
      if (query.limit > maxPerPage) throw invalidWith([{ pointer: 'limit', message: `must be <= ${maxPerPage}` }])
      if (body.facets.length > 0 && query.facets !== '')
        throw invalidWith([{ pointer: 'facets', message: 'Facets are asked for by a filter already' }])
      const isHighlighted = query.highlight === 1
      const page = await catalogue.listEntities(request.principal, {
        ...readListQuery(query, body.filter),
        ...(body.facets.length > 0 ? { facets: { of: body.facets, limit: maxPerPage } } : {}),
        isHighlighted
      })
      const highlight = isHighlighted ? '1' : undefined
      const links = pageLinks(page, clientAddressOf(request), { ...listParameters(query), highlight })
      return sendJson(reply, pageJson(body.facets.length > 0 ? { ...page, facets: toClientFacets(page) } : page, links))
    }
  )
}

/** More than a page of records; clients send it where they want all options of a menu. */
const filterLimit = Type.Integer({
  ...limit,
  maximum: 999_999,
  description: `How many results to give; 0 gives only the count. At most ${maxPerPage}; options of a menu may be asked for with more, and are ${maxPerPage} at most`
})

/** Facets in the form that existing clients read: a list, with underscores for dots. */
const toClientFacets = ({ facets = {} }: EntityPageValue) =>
  Object.entries(facets).map(([name, values]) => ({
    [name.replaceAll('.', '__')]: values.map(({ value, count }) => ({ _id: value, count }))
  }))

/** Sends the values of fields over all matches, as the options of a menu of an existing client. */
async function sendOptions(
  catalogue: Catalogue,
  request: FastifyRequest,
  reply: FastifyReply,
  { filter, options }: FilterBody,
  { skip, limit: wanted }: { readonly skip: number; readonly limit: number }
) {
  const of = [...new Map(options.map(path => [JSON.stringify(path), path]))].map(([name, path]) => ({ name, path }))
  const { facets = {} } = await catalogue.listEntities(request.principal, {
    ...readListQuery({ skip: 0, limit: 0, order_by: '', asc: 1, facets: '', facet_limit: 1 }, filter),
    facets: { of, limit: maxPerPage }
  })
  const labels = new Map(Object.values(facets).flatMap(values => values.map(({ value, label }) => [value, label])))
  const all = [...labels].map(([value, label]) => ({ label: label ?? value, value }))
  const limit = Math.min(wanted, maxPerPage)
  const results = all.slice(skip, skip + limit)
  return sendJson(reply, JSON.stringify({ count: all.length, results, skip, limit }))
}
