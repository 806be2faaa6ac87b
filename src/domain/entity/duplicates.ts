import type { Model } from '../record-types/model.ts'
import type { Field, RecordType } from '../record-types/record-type.ts'
import { isAuthority } from '../record-types/related.ts'
import { authorityAddress, malformedAmong } from '../values/authority-link.ts'
import { readIsbn } from '../values/isbn.ts'

/*
 * The rules by which two records are likely to be duplicates. Both are of the same umbrella, and
 * they have an equal standard number, or an equal name and nothing that tells them apart
 * (`RecordType.toldApartBy`).
 */

/** The reason of an equal name; that of an equal number is the key of its field. */
export const nameReason = 'name'

/** The reason of a group whose records are similar, and not equal in what tells them apart. */
export const similarReason = 'similar'

/** One value that two records have in common. */
export interface DuplicateReason {
  readonly reason: string
  /** The number in the form for comparing, or the name. */
  readonly value: string
}

const isNumber = ({ kind, form, identifies }: Field) =>
  kind === 'isbn' || form === 'issn' || form === 'ean' || identifies === true

/** The number of a record in files of authorities, and the addresses of equal terms in others. */
export const identifierReason = 'identifier'
const sameAsKey = 'same_as'

/** The keys of the fields with numbers that only one record of a kind should have. */
export function numberKeysOf(recordType: RecordType): readonly string[] {
  let keys = numberKeys.get(recordType)
  if (!keys) {
    const { fields } = recordType
    const declared = Object.keys(fields).filter(key => isNumber(fields[key] as Field))
    keys = isAuthority(recordType) ? [...declared, identifierReason] : declared
    numberKeys.set(recordType, keys)
  }
  return keys
}

/** Asked for every record that is written; a type has up to a hundred fields. */
const numberKeys = new WeakMap<RecordType, readonly string[]>()

/** The keys of all names, and of all numbers that only one record of a kind should have. */
export const namingKeysOf = ({ recordTypes }: Model): ReadonlySet<string> =>
  new Set(recordTypes.flatMap(each => [each.nameField, ...numberKeysOf(each)]))

/** All reasons that a model can give. */
export const duplicateReasons = ({ recordTypes }: Model): string[] => [
  ...new Set([nameReason, similarReason, ...recordTypes.flatMap(numberKeysOf).filter(key => key !== sameAsKey)])
]

/** The reason of an EAN that is an ISBN. */
const isbnReason = 'isbn'

/**
 * Reads a number into the form for comparing; undefined for a text that is none. An EAN that
 * begins with 978 or 979 is an ISBN.
 */
export function readNumber(key: string, field: Field | undefined, text: string): DuplicateReason | undefined {
  if (key === identifierReason || key === sameAsKey || field === undefined) {
    const isNumbered = /^\([^)]+\)\S/.test(text) && malformedAmong([text]).length === 0
    const number = authorityAddress(text) ?? (isNumbered ? text : undefined)
    return number === undefined ? undefined : { reason: identifierReason, value: number.toLowerCase() }
  }
  if (field.kind === 'isbn') {
    const isbn = readIsbn(text)
    return isbn && { reason: key, value: isbn.comparable }
  }
  const bare = bareText(text).toUpperCase()
  if (field.form === 'issn') return /^\d{7}[\dX]$/.test(bare) ? { reason: key, value: bare } : undefined
  if (field.form === 'ean') {
    if (!/^(?:\d{8}|\d{12,14})$/.test(bare)) return undefined
    return { reason: /^97[89]\d{10}$/.test(bare) ? isbnReason : key, value: bare }
  }
  return bare === '' ? undefined : { reason: key, value: bare }
}

/** Folded texts in which a number may be stored, for finding it without reading all numbers. */
export function formsOfNumber({ value }: DuplicateReason, folded: string): readonly string[] {
  const lower = value.toLowerCase()
  return [...new Set([folded, lower, `${lower.slice(0, 4)}-${lower.slice(4)}`])]
}

/**
 * Punctuation and blanks: everything in ASCII but letters and digits, and two blocks of Unicode
 * that have punctuation only. `index/duplicates.ts` skips the same characters as bytes.
 */
const punctuation = /[\0-/:-@[-`{-\xbf\u2000-\u203f]+/g

/** A folded text without punctuation and blanks; the text itself where nothing is left. */
export function bareText(folded: string): string {
  const bare = folded.replace(punctuation, '')
  return bare === '' ? folded : bare
}
