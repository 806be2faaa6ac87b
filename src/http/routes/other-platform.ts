import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Entity as CatalogueEntity } from '#domain/entity.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { refuseBlind } from '#catalogue/read-entity.ts'
import { HttpError } from '../errors.ts'
import { checkedByDomain, limit, skip } from '../schemas/common.ts'
import { Entity, EntityInput } from '../schemas/entity.ts'
import type { App } from '../typebox-provider.ts'

/* What the front-end layer of the platform whose clients exist asks for beside the interface: answered as far as it has a meaning here. */

const tableType = 'text/csv'

export function otherPlatformRoutes(app: App, catalogue: Catalogue, model: Model) {
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

  // A table is read here only; any other path would take its bytes for a body that was read.
  app.register(async scope => {
    const door = scope as unknown as App
    door.addContentTypeParser(tableType, { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))
    door.put(
      '/entities',
      {
        schema: { body: checkedByDomain(Type.Array(EntityInput)), response: { 200: Type.Array(Entity) } },
        config: {
          doc: {
            tag: 'Entities',
            needs: 'write',
            summary: 'Create or replace many entities, all or none',
            description:
              'A JSON array of entities: those with an id that exists are replaced, all others are created. Or a table in CSV whose first line names its columns (`id`, `identifiers`, `type`, metadata keys, relations): rows that name a record change what they have a value for, all others are created.',
            problems: ['invalid', 'description_too_long', 'identifier_taken', 'not_found', 'storage_full'],
            consumes: ['application/json', tableType]
          }
        }
      },
      async (request, reply) => {
        const { principal } = request
        const results = await catalogue.writeAtomicBatch(principal, await operationsIn(request.body, principal), {})
        const refused = results.find(each => each.error)
        if (refused?.error) throw refused.error
        const entities = results.map(({ entity }) => {
          if (!entity) throw new CatalogueError('invalid', 'An entity was not written')
          return entity.json
        })
        return reply.type('application/json; charset=utf-8').send(`[${entities.join(',')}]`)
      }
    )
  })

  /** What a body asks for, as lines of a batch. */
  async function operationsIn(body: unknown, principal: Principal): Promise<unknown[]> {
    if (Buffer.isBuffer(body)) {
      const { readEntityTable } = await import('#protocols/tables/read-entity-table.ts')
      return readEntityTable(body, { model, find: identifier => find(principal, identifier) })
    }
    if (!Array.isArray(body))
      throw new HttpError('bad_request', 'Must be a JSON array of entities', [
        { pointer: '', message: 'Must be an array' }
      ])
    return body.map((entity: unknown) => {
      const id = (entity as { id?: unknown } | null)?.id
      return typeof id === 'string' ? { op: 'upsert', id, entity } : { op: 'create', entity }
    })
  }

  async function find(principal: Principal, identifier: string): Promise<CatalogueEntity | undefined> {
    try {
      return JSON.parse((await catalogue.readEntity(principal, identifier)).body) as CatalogueEntity
    } catch (error) {
      if (error instanceof CatalogueError && error.code === 'not_found') return undefined
      throw error
    }
  }
}
