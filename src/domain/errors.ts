/**
 * Kinds of errors, by codes that do not change with the message. `http/reply/errors.ts` gives each
 * its status.
 */
const errorCodes = [
  'invalid',
  'invalid_filter',
  'unknown_filter_type',
  'description_too_long',
  'unauthenticated',
  'sign_in_failed',
  'forbidden',
  'not_found',
  'incomplete_wem',
  'several_matches',
  'identifier_taken',
  'still_referenced',
  'patch_not_applicable',
  'key_reused',
  'cursor_expired',
  'version_mismatch',
  'offset_mismatch',
  'checksum_mismatch',
  'media_too_large',
  'too_many_imports',
  'query_timeout',
  'unavailable',
  'storage_full'
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** One fault in a request, and its position. */
export interface Fault {
  /** JSON pointer into the body, or the name of a parameter. */
  readonly pointer: string
  /** For people only: code looks at `code`. */
  readonly message: string
  readonly code?: FaultCode
  /** The value that the fault is about, such as the id of a missing target. */
  readonly value?: string
  /** The field or relation that a warning is about. */
  readonly key?: string
}

/** Maximum faults listed in one error. */
export const maxFaults = 1000
/** Codes of faults that code depends on, among them those of all warnings about writes. */
export type FaultCode =
  | 'missing_target'
  | 'too_long'
  | 'duplicate'
  | 'isbn'
  | 'doubtful_value'
  | 'undeclared_name'
  | 'second_value'
  | 'unsafe_markup'
  | 'default_category'

export interface ErrorDetails {
  readonly cause?: unknown
  readonly faults?: readonly Fault[]
  /** The subject of the error, `name:value` in `message`, which existing clients read. */
  readonly about?: readonly [name: string, value: string]
  /** Further members of the answer, such as the references that prevent a deletion. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Whether it belongs to normal operation: it is no error of the service for the log. */
  readonly isExpected?: boolean
}

/** The first `max` faults, and the number of those left out. */
export function atMost(max: number, faults: readonly Fault[]): readonly Fault[] {
  if (faults.length <= max) return faults
  const rest = { pointer: '', message: `${faults.length - max + 1} further faults are not listed` }
  return [...faults.slice(0, max - 1), rest]
}

export class CatalogueError extends Error {
  readonly code: ErrorCode
  readonly faults: readonly Fault[]
  readonly about: readonly [string, string] | undefined
  readonly extra: Readonly<Record<string, unknown>>
  readonly isExpected: boolean

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'CatalogueError'
    this.code = code
    this.faults = atMost(maxFaults, details.faults ?? [])
    this.about = details.about
    this.extra = details.extra ?? {}
    this.isExpected = details.isExpected ?? false
  }
}

export const notFound = (what: string, id: string) =>
  new CatalogueError('not_found', `No ${what} with id "${id}"`, { about: ['id', id] })

/** The error of a write whose identifier another entity has. */
export const identifierTaken = (identifier: string) =>
  new CatalogueError('identifier_taken', `The identifier "${identifier}" is taken`, {
    about: ['identifier', identifier]
  })

/** A relation to an entity that does not exist. */
export const missingTarget = (pointer: string, id: string): Fault => ({
  pointer,
  message: `No entity with id "${id}"`,
  code: 'missing_target',
  value: id
})

/** The missing ids, if they are the only reason for the error; else undefined. */
export function missingTargetsIn(error: unknown): string[] | undefined {
  if (!(error instanceof CatalogueError) || error.code !== 'invalid' || error.faults.length === 0) return undefined
  if (error.faults.some(each => each.code !== 'missing_target')) return undefined
  return error.faults.map(each => each.value ?? '')
}

/** An Idempotency-Key that comes again with another request. */
export const keyReused = () => new CatalogueError('key_reused', 'This Idempotency-Key was used for another request')

export const forbidden = (action: string) => new CatalogueError('forbidden', `This token may not ${action}`)

export const mayNotWrite = (type: string) => forbidden(`write records of type "${type}"`)

/** The first of some faults, with its place. */
export const messageAt = ({ message, pointer }: Fault) => `${message} at ${pointer}`

export const invalid = (message: string, faults: readonly Fault[]) => new CatalogueError('invalid', message, { faults })

/** An `invalid` error; a single fault is its message. */
export function invalidWith(faults: readonly Fault[]): CatalogueError {
  const [first] = faults
  if (!first) return invalid('The request is not valid', faults)
  const where = first.pointer === '' ? '' : ` at ${first.pointer}`
  const rest = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return invalid(`${first.message}${where}${rest}`, faults)
}
