import Type, { type Static } from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Entity as CatalogueEntity } from '#domain/entity/entity.ts'
import { readCommaList } from '#catalogue/lists/read-list-query.ts'
import { CatalogueError, invalidWith } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { maxAtomicBatch } from '#catalogue/batches/write-atomic-batch.ts'
import { mapInTurns } from '#catalogue/take-turns.ts'
import { HttpError } from '../../reply/errors.ts'
import { checkedByDomain, flag, WriteQuery } from '../../schemas/common.ts'
import { Entity, EntityInput, EntityPatch, WriteReceipt } from '../../schemas/entity.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { sendJson } from '../../reply/json.ts'
import { route } from '../../openapi/route.ts'

const tableType = 'text/csv'

const ManyEntities = Type.Object(
  {
    entities: Type.Array(Type.Unsafe<unknown>({ anyOf: [Entity, WriteReceipt] })),
    errors: Type.Array(Type.Unsafe<unknown>({}), { description: 'Always empty: an error refuses the whole request' })
  },
  { $id: 'ManyEntities', additionalProperties: false }
)

const ManyQuery = Type.Object({
  ...WriteQuery.properties,
  replace: flag('1 replaces existing entities instead of changing the sent parts')
})

const manyDescription =
  'A JSON array of entities: an entity whose `id`, `_id` or one of whose `identifiers` exists is changed as by PATCH (metadata by key and language, relations by type and key); all others are created. Or a table in CSV whose first line names its columns (`id`, `identifiers`, `type`, metadata keys, relations): a row that names a record changes the fields it has values for, all others create records.'

export const DeletedEntities = Type.Object(
  { deleted: Type.Array(Type.String()) },
  { $id: 'DeletedEntities', additionalProperties: false }
)

export const IdsToDelete = Type.Unsafe<unknown>({
  anyOf: [Type.Array(Type.String()), Type.Object({ ids: Type.Array(Type.String()) })],
  description: 'Identifiers, as an array or under `ids` or `identifiers`'
})

/** Requests that write or delete many entities, all or none. */
export function manyEntityRoutes(app: App, catalogue: Catalogue, model: Model) {
  app.delete(
    '/entities',
    route(
      {
        querystring: Type.Object({
          ...WriteQuery.properties,
          ids: Type.Optional(Type.String({ maxLength: 100_000, description: 'Comma list of identifiers' })),
          references: Type.Optional(
            Type.Unsafe<string>({
              type: 'string',
              enum: ['detach'],
              description: '`detach` removes the relations that refer to the records'
            })
          )
        }),
        body: checkedByDomain(IdsToDelete),
        response: { 200: DeletedEntities }
      },
      {
        tag: 'Entities',
        needs: 'delete',
        summary: 'Delete many entities, all or none',
        description:
          'The body lists the records by any of their identifiers. If one of them cannot be deleted, none is.',
        problems: ['invalid', 'not_found', 'still_referenced', 'storage_full']
      }
    ),
    async request => {
      const { principal, query } = request
      const ids = idsToDelete(request.body, query.ids)
      const references = query.references === undefined ? {} : { references: query.references }
      const operations = ids.map(id => ({ op: 'delete', id, ...references }))
      await writeAll(catalogue, principal, operations, query.dry_run === 1)
      return { deleted: ids }
    }
  )
  writeManyRoute(app, catalogue, model, {
    method: 'PUT',
    url: '/entities',
    summary: 'Create or change many entities, all or none'
  })
}

