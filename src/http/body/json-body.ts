import { maxJsonDepth } from '#domain/json-limits.ts'
import { HttpError } from '../reply/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Reads a JSON body. Throws `malformed_json` for bytes that are not UTF-8, great depth, and members
 * that could poison a prototype.
 */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new HttpError('malformed_json', 'The body is empty; JSON was expected')
  refuseDepth(bytes)
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
  // Only a text that mentions it, escaped or not, has to be looked through.
  if (/__proto__|\\u00/i.test(text)) refusePrototype(value)
  return value
}

/**
 * Looks at brackets only, before anything is built: a megabyte of them would keep the parser busy
 * for a third of a second.
 */
function refuseDepth(bytes: Buffer) {
  let depth = 0
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (inString) {
      if (byte === backslash) index++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === openBrace || byte === openBracket) {
      depth++
      if (depth > maxJsonDepth) throw new HttpError('malformed_json', `JSON may be ${maxJsonDepth} levels deep`)
    } else if (byte === closeBrace || byte === closeBracket) depth--
  }
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma] = Buffer.from('"\\{}[],')

/**
 * Upper bound of the values in a JSON text, found without parsing it: letters in strings count too.
 */
export function countValues(bytes: Buffer): number {
  let count = 1
  for (const byte of bytes) if (byte === comma || byte === openBrace || byte === openBracket) count++
  return count
}

function refusePrototype(value: unknown) {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) {
    throw new HttpError('malformed_json', 'A member may not be called "__proto__"')
  }
  for (const inner of Object.values(value)) refusePrototype(inner)
}
