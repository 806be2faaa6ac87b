import { jsonLdContext } from '#formats/rdf/jsonld-context.ts'
import { contextPath } from '../representations/linked-data.ts'
import type { App } from '../typebox-provider.ts'

/** What linked data needs beside the records: the context of our JSON-LD, for whoever reads it. */
export function linkedDataRoutes(app: App) {
  const context = `${JSON.stringify(jsonLdContext(), null, 1)}\n`
  app.get(
    contextPath,
    {
      config: {
        doc: {
          tag: 'Service',
          summary: 'The context of our JSON-LD',
          isPublic: true,
          isReadByAnyPage: true,
          produces: 'application/ld+json',
          alsoProduces: ['application/json']
        }
      }
    },
    // It is the same for everybody, and readers of JSON-LD fetch it again and again.
    (_, reply) => reply.header('cache-control', 'public, max-age=86400').type('application/ld+json').send(context)
  )
}
