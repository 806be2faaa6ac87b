import { mediaRelations } from '../record-types/media-relations.ts'
import { readDate } from '../values/dates.ts'
import type { Json, MetadataEntry, Relation } from '../entity/entity.ts'
import type { Fault } from '../errors.ts'
import { countCharacters } from '../values/fold.ts'
import { readIsbn } from '../values/isbn.ts'
import { isAge } from '../values/ages.ts'
import { readPrice } from '../labels/price.ts'
import { isZoneName } from '../values/time-zone.ts'
import type { Pointers } from './read-draft.ts'
import { type Field, type FieldKind, isTranslatable, type RecordType } from '../record-types/record-type.ts'
import type { HtmlBudget } from './record-limits.ts'
import { type Doubt, doubtOfKey, doubtOfValue } from './value-warnings.ts'
import { identityOfEntry } from './merge-lists.ts'

/**
 * Makes HTML safe. Returns the parts that it removed, or the limit that was exceeded, as the end of
 * a sentence.
 */
export type SanitizeHtml = (
  html: string,
  budget?: HtmlBudget
) => {
  readonly html: string
  readonly removed: readonly string[]
  readonly excess?: string
}

export interface CheckedMetadata {
  readonly metadata: readonly MetadataEntry[]
  /** Values that were changed or look wrong, but were accepted. */
  readonly warnings: readonly Fault[]
}

/** The record and the request that metadata comes from. */
export interface MetadataOrigin {
  /**
   * The metadata that the record has: a second value of a single-valued field that was stored
   * before this rule existed is dropped with a warning instead of being refused.
   */
  readonly before?: readonly MetadataEntry[] | undefined
  /** The entries that came with the request. */
  readonly pointers?: Pointers | undefined
  /** The undeclared keys that need no warning. */
  readonly knownKeys?: ReadonlySet<string>
}

/**
 * Checks metadata against the table of its record type: values, required fields, defaults. An empty
 * value of a declared field (`""`, `null`, `[]`) means that the field has none, so its entry is
 * left out. Undeclared keys pass as they are. Adds every fault to `faults`.
 */
export function checkMetadata(
  recordType: RecordType,
  given: readonly MetadataEntry[],
  sanitizeHtml: SanitizeHtml,
  faults: Fault[],
  { before = [], pointers, knownKeys }: MetadataOrigin = {}
): CheckedMetadata {
  const warnings: Fault[] = []
  const singles = new SingleValues(before, faults, warnings)
  const metadata = given.flatMap((entry, index): MetadataEntry[] => {
    const field = fieldOf(recordType, entry.key)
    const sentAt = pointers?.get(entry)
    // Doubts are for the writer of the value, not for every later writer of the record.
    const doubt = (pointer: string, found: Doubt | undefined) => {
      if (found !== undefined) warnings.push({ pointer, ...found, key: entry.key })
    }
    if (!field) {
      if (sentAt !== undefined && !knownKeys?.has(entry.key)) doubt(`${sentAt}/key`, doubtOfKey(recordType, entry.key))
      return [entry]
    }
    const cleaned = withoutEmptyCodes(field, entry.value)
    if (isEmpty(cleaned)) return []
    if (sentAt !== undefined) doubt(`${sentAt}/value`, doubtOfValue(entry.key, field, cleaned))
    const pointer = sentAt ?? `/metadata/${index}`
    if (!singles.accepts(field, entry, pointer, sentAt !== undefined)) return []
    const value = checkValue(field, { ...entry, value: cleaned }, `${pointer}/value`, sanitizeHtml, {
      faults,
      warnings
    })
    if (isEmpty(value)) return []
    return value === entry.value ? [entry] : [{ ...entry, value }]
  })

  for (const [key, field] of Object.entries(recordType.fields)) {
    const isThere = metadata.some(entry => entry.key === key)
    if (!isThere && field.default !== undefined) {
      metadata.push({ key, value: field.default })
    } else if (!isThere && field.required) {
      faults.push({ pointer: '/metadata', message: `"${key}" is required for a ${recordType.type}` })
    }
  }
  checkPeriods(recordType, metadata, faults)
  for (const need of recordType.needs ?? []) {
    if (!metadata.some(entry => entry.key === need.field && entry.value === need.is)) continue
    for (const message of missingFor(recordType, need, metadata)) faults.push({ pointer: '/metadata', message })
  }
  return { metadata, warnings }
}

/** Finds second values of fields that may have only one. */
class SingleValues {
  readonly #seen = new Set<string>()
  /** Fields that have several values in the stored record, by key, and by key and language. */
  readonly #doubled = new Set<string>()
  readonly #faults: Fault[]
  readonly #warnings: Fault[]

  constructor(before: readonly MetadataEntry[], faults: Fault[], warnings: Fault[]) {
    const stored = new Set<string>()
    for (const { key, lang } of before) {
      for (const identity of [key, `${key}\n${lang ?? ''}`]) {
        if (stored.has(identity)) this.#doubled.add(identity)
        stored.add(identity)
      }
    }
    this.#faults = faults
    this.#warnings = warnings
  }

  /**
   * Returns whether the entry is the first of its field, and records a fault or a warning if not.
   */
  accepts(field: Field, entry: MetadataEntry, pointer: string, wasSent: boolean): boolean {
    if (field.repeatable) return true
    const byLanguage = isTranslatable(field)
    const identity = byLanguage ? identityOfEntry(entry) : entry.key
    if (!this.#seen.has(identity)) {
      this.#seen.add(identity)
      return true
    }
    const message = `"${entry.key}" has one value${byLanguage ? ' in each language' : ''}`
    if (this.#doubled.has(identity) || !wasSent)
      this.#warnings.push({
        pointer,
        message: `${message}; a second one was dropped`,
        code: 'second_value',
        key: entry.key
      })
    else this.#faults.push({ pointer, message: `${message}, and this is a second one` })
    return false
  }
}

