import type { FastifyRequest } from 'fastify'

import { maxJsonDepth } from '#domain/json.ts'
import { HttpError, readableTypes, unreadableType } from '../reply/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Values in a JSON body of a mebibyte. Records have fewer: 7 bytes a value are very few. */
const defaultMaxValues = 150_000

/** Maximum members of one JSON object; with many, each takes several times as long to read. */
const maxMembers = 10_000

/** Maximum values in a JSON body, which grows with the bytes that it may have. */
export const maxValuesIn = (bodyLimit: number) => Math.max(defaultMaxValues, Math.floor(bodyLimit / 7))

/**
 * Reads a JSON body. Throws `malformed_json` for bytes that are not UTF-8, great depth, too many
 * values, and members that could poison a prototype.
 */
export function readJsonBody(bytes: Buffer, maxValues = defaultMaxValues): unknown {
  if (bytes.length === 0) throw new HttpError('malformed_json', 'The body is empty; JSON was expected')
  refuseSize(bytes, maxValues)
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new HttpError('malformed_json', 'The body is not valid UTF-8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new HttpError('malformed_json', `The body is not valid JSON: ${(error as Error).message}`)
  }
  // Only text that contains the name, escaped or not, needs the search.
  if (/__proto__|\\u00/i.test(text)) refusePrototype(value)
  return value
}

/**
 * Commas in each object that is open, by its depth; of arrays they are not counted. A depth is set
 * when it is entered, so one list serves all bodies.
 */
const membersByDepth = new Float64Array(maxJsonDepth + 1).fill(Number.NaN)

/**
 * Counts brackets and values before parsing: a megabyte of either would block the parser for up to
 * a third of a second.
 */
function refuseSize(bytes: Buffer, maxValues: number) {
  let depth = 0
  let values = 1
  const members = membersByDepth
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (inString) {
      if (byte === backslash) index++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === comma) {
      values++
      members[depth] = (members[depth] as number) + 1
      if ((members[depth] as number) >= maxMembers)
        throw new HttpError('malformed_json', `A JSON object may have at most ${maxMembers} members`)
    } else if (byte === openBrace || byte === openBracket) {
      depth++
      values++
      if (depth > maxJsonDepth)
        throw new HttpError('malformed_json', `JSON may be nested at most ${maxJsonDepth} levels deep`)
      members[depth] = byte === openBrace ? 0 : Number.NaN
    } else if (byte === closeBrace || byte === closeBracket) depth--
  }
  if (values > maxValues) throw new HttpError('malformed_json', `JSON may have at most ${maxValues} values`)
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma] = Buffer.from('"\\{}[],')

/**
 * Returns an upper bound of the number of values in a JSON text, without parsing it: characters in
 * strings count too.
 */
export function countValues(bytes: Buffer): number {
  let count = 1
  // An iterator would take ten times as long.
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === comma || byte === openBrace || byte === openBracket) count++
  }
  return count
}

function refusePrototype(value: unknown) {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) {
    throw new HttpError('malformed_json', 'A member may not be called "__proto__"')
  }
  for (const inner of Array.isArray(value) ? value : Object.values(value)) refusePrototype(inner)
}

/**
 * Throws for a media type that the route does not read: a JSON Patch read as a plain list would do
 * something else than intended.
 */
export function refuseUnreadableType(request: FastifyRequest) {
  const essence = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (essence !== 'application/json' && !readableTypes(request).includes(essence)) throw unreadableType(request)
}
