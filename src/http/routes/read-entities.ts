import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { CachedAnswer } from '#catalogue/cache/answer-cache.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import type { EntityPage as Page } from '#catalogue/lists/list-entities.ts'
import type { PastMoment } from '#catalogue/history/read-past.ts'
import { CatalogueError, invalidWith, type Fault } from '#domain/errors.ts'
import { readOptionsPath } from '#domain/filter/client-filter.ts'
import { readFacets } from '#domain/filter/facets.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import { everything, type Filter as FilterValue } from '#domain/filter/filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import { type Order, readOrder } from '#domain/filter/order.ts'
import { readFilters } from '#domain/filter/read-filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { isKnownToClient } from '../reply/conditions.ts'
import { HttpError, toProblem } from '../reply/errors.ts'
import { wantsJson } from '../representations/negotiate.ts'
import { formatNames, otherMediaTypes, sendWanted } from '../representations/representations.ts'
import {
  checkedByDomain,
  EntityParams,
  faceting,
  flag,
  limit,
  NotModified,
  paging,
  skip,
  soft
} from '../schemas/common.ts'
import { Entity, EntityPage, Filter } from '../schemas/entity.ts'
import { Tree, Wem, WemBatch, WemBatchAnswer } from '../schemas/wem.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { softly, softRead } from './write-entities.ts'

const json = 'application/json; charset=utf-8'

const past = {
  version: Type.Optional(Type.Integer({ minimum: 1, description: 'As it was at this version' })),
  at: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'As it was at this moment: ISO 8601; a bare date means the end of that day'
    })
  )
}

/** The form of the answer, for those who cannot send `Accept`. */
const format = Type.Optional(
  Type.String({ enum: formatNames, description: 'The form of the answer, in place of what `Accept` says' })
)

function pastMoment({ version, at }: { version?: number; at?: string }): PastMoment | undefined {
  if (version !== undefined && at !== undefined)
    throw new HttpError('bad_request', '"version" and "at" each name one moment; give one of them', [
      { pointer: 'at', message: 'There is a "version" already' }
    ])
  if (version !== undefined) return { version }
  return at === undefined ? undefined : { at }
}

