import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { OaiRepository } from '#protocols/oai-pmh/answer-request.ts'
import { harvestedFormats } from '#protocols/formats/registry.ts'
import { recordSchemaPath } from '#protocols/oai-pmh/record-schema-path.ts'
import { type Fields, formFields, formMediaType, queryFields } from '../body/form-body.ts'
import { rootUrlOf } from '../reply/root-url.ts'
import { checkedByDomain } from '../schemas/common.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'

const Arguments = Type.Object({
  verb: Type.Optional(
    Type.String({
      description: 'Identify, ListMetadataFormats, ListSets, ListIdentifiers, ListRecords or GetRecord'
    })
  ),
  metadataPrefix: Type.Optional(Type.String({ description: harvestedFormats.map(({ oai }) => oai.prefix).join(', ') })),
  identifier: Type.Optional(Type.String({ description: '`oai:<domain>:<id>`' })),
  from: Type.Optional(Type.String({ description: 'Earliest change, as a day or a second' })),
  until: Type.Optional(Type.String({ description: 'Latest change, as a day or a second' })),
  set: Type.Optional(Type.String({ description: 'A set of `ListSets`' })),
  resumptionToken: Type.Optional(
    Type.String({ description: 'Token of the previous answer; excludes all other arguments' })
  )
})

const xml = 'text/xml'

/** OAI-PMH 2.0, for harvesters. */
export function oaiRoutes(app: App, repository: OaiRepository, statedUrl: string | undefined) {
  const answer = async (request: FastifyRequest, reply: FastifyReply, body: Fields) => {
    const { answerOaiRequest } = await import('#protocols/oai-pmh/answer-request.ts')
    const rootUrl = rootUrlOf(request, statedUrl)
    const sent = [...queryFields(request.url), ...body]
    const text = await answerOaiRequest(repository, request.principal, { sent, baseUrl: `${rootUrl}/oai`, rootUrl })
    return reply.type(`${xml}; charset=utf-8`).send(text)
  }

  app.get(
    '/oai',
    route(
      { querystring: checkedByDomain(Arguments) },
      {
        tag: 'Protocols',
        summary: 'Harvest records by OAI-PMH 2.0',
        description: 'Protocol errors are part of the document, with status 200, as the standard requires.',
        produces: xml,
        alsoProduces: ['application/xml'],
        mayBeAnonymous: true,
        takesBasic: true,
        problems: ['query_timeout']
      }
    ),
    (request, reply) => answer(request, reply, [])
  )

  app.post(
    '/oai',
    route(
      { body: checkedByDomain(Arguments) },
      {
        tag: 'Protocols',
        needs: 'read',
        summary: 'Harvest by OAI-PMH 2.0, with the arguments in the body',
        description:
          'The same as `GET /oai`. The standard requires both, for arguments that are too long for an address.',
        produces: xml,
        alsoProduces: ['application/xml'],
        consumes: [formMediaType],
        mayBeAnonymous: true,
        takesBasic: true,
        problems: ['query_timeout']
      }
    ),
    (request, reply) => answer(request, reply, formFields(request))
  )

  app.get(
    recordSchemaPath,
    {
      config: {
        doc: {
          tag: 'Protocols',
          summary: 'The XML schema of records in the format `libretto`',
          description: 'For harvesters that validate records. The answers of OAI-PMH and SRU refer to it.',
          isPublic: true,
          produces: xml,
          alsoProduces: ['application/xml']
        }
      }
    },
    async (_, reply) => {
      const { recordSchema } = await import('#formats/native/write-record-xml.ts')
      return reply.type(`${xml}; charset=utf-8`).send(recordSchema)
    }
  )
}
