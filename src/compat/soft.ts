import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import Type, { type TObject } from 'typebox'

import { lists } from '#catalogue/entities/edit-list.ts'
import { refuseBlind } from '#catalogue/entities/read-entity.ts'
import { readCommaList } from '#catalogue/lists/read-list-query.ts'
import { mapInTurns } from '#catalogue/take-turns.ts'
import { forbidden, invalidWith, mayNotWrite } from '#domain/errors.ts'
import { primaryRelations } from '#domain/record-types/media-relations.ts'
import type { Model } from '#domain/record-types/model.ts'
import { table } from '#domain/table.ts'
import type { AppParts } from '#http/app-parts.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { expectedVersions } from '#http/reply/conditions.ts'
import { sendJson } from '#http/reply/json.ts'
import { idsToDelete, refuseTooMany } from '#http/routes/entities/many-entities.ts'
import { flag } from '#http/schemas/common.ts'

/*
 * Answers to `soft=1`, by which the clients ask for permission before they show a button: the
 * request is checked, not carried out.
 */

const soft = flag('1 only checks that the caller may do this; answers "good"')
const Good = Type.Literal('good', { $id: 'Good', description: 'The answer to `soft=1`: the caller may do this' })

/** Throws the refusal of a request that would not be permitted. */
type Probe = (request: ProbedRequest) => unknown

interface ProbedRequest extends Pick<FastifyRequest, 'principal' | 'headers' | 'body'> {
  readonly id: string
  readonly query: Readonly<Record<string, unknown>>
}

/** Adds `soft` to the routes that the clients send it to. */
export function addSoft(app: App, parts: AppParts) {
  const probes = probesOf(parts)
  const unknown = new Set(Object.keys(probes))
  app.addHook('onRoute', route => {
    const name = `${String(route.method)} ${route.url}`
    const probe = probes[name]
    if (!probe) return
    unknown.delete(name)
    withSoft(route, probe)
  })
  app.addHook('onReady', async () => {
    if (unknown.size > 0) throw new Error(`There is no route ${[...unknown].join(', ')}`)
  })
}

function withSoft(route: RouteOptions, probe: Probe) {
  const { handler, schema } = route
  const { querystring, response } = schema as { querystring?: TObject; response: Record<string, object> }
  const done = response['200']
  route.schema = {
    ...schema,
    querystring: Type.Object({ ...querystring?.properties, soft }),
    response: { ...response, 200: done ? { anyOf: [done, Good] } : Good }
  }
  // No hook: it would cost each of the other requests more than this (bench/get.ts).
  route.handler = function (request, reply) {
    return (request.query as { soft: number }).soft === 1
      ? sendGood(request, reply, probe)
      : handler.call(this, request, reply)
  }
}

async function sendGood(request: FastifyRequest, reply: FastifyReply, probe: Probe) {
  const { principal, headers, body } = request
  const { id = '', manifestation_id = id } = request.params as { id?: string; manifestation_id?: string }
  await probe({ principal, headers, body, id: manifestation_id, query: request.query as ProbedRequest['query'] })
  return sendJson(reply, '"good"')
}

