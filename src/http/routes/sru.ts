import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { SruServer } from '#protocols/sru/answer-request.ts'
import { HttpError } from '../reply/errors.ts'
import { type Fields, formFields, formMediaType, queryFields, refuseManyFields } from '../body/form-body.ts'
import type { RouteDoc } from '../openapi/route-doc.ts'
import { rootUrlOf } from '../reply/root-url.ts'
import { checkedByDomain } from '../schemas/common.ts'
import type { App } from '../openapi/typebox-provider.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const Parameters = Type.Object({
  version: text('1.1, 1.2 or 2.0; 2.0 where neither it nor `operation` is given'),
  operation: text('explain, searchRetrieve or scan; 2.0 needs none'),
  query: text('CQL'),
  startRecord: text('From 1'),
  maximumRecords: text('10 where it is not given, at most 100'),
  recordSchema: text('dc, marcxml, mods, libretto or json'),
  recordPacking: text('xml or string (1.1, 1.2)'),
  recordXMLEscaping: text('xml or string (2.0)'),
  sortKeys: text('Beside `sortBy` in the query'),
  scanClause: text('An index, a relation and the term to begin at'),
  responsePosition: text('Where in the answer the term stands'),
  maximumTerms: text('20 where it is not given, at most 100')
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
  description: 'What is wrong with a request is in the document, with status 200, as the standard has it.',
  produces: xml,
  alsoProduces: ['application/xml', 'application/sru+xml'],
  mayBeAnonymous: true,
  takesBasic: true,
  ...more
})

/** SRU: searching as library systems do it, over the same filters as everything else. */
export function sruRoutes(app: App, server: SruServer, statedUrl: string | undefined) {
  const answer = async (request: FastifyRequest, reply: FastifyReply, body: Fields, database: string | undefined) => {
    const { answerSruRequest, typesInDatabase } = await import('#protocols/sru/answer-request.ts')
    if (!typesInDatabase(server.model, database))
      throw new HttpError('no_such_path', `There is no database "${database}"; a type, an umbrella or a family is one`)
    const rootUrl = rootUrlOf(request, statedUrl)
    const baseUrl = `${rootUrl}/sru${database === undefined ? '' : `/${database}`}`
    const sent = refuseManyFields([...queryFields(request.url), ...body])
    return reply
      .type(`${xml}; charset=utf-8`)
      .send(await answerSruRequest(server, request.principal, { sent, database, baseUrl }))
  }

  app.get(
    '/sru',
    {
      schema: { querystring: checkedByDomain(Parameters) },
      config: { doc: doc('SRU 1.2 and 2.0: searching publications') }
    },
    (request, reply) => answer(request, reply, [], undefined)
  )
  app.post(
    '/sru',
    {
      schema: { body: checkedByDomain(Parameters) },
      config: { doc: doc('SRU, with the parameters in the body', { needs: 'read', consumes: [formMediaType] }) }
    },
    (request, reply) => answer(request, reply, formFields(request), undefined)
  )
  app.get(
    '/sru/:database',
    {
      schema: { params: Database, querystring: checkedByDomain(Parameters) },
      config: { doc: doc('SRU over records of other types', { problems: ['no_such_path'] }) }
    },
    (request, reply) => answer(request, reply, [], request.params.database)
  )
}
