import type { onSendAsyncHookHandler, RouteOptions } from 'fastify'

import type { AuditLog } from '#auth/audit-log.ts'
import type { AuditedAct, RouteDoc } from '../openapi/route-doc.ts'

/** Tags of the routes whose writes are administrative. */
const administrativeTags: ReadonlySet<RouteDoc['tag']> = new Set(['Access', 'Webhooks', 'Imports'])

/** Whether a route must name its act: it changes tokens, webhooks or imports. */
export const isAdministrative = ({ method }: Pick<RouteOptions, 'method'>, { tag, isPublic, needs }: RouteDoc) =>
  !isPublic && !['GET', 'HEAD'].includes(String(method)) && (administrativeTags.has(tag) || needs === 'admin')

/**
 * Returns a hook that logs the act of a route before its success is answered: an acknowledged act
 * is in the log.
 */
export const auditing =
  (audit: AuditLog, { name, details = () => ({}) }: AuditedAct): onSendAsyncHookHandler =>
  async (request, reply, payload) => {
    const described = reply.statusCode < 400 ? details(request) : undefined
    if (described === undefined) return payload
    const { id } = (request.params ?? {}) as { id?: string }
    const subject = id ?? String(reply.getHeader('location') ?? '').replace(/^.*\//, '')
    await audit.record({
      by: request.principal.name,
      act: name,
      ...(subject === '' ? {} : { subject }),
      address: request.ip,
      details: described
    })
    return payload
  }