/** Removes empty codes from a list, which some clients send. */
const withoutEmptyCodes = (field: Field, value: Json): Json =>
  field.kind === 'codes' && Array.isArray(value) && value.some(isEmpty) ? value.filter(each => !isEmpty(each)) : value

/** Refuses periods that end before they begin. */
function checkPeriods(recordType: RecordType, metadata: readonly MetadataEntry[], faults: Fault[]) {
  for (const { from, to } of recordType.periods ?? []) {
    const [start, end] = [from, to].map(key => {
      const value = metadata.find(entry => entry.key === key)?.value
      return typeof value === 'string' ? readDate(value) : undefined
    })
    if (start && end && end.last < start.first)
      faults.push({ pointer: '/metadata', message: `"${to}" of a ${recordType.type} is before its "${from}"` })
  }
}

/** The fields that a record lacks for a value that needs them, each as a sentence. */
export const missingFor = (
  recordType: RecordType,
  need: NonNullable<RecordType['needs']>[number],
  metadata: readonly MetadataEntry[]
): string[] =>
  missingFields(need, metadata).map(key => `A ${recordType.type} whose ${need.field} is "${need.is}" needs "${key}"`)

/** The keys of the fields that a record lacks for a value that needs them. */
export const missingFields = (
  need: NonNullable<RecordType['needs']>[number],
  metadata: readonly MetadataEntry[]
): string[] => need.fields.filter(key => !metadata.some(entry => entry.key === key && !isEmpty(entry.value)))

/** Checks the number of relations of each type; their targets are checked elsewhere. */
export function checkRelationCounts(recordType: RecordType, relations: readonly Relation[], faults: Fault[]) {
  const hasMedia = relations.some(({ type }) => Object.hasOwn(mediaRelations, type))
  const rules = hasMedia ? { ...mediaRelations, ...recordType.relations } : recordType.relations
  for (const [type, rule] of Object.entries(rules)) {
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
  { faults, warnings }: { readonly faults: Fault[]; readonly warnings: Fault[] }
): Json {
  const problem = problemByKind[field.kind](entry.value, field)
  if (problem !== undefined) {
    faults.push({ pointer, message: `"${entry.key}" ${problem}` })
    return entry.value
  }
  let value = entry.value
  if (typeof value !== 'string') return value
  if (field.isAddress && hasOtherScheme(value))
    faults.push({ pointer, message: `"${entry.key}" must be an address of http, https, mailto or tel` })
  if (field.readAs && Object.hasOwn(field.readAs, value)) return field.readAs[value] ?? value
  if (field.kind === 'html') {
    const safe = sanitizeHtml(value)
    if (safe.excess !== undefined) {
      faults.push({ pointer, message: `"${entry.key}" ${safe.excess}` })
      return value
    }
    if (safe.removed.length > 0) {
      const message = `Unsafe markup was removed from "${entry.key}": ${safe.removed.join(', ')}`
      warnings.push({ pointer, message, code: 'unsafe_markup', key: entry.key, value: safe.removed.join(', ') })
    }
    value = safe.html
  }
  if (field.kind === 'isbn' && readIsbn(value)?.checkDigitIsRight !== true) {
    const what = readIsbn(value) ? 'has a wrong check digit' : 'does not have the form of an ISBN'
    const message = `The isbn "${value}" ${what}; it is stored as typed`
    warnings.push({ pointer, message, code: 'doubtful_value', key: entry.key, value })
  }
  if (field.maxLength !== undefined && countCharacters(value) > field.maxLength) {
    faults.push({
      pointer,
      message: `"${entry.key}" may have at most ${field.maxLength} characters, not ${countCharacters(value)}`,
      code: 'too_long',
      value: entry.key
    })
  }
  return value
}

const mustBeText = (value: Json) => (typeof value === 'string' ? undefined : 'must be a string')

/** Requires text that passes a test. */
const mustBeSuch = (passes: (text: string) => unknown, problem: string) => (value: Json) =>
  typeof value === 'string' && passes(value) ? undefined : `must be ${problem}`

const mustBeNumber = (value: Json, { min, max }: Field) => {
  if (typeof value !== 'number') return 'must be a number'
  if (min !== undefined && value < min) return `must be at least ${min}`
  return max !== undefined && value > max ? `must be at most ${max}` : undefined
}

/** The problem with a value of each kind, as the end of a sentence that begins with the key. */
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
  date: mustBeSuch(readDate, 'an ISO 8601 date such as "2026-11-14"'),
  moment: mustBeSuch(readDate, 'an ISO 8601 date and time such as "2026-11-14T20:00:00Z"'),
  boolean: value => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  codes: value =>
    Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string' && each !== '')
      ? undefined
      : 'must be an array of strings',
  age_category: mustBeSuch(isAge, 'an age such as "12+" or "6-12", or "all"'),
  price: mustBeSuch(readPrice, 'an amount, a currency and the name of the tariff, such as "24.50 EUR Standard"'),
  time_zone: mustBeSuch(isZoneName, 'a time zone of the IANA database such as "Europe/Brussels"')
}

/** Tests whether a value is empty: blanks count as empty. */
const isEmpty = (value: Json) =>
  value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0)

/** Tests whether a text has a scheme that links may not have; a host with a port has none. */
const hasOtherScheme = (text: string) => {
  const [, scheme] = /^\s*([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text) ?? []
  return scheme !== undefined && !['http', 'https', 'mailto', 'tel'].includes(scheme.toLowerCase())
}

function fieldOf(recordType: RecordType, key: string): Field | undefined {
  return Object.hasOwn(recordType.fields, key) ? recordType.fields[key] : undefined
}
