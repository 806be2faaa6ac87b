import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Entity as CatalogueEntity } from '#domain/entity/entity.ts'
import { CatalogueError, forbidden } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { refuseBlind } from '#catalogue/entities/read-entity.ts'
import { HttpError } from '../reply/errors.ts'
import { checkedByDomain, flag, limit, skip, WriteQuery } from '../schemas/common.ts'
import { Entity, EntityInput, WriteReceipt } from '../schemas/entity.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { sendJson } from '../reply/json.ts'
import { sendGood } from '../reply/soft.ts'

/*
 * Requests that existing clients of another platform send beside the interface; answered as far as
 * they apply here.
 */

const tableType = 'text/csv'

/**
 * The other platform reports failures of single entities under `errors`; here all are written or
 * none.
 */
const ManyEntities = Type.Object(
  {
    entities: Type.Array(Type.Unsafe<unknown>({ anyOf: [Entity, WriteReceipt] })),
    errors: Type.Array(Type.Unsafe<unknown>({}), { description: 'Always empty: an error refuses the whole request' })
  },
  { $id: 'ManyEntities', additionalProperties: false }
)

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
        doc: { tag: 'Service', summary: 'List tenants: always empty, since a catalogue has none' }
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
      config: { doc: { tag: 'Service', summary: 'Read the settings for clients of another platform: always empty' } }
    },
    async request => {
      refuseBlind(request.principal)
      return {}
    }
  )

  // Tables are read here only; other routes would take the bytes for a parsed body.
  app.register(async scope => {
    const door = scope as unknown as App
    door.addContentTypeParser(tableType, { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))
    door.put(
      '/entities',
      {
        schema: {
          querystring: Type.Object({
            soft: WriteQuery.properties.soft,
            replace: flag('1 replaces existing entities instead of changing the sent parts')
          }),
          body: checkedByDomain(Type.Array(EntityInput)),
          response: { 200: ManyEntities }
        },
        config: {
          doc: {
            tag: 'Entities',
            needs: 'write',
            summary: 'Create or change many entities, all or none',
            description:
              'A JSON array of entities: an entity whose `id`, `_id` or one of whose `identifiers` exists is changed as by PATCH (metadata by key and language, relations by type and key); all others are created. Or a table in CSV whose first line names its columns (`id`, `identifiers`, `type`, metadata keys, relations): a row that names a record changes the fields it has values for, all others create records.',
            problems: ['invalid', 'description_too_long', 'identifier_taken', 'not_found', 'storage_full'],
            consumes: ['application/json', tableType]
          }
        }
      },
      async (request, reply) => {
        const { principal, query } = request
        if (query.soft === 1) {
          if (!principal.writesAnything) throw forbidden('write')
          return sendGood(reply)
        }
        const operations = await operationsIn(request.body, principal, query.replace === 1)
        const results = await catalogue.writeAtomicBatch(principal, operations, {})
        const refused = results.find(each => each.error)
        if (refused?.error) throw refused.error
        const entities = results.map(({ entity }) => {
          if (!entity) throw new CatalogueError('invalid', 'An entity was not written')
          return entity.json
        })
        return sendJson(reply, `{"entities":[${entities.join(',')}],"errors":[]}`)
      }
    )
  })

  /** The operations of a body, as lines of a batch. */
  async function operationsIn(body: unknown, principal: Principal, replaces: boolean): Promise<unknown[]> {
    if (Buffer.isBuffer(body)) {
      const { readEntityTable } = await import('#protocols/tables/read-entity-table.ts')
      return readEntityTable(body, { model, find: identifier => find(principal, identifier) })
    }
    if (!Array.isArray(body))
      throw new HttpError('bad_request', 'Must be a JSON array of entities', [
        { pointer: '', message: 'Must be an array' }
      ])
    return Promise.all(
      body.map(async (entity: unknown) => {
        const existing = await findNamed(principal, entity)
        if (existing === undefined) return { op: 'create', entity }
        return { op: replaces ? 'replace' : 'patch', id: existing.id, entity }
      })
    )
  }

  /** Finds the first entity with an identifier of the sent one. The caller may write it. */
  async function findNamed(principal: Principal, sent: unknown): Promise<{ readonly id: string } | undefined> {
    if (typeof sent !== 'object' || sent === null) return undefined
    const { id, _id, identifiers } = sent as Record<string, unknown>
    for (const identifier of [id, _id, ...(Array.isArray(identifiers) ? identifiers : [])]) {
      const found =
        typeof identifier === 'string' ? await orUndefined(catalogue.findWritable(principal, identifier)) : undefined
      if (found) return found
    }
    return undefined
  }

  async function find(principal: Principal, identifier: string): Promise<CatalogueEntity | undefined> {
    const found = await orUndefined(catalogue.readEntity(principal, identifier))
    return found && (JSON.parse(found.body) as CatalogueEntity)
  }
}

/** Resolves to undefined instead of throwing `not_found`. */
async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'not_found') return undefined
    throw error
  }
}
