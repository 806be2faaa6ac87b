import type { Json } from './entity/entity.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Tests whether a value is a JSON object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Tests whether two values have the same JSON text. The order of members counts. */
export const isSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Tests whether two values are equal under RFC 6902, section 4.6: in any order of members. */
export function isEqualJson(one: Json, other: Json): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isEqualJson(each, other[index]))
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const members = Object.keys(one)
  return (
    members.length === Object.keys(other).length &&
    members.every(member => Object.hasOwn(other, member) && isEqualJson(one[member] as Json, other[member] as Json))
  )
}

/** The JSON pointer (RFC 6901) to a member of the value that `pointer` points to. */
export const pointerTo = (pointer: string, member: string | number) =>
  `${pointer}/${typeof member === 'number' ? member : member.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The names of the members on the way of a JSON pointer. */
export const membersOfPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(escaped => escaped.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Tests whether a value is a well-formed JSON pointer (RFC 6901). */
export const isPointer = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:\/(?:[^~/]|~[01])*)*$/.test(value)
