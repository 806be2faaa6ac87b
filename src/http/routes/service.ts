import Type from 'typebox'

import { HttpError, type ProblemCode, problemKinds, problemPath } from '../reply/errors.ts'
import { pageHeaders, problemPage, referencePage } from '../reply/html-pages.ts'
import { jsonType } from '../reply/json.ts'
import type { App } from '../openapi/typebox-provider.ts'

const Health = Type.Object({ status: Type.String() }, { $id: 'Health', additionalProperties: false })

/** What the service says of itself. None of it needs a bearer. */
export function serviceRoutes(app: App, isReady: () => Promise<boolean>, openApi: () => object) {
  // Made once: anybody may ask, as often as they like.
  let document: string | undefined
  let page: string | undefined

  app.get(
    '/health/live',
    {
      schema: { response: { 200: Health } },
      config: { doc: { tag: 'Service', summary: 'Whether the process runs', isPublic: true } }
    },
    async () => ({ status: 'ok' })
  )

  app.get(
    '/health/ready',
    {
      schema: { response: { 200: Health, 503: Health } },
      config: { doc: { tag: 'Service', summary: 'Whether the service can answer requests', isPublic: true } }
    },
    async (_, reply) => {
      const ready = await isReady()
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' })
    }
  )

  app.get(
    '/openapi.json',
    {
      schema: { response: { 200: Type.Unsafe<object>({ type: 'object' }) } },
      config: { doc: { tag: 'Service', summary: 'This interface as an OpenAPI 3.1 document', isPublic: true } }
    },
    async (_, reply) => {
      document ??= JSON.stringify(openApi())
      return reply.type(jsonType).send(document)
    }
  )

  app.get(
    '/docs',
    {
      config: {
        doc: { tag: 'Service', summary: 'This interface as a page to read', isPublic: true, produces: 'text/html' }
      }
    },
    async (_, reply) => {
      page ??= referencePage(openApi())
      return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page)
    }
  )

  app.get(
    '/problems/:name',
    {
      schema: { params: Type.Object({ name: Type.String() }) },
      config: {
        doc: {
          tag: 'Service',
          summary: 'What a problem means',
          isPublic: true,
          produces: 'text/html',
          problems: ['no_such_path']
        }
      }
    },
    async (request, reply) => {
      const code = Object.keys(problemKinds).find(
        each => problemPath(each as ProblemCode) === `/problems/${request.params.name}`
      )
      if (code === undefined) throw new HttpError('no_such_path', `There is no problem called "${request.params.name}"`)
      return reply
        .headers(pageHeaders)
        .type('text/html; charset=utf-8')
        .send(problemPage(code as ProblemCode))
    }
  )
}
