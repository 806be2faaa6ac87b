import { recordNamespace } from '../xml/namespaces.ts'

/*
 * Formats that are not supported, by their first bytes: the message names the format and an
 * alternative.
 */

interface ForeignFormat {
  readonly name: string
  readonly matches: (text: string, bytes: Uint8Array) => boolean
  readonly advice: string
}

const root = (names: string) => new RegExp(`<(?:[\\w.-]+:)?(?:${names})[\\s>]`)

const foreignFormats: readonly ForeignFormat[] = [
  { name: 'a gzip archive', matches: (_, [a, b]) => a === 0x1f && b === 0x8b, advice: 'Unpack it first (gunzip)' },
  { name: 'a ZIP archive', matches: text => text.startsWith('PK\u0003\u0004'), advice: 'Unpack it first' },
  {
    name: 'a bzip2 or xz archive',
    matches: text => /^(?:BZh\d|\xfd7zXZ)/.test(text),
    advice: 'Unpack it first'
  },
  { name: 'a PDF document', matches: text => text.startsWith('%PDF'), advice: 'Export the records as MARC or CSV' },
  {
    name: 'MAB2',
    matches: text => /^(?:### |\d{5}[a-z]M2\.0)/.test(text) || root('datei').test(text),
    advice: 'Convert it to MARC 21, for example with Catmandu'
  },
  {
    name: 'our own XML',
    matches: text => text.includes(`xmlns="${recordNamespace}"`),
    advice: 'Export the records as NDJSON'
  },
  {
    name: 'a web page',
    matches: text => /^\s*<(?:!doctype html|html)[\s>]/i.test(text),
    advice: 'Save the records themselves'
  },
  {
    name: 'KBART',
    matches: text => /^(?:\xef\xbb\xbf)?publication_title\t/i.test(text),
    advice: 'Rename the columns, or use a mapping (docs/how-to/import-csv.md)'
  },
  {
    name: 'BibTeX',
    matches: text => /^\s*(?:%[^\n]*\n\s*)*@[a-z]+\s*[{(]/i.test(text) && !/^\s*@(?:prefix|base)\b/i.test(text),
    advice: 'Export the references as CSV from your reference manager'
  },
  {
    name: 'RIS',
    matches: text => /^(?:\xef\xbb\xbf)?\s*TY {2}- /.test(text),
    advice: 'Export the references as CSV from your reference manager'
  }
]

/**
 * Names a format that is not supported, and the alternative; returns undefined for any other file.
 */
export function describeForeign(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const text = bytes.toString('latin1')
  const found = foreignFormats.find(each => each.matches(text, bytes))
  return found && `The file is ${found.name}, which is not supported. ${found.advice}`
}
