import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { refuseBlind } from '#catalogue/entities/read-entity.ts'
import { invalidWith, notFound } from '#domain/errors.ts'
import type { ImportJob, ImportState } from '#domain/imports/job.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { ImportQueue } from '#imports/import-queue.ts'
import type { AppParts } from '#http/app-parts.ts'
import { sendJson } from '#http/reply/json.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { EntityParams, flag, limit, maxPerPage, skip } from '#http/schemas/common.ts'
import { Entity } from '#http/schemas/entity.ts'
import { ImportParams } from '#http/schemas/import.ts'
import { collectionOf, entryOf, HistoryEntry, pastDocument } from './history-filter.ts'
import { route } from '#http/openapi/route.ts'

/* Reads of the clients beside the interface, from the records here. */

const Job = Type.Object(
  {
    _id: Type.String(),
    _key: Type.String(),
    job_type: Type.String({ description: 'Always `import`' }),
    job_info: Type.String({ description: 'Name of the file' }),
    status: Type.Unsafe<string>({ type: 'string', enum: ['queued', 'in-progress', 'finished', 'failed'] }),
    user: Type.String(),
    start_time: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    end_time: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    completed_jobs: Type.Integer({ description: 'Records of the file that were processed' })
  },
  { $id: 'Job', additionalProperties: false }
)

const permissionWords = Type.Array(Type.Unsafe<string>({ type: 'string', enum: ['read', 'write', 'delete'] }))

/** The comparisons that each kind of filter offers, under the names of the other platform. */
const presence = ['AnyMatcher', 'NoneMatcher']
const ranges = ['ExactMatcher', 'MinIncludedMatcher', 'MaxIncludedMatcher', 'InBetweenMatcher']
const matchers = {
  id: ['ExactMatcher', 'ContainsMatcher'],
  text: [...presence, 'ExactMatcher', 'ContainsMatcher', 'RegexMatcher'],
  date: [...presence, ...ranges],
  number: [...presence, ...ranges],
  selection: [...presence, 'ExactMatcher', 'ContainsMatcher'],
  boolean: [...presence, 'ExactMatcher'],
  type: [...presence, 'ExactMatcher'],
  geo: ['GeoMatcher']
}

export function readRoutes(app: App, { catalogue, model, imports }: AppParts) {
  app.get(
    '/tenants',
    route(
      {
        querystring: Type.Object({ skip, limit }),
        response: {
          200: Type.Object(
            {
              count: Type.Integer(),
              results: Type.Array(Type.Unsafe<unknown>({})),
              skip: Type.Integer(),
              limit: Type.Integer()
            },
            { additionalProperties: false }
          )
        }
      },
      {
        tag: 'Service',
        summary: 'List tenants: always empty, since a catalogue has none',
        description: 'Exists so that clients of another platform can start. A service has one catalogue.'
      }
    ),
    async request => {
      refuseBlind(request.principal)
      return { count: 0, results: [], ...request.query }
    }
  )

  app.get(
    '/config',
    route(
      { response: { 200: Type.Unsafe<object>({ type: 'object' }) } },
      {
        tag: 'Service',
        summary: 'Read the settings for clients of another platform: always empty',
        description: 'Exists so that clients of another platform can start. They use their own defaults.'
      }
    ),
    async request => {
      refuseBlind(request.principal)
      return {}
    }
  )

  app.get(
    '/user/permissions',
    route(
      { response: { 200: Type.Array(Type.String()) } },
      {
        tag: 'Access',
        summary: 'List the permissions of the token, as scopes',
        description: 'Such as `read` or `write:production`; `admin` includes all.'
      }
    ),
    async ({ principal }) => permissionsOf(model, principal)
  )

  app.get(
    '/filter/matchers',
    route(
      { response: { 200: Type.Record(Type.String(), Type.Array(Type.String())) } },
      {
        tag: 'Entities',
        summary: 'List the comparisons of each kind of filter, for existing clients',
        description:
          'By the kind of filter, under the names of the other platform. They never change while the service runs.'
      }
    ),
    async request => {
      refuseBlind(request.principal)
      return matchers
    }
  )

  for (const collection of ['entities', 'mediafiles'] as const)
    app.get(
      `/${collection}/:id/permissions`,
      route(
        { params: EntityParams, response: { 200: permissionWords } },
        {
          tag: collection === 'entities' ? 'Entities' : 'Media',
          summary: `List what the token may do with ${collection === 'entities' ? 'an entity' : 'a media file'}`,
          description: 'The words `read`, `write` and `delete`, by the scopes of the token and the type of the record.',
          problems: ['not_found']
        }
      ),
      async ({ principal, params }) => {
        if (collection === 'mediafiles') await catalogue.media.read(principal, params.id)
        const { body } = await catalogue.entities.read(principal, params.id)
        return permissionsFor(principal, (JSON.parse(body) as { type: string }).type)
      }
    )

  app.get(
    '/mediafiles/:id/assets',
    route(
      { params: EntityParams, response: { 200: Type.Array(Entity) } },
      {
        tag: 'Media',
        summary: 'List the records that have a media file',
        description: 'Whole records, at most those that the token may read.',
        problems: ['not_found']
      }
    ),
    async (request, reply) => {
      const owners = await catalogue.media.listOwners(request.principal, request.params.id)
      return sendJson(reply, `[${owners.map(({ json }) => json).join(',')}]`)
    }
  )

  historyRoute(app, catalogue)
  jobRoutes(app, imports)
}

