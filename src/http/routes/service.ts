import Type from 'typebox'

import type { AppParts } from '../app-parts.ts'
import { HttpError, type ProblemCode, problemKinds, problemPath } from '../reply/errors.ts'
import { pageHeaders, problemPage, scriptedPageHeaders } from '../reply/html-pages.ts'
import { jsonType } from '../reply/json.ts'
import { referencePage } from '../reply/reference-page.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'

const Health = Type.Object(
  {
    status: Type.String(),
    indexing: Type.Optional(
      Type.Number({
        description:
          'While an index in memory is built: the share of the records that were read, from 0 to 1. Lists and searches are refused with 503 until the first one is ready; records can be read by id and written'
      })
    )
  },
  { $id: 'Health', additionalProperties: false }
)

/** Health, documentation and problems. None of them needs a bearer. */
export function serviceRoutes(
  app: App,
  { isReady, indexing, page: webPage }: Pick<AppParts, 'isReady' | 'indexing' | 'page'>,
  openApi: () => object
) {
  // Made once: everybody may request it at any rate.
  let document: string | undefined
  let page: string | undefined

  app.get(
    '/health/live',
    route(
      { response: { 200: Health } },
      {
        tag: 'Service',
        summary: 'Check that the process runs',
        description:
          'For supervisors that restart a process that does not answer. It uses neither the database nor the index.',
        isPublic: true
      }
    ),
    async () => ({ status: 'ok' })
  )

  app.get(
    '/health/ready',
    route(
      { response: { 200: Health, 503: Health } },
      {
        tag: 'Service',
        summary: 'Check that the service can answer requests',
        description:
          'For load balancers: 503 while the database cannot be reached or the process stops. While an index is built, `indexing` reports the progress.',
        isPublic: true
      }
    ),
    async (_, reply) => {
      const ready = await isReady()
      if (!ready) return reply.code(503).send({ status: 'unavailable' })
      const progress = indexing()
      // Everybody may ask, so it does not tell how many records there are.
      const share = progress && Math.floor((100 * progress.done) / Math.max(1, progress.of)) / 100
      return reply.send({ status: 'ok', ...(share === undefined ? {} : { indexing: share }) })
    }
  )

  app.get(
    '/openapi.json',
    route(
      { response: { 200: Type.Unsafe<object>({ type: 'object' }) } },
      {
        tag: 'Service',
        summary: 'Read the OpenAPI 3.1 document',
        description:
          'Made from the routes and the record types of this service, model file included. Generators of clients and other viewers read it.',
        isPublic: true
      }
    ),
    async (_, reply) => {
      document ??= JSON.stringify(openApi())
      return reply.type(jsonType).send(document)
    }
  )

  app.get(
    '/docs',
    {
      config: {
        doc: {
          tag: 'Service',
          summary: 'Read the reference of the interface',
          description:
            'The OpenAPI document as a page for people, with search, examples, and forms to try operations out.',
          isPublic: true,
          produces: 'text/html'
        }
      }
    },
    async (_, reply) => {
      const script = webPage?.referenceScript
      page ??= referencePage(openApi(), script)
      return reply
        .headers(script === undefined ? pageHeaders : scriptedPageHeaders)
        .type('text/html; charset=utf-8')
        .send(page)
    }
  )

  app.get(
    '/problems/:name',
    route(
      { params: Type.Object({ name: Type.String() }) },
      {
        tag: 'Service',
        summary: 'Read the explanation of a problem',
        description:
          'Each error has the address of its explanation as `type`. `name` is its last part, such as `not-found`.',
        isPublic: true,
        produces: 'text/html',
        problems: ['no_such_path']
      }
    ),
    async (request, reply) => {
      const code = Object.keys(problemKinds).find(
        each => problemPath(each as ProblemCode) === `/problems/${request.params.name}`
      )
      if (code === undefined) throw new HttpError('no_such_path', `Unknown problem "${request.params.name}"`)
      return reply
        .headers(pageHeaders)
        .type('text/html; charset=utf-8')
        .send(problemPage(code as ProblemCode))
    }
  )
}
