import { memoize } from '../memoize.ts'

/*
 * Numbers of authority files as evidence: one number is written as an address or after the code of
 * its file, `https://d-nb.info/gnd/118…` and `(DE-588)118…`.
 */

/** Files by the part of an address before the number, and by the code in brackets. */
const files: readonly (readonly [file: string, address: RegExp, codes: readonly string[]])[] = [
  ['gnd', /^d-nb\.info\/gnd\/([\dX-]+)$/i, ['de-588', 'gnd']],
  ['viaf', /^viaf\.org\/viaf\/(\d+)\/?$/i, ['viaf']],
  ['isni', /^isni\.org\/(?:isni\/)?([\dX]+)$/i, ['isni']],
  ['lc', /^id\.loc\.gov\/authorities\/names\/(\w+)(?:\.html)?$/i, ['dlc', 'lc', 'naf', 'lcnaf']],
  ['wikidata', /^wikidata\.org\/(?:entity|wiki)\/(Q\d+)$/i, ['wikidata', 'wikidata.org']],
  ['bnf', /^(?:catalogue|data)\.bnf\.fr\/ark:\/12148\/(\w+)/i, ['bnf', 'frbnf']]
]

const byCode = new Map(files.flatMap(([file, , codes]) => codes.map(code => [code, file] as const)))

/** An identifier as `file:number`, the same for each way to write it. */
export const authorityNumber = memoize(4000, identifier => {
  const text = identifier.trim()
  const [, code = '', rest = ''] = /^\(([^()\s]+)\)\s*(.*)$/s.exec(text) ?? []
  const address = (rest === '' ? text : rest).replace(/^https?:\/\/(?:www\.)?/i, '')
  for (const [file, pattern] of files) {
    const number = pattern.exec(address)?.[1]
    if (number !== undefined) return `${file}:${bare(number)}`
  }
  return code === '' ? text : `${byCode.get(code.toLowerCase()) ?? `(${code.toLowerCase()})`}:${bare(rest)}`
})

const bare = (number: string) => number.replaceAll(/[\s-]/g, '').toLowerCase()

/** The file of a number; an address of an unknown file ends before its last part. */
const fileOf = (number: string) =>
  number.includes('://') ? number.slice(0, number.lastIndexOf('/')) : number.slice(0, number.lastIndexOf(':'))

/**
 * Tests whether a file has a number for each of two, and none in common: its editors took them for
 * two persons or works.
 */
export function areNumberedApart(one: Iterable<string>, other: ReadonlySet<string>): boolean {
  let isApart = false
  for (const number of one) {
    if (other.has(number)) return false
    const file = fileOf(number)
    if (!isApart && file !== '') for (const each of other) if (fileOf(each) === file) isApart = true
  }
  return isApart
}
