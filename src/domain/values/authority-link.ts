import { table } from '../table.ts'
import { isPlaceholder } from './placeholder.ts'

/*
 * Identifiers of authority files as web addresses, so that they resolve, match in reconciliation
 * and become links of linked data.
 */

/** The address of a number in a file; undefined for a text that is no number of that file. */
type AddressOf = (number: string) => string | undefined

const formed =
  (form: RegExp, address: AddressOf): AddressOf =>
  number =>
    form.test(number) ? address(number) : undefined

const gnd: AddressOf = number => (isGndNumber(number) ? `https://d-nb.info/gnd/${number}` : undefined)
const wikidata = formed(/^Q[1-9]\d*$/i, number => `http://www.wikidata.org/entity/${number}`)

/** The address of a number in a file, by the code of the file in MARC. */
const addresses: Readonly<Record<string, AddressOf>> = table({
  viaf: formed(/^\d{1,22}$/, number => `http://viaf.org/viaf/${number}`),
  isni: number => numberOfName(number, digits => `https://isni.org/isni/${digits}`),
  orcid: number => numberOfName(number, digits => `https://orcid.org/${digits.match(/.{4}/g)?.join('-')}`),
  wikidata,
  'wikidata.org': wikidata,
  gnd,
  'de-588': gnd,
  dlc: loc,
  lc: loc,
  naf: loc,
  lcnaf: loc,
  lcsh: loc,
  bnf: formed(/\d/, number => `https://catalogue.bnf.fr/ark:/12148/${number}`),
  geonames: formed(/^\d+$/, number => `https://sws.geonames.org/${number}/`)
})

/**
 * Numbers of ISNI and ORCID have 16 digits; the last one is a check digit (ISO/IEC 7064, MOD 11-2).
 */
function numberOfName(number: string, address: (digits: string) => string): string | undefined {
  const digits = number.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!/^\d{15}[\dX]$/.test(digits)) return undefined
  let sum = 0
  for (const digit of digits.slice(0, 15)) sum = (sum + Number(digit)) * 2
  const check = (12 - (sum % 11)) % 11
  return digits[15] === (check === 10 ? 'X' : String(check)) ? address(digits) : undefined
}

/**
 * The last digit is a check digit (modulo 11, the digits weighted from the right with 2, 3 …). In
 * numbers with a hyphen it is the remainder, in others the complement.
 */
function isGndNumber(number: string): boolean {
  const [, digits = '', hyphen, check = ''] = /^(\d{2,10}?)(-?)([\dX])$/i.exec(number) ?? []
  const sum = [...digits].reverse().reduce((total, digit, place) => total + Number(digit) * (place + 2), 0)
  const value = hyphen === '-' ? sum % 11 : (11 - (sum % 11)) % 11
  return digits !== '' && check.toUpperCase() === (value === 10 ? 'X' : String(value))
}

/** Names begin with n, subjects with sh, genres with gf. */
function loc(number: string): string | undefined {
  const bare = number.replaceAll(/\s/g, '')
  if (!/^[a-z]{1,3}\d{6,12}$/i.test(bare)) return undefined
  const file =
    bare.startsWith('sh') || bare.startsWith('sj') ? 'subjects' : bare.startsWith('gf') ? 'genreForms' : 'names'
  return `http://id.loc.gov/authorities/${file}/${bare}`
}

/**
 * The address of an identifier of an authority file: an address as it is, `(viaf)123` as that of
 * VIAF. Undefined for a number without a known file, and for a text that is no number of its file.
 */
export function authorityAddress(identifier: string): string | undefined {
  const [, file, rest = ''] = /^\(([^)]+)\)\s*(\S.*)$/.exec(identifier.trim()) ?? []
  return file === undefined ? webAddress(identifier.trim()) : addressIn(file, rest)
}

/** The address of a number in the file with this code. */
export function addressIn(file: string, number: string): string | undefined {
  const bare = number.trim()
  if (isWebAddress(bare)) return webAddress(bare)
  return /[^\w\s./-]/.test(bare) || isPlaceholder(bare) ? undefined : addresses[file.toLowerCase()]?.(bare)
}

/**
 * Files whose numbers can be told from other texts. Records have numbers of the Library of Congress
 * without the letters before them, too: these have no address, but they are numbers.
 */
const judged = new Set(['viaf', 'isni', 'orcid', 'gnd', 'de-588', 'wikidata', 'wikidata.org'])

/**
 * The texts among identifiers that are no numbers: placeholders, and those that are none of the
 * file that they name, `(isni)--` or `https://viaf.org/viaf/0`.
 */
export const malformedAmong = (identifiers: readonly string[]): string[] =>
  identifiers.filter(each => {
    const [, file, rest = ''] = /^\(([^)]+)\)\s*(.*)$/s.exec(each.trim()) ?? []
    const number = file === undefined ? each.trim() : rest
    if (isWebAddress(number)) return webAddress(number) === undefined
    if (isPlaceholder(number)) return true
    return file !== undefined && judged.has(file.toLowerCase()) && addressIn(file, number) === undefined
  })

const isWebAddress = (text: string) => /^https?:\/\/[^\s<>"{}|\\^`]+$/i.test(text)

/** An address, unless it is one of a known file without a number of this file. */
function webAddress(text: string): string | undefined {
  if (!isWebAddress(text)) return undefined
  for (const [file, pattern] of hosts) {
    const number = pattern.exec(text)?.[1]
    if (number === undefined) continue
    return isPlaceholder(number) || addresses[file]?.(number) === undefined ? undefined : text
  }
  return text
}

/** Addresses that end with a number, or should, by the code of the file. */
const hosts: readonly (readonly [file: string, address: RegExp])[] = [
  ['viaf', /^https?:\/\/(?:www\.)?viaf\.org\/viaf\/([^/?#]*)\/?$/i],
  ['isni', /^https?:\/\/(?:www\.)?isni\.org\/(?:isni\/)?([^/?#]*)\/?$/i],
  ['orcid', /^https?:\/\/(?:www\.)?orcid\.org\/([^/?#]*)\/?$/i],
  ['gnd', /^https?:\/\/(?:www\.)?d-nb\.info\/gnd\/([^/?#]*)\/?$/i],
  ['wikidata', /^https?:\/\/(?:www\.)?wikidata\.org\/(?:entity|wiki)\/([^/?#]*)\/?$/i]
]
