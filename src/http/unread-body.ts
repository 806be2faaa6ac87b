import type { FastifyRequest } from 'fastify'

/** So many bytes of a body are read to their end although nobody wants them: quicker than a new connection. */
const mostReadOn = 65_536

/** Whether there may be more left of a body that was refused than is read on: then the connection ends with the answer. */
export const isLeftUnread = ({ raw, headers, routeOptions }: FastifyRequest) =>
  routeOptions.config?.doc?.isStreamed === true && !raw.complete && !(Number(headers['content-length']) <= mostReadOn)
