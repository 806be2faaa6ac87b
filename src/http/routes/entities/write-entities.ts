import Type from 'typebox'

import type { PatchForm } from '#catalogue/entities/patch-entity.ts'
import { forbidden } from '#domain/errors.ts'
import type { AppParts } from '../../app-parts.ts'
import { changeProblems } from '../../openapi/problem-lists.ts'
import { changeOptions, expectedVersions } from '../../reply/conditions.ts'
import { patchMediaTypes } from '../../reply/errors.ts'
import { markCreated, sendCreated, sendEdited, sendWritten } from '../../reply/json.ts'
import { requestKey } from '../../access/idempotency.ts'
import { refuseWithout } from '../../access/route-needs.ts'
import { checkedByDomain, CreateQuery, EntityParams, flag, WriteQuery } from '../../schemas/common.ts'
import { EntityInput, EntityPatch, WriteAnswer } from '../../schemas/entity.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { route } from '../../openapi/route.ts'
import { replaceEntityRoute } from './replace-entity.ts'
import { marcTypes, receiveMarc, sourceIn } from './source-body.ts'

const Deletion = Type.Object(
  {
    deleted: Type.Array(Type.String(), { description: 'Ids of deleted parts' }),
    detached: Type.Array(Type.String(), { description: 'Ids of records whose relation to this one was removed' })
  },
  { $id: 'Deletion', additionalProperties: false }
)

type WriteParts = Pick<AppParts, 'catalogue' | 'audit' | 'removeContents' | 'imports' | 'model' | 'publicUrl'>

/** Routes that create, change and delete entities. */
export function writeEntityRoutes(app: App, parts: WriteParts) {
  const { catalogue } = parts
  app.register(async each => {
    const scope = each as unknown as App
    receiveMarc(scope)
    createEntityRoute(scope, parts)
    replaceEntityRoute(scope, parts)
  })

  app.patch(
    '/entities/:id',
    route(
      {
        params: EntityParams,
        querystring: WriteQuery,
        body: checkedByDomain(EntityPatch),
        response: { 200: WriteAnswer }
      },
      {
        tag: 'Entities',
        needs: 'write',
        summary: 'Change part of an entity',
        description:
          'JSON replaces metadata by key and language, relations by type and key. JSON Merge Patch (RFC 7396) and JSON Patch (RFC 6902) are accepted too.',
        problems: [...changeProblems, 'patch_not_applicable'],
        consumes: patchMediaTypes
      }
    ),
    async (request, reply) => {
      const { principal, params } = request
      const form = patchForm(request.headers['content-type'])
      return sendWritten(
        reply,
        await catalogue.entities.patch(principal, params.id, { form, body: request.body }, changeOptions(request))
      )
    }
  )

  deleteRoute(app, parts)
}

function createEntityRoute(app: App, { catalogue, imports }: WriteParts) {
  app.post(
    '/entities',
    route(
      {
        querystring: CreateQuery,
        body: checkedByDomain(EntityInput),
        response: { 201: WriteAnswer, 200: WriteAnswer }
      },
      {
        tag: 'Entities',
        needs: 'write',
        summary: 'Create an entity',
        description:
          'The type decides which fields and relations are checked. Without an `id` the service makes one with the prefix of the type; an identifier that another record has is refused with 409. `Idempotency-Key` makes the request safe to repeat. A body in MARC is stored as an import of this one record would, and the records made from it follow; 409 for a record that was stored before. It needs the scopes `read` and `write` for all types. `503` while an import runs.',
        problems: ['invalid', 'description_too_long', 'identifier_taken', 'key_reused', 'unavailable', 'storage_full'],
        consumes: ['application/json', ...marcTypes]
      }
    ),
    async (request, reply) => {
      const { principal, query, body } = request
      const dryRun = query.dry_run === 1
      const once = requestKey(request)
      const source = sourceIn(request)
      if (source === undefined) {
        const options = { dryRun, allowDangling: query.allow_dangling === 1, once }
        return sendCreated(reply, '/entities', await catalogue.entities.create(principal, body, options), dryRun)
      }
      refuseWithout('read and write everything', principal)
      const edited = await imports.createFromSource(principal, source, { dryRun, once })
      return sendEdited(markCreated(reply, '/entities', edited.entity, dryRun), edited)
    }
  )
}

function deleteRoute(app: App, { catalogue, audit, removeContents }: WriteParts) {
  app.delete(
    '/entities/:id',
    route(
      {
        params: EntityParams,
        querystring: Type.Object({
          ...WriteQuery.properties,
          delete_mediafiles: flag('1 also deletes the media files of this record that no other record has'),
          purge: flag(
            '1 erases the record for ever, a deleted one too: all versions, source record, media and changes. Needs the scope `admin`'
          ),
          references: Type.Optional(
            Type.Unsafe<string>({
              type: 'string',
              enum: ['detach', 'delete_parts'],
              description:
                '`detach` removes the relations that refer to this record; `delete_parts` also deletes parts of this record only, such as its performances and media files, and lists them'
            })
          )
        }),
        response: { 204: Type.Null(), 200: Deletion }
      },
      {
        tag: 'Entities',
        needs: 'delete',
        summary: 'Delete an entity',
        description:
          'A record that others refer to is refused with 409, unless `references` says what to do with them. A deleted record keeps its history and can be restored with `/revert`; `purge=1` erases it.',
        problems: ['not_found', 'still_referenced', 'version_mismatch', 'storage_full']
      }
    ),
    async (request, reply) => {
      const { principal, params, query } = request
      if (query.purge === 1 && !principal.isAdmin) throw forbidden('purge records')
      const options = {
        expected: expectedVersions(request.headers),
        dryRun: query.dry_run === 1,
        detach: query.references === 'detach',
        withParts: query.references === 'delete_parts',
        withMediafiles: query.delete_mediafiles === 1
      }
      if (query.purge === 1) {
        const { contents } = await catalogue.entities.purge(principal, params.id, options, ({ id, uuid, purged }) =>
          audit.describe({
            by: principal.name,
            act: 'record.purge',
            subject: id,
            address: request.ip,
            details: { uuid, purged: [...purged] }
          })
        )
        await removeContents(contents)
        return reply.code(204).send()
      }
      const deletion = await catalogue.entities.delete(principal, params.id, options)
      if (query.references === 'delete_parts') return reply.send(deletion)
      return reply.code(204).send()
    }
  )
}

const formByMediaType: Readonly<Record<(typeof patchMediaTypes)[number], PatchForm>> = {
  'application/json': 'lists',
  'application/merge-patch+json': 'merge_patch',
  'application/json-patch+json': 'json_patch'
}

function patchForm(contentType: string | undefined): PatchForm {
  const essence = contentType?.split(';')[0]?.trim().toLowerCase()
  return patchMediaTypes.includes(essence as (typeof patchMediaTypes)[number])
    ? formByMediaType[essence as (typeof patchMediaTypes)[number]]
    : 'lists'
}
