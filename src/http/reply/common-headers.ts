import type { onRequestHookHandler } from 'fastify'

import type { RouteDoc } from '../openapi/route-doc.ts'

/**
 * Headers of every answer. A client may store an answer but must revalidate it, except for the
 * routes of `secretTags`; nothing here may be executed or framed.
 */
export const commonHeaders = {
  'api-version': '1',
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Encoding'
}

/** Tags of the routes whose answers hold tokens, secrets or the audit log. */
export const secretTags: ReadonlySet<RouteDoc['tag']> = new Set(['Access', 'Webhooks'])

/** Keeps answers out of the caches of browsers. */
export const forbidStoring: onRequestHookHandler = (_request, reply, done) => {
  reply.header('cache-control', 'no-store')
  done()
}
