import { contextPath } from '../representations/representation.ts'
import type { App } from '../openapi/typebox-provider.ts'

/** What linked data needs beside the records: the context of our JSON-LD, for whoever reads it. */
export function linkedDataRoutes(app: App) {
  let context: string | undefined
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
    async (_, reply) => {
      context ??= await writeContext()
      // It is the same for everybody, and readers of JSON-LD fetch it again and again.
      return reply.header('cache-control', 'public, max-age=86400').type('application/ld+json').send(context)
    }
  )
}

async function writeContext(): Promise<string> {
  const { jsonLdContext } = await import('#formats/rdf/jsonld-context.ts')
  return `${JSON.stringify(jsonLdContext(), null, 1)}\n`
}