/** Reading: one, many, and the three levels of a manifestation in one answer. */
export function readEntityRoutes(app: App, catalogue: Catalogue, model: Model, publicUrl: string) {
  const parts = { catalogue, model, publicUrl }
  app.get(
    '/entities/wem/:manifestation_id',
    {
      schema: {
        params: Type.Object({ manifestation_id: Type.String({ description: 'Any identifier of the manifestation' }) }),
        querystring: Type.Object({ ...past, format, soft }),
        response: { 200: Wem, 304: NotModified }
      },
      config: {
        doc: {
          tag: 'WEM',
          summary: 'A manifestation with its expression and its work, every relation resolved',
          alsoProduces: otherMediaTypes,
          problems: ['not_found', 'incomplete_wem']
        }
      }
    },
    (request, reply) => {
      reply.header('vary', 'Accept')
      const { manifestation_id: id } = request.params
      if (request.query.soft === 1) return softly(reply, catalogue.readWem(request.principal, id))
      const moment = pastMoment(request.query)
      const sendJson = () => {
        if (moment)
          return catalogue.readPastWem(request.principal, id, moment).then(body => reply.type(json).send(body))
        return sendReady(catalogue.readWem(request.principal, id), request, reply)
      }
      if (isPlain(request)) return sendJson()
      // Who asks for a WEM that is not whole is told so, whatever the form.
      const whole = moment ? Promise.resolve() : catalogue.readWem(request.principal, id)
      return whole.then(() => sendWanted(parts, request, reply, id, formOf(request, moment), sendJson))
    }
  )

  app.post(
    '/entities/wem',
    {
      schema: { body: WemBatch, response: { 200: WemBatchAnswer } },
      config: { doc: { tag: 'WEM', needs: 'read', summary: 'Up to 100 WEM answers at once, in the order asked for' } }
    },
    async (request, reply) => {
      const results = await Promise.all(request.body.ids.map(id => wemOrProblem(catalogue, request.principal, id)))
      return reply.type(json).send(`{"results":[${results.join(',')}]}`)
    }
  )

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
          description: 'A JSON array. `X-Total-Count` has the exact count, `Link` the next and previous page.',
          problems: ['query_timeout']
        }
      }
    },
    async (request, reply) => {
      const { type, ids, envelope, soft: isSoft, ...query } = request.query
      if (isSoft === 1) return softRead(request.principal, reply)
      if (query.facets !== '' && envelope !== 1)
        throw invalidWith([{ pointer: 'facets', message: 'Facets are part of the object that envelope=1 answers' }])
      const filters: FilterValue[] = []
      if (type !== '') filters.push({ kind: 'types', types: readTypes(model, type) })
      if (ids !== undefined) filters.push({ kind: 'identifiers', identifiers: ids.split(',').filter(id => id !== '') })
      const filter = filters.length === 0 ? everything : ({ kind: 'all', of: filters } as const)
      const page = await catalogue.listEntities(request.principal, {
        skip: query.skip,
        limit: query.limit,
        filter,
        order: orderOf(query, filter),
        cursor: query.cursor,
        ...facetsOf(query)
      })
      const links = linksOf(page, request.url, {
        type,
        ids,
        envelope: envelope === 1 ? '1' : undefined,
        ...orderQuery(query),
        ...facetQuery(query)
      })
      reply.type(json)
      if (envelope === 1) return reply.send(pageText(page, links))
      reply.header('x-total-count', page.count)
      const link = [
        links.next && `<${links.next}>; rel="next"`,
        links.previous && `<${links.previous}>; rel="prev"`
      ].filter(Boolean)
      if (link.length > 0) reply.header('link', link.join(', '))
      return reply.send(`[${page.entities.map(entity => entity.json).join(',')}]`)
    }
  )

  app.post(
    '/entities/filter',
    {
      schema: {
        querystring: Type.Object({
          ...paging,
          ...faceting,
          soft,
          highlight: flag('1 shows where each result has what was searched for')
        }),
        body: checkedByDomain(Type.Array(Filter, { maxItems: 64 })),
        response: { 200: EntityPage }
      },
      config: {
        doc: {
          tag: 'Entities',
          needs: 'read',
          summary: 'Search entities',
          description:
            'All filters are combined with AND. `count` is exact; `next` goes on at a cost that does not grow with depth.',
          problems: ['invalid_filter', 'unknown_filter_type', 'query_timeout']
        }
      }
    },
    async (request, reply) => {
      const { query } = request
      if (query.soft === 1) return softRead(request.principal, reply)
      const filter = readFilters(model, request.body)
      const options = readOptionsPath(model, request.body)
      if (options) return sendOptions(catalogue, request, reply, filter, options)
      const page = await catalogue.listEntities(request.principal, {
        skip: query.skip,
        limit: query.limit,
        filter,
        order: orderOf(query, filter),
        cursor: query.cursor,
        isHighlighted: query.highlight === 1,
        ...facetsOf(query)
      })
      const highlighted = { highlight: query.highlight === 1 ? '1' : undefined }
      return reply
        .type(json)
        .send(
          pageText(page, linksOf(page, request.url, { ...orderQuery(query), ...facetQuery(query), ...highlighted }))
        )
    }
  )

  app.get(
    '/entities/:id',
    {
      schema: {
        params: EntityParams,
        querystring: Type.Object({
          resolve: flag('1 adds to each relation what it points to, as in WEM'),
          ...past,
          format,
          soft
        }),
        response: { 200: Entity, 304: NotModified }
      },
      config: {
        doc: {
          tag: 'Entities',
          summary: 'Fetch one entity by any of its identifiers',
          alsoProduces: otherMediaTypes,
          problems: ['not_found']
        }
      }
    },
    (request, reply) => {
      reply.header('vary', 'Accept')
      const { id } = request.params
      if (request.query.soft === 1) return softly(reply, catalogue.readEntity(request.principal, id))
      const moment = pastMoment(request.query)
      const sendJson = () => {
        if (moment) {
          return catalogue
            .readPastEntity(request.principal, id, moment)
            .then(({ version, json: body }) => reply.header('etag', `"${version}"`).type(json).send(body))
        }
        if (request.query.resolve === 1) return catalogue.readResolvedEntity(request.principal, id)
        return sendReady(catalogue.readEntity(request.principal, id), request, reply)
      }
      return isPlain(request) ? sendJson() : sendWanted(parts, request, reply, id, formOf(request, moment), sendJson)
    }
  )

  app.get(
    '/entities/:id/tree',
    {
      schema: { params: EntityParams, querystring: Type.Object({ skip, limit }), response: { 200: Tree } },
      config: {
        doc: {
          tag: 'WEM',
          summary: 'A work with its expressions and their manifestations, resolved as in WEM',
          description: 'Paged by manifestation; all expressions are always shown.',
          problems: ['not_found']
        }
      }
    },
    async (request, reply) => {
      const { skip: skipped, limit: most } = request.query
      const { members, count } = await catalogue.readTree(request.principal, request.params.id, skipped, most)
      const hasMore = most > 0 && skipped + most < count
      const next = hasMore ? `${pathOf(request.url)}?limit=${most}&skip=${skipped + most}` : undefined
      const paging = JSON.stringify({ count, skip: skipped, limit: most, next }).slice(1, -1)
      return reply.type(json).send(`{${members},${paging}}`)
    }
  )

  app.get(
    '/entities/:id/references',
    {
      schema: {
        params: EntityParams,
        querystring: Type.Object({
          type: Type.Optional(Type.String({ maxLength: 2000, description: 'Comma list of relation types to look at' })),
          skip,
          limit
        }),
        response: {
          200: Type.Object(
            {
              count: Type.Integer(),
              count_by_relation: Type.Unsafe<Record<string, number>>({
                type: 'object',
                additionalProperties: { type: 'integer' },
                description: 'How many there are of each relation type'
              }),
              results: Type.Array(
                Type.Object(
                  { id: Type.String(), type: Type.String(), relation: Type.String() },
                  { additionalProperties: false }
                )
              ),
              skip: Type.Integer(),
              limit: Type.Integer(),
              next: Type.Optional(Type.String())
            },
            { $id: 'References', additionalProperties: false }
          )
        }
      },
      config: { doc: { tag: 'Entities', summary: 'Who points to this entity', problems: ['not_found'] } }
    },
    async request => {
      const { type, skip: skipped, limit: most } = request.query
      const { count, countByType, references } = await catalogue.listReferences(
        request.principal,
        request.params.id,
        type?.split(',').filter(each => each !== ''),
        skipped,
        most
      )
      const next = new URLSearchParams({
        ...(type === undefined ? {} : { type }),
        limit: String(most),
        skip: String(skipped + most)
      })
      return {
        count,
        count_by_relation: countByType,
        results: references.map(each => ({ id: each.id, type: each.type, relation: each.relationType })),
        skip: skipped,
        limit: most,
        ...(most > 0 && skipped + most < count ? { next: `${pathOf(request.url)}?${next}` } : {})
      }
    }
  )
}

