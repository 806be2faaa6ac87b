import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import { searchedFormats } from '#protocols/formats/registry.ts'
import type { SruServer } from '#protocols/sru/answer-request.ts'
import { HttpError } from '../reply/errors.ts'
import { type Fields, formFields, formMediaType, queryFields, refuseManyFields } from '../body/form-body.ts'
import type { RouteDoc } from '../openapi/route-doc.ts'
import { rootUrlOf } from '../reply/root-url.ts'
import { checkedByDomain } from '../schemas/common.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const Parameters = Type.Object({
  version: text('1.1, 1.2 or 2.0; 2.0 by default, unless `operation` is given'),
  operation: text('explain, searchRetrieve or scan; not needed in 2.0'),
  query: text('CQL'),
  startRecord: text('Number of the first record, from 1'),
  maximumRecords: text('At most 100; 10 by default'),
  recordSchema: text(searchedFormats.map(({ sru }) => sru.name).join(', ')),
  recordPacking: text('xml or string (1.1, 1.2)'),
  recordXMLEscaping: text('xml or string (2.0)'),
  sortKeys: text('Alternative to `sortBy` in the query'),
  facetLimit: text('Terms to count, of all facets or of some: `10`, `10:dc.creator,5:dc.date` (2.0)'),
  scanClause: text('An index, a relation and the first term'),
  responsePosition: text('Position of the term in the answer'),
  maximumTerms: text('At most 100; 20 by default')
})
const Database = Type.Object({
  database: Type.String({
    description: 'A type, an umbrella, a family (bibliographic, related, stage, other), or `all`'
  })
})

const xml = 'text/xml'
const doc = (summary: string, more: Partial<RouteDoc> = {}): RouteDoc => ({
  tag: 'Protocols',
  summary,
  description: 'Errors are part of the document, with status 200, as the standard requires.',
  produces: xml,
  alsoProduces: ['application/xml', 'application/sru+xml'],
  mayBeAnonymous: true,
  takesBasic: true,
  ...more
})

/** SRU, the search protocol of library systems, over the same filters as the other searches. */
export function sruRoutes(app: App, server: SruServer, statedUrl: string | undefined) {
  const answer = async (request: FastifyRequest, reply: FastifyReply, body: Fields, database: string | undefined) => {
    const { answerSruRequest, typesInDatabase } = await import('#protocols/sru/answer-request.ts')
    if (!typesInDatabase(server.model, database))
      throw new HttpError('no_such_path', `Unknown database "${database}"; use a type, an umbrella or a family`)
    const rootUrl = rootUrlOf(request, statedUrl)
    const baseUrl = `${rootUrl}/sru${database === undefined ? '' : `/${database}`}`
    const sent = refuseManyFields([...queryFields(request.url), ...body])
    return reply
      .type(`${xml}; charset=utf-8`)
      .send(await answerSruRequest(server, request.principal, { sent, database, baseUrl }))
  }

  app.get(
    '/sru',
    route({ querystring: checkedByDomain(Parameters) }, doc('Search publications by SRU 1.2 or 2.0')),
    (request, reply) => answer(request, reply, [], undefined)
  )
  app.post(
    '/sru',
    route(
      { body: checkedByDomain(Parameters) },
      doc('Search by SRU, with the parameters in the body', { needs: 'read', consumes: [formMediaType] })
    ),
    (request, reply) => answer(request, reply, formFields(request), undefined)
  )
  app.get(
    '/sru/:database',
    route(
      { params: Database, querystring: checkedByDomain(Parameters) },
      doc('Search records of other types by SRU', { problems: ['no_such_path'] })
    ),
    (request, reply) => answer(request, reply, [], request.params.database)
  )
}
