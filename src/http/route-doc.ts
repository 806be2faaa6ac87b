import type { ProblemCode } from './errors.ts'

/** What the OpenAPI document says of a route beside its schemas. */
export interface RouteDoc {
  readonly summary: string
  readonly description?: string
  readonly tag: 'Entities' | 'WEM' | 'Access' | 'Service'
  /** Needs no bearer. */
  readonly isPublic?: boolean
  /** Problems of its own, beside those any request can have. */
  readonly problems?: readonly ProblemCode[]
  /** Media type of the answer, where it is not JSON. */
  readonly produces?: string
  /** Media types of the body, where it is not only JSON. */
  readonly consumes?: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    doc?: RouteDoc
  }
}
