import type { FastifyRequest } from 'fastify'

/**
 * The address that the service has for a client: the stated one, else the one that was asked. A
 * `Host` that is none is passed over.
 */
export const rootUrlOf = (request: FastifyRequest, statedUrl: string | undefined): string =>
  statedUrl ?? URL.parse(`${request.protocol}://${request.host}`)?.origin ?? `${request.protocol}://localhost`
