import type { FastifyRequest } from 'fastify'

import type { Form } from '#formats/marc/record.ts'
import { sourceFormats } from '#formats/source/source-formats.ts'
import type { SourceEdit } from '#imports/edit-source.ts'
import type { App } from '../../openapi/typebox-provider.ts'

/** The forms of MARC that a source record can be sent in, by media type. */
const formByMediaType: ReadonlyMap<string, Form> = new Map(
  (['marcxml', 'json', 'iso2709'] as const).map(form => [sourceFormats[form].mediaType, form])
)

export const marcTypes = [...formByMediaType.keys()]

/** Lets the routes of a scope receive records in MARC. */
export const receiveMarc = (app: App) =>
  app.addContentTypeParser(marcTypes, { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))

/** The record in MARC that a request has as its body; undefined for other bodies. */
export function sourceIn({ headers, body }: FastifyRequest): SourceEdit | undefined {
  const form = formByMediaType.get(headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '')
  return form === undefined ? undefined : { form, bytes: body as Buffer }
}
