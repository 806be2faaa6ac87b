import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { PastMoment } from '#catalogue/history/read-past.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { clientAddressOf } from '#http/base-path.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { sendJson } from '#http/reply/json.ts'
import type { ListParts } from '#http/routes/entities/list-entities.ts'
import { orUndefined } from '#http/routes/entities/many-entities.ts'
import { nextByOffset } from '#http/reply/page.ts'
import { checkedByDomain, limit, skip } from '#http/schemas/common.ts'
import { EntityPage, Filter } from '#http/schemas/entity.ts'
import { route } from '#http/openapi/route.ts'

/** The versions of a record as documents, as the clients request them. */
export function historyFilterRoute(app: App, parts: ListParts) {
  app.post(
    '/history/filter',
    route(
      {
        querystring: Type.Object({ skip, limit }),
        body: checkedByDomain(Type.Array(Filter, { maxItems: 64 })),
        response: { 200: EntityPage }
      },
      {
        tag: 'History',
        needs: 'read',
        summary: 'List the versions of one record as documents, newest first',
        description: 'The filters must select exactly one record. `count` is the number of its versions.',
        problems: ['invalid', 'invalid_filter', 'unknown_filter_type', 'query_timeout']
      }
    ),
    (request, reply) => sendVersions(parts, request, reply, request.query)
  )
}

/** Sends the versions of the one record that the filters of a body select, as documents. */
export async function sendVersions(
  { catalogue, model, readFilters }: ListParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { skip: skipped, limit: wanted }: { readonly skip: number; readonly limit: number }
) {
  const { principal } = request
  const found = await catalogue.lists.entities(principal, {
    ...readFilters(model, request.body),
    order: { items: [{ by: 'created' }], ascending: true },
    skip: 0,
    limit: 1,
    cursor: undefined
  })
  const [entity] = found.entities
  if (!entity || found.count > 1)
    throw invalidWith([{ pointer: '', message: `The filters must select one record, not ${found.count}` }])
  const { count, results } = await catalogue.history.read(principal, entity.id, skipped, wanted)
  const documents = await Promise.all(
    results.map(({ version }) => pastDocument(catalogue, principal, entity.id, { version }))
  )
  const page = { skip: skipped, limit: wanted }
  const rest = {
    ...page,
    next: nextByOffset(clientAddressOf(request), page, count, queryOfNext(request), results.length)
  }
  const list = documents.filter(each => each !== undefined).join(',')
  return sendJson(reply, `{"count":${count},"results":[${list}],${JSON.stringify(rest).slice(1)}`)
}

/** The parameter that the next page repeats. */
const queryOfNext = ({ query }: FastifyRequest): Record<string, string> => {
  const { history } = query as { history?: string }
  return history === undefined ? {} : { history }
}

/** Reads a past document as JSON; undefined where the record did not exist. */
export const pastDocument = async (catalogue: Catalogue, principal: Principal, id: string, moment: PastMoment) =>
  (await orUndefined(catalogue.history.pastEntity(principal, id, moment)))?.json
