import { Readable } from 'node:stream'
import Type, { type Static } from 'typebox'

import type { AuditLog } from '#auth/audit-log.ts'
import { writeCsvRow } from '#formats/tables/write-csv.ts'
import { endWithRights, rightsOf } from '../access/lasting-rights.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { maxPerPage, needsAdmin } from '../schemas/common.ts'
import { route } from '../openapi/route.ts'

const Act = Type.Object(
  {
    number: Type.Integer({ description: 'Acts are numbered in the order in which they were logged' }),
    at: Type.String({ format: 'date-time' }),
    by: Type.String({ description: 'Name of the token or person; `operator` for a command or the service' }),
    act: Type.String({ description: 'Such as `token.create` or `webhook.delete`' }),
    subject: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id of the token, webhook, import or record'
    }),
    address: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Network address that the request came from; null for a command'
    }),
    details: Type.Unknown({ description: 'Facts about the act; never a secret' })
  },
  { $id: 'Act', additionalProperties: false }
)

const Acts = Type.Object(
  {
    acts: Type.Array(Act),
    next: Type.Optional(Type.String({ description: 'Address of the next page; absent on the last one' }))
  },
  { $id: 'Acts', additionalProperties: false }
)

const doc = { tag: 'Access', needs: 'admin' } as const

const columns = Object.keys(Act.properties) as (keyof Static<typeof Act>)[]

/** The log of administrative acts. */
export function auditRoutes(app: App, audit: AuditLog) {
  app.get(
    '/audit',
    route(
      {
        querystring: Type.Object({
          limit: Type.Integer({
            minimum: 1,
            maximum: maxPerPage,
            default: 100,
            description: 'Maximum number of acts'
          }),
          before: Type.Optional(
            Type.Integer({ minimum: 1, description: 'Only acts with a smaller number. Part of `next`' })
          )
        }),
        response: { 200: Acts }
      },
      {
        ...doc,
        summary: 'List administrative acts, newest first',
        description: `${needsAdmin} Acts on tokens, webhooks and imports, and changes of settings: who, when, what and from where.`
      }
    ),
    async request => {
      const { limit, before } = request.query
      const acts = [...(await audit.list(limit, before))]
      const last = acts.length === limit ? acts.at(-1) : undefined
      return { acts, ...(last ? { next: `${request.basePath}/audit?limit=${limit}&before=${last.number}` } : {}) }
    }
  )

  app.get(
    '/audit/export',
    route(
      {
        querystring: Type.Object({
          format: Type.Unsafe<'ndjson' | 'csv'>({
            type: 'string',
            enum: ['ndjson', 'csv'],
            default: 'ndjson',
            description: 'NDJSON, or a table with commas'
          })
        })
      },
      {
        ...doc,
        summary: 'Export all administrative acts, newest first',
        description: `${needsAdmin} Streamed; an incomplete answer ends with a transfer error.`,
        produces: 'application/x-ndjson',
        alsoProduces: ['text/csv'],
        isList: true
      }
    ),
    (request, reply) => {
      const isTable = request.query.format === 'csv'
      reply.type(isTable ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
      reply.header('content-disposition', `attachment; filename="audit.${request.query.format}"`)
      if (request.method === 'HEAD') return reply.send()
      const lines = isTable ? tableOf(audit) : linesOf(audit)
      return reply.send(endWithRights(Readable.from(lines, { objectMode: false }), rightsOf(request, reply)))
    }
  )
}

async function* linesOf(audit: AuditLog): AsyncGenerator<string> {
  for await (const act of audit.walk()) yield `${JSON.stringify(act)}\n`
}

async function* tableOf(audit: AuditLog): AsyncGenerator<string> {
  yield writeCsvRow(columns)
  for await (const act of audit.walk())
    yield writeCsvRow(
      columns.map(column => (column === 'details' ? JSON.stringify(act.details) : (act[column] ?? undefined)))
    )
}
