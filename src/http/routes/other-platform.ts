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
 * What the front-end layer of the platform whose clients exist asks for beside the interface:
 * answered as far as it has a meaning here.
 */

const tableType = 'text/csv'

/**
 * The platform reports failures of single entities under `errors`; here all are written or none.
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
        schema: {
          querystring: Type.Object({
            soft: WriteQuery.properties.soft,
            replace: flag('1 replaces the entities that exist instead of changing what is sent of them')
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
              'A JSON array of entities: those whose `id`, `_id` or one of whose `identifiers` exists are changed as PATCH does it (metadata by key and language, relations by type and key, everything else stays); all others are created. Or a table in CSV whose first line names its columns (`id`, `identifiers`, `type`, metadata keys, relations): rows that name a record change what they have a value for, all others are created.',
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

  /** What a body asks for, as lines of a batch. */
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

  /**
   * The first entity that has an identifier which the one that was sent names. The caller may write
   * it.
   */
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

/** What was looked for, or undefined where there is none. */
async function orUndefined<T>(looked: Promise<T>): Promise<T | undefined> {
  try {
    return await looked
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'not_found') return undefined
    throw error
  }
}
