import type { FastifyRequest } from 'fastify'

/**
 * The address of the service for a client: the configured one, or that of the request. An invalid
 * `Host` is ignored.
 */
export const rootUrlOf = (request: FastifyRequest, statedUrl: string | undefined): string =>
  statedUrl ?? URL.parse(`${request.protocol}://${request.host}`)?.origin ?? `${request.protocol}://localhost`
