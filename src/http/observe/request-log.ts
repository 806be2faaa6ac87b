import type { FastifyBaseLogger } from 'fastify'

/** One request that has ended. It holds no query, header or body, where secrets could be. */
export interface EndedRequest {
  readonly requestId: string
  readonly method: string
  /** The pattern of the path, such as `/entities/:id`; `unknown` where there is none. */
  readonly route: string
  /** 499 where the client went away before the answer was sent. */
  readonly status: number
  readonly milliseconds: number
  /** Bytes sent, with headers. */
  readonly bytes: number
  /** The name of the token or person; undefined without a bearer. */
  readonly principal: string | undefined
}

/** Which requests are logged: the share of those that succeed, and whether failures are too. */
export interface RequestLogging {
  readonly share: number
  readonly hasFailures: boolean
}

/**
 * Returns a function that logs an ended request, if it is among those to log. Lines are written
 * whatever the level of the log is.
 */
export function createRequestLog({ share, hasFailures }: RequestLogging, log: FastifyBaseLogger, random: () => number) {
  const lines = log.child({}, { level: 'info' })
  return ({ milliseconds, ...request }: EndedRequest) => {
    const isLogged = share === 1 || (hasFailures && request.status >= 400) || (share > 0 && random() < share)
    if (isLogged) lines.info({ ...request, ms: Math.round(milliseconds * 1000) / 1000 }, 'request')
  }
}
