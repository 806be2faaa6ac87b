/*
 * Formats that are not supported, by their first bytes: the message names the format and an
 * alternative.
 */

interface ForeignFormat {
  readonly name: string
  readonly isMeant: (text: string, bytes: Uint8Array) => boolean
  readonly advice: string
}

const root = (names: string) => new RegExp(`<(?:[\\w.-]+:)?(?:${names})[\\s>]`)
const asMarc = 'Convert it to MARCXML, for example with the stylesheets of the Library of Congress'

const foreignFormats: readonly ForeignFormat[] = [
  { name: 'a gzip archive', isMeant: (_, [a, b]) => a === 0x1f && b === 0x8b, advice: 'Unpack it first (gunzip)' },
  { name: 'a ZIP archive', isMeant: text => text.startsWith('PK\u0003\u0004'), advice: 'Unpack it first' },
  {
    name: 'a bzip2 or xz archive',
    isMeant: text => /^(?:BZh\d|\xfd7zXZ)/.test(text),
    advice: 'Unpack it first'
  },
  { name: 'a PDF document', isMeant: text => text.startsWith('%PDF'), advice: 'Export the records as MARC or CSV' },
  { name: 'MODS', isMeant: text => root('mods|modsCollection').test(text), advice: asMarc },
  {
    name: 'PICA+ in XML',
    isMeant: text => text.includes('info:srw/schema/5/picaXML') || /<datafield[^>]*tag="0\d\d[A-Z@]"/.test(text),
    advice: 'Export MARC 21 from the union catalogue'
  },
  {
    name: 'MAB2',
    isMeant: text => /^(?:### |\d{5}[a-z]M2\.0)/.test(text) || root('datei').test(text),
    advice: 'Convert it to MARC 21, for example with Catmandu'
  },
  {
    name: 'PICA+',
    isMeant: text => /^\d{3}[A-Z@](?:\/\d\d)? [$\u0192]/.test(withoutSeparators(text)),
    advice: 'Export MARC 21 from the union catalogue'
  },
  {
    name: 'RDF',
    isMeant: text =>
      root('rdf:RDF|RDF').test(text) ||
      /^\s*(?:@prefix|@base|PREFIX)\s/i.test(text) ||
      /^\s*<[a-z]+:[^>\s]+>\s+<[^>]+>\s/.test(text),
    advice: 'Records in RDF are not imported; export MARC or CSV from the same source'
  },
  {
    name: 'Dublin Core',
    isMeant: text => root('oai_dc:dc|dc:title|qualifieddc|simpledc').test(text),
    advice:
      'Dublin Core does not say enough to find works; harvest MARCXML (metadataPrefix=marc21 or marcxml), or import a table'
  },
  {
    name: 'a web page',
    isMeant: text => /^\s*<(?:!doctype html|html)[\s>]/i.test(text),
    advice: 'Save the records themselves'
  },
  {
    name: 'KBART',
    isMeant: text => /^(?:\xef\xbb\xbf)?publication_title\t/i.test(text),
    advice: 'Rename the columns, or say with a mapping which column means what (docs/how-to/import-csv.md)'
  },
  {
    name: 'BibTeX',
    isMeant: text => /^\s*(?:%[^\n]*\n\s*)*@[a-z]+\s*[{(]/i.test(text) && !/^\s*@(?:prefix|base)\b/i.test(text),
    advice: 'Export the references as CSV from your reference manager'
  },
  {
    name: 'RIS',
    isMeant: text => /^(?:\xef\xbb\xbf)?\s*TY {2}- /.test(text),
    advice: 'Export the references as CSV from your reference manager'
  }
]

/** PICA+ separates records, fields and subfields as MARC does. */
const withoutSeparators = (text: string) =>
  text.replaceAll('\u001d', '').replaceAll('\u001e', '').replaceAll('\u001f', '$').trimStart()

/**
 * Names a format that is not supported, and the alternative; returns undefined for any other file.
 */
export function describeForeign(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const text = bytes.toString('latin1')
  const found = foreignFormats.find(each => each.isMeant(text, bytes))
  return found && `The file is ${found.name}, which is not read. ${found.advice}`
}
