import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Entity as EntityValue } from '#domain/entity/entity.ts'
import { readCommaList } from '#catalogue/lists/read-list-query.ts'
import { anonymousKey } from '#domain/permissions.ts'
import { pageOf } from '#formats/rdf/address-of.ts'
import type { FormatParts } from '#protocols/formats/format.ts'
import { acceptable } from '../../representations/negotiate.ts'
import { clientAddressOf } from '../../base-path.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { sendCached, sendJson } from '../../reply/json.ts'
import { nextByOffset } from '../../reply/page.ts'
import { json, otherMediaTypes, sendWanted } from '../../representations/representations.ts'
import { EntityParams, flag, limit, NotModified, skip } from '../../schemas/common.ts'
import { Entity, References } from '../../schemas/entity.ts'
import { format, isPlain, past, pastMoment, wantedForm } from './forms.ts'
import { includeOf, lang, readIncluded, readView, relatedFields } from './views.ts'
import { route } from '../../openapi/route.ts'

/** One entity, and the entities that refer to it. */
export function readEntityRoutes(app: App, parts: FormatParts) {
  const { catalogue } = parts
  app.get(
    '/entities/:id',
    route(
      {
        params: EntityParams,
        querystring: Type.Object({
          resolve: flag('1 adds the related entity to each relation, as in WEM'),
          include: includeOf('`relations` as `resolve=1`'),
          related_fields: relatedFields,
          lang,
          ...past,
          format
        }),
        response: { 200: Entity, 304: NotModified }
      },
      {
        tag: 'Entities',
        summary: 'Read one entity by any of its identifiers',
        description:
          '`Accept` or `format` chooses another format, such as MARCXML or JSON-LD. `at` and `version` read a former state. `ETag` is the version: send it as `If-None-Match` to read again only after a change.',
        alsoProduces: [...otherMediaTypes, 'text/html'],
        problems: ['not_found']
      }
    ),
    (request, reply) => {
      reply.header('vary', 'Accept, Accept-Encoding, Accept-Language')
      const { id } = request.params
      if (wantsPage(request)) return reply.redirect(pageOf(parts.publicUrl, id), 303)
      const moment = pastMoment(request.query)
      const sendEntity = () => {
        if (moment)
          return catalogue.history.pastEntity(request.principal, id, moment).then(entity => sendVersion(reply, entity))
        if (request.query.resolve === 1 || request.query.include !== undefined) return readShown(parts, request, id)
        return sendCached(catalogue.entities.read(request.principal, id), request, reply)
      }
      return isPlain(request)
        ? sendEntity()
        : sendWanted(parts, request, reply, id, wantedForm(request, moment, sendEntity))
    }
  )

  app.get(
    '/entities/:id/references',
    route(
      {
        params: EntityParams,
        querystring: Type.Object({
          type: Type.Optional(Type.String({ maxLength: 2000, description: 'Comma list of relation types to include' })),
          skip,
          limit
        }),
        response: { 200: References }
      },
      {
        tag: 'Entities',
        summary: 'List the entities that refer to this one',
        description:
          'One entry for each relation, with its type. `count_by_relation` counts all of them, also those of other pages.',
        problems: ['not_found']
      }
    ),
    async request => {
      const { type, ...page } = request.query
      const query = { ...page, ...(type === undefined ? {} : { relationTypes: readCommaList(type) }) }
      const { count, countByType, references } = await catalogue.entities.listReferences(
        request.principal,
        request.params.id,
        query
      )
      return {
        count,
        count_by_relation: countByType,
        results: references.map(each => ({ id: each.id, type: each.type, relation: each.relationType })),
        ...page,
        next: nextByOffset(clientAddressOf(request), page, count, type === undefined ? {} : { type })
      }
    }
  )
}

/** Reads an entity with its resolved relations, its local times, or both. */
async function readShown({ catalogue, model }: FormatParts, request: FastifyRequest, id: string) {
  const { resolve, include } = request.query as { readonly resolve?: number; readonly include?: string }
  const included = readIncluded(include, ['relations', 'local'])
  const { principal } = request
  const entity =
    resolve === 1 || included.has('relations')
      ? await catalogue.entities.readResolved(principal, id, readView(model, request))
      : (JSON.parse((await catalogue.entities.read(principal, id)).body) as EntityValue)
  return included.has('local') ? (await catalogue.productions.withLocalTimes(principal, [entity]))[0] : entity
}

const sendVersion = (reply: FastifyReply, { version, json }: { readonly version: number; readonly json: string }) =>
  sendJson(reply.header('etag', `"${version}"`), json)

/** Whether a browser without a bearer prefers a page to data, or a client takes nothing else. */
function wantsPage({ principal, query, headers }: FastifyRequest): boolean {
  if (!headers.accept?.toLowerCase().includes('text/html') || 'format' in (query as object)) return false
  const [first, second] = acceptable(headers.accept, [json, { mediaType: 'text/html' }])
  return first?.mediaType === 'text/html' && (principal.key === anonymousKey || second === undefined)
}
