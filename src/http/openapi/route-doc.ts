import type { FastifyRequest } from 'fastify'

import type { TicketAction } from '#auth/tickets.ts'
import type { Json } from '#domain/entity/entity.ts'
import type { ProblemCode } from '../reply/errors.ts'
import type { RouteNeed } from '../access/route-needs.ts'

/** The act that a route carries out, for the audit log. */
export interface AuditedAct {
  readonly name: string
  /** Details without secrets. Undefined where the request carries out nothing, as a dry run. */
  readonly details?: (request: FastifyRequest) => Json | undefined
}

/** The description of a route in the OpenAPI document, beside its schemas. */
export interface RouteDoc {
  readonly summary: string
  readonly description?: string
  readonly tag:
    | 'Entities'
    | 'Media'
    | 'WEM'
    | 'History'
    | 'Export'
    | 'Changes'
    | 'Webhooks'
    | 'Imports'
    | 'Access'
    | 'Protocols'
    | 'Service'
  /** The least rights of a token. Every route that takes a body and is not public names them. */
  readonly needs?: RouteNeed
  /** The act that it carries out, for the audit log. Every administrative write names one. */
  readonly act?: AuditedAct
  /** Needs no bearer. */
  readonly isPublic?: boolean
  /** A step of signing in: counted by address, since there is no bearer. */
  readonly isSignIn?: boolean
  /**
   * Whether it can be used without a bearer where `ANONYMOUS_ACCESS` allows it. Unless stated here,
   * that holds for the routes that only read records (`readsRecords`).
   */
  readonly mayBeAnonymous?: boolean
  /**
   * Accepts HTTP Basic too, with a token as the password: many harvesters and library systems
   * support nothing else.
   */
  readonly takesBasic?: boolean
  /** Accepts a ticket for this action instead of a bearer. */
  readonly ticketFor?: TicketAction
  /**
   * Scripts of every origin may read the answer (CORS); there are no cookies, so it gives only what
   * the bearer gives.
   */
  readonly isReadByAnyPage?: boolean
  /** The answer holds a secret, such as a new token, so it is never compressed (BREACH). */
  readonly holdsSecret?: boolean
  /** Belongs to the web page, so the OpenAPI document leaves it out. */
  readonly isPage?: boolean
  /** Problems beside those of every request. */
  readonly problems?: readonly ProblemCode[]
  /** Media type of the answer, where it is not JSON; any type where it is not known in advance. */
  readonly produces?: string
  /** Further media types of the answer. */
  readonly alsoProduces?: readonly string[]
  /** Media types of JSON with one document a line, which is text as a whole. */
  readonly inLines?: readonly string[]
  /** Whether the JSON types among them hold a list. */
  readonly isList?: boolean
  /** The body is streamed, without a time limit. */
  readonly isStreamed?: boolean
  /** Media types of the body, where it is not JSON only. */
  readonly consumes?: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    doc?: RouteDoc
  }
}
