import type { FastifyReply, FastifyRequest } from 'fastify'

/** Origins whose pages may read answers: any, or a list. */
export type CorsOrigins = '*' | readonly string[]

/** Headers that scripts of such a page may read beside those that browsers always allow. */
const exposed = [
  ...['ETag', 'Link', 'Location', 'X-Total-Count', 'Retry-After', 'API-Version', 'RateLimit', 'RateLimit-Policy'],
  ...['Upload-Offset', 'Upload-Length', 'Tus-Resumable', 'Content-Disposition', 'WWW-Authenticate']
].join(', ')

/** Seconds for which a browser may cache the permission. */
const maxPreflightAge = 86_400

/**
 * Lets pages of other origins read answers (setting `CORS_ORIGINS`). There are no cookies, so an
 * allowed page gets only what its bearer gives; credentials are never allowed.
 */
export function createCrossOrigin(origins: CorsOrigins, methodsAt: (path: string) => readonly string[]) {
  const isAllowed = (origin: string) => origins === '*' || origins.includes(origin)
  return {
    /** Adds the headers and answers preflight requests; returns true if it answered. */
    admit(request: FastifyRequest, reply: FastifyReply): boolean {
      const { origin } = request.headers
      if (origin === undefined || !isAllowed(origin)) return false
      reply.header('access-control-allow-origin', origins === '*' ? '*' : origin)
      reply.header('access-control-expose-headers', exposed)
      if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
      reply
        .header('access-control-allow-methods', methodsAt(request.url.split('?')[0] ?? '').join(', '))
        .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
        .header('access-control-max-age', String(maxPreflightAge))
        .header('vary', 'Origin, Access-Control-Request-Headers')
        .code(204)
        .send()
      return true
    },
    /** Adds `Origin` to `Vary`. */
    vary(reply: FastifyReply) {
      if (origins === '*') return
      const given = reply.getHeader('vary')
      if (!String(given ?? '').includes('Origin'))
        reply.header('vary', given === undefined ? 'Origin' : `${String(given)}, Origin`)
    }
  }
}
