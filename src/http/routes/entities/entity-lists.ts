import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { type List, type ListAction, lists } from '#catalogue/entities/edit-list.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import { changeOptions, isKnownToClient } from '../../reply/conditions.ts'
import { requestKey } from '../../access/idempotency.ts'
import { checkedByDomain, EntityParams, NotModified, WriteQuery } from '../../schemas/common.ts'
import { MetadataEntry, Relation } from '../../schemas/entity.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { changeProblems } from '../../openapi/problem-lists.ts'
import { route } from '../../openapi/route.ts'

const entryByList = { metadata: MetadataEntry, relations: Relation } as const

const actionByMethod = {
  POST: {
    action: 'add',
    summary: 'Add to the',
    description:
      'Existing metadata remain, also those with the same key. A relation with the type and key of an existing one replaces it.'
  },
  PUT: {
    action: 'replace',
    summary: 'Replace the',
    description:
      'Entries that the body does not have are removed. `If-Match` protects changes that others made meanwhile.'
  },
  PATCH: {
    action: 'patch',
    summary: 'Replace matching entries of the',
    description:
      'Metadata match by key and language, relations by type and key. Entries without a match are added; all others remain.'
  },
  DELETE: {
    action: 'remove',
    summary: 'Remove named entries of the',
    description:
      'The body names metadata by key, or by key and language, and relations by type and key. The answer is the list that remains.'
  }
} as const satisfies Record<string, { action: ListAction; summary: string; description: string }>

/** Paths of the records whose two lists are resources. */
const owners = {
  '/entities': {
    tag: 'Entities',
    noun: 'an entity',
    /** No look-up: the operations find the entity themselves. */
    readableId: async (_: Catalogue, __: Principal, id: string) => id,
    writableId: async (_: Catalogue, __: Principal, id: string) => id
  },
  '/mediafiles': {
    tag: 'Media',
    noun: 'a media file',
    readableId: async (catalogue: Catalogue, principal: Principal, id: string) =>
      (await catalogue.media.read(principal, id)).id,
    writableId: async (catalogue: Catalogue, principal: Principal, id: string) =>
      (await catalogue.media.findWritable(principal, id)).id
  }
} as const

/** The two lists as resources: `/entities/{id}/metadata`, `/mediafiles/{id}/relations`. */
export function entityListRoutes(app: App, catalogue: Catalogue) {
  for (const path of Object.keys(owners) as (keyof typeof owners)[]) {
    for (const list of lists) {
      readListRoute(app, catalogue, path, list)
      for (const method of Object.keys(actionByMethod) as (keyof typeof actionByMethod)[])
        writeListRoute(app, catalogue, path, list, method)
    }
  }
}

const schemaOf = (list: List) => Type.Array(entryByList[list] as typeof MetadataEntry)

/** An entry of the metadata by what identifies it. */
const { key, lang } = MetadataEntry.properties
const MetadataName = Type.Object({ key, lang })

function readListRoute(app: App, catalogue: Catalogue, path: keyof typeof owners, list: List) {
  const { tag, noun, readableId } = owners[path]
  app.get(
    `${path}/:id/${list}`,
    route(
      {
        params: EntityParams,
        response: { 200: schemaOf(list), 304: NotModified }
      },
      {
        tag,
        summary: `Read the ${list} of ${noun}`,
        description:
          'The list alone, with the `ETag` of the whole record: the version that a change of either list increases.',
        problems: ['not_found']
      }
    ),
    async (request, reply) => {
      const { principal, params } = request
      const answer = await catalogue.entities.read(principal, await readableId(catalogue, principal, params.id))
      reply.header('etag', answer.etag)
      if (isKnownToClient(request.headers, answer.etag)) return reply.code(304).send()
      return listOf(answer.body, list)
    }
  )
}

function writeListRoute(
  app: App,
  catalogue: Catalogue,
  path: keyof typeof owners,
  list: List,
  method: keyof typeof actionByMethod
) {
  const { tag, noun, writableId } = owners[path]
  const { action, summary, description } = actionByMethod[method]
  const status = action === 'add' ? 201 : 200
  const listSchema = schemaOf(list)
  app.route({
    method,
    url: `${path}/:id/${list}`,
    schema: {
      params: EntityParams,
      querystring: WriteQuery,
      body: checkedByDomain(action === 'remove' && list === 'metadata' ? Type.Array(MetadataName) : listSchema),
      response: { 200: listSchema, [status]: listSchema }
    },
    config: {
      doc: {
        tag,
        needs: 'write',
        summary: `${summary} ${list} of ${noun}`,
        description,
        problems: method === 'POST' ? [...changeProblems, 'key_reused'] : changeProblems
      }
    },
    handler: async (request, reply) => {
      const { principal } = request
      const id = await writableId(catalogue, principal, (request.params as { id: string }).id)
      const options = { ...changeOptions(request), once: method === 'POST' ? requestKey(request) : undefined }
      const { entity } = await catalogue.entities.editList(principal, id, { list, action, body: request.body }, options)
      return reply
        .code(options.dryRun ? 200 : status)
        .header('etag', `"${entity.version}"`)
        .send(listOf(entity.json, list))
    }
  })
}

/**
 * The list in the answer; empty for principals that may write but not read, which get only id and
 * version.
 */
const listOf = (entityJson: string, list: List) => (JSON.parse(entityJson) as Partial<Entity>)[list] ?? []
