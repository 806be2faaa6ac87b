import { isJsonObject, pointerTo } from '../json.ts'
import { type DateReading, readDate } from '../values/dates.ts'
import type { Bound } from './filter.ts'

/* The ranges of dates, numbers and sizes that filters ask for. */

/** Reports a fault at a JSON pointer. */
type Complain = (pointer: string, message: string) => void

/** Numbers of things: whole, and not below 0. */
export function readSizes(
  value: unknown,
  pointer: string,
  fault: Complain
): { min: number; max: number | undefined } | undefined {
  if (value === '*') return { min: 1, max: undefined }
  if (value === '') return { min: 0, max: 0 }
  const range = readNumbers(value, pointer, fault)
  if (!range) return undefined
  const { min, max } = range
  return {
    min: !min ? 0 : Math.max(0, min.included ? Math.ceil(min.value) : Math.floor(min.value) + 1),
    max: max && (max.included ? Math.floor(max.value) : Math.ceil(max.value) - 1)
  }
}

/** Instants from the first to the last. */
export function readInstants(
  value: unknown,
  pointer: string,
  fault: Complain
): { from: number; to: number } | undefined {
  if (typeof value === 'string') {
    const date = readBound(value, pointer, fault)
    return date && { from: date.first, to: date.last }
  }
  const bounds = readBounds(value, pointer, 'an ISO 8601 date', fault)
  if (!bounds) return undefined
  const min = bounds.min === undefined ? undefined : readBound(bounds.min, `${pointer}/min`, fault)
  const max = bounds.max === undefined ? undefined : readBound(bounds.max, `${pointer}/max`, fault)
  if ((bounds.min !== undefined && !min) || (bounds.max !== undefined && !max)) return undefined
  if (min && max && min.first > max.last) {
    fault(pointer, '"min" is after "max"')
    return undefined
  }
  return {
    from: min ? (bounds.included ? min.first : min.last + 1) : Number.MIN_SAFE_INTEGER,
    to: max ? (bounds.included ? max.last : max.first - 1) : Number.MAX_SAFE_INTEGER
  }
}

function readBound(value: unknown, pointer: string, fault: Complain): DateReading | undefined {
  const date = typeof value === 'string' ? readDate(value) : undefined
  if (!date) fault(pointer, `Not an ISO 8601 date: ${JSON.stringify(value)}`)
  return date
}

export function readNumbers(
  value: unknown,
  pointer: string,
  fault: Complain
): { min: Bound | undefined; max: Bound | undefined } | undefined {
  if (typeof value === 'number') return { min: { value, included: true }, max: { value, included: true } }
  const bounds = readBounds(value, pointer, 'a number', fault)
  if (!bounds) return undefined
  const { min, max, included } = bounds
  for (const [name, bound] of [
    ['min', min],
    ['max', max]
  ] as const) {
    if (bound !== undefined && typeof bound !== 'number') {
      fault(`${pointer}/${name}`, `"${name}" must be a number`)
      return undefined
    }
  }
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    fault(pointer, '"min" is greater than "max"')
    return undefined
  }
  return {
    min: typeof min === 'number' ? { value: min, included } : undefined,
    max: typeof max === 'number' ? { value: max, included } : undefined
  }
}

function readBounds(
  value: unknown,
  pointer: string,
  what: string,
  fault: Complain
): { min: unknown; max: unknown; included: boolean } | undefined {
  if (!isJsonObject(value)) {
    fault(pointer, `Must be ${what} or {"min", "max", "included"}`)
    return undefined
  }
  for (const member of Object.keys(value)) {
    if (!['min', 'max', 'included'].includes(member)) {
      fault(pointerTo(pointer, member), `Unknown member "${member}" of a range`)
      return undefined
    }
  }
  const { min, max, included } = value
  if (included !== undefined && typeof included !== 'boolean') {
    fault(`${pointer}/included`, '"included" must be true or false')
    return undefined
  }
  if ((min ?? undefined) === undefined && (max ?? undefined) === undefined) {
    fault(pointer, 'A range needs "min" or "max"')
    return undefined
  }
  return { min: min ?? undefined, max: max ?? undefined, included: included !== false }
}
