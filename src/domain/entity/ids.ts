import { countCharacters } from '../values/fold.ts'

const codeLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const codeLength = 9

/** Returns a random whole number below a bound. Passed as an argument, so that tests can fix it. */
export type RandomBelow = (bound: number) => number

/** A new id, such as `PR-6V8VLIHP0`. Nine characters of 36 give 10^14 codes for each prefix. */
export function newId(prefix: string, randomBelow: RandomBelow): string {
  let code = ''
  for (let index = 0; index < codeLength; index++) code += codeLetters[randomBelow(codeLetters.length)]
  return `${prefix}-${code}`
}

/** Maximum distance between two consecutive ids: they differ in about the last four characters. */
const maxIdStep = 36 ** 3
const codes = 36 ** codeLength

/**
 * New ids for many records that are created together. Those of a prefix begin anywhere and follow
 * each other at random distances: they are neighbours in the indexes of a database, while fully
 * random ids change a page each (bench/import.ts). They are no easier to guess.
 */
export function idsInOrder(randomBelow: RandomBelow): (prefix: string) => string {
  const lastOf = new Map<string, number>()
  return prefix => {
    const last = lastOf.get(prefix) ?? randomBelow(codes)
    const next = (last + 1 + randomBelow(maxIdStep)) % codes
    lastOf.set(prefix, next)
    return `${prefix}-${next.toString(36).toUpperCase().padStart(codeLength, '0')}`
  }
}

export const idPattern = /^[A-Za-z0-9._:~@-]{1,200}$/
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const newIdPattern = /^[A-Z]{1,8}-[0-9A-Z]{9}$/
const newUuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * Tests whether an identifier has the form of those that this catalogue makes: an id, or a UUID of
 * version 7. An entity has those of the entities that were merged into it.
 */
export const isMadeHere = (identifier: string): boolean =>
  newIdPattern.test(identifier) || newUuidPattern.test(identifier)

/** The lower-case form of a UUID with capital letters; undefined for any other text. */
export const lowerCaseUuid = (text: string): string | undefined =>
  text.length === 36 && /[A-F]/.test(text) && uuidPattern.test(text) ? text.toLowerCase() : undefined

/** The form in which an identifier is stored: UUIDs are the same in either case (RFC 9562, 4). */
export const storedIdentifier = (text: string): string => lowerCaseUuid(text) ?? text

/** Identifiers, with the lower-case forms of UUIDs added. */
export const withLowerCaseUuids = (identifiers: readonly string[]): string[] => [
  ...new Set(identifiers.flatMap(each => [each, storedIdentifier(each)]))
]

export const maxIdentifierLength = 512

/**
 * Tests whether a text can be an identifier. Paths drop `.` and `..`, so a record with such an
 * identifier could not be fetched by it.
 */
export function isIdentifier(text: string): boolean {
  if (!hasLength(text, maxIdentifierLength) || text === '.' || text === '..') return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return !/[\u0000-\u001f\u007f-\u009f]/.test(text)
}

/**
 * Tests whether a text has 1 to `max` characters, counted as people count them: an emoji is one.
 */
export const hasLength = (text: string, max: number) =>
  text.length >= 1 && (text.length <= max || (text.length <= 2 * max && countCharacters(text) <= max))
