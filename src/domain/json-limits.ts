import { type Fault, maxFaults } from './errors.ts'
import { pointerTo } from './json.ts'

export const maxJsonDepth = 32

/**
 * Finds parts that no JSON value may have: NUL, lone surrogates, infinite numbers, and too many
 * levels.
 */
export function findJsonFaults(value: unknown, pointer = '', depth = 0): Fault[] {
  const faults: Fault[] = []
  addJsonFaults(faults, value, pointer, depth)
  return faults
}

function addJsonFaults(faults: Fault[], value: unknown, pointer: string, depth: number) {
  // More faults are of no use, and no answer lists them.
  if (faults.length >= maxFaults) return
  if (typeof value === 'string') addTextFaults(faults, value, pointer)
  if (typeof value === 'number' && !Number.isFinite(value)) faults.push({ pointer, message: 'A number must be finite' })
  if (typeof value !== 'object' || value === null) return
  if (depth >= maxJsonDepth) {
    faults.push({ pointer, message: `JSON may be at most ${maxJsonDepth} levels deep` })
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
