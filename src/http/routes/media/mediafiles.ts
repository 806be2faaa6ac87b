import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Model } from '#domain/record-types/model.ts'
import { requestKey } from '../../access/idempotency.ts'
import { changeProblems } from '../../openapi/problem-lists.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { changeOptions } from '../../reply/conditions.ts'
import { sendCached, sendCreated, sendWritten } from '../../reply/json.ts'
import { sendMediaPage } from '../../reply/media-page.ts'
import { tableType } from '../../reply/table.ts'
import { checkedByDomain, EntityParams, flag, NotModified, WriteQuery } from '../../schemas/common.ts'
import { Entity, EntityPage, EntityPatch, EntityReplacement, WriteAnswer } from '../../schemas/entity.ts'
import { mediafileCreation, MediaQuery } from '../../schemas/mediafile.ts'
import { route } from '../../openapi/route.ts'

export const createProblems = ['not_found', 'invalid', 'identifier_taken', 'key_reused', 'storage_full'] as const

/** The records of media files. */
export function mediafileRoutes(app: App, parts: { readonly catalogue: Catalogue; readonly model: Model }) {
  const { catalogue } = parts
  app.post(
    '/mediafiles',
    route(mediafileCreation, {
      tag: 'Media',
      needs: 'write',
      summary: 'Create a media file; its bytes are sent later',
      description:
        'For a file that belongs to no record yet, or that is stored elsewhere. Send its bytes to `/mediafiles/{id}/content`, or in pieces to `/mediafiles/{id}/uploads`.',
      problems: createProblems
    }),
    async (request, reply) => {
      const isDryRun = request.query.dry_run === 1
      const options = { dryRun: isDryRun, once: requestKey(request) }
      const written = await catalogue.media.create(request.principal, undefined, request.body, options)
      return sendCreated(reply, '/mediafiles', written, isDryRun)
    }
  )

  app.get(
    '/mediafiles',
    route(
      { querystring: MediaQuery, response: { 200: EntityPage } },
      {
        tag: 'Media',
        summary: 'List media files',
        description: 'All media files that the token may read, whichever record has them.',
        alsoProduces: [tableType],
        problems: ['query_timeout']
      }
    ),
    (request, reply) => sendMediaPage(parts, request, reply, undefined)
  )

  app.get(
    '/mediafiles/:id',
    route(
      {
        params: EntityParams,
        response: { 200: Entity, 304: NotModified }
      },
      {
        tag: 'Media',
        summary: 'Read the record of a media file',
        description:
          'Name, type, size and digest of the file are in its metadata. The bytes are at `/mediafiles/{id}/content`.',
        problems: ['not_found']
      }
    ),
    async (request, reply) => {
      const { id } = await catalogue.media.read(request.principal, request.params.id)
      await sendCached(catalogue.entities.read(request.principal, id), request, reply)
      return reply
    }
  )

  changeRoute(app, catalogue, 'PUT')
  changeRoute(app, catalogue, 'PATCH')

  app.delete(
    '/mediafiles/:id',
    route(
      {
        params: EntityParams,
        querystring: Type.Object({ ...WriteQuery.properties, delete_mediafiles: flag('Has no effect here') }),
        response: { 204: Type.Null() }
      },
      {
        tag: 'Media',
        needs: 'delete',
        summary: 'Delete a media file',
        description:
          'It is also removed from the records that have it. Its bytes are collected later, when no other media file has the same.',
        problems: ['not_found', 'still_referenced', 'storage_full']
      }
    ),
    async (request, reply) => {
      const { principal, params, query } = request
      await catalogue.media.delete(principal, params.id, { dryRun: query.dry_run === 1 })
      return reply.code(204).send()
    }
  )
}

function changeRoute(app: App, catalogue: Catalogue, method: 'PUT' | 'PATCH') {
  app.route({
    method,
    url: '/mediafiles/:id',
    schema: {
      params: EntityParams,
      querystring: WriteQuery,
      body: checkedByDomain(method === 'PUT' ? EntityReplacement : EntityPatch),
      response: { 200: WriteAnswer }
    },
    config: {
      doc: {
        tag: 'Media',
        needs: 'write',
        description: 'Fields may stand beside `metadata`, as existing clients send them.',
        summary: method === 'PUT' ? 'Replace the record of a media file' : 'Change part of the record of a media file',
        problems: changeProblems
      }
    },
    handler: async (request, reply) => {
      const { principal } = request
      const { id } = request.params as { id: string }
      const options = { ...changeOptions(request), isWhole: method === 'PUT' }
      return sendWritten(reply, await catalogue.media.change(principal, id, request.body, options))
    }
  })
}
