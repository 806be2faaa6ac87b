import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { type List, type ListAction, lists } from '#catalogue/edit-list.ts'
import type { Entity } from '#domain/entity.ts'
import { isKnownToClient } from '../conditions.ts'
import { requestKey } from '../idempotency.ts'
import { checkedByDomain, EntityParams, NotModified, WriteQuery } from '../schemas/common.ts'
import { MetadataEntry, Relation } from '../schemas/entity.ts'
import type { App } from '../typebox-provider.ts'
import { changeOptions, changeProblems, softly } from './write-entities.ts'

const entryByList = { metadata: MetadataEntry, relations: Relation } as const

const actionByMethod = {
  POST: { action: 'add', summary: 'Add to' },
  PUT: { action: 'replace', summary: 'Replace all' },
  PATCH: { action: 'patch', summary: 'Replace matching' },
  DELETE: { action: 'remove', summary: 'Remove named' }
} as const satisfies Record<string, { action: ListAction; summary: string }>

/** The two lists of an entity as resources of their own: `/entities/{id}/metadata` and `/entities/{id}/relations`. */
export function entityListRoutes(app: App, catalogue: Catalogue) {
  for (const list of lists) {
    const listSchema = Type.Array(entryByList[list] as typeof MetadataEntry)

    app.get(
      `/entities/:id/${list}`,
      {
        schema: { params: EntityParams, response: { 200: listSchema, 304: NotModified } },
        config: { doc: { tag: 'Entities', summary: `The ${list} of an entity`, problems: ['not_found'] } }
      },
      async (request, reply) => {
        const answer = await catalogue.readEntity(request.principal, request.params.id)
        reply.header('etag', answer.etag)
        if (isKnownToClient(request.headers, answer.etag)) return reply.code(304).send()
        return listOf(answer.body, list)
      }
    )

    for (const [method, { action, summary }] of Object.entries(actionByMethod)) {
      const status = action === 'add' ? 201 : 200
      app.route({
        method,
        url: `/entities/:id/${list}`,
        schema: {
          params: EntityParams,
          querystring: WriteQuery,
          body: checkedByDomain(listSchema),
          response: { 200: listSchema, [status]: listSchema }
        },
        config: {
          doc: {
            tag: 'Entities',
            needs: 'write',
            summary: `${summary} ${list} of an entity`,
            problems: method === 'POST' ? [...changeProblems, 'key_reused'] : changeProblems
          }
        },
        handler: async (request, reply) => {
          const { id } = request.params as { id: string }
          if ((request.query as { soft: number }).soft === 1) {
            return softly(reply, catalogue.findWritable(request.principal, id))
          }
          const options = { ...changeOptions(request), once: method === 'POST' ? requestKey(request) : undefined }
          const { entity } = await catalogue.editList(request.principal, id, list, action, request.body, options)
          return reply
            .code(options.dryRun ? 200 : status)
            .header('etag', `"${entity.version}"`)
            .send(listOf(entity.json, list))
        }
      })
    }
  }
}

const listOf = (entityJson: string, list: List) => (JSON.parse(entityJson) as Entity)[list]
