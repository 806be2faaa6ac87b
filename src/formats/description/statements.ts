/* Reads statements that catalogues store as text. */

/** The number of pages in an extent: 148 of `148 p. : ill.`; undefined if it has none. */
export const pagesIn = (extent: string): string | undefined =>
  /(?:^|[^\d.,])(\d{1,5})\s*(?:p\b|pp\b|blz|bladzijden|pagina|pages|seiten|s\.)/i.exec(extent)?.[1]

/** The title of a series statement, and its number after a semicolon: `Speelteksten ; 12`. */
export function readSeries(statement: string): { readonly title: string; readonly number: string | undefined } {
  const [, title, number] = /^(.*\S)\s*;\s*(\S.*)$/s.exec(statement.trim()) ?? []
  return title === undefined ? { title: statement.trim(), number: undefined } : { title, number: number?.trim() }
}

export interface SplitName {
  readonly family: string
  readonly given: string
  readonly suffix?: string
}

/**
 * The parts of a name as catalogues write it, `King, Martin Luther, Jr.`; undefined for a name of
 * one part.
 */
export function splitName(name: string): SplitName | undefined {
  const [family = '', given = '', ...rest] = name.split(',').map(part => part.trim())
  if (family === '' || given === '') return undefined
  const suffix = rest.filter(part => part !== '').join(', ')
  return suffix === '' ? { family, given } : { family, given, suffix }
}

/**
 * A name as people write it: `Vincent van Gogh` for `Gogh, Vincent van`. A name with anything else
 * after its comma, such as a title or a place, stays unchanged.
 */
export function writeInOrder(name: string): string {
  const { family, given, suffix } = splitName(name) ?? {}
  if (family === undefined || given === undefined || (suffix !== undefined && !/^(?:[JS]r\.?|[IVX]+)$/.test(suffix)))
    return name
  const words = given.split(/\s+/)
  // Capitals, then prefixes of the surname in small letters.
  const prefixes = words.findIndex(word => /^[\p{Ll}'’]/u.test(word))
  const givenNames = prefixes === -1 ? words : words.slice(0, prefixes)
  const isGiven = givenNames.length > 0 && givenNames.every(word => /^\p{Lu}[^\d()]*$/u.test(word))
  const isPrefix = words.slice(givenNames.length).every(word => !/^[\p{Lu}\d(]/u.test(word))
  if (!isGiven || !isPrefix) return name
  return `${given}${/['’]$/.test(given) ? '' : ' '}${family}${suffix === undefined ? '' : `, ${suffix}`}`
}

/** `Title ; volume 3, p. 5-8`: the title of a host, and the part of it. */
export function readHost(host: string): { readonly title: string; readonly part: string | undefined } {
  const [title = '', ...part] = host.split(' ; ')
  return { title, part: part.length === 0 ? undefined : part.join(' ; ') }
}

/** `Hdb.01=c (kssb)`: a number or class, and its scheme. */
export function readWithScheme(text: string): { readonly number: string; readonly scheme: string | undefined } {
  const at = text.endsWith(')') ? text.lastIndexOf(' (') : -1
  const scheme = at < 1 ? '' : text.slice(at + 2, -1)
  return /^[\w./-]+$/.test(scheme) ? { number: text.slice(0, at), scheme } : { number: text, scheme: undefined }
}

export const writeWithScheme = (number: string, scheme: string | undefined) =>
  scheme === undefined ? number : `${number} (${scheme})`

const betweenQualifiers = ' ; '

/** `9789025701024 (paperback ; acid-free paper)`: a number with its qualifiers, or these alone. */
export const writeQualified = (number: string | undefined, qualifiers: readonly string[]) =>
  qualifiers.length === 0 ? undefined : `${number ?? ''} (${qualifiers.join(betweenQualifiers)})`.trimStart()

export function readQualified(text: string): { readonly number: string; readonly qualifiers: readonly string[] } {
  const at = text.endsWith(')') ? text.indexOf('(') : -1
  if (at < 0) return { number: '', qualifiers: [text] }
  return { number: text.slice(0, at).trimEnd(), qualifiers: text.slice(at + 1, -1).split(betweenQualifiers) }
}
