import type { Json } from './entity/entity.ts'
import { type Fault, maxFaults } from './errors.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Tests whether a value is a JSON object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Tests whether two values have the same JSON text. The order of members counts. */
export const isSameJson = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

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

/** Maximum levels of a JSON value. */
export const maxJsonDepth = 32

/**
 * Finds parts that no JSON value may have: NUL, lone surrogates, infinite numbers, and too many
 * levels.
 */
export function findJsonFaults(value: unknown, pointer = '', depth = 0): Fault[] {
  // Pointers cost several times as much as the rest, and few values need them.
  if (isSound(value, depth)) return []
  const faults: Fault[] = []
  addJsonFaults(faults, value, pointer, depth)
  return faults
}

/** Tests whether `addJsonFaults` would find nothing. */
function isSound(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isSoundText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= maxJsonDepth) return false
  if (Array.isArray(value)) return value.every(inner => isSound(inner, depth + 1))
  for (const member in value) {
    if (!isSoundText(member) || !isSound((value as Record<string, unknown>)[member], depth + 1)) return false
  }
  return true
}

const isSoundText = (text: string) => !text.includes('\0') && text.isWellFormed()

export const tooDeep = (pointer: string): Fault => ({
  pointer,
  message: `JSON may be at most ${maxJsonDepth} levels deep`
})

function addJsonFaults(faults: Fault[], value: unknown, pointer: string, depth: number) {
  // More faults are of no use, and no answer lists them.
  if (faults.length >= maxFaults) return
  if (typeof value === 'string') addTextFaults(faults, value, pointer)
  if (typeof value === 'number' && !Number.isFinite(value)) faults.push({ pointer, message: 'A number must be finite' })
  if (typeof value !== 'object' || value === null) return
  if (depth >= maxJsonDepth) {
    faults.push(tooDeep(pointer))
    return
  }
  for (const [member, inner] of Object.entries(value)) {
    const at = pointerTo(pointer, member)
    if (!Array.isArray(value)) addTextFaults(faults, member, at)
    addJsonFaults(faults, inner, at, depth + 1)
  }
}

function addTextFaults(faults: Fault[], text: string, pointer: string) {
  if (text.includes('\0')) faults.push({ pointer, message: 'Text may not contain the NUL character' })
  else if (!text.isWellFormed())
    faults.push({ pointer, message: 'Text must be well-formed Unicode (it contains half a surrogate pair)' })
}
