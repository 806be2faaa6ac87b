import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import Type, { type TObject, type TProperties } from 'typebox'

import type { EntityPage as Page } from '#catalogue/lists/list-entities.ts'
import { readListQuery } from '#catalogue/lists/read-list-query.ts'
import { invalidWith } from '#domain/errors.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { sendJson } from '#http/reply/json.ts'
import { filterRoute, type ListParts, sendFiltered } from '#http/routes/entities/list-entities.ts'
import { limit, maxPerPage } from '#http/schemas/common.ts'
import { Entity, EntityPage, facetCount, Filter } from '#http/schemas/entity.ts'
import { type ClientFilterBody, readClientFilterBody } from '../filter/client-filter-reader.ts'
import { sendVersions } from './history-filter.ts'

/* Searches of the clients: further members of filters and parameters, and the answers to them. */

const ClientFilter = Type.Object(
  {
    ...Filter.properties,
    lookup: Type.Optional(
      Type.Unsafe<unknown>({
        type: 'object',
        description: 'Joins others by a relation: from, local_field, foreign_field and as, which keys begin with'
      })
    ),
    facets: Type.Optional(
      Type.Unsafe<unknown>({
        type: 'array',
        items: { type: 'object' },
        description: 'Objects with a `key`, to count the values of over all matches'
      })
    ),
    provide_value_options_for_key: Type.Optional(
      Type.Boolean({ description: '`results` hold the values of the key as `{label, value}`, instead of entities' })
    )
  },
  { $id: 'Filter' }
)

/** A page as the clients read it, where their filters ask for it. */
const ClientPage = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    results: Type.Array(
      Type.Unsafe<unknown>({
        anyOf: [
          Entity,
          Type.Object({ label: Type.String(), value: Type.String() }, { $id: 'Option', additionalProperties: false })
        ]
      })
    ),
    skip: Type.Integer({ minimum: 0 }),
    limit: Type.Integer({ minimum: 0 }),
    next: EntityPage.properties.next,
    previous: EntityPage.properties.previous,
    facets: Type.Optional(
      Type.Array(
        Type.Unsafe<unknown>({
          type: 'object',
          additionalProperties: {
            type: 'array',
            items: {
              type: 'object',
              properties: { _id: { type: 'string', description: 'The value' }, count: facetCount },
              required: ['_id', 'count'],
              additionalProperties: false
            }
          }
        }),
        { description: 'By the path with underscores for dots' }
      )
    )
  },
  {
    $id: 'ClientPage',
    additionalProperties: false,
    description: 'The answer where a filter asks for options (`provide_value_options_for_key`) or has `facets`'
  }
)

/** Clients send more than a page of records for all options of a menu. */
const filterLimit = Type.Integer({
  ...limit,
  maximum: 999_999,
  description: `Maximum number of results; 0 returns only the count. At most ${maxPerPage}; requests for options of a menu may exceed it and get at most ${maxPerPage}`
})

const history = Type.Optional(
  Type.String({
    maxLength: 10,
    description: '1 lists the versions of the one record that the filters select, newest first'
  })
)

interface FilterQuery {
  readonly skip: number
  readonly limit: number
  readonly facets: string
  readonly history?: string
}

/** Adds the further forms to the paths that search by filters, and one more path. */
export function addFilterForms(app: App, parts: ListParts) {
  app.addHook('onRoute', route => {
    const { body } = (route.schema ?? {}) as { body?: { items?: unknown } }
    if (body?.items !== Filter) return
    route.schema = { ...route.schema, body: { ...body, items: ClientFilter } }
    if (searchPaths.includes(route.url)) withFurtherAnswers(route, parts)
  })
}

const searchPaths = ['/entities/filter', '/entities/filter_v2', '/mediafiles/filter']

/** Another name of the path, which the clients use. */
export const secondFilterRoute = (app: App, parts: ListParts) =>
  filterRoute(app, parts, '/entities/filter_v2', 'The same as `/entities/filter`, for existing clients')

function withFurtherAnswers(route: RouteOptions, parts: ListParts) {
  const { handler, schema } = route
  const { querystring, response } = schema as {
    querystring: TObject<TProperties>
    response: { 200: { anyOf: object[] } }
  }
  route.schema = {
    ...schema,
    querystring: Type.Object({ ...querystring.properties, limit: filterLimit, history }),
    response: { 200: { anyOf: [...response[200].anyOf, ClientPage] } }
  }
  route.handler = function (request, reply) {
    const query = request.query as FilterQuery
    if (wantsVersions(query.history ?? '')) return sendVersions(parts, request, reply, query)
    if (asksFurther(request.body)) return sendFurther(parts, request, reply, query)
    refuseLimit(query)
    return handler.call(this, request, reply)
  }
}

/** Whether a filter asks for options or facets. */
const asksFurther = (body: unknown): boolean =>
  Array.isArray(body) &&
  body.some((item: unknown) => {
    const { provide_value_options_for_key: options, facets, or } = (item ?? {}) as Record<string, unknown>
    return options === true || (facets ?? undefined) !== undefined || asksFurther(or)
  })

async function sendFurther(parts: ListParts, request: FastifyRequest, reply: FastifyReply, query: FilterQuery) {
  const body = readClientFilterBody(parts.model, request.body)
  if (body.options.length > 0) return sendOptions(parts, request, reply, body, query)
  refuseLimit(query)
  if (body.facets.length === 0) return sendFiltered(parts, request, reply, body)
  if (query.facets !== '')
    throw invalidWith([{ pointer: 'facets', message: 'A filter of the body requests facets already' }])
  return sendFiltered(parts, request, reply, body, {
    facets: { of: body.facets, limit: maxPerPage },
    toShown: page => ({ ...page, facets: toClientFacets(page) })
  })
}

function refuseLimit({ limit: wanted }: FilterQuery) {
  if (wanted > maxPerPage) throw invalidWith([{ pointer: 'limit', message: `Must be at most ${maxPerPage}` }])
}

/** Reads `history`, which the clients always send. Throws `invalid`. */
function wantsVersions(given: string): boolean {
  if (given === '1' || given === 'true') return true
  if (['', '0', 'false', 'undefined'].includes(given)) return false
  throw invalidWith([{ pointer: 'history', message: `"history" must be 0 or 1, not "${given}"` }])
}

/** Facets in the form that the clients read: a list, with underscores for dots. */
const toClientFacets = ({ facets = {} }: Page) =>
  Object.entries(facets).map(([name, values]) => ({
    [name.replaceAll('.', '__')]: values.map(({ value, count }) => ({ _id: value, count }))
  }))

/** Sends the values of fields over all matches, as the options of a menu. */
async function sendOptions(
  { catalogue }: ListParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { filter, options, names }: ClientFilterBody,
  { skip, limit: wanted }: { readonly skip: number; readonly limit: number }
) {
  const of = [...new Map(options.map(path => [JSON.stringify(path), path]))].map(([name, path]) => ({ name, path }))
  const { facets = {} } = await catalogue.lists.entities(request.principal, {
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
