import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { textOf } from '#domain/search/index-values.ts'
import { writeCsv } from './tables/write-csv.ts'
import { htmlToText } from './html/html-to-text.ts'

/* The texts of a press kit, and the names of its files. */

/** The texts of a production that a newspaper needs, in this order. */
const textFields = ['title', 'subtitle', 'description_short', 'description', 'credits', 'duration', 'age_category']

/** Writes the texts of a production as plain text: each language by itself. */
export function pressTexts(production: Entity): string {
  const entries = production.metadata.filter(({ key, value }) => textFields.includes(key) && textOf(value) !== '')
  const languages = [...new Set(entries.map(({ lang }) => lang))]
  return languages
    .map(language => {
      const texts = entries
        .filter(({ lang }) => lang === language)
        .toSorted((one, other) => textFields.indexOf(one.key) - textFields.indexOf(other.key))
        .map(({ key, value }) => `${key.replaceAll('_', ' ')}:\n${htmlToText(textOf(value))}\n`)
      return [...(language === undefined ? [] : [`[${language}]\n`]), ...texts].join('\n')
    })
    .join('\n')
}

export interface PressFile {
  readonly file: Entity
  /** Path inside the kit; undefined for a file that is elsewhere. */
  readonly path: string | undefined
}

/** Writes the list of media files with their credits, and the addresses of those elsewhere. */
export function pressFileTable(files: readonly PressFile[]): string {
  const first = (file: Entity, key: string) => textOf(valuesOf(file, key)[0] ?? null)
  const columns = ['mediafile_type', 'title', 'description', 'alt_text', 'credit', 'copyright', 'external_url']
  return writeCsv(
    ['path', ...columns],
    files.map(({ file, path }) => [path ?? '', ...columns.map(key => first(file, key))]),
    { guardsFormulas: true }
  )
}

/** Maximum length of a name in a kit, in characters. */
const maxName = 120

/** A text as the name of a file or folder that every system accepts. */
export function fileNameOf(text: string, fallback: string): string {
  const name = text
    .toWellFormed()
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\\/:*?"<>|]+/g, '-')
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '')
  return shortened(name) || fallback
}

/** Cuts a long name before its ending, which says what kind of file it is. */
function shortened(name: string): string {
  if (name.length <= maxName) return name
  const [ending = ''] = /\.[A-Za-z0-9]{1,8}$/.exec(name) ?? []
  return name.slice(0, maxName - ending.length).toWellFormed() + ending
}

/** The endings of the types of files that press kits have. */
const endings: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/svg+xml': '.svg',
  'image/tiff': '.tif',
  'application/pdf': '.pdf',
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'text/plain': '.txt'
}

/** Adds the ending by which programs open a file, where its name has none. */
export const withEnding = (name: string, mimetype: string): string =>
  /\.[A-Za-z0-9]{1,8}$/.test(name) ? name : name + (endings[mimetype] ?? '')

/** Gives every path another name, by a number before its ending. */
export function distinctPaths(paths: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return paths.map(path => {
    const [ending = ''] = /\.[A-Za-z0-9]{1,8}$/.exec(path) ?? []
    const stem = path.slice(0, path.length - ending.length)
    let name = path
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${ending}`
    taken.add(name.toLowerCase())
    return name
  })
}
