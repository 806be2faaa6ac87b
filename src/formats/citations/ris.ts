import { type Citation, type CitedName, makersOf, withoutCommas } from './citation.ts'

/**
 * Writes a record of a RIS file: a tag and a value on each line, nothing escaped, so every value is
 * reduced to one line.
 */
export function writeRis(citation: Citation, address: string | undefined): string {
  const { names, series } = citation
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['TY', citation.kind.ris],
    ...makersOf(citation).map(name => ['AU', nameText(name)] as const),
    ...names.editor.map(name => ['ED', nameText(name)] as const),
    ...names.translator.map(name => ['A4', nameText(name)] as const),
    ['TI', citation.title],
    ['PB', citation.publisher],
    ['CY', citation.place],
    ...yearLines(citation.year),
    ['ET', citation.edition],
    ['T2', citation.host?.title ?? series?.title],
    ['N1', citation.host?.part],
    ['M1', series?.number],
    ['SP', citation.pages],
    ...[...citation.isbns, ...(citation.issn === undefined ? [] : [citation.issn])].map(each => ['SN', each] as const),
    ['LA', citation.language],
    ['OP', citation.originalTitle],
    ['M3', citation.kind.medium],
    // There is no tag for these roles.
    ...names.narrator.map(name => ['N1', `Narrator: ${nameText(name)}`] as const),
    ...names.performer.map(name => ['N1', `Performer: ${nameText(name)}`] as const),
    ['AB', citation.summary],
    ['L2', citation.link],
    ['ID', citation.id],
    ['UR', address]
  ]
  const written = lines.flatMap(([tag, value]) => (value === undefined ? [] : [`${tag}  - ${value}\r\n`]))
  return `${written.join('')}ER  - \r\n`
}

/** A year of more than four digits goes after the fields of year, month and day. */
function yearLines(year: string | undefined): [string, string][] {
  if (year === undefined) return []
  return /^\d{4}$/.test(year) ? [['PY', year]] : [['DA', `///${year}`]]
}

function nameText(name: CitedName): string {
  if ('literal' in name) return name.literal
  const { family, given, suffix } = name
  // A third comma would begin a fourth part, which does not exist.
  return suffix === undefined ? `${family}, ${given}` : `${family}, ${given}, ${withoutCommas(suffix)}`
}
