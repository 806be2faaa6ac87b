import { readDate } from './dates.ts'
import type { Json, MetadataEntry, Relation } from './entity.ts'
import type { Fault } from './errors.ts'
import { countCharacters } from './fold.ts'
import { readIsbn } from './isbn.ts'
import { placeOf } from './places.ts'
import type { Field, FieldKind, RecordType } from './record-type.ts'

/** Makes HTML safe, and says what it took away. */
export type SanitizeHtml = (html: string) => { readonly html: string; readonly removed: readonly string[] }

export interface CheckedMetadata {
  readonly metadata: readonly MetadataEntry[]
  /** What was changed or looks wrong, but was accepted. */
  readonly warnings: readonly Fault[]
}

/**
 * Holds metadata against the table of its record type: values, required fields, defaults. Undeclared keys pass as they are.
 * Adds every fault to `faults`.
 */
export function checkMetadata(
  recordType: RecordType,
  given: readonly MetadataEntry[],
  sanitizeHtml: SanitizeHtml,
  faults: Fault[]
): CheckedMetadata {
  const warnings: Fault[] = []
  const metadata = given.map((entry, index): MetadataEntry => {
    const field = fieldOf(recordType, entry.key)
    if (!field) return entry
    const pointer = `${placeOf(entry, 'metadata', index)}/value`
    const value = checkValue(field, entry, pointer, sanitizeHtml, faults, warnings)
    return value === entry.value ? entry : { ...entry, value }
  })

  for (const [key, field] of Object.entries(recordType.fields)) {
    const isThere = metadata.some(entry => entry.key === key && !isEmpty(entry.value))
    if (!isThere && field.default !== undefined && !metadata.some(entry => entry.key === key)) {
      metadata.push({ key, value: field.default })
    } else if (!isThere && field.required) {
      faults.push({ pointer: '/metadata', message: `"${key}" is required for a ${recordType.type}` })
    }
  }
  for (const need of recordType.needs ?? []) {
    if (!metadata.some(entry => entry.key === need.field && entry.value === need.is)) continue
    for (const message of missingFor(recordType, need, metadata)) faults.push({ pointer: '/metadata', message })
  }
  return { metadata, warnings }
}

/** What a record lacks to have a value that needs other fields, each as a sentence. */
export const missingFor = (
  recordType: RecordType,
  need: NonNullable<RecordType['needs']>[number],
  metadata: readonly MetadataEntry[]
): string[] =>
  need.fields
    .filter(key => !metadata.some(entry => entry.key === key && !isEmpty(entry.value)))
    .map(key => `A ${recordType.type} whose ${need.field} is "${need.is}" needs "${key}"`)

/** Holds relations against how many there may be of each; what they point to is checked where the targets are known. */
export function checkRelationCounts(recordType: RecordType, relations: readonly Relation[], faults: Fault[]) {
  for (const [type, rule] of Object.entries(recordType.relations)) {
    const count = relations.filter(relation => relation.type === type).length
    if (rule.min !== undefined && count < rule.min) {
      faults.push({
        pointer: '/relations',
        message: `A ${recordType.type} needs ${howMany(rule.min, rule.max)} ${type}`
      })
    }
    if (rule.max !== undefined && count > rule.max) {
      faults.push({
        pointer: '/relations',
        message: `A ${recordType.type} may have ${howMany(0, rule.max)} ${type}, not ${count}`
      })
    }
  }
}

const howMany = (min: number, max: number | undefined) =>
  min === max ? `exactly ${min}` : min === 0 ? `at most ${max}` : `at least ${min}`

function checkValue(
  field: Field,
  entry: MetadataEntry,
  pointer: string,
  sanitizeHtml: SanitizeHtml,
  faults: Fault[],
  warnings: Fault[]
): Json {
  const problem = problemByKind[field.kind](entry.value, field)
  if (problem !== undefined && !mayBeEmpty(field, entry.value)) {
    faults.push({ pointer, message: `"${entry.key}" ${problem}` })
    return entry.value
  }
  let value = entry.value
  if (typeof value !== 'string') return value
  if (field.readAs && Object.hasOwn(field.readAs, value)) return field.readAs[value] ?? value
  if (field.kind === 'html') {
    const safe = sanitizeHtml(value)
    if (safe.removed.length > 0) {
      warnings.push({ pointer, message: `Unsafe markup was removed from "${entry.key}": ${safe.removed.join(', ')}` })
    }
    value = safe.html
  }
  if (field.kind === 'isbn' && readIsbn(value)?.checkDigitIsRight !== true) {
    const what = readIsbn(value) ? 'has a wrong check digit' : 'does not have the form of an ISBN'
    warnings.push({ pointer, message: `The isbn "${value}" ${what}; it is kept as typed` })
  }
  if (field.maxLength !== undefined && countCharacters(value) > field.maxLength) {
    faults.push({
      pointer,
      message: `"${entry.key}" may have ${field.maxLength} characters, not ${countCharacters(value)}`,
      code: 'too_long',
      value: entry.key
    })
  }
  return value
}

/** `null` says that there is no value; a field with a default always has one. That a required field is empty is told elsewhere. */
const mayBeEmpty = (field: Field, value: Json) =>
  field.required ? isEmpty(value) : value === null && field.default === undefined

const mustBeText = (value: Json) => (typeof value === 'string' ? undefined : 'must be a string')

const mustBeNumber = (value: Json, { min, max }: Field) => {
  if (typeof value !== 'number') return 'must be a number'
  if (min !== undefined && value < min) return `must be at least ${min}`
  return max !== undefined && value > max ? `must be at most ${max}` : undefined
}

/** What is wrong with a value of each kind, as the end of a sentence that begins with the key. */
const problemByKind: Record<FieldKind, (value: Json, field: Field) => string | undefined> = {
  text: mustBeText,
  html: mustBeText,
  isbn: mustBeText,
  choice: (value, { of = [], readAs = {} }) =>
    typeof value === 'string' && (of.includes(value) || Object.hasOwn(readAs, value))
      ? undefined
      : `must be one of ${of.join(', ')}, not ${JSON.stringify(value)}`,
  number: mustBeNumber,
  minutes: mustBeNumber,
  year: value =>
    typeof value === 'string' || Number.isInteger(value) ? undefined : 'must be a year, as text or a whole number',
  date: value =>
    typeof value === 'string' && readDate(value) ? undefined : 'must be an ISO 8601 date such as "2026-11-14"',
  moment: value =>
    typeof value === 'string' && readDate(value)
      ? undefined
      : 'must be an ISO 8601 date and time such as "2026-11-14T20:00:00Z"',
  boolean: value => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  codes: value =>
    Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string' && each !== '')
      ? undefined
      : 'must be an array of strings',
  age_category: value =>
    typeof value === 'string' && /^(?:\d{1,2}\+|all)$/.test(value)
      ? undefined
      : 'must be an age such as "12+", or "all"'
}

const isEmpty = (value: Json) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

function fieldOf(recordType: RecordType, key: string): Field | undefined {
  return Object.hasOwn(recordType.fields, key) ? recordType.fields[key] : undefined
}
