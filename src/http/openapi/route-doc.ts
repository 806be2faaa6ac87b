import type { TicketAction } from '#auth/tickets.ts'
import type { ProblemCode } from '../reply/errors.ts'
import type { RouteNeed } from '../access/route-needs.ts'

/** What the OpenAPI document says of a route beside its schemas. */
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
  /**
   * The least that a token needs here. Every route that takes a body and is not public names one.
   */
  readonly needs?: RouteNeed
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
   * Takes HTTP Basic too, with a token as the password: many harvesters and library systems know
   * nothing else.
   */
  readonly takesBasic?: boolean
  /** Takes a ticket for this instead of a bearer. */
  readonly ticketFor?: TicketAction
  /**
   * Scripts on pages of others may read the answer (CORS); without a cookie anywhere, that gives
   * nobody anything but what their bearer gives.
   */
  readonly isReadByAnyPage?: boolean
  /** A part of the web page: it is for browsers, so the OpenAPI document leaves it out. */
  readonly isPage?: boolean
  /** Problems of its own, beside those any request can have. */
  readonly problems?: readonly ProblemCode[]
  /** Media type of the answer, where it is not JSON; any where it is not known before. */
  readonly produces?: string
  /** Media types that the answer can also have. */
  readonly alsoProduces?: readonly string[]
  /** Those of them that are JSON hold a list. */
  readonly isList?: boolean
  /** The body is read bit by bit for as long as it takes. */
  readonly isStreamed?: boolean
  /** Media types of the body, where it is not only JSON. */
  readonly consumes?: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    doc?: RouteDoc
  }
}
