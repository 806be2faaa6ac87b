import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { etagOf } from '#catalogue/etag.ts'
import { everyEntity, type FormatParts } from '#protocols/formats/format.ts'
import { allFormats } from '#protocols/formats/registry.ts'
import { HttpError } from '../reply/errors.ts'
import { sendRepeatable } from '../reply/json.ts'
import { acceptable } from './negotiate.ts'

export const json = { name: 'json', mediaType: 'application/json' } as const
const offers = [json, ...allFormats]
/** The values of `?format=` for one record. */
export const representationNames = offers.map(({ name }) => name)
export const otherMediaTypes = [...new Set(allFormats.map(({ mediaType }) => mediaType))]

/** The formats that a client may get. */
export interface WantedForm {
  /** The one that the query names. */
  readonly format: string | undefined
  /** There is no other format, as for past versions. */
  readonly onlyJson: boolean
  readonly sendJson: () => unknown
  /** Finds the identifier of the entity to write; throws where it has no answer in any format. */
  readonly find?: (catalogue: Catalogue) => Promise<string>
}

/**
 * Sends an entity in the format that the client prefers and the entity has, or calls `sendJson`
 * where that is JSON.
 */
export async function sendWanted(
  parts: FormatParts,
  request: FastifyRequest,
  reply: FastifyReply,
  identifier: string,
  { format, onlyJson, sendJson, find = async () => identifier }: WantedForm
): Promise<unknown> {
  const { principal, headers } = request
  const { accept } = headers
  const possible = onlyJson ? [json] : offers
  const wanted =
    format === undefined
      ? acceptable(
          accept,
          possible.filter(offer => !('isByNameOnly' in offer))
        )
      : possible.filter(({ name }) => name === format)
  for (const offer of wanted) {
    if (!('load' in offer)) return sendJson()
    const writer = await offer.load()
    const { value: written, from } = await parts.catalogue.noted(principal, async catalogue =>
      writer.one({ ...parts, catalogue }, principal, await find(catalogue))
    )
    if (written === undefined) continue
    if ('refusal' in written) throw new HttpError('not_acceptable', written.refusal)
    const { body } = written
    const contentType = contentTypeOf(offer.mediaType)
    // Without it, Fastify would add a charset to media types with "json" in them.
    reply.serializer((text: string) => text)
    return sendRepeatable(request, reply, { ready: { body, etag: etagOf(body) }, contentType, from: () => from })
  }
  await find(parts.catalogue)
  const always = possible.filter(offer => !('load' in offer) || offer.of === everyEntity)
  const available = [...new Set(always.map(({ mediaType }) => mediaType))]
  const reason = format === undefined ? `"Accept: ${accept}" excludes them` : `not as ${format}`
  throw new HttpError('not_acceptable', `"${identifier}" is available as ${available.join(', ')}; ${reason}`)
}

/** The media type, with the encoding where it is text. */
export const contentTypeOf = (mediaType: string) =>
  mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
