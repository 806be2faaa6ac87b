import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

import { CatalogueError, type ErrorCode, type Fault } from '#domain/errors.ts'
import { isLeftUnread } from '../body/unread-body.ts'

/** What can go wrong before a request reaches the catalogue. */
export const httpErrorCodes = [
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
  /**
   * The code of the platform whose clients exist already; they read it from `message` (contract,
   * section 8).
   */
  readonly clientCode: string
  /** What to do about it: the text of its page under `/problems/`. */
  readonly explanation: string
}

/** Every problem there is. A new code without a line here does not compile. */
export const problemKinds = {
  invalid: {
    status: 400,
    title: 'Invalid',
    clientCode: 'W5011',
    explanation:
      'What was sent does not fit the record type or the form of the request. `errors` names every place and what is wrong there.'
  },
  description_too_long: {
    status: 400,
    title: 'Description too long',
    clientCode: 'W13000',
    explanation: '`description_short` may have 500 characters of stored HTML. Put the rest into `description`.'
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
    explanation: 'The `type` of a filter object is not one that this service knows.'
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
    explanation: 'The body is not JSON in UTF-8, is empty, is nested too deeply, or holds a member that is not allowed.'
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
      'Signing in with an issuer did not succeed. `reason` says why: `denied` (by the issuer or by the person), `expired` (the code or the refresh token was used or is too old), `mismatch` (the answer is not to this sign-in), `unusable` (the token that the issuer gave is not for this service) or `refused` (the issuer refused otherwise; `detail` has its words). Sign in again; with the last two, look at `OIDC_ISSUERS`.'
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    clientCode: 'R1008',
    explanation: 'The token is valid but lacks the scope for this. Ask whoever gave it to you for one with more.'
  },
  not_found: {
    status: 404,
    title: 'Not found',
    clientCode: 'R0004',
    explanation: 'Nothing here answers to this identifier, or the token may not read it.'
  },
  incomplete_wem: {
    status: 404,
    title: 'Incomplete WEM',
    clientCode: 'R0005',
    explanation: 'The manifestation exists, but its expression or its work does not. `missing_level` says which.'
  },
  no_such_path: {
    status: 404,
    title: 'No such path',
    clientCode: 'R0006',
    explanation: 'The interface has no such path. `/docs` lists all there are.'
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    clientCode: 'R0007',
    explanation: 'The path exists, but not for this method. `Allow` lists those it has.'
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    clientCode: 'R0008',
    explanation: 'The answer cannot be given in any form that `Accept` names. JSON always can.'
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    clientCode: 'R0009',
    explanation: 'The request did not arrive whole in time.'
  },
  identifier_taken: {
    status: 409,
    title: 'Identifier taken',
    clientCode: 'W2004',
    explanation: 'Another entity answers to one of the identifiers. Each is unique in the catalogue.'
  },
  still_referenced: {
    status: 409,
    title: 'Still referenced',
    clientCode: 'W2005',
    explanation:
      'Other entities point to this one; `references` lists the first of them. Remove those relations, or delete with `?references=detach`.'
  },
  patch_not_applicable: {
    status: 409,
    title: 'Patch not applicable',
    clientCode: 'W2006',
    explanation: 'A test of the JSON Patch failed, or a path in it does not exist in the entity as it is now.'
  },
  cursor_expired: {
    status: 410,
    title: 'Cursor expired',
    clientCode: 'R7001',
    explanation:
      'The changes after this cursor are no longer kept, or it belongs to another feed. Read everything again, then go on from `restart_cursor`.'
  },
  key_reused: {
    status: 422,
    title: 'Key reused',
    clientCode: 'W2008',
    explanation: 'This `Idempotency-Key` was used within a day for another request. Use a new key for each request.'
  },
  version_mismatch: {
    status: 412,
    title: 'Version mismatch',
    clientCode: 'W2007',
    explanation:
      'The entity is not at the version that `If-Match` names: somebody else changed it. Read it again and repeat the change.'
  },
  offset_mismatch: {
    status: 409,
    title: 'Offset mismatch',
    clientCode: 'W2009',
    explanation:
      'The upload has another number of bytes than `Upload-Offset` says. Ask for it with `HEAD`, and go on from there.'
  },
  checksum_mismatch: {
    status: 460,
    title: 'Checksum mismatch',
    clientCode: 'W2010',
    explanation:
      'The bytes that arrived do not have the checksum that was sent with them. They were dropped; send them again.'
  },
  media_too_large: {
    status: 413,
    title: 'Media file too large',
    clientCode: 'W5016',
    explanation: 'The file is larger than the setting `MEDIA_LIMIT` allows, or than the upload was said to be.'
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    clientCode: 'W5012',
    explanation: 'The body is larger than the setting `BODY_LIMIT` allows. Send less at once.'
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
    explanation:
      'The file has fewer bytes than the `Range` asked for begins with. `Content-Range` says how many there are.'
  },
  unsupported_tus_version: {
    status: 412,
    title: 'Unsupported version of tus',
    clientCode: 'W5017',
    explanation: 'Resumable uploads follow tus 1.0.0. Send `Tus-Resumable: 1.0.0`.'
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    clientCode: 'R0010',
    explanation:
      'The token or the address has used up what the settings allow: requests in a time (`RATE_LIMIT`, `ADDRESS_RATE_LIMIT`), or connections and event streams at once. Try again after `Retry-After` seconds.'
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
    explanation: 'A fault of the service. It is in its log, under the request id.'
  },
  query_timeout: {
    status: 503,
    title: 'Query timeout',
    clientCode: 'R6003',
    explanation:
      'The question was not answered within the setting `QUERY_DEADLINE`, counted from when it was asked. The detail says whether it took too long itself (narrow it, by a type for instance) or waited for its turn (try again after `Retry-After` seconds).'
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    clientCode: 'X0503',
    explanation:
      'The database, or an issuer of tokens, cannot be reached just now. Try again after `Retry-After` seconds.'
  },
  storage_full: {
    status: 507,
    title: 'Storage full',
    clientCode: 'X0507',
    explanation: 'The disk is full. Nothing was written; reading goes on. Free some space.'
  }
} as const satisfies Record<ProblemCode, ProblemKind>

