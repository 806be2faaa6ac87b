import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'

import type { Authenticator } from '#auth/authenticator.ts'
import type { TicketKeeper } from '#auth/tickets.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { HttpError } from './errors.ts'
import { createRateLimiter, type RateLimit } from './rate-limit.ts'
import type { RouteDoc } from './route-doc.ts'
import { refuseWithout } from './route-needs.ts'

export interface AdmissionParts {
  readonly authenticator: Authenticator
  readonly tickets: TicketKeeper
  /** Whoever sends no bearer, on paths that allow it; undefined where all need one. */
  readonly anonymous: Principal | undefined
  /** Undefined for none. */
  readonly rateLimit: RateLimit | undefined
}

/** Says who asks, by bearer or ticket, before anything of a request is read; gives the hook for each route. */
export function createAdmission({ authenticator, tickets, anonymous, rateLimit }: AdmissionParts) {
  const limitRate = rateLimit && createRateLimiter(rateLimit, Date.now)
  return (doc: RouteDoc): onRequestHookHandler => {
    const admit = (request: FastifyRequest, reply: FastifyReply, principal: Principal) => {
      limitRate?.(principal, reply)
      refuseWithout(doc.needs, principal)
      request.principal = principal
    }
    const produced = [doc.produces ?? 'application/json', ...(doc.alsoProduces ?? [])]
    return (request, reply, done) => {
      try {
        if (doc.isReadByAnyPage) reply.header('access-control-allow-origin', '*')
        refuseUnacceptable(request.headers.accept, produced, reply)
        if (doc.isPublic) return done()
        if (doc.mayBeAnonymous && anonymous && request.headers.authorization === undefined) {
          admit(request, reply, anonymous)
          return done()
        }
        const ticket = doc.ticketFor && ticketOf(request)
        if (ticket !== undefined) {
          tickets
            .admit(ticket)
            .then(({ principal, use }) => {
              const { id } = request.params as { id?: string }
              const only = use.mediafileId ?? use.entityId
              if (use.action !== doc.ticketFor || (only !== undefined && only !== id))
                throw new CatalogueError('unauthenticated', 'The ticket is for something else')
              request.ticket = use
              admit(request, reply, principal)
              done()
            })
            .catch(done)
          return
        }
        const principal = authenticator.authenticate(request.headers.authorization)
        const pass = (found: Principal) => {
          admit(request, reply, found)
          done()
        }
        if (principal instanceof Promise) principal.then(pass).catch(done)
        else pass(principal)
      } catch (error) {
        done(error as Error)
      }
    }
  }
}

/** The ticket of a request that has no bearer. */
function ticketOf({ headers, query }: FastifyRequest): string | undefined {
  const { ticket } = query as { ticket?: unknown }
  return headers.authorization === undefined && typeof ticket === 'string' ? ticket : undefined
}

/** JSON can always be had; a client that names other forms only is told so. No `Accept`, or any form, means JSON. */
function refuseUnacceptable(accept: string | undefined, produced: readonly string[], reply: FastifyReply) {
  if (accept === undefined || accept === produced[0] || accept === '' || accept.includes('*/*')) return
  if (produced.includes('*/*')) return
  const acceptable = new Set(['*', ...produced.flatMap(each => [each, `${each.split('/')[0]}/*`])])
  if (acceptable.has('application/json')) acceptable.add('application/problem+json')
  const isGood = accept.split(',').some(range => acceptable.has(range.split(';')[0]?.trim().toLowerCase() ?? ''))
  if (isGood) return
  // Another `Accept` would have got an answer: no cache may give this one to others.
  reply.header('vary', 'Accept')
  throw new HttpError('not_acceptable', `The answer is ${produced.join(' or ')}; "Accept: ${accept}" leaves that out`)
}
