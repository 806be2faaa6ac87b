import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

import { table } from '#domain/table.ts'
import { atMost, CatalogueError, type ErrorCode, type Fault, maxFaults } from '#domain/errors.ts'
import { isLeftUnread, lingerAtEnd } from '../body/unread-body.ts'
import { isSecurityEvent, logSecurityEvent } from '../observe/security-log.ts'

/** Errors that occur before a request reaches the catalogue. */
const httpErrorCodes = [
  'bad_request',
  'malformed_json',
  'no_such_path',
  'method_not_allowed',
  'not_acceptable',
  'request_timeout',
  'body_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'range_not_satisfiable',
  'unsupported_tus_version',
  'rate_limited',
  'headers_too_large',
  'internal'
] as const
export type HttpErrorCode = (typeof httpErrorCodes)[number]

export type ProblemCode = ErrorCode | HttpErrorCode

export interface ProblemKind {
  readonly status: number
  readonly title: string
  /** Code of the platform whose clients exist already; they read it from `message`. */
  readonly clientCode: string
  /** Advice for the sender: the text of the page under `/problems/`. */
  readonly explanation: string
}

/** Every problem. A new code without a line here does not compile. */
export const problemKinds = {
  invalid: {
    status: 400,
    title: 'Invalid',
    clientCode: 'W5011',
    explanation:
      'The body does not match the record type or the expected structure. `errors` lists each fault with its position.'
  },
  description_too_long: {
    status: 400,
    title: 'Description too long',
    clientCode: 'W13000',
    explanation: '`description_short` may have at most 500 characters of stored HTML. Put the rest into `description`.'
  },
  invalid_filter: {
    status: 400,
    title: 'Invalid filter',
    clientCode: 'R6001',
    explanation: 'A filter object is malformed. `errors` holds the JSON pointer of each fault.'
  },
  unknown_filter_type: {
    status: 400,
    title: 'Unknown filter type',
    clientCode: 'R6002',
    explanation: 'The `type` of a filter object is not known to this service.'
  },
  bad_request: {
    status: 400,
    title: 'Bad request',
    clientCode: 'W5011',
    explanation: 'The request or one of its parameters is malformed.'
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    clientCode: 'W5011',
    explanation:
      'The body is empty, is not JSON in UTF-8, is nested too deeply, has too many values, or has a member that is not allowed.'
  },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    clientCode: 'R1013',
    explanation: 'Send `Authorization: Bearer <token>` with a token that is valid and not expired.'
  },
  sign_in_failed: {
    status: 400,
    title: 'Sign-in failed',
    clientCode: 'R1014',
    explanation:
      'Signing in with an issuer failed. `reason` is `denied` (by the issuer or by the person), `expired` (the code or the refresh token was used or is too old), `mismatch` (the answer belongs to another sign-in), `unusable` (the token of the issuer is not for this service) or `refused` (another refusal of the issuer; `detail` has its message). Sign in again; for the last two, check `OIDC_ISSUERS`.'
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    clientCode: 'R1008',
    explanation: 'The token is valid but lacks the scope for this request. Ask its issuer for a token with more scopes.'
  },
  not_found: {
    status: 404,
    title: 'Not found',
    clientCode: 'R0004',
    explanation: 'No record has this identifier, or the token may not read it.'
  },
  incomplete_wem: {
    status: 404,
    title: 'Incomplete WEM',
    clientCode: 'R0005',
    explanation:
      'The manifestation exists, but its expression or its work does not. `missing_level` names the missing one.'
  },
  several_matches: {
    status: 300,
    title: 'Several matches',
    clientCode: 'R0012',
    explanation:
      'Several manifestations have this ISBN, ISSN or EAN. `candidates` lists the first of them; use one of their ids.'
  },
  no_such_path: {
    status: 404,
    title: 'No such path',
    clientCode: 'R0006',
    explanation: 'The interface has no such path. `/docs` lists all paths.'
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    clientCode: 'R0007',
    explanation: 'The path exists, but not for this method. `Allow` lists its methods.'
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    clientCode: 'R0008',
    explanation: 'The answer is not available in any media type that `Accept` names. JSON always is.'
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    clientCode: 'R0009',
    explanation: 'The request did not arrive completely in time.'
  },
  identifier_taken: {
    status: 409,
    title: 'Identifier taken',
    clientCode: 'W2004',
    explanation: 'Another entity has one of the identifiers. Identifiers are unique in the catalogue.'
  },
  still_referenced: {
    status: 409,
    title: 'Still referenced',
    clientCode: 'W2005',
    explanation:
      'Other entities refer to this one; `references` lists the first of them. Remove those relations, or delete with `?references=detach`.'
  },
  patch_not_applicable: {
    status: 409,
    title: 'Patch not applicable',
    clientCode: 'W2006',
    explanation: 'A test of the JSON Patch failed, or one of its paths does not exist in the current entity.'
  },
  cursor_expired: {
    status: 410,
    title: 'Cursor expired',
    clientCode: 'R7001',
    explanation:
      'The changes after this cursor have been deleted, or the cursor belongs to another feed. Read everything again, then continue from `restart_cursor`.'
  },
  key_reused: {
    status: 422,
    title: 'Key reused',
    clientCode: 'W2008',
    explanation:
      'This `Idempotency-Key` was used for another request within the last day. Use a new key for each request.'
  },
  version_mismatch: {
    status: 412,
    title: 'Version mismatch',
    clientCode: 'W2007',
    explanation:
      'The entity has another version than `If-Match` names: it was changed meanwhile. Read it again and repeat the change.'
  },
  offset_mismatch: {
    status: 409,
    title: 'Offset mismatch',
    clientCode: 'W2009',
    explanation:
      'The upload has another length than `Upload-Offset` states. Read the length with `HEAD` and continue there.'
  },
  checksum_mismatch: {
    status: 460,
    title: 'Checksum mismatch',
    clientCode: 'W2010',
    explanation: 'The received bytes do not match their checksum. They were discarded; send them again.'
  },
  media_too_large: {
    status: 413,
    title: 'Media file too large',
    clientCode: 'W5016',
    explanation: 'The file is larger than the setting `MEDIA_LIMIT` allows, or than the declared length of the upload.'
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    clientCode: 'W5012',
    explanation:
      'The body is larger than the setting `BODY_LIMIT` allows, or, without a bearer token, than 64 kB. Send smaller bodies.'
  },
  uri_too_long: {
    status: 414,
    title: 'Address too long',
    clientCode: 'W5013',
    explanation: 'A part of the path is longer than any identifier can be.'
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    clientCode: 'W5014',
    explanation:
      'Send bodies as `application/json`; `PATCH` also takes `application/merge-patch+json` and `application/json-patch+json`.'
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    clientCode: 'R0011',
    explanation: 'The `Range` begins after the end of the file. `Content-Range` has the length of the file.'
  },
  unsupported_tus_version: {
    status: 412,
    title: 'Unsupported tus version',
    clientCode: 'W5017',
    explanation: 'Resumable uploads follow tus 1.0.0. Send `Tus-Resumable: 1.0.0`.'
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    clientCode: 'R0010',
    explanation:
      'The token or the address has reached a limit: of requests in a period (`RATE_LIMIT`, `ADDRESS_RATE_LIMIT`), or of open connections and event streams. Try again after `Retry-After` seconds.'
  },
  too_many_imports: {
    status: 429,
    title: 'Too many imports',
    clientCode: 'W5018',
    explanation:
      'As many imports of this token wait as may wait. The file was not stored. Send it when one of them has ended, or stop one.'
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    clientCode: 'W5015',
    explanation: 'The headers of the request are too large.'
  },
  internal: {
    status: 500,
    title: 'Internal server error',
    clientCode: 'X0500',
    explanation: 'An error in the service. Its log has the details, under the request id.'
  },
  query_timeout: {
    status: 503,
    title: 'Query timeout',
    clientCode: 'R6003',
    explanation:
      'The query was not answered within `QUERY_DEADLINE`, counted from its arrival. The detail says whether the query itself took too long (narrow it, for instance by a type) or waited in the queue (try again after `Retry-After` seconds).'
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    clientCode: 'X0503',
    explanation:
      'The database or an issuer of tokens is not reachable, or the index of lists and searches is being built. Try again after `Retry-After` seconds.'
  },
  storage_full: {
    status: 507,
    title: 'Storage full',
    clientCode: 'X0507',
    explanation: 'The disk is full. Nothing was written; reads still work. Free some space.'
  }
} as const satisfies Record<ProblemCode, ProblemKind>