interface FormQuery {
  readonly headers: { readonly accept?: string }
  readonly query: { readonly format?: string }
}

/**
 * Whether the answer is wanted as the JSON that it always was; asked first, since it costs next to
 * nothing and is true of nearly every request.
 */
const isPlain = ({ headers, query }: FormQuery) => query.format === undefined && wantsJson(headers.accept)

const formOf = ({ query }: FormQuery, moment: PastMoment | undefined) => ({
  format: query.format,
  onlyJson: moment !== undefined
})

/**
 * Sends an answer that is ready, or 304. Gives nothing back: a handler that gives the reply back
 * waits until it is sent, which took 4 µs more for each request (bench/get.ts).
 */
async function sendReady(answer: Promise<CachedAnswer>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { body, etag } = await answer
  reply.header('etag', etag)
  if (isKnownToClient(request.headers, etag)) reply.code(304).send()
  else reply.type(json).send(body)
}

/** The values of a field over all matches, as options of a menu of an existing client. */
async function sendOptions(
  catalogue: Catalogue,
  request: FastifyRequest,
  reply: FastifyReply,
  filter: FilterValue,
  path: FilterPath
) {
  const { limit: most } = request.query as OrderQuery
  const { facets } = await catalogue.listEntities(request.principal, {
    skip: 0,
    limit: 0,
    filter,
    order: orderOf({ order_by: '', asc: 1, limit: 0 }, filter),
    cursor: undefined,
    facets: { of: [{ name: 'options', path }], limit: Math.max(1, most) }
  })
  const results = (facets?.options ?? []).map(({ value, label }) => ({ label: label ?? value, value }))
  return reply.type(json).send(JSON.stringify({ count: results.length, results, skip: 0, limit: most }))
}

