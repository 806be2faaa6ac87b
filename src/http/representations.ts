import { hash } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { isKnownToClient } from './conditions.ts'
import { HttpError } from './errors.ts'
import { acceptable } from './negotiate.ts'
import { everyEntity, type Representation, type RepresentationParts } from './representation.ts'
import { citationForms } from './representations/citations.ts'
import { linkedDataForms } from './representations/linked-data.ts'
import { marcForms } from './representations/marc.ts'

/** Every form there is beside JSON. To add one, write it and add a line here. */
export const representations: readonly Representation[] = [...linkedDataForms, ...citationForms, ...marcForms]

export const json = { name: 'json', mediaType: 'application/json' } as const
const offers = [json, ...representations]
export const formatNames = offers.map(({ name }) => name)
export const otherMediaTypes = [...new Set(representations.map(({ mediaType }) => mediaType))]

/**
 * Sends an entity in the form that the client wants most and the entity has, or what `sendJson` sends where that is JSON. With `onlyJson` there is no
 * other form, as for the past.
 */
export async function sendWanted(
  parts: RepresentationParts,
  request: FastifyRequest,
  reply: FastifyReply,
  identifier: string,
  asked: { readonly format: string | undefined; readonly onlyJson: boolean },
  sendJson: () => unknown
): Promise<unknown> {
  const { accept } = request.headers
  const possible = asked.onlyJson ? [json] : offers
  const wanted =
    asked.format === undefined ? acceptable(accept, possible) : possible.filter(({ name }) => name === asked.format)
  for (const offer of wanted) {
    if (!('make' in offer)) return sendJson()
    const body = await offer.make(parts, request.principal, identifier)
    if (body !== undefined) return send(offer, body, request, reply)
  }
  const had = possible.filter(offer => !('make' in offer) || offer.of === everyEntity).map(({ mediaType }) => mediaType)
  const said =
    asked.format === undefined ? `"Accept: ${accept}" leaves that out` : `it is not to be had as ${asked.format}`
  throw new HttpError('not_acceptable', `"${identifier}" can be had as ${had.join(', ')}; ${said}`)
}

/** Each form has a tag of its own: it changes when anything shown in it changes. */
function send(
  { mediaType }: Representation,
  body: string | Buffer,
  request: FastifyRequest,
  reply: FastifyReply
): FastifyReply {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
  reply.header('etag', etag)
  if (isKnownToClient(request.headers, etag)) return reply.code(304).send()
  return reply.type(/^text\//.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType).send(body)
}
