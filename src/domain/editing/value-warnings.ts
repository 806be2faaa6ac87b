import type { Json } from '../entity/entity.ts'
import type { Fault } from '../errors.ts'
import type { Field, FieldForm, RecordType } from '../record-types/record-type.ts'
import { nearestName } from '../search/nearest-name.ts'

/*
 * Values and keys that look wrong but may be right: they are stored, and the writer is told.
 */

/** A doubt about what was sent, as a sentence and as a code with what it is about. */
export type Doubt = Required<Pick<Fault, 'message' | 'code' | 'value'>>

/** Characters of the longest text with one of these forms: an e-mail address has at most 254. */
const maxFormLength = 254

/** The fault of a text that does not have its form, as the end of a sentence; else undefined. */
export const faultByForm: Readonly<Record<FieldForm, (text: string) => string | undefined>> = {
  issn: text => {
    const bare = text.replaceAll(/[\s\u2010-\u2015-]/g, '').toUpperCase()
    if (!/^\d{7}[\dX]$/.test(bare)) return 'does not have the form of an ISSN'
    return weighted(bare, 8, 11) === 0 ? undefined : 'has a wrong check digit'
  },
  ean: text => {
    const bare = text.replaceAll(/[\s-]/g, '')
    if (!/^(?:\d{8}|\d{12,14})$/.test(bare)) return 'does not have the form of an EAN'
    const sum = [...bare]
      .reverse()
      .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0)
    return sum % 10 === 0 ? undefined : 'has a wrong check digit'
  },
  language: text => (/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(text) ? undefined : 'is not a code of ISO 639'),
  email: text => (isEmailAddress(text.trim()) ? undefined : 'is not an e-mail address')
}

/** Tests for a name, an `@` and a domain of at least two parts. */
export const isEmailAddress = (text: string) => /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(text)

/** The sum of digits with weights that begin at `first` and decrease, modulo `modulus`. */
function weighted(digits: string, first: number, modulus: number): number {
  const values = [...digits].map(each => (each === 'X' ? 10 : Number(each)))
  return values.reduce((sum, value, place) => sum + value * (first - place), 0) % modulus
}

/** Returns the doubt about a value of a declared field, if there is one. */
export function doubtOfValue(key: string, field: Field, value: Json): Doubt | undefined {
  if (typeof value !== 'string') return undefined
  const shown = value.length > maxFormLength ? `${value.slice(0, 40)}…` : value
  const doubt = (fault: string): Doubt => ({
    message: `The ${key} "${shown}" ${fault}; it is stored as typed`,
    code: 'doubtful_value',
    value: shown
  })
  if (field.form !== undefined) {
    // Longer texts are not examined: the patterns take time that grows with the square.
    const fault = value.length > maxFormLength ? 'is too long' : faultByForm[field.form](value)
    return fault === undefined ? undefined : doubt(fault)
  }
  if (field.kind === 'year' && !/\d/.test(value)) return doubt('has no year in digits')
  return undefined
}

/** Tests whether a moment has a time and no time zone. */
export function lacksZone(moment: string): boolean {
  const time = moment.length > maxFormLength ? -1 : moment.search(/(?<=\d[T ])\d/i)
  return time >= 0 && !/(?:Z|[+-]\d{2}:?\d{2})$/i.test(moment.slice(time))
}

/** Returns the doubt about a key that no field of the type has. */
export const doubtOfKey = (recordType: RecordType, key: string): Doubt =>
  doubtOfName(recordType, 'field', key, Object.keys(recordType.fields))

/** The same for the type of a relation. */
export const doubtOfRelation = (recordType: RecordType, type: string): Doubt =>
  doubtOfName(recordType, 'relation', type, Object.keys(recordType.relations))

function doubtOfName({ type }: RecordType, what: string, name: string, known: readonly string[]): Doubt {
  const near = nearestName(name, known)
  const doubt = `A ${type} has no ${what} "${name}"`
  const message =
    near === undefined ? `${doubt}; it is stored as typed` : `${doubt}; did you mean "${near}"? It is stored as typed`
  return { message, code: 'undeclared_name', value: name }
}
