import type { FastifyRequest } from 'fastify'
import Type from 'typebox'

import { etagOf } from '#catalogue/etag.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Form } from '#formats/marc/record.ts'
import { sourceFormats } from '#formats/source/source-formats.ts'
import { allFormats } from '#protocols/formats/registry.ts'
import type { AppParts } from '../../app-parts.ts'
import { refuseWithout } from '../../access/route-needs.ts'
import { changeProblems } from '../../openapi/problem-lists.ts'
import { route } from '../../openapi/route.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { changeOptions, expectedVersions, isTagIn } from '../../reply/conditions.ts'
import { sendEdited, sendWritten } from '../../reply/json.ts'
import { checkedByDomain, EntityParams, flag, WriteQuery } from '../../schemas/common.ts'
import { EntityReplacement, WriteAnswer } from '../../schemas/entity.ts'
import { marcTypes, sourceIn } from './source-body.ts'

type ReplaceParts = Pick<AppParts, 'catalogue' | 'imports' | 'model' | 'publicUrl'>

/** Replaces an entity, or its source record in MARC. */
export function replaceEntityRoute(app: App, parts: ReplaceParts) {
  app.put(
    '/entities/:id',
    route(
      {
        params: EntityParams,
        querystring: Type.Object({
          ...WriteQuery.properties,
          force: flag('1 replaces a source record without `If-Match`')
        }),
        body: checkedByDomain(EntityReplacement),
        response: { 200: WriteAnswer }
      },
      {
        tag: 'Entities',
        needs: 'write',
        summary: 'Replace an entity, or its source record',
        description:
          'Send `If-Match` to detect concurrent changes. A body in MARC replaces the source record of a manifestation, or the authority record of an authority, and the records made from it follow; it needs `If-Match` or `force=1`, and the scopes `read` and `write` for all types. `503` while an import runs.',
        problems: [...changeProblems, 'unavailable'],
        consumes: ['application/json', ...marcTypes]
      }
    ),
    async (request, reply) => {
      const { principal, params, body } = request
      const edit = sourceIn(request)
      if (edit === undefined)
        return sendWritten(
          reply,
          await parts.catalogue.entities.replace(principal, params.id, body, changeOptions(request))
        )
      refuseWithout('read and write everything', principal)
      const { dryRun } = changeOptions(request)
      const expected = await expectedOf(parts, request, edit.form)
      return sendEdited(
        reply,
        await parts.imports.editSource(params.id, edit, { expected, dryRun, by: principal.name })
      )
    }
  )
}

/**
 * The versions that an edit of a source record may apply to. `If-Match` names a version, or the
 * `ETag` of the record in the same form.
 */
async function expectedOf(parts: ReplaceParts, request: FastifyRequest, form: Form) {
  const { headers, principal } = request
  const { id } = request.params as { id: string }
  const header = headers['if-match']
  const { force } = request.query as { force: number }
  if (header === undefined && force !== 1)
    throw invalidWith([{ pointer: 'If-Match', message: 'Send If-Match, or force=1 to replace any version' }])
  const expected = expectedVersions(headers)
  if (expected === undefined || !expected.has(-1)) return expected
  const { version } = JSON.parse((await parts.catalogue.entities.read(principal, id)).body) as { version: number }
  for (const format of allFormats.filter(({ mediaType }) => mediaType === sourceFormats[form].mediaType)) {
    const written = await (await format.load()).one(parts, principal, id)
    if (written !== undefined && 'body' in written && isTagIn(header ?? '', etagOf(written.body)))
      return new Set([version])
  }
  return expected
}
