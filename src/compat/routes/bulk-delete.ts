import type { RouteOptions } from 'fastify'
import Type, { type TObject } from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { mapInTurns } from '#catalogue/take-turns.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import { route } from '#http/openapi/route.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { DeletedEntities, IdsToDelete, idsToDelete, writeAll } from '#http/routes/entities/many-entities.ts'
import { checkedByDomain, flag, maxPerPage, WriteQuery } from '#http/schemas/common.ts'

/* Deletions of many records as the clients send them: all or none, and done with the answer. */

const parameters = {
  delete_mediafiles: flag('1 also deletes the media files of these records that no other record has'),
  skip_items_with_relation: Type.String({
    default: '',
    maxLength: 512,
    description: 'Type of a relation: records that have one are not deleted'
  }),
  parent_job_id: Type.Optional(Type.String({ maxLength: 512, description: 'Has no effect' }))
}

const Deleted = Type.Object(
  {
    ...DeletedEntities.properties,
    parent_job_id: Type.String({ description: 'Always empty: there is no job to wait for' })
  },
  { $id: 'DeletedEntities', additionalProperties: false }
)

interface BulkQuery {
  readonly ids?: string
  readonly dry_run: number
  readonly references?: string
  readonly delete_mediafiles: number
  readonly skip_items_with_relation: string
}

/** Adds the parameters of the clients to `DELETE /entities`. */
export function addBulkDelete(app: App, catalogue: Catalogue) {
  app.addHook('onRoute', each => {
    if (each.method === 'DELETE' && each.url === '/entities') withClientParameters(each, catalogue)
  })
}

function withClientParameters(each: RouteOptions, catalogue: Catalogue) {
  const { handler, schema } = each
  const { querystring } = schema as { querystring: TObject }
  each.schema = {
    ...schema,
    querystring: Type.Object({ ...querystring.properties, ...parameters }),
    response: { 200: Deleted }
  }
  each.handler = async function (request, reply) {
    const { principal } = request
    const query = request.query as BulkQuery
    const { skip_items_with_relation: relation } = query
    const named = idsToDelete(request.body, query.ids)
    const ids = relation === '' ? named : await withoutRelation(catalogue, principal, named, relation)
    if (ids.length === 0) return { deleted: [], parent_job_id: '' }
    const files = query.delete_mediafiles === 1 ? await filesOf(catalogue, principal, ids) : []
    // The handler reads the identifiers of the body, where the query has none.
    request.body = [...files, ...ids]
    request.query = { ...query, ids: undefined }
    const { deleted } = (await handler.call(this, request, reply)) as { deleted: string[] }
    return { deleted, parent_job_id: '' }
  }
}

/** The records that have no relation of a type. */
async function withoutRelation(catalogue: Catalogue, principal: Principal, ids: readonly string[], type: string) {
  const kept = await mapInTurns(ids, async id => {
    const { relations } = JSON.parse((await catalogue.entities.read(principal, id)).body) as Entity
    return relations.some(relation => relation.type === type)
  })
  return ids.filter((_, index) => kept[index] !== true)
}

/** The media files that only these records have. */
async function filesOf(catalogue: Catalogue, principal: Principal, ids: readonly string[]): Promise<string[]> {
  const order = { items: [{ by: 'created' as const }], ascending: true }
  const deleted = new Set<string>()
  const files = new Set<string>()
  for (const named of ids) {
    const { id } = await catalogue.entities.findDeletable(principal, named)
    deleted.add(id)
    for (let skip = 0; ; skip += maxPerPage) {
      const page = await catalogue.media.list(principal, id, undefined, {
        ...{ order, skip, limit: maxPerPage, cursor: undefined }
      })
      for (const file of page.entities) files.add(file.id)
      if (skip + maxPerPage >= page.count) break
    }
  }
  const owned = await mapInTurns([...files], async file => {
    const owners = await catalogue.media.listOwners(principal, file)
    return owners.every(({ id }) => deleted.has(id))
  })
  return [...files].filter((_, index) => owned[index] === true)
}

/** The same for media files, which the clients delete by another path. */
export function deleteMediafilesRoute(app: App, catalogue: Catalogue) {
  app.delete(
    '/mediafiles',
    route(
      {
        querystring: Type.Object({ ...WriteQuery.properties, ...parameters }),
        body: checkedByDomain(IdsToDelete),
        response: { 200: Deleted }
      },
      {
        tag: 'Media',
        needs: 'delete',
        summary: 'Delete many media files, all or none, for existing clients',
        description: 'They are also removed from the records that have them.',
        problems: ['invalid', 'not_found', 'still_referenced', 'storage_full']
      }
    ),
    async ({ principal, body, query }) => {
      const { skip_items_with_relation: relation } = query
      const named = idsToDelete(body, undefined)
      await mapInTurns(named, id => catalogue.media.findDeletable(principal, id))
      const ids = relation === '' ? named : await withoutRelation(catalogue, principal, named, relation)
      const operations = ids.map(id => ({ op: 'delete', id, references: 'detach' }))
      await writeAll(catalogue, principal, operations, query.dry_run === 1)
      return { deleted: ids, parent_job_id: '' }
    }
  )
}
