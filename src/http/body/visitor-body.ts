import type { FastifyRequest } from 'fastify'

import { anonymousKey } from '#domain/permissions.ts'
import { HttpError } from '../reply/errors.ts'

/**
 * Maximum bytes of a body of a caller without a bearer, as of a form. A filter that a person made
 * has some hundred; reading one of a mebibyte costs the main thread a tenth of a second.
 */
export const maxVisitorBytes = 65_536

/** Refuses the body of a caller without a bearer that is larger than that. */
export function refuseLargeVisit({ principal }: FastifyRequest, bytes: number) {
  if (bytes <= maxVisitorBytes || principal?.key !== anonymousKey) return
  throw new HttpError(
    'body_too_large',
    `Without a bearer token a body may have at most ${maxVisitorBytes} bytes; send a token or a smaller body`
  )
}