async function wemOrProblem(catalogue: Catalogue, principal: Principal, id: string): Promise<string> {
  try {
    const { body } = await catalogue.readWem(principal, id)
    return `{"id":${JSON.stringify(id)},"wem":${body}}`
  } catch (error) {
    // Who may read nothing at all is told so once, not for each id.
    if (!(error instanceof CatalogueError) || error.code === 'forbidden') throw error
    return JSON.stringify({ id, problem: toProblem(error) })
  }
}

interface OrderQuery {
  readonly order_by: string
  readonly asc: number
  readonly limit: number
}

function orderOf({ order_by, asc }: OrderQuery, filter: FilterValue): Order {
  const order = readOrder(order_by, asc === 1, filter)
  if (order) return order
  throw invalidWith([
    {
      pointer: 'order_by',
      message: `Cannot sort by "${order_by}": use up to 8 of date_created, date_updated, id, type or a metadata key`
    }
  ])
}

const orderQuery = ({ order_by, asc, limit: most }: OrderQuery) => ({
  limit: String(most),
  order_by: order_by || undefined,
  asc: String(asc)
})

/** The types that a comma list names. Throws `invalid` for what is none. */
interface FacetQuery {
  readonly facets: string
  readonly facet_limit: number
}

const facetsOf = ({ facets, facet_limit }: FacetQuery) =>
  facets === '' ? {} : { facets: { of: readFacets(facets), limit: facet_limit } }

const facetQuery = ({ facets, facet_limit }: FacetQuery) =>
  facets === '' ? {} : { facets, facet_limit: String(facet_limit) }

export function readTypes(model: Model, names: string): string[] {
  const faults: Fault[] = []
  const types = names
    .split(',')
    .filter(name => name !== '')
    .flatMap(name => {
      const found = model.typesNamed(name)
      if (found.length === 0) faults.push({ pointer: 'type', message: `Unknown type "${name}"` })
      return found
    })
  if (faults.length > 0) throw invalidWith(faults)
  return types
}

export const pathOf = (url: string) => url.split('?')[0] ?? url

/** The addresses of the pages beside this one: the same request, with a cursor. */
function linksOf(page: Page, url: string, query: Readonly<Record<string, string | undefined>>) {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''
  )
  const linkTo = (cursor: string | undefined) =>
    cursor === undefined ? undefined : `${pathOf(url)}?${new URLSearchParams([...given, ['cursor', cursor]])}`
  const isPastTheEnd = page.entities.length === 0 && page.skip > 0
  // An empty page has no place to go back from; the offset leads to the last page there is.
  const lastPage = Math.max(0, Math.min(page.skip, page.count) - page.limit)
  const back = `${pathOf(url)}?${new URLSearchParams([...given, ['skip', String(lastPage)]])}`
  return { next: linkTo(page.next), previous: isPastTheEnd ? back : linkTo(page.previous) }
}

/**
 * The page as text: the documents are stored as they are answered, so they are joined, not parsed
 * and printed.
 */
function pageText(page: Page, links: { next: string | undefined; previous: string | undefined }): string {
  const results = page.entities.map(entity => entity.json).join(',')
  const { skip: skipped, limit: most, facets, highlights } = page
  const rest = JSON.stringify({ skip: skipped, limit: most, ...links, facets, highlights }).slice(1)
  return `{"count":${page.count},"results":[${results}],${rest}`
}
