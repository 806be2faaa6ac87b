import type { FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { forbidden, notFound } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import { extend } from '#protocols/reconciliation/extend.ts'
import { previewPage } from '#protocols/reconciliation/preview.ts'
import { readExtension, readQueries, readSingleQuery } from '#protocols/reconciliation/read-queries.ts'
import { reconcile, reconcileAll } from '#protocols/reconciliation/reconcile.ts'
import { previewPath, proposePath, serviceManifest, suggestPaths } from '#protocols/reconciliation/service-manifest.ts'
import {
  proposeProperties,
  suggestEntities,
  suggestProperties,
  suggestTypes
} from '#protocols/reconciliation/suggest.ts'
import { type Fields, formFields, formMediaType, refuseManyFields } from '../body/form-body.ts'
import type { RouteDoc } from '../openapi/route-doc.ts'
import { checkedByDomain } from '../schemas/common.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'

const Arguments = {
  queries: Type.Optional(Type.String({ description: 'JSON: an object of queries `{query, type, limit, properties}`' })),
  query: Type.Optional(Type.String({ description: 'One query, as JSON or as its text' })),
  extend: Type.Optional(Type.String({ description: 'JSON: `{ids, properties}` to fetch values of' }))
}
const Anything = Type.Unsafe<object>({ type: 'object' })
const text = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }))

/** The doc that all paths of the protocol share. */
const doc = (own: Pick<RouteDoc, 'summary'> & Partial<RouteDoc>): RouteDoc => ({
  tag: 'Protocols',
  mayBeAnonymous: true,
  isReadByAnyPage: true,
  problems: ['invalid', 'query_timeout'],
  ...own
})

/**
 * The reconciliation API, version 0.2: matches the names in a list to records, for instance with
 * OpenRefine.
 */
export function reconciliationRoutes(
  app: App,
  parts: { catalogue: Catalogue; model: Model; publicUrl: string; nameNow: () => string; hasPage: boolean }
) {
  const answer = async (request: FastifyRequest, fields: Fields): Promise<object> => {
    const { principal } = request
    const given = new Map(fields)
    const [queries, single, extension] = ['queries', 'query', 'extend'].map(each => given.get(each))
    // The manifest is for every token; records are for tokens that may read.
    if (fields.length > 0 && !principal.readsEverything && principal.readableTypes.length === 0) throw forbidden('read')
    if (queries !== undefined) return reconcileAll(parts, principal, readQueries(queries))
    if (extension !== undefined) return extend(parts, principal, readExtension(extension))
    if (single !== undefined) return { result: await reconcile(parts, principal, readSingleQuery(single)) }
    return serviceManifest(parts.model, principal, { ...parts, name: parts.nameNow() })
  }

  app.get(
    '/reconcile',
    route(
      { querystring: Type.Object(Arguments), response: { 200: Anything } },
      doc({
        summary: 'Reconciliation (OpenRefine): the service manifest, or the candidates for queries',
        description: 'Reconciliation Service API 0.2. Without arguments the answer is the manifest.'
      })
    ),
    request => answer(request, Object.entries(request.query as Record<string, string>))
  )

  app.post(
    '/reconcile',
    route(
      { body: checkedByDomain(Type.Object(Arguments)), response: { 200: Anything } },
      doc({
        needs: 'read',
        summary: 'Reconciliation, with the arguments in the body',
        description:
          'The same as `GET /reconcile`. OpenRefine sends its queries this way, since many are too long for an address.',
        consumes: [formMediaType]
      })
    ),
    request => answer(request, refuseManyFields(formFields(request)))
  )

  const Prefix = Type.Object({ prefix: text('The typed text'), type: text('Comma list of types, for entities') })
  const Suggestions = Type.Object({ result: Type.Array(Anything) })
  app.get(
    suggestPaths.entity,
    route(
      { querystring: Prefix, response: { 200: Suggestions } },
      doc({
        summary: 'Reconciliation: suggest records by the beginning of their name',
        description: 'For the search boxes of OpenRefine. `type` narrows the suggestions to some types.'
      })
    ),
    async ({ principal, query: { prefix = '', type } }) => ({
      result: await suggestEntities(parts, principal, prefix, type?.split(',').filter(each => each !== '') ?? [])
    })
  )
  for (const [path, summary, description, suggest] of [
    [
      suggestPaths.type,
      'Reconciliation: suggest types by the beginning of their name',
      'Record types and umbrellas such as `work`, so that a column is compared with records of one kind only.',
      suggestTypes
    ],
    [
      suggestPaths.property,
      'Reconciliation: suggest properties by the beginning of their name',
      'Metadata keys and relations, to compare further columns with.',
      suggestProperties
    ]
  ] as const) {
    app.get(
      path,
      route({ querystring: Prefix, response: { 200: Suggestions } }, doc({ summary, description })),
      async ({ principal, query: { prefix = '' } }) => ({ result: suggest(parts, principal, prefix) })
    )
  }

  app.get(
    proposePath,
    route(
      { querystring: Type.Object({ type: text('A type or an umbrella') }), response: { 200: Anything } },
      doc({
        summary: 'Reconciliation: list the properties of a type that can be fetched',
        description:
          'OpenRefine offers them as columns to add after names were matched. Values are fetched with `extend`.'
      })
    ),
    async ({ principal, query: { type } }) => ({
      ...(type === undefined ? {} : { type }),
      properties: proposeProperties(parts, principal, type)
    })
  )

  app.get(
    previewPath,
    route(
      { querystring: Type.Object({ id: Type.String({ maxLength: 512, description: 'Any identifier' }) }) },
      doc({
        summary: 'Reconciliation: preview a record as a card',
        description: 'A small page without scripts, which OpenRefine shows in a frame.',
        produces: 'text/html',
        problems: ['not_found']
      })
    ),
    async ({ principal, query: { id } }, reply) => {
      const page = await previewPage(parts, principal, id)
      if (page === undefined) throw notFound('entity', id)
      // The preview is shown in a frame of another page; nothing in it runs or loads.
      return reply
        .header(
          'content-security-policy',
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors *"
        )
        .type('text/html; charset=utf-8')
        .send(page)
    }
  )
}
