import { table } from '#domain/table.ts'
import { type Citation, type CitedName, makersOf, withoutCommas } from './citation.ts'

/**
 * Writes an entry of a BibTeX file, in UTF-8, with the fields of BibLaTeX where BibTeX has none;
 * BibTeX ignores those.
 *
 * Text that LaTeX would read as commands is escaped so that it is shown literally. BibTeX counts a
 * brace even after a backslash, so a brace is written by its name.
 */
export function writeBibtex(citation: Citation): string {
  const { kind, names, series } = citation
  const isMadeByPerformers = makersOf(citation) === names.performer
  const fields: Readonly<Record<string, string | undefined>> = {
    author: nameList(makersOf(citation)),
    editor: nameList(names.editor),
    translator: nameList(names.translator),
    illustrator: nameList(names.illustrator),
    editora: nameList(names.narrator),
    editoratype: names.narrator.length > 0 ? 'narrator' : undefined,
    editorb: nameList(isMadeByPerformers ? [] : names.performer),
    editorbtype: names.performer.length > 0 && !isMadeByPerformers ? 'performer' : undefined,
    title: forLatex(citation.title),
    journal: kind.bibtex === 'article' ? forLatex(citation.host?.title) : undefined,
    booktitle: kind.bibtex === 'article' ? undefined : forLatex(citation.host?.title),
    note: forLatex(citation.host?.part),
    publisher: kind.isThesis ? undefined : protect(citation.publisher),
    school: kind.isThesis ? protect(citation.publisher) : undefined,
    address: protect(citation.place),
    year: forLatex(citation.year),
    edition: forLatex(citation.edition),
    series: forLatex(series?.title),
    number: forLatex(series?.number),
    pagetotal: forLatex(citation.pages),
    isbn: forLatex(citation.isbns.join(', ') || undefined),
    issn: forLatex(citation.issn),
    language: forLatex(languageNames[citation.language ?? ''] ?? citation.language),
    origtitle: forLatex(citation.originalTitle),
    origdate: /^\d{4}$/.test(citation.originalYear ?? '') ? citation.originalYear : undefined,
    howpublished: forLatex(kind.medium),
    url: citation.link?.replaceAll(/[{}\\]/g, each => encodeURIComponent(each)),
    abstract: forLatex(citation.summary)
  }
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name} = {${value}}`]
  )
  return `@${kind.bibtex}{${citation.id.replaceAll(/[^A-Za-z0-9.:_-]/g, '-')},\n${lines.join(',\n')}\n}\n`
}

function nameList(names: readonly CitedName[]): string | undefined {
  return names.length === 0 ? undefined : names.map(nameText).join(' and ')
}

/** A name in one part stands in braces: it is not split, whatever words are in it. */
function nameText(name: CitedName): string {
  if ('literal' in name) return `{${forLatex(name.literal)}}`
  const { family, given, suffix } = name
  const parts = suffix === undefined ? [family, given] : [family, suffix, given]
  // Biber takes a name apart at commas within braces too.
  return parts.map(part => protect(withoutCommas(part))).join(', ')
}

/** `and` between two words separates two names, of publishers and places too. */
function protect(text: string): string
function protect(text: string | undefined): string | undefined
function protect(text: string | undefined): string | undefined {
  return text !== undefined && /(?:^|\s)and(?:\s|$)/i.test(text) ? `{${forLatex(text)}}` : forLatex(text)
}

function forLatex(text: string): string
function forLatex(text: string | undefined): string | undefined
function forLatex(text: string | undefined): string | undefined {
  return text?.replaceAll(/[\\{}&%$#_~^]/g, letter => commands[letter] ?? letter)
}

const commands: Readonly<Record<string, string>> = table({
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}'
})

/** The biblatex names of the languages of most publications. */
const languageNames: Readonly<Record<string, string>> = table({
  ...{ nl: 'dutch', en: 'english', fr: 'french', de: 'german', es: 'spanish', it: 'italian', pt: 'portuguese' },
  ...{ ru: 'russian', la: 'latin', el: 'greek', da: 'danish', sv: 'swedish', nb: 'norsk', fi: 'finnish', pl: 'polish' },
  ...{ cs: 'czech', hu: 'hungarian', tr: 'turkish', he: 'hebrew', ar: 'arabic', ja: 'japanese', zh: 'chinese' }
})