export class HttpError extends Error {
  readonly code: HttpErrorCode
  readonly faults: readonly Fault[]
  /** Seconds after which to try again, where that is not the same for all errors of the kind. */
  readonly retryAfter: number | undefined

  constructor(code: HttpErrorCode, message: string, faults: readonly Fault[] = [], retryAfter?: number) {
    super(message)
    this.name = 'HttpError'
    this.code = code
    this.faults = faults
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

/** Any error as a problem. One without a code is a fault of ours: its words stay in the log. */
export function toProblem(error: unknown, instance?: string): Problem {
  const known = error instanceof CatalogueError || error instanceof HttpError ? error : fromFramework(error)
  const code: ProblemCode = known?.code ?? 'internal'
  const kind: ProblemKind = problemKinds[code]
  const detail = known?.message ?? 'Internal server error'
  const about = known instanceof CatalogueError ? known.about : undefined
  // Clients cut the text off after the first variable, so there is always one.
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

/** Seconds after which to try again. */
const retryAfter: Partial<Record<ProblemCode, string>> = { unavailable: '2', query_timeout: '5', storage_full: '60' }

/**
 * RFC 6750: a request that sent a bearer is told that it was the bearer. Some paths take Basic too.
 */
function challengeTo({ headers, routeOptions }: FastifyRequest): string {
  const error = headers.authorization === undefined ? '' : ', error="invalid_token"'
  const basic = routeOptions?.config?.doc?.takesBasic ? ', Basic realm="libretto", charset="UTF-8"' : ''
  return `Bearer realm="libretto"${error}${basic}`
}

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(inOurWords(error, request), request.url.split('?')[0])
  if (problem.status >= 500) request.log.error({ err: error }, problem.detail)
  const code = problem.code as ProblemCode
  const wait =
    error instanceof HttpError && error.retryAfter !== undefined ? String(error.retryAfter) : retryAfter[code]
  if (wait !== undefined) reply.header('retry-after', wait)
  if (code === 'unauthenticated') reply.header('www-authenticate', challengeTo(request))
  if (code === 'unsupported_media_type' && request.method === 'PATCH')
    reply.header('accept-patch', readableTypes(request).join(', '))
  if (code === 'unsupported_media_type' && request.headers['content-encoding'] !== undefined)
    reply.header('accept-encoding', 'identity')
  // Else whoever keeps connections open would send the next request into one that ends.
  if (isLeftUnread(request)) reply.header('connection', 'close')
  // A refusal is not kept under the name of the file that was asked for.
  return reply
    .removeHeader('content-disposition')
    .status(problem.status)
    .type('application/problem+json')
    .send(JSON.stringify(problem))
}

export const patchMediaTypes = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json'
] as const

/** The media types of the bodies that a path reads. */
export const readableTypes = ({ routeOptions }: FastifyRequest): readonly string[] =>
  routeOptions.config?.doc?.consumes ?? ['application/json']

export function unreadableType(request: FastifyRequest): HttpError {
  const sent = request.headers['content-type']
  const what = sent === undefined ? 'A body needs a Content-Type' : `Nothing here reads "Content-Type: ${sent}"`
  return new HttpError('unsupported_media_type', `${what}; send ${readableTypes(request).join(', ')}`)
}

/** What the framework says of a request names neither what was sent nor what would do. */
function inOurWords(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof HttpError || error instanceof CatalogueError) return error
  const code = fromFramework(error)?.code
  if (code === 'unsupported_media_type') return unreadableType(request)
  if (code === 'body_too_large')
    return new HttpError(code, `The body may have ${request.routeOptions.bodyLimit} bytes; send less at once`)
  if (code === 'uri_too_long') return new HttpError(code, 'A part of the path is longer than any identifier can be')
  return error
}

const codeByFrameworkCode: Readonly<Record<string, HttpErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_HANDLER_TIMEOUT: 'internal'
}

function fromFramework(error: unknown): HttpError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === undefined || statusCode === undefined || statusCode >= 500) return undefined
  return new HttpError(
    Object.hasOwn(codeByFrameworkCode, code) ? (codeByFrameworkCode[code] ?? 'bad_request') : 'bad_request',
    error.message
  )
}
