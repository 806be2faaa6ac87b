import { type Citation, type CitedName, makersOf } from './citation.ts'

/*
 * Citations to read, in the four styles that readers ask for. They cover publications of a
 * catalogue: books, parts of books and journals, recordings, maps. Words are English, as the styles
 * prescribe for texts in English.
 */

export const citationStyles = { apa: 'APA', mla: 'MLA', chicago: 'Chicago', iso690: 'ISO 690' } as const
export type CitationStyle = keyof typeof citationStyles

/** A piece of a citation; titles of whole publications are set in italics. */
export interface StyledPart {
  readonly text: string
  readonly isTitle: boolean
}

/** Writes a citation in a style. The address is that of the page of the publication. */
export function writeStyled(style: CitationStyle, citation: Citation, address: string): StyledPart[] {
  return joined(writers[style](citation, address))
}

type Piece = StyledPart | string | undefined

const title = (text: string): StyledPart => ({ text, isTitle: true })

/** Joins pieces into sentences: one that has no mark at its end gets a full stop. */
function joined(pieces: readonly (readonly Piece[])[]): StyledPart[] {
  const parts: StyledPart[] = []
  for (const sentence of pieces) {
    const known = sentence.flatMap(each => (each === undefined || each === '' ? [] : [each]))
    if (known.length === 0) continue
    if (parts.length > 0) parts.push({ text: ' ', isTitle: false })
    for (const each of known) parts.push(typeof each === 'string' ? { text: each, isTitle: false } : each)
    if (!/[.?!]["”]?$/.test(parts.at(-1)?.text ?? '')) parts.push({ text: '.', isTitle: false })
  }
  return parts
}

const literal = (name: CitedName) => ('literal' in name ? name.literal : undefined)
const suffix = (name: CitedName) => ('literal' in name || !name.suffix ? '' : `, ${name.suffix}`)
const inverted = (name: CitedName) =>
  'literal' in name ? name.literal : `${name.family}, ${name.given}${suffix(name)}`.replace(/, $/, '')
const direct = (name: CitedName) =>
  'literal' in name ? name.literal : `${name.given} ${name.family}${suffix(name)}`.trim()
const initials = (given: string) =>
  given
    .split(/[\s.]+/)
    .filter(each => each !== '')
    .map(
      each =>
        `${each
          .split('-')
          .map(part => [...part][0] ?? '')
          .join('.-')}.`
    )
    .join(' ')
const invertedInitials = (name: CitedName) =>
  'literal' in name ? name.literal : `${name.family}, ${initials(name.given)}${suffix(name)}`
const directInitials = (name: CitedName) =>
  'literal' in name ? name.literal : `${initials(name.given)} ${name.family}${suffix(name)}`
const capitals = (name: CitedName) =>
  literal(name)?.toLocaleUpperCase('en') ??
  ('family' in name ? `${name.family.toLocaleUpperCase('en')}, ${name.given}${suffix(name)}` : '')

/** A list of names: commas, and a word before the last; at most so many, then "et al." */
function listed(names: readonly string[], and: string, { max, comma }: { max: number; comma: boolean }): string {
  if (names.length > max) return `${names[0]}${comma ? ',' : ''} et al.`
  if (names.length < 2) return names[0] ?? ''
  return `${names.slice(0, -1).join(', ')}${comma ? ',' : ''} ${and} ${names.at(-1)}`
}

const first = (names: readonly CitedName[], write: (name: CitedName) => string) =>
  names.map((each, at) => (at === 0 ? write(each) : direct(each)))

/** An edition statement without a full stop at its end. */
const editionOf = ({ edition }: Citation) => edition?.replace(/\.$/, '')

const hostOf = ({ host }: Citation): Piece[] =>
  host === undefined ? [] : [title(host.title), host.part === undefined ? undefined : `, ${host.part}`]

const writers: Readonly<Record<CitationStyle, (citation: Citation, address: string) => Piece[][]>> = {
  apa(citation) {
    const { names, year, publisher, originalYear } = citation
    const makers = makersOf(citation)
    const shown = makers.length > 0 ? makers : names.editor
    const role = makers.length > 0 || shown.length === 0 ? '' : shown.length === 1 ? ' (Ed.)' : ' (Eds.)'
    const people = shown.map(invertedInitials)
    const byline =
      people.length > 20
        ? `${people.slice(0, 19).join(', ')}, . . . ${people.at(-1)}`
        : people.length > 1
          ? `${people.slice(0, -1).join(', ')}, & ${people.at(-1)}`
          : (people[0] ?? '')
    const notes = [
      ...(names.translator.length > 0
        ? [`${listed(names.translator.map(directInitials), '&', { max: 20, comma: false })}, Trans.`]
        : []),
      ...(makers.length > 0 && names.editor.length > 0
        ? [
            `${listed(names.editor.map(directInitials), '&', { max: 20, comma: false })}, ${names.editor.length === 1 ? 'Ed.' : 'Eds.'}`
          ]
        : []),
      ...(editionOf(citation) === undefined ? [] : [editionOf(citation)])
    ]
    const date = `(${year ?? 'n.d.'})`
    const name: Piece[] = [
      citation.host ? citation.title : title(citation.title),
      notes.length > 0 ? ` (${notes.join('; ')})` : ''
    ]
    return [
      ...(byline === '' ? [name, [date]] : [[`${byline}${role}`.trim()], [date], name]),
      ...(citation.host ? [['In ', ...hostOf(citation)]] : []),
      [publisher],
      ...(originalYear === undefined || names.translator.length === 0 || originalYear === year
        ? []
        : [[`(Original work published ${originalYear})`]])
    ]
  },
  mla(citation) {
    const { names, publisher, year } = citation
    const makers = makersOf(citation)
    const shown = makers.length > 0 ? makers : names.editor
    const role = makers.length > 0 || shown.length === 0 ? '' : shown.length === 1 ? ', editor' : ', editors'
    const by = (word: string, people: readonly CitedName[]) =>
      people.length > 0 ? [`${word} by ${listed(people.map(direct), 'and', { max: 2, comma: false })}`] : []
    const container = [
      ...by('Translated', names.translator),
      ...(makers.length > 0 ? by('Edited', names.editor) : []),
      ...[editionOf(citation), publisher, year].filter(each => each !== undefined)
    ].join(', ')
    return [
      [`${listed(first(shown, inverted), 'and', { max: 2, comma: true })}${role}`],
      citation.host ? [`“${citation.title}.”`] : [title(citation.title)],
      ...(citation.host
        ? [[...hostOf(citation), container === '' ? '' : `, ${container}`]]
        : [[capitalised(container)]])
    ]
  },
  chicago(citation) {
    const { names, place, publisher, year } = citation
    const makers = makersOf(citation)
    const shown = makers.length > 0 ? makers : names.editor
    const role = makers.length > 0 || shown.length === 0 ? '' : shown.length === 1 ? ', ed' : ', eds'
    const by = (word: string, people: readonly CitedName[]): Piece[] =>
      people.length > 0
        ? [`${word} by ${listed(people.map(direct), 'and', { max: 10, comma: people.length > 2 })}`]
        : []
    const imprint = [[place, publisher].filter(each => each !== undefined).join(': '), year ?? 'n.d.']
    return [
      [`${listed(first(shown, inverted), 'and', { max: 10, comma: true })}${role}`],
      citation.host ? [`“${citation.title}.”`] : [title(citation.title)],
      ...(citation.host ? [['In ', ...hostOf(citation)]] : []),
      by('Translated', names.translator),
      makers.length > 0 ? by('Edited', names.editor) : [],
      [editionOf(citation)],
      [imprint.filter(each => each !== '').join(', ')]
    ]
  },
  iso690(citation, address) {
    const { names, place, publisher, year } = citation
    const makers = makersOf(citation)
    const shown = makers.length > 0 ? makers : names.editor
    const role = makers.length > 0 || shown.length === 0 ? '' : shown.length === 1 ? ' (ed.)' : ' (eds.)'
    const imprint = [[place, publisher].filter(each => each !== undefined).join(': '), year ?? '[n.d.]']
    return [
      [`${listed(shown.map(capitals), 'and', { max: 3, comma: false })}${role}`],
      [citation.host ? citation.title : title(citation.title)],
      ...(citation.host ? [['In: ', ...hostOf(citation)]] : []),
      [editionOf(citation)],
      names.translator.length > 0
        ? [`Translated by ${listed(names.translator.map(direct), 'and', { max: 3, comma: false })}`]
        : [],
      [imprint.filter(each => each !== '').join(', ')],
      [citation.isbns[0] === undefined ? undefined : `ISBN ${citation.isbns[0]}`],
      [`Available from: ${address}`]
    ]
  }
}

const capitalised = (text: string) => text.charAt(0).toLocaleUpperCase('en') + text.slice(1)
