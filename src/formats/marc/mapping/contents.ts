import { isDataField, type MarcField } from '../record.ts'
import { partsOf, withoutFullStop, withoutSeparator } from './values.ts'

/** A work named within another, in the words of the record. */
export interface NamedWork {
  readonly title: string
  readonly responsibility: string | undefined
}

/** Maximum titles in a note: more are chapters, tracks or issues of no interest as works. */
const maxTitles = 200

/** Reads a note of contents: `Title / name -- Title / name`, or subfields for titles and names. */
export function readContents(
  field: MarcField,
  codes: { readonly text: string; readonly title?: string; readonly name?: string }
): NamedWork[] {
  if (!isDataField(field)) return []
  const { title: titleCode, name: nameCode } = codes
  const hasTitles = titleCode !== undefined && field.subfields.some(each => each.code === titleCode)
  if (!hasTitles) {
    const texts = partsOf(field, codes.text).map(each => each.value)
    // UNIMARC writes one title to a subfield; MARC 21 all of them in one.
    return texts
      .flatMap(text => splitContents(text.replace(/^(?:contents|inhoud|contient|enth[aä]lt)\s*:\s*/i, '')))
      .slice(0, maxTitles)
      .flatMap(readEntry)
  }
  const works: NamedWork[] = []
  for (const { code, value } of partsOf(field, `${titleCode}${nameCode ?? ''}`).slice(0, maxTitles * 2)) {
    const last = works.length - 1
    const before = works[last]
    if (code === titleCode) works.push(...readEntry(value.replace(/(?:(?<!\s)\s+)?(?:--|\/)\s*$/, '')))
    else if (before !== undefined)
      works[last] = { title: before.title, responsibility: withoutFullStop(value.replace(/(?:(?<!\s)\s+)?--\s*$/, '')) }
  }
  return works
}

/** Entries are separated by two hyphens; some catalogues write one, or a semicolon. */
function splitContents(text: string): string[] {
  for (const separator of [/(?:(?<!\s)\s+)?--\s*/, /(?<!\s)\s+[-–—]\s+/, /(?<!\s)\s+;\s+/])
    if (separator.test(text)) return text.split(separator)
  return [text]
}

/** Parts of a book that are not works. */
const noWork =
  /^(?:(?:author.s |editor.s )?(?:introduction|foreword|preface|afterword|prologue|epilogue|notes?|index|bibliography|acknowledge?ments|contents)|voorwoord|inleiding|nawoord|besluit|vorwort|einleitung|nachwort|préface|avant-propos|postface)\b(?:\s*\(.*\))?$/i

function readEntry(entry: string): NamedWork[] {
  const [head = '', name] = entry.split(/(?<!\s)\s+\/\s+/, 2)
  // Older records write the author after a comma: `Title, by A. Name`.
  const byline = name === undefined ? /^(.+?), by (\p{Lu}[\p{L}.'’ -]+)$/u.exec(head.trim()) : null
  const responsibility = name ?? byline?.[2]
  const title = withoutFullStop(
    (byline?.[1] ?? head)
      // Numbers of volumes, discs and tracks before it, and playing times after it.
      .replace(/^(?:\[?(?:v|vol|volume|deel|dl|tome|t|bd|cd|disc|pt|part|book)\.? ?)?\d{1,3}[.:)\]]\s+/i, '')
      .replace(/(?:(?<!\s)\s+)?\(\d{1,3}[:'.]\d{2}"?\)\s*$/, '')
      .replace(/^\[and\]\s+/i, '')
  )
  if (!/\p{L}/u.test(title) || title.length > 300 || noWork.test(title)) return []
  return [{ title, responsibility: responsibility === undefined ? undefined : withoutFullStop(responsibility) }]
}

/** Titles of one author in a title proper, separated by semicolons. A single one is not a list. */
export function splitTitle(title: string): NamedWork[] {
  if (!title.includes(' ;')) return []
  const titles = withoutSeparator(title)
    .replace(/(?:(?<!\s)\s+)?\[[^[\]]*\]\s*$/, '')
    .split(/(?<!\s)\s+;\s+/)
    .map(each => withoutFullStop(each.replace(/^(?:\[(?:and|en|et|und)\]|and|en|et|und)\s+/, '')))
    .filter(each => /\p{L}/u.test(each))
  return titles.length < 2 ? [] : titles.map(each => ({ title: each, responsibility: undefined }))
}