export class HttpError extends Error {
  readonly code: HttpErrorCode
  readonly faults: readonly Fault[]
  /** Seconds until a retry, where they differ from the usual ones of the code. */
  readonly retryAfter: number | undefined

  constructor(code: HttpErrorCode, message: string, faults: readonly Fault[] = [], retryAfter?: number) {
    super(message)
    this.name = 'HttpError'
    this.code = code
    this.faults = atMost(maxFaults, faults)
    this.retryAfter = retryAfter
  }
}

/** RFC 9457, with the members that existing clients read. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance?: string
  readonly code: string
  readonly errors?: readonly Fault[]
  readonly message: string
  readonly [member: string]: unknown
}

export const problemPath = (code: ProblemCode) => `/problems/${code.replaceAll('_', '-')}`

/**
 * Turns any error into a problem. An error without a code is a bug: its message goes to the log
 * only.
 */
export function toProblem(error: unknown, instance?: string): Problem {
  const known = error instanceof CatalogueError || error instanceof HttpError ? error : fromFramework(error)
  const code: ProblemCode = known?.code ?? 'internal'
  const kind: ProblemKind = problemKinds[code]
  const detail = known?.message ?? 'Internal server error'
  const about = known instanceof CatalogueError ? known.about : undefined
  // Clients cut the text after the first variable, so there is always one.
  const [name, value] = about ?? ['status', String(kind.status)]
  return {
    type: problemPath(code),
    title: kind.title,
    status: kind.status,
    detail,
    ...(instance === undefined ? {} : { instance }),
    code,
    ...(known && known.faults.length > 0
      ? { errors: known.faults.map(({ pointer, message }) => ({ pointer, message })) }
      : {}),
    ...(known instanceof CatalogueError ? known.extra : {}),
    message: `${kind.clientCode} | ${name}:${value} - ${detail}`
  }
}

