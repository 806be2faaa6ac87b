import type { FastifySchema, FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'

import type { Fault } from '#domain/errors.ts'
import { countTypos } from '#domain/search/typos.ts'
import { HttpError } from '../reply/errors.ts'
import { checkedByDomainMark } from '../schemas/common.ts'

/**
 * Turns the schema beside a route into its check.
 *
 * Parameters arrive as text and are read strictly: `0x10` and `1e2` are not whole numbers, and one
 * given twice is refused. What a schema does not name is refused where records are listed, found or
 * written, since it may have been meant to restrict them; elsewhere it passes by. Bodies are
 * checked by TypeBox, all faults at once.
 */
export const validatorCompiler: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart, url }) => {
  if ((schema as { $comment?: string }).$comment === checkedByDomainMark) return (value: unknown) => ({ value })
  if (httpPart === 'querystring' && isStrict(url)) return strictReader(schema as ParameterSchema)
  if (httpPart === 'querystring' || httpPart === 'params' || httpPart === 'headers')
    return parameterReader(schema as ParameterSchema)
  return bodyChecker(schema as TSchema)
}

/** Paths on which an unknown parameter is refused. */
const strictPaths = /^\/(?:entities|mediafiles)(?!.*\/content$)(?:\/|$)/
const isStrict = (url: string | undefined) => url !== undefined && strictPaths.test(url)

/**
 * Parameters that existing clients send and that change nothing here: which language their page
 * has, what keeps caches and statistics apart, and hints about how an answer is made. `ticket` is
 * read before the parameters are.
 */
const ignoredParameters = new Set(['language', '_', 'history', 'exact_count', 'skip_relations', 'ticket'])
const isIgnored = (name: string) => ignoredParameters.has(name) || name.startsWith('utm_')

/**
 * Reads parameters and refuses those that the schema does not name, with the nearest that it does.
 */
function strictReader(schema: ParameterSchema) {
  const read = parameterReader(schema)
  const known = Object.keys(schema.properties ?? {})
  return (given: unknown) => {
    const unknown = Object.keys(given as object)
      .filter(name => !known.includes(name) && !isIgnored(name))
      .map(name => ({ pointer: name, message: `Unknown parameter "${name}"${suggestion(name, known)}` }))
    const answer = read(given)
    if (unknown.length === 0) return answer
    const faults = [...(answer.error?.faults ?? []), ...unknown]
    return { error: new HttpError('bad_request', describe(faults), faults) }
  }
}

function suggestion(name: string, known: readonly string[]): string {
  const near = known.find(each => countTypos(name.toLowerCase(), each, 2) !== undefined)
  if (near !== undefined) return `; did you mean "${near}"?`
  return known.length > 0 ? `; known are ${known.join(', ')}` : ''
}

/** The name that Fastify's types have for a promise here. */
type CheckUnderWay = Extract<ReturnType<ReturnType<FastifySchemaCompiler<FastifySchema>>>, PromiseLike<unknown>>

/**
 * The compiler is half of TypeBox, and few bodies need it (the domain checks records): it is loaded
 * for the first that does.
 */
function bodyChecker(schema: TSchema) {
  let validator: Validator | undefined
  const faultOf = (compiled: Validator, value: unknown): HttpError | undefined => {
    if (compiled.Check(value)) return undefined
    const faults = [...compiled.Errors(value)].flatMap(toFault)
    return new HttpError('bad_request', describe(faults), faults)
  }
  const loadAndCheck = async (value: unknown) => {
    const { Compile } = await import('typebox/compile')
    validator ??= Compile(schema)
    const fault = faultOf(validator, value)
    // Fastify takes what a promise is rejected with for what is wrong with the request.
    if (fault) throw fault
  }
  return (value: unknown) => {
    if (!validator) return loadAndCheck(value) as unknown as CheckUnderWay
    const fault = faultOf(validator, value)
    return fault ? { error: fault } : { value }
  }
}

/**
 * A member that a schema does not allow is told of at its own place, once, in words that say so.
 */
function toFault({ keyword, schemaPath, instancePath, message }: TLocalizedValidationError): Fault[] {
  if (keyword === 'additionalProperties') return []
  const isUnknown = keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')
  return [{ pointer: instancePath, message: isUnknown ? `"${instancePath}" is not known here` : message }]
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
        else if (schema.required?.includes(name)) faults.push({ pointer: name, message: `"${name}" is needed` })
        continue
      }
      const read = readParameter(name, text, single)
      if ('message' in read) faults.push({ pointer: name, message: read.message })
      else value[name] = read.value
    }
    return faults.length > 0 ? { error: new HttpError('bad_request', describe(faults), faults) } : { value }
  }
}

/** What fifteen digits can say; of more a number would not keep them all. */
const mostWhole = 999_999_999_999_999

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
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = mostWhole } = single
  if (typeof value === 'number' && !(value >= minimum && value <= maximum)) {
    return { message: `"${name}" must be a whole number from ${minimum} to ${maximum}, not "${text}"` }
  }
  if (single.maxLength !== undefined && text.length > single.maxLength) {
    return { message: `"${name}" may have ${single.maxLength} characters` }
  }
  return { value }
}

function describe(faults: readonly Fault[]): string {
  const [first] = faults
  return first
    ? `${first.message}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}`
    : 'The request is not valid'
}
