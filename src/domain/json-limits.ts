import type { Fault } from './errors.ts'

export const deepestJson = 32

/** What a value may not hold, wherever it comes from: NUL, lone surrogates, numbers without end, and great depth. */
export function findJsonFaults(value: unknown, pointer = '', depth = 0): Fault[] {
  if (typeof value === 'string') return findTextFaults(value, pointer)
  if (typeof value === 'number') {
    return Number.isFinite(value) ? [] : [{ pointer, message: 'A number must be finite' }]
  }
  if (typeof value !== 'object' || value === null) return []
  if (depth >= deepestJson) return [{ pointer, message: `JSON may be ${deepestJson} levels deep` }]
  const faults: Fault[] = []
  for (const [member, inner] of Object.entries(value)) {
    const at = `${pointer}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!Array.isArray(value)) faults.push(...findTextFaults(member, at))
    faults.push(...findJsonFaults(inner, at, depth + 1))
  }
  return faults
}

function findTextFaults(text: string, pointer: string): Fault[] {
  if (text.includes('\0')) return [{ pointer, message: 'Text may not hold the NUL character' }]
  return text.isWellFormed()
    ? []
    : [{ pointer, message: 'Text must be well-formed Unicode (it holds half a surrogate pair)' }]
}