/** Seconds until a retry, by problem. */
const retryAfter: Partial<Record<ProblemCode, string>> = {
  unavailable: '2',
  query_timeout: '5',
  too_many_imports: '60',
  storage_full: '60'
}

/**
 * RFC 6750: `error` tells a request with a bearer that the bearer is the fault. Some paths accept
 * Basic too.
 */
function challengeTo({ headers, routeOptions }: FastifyRequest, fault: string): string {
  const error = headers.authorization === undefined ? '' : `, error="${fault}"`
  const basic = routeOptions?.config?.doc?.takesBasic ? ', Basic realm="libretto", charset="UTF-8"' : ''
  return `Bearer realm="libretto"${error}${basic}`
}

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(withOwnMessage(error, request), request.url.split('?')[0])
  if (problem.status >= 500) {
    // Without the query, which may hold a ticket.
    logFailure(request, error, problem.detail, problem.instance)
    reply.header('x-request-id', request.id)
  }
  const code = problem.code as ProblemCode
  if (isSecurityEvent(code)) logSecurityEvent(request, code)
  const wait =
    error instanceof HttpError && error.retryAfter !== undefined ? String(error.retryAfter) : retryAfter[code]
  if (wait !== undefined) reply.header('retry-after', wait)
  if (code === 'unauthenticated') reply.header('www-authenticate', challengeTo(request, 'invalid_token'))
  if (code === 'forbidden') reply.header('www-authenticate', challengeTo(request, 'insufficient_scope'))
  if (code === 'unsupported_media_type' && request.method === 'PATCH')
    reply.header('accept-patch', readableTypes(request).join(', '))
  if (code === 'unsupported_media_type' && request.headers['content-encoding'] !== undefined)
    reply.header('accept-encoding', 'identity')
  // Otherwise a client that reuses connections would send its next request into a closing one.
  if (isLeftUnread(request)) {
    lingerAtEnd(request)
    reply.header('connection', 'close')
  }
  // A refusal must not be saved under the name of the requested file.
  reply.removeHeader('content-disposition').status(problem.status)
  const page = request.server.errorPage?.(problem, request)
  return page
    ? reply.headers(page.headers).type('text/html; charset=utf-8').send(page.text)
    : reply.type('application/problem+json').send(JSON.stringify(problem))
}

/** Logs an error of the service; one that belongs to normal operation is no error. */
export function logFailure(request: FastifyRequest, error: unknown, message: string, path?: string) {
  const about = { requestId: request.id, method: request.method, ...(path === undefined ? {} : { path }) }
  if (isClientLeaving(error, request)) request.log.debug(about, clientLeft)
  else if (error instanceof CatalogueError && error.isExpected) request.log.debug(about, message)
  else request.log.error({ err: error, ...about }, message)
}

export const patchMediaTypes = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json'
] as const

/** Media types of the bodies that a route reads. */
export const readableTypes = ({ routeOptions }: FastifyRequest): readonly string[] =>
  routeOptions.config?.doc?.consumes ?? ['application/json']

export function unreadableType(request: FastifyRequest): HttpError {
  const sent = request.headers['content-type']
  const fault = sent === undefined ? 'The body has no Content-Type' : `This path does not read "Content-Type: ${sent}"`
  return new HttpError('unsupported_media_type', `${fault}; send ${readableTypes(request).join(', ')}`)
}

/** Replaces messages of the framework, which name neither the fault nor the remedy. */
function withOwnMessage(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof HttpError || error instanceof CatalogueError) return error
  const code = fromFramework(error)?.code
  if (code === 'unsupported_media_type') return unreadableType(request)
  if (code === 'body_too_large')
    return new HttpError(code, `The body may have at most ${request.routeOptions.bodyLimit} bytes; send smaller bodies`)
  if (code === 'uri_too_long') return new HttpError(code, 'A part of the path is longer than any identifier can be')
  return error
}

const codeByFrameworkCode: Readonly<Record<string, HttpErrorCode>> = table({
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_HANDLER_TIMEOUT: 'internal'
})

function fromFramework(error: unknown): HttpError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === undefined || statusCode === undefined || statusCode >= 500) return undefined
  return new HttpError(
    Object.hasOwn(codeByFrameworkCode, code) ? (codeByFrameworkCode[code] ?? 'bad_request') : 'bad_request',
    error.message
  )
}

/** Errors of a stream whose other end was closed. */
const codes: ReadonlySet<unknown> = new Set([
  'ABORT_ERR',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE'
])

/**
 * Whether an error only tells that the client closed the connection, which is no fault. A request
 * whose body was given up has no socket any more.
 */
const isClientLeaving = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.socket?.destroyed && error instanceof Error && 'code' in error && codes.has(error.code)

const clientLeft = 'The client closed the connection'
