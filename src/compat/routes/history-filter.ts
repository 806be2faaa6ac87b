import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { PastMoment } from '#catalogue/history/read-past.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Entity as EntityDocument } from '#domain/entity/entity.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import type { Principal } from '#domain/permissions.ts'
import { clientAddressOf } from '#http/base-path.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { sendJson } from '#http/reply/json.ts'
import type { ListParts } from '#http/routes/entities/list-entities.ts'
import { orUndefined } from '#http/routes/entities/many-entities.ts'
import { nextByOffset } from '#http/reply/page.ts'
import { checkedByDomain, limit, skip } from '#http/schemas/common.ts'
import { Entity, EntityPage, Filter } from '#http/schemas/entity.ts'
import { route } from '#http/openapi/route.ts'

export const HistoryEntry = Type.Object(
  {
    _id: Type.String(),
    collection: Type.String(),
    timestamp: Type.String({ format: 'date-time', description: 'When the version was written' }),
    user: Type.String(),
    object: Type.Unsafe<unknown>(Entity)
  },
  { $id: 'HistoryEntry', additionalProperties: false }
)

/** The entry of a version as JSON; `document` is the record in that version. */
export const entryOf = (
  { id, version, at, by }: { readonly id: string; readonly version: number; readonly at: string; readonly by: string },
  collection: string,
  document: string
) => {
  const head = { _id: `${id}-${version}`, collection, timestamp: at, user: by }
  return `${JSON.stringify(head).slice(0, -1)},"object":${document}}`
}

export const collectionOf = (type: string) => (type === mediafile.type ? 'mediafiles' : 'entities')

/** The history of records, as the clients list it. */
export function historyFilterRoute(app: App, parts: ListParts) {
  app.post(
    '/history/filter',
    route(
      {
        querystring: Type.Object({ skip, limit }),
        body: checkedByDomain(Type.Array(Filter, { maxItems: 64 })),
        response: {
          200: Type.Object({ ...EntityPage.properties, results: Type.Array(HistoryEntry) }, { $id: 'HistoryEntryPage' })
        }
      },
      {
        tag: 'History',
        needs: 'read',
        summary: 'List the history of records, newest first',
        description:
          'All versions, where the filters select one record; else the newest version of each. `object` is the record in that version.',
        problems: ['invalid', 'invalid_filter', 'unknown_filter_type', 'query_timeout']
      }
    ),
    async (request, reply) => {
      const { principal, query } = request
      const found = await parts.catalogue.lists.entities(principal, {
        ...parts.readFilters(parts.model, request.body),
        order: { items: [{ by: 'updated' }], ascending: false },
        ...query,
        cursor: undefined
      })
      if (found.count === 1) return sendVersions(parts, request, reply, query, entryOf)
      const entries = found.entities.map(({ id, type, json }) => {
        const { version, audit } = JSON.parse(json) as EntityDocument
        return entryOf({ id, version, ...audit.updated }, collectionOf(type), json)
      })
      return sendPage(request, reply, query, { count: found.count, results: entries })
    }
  )
}

/**
 * Sends the versions of the one record that the filters of a body select: as documents, or as
 * `toResult` makes them.
 */
export async function sendVersions(
  { catalogue, model, readFilters }: ListParts,
  request: FastifyRequest,
  reply: FastifyReply,
  page: { readonly skip: number; readonly limit: number },
  toResult: typeof entryOf = (_version, _collection, document) => document
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
  const { id, type } = entity
  const { count, results } = await catalogue.history.read(principal, id, page.skip, page.limit)
  const shown = await Promise.all(
    results.map(async each => {
      const document = await pastDocument(catalogue, principal, id, { version: each.version })
      return document === undefined ? [] : toResult({ id, ...each }, collectionOf(type), document)
    })
  )
  return sendPage(request, reply, page, { count, results: shown.flat(), passed: results.length })
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: { readonly skip: number; readonly limit: number },
  { count, results, passed = results.length }: { count: number; results: readonly string[]; passed?: number }
) {
  const { skip, limit } = page
  const next = nextByOffset(clientAddressOf(request), page, count, queryOfNext(request), passed)
  return sendJson(
    reply,
    `{"count":${count},"results":[${results.join(',')}],${JSON.stringify({ skip, limit, next }).slice(1)}`
  )
}

/** The parameter that the next page repeats. */
const queryOfNext = ({ query }: FastifyRequest): Record<string, string> => {
  const { history } = query as { history?: string }
  return history === undefined ? {} : { history }
}

/** Reads a past document as JSON; undefined where the record did not exist. */
export const pastDocument = async (catalogue: Catalogue, principal: Principal, id: string, moment: PastMoment) =>
  (await orUndefined(catalogue.history.pastEntity(principal, id, moment)))?.json
