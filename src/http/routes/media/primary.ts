import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { type PrimaryKind, primaryRelations } from '#domain/record-types/media-relations.ts'
import { changeProblems } from '../../openapi/problem-lists.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { changeOptions } from '../../reply/conditions.ts'
import { sendWritten } from '../../reply/json.ts'
import { EntityParams, WriteQuery } from '../../schemas/common.ts'
import { WriteAnswer } from '../../schemas/entity.ts'
import { route } from '../../openapi/route.ts'

const Params = Type.Object({ ...EntityParams.properties, mediafile_id: Type.String({ description: 'Any identifier' }) })

const summaries: Readonly<Record<PrimaryKind, string>> = {
  mediafile: 'Set the primary media file of a record',
  thumbnail: 'Set the thumbnail of a record'
}

/** The primary media file and the thumbnail of a record. */
export function primaryMediafileRoutes(app: App, catalogue: Catalogue) {
  for (const kind of Object.keys(primaryRelations) as PrimaryKind[])
    app.put(
      `/entities/:id/set_primary_${kind}/:mediafile_id`,
      route(
        { params: Params, querystring: WriteQuery, response: { 200: WriteAnswer } },
        {
          tag: 'Media',
          needs: 'write',
          summary: summaries[kind],
          description: `Replaces its relation \`${primaryRelations[kind]}\`. The media file must be one of the record.`,
          problems: changeProblems
        }
      ),
      async (request, reply) => {
        const { principal, params } = request
        return sendWritten(
          reply,
          await catalogue.media.setPrimary(
            principal,
            params.id,
            { mediafileId: params.mediafile_id, kind },
            changeOptions(request)
          )
        )
      }
    )
}
