import type { RouteOptions } from 'fastify'
import Type, { type TObject } from 'typebox'

import { invalidWith } from '#domain/errors.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { type ListParts, sendFiltered } from '#http/routes/entities/list-entities.ts'

/* Lists of media files and of saved searches, as the clients ask for them. */

const parameters = {
  type: Type.Optional(
    Type.Unsafe<string>({ type: 'string', enum: ['', mediafile.type], description: 'Has no effect' })
  ),
  q: Type.Optional(
    Type.String({ maxLength: 1000, description: 'A condition, such as `technical_origin==original`: key, `==`, value' })
  )
}

/** Adds `q` to the list of media files, and the first page of the clients to searches. */
export function addListForms(app: App, parts: ListParts) {
  app.addHook('onRoute', route => {
    if (route.method === 'GET' && route.url === '/mediafiles') withConditions(route, parts)
    if (route.method === 'GET' && route.url === '/saved_searches') withAnySkip(route)
  })
}

function withConditions(route: RouteOptions, parts: ListParts) {
  const { handler, schema } = route
  const { querystring } = schema as { querystring: TObject }
  route.schema = { ...schema, querystring: Type.Object({ ...querystring.properties, ...parameters }) }
  route.handler = function (request, reply) {
    const { q = '', type: _, category, ...query } = request.query as { q?: string; type?: string; category?: string }
    if (q === '') return handler.call(this, request, reply)
    const conditions = [readCondition(q), ...(category === undefined ? [] : [exactly('mediafile_type', category)])]
    request.query = { ...query, facets: '', facet_limit: 1, highlight: 0, columns: '' }
    const repeated = { q, category }
    return sendFiltered(parts, request, reply, parts.readFilters(parts.model, conditions), { repeated })
  }
}

function readCondition(q: string) {
  const [key = '', value, ...more] = q.split('==')
  if (key === '' || value === undefined || value === '' || more.length > 0)
    throw invalidWith([{ pointer: 'q', message: `"q" must be a key, "==" and a value, not "${q}"` }])
  return exactly(key, value)
}

const exactly = (key: string, value: string) => ({ type: 'selection', key, value: [value], match_exact: true })

/** The clients count pages from 1 and ask for page 0, which begins before the first search. */
function withAnySkip(route: RouteOptions) {
  const { handler, schema } = route
  const { querystring } = schema as { querystring: TObject }
  const { minimum: _, ...skip } = querystring.properties.skip as { minimum: number } & object
  route.schema = { ...schema, querystring: Type.Object({ ...querystring.properties, skip: skip as never }) }
  route.handler = function (request, reply) {
    const query = request.query as { skip: number }
    request.query = { ...query, skip: Math.max(0, query.skip) }
    return handler.call(this, request, reply)
  }
}
