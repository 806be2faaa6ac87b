/**
 * What can go wrong, by a code that outlives the message. `http/errors.ts` gives each its status.
 */
export const errorCodes = [
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
  'query_timeout',
  'unavailable',
  'storage_full'
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** One thing that is wrong with what was sent, and where. */
export interface Fault {
  /** JSON pointer into the body, or the name of a parameter. */
  readonly pointer: string
  /** For people: code looks at `code`, never at these words. */
  readonly message: string
  readonly code?: FaultCode
  /** What the fault is about: of a missing target its id. */
  readonly value?: string
}

/** Maximum faults that an error tells one by one. */
export const maxFaults = 1000
/** Faults that something is made to depend on. */
export type FaultCode = 'missing_target' | 'too_long'

export interface ErrorDetails {
  readonly cause?: unknown
  readonly faults?: readonly Fault[]
  /** The one thing the error is about, for clients that read `message` (contract, section 8). */
  readonly about?: readonly [name: string, value: string]
  /** Further members of the answer, such as the references that stand in the way. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** The first of the faults, and how many more there are where they are cut. */
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

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'CatalogueError'
    this.code = code
    this.faults = atMost(maxFaults, details.faults ?? [])
    this.about = details.about
    this.extra = details.extra ?? {}
  }
}

export const notFound = (what: string, id: string) =>
  new CatalogueError('not_found', `No ${what} with id "${id}"`, { about: ['id', id] })

/** A relation to something that there is not. */
export const missingTarget = (pointer: string, id: string): Fault => ({
  pointer,
  message: `No entity with id "${id}"`,
  code: 'missing_target',
  value: id
})

/**
 * The ids for want of which alone something was refused; undefined where anything else is wrong,
 * too.
 */
export function missingTargetsIn(error: unknown): string[] | undefined {
  if (!(error instanceof CatalogueError) || error.code !== 'invalid' || error.faults.length === 0) return undefined
  if (error.faults.some(each => each.code !== 'missing_target')) return undefined
  return error.faults.map(each => each.value ?? '')
}

export const forbidden = (action: string) => new CatalogueError('forbidden', `This token may not ${action}`)

export const invalid = (message: string, faults: readonly Fault[]) => new CatalogueError('invalid', message, { faults })

/** An `invalid` error that says in its one sentence what is wrong, when it is one thing. */
export function invalidWith(faults: readonly Fault[]): CatalogueError {
  const [first] = faults
  if (!first) return invalid('The request is not valid', faults)
  const where = first.pointer === '' ? '' : ` at ${first.pointer}`
  const rest = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return invalid(`${first.message}${where}${rest}`, faults)
}
