import { readIsbn } from '#domain/values/isbn.ts'
import { foldText } from '#domain/values/fold.ts'
import type { MarcRecord } from '#formats/marc/record.ts'

/* Queries for a record that somebody knows, in the forms that people type them. */

/** The parts of a MARC 21 record that queries are made of. */
export interface KnownRecord {
  readonly title: readonly string[]
  readonly surname: string
  readonly forenames: string
  readonly year: string
  readonly publisher: string
  readonly isbn: string
  readonly series: string
  readonly subject: string
}

const valuesAt = ({ fields }: MarcRecord, tags: readonly string[], codes: string): string[] =>
  fields.flatMap(field =>
    'subfields' in field && tags.includes(field.tag)
      ? field.subfields.flatMap(({ code, value }) => (codes.includes(code) ? [value.trim()] : []))
      : []
  )

const wordsIn = (text = '') => text.split(/[^\p{L}\p{N}\p{M}'’]+/u).filter(Boolean)

/** Words of cataloguers for a publisher that is not known; nobody types them. */
const isNoPublisher = /not identified|non identifi|^s n\b/i

export function readKnown(record: MarcRecord): KnownRecord {
  const [name = ''] = valuesAt(record, ['100'], 'a')
  const [surname = '', forenames = ''] = name.split(',').map(each => wordsIn(each).join(' '))
  const first = (tags: readonly string[], codes: string) => wordsIn(valuesAt(record, tags, codes)[0]).join(' ')
  const [isbn = ''] = valuesAt(record, ['020'], 'a').flatMap(value => /^[\dXx-]{10,17}/.exec(value)?.[0] ?? [])
  return {
    title: wordsIn(valuesAt(record, ['245'], 'ab').join(' ')),
    surname,
    forenames,
    year: /\d{4}/.exec(valuesAt(record, ['260', '264'], 'c')[0] ?? '')?.[0] ?? '',
    publisher: isNoPublisher.test(first(['260', '264'], 'b')) ? '' : first(['260', '264'], 'b'),
    isbn: readIsbn(isbn)?.checkDigitIsRight ? isbn : '',
    series: first(['490', '830'], 'a'),
    subject: first(['650'], 'a')
  }
}

/** Every text of a record that people search by, for other programs: the title, names, the rest. */
export function textsOf(record: MarcRecord): readonly [title: string, names: string, rest: string] {
  const tags = [...new Set(record.fields.map(({ tag }) => tag))]
  const isRest = (tag: string) => /^(?:020|022|024|028|[2-8]..)$/.test(tag) && !/^(?:245|7[01].)$/.test(tag)
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const joined = (wanted: (tag: string) => boolean) => valuesAt(record, tags.filter(wanted), letters).join(' ')
  return [joined(tag => tag === '245'), joined(tag => /^(?:1..|7[01].)$/.test(tag)), joined(isRest)]
}

const longest = (words: readonly string[]) => words.toSorted((one, other) => other.length - one.length)[0] ?? ''
/** The word with another letter, with two letters swapped, or without one, in its middle. */
const typos = {
  changed: (word: string) =>
    `${word.slice(0, word.length >> 1)}${word.at(word.length >> 1) === 'e' ? 'a' : 'e'}${word.slice((word.length >> 1) + 1)}`,
  swapped: (word: string) => {
    const at = word.length >> 1
    return `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`
  },
  leftOut: (word: string) => `${word.slice(0, word.length >> 1)}${word.slice((word.length >> 1) + 1)}`
}

function withTypo(words: readonly string[], make: (word: string) => string): string[] | undefined {
  const word = longest(words)
  return word.length < 5 ? undefined : words.map(each => (each === word ? make(word) : each))
}

const otherLength = (isbn: string): string | undefined => {
  const bare = isbn.replaceAll('-', '')
  if (bare.length === 10) return readIsbn(bare)?.comparable
  if (!bare.startsWith('978')) return undefined
  const body = bare.slice(3, 12)
  const rest = (11 - ([...body].reduce((sum, digit, at) => sum + Number(digit) * (10 - at), 0) % 11)) % 11
  return body + (rest === 10 ? 'X' : rest)
}

/** Joins parts of a query; undefined where a part is missing. */
const all = (...parts: readonly (string | readonly string[] | undefined)[]): string | undefined =>
  parts.some(part => part === undefined || part.length === 0) ? undefined : parts.flat().join(' ')

type Form = (known: KnownRecord) => string | undefined

const longTitle = (title: readonly string[]) => (title.length >= 5 ? title : undefined)
const initials = (forenames: string) => forenames.split(' ').flatMap(each => each[0] ?? [])

export const forms: Readonly<Record<string, Form>> = {
  title: ({ title }) => all(title),
  'first words': ({ title }) => all(longTitle(title)?.slice(0, 3)),
  'last words': ({ title }) => all(longTitle(title)?.slice(-3)),
  'middle words, surname': ({ title, surname }) => all(longTitle(title)?.slice(1, 4), surname),
  'surname, title': ({ title, surname }) => all(surname, title),
  'author, title': ({ title, surname, forenames }) => all(surname, forenames, title),
  'title by author': ({ title, surname, forenames }) => all(title, 'by', forenames, surname),
  'initials, surname, words': ({ title, surname, forenames }) => all(initials(forenames), surname, title.slice(0, 3)),
  'title, year': ({ title, year }) => all(title, year),
  'author, title, year': ({ title, surname, year }) => all(surname, title, year),
  'changed letter': ({ title }) => all(withTypo(title, typos.changed)),
  'swapped letters': ({ title }) => all(withTypo(title, typos.swapped)),
  'letter left out': ({ title }) => all(withTypo(title, typos.leftOut)),
  'typo in the author': ({ title, surname }) => all(withTypo([surname], typos.changed), title.slice(0, 4)),
  'last word cut off': ({ title }) =>
    (title.at(-1) ?? '').length > 5 ? all(title.slice(0, -1), title.at(-1)?.slice(0, -2)) : undefined,
  'without diacritics': ({ title }) =>
    foldText(title.join(' ')) === title.join(' ').toLowerCase() ? undefined : foldText(title.join(' ')),
  'title, publisher, year': ({ title, publisher, year }) => all(title, publisher, year),
  'publisher, year, surname': ({ publisher, year, surname }) => all(publisher, year, surname),
  'ISBN as printed': ({ isbn }) => all(isbn),
  'ISBN, other length': ({ isbn }) => (isbn === '' ? undefined : otherLength(isbn)),
  'ISBN in groups': ({ isbn }) =>
    isbn === '' ? undefined : isbn.replaceAll('-', '').replace(/(\d)(\d{4})(\d{4})(.)$/, '$1-$2-$3-$4'),
  'series, surname': ({ series, surname }) => all(series, surname),
  'subject, surname, year': ({ subject, surname, year }) => all(subject, surname, year),
  everything: ({ title, surname, forenames, publisher, year }) => all(forenames, surname, title, publisher, year)
}
