import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'

import type { Authenticator } from '#auth/authenticator.ts'
import type { TicketIssuer } from '#auth/tickets.ts'
import { CatalogueError } from '#domain/errors.ts'
import { type Principal, anonymousKey } from '#domain/permissions.ts'
import { HttpError } from '../reply/errors.ts'
import type { ConnectionCounter } from './connection-limits.ts'
import type { RouteDoc } from '../openapi/route-doc.ts'
import { refuseWithout } from './route-needs.ts'

export interface AdmissionParts {
  readonly authenticator: Authenticator
  readonly tickets: TicketIssuer
  /**
   * Principal of requests without a bearer, on paths that allow it; undefined where all need one.
   */
  readonly anonymous: Principal | undefined
  /** Limit of each token; undefined for none. */
  readonly rateLimit: RateLimit | undefined
  /** Limit of each address: requests without a bearer, with an invalid one, and to sign in. */
  readonly addressRateLimit: RateLimit
}

export interface Admission {
  /** Returns the hook of a route that identifies its callers. */
  hookFor(doc: RouteDoc): onRequestHookHandler
  /**
   * Admits a request that is answered as an equal one was, of a caller who reads everything and is
   * cached. Undefined for others, and at a limit: the hook of the route decides about these.
   */
  readmit(authorization: string, request: IncomingMessage, sink: HeaderSink): Principal | undefined
}

/** Receives the headers of an answer. */
interface HeaderSink {
  header(name: string, value: string): unknown
}

/** Headers that admission sends, different for each answer. */
export const headersOfLimits = ['ratelimit', 'ratelimit-policy'] as const

/** Identifies the caller by bearer or ticket before a request is read. */
export function createAdmission(
  { authenticator, tickets, anonymous, rateLimit, addressRateLimit }: AdmissionParts,
  connections: ConnectionCounter
): Admission {
  const limitToken = rateLimit && createRateLimiter('token', rateLimit)
  const limitAddress = createRateLimiter('address', addressRateLimit)
  /** Counts a refused bearer or ticket for its address. */
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): Error => {
    try {
      if (error instanceof CatalogueError && error.code === 'unauthenticated') limitAddress(request.ip, reply)
      return error as Error
    } catch (limited) {
      return limited as Error
    }
  }
  const hookFor = (doc: RouteDoc): onRequestHookHandler => {
    const admit = (request: FastifyRequest, reply: FastifyReply, principal: Principal) => {
      // First of all, so that a refusal is logged with its name.
      request.principal = principal
      limitToken?.(principal.key, reply)
      connections.claim(request.raw.socket, principal.key)
      if (doc.needs !== undefined) refuseWithout(doc.needs, principal)
      request.admittedAt = performance.now()
    }
    const produced = [doc.produces ?? 'application/json', ...(doc.alsoProduces ?? [])]
    return (request, reply, done) => {
      try {
        if (doc.isReadByAnyPage) reply.header('access-control-allow-origin', '*')
        refuseUnacceptable(request.headers.accept, produced, reply)
        if (doc.isPublic) {
          if (doc.isSignIn) limitAddress(request.ip, reply)
          return done()
        }
        const admitVisitor =
          doc.mayBeAnonymous && anonymous && request.headers.authorization === undefined
            ? () => {
                limitAddress(request.ip, reply)
                refuseWithout(doc.needs, anonymous)
                request.principal = { ...anonymous, address: request.ip }
                refuseLargeVisit(request, Number(request.headers['content-length'] ?? 0))
                request.admittedAt = performance.now()
                done()
              }
            : undefined
        const ticket = doc.ticketFor && ticketOf(request)
        if (ticket !== undefined) {
          tickets
            .admit(ticket)
            .then(({ principal, use }) => {
              const { id } = request.params as { id?: string }
              const only = use.mediafileId ?? use.entityId
              if (use.action !== doc.ticketFor || (only !== undefined && only !== id)) throw otherResource()
              request.ticket = use
              admit(request, reply, principal)
              done()
            })
            // With a ticket that is not valid, a visitor still reads what visitors may read.
            .catch((error: unknown) => {
              const isRefused = error instanceof CatalogueError && error.code === 'unauthenticated'
              if (isRefused && admitVisitor) admitVisitor()
              else done(refuse(error, request, reply))
            })
            .catch((error: unknown) => done(error as Error))
          return
        }
        if (admitVisitor) return admitVisitor()
        const { authorization } = request.headers
        const principal = authenticator.authenticate(doc.takesBasic ? basicToBearer(authorization) : authorization)
        const pass = (found: Principal) => {
          admit(request, reply, found)
          done()
        }
        if (principal instanceof Promise)
          principal.then(pass).catch((error: unknown) => done(refuse(error, request, reply)))
        else pass(principal)
      } catch (error) {
        done(refuse(error, request, reply))
      }
    }
  }
  return {
    hookFor,
    readmit(authorization, { socket }, sink) {
      const principal = authenticator.findCached(authorization)
      if (!principal?.readsEverything) return undefined
      try {
        connections.claim(socket, principal.key)
        limitToken?.(principal.key, sink)
        return principal
      } catch {
        return undefined
      }
    }
  }
}