/** The checks of each route, under its method and path. */
function probesOf({ catalogue, model }: AppParts): Readonly<Record<string, Probe>> {
  const read: Probe = ({ principal, id }) => catalogue.entities.read(principal, id)
  const write: Probe = ({ principal, id }) => catalogue.entities.findWritable(principal, id)
  const readMedia: Probe = ({ principal, id }) => catalogue.media.read(principal, id)
  const writeMedia: Probe = ({ principal, id }) => catalogue.media.findWritable(principal, id)
  const createMedia: Probe = ({ principal }) => catalogue.media.refuse(principal)
  const list: Probe = ({ principal }) => refuseBlind(principal)
  const filter: Probe = ({ principal, body }) => {
    refuseTypes(model, typesInFilters(body), { act: 'read', may: principal.mayRead })
    refuseBlind(principal)
  }
  const createMany: Probe = ({ principal, body }) => {
    refuseTooMany(body, 'entities')
    if (!principal.writesAnything) throw forbidden('write')
    const sent: readonly unknown[] = Array.isArray(body) ? body : []
    const named = sent.map((each, index) => ({ name: typeIn(each), pointer: `/${index}/type` }))
    refuseTypes(model, named, { act: 'write', may: principal.mayWrite })
  }
  const asDryRun = ({ headers }: Pick<ProbedRequest, 'headers'>) => ({
    expected: expectedVersions(headers),
    dryRun: true,
    once: undefined
  })
  return table({
    'GET /entities': ({ principal, query }) => {
      const named = readCommaList(String(query.type)).map(name => ({ name, pointer: 'type' }))
      refuseTypes(model, named, { act: 'read', may: principal.mayRead })
      refuseBlind(principal)
    },
    'POST /entities': ({ principal, body }) => {
      const type = typeIn(body)
      if (typeof type === 'string' && !model.findType(type))
        throw invalidWith([{ pointer: '/type', message: `Unknown type "${type}"` }])
      if (typeof type === 'string' && !principal.mayWrite(type)) throw mayNotWrite(type)
      if (!principal.writesAnything) throw forbidden('write')
    },
    'PUT /entities': createMany,
    'POST /batch': createMany,
    'DELETE /entities': ({ principal, body, query }) =>
      mapInTurns(idsToDelete(body, query.ids), id => catalogue.entities.findDeletable(principal, id)),
    'POST /entities/filter': filter,
    'POST /entities/filter_v2': filter,
    'POST /mediafiles/filter': filter,
    'POST /history/filter': list,
    'GET /entities/:id': read,
    'PUT /entities/:id': write,
    'PATCH /entities/:id': write,
    'DELETE /entities/:id': ({ principal, id, query }) => {
      if (query.purge === 1 && !principal.isAdmin) throw forbidden('purge records')
      return catalogue.entities.findDeletable(principal, id)
    },
    'GET /entities/wem/:manifestation_id': ({ principal, id }) => catalogue.publications.wem(principal, id),
    'POST /entities/:id/revert': ({ principal, id, body, ...rest }) =>
      catalogue.history.revert(principal, id, (body as { version: number }).version, asDryRun(rest)),
    'POST /entities/:id/merge': ({ principal, id, body, ...rest }) =>
      catalogue.merging.merge(principal, id, body, asDryRun(rest)),
    'POST /entities/:id/unmerge': ({ principal, id, body, ...rest }) =>
      catalogue.merging.unmerge(principal, id, body, asDryRun(rest)),
    ...forLists('/entities', read, write),
    ...forLists('/mediafiles', readMedia, writeMedia),
    ...Object.fromEntries(
      Object.keys(primaryRelations).map(kind => [`PUT /entities/:id/set_primary_${kind}/:mediafile_id`, write])
    ),
    'GET /entities/:id/mediafiles': list,
    'POST /entities/:id/mediafiles': createMedia,
    'GET /mediafiles': list,
    'POST /mediafiles': createMedia,
    'GET /mediafiles/:id': readMedia,
    'PUT /mediafiles/:id': writeMedia,
    'PATCH /mediafiles/:id': writeMedia,
    'DELETE /mediafiles/:id': ({ principal, id }) => catalogue.media.findDeletable(principal, id)
  })
}

const forLists = (path: string, read: Probe, write: Probe): Record<string, Probe> =>
  Object.fromEntries(
    lists.flatMap(list => [
      [`GET ${path}/:id/${list}`, read],
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map(method => [`${method} ${path}/:id/${list}`, write] as const)
    ])
  )

const typeIn = (sent: unknown) => (sent as { type?: unknown } | null | undefined)?.type

/** A type that a request names, and its position in the request. */
interface NamedType {
  readonly name: unknown
  readonly pointer: string
}

/**
 * Refuses types that do not exist, and types of which the caller may not do this at all. Anything
 * else than a name is left to the request itself.
 */
function refuseTypes(
  model: Model,
  named: readonly NamedType[],
  { act, may }: { readonly act: 'read' | 'write'; readonly may: (type: string) => boolean }
) {
  const names = named.filter((each): each is NamedType & { name: string } => typeof each.name === 'string')
  const faults = names
    .filter(({ name }) => model.typesNamed(name).length === 0)
    .map(({ name, pointer }) => ({ pointer, message: `Unknown type "${name}"` }))
  if (faults.length > 0) throw invalidWith(faults)
  const refused = names.find(({ name }) => !model.typesNamed(name).some(may))
  if (refused) throw forbidden(`${act} records of type "${refused.name}"`)
}

/** The types that the filters of a body name. */
function typesInFilters(body: unknown): NamedType[] {
  const filters: unknown[] = Array.isArray(body) ? body : []
  return filters.flatMap((filter, index) => {
    const { type, value } = (filter ?? {}) as { type?: unknown; value?: unknown }
    if (type !== 'type' || value === '*' || value === '') return []
    return (Array.isArray(value) ? value : [value]).map(name => ({ name, pointer: `/${index}/value` }))
  })
}