/** A path that creates and changes many entities. */
export function writeManyRoute(
  app: App,
  catalogue: Catalogue,
  model: Model,
  { method, url, summary }: { readonly method: 'PUT' | 'POST'; readonly url: string; readonly summary: string }
) {
  // Tables are read here only; other routes would take the bytes for a parsed body.
  app.register(async scope => {
    const door = scope as unknown as App
    door.addContentTypeParser(tableType, { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))
    door.route({
      method,
      url,
      schema: {
        querystring: ManyQuery,
        body: checkedByDomain(Type.Array(Type.Union([EntityInput, EntityPatch]))),
        response: { 200: ManyEntities }
      },
      config: {
        doc: {
          tag: 'Entities',
          needs: 'write',
          summary,
          description: manyDescription,
          problems: ['invalid', 'description_too_long', 'identifier_taken', 'not_found', 'storage_full'],
          consumes: ['application/json', tableType]
        }
      },
      handler: async (request, reply) => {
        const { principal } = request
        const query = request.query as Static<typeof ManyQuery>
        refuseTooMany(request.body, 'entities')
        const operations = await operationsIn(request.body, principal, query.replace === 1)
        const entities = await writeAll(catalogue, principal, operations, query.dry_run === 1)
        return sendJson(reply, `{"entities":[${entities.join(',')}],"errors":[]}`)
      }
    })
  })

  /** The operations of a body, as lines of a batch. */
  async function operationsIn(body: unknown, principal: Principal, replaces: boolean): Promise<unknown[]> {
    if (Buffer.isBuffer(body)) {
      const { readEntityTable } = await import('#protocols/tables/read-entity-table.ts')
      return readEntityTable(body, {
        model,
        maxRows: maxAtomicBatch,
        find: identifier => find(principal, identifier)
      })
    }
    if (!Array.isArray(body))
      throw new HttpError('bad_request', 'Must be a JSON array of entities', [
        { pointer: '', message: 'Must be an array' }
      ])
    return mapInTurns(body, async (entity: unknown) => {
      const existing = await findNamed(principal, entity)
      if (existing === undefined) return { op: 'create', entity }
      return { op: replaces ? 'replace' : 'patch', id: existing.id, entity }
    })
  }

  /** Finds the first entity with an identifier of the sent one. The caller may write it. */
  async function findNamed(principal: Principal, sent: unknown): Promise<{ readonly id: string } | undefined> {
    if (typeof sent !== 'object' || sent === null) return undefined
    const { id, _id, identifiers } = sent as Record<string, unknown>
    for (const identifier of [id, _id, ...(Array.isArray(identifiers) ? identifiers : [])]) {
      const found =
        typeof identifier === 'string'
          ? await orUndefined(catalogue.entities.findWritable(principal, identifier))
          : undefined
      if (found) return found
    }
    return undefined
  }

  async function find(principal: Principal, identifier: string): Promise<CatalogueEntity | undefined> {
    const found = await orUndefined(catalogue.entities.read(principal, identifier))
    return found && (JSON.parse(found.body) as CatalogueEntity)
  }
}

/** Writes operations in one transaction. Resolves to the JSON of entities that still exist. */
export async function writeAll(
  catalogue: Catalogue,
  principal: Principal,
  operations: readonly unknown[],
  dryRun: boolean
): Promise<string[]> {
  const results = await catalogue.batches.writeAtomic(principal, operations, { dryRun })
  const refused = results.find(each => each.error)
  if (refused?.error) throw refused.error
  return results.flatMap(({ entity }) => entity?.json ?? [])
}

/** Throws `invalid` for a list that no atomic batch can hold, before each item is looked at. */
export function refuseTooMany(list: unknown, what: string) {
  if (!Array.isArray(list) || list.length <= maxAtomicBatch) return
  const message = `There may be at most ${maxAtomicBatch} ${what} in a request, not ${list.length}`
  throw invalidWith([{ pointer: `/${maxAtomicBatch}`, message }])
}

/** Reads the identifiers of a deletion, from the query or the body. Throws `invalid`. */
export function idsToDelete(body: unknown, query: unknown): string[] {
  if (typeof query === 'string') return readCommaList(query)
  const { ids, identifiers } = (body ?? {}) as { ids?: unknown; identifiers?: unknown }
  const given = Array.isArray(body) ? body : (ids ?? identifiers)
  refuseTooMany(given, 'identifiers')
  const isList = Array.isArray(given) && given.length > 0 && given.every(each => typeof each === 'string')
  if (!isList) throw invalidWith([{ pointer: '', message: 'Must be a list of identifiers, or an object with "ids"' }])
  return [...new Set(given as string[])]
}

/** Resolves to undefined instead of throwing `not_found`. */
export async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'not_found') return undefined
    throw error
  }
}
