import type { FastifySchema, FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { Validator } from 'typebox/schema'

import type { Fault } from '#domain/errors.ts'
import { countTypos } from '#domain/search/typos.ts'
import { HttpError } from '../reply/errors.ts'
import { checkedByDomainMark, maxWholeNumber } from '../schemas/common.ts'

/**
 * Returns the compiler of the schemas of routes. Parameters are text and are read strictly: `0x10`
 * and `1e2` are not whole numbers, and a repeated parameter is refused. Unknown parameters are
 * refused where records are listed, found or written, since they may have been meant to restrict
 * them, unless they are to be ignored; elsewhere they are ignored. TypeBox checks bodies and
 * reports all faults at once.
 */
export const createValidatorCompiler =
  (isIgnored: IsIgnored = () => false): FastifySchemaCompiler<FastifySchema> =>
  ({ schema, httpPart, url }) => {
    if ((schema as { $comment?: string }).$comment === checkedByDomainMark) return (value: unknown) => ({ value })
    if (httpPart === 'querystring' && isStrict(url)) return strictReader(schema as ParameterSchema, isIgnored)
    if (httpPart === 'querystring' || httpPart === 'params' || httpPart === 'headers')
      return parameterReader(schema as ParameterSchema)
    return bodyChecker(schema as TSchema)
  }

type IsIgnored = (name: string, value: unknown) => boolean

/** Paths that refuse unknown parameters. */
const strictPaths = /^\/(?:entities|mediafiles)(?!.*\/content$)(?:\/|$)/
const isStrict = (url: string | undefined) => url !== undefined && strictPaths.test(url)

/** Whether a parameter is never refused: cache busters and statistics. `ticket` is read earlier. */
const isHarmless = (name: string) => name === '_' || name === 'ticket' || name.startsWith('utm_')

/** Reads parameters and refuses those that the schema does not name, with a suggestion. */
function strictReader(schema: ParameterSchema, isIgnored: IsIgnored) {
  const read = parameterReader(schema)
  const known = Object.keys(schema.properties ?? {})
  return (given: unknown) => {
    const unknown = Object.entries(given as object)
      .filter(([name, value]) => !known.includes(name) && !isHarmless(name) && !isIgnored(name, value))
      .map(([name], at) => ({
        pointer: name,
        message: `Unknown parameter "${name}"${at < maxSuggestions ? suggestion(name, known) : ''}`
      }))
    const answer = read(given)
    if (unknown.length === 0) return answer
    const faults = [...(answer.error?.faults ?? []), ...unknown]
    return { error: new HttpError('bad_request', describe(faults), faults) }
  }
}

/** Number of unknown parameters that get a suggestion: an address has room for ten thousand. */
const maxSuggestions = 10

function suggestion(name: string, known: readonly string[]): string {
  const near = known.find(each => countTypos(name.toLowerCase(), each, 2) !== undefined)
  if (near !== undefined) return `; did you mean "${near}"?`
  return known.length > 0 ? `; allowed are ${known.join(', ')}` : ''
}

/** The type that Fastify has for a promise here. */
type CheckUnderWay = Extract<ReturnType<ReturnType<FastifySchemaCompiler<FastifySchema>>>, PromiseLike<unknown>>

const loadCompiler = () => import('typebox/schema')

/**
 * Loads the compiler of schemas. It has 200 files, which take 75 ms in one piece: a service loads
 * it when it listens already, and not for the first body.
 */
export async function prepareBodyChecks(): Promise<void> {
  await loadCompiler()
}

/** Checks a body. The domain checks records, so few bodies need the compiler. */
function bodyChecker(schema: TSchema) {
  let validator: Validator | undefined
  const faultOf = (compiled: Validator, value: unknown): HttpError | undefined => {
    if (compiled.Check(value)) return undefined
    // Checking takes a tenth of the time that finding every fault takes.
    const faults = hasMoreValues(value, maxCheckedValues)
      ? [
          {
            pointer: '',
            message: `The body does not fit, and has over ${maxCheckedValues} values: too many to say where`
          }
        ]
      : compiled.Errors(value)[1].flatMap(toFault)
    return new HttpError('bad_request', describe(faults), faults)
  }
  const loadAndCheck = async (value: unknown) => {
    const { Compile } = await loadCompiler()
    validator ??= Compile(schema)
    const fault = faultOf(validator, value)
    // Fastify reports the rejection of the promise as the fault of the request.
    if (fault) throw fault
  }
  return (value: unknown) => {
    if (!validator) return loadAndCheck(value) as unknown as CheckUnderWay
    const fault = faultOf(validator, value)
    return fault ? { error: fault } : { value }
  }
}

/** Number of values in a body up to which the faults in it are searched for. */
const maxCheckedValues = 10_000

/** Tests whether a JSON value has more than so many values in it. */
function hasMoreValues(value: unknown, most: number): boolean {
  let left = most
  const takes = (inner: unknown): boolean => {
    if (--left < 0) return true
    return typeof inner === 'object' && inner !== null && Object.values(inner).some(takes)
  }
  return takes(value)
}

/** Reports a member that the schema does not allow at its own place, once. */
function toFault({ keyword, schemaPath, instancePath, message }: TLocalizedValidationError): Fault[] {
  if (keyword === 'additionalProperties') return []
  const isUnknown = keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')
  return [{ pointer: instancePath, message: isUnknown ? `"${instancePath}" is not allowed` : message }]
}

interface ParameterSchema {
  readonly properties?: Readonly<Record<string, SingleSchema>>
  readonly required?: readonly string[]
}

interface SingleSchema {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly enum?: readonly (string | number)[]
  readonly default?: unknown
}

function parameterReader(schema: ParameterSchema) {
  const properties = Object.entries(schema.properties ?? {})
  return (given: unknown) => {
    const parameters = given as Record<string, unknown>
    const value: Record<string, unknown> = {}
    const faults: Fault[] = []
    for (const [name, single] of properties) {
      const text = parameters[name]
      if (text === undefined) {
        if (single.default !== undefined) value[name] = single.default
        else if (schema.required?.includes(name)) faults.push({ pointer: name, message: `"${name}" is required` })
        continue
      }
      const read = readParameter(name, text, single)
      if ('message' in read) faults.push({ pointer: name, message: read.message })
      else value[name] = read.value
    }
    return faults.length > 0 ? { error: new HttpError('bad_request', describe(faults), faults) } : { value }
  }
}

function readParameter(name: string, text: unknown, single: SingleSchema): { value: unknown } | { message: string } {
  if (typeof text !== 'string') return { message: `"${name}" is given more than once` }
  if (text.includes('\0') || !text.isWellFormed() || text.includes('\ufffd'))
    return { message: `"${name}" is not well-formed text` }
  const isNumber = single.type === 'integer'
  if (isNumber && text === '' && single.default !== undefined) return { value: single.default }
  const value = isNumber ? (/^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN) : text
  if (single.enum && !single.enum.includes(value)) {
    return { message: `"${name}" must be one of ${single.enum.join(', ')}, not "${text}"` }
  }
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = maxWholeNumber } = single
  if (typeof value === 'number' && !(value >= minimum && value <= maximum)) {
    return { message: `"${name}" must be a whole number from ${minimum} to ${maximum}, not "${text}"` }
  }
  if (single.maxLength !== undefined && text.length > single.maxLength) {
    return { message: `"${name}" may have at most ${single.maxLength} characters` }
  }
  return { value }
}

function describe(faults: readonly Fault[]): string {
  const [first] = faults
  return first
    ? `${first.message}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}`
    : 'The request is not valid'
}
