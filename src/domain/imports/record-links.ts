import { textKey } from '../clustering/title-key.ts'
import { readIsbn } from '../values/isbn.ts'
import { basisLink, type StoredLink, type StoredRecord } from './stored.ts'

/*
 * Records that name other records: an article names its host, a serial the one before and after it.
 * A record is found by keys: each record has keys that others may name it by, and a link has the
 * keys of the record that it names, the most certain first. The choice depends only on the records,
 * not on the order in which they came.
 */

/** The numbers by which a record names another one, or by which it may be named. */
export interface RecordNumbers {
  /** Control numbers, each with or without the code of its agency in brackets. */
  readonly control: readonly string[]
  readonly issn: readonly string[]
  readonly isbn: readonly string[]
}

/** A title, and the authors that tell it from equal ones. */
export interface NamedTitle {
  readonly key: string
  readonly authors: readonly string[]
}

/** Maximum keys of one record; more are no help. */
const maxKeys = 40
/** Maximum characters of a key. */
const maxKeyLength = 200

/**
 * The keys for numbers and a title. A number without an agency is one of the agency of the record.
 * A title by an author is another title than the same without one.
 */
export function linkKeys(numbers: RecordNumbers, title: NamedTitle | undefined, agency: string | undefined): string[] {
  const control = numbers.control.map(each => controlKey(each, agency))
  const keys = [
    ...control,
    ...numbers.issn.flatMap(each => (issnPattern.test(bare(each)) ? [`issn ${bare(each)}`] : [])),
    ...numbers.isbn.flatMap(each => readIsbn(each)?.comparable ?? []).map(each => `isbn ${each}`),
    ...(title === undefined || title.key === '' ? [] : titleKeys(title))
  ]
  return [...new Set(keys.map(each => each.slice(0, maxKeyLength)))].slice(0, maxKeys)
}

const issnPattern = /^\d{7}[\dX]$/
const bare = (text: string) => text.replaceAll(/[^\dXx]/g, '').toUpperCase()

/** The keys of titles by which cataloguers know a work, beside that of the publication. */
export const workKeys = ({ key, authors }: NamedTitle): string[] =>
  authors.length === 0 ? [] : titleKeys({ key, authors }, 'known as')

function titleKeys({ key, authors }: NamedTitle, kind = 'title'): string[] {
  const title = `${kind} ${key.slice(0, maxKeyLength / 2)}`
  const surnames = authors.map(each => textKey(each.split(',')[0] ?? '')).filter(Boolean)
  return surnames.length === 0 ? [title] : surnames.map(each => `${title} / ${each}`)
}

function controlKey(text: string, agency: string | undefined): string {
  const [, own = agency, number = ''] = /^\s*(?:\(([^()]+)\))?\s*(.*)$/s.exec(text) ?? []
  const plain = number.replaceAll(/\s+/g, '').toLowerCase()
  if (own === undefined || own === '') return `id ${plain}`
  const code = own.replaceAll(/\s+/g, ' ').trim().toLowerCase()
  // Numbers of WorldCat are written with and without a prefix and zeros.
  const digits = code === 'ocolc' ? plain.replace(/^(?:oc[mn]|on)(?=\d)/, '').replace(/^0+(?=\d)/, '') : plain
  return `id (${code})${digits}`
}

/** Tests whether any number of records may have the key: it then counts only if one has it. */
const isWeak = (key: string) => key.startsWith('title ') || key.startsWith('known as ') || /^id [^(]/.test(key)

/** A record that a link may be about. */
export interface LinkCandidate {
  readonly name: string
  readonly record: Omit<StoredRecord, 'manifestationId' | 'items'>
}

/**
 * Chooses the record that a link of the record `from` is about. Any edition of the work that an
 * adaptation is made after will do.
 */
export function chooseLinked(
  from: string,
  link: StoredLink,
  candidatesFor: (key: string) => readonly LinkCandidate[]
): string | undefined {
  for (const key of link.keys) {
    const fitting = candidatesFor(key).filter(each => each.name !== from && fits(link, each))
    if (fitting.length === 0 || (link.kind !== basisLink && isWeak(key) && fitting.length > 1)) continue
    const [agency = ''] = /^\([^()]+\)/.exec(from) ?? []
    const rank = ({ name }: LinkCandidate) => (agency !== '' && name.startsWith(agency) ? 0 : 1)
    const [first] = fitting.toSorted((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1))
    return first?.name
  }
  return undefined
}

/**
 * A serial follows a serial, and an adaptation is made after a work that is none under this title.
 * A record with another number than the link names is not meant.
 */
function fits(link: StoredLink, { record }: LinkCandidate): boolean {
  const { kind, keys } = link
  if (isOfSerials(link) && !isSerial(record)) return false
  if (kind === basisLink)
    return (
      !isSerial(record) && !record.links?.some(each => each.kind === kind && each.keys.some(key => keys.includes(key)))
    )
  const names = record.names ?? []
  return ['issn ', 'isbn '].every(prefix => {
    const [wanted, own] = [keys, names].map(list => list.filter(each => each.startsWith(prefix)))
    return !wanted?.length || !own?.length || keys.some(key => names.includes(key) && !isWeak(key))
  })
}

/** Tests whether a link is one between serials. */
export const isOfSerials = ({ kind }: StoredLink) => kind !== 'host' && kind !== basisLink

export const isSerial = ({ manifestation }: LinkCandidate['record']) => manifestation.type.endsWith('_serial')
