import type { FastifyRequest } from 'fastify'

import { HttpError, readableTypes, unreadableType } from '../reply/errors.ts'

/* Checks of the headers of a body. */

/**
 * Throws for a media type that the route does not read: a JSON Patch read as a plain list would do
 * something else than intended.
 */
export function refuseUnreadableType(request: FastifyRequest) {
  const essence = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (essence !== 'application/json' && !readableTypes(request).includes(essence)) throw unreadableType(request)
}

/** Throws for a compressed body; otherwise its bytes would be reported as malformed JSON. */
export function refuseEncoded({ headers }: FastifyRequest) {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity')
    throw new HttpError(
      'unsupported_media_type',
      `"Content-Encoding: ${encoding}" is not supported; send the body uncompressed`
    )
}
