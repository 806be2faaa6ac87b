import { contextPath } from '#protocols/formats/context-path.ts'
import type { App } from '../openapi/typebox-provider.ts'

/** The context of our JSON-LD. */
export function linkedDataRoutes(app: App) {
  let context: string | undefined
  app.get(
    contextPath,
    {
      config: {
        doc: {
          tag: 'Service',
          summary: 'Read the JSON-LD context',
          description:
            'Gives the members of records in JSON-LD their meaning. It may be cached, and scripts of every origin may read it.',
          isPublic: true,
          isReadByAnyPage: true,
          produces: 'application/ld+json',
          alsoProduces: ['application/json']
        }
      }
    },
    async (_, reply) => {
      context ??= await writeContext()
      // It is the same for everybody, and JSON-LD processors fetch it often.
      return reply.header('cache-control', 'public, max-age=86400').type('application/ld+json').send(context)
    }
  )
}

async function writeContext(): Promise<string> {
  const { jsonLdContext } = await import('#formats/rdf/jsonld-context.ts')
  return `${JSON.stringify(jsonLdContext(), null, 1)}\n`
}
