import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { CatalogueError } from '#domain/errors.ts'
import { refuseBlind } from '#catalogue/read-entity.ts'
import { HttpError } from '../errors.ts'
import { checkedByDomain, limit, skip } from '../schemas/common.ts'
import { Entity, EntityInput } from '../schemas/entity.ts'
import type { App } from '../typebox-provider.ts'

/* What the front-end layer of the platform whose clients exist asks for beside the interface: answered as far as it has a meaning here. */

export function otherPlatformRoutes(app: App, catalogue: Catalogue) {
  app.get(
    '/tenants',
    {
      schema: {
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
      config: {
        doc: { tag: 'Service', summary: 'Tenants: a catalogue here has none, so the list is empty' }
      }
    },
    async request => {
      refuseBlind(request.principal)
      return { count: 0, results: [], ...request.query }
    }
  )

  app.get(
    '/config',
    {
      schema: { response: { 200: Type.Unsafe<object>({ type: 'object' }) } },
      config: { doc: { tag: 'Service', summary: 'Settings for clients of another platform: there are none' } }
    },
    async request => {
      refuseBlind(request.principal)
      return {}
    }
  )

  app.put(
    '/entities',
    {
      schema: { body: checkedByDomain(Type.Array(EntityInput)), response: { 200: Type.Array(Entity) } },
      config: {
        doc: {
          tag: 'Entities',
          summary: 'Create or replace many entities, all or none',
          description: 'A JSON array of entities. Those with an id that exists are replaced, all others are created.',
          problems: ['invalid', 'description_too_long', 'identifier_taken', 'not_found', 'storage_full']
        }
      }
    },
    async (request, reply) => {
      if (!Array.isArray(request.body))
        throw new HttpError('bad_request', 'Must be a JSON array of entities', [
          { pointer: '', message: 'Must be an array' }
        ])
      const lines = request.body.map((entity: unknown) => {
        const id = (entity as { id?: unknown } | null)?.id
        return typeof id === 'string' ? { op: 'upsert', id, entity } : { op: 'create', entity }
      })
      const results = await catalogue.writeAtomicBatch(request.principal, lines, {})
      const refused = results.find(each => each.error)
      if (refused?.error) throw refused.error
      const entities = results.map(({ entity }) => {
        if (!entity) throw new CatalogueError('invalid', 'An entity was not written')
        return entity.json
      })
      return reply.type('application/json; charset=utf-8').send(`[${entities.join(',')}]`)
    }
  )
}