/**
 * Turns the password of HTTP Basic into a bearer, whatever the user name; other headers are
 * unchanged.
 */
function basicToBearer(header: string | undefined): string | undefined {
  const given = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(header ?? '')?.[1]
  if (given === undefined) return header
  const text = Buffer.from(given, 'base64').toString('utf8')
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`
}

/** The ticket of a request that has no bearer. */
function ticketOf({ headers, query }: FastifyRequest): string | undefined {
  const { ticket } = query as { ticket?: unknown }
  return headers.authorization === undefined && typeof ticket === 'string' ? ticket : undefined
}

/** Refuses an `Accept` that names other media types only. No `Accept`, or any type, means JSON. */
function refuseUnacceptable(accept: string | undefined, produced: readonly string[], reply: FastifyReply) {
  if (accept === undefined || accept === produced[0] || accept === '' || accept.includes('*/*')) return
  if (produced.includes('*/*')) return
  const acceptable = new Set(['*', ...produced.flatMap(each => [each, `${each.split('/')[0]}/*`])])
  if (acceptable.has('application/json')) acceptable.add('application/problem+json')
  // A browser shows XML.
  if (acceptable.has('text/xml')) acceptable.add('text/html')
  const isGood = accept.split(',').some(range => acceptable.has(range.split(';')[0]?.trim().toLowerCase() ?? ''))
  if (isGood) return
  // Another `Accept` would succeed: caches must not reuse this answer.
  reply.header('vary', 'Accept, Accept-Encoding')
  throw new HttpError('not_acceptable', `The answer is ${produced.join(' or ')}, which "Accept: ${accept}" excludes`)
}

/** Maximum requests in a number of seconds. */
interface RateLimit {
  readonly requests: number
  readonly seconds: number
}

/** Number of windows at which expired ones are removed. */
const maxWindows = 10_000

/** The subject whose requests are counted. */
type RateSubject = 'token' | 'address'

/**
 * Counts requests by token or by address, in windows of fixed length. Sends the remaining number
 * with every answer (RateLimit header fields, draft 11), and throws `rate_limited` at zero.
 */
function createRateLimiter(subject: RateSubject, { requests, seconds }: RateLimit) {
  const windows = new Map<string, { left: number; ends: number }>()
  return (key: string, reply: HeaderSink) => {
    // Not the clock of the machine: if it is set back, windows must end all the same. Whole
    // milliseconds: with fractions the sum below could be more than a window from now.
    const moment = Math.floor(performance.now())
    let window = windows.get(key)
    if (!window || window.ends <= moment) {
      if (windows.size >= maxWindows) {
        for (const [each, { ends }] of windows) if (ends <= moment) windows.delete(each)
        // A client with very many addresses must not fill the memory.
        if (windows.size >= maxWindows) windows.clear()
      }
      window = { left: requests, ends: moment + seconds * 1000 }
      windows.set(key, window)
    }
    const wait = Math.ceil((window.ends - moment) / 1000)
    const isOver = window.left === 0
    if (!isOver) window.left--
    reply.header('ratelimit-policy', `"${subject}";q=${requests};w=${seconds}`)
    reply.header('ratelimit', `"${subject}";r=${window.left};t=${wait}`)
    if (!isOver) return
    throw new HttpError(
      'rate_limited',
      `This ${subject} may send at most ${requests} requests in ${seconds} seconds; try again in ${wait} seconds`,
      [],
      wait
    )
  }
}

export const otherResource = () => new CatalogueError('unauthenticated', 'The ticket is for another resource')

/**
 * Maximum bytes of a body of a caller without a bearer, as of a form. A filter that a person made
 * has some hundred; reading one of a mebibyte costs the main thread a tenth of a second.
 */
const maxVisitorBytes = 65_536

/** Refuses the body of a caller without a bearer that is larger than that. */
export function refuseLargeVisit({ principal }: FastifyRequest, bytes: number) {
  if (bytes <= maxVisitorBytes || principal?.key !== anonymousKey) return
  throw new HttpError(
    'body_too_large',
    `Without a bearer token a body may have at most ${maxVisitorBytes} bytes; send a token or a smaller body`
  )
}
