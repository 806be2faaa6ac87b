import type { FastifyRequest, onSendAsyncHookHandler, RouteOptions } from 'fastify'

import type { AuditLog } from '#auth/audit-log.ts'
import type { FollowUps } from '#catalogue/follow-ups.ts'
import type { AuditedAct, RouteDoc } from '../openapi/route-doc.ts'

/** Tags of the routes whose writes are administrative. */
const administrativeTags: ReadonlySet<RouteDoc['tag']> = new Set(['Access', 'Webhooks', 'Imports'])

/** Whether a route must name its act: it changes tokens, webhooks or imports. */
export const isAdministrative = ({ method }: Pick<RouteOptions, 'method'>, { tag, isPublic, needs }: RouteDoc) =>
  !isPublic && !['GET', 'HEAD'].includes(String(method)) && (administrativeTags.has(tag) || needs === 'admin')

/** Requests whose act is logged by the operation, in the transaction that carries it out. */
const loggedElsewhere = new WeakSet<FastifyRequest>()

/** Describes the act of a request, for an operation that logs it. */
export function actOf(request: FastifyRequest, { name, details }: AuditedAct) {
  loggedElsewhere.add(request)
  const { principal, ip } = request
  const given = details?.(request) ?? {}
  return (subject: string) => ({
    ...{ at: new Date().toISOString(), by: principal.name, act: name, subject, address: ip, details: given }
  })
}

/**
 * Returns a hook that logs the act of a route before its success is answered. The act has happened
 * by then: if it cannot be logged now, it is logged later.
 */
export const auditing =
  (audit: AuditLog, followUps: FollowUps, { name, details = () => ({}) }: AuditedAct): onSendAsyncHookHandler =>
  async (request, reply, payload) => {
    const described = reply.statusCode < 400 ? details(request) : undefined
    if (described === undefined || loggedElsewhere.has(request)) return payload
    const { id } = (request.params ?? {}) as { id?: string }
    const subject = id ?? String(reply.getHeader('location') ?? '').replace(/^.*\//, '')
    const act = audit.describe({
      by: request.principal.name,
      act: name,
      ...(subject === '' ? {} : { subject }),
      address: request.ip,
      details: described
    })
    await followUps.run(`log the act ${name}`, () => audit.log(act))
    return payload
  }
