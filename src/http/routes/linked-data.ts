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
          produces: 'application/ld+json',
          alsoProduces: ['application/json']
        }
      }
    },
    // Readers of JSON-LD in a browser fetch it from pages of others; it is the same for everybody.
    (_, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=86400')
        .type('application/ld+json')
        .send(context)
  )
}
