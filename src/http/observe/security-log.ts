import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/** Events that an operator watches for attacks and mistakes. */
export type SecurityEvent = 'sign_in' | 'sign_in_failed' | 'unauthenticated' | 'forbidden' | 'rate_limited'

const watched: ReadonlySet<string> = new Set<SecurityEvent>([
  'sign_in_failed',
  'unauthenticated',
  'forbidden',
  'rate_limited'
])

/** Whether a problem is logged as a security event. */
export const isSecurityEvent = (code: string): code is SecurityEvent => watched.has(code)

/** The logger of these lines, by the logger of the service. */
const loggers = new WeakMap<FastifyBaseLogger, FastifyBaseLogger>()

/**
 * Logs a security event. The line is written whatever the level of the log is, unless that is
 * `silent`. It holds no query, header or body, where secrets could be.
 */
export function logSecurityEvent(request: FastifyRequest, event: SecurityEvent, principal?: string) {
  if (request.log.level === 'silent') return
  const log = loggers.get(request.log) ?? request.log.child({}, { level: 'info' })
  loggers.set(request.log, log)
  log.info(
    {
      event,
      requestId: request.id,
      method: request.method,
      path: request.url.split('?')[0],
      address: request.ip,
      // Null until a bearer was accepted.
      principal: principal ?? request.principal?.name
    },
    'security'
  )
}
