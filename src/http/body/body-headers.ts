import type { FastifyRequest } from 'fastify'

import { HttpError, readableTypes, unreadableType } from '../reply/errors.ts'

/* What the headers of a body say of it, held against what its path reads. */

/** A list of operations read as the list that it changes would do something else than was asked. */
export function refuseUnreadableType(request: FastifyRequest) {
  const essence = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (essence !== 'application/json' && !readableTypes(request).includes(essence)) throw unreadableType(request)
}

/**
 * A body that was compressed is nothing that any path can read, and its bytes would be told as
 * malformed.
 */
export function refuseEncoded({ headers }: FastifyRequest) {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity')
    throw new HttpError(
      'unsupported_media_type',
      `Nothing here reads "Content-Encoding: ${encoding}"; send the body as it is`
    )
}