/** The permissions of a principal as scopes: of every type, or of single ones. */
function permissionsOf(model: Model, principal: Principal): string[] {
  const types = model.recordTypes.map(({ type }) => type)
  const scopesOf = (action: string, isAllowed: (type: string) => boolean, isOfAll: boolean) =>
    isOfAll ? [action] : types.filter(isAllowed).map(type => `${action}:${type}`)
  return [
    ...(principal.isAdmin ? ['admin'] : []),
    ...scopesOf('read', principal.mayRead, principal.readsEverything),
    ...scopesOf('write', principal.mayWrite, principal.writesEverything),
    ...scopesOf('delete', principal.mayDelete, principal.deletesEverything)
  ]
}

function permissionsFor(principal: Principal, type: string): string[] {
  return [
    ...(principal.mayRead(type) ? ['read'] : []),
    ...(principal.mayWrite(type) ? ['write'] : []),
    ...(principal.mayDelete(type) ? ['delete'] : [])
  ]
}

function historyRoute(app: App, catalogue: Catalogue) {
  app.get(
    '/history/:collection/:id',
    route(
      {
        params: Type.Object({
          collection: Type.String({ description: '`entities`, `mediafiles`, or the type of the record' }),
          ...EntityParams.properties
        }),
        querystring: Type.Object({
          timestamp: Type.Optional(
            Type.String({ maxLength: 100, description: 'ISO 8601: the version at that moment instead of the newest' })
          ),
          all: flag(`1 answers an array of all versions, newest first, at most ${maxPerPage} and 16 MiB`)
        }),
        response: { 200: Type.Unsafe<unknown>({ anyOf: [HistoryEntry, Type.Array(HistoryEntry)] }) }
      },
      {
        tag: 'History',
        summary: 'Read a version of a record, for existing clients',
        description:
          'The newest version, or the one at `timestamp`; `all=1` answers all of them. `/entities/{id}/history` lists the changes between versions.',
        problems: ['not_found', 'invalid']
      }
    ),
    async (request, reply) => {
      const { principal, query } = request
      const { collection, id } = request.params
      if (query.timestamp !== undefined && query.all === 1)
        throw invalidWith([{ pointer: 'all', message: 'Send either "timestamp" or "all"' }])
      const history = await catalogue.history.read(principal, id, 0, maxPerPage)
      if (![history.type, collectionOf(history.type)].includes(collection)) throw notFound(collection, id)
      const readEntry = async (version: number): Promise<string | undefined> => {
        const written = history.results.find(each => each.version === version)
        const document = await pastDocument(catalogue, principal, history.id, { version })
        return written && document && entryOf({ id: history.id, ...written }, collection, document)
      }
      if (query.all === 1) {
        const entries = await Promise.all(history.results.map(({ version }) => readEntry(version)))
        return sendJson(reply, `[${entries.filter(each => each !== undefined).join(',')}]`)
      }
      const at = query.timestamp
      const past = at === undefined ? undefined : await pastDocument(catalogue, principal, history.id, { at })
      const newest = history.results.find(({ kind }) => kind !== 'deleted' && kind !== 'merged')?.version
      const wanted = at === undefined ? newest : versionOf(past)
      const entry = wanted === undefined ? undefined : await readEntry(wanted)
      if (entry === undefined) throw notFound('version', id)
      return sendJson(reply, entry)
    }
  )
}

const versionOf = (document: string | undefined) =>
  document === undefined ? undefined : (JSON.parse(document) as { version: number }).version

const jobDoc = { tag: 'Imports', needs: 'read and write everything' } as const

function jobRoutes(app: App, imports: ImportQueue) {
  app.get(
    '/jobs',
    route(
      {
        querystring: Type.Object({
          skip,
          limit,
          status: Type.Optional(Type.String({ maxLength: 100, description: 'Only jobs with this status' })),
          type: Type.Optional(Type.String({ maxLength: 100, description: 'Only jobs of this type: `import`' }))
        }),
        response: {
          200: Type.Object(
            { count: Type.Integer(), results: Type.Array(Job), skip: Type.Integer(), limit: Type.Integer() },
            { additionalProperties: false }
          )
        }
      },
      {
        ...jobDoc,
        summary: 'List imports as jobs, newest first, for existing clients',
        description: 'The imports of `/imports` under the names of the other platform. Only imports are jobs.'
      }
    ),
    async ({ query: { skip: skipped, limit: wanted, status, type } }) => {
      const jobs: ReturnType<typeof jobOf>[] = []
      for (let after: string | undefined; ; ) {
        const page = await imports.list(maxPerPage, after)
        jobs.push(...page.map(jobOf))
        after = page.at(-1)?.id
        if (page.length < maxPerPage) break
      }
      const matching = jobs.reverse().filter(each => {
        const isOfType = type === undefined || type === each.job_type
        return isOfType && (status === undefined || status === each.status)
      })
      return {
        count: matching.length,
        results: matching.slice(skipped, skipped + wanted),
        skip: skipped,
        limit: wanted
      }
    }
  )

  app.get(
    '/jobs/:id',
    route(
      { params: ImportParams, response: { 200: Job } },
      {
        ...jobDoc,
        summary: 'Read an import as a job, for existing clients',
        description:
          '`status` is `queued`, `in-progress`, `finished` or `failed`. `/imports/{id}` has more: counts, remarks and errors.',
        problems: ['not_found']
      }
    ),
    async request => jobOf(await imports.read(request.params.id))
  )
}

const statusByState = {
  uploading: 'queued',
  waiting: 'queued',
  running: 'in-progress',
  done: 'finished',
  failed: 'failed',
  stopped: 'failed',
  undoing: 'in-progress',
  undone: 'finished'
} as const satisfies Record<ImportState, string>

const jobOf = ({ id, name, state, by, startedAt, endedAt, handled }: ImportJob) => ({
  _id: id,
  _key: id,
  job_type: 'import',
  job_info: name,
  status: statusByState[state],
  user: by,
  start_time: startedAt,
  end_time: endedAt,
  completed_jobs: handled
})
