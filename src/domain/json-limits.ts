import { type Fault, maxFaults } from './errors.ts'
import { pointerTo } from './json.ts'

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
