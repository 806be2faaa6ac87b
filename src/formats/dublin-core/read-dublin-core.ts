import { table } from '#domain/table.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { languageCodeIn } from '../description/describe-drafts.ts'
import { field, fixedField, inOrder, part, parts } from '../marc/make-field.ts'
import type { ReadOptions, Readings } from '../marc/reading.ts'
import { blankLeader, type DataField, type MarcRecord } from '../marc/record.ts'
import type { ByteSource } from '../source/bytes.ts'
import { type Element, textsAt } from '../xml/read-element.ts'
import { readXmlRecords } from '../marc/read-xml-records.ts'

/**
 * Reads Dublin Core in XML as MARC 21: `oai_dc:dc` and the like, by themselves or in an answer of
 * OAI-PMH or SRU. Qualified elements count as those that they qualify.
 */
export const readDublinCore = (source: ByteSource, options: ReadOptions = {}): Readings =>
  readXmlRecords(source, options, { form: 'dc', names: dublinCoreRoots, toMarc: dublinCoreToMarc })

/** The elements around one record. */
export const dublinCoreRoots = 'dc|simpledc|qualifieddc'

function dublinCoreToMarc(record: Element, number: string | undefined): MarcRecord {
  const texts = (...names: string[]) => names.flatMap(name => textsAt(record, name))
  const [title = '', ...otherTitles] = texts('title')
  const [proper = '', ...subtitles] = title.split(/(?<!\s)\s+:\s+/)
  const [creator, ...creators] = texts('creator')
  const languages = [...new Set(texts('language').flatMap(each => languageCodeIn(each) ?? []))]
  const year = texts('issued', 'date', 'created')
    .map(each => /(?<!\d)[12]\d{3}(?!\d)/.exec(each)?.[0])
    .find(each => each !== undefined)
  const identifiers = texts('identifier')
  const control = number ?? identifiers.find(isOwnNumber)
  const each = (tag: string, indicators: string, values: readonly string[]): DataField[] =>
    values.flatMap(value => field(tag, indicators, [part('a', value)]))
  const data = [
    ...field('245', creator === undefined ? '00' : '10', [part('a', proper), part('b', subtitles.join(' : '))]),
    ...each('246', '3 ', [...otherTitles, ...texts('alternative')]),
    ...field('100', '1 ', [part('a', creator)]),
    ...creators.flatMap(name => field('700', '1 ', [part('a', name), part('4', 'aut')])),
    ...each('700', '1 ', texts('contributor')),
    ...field('041', '0 ', parts('a', languages)),
    ...field('264', ' 1', [...parts('b', texts('publisher')), part('c', year)]),
    ...each(
      '300',
      '  ',
      texts('extent', 'format').filter(text => /\d/.test(text) && !/^\w+\/[\w.+-]+$/.test(text))
    ),
    ...each('520', '  ', texts('abstract', 'description')),
    ...each('505', '0 ', texts('tableOfContents')),
    ...each('521', '  ', texts('audience')),
    ...each('540', '  ', texts('rights')),
    ...each('653', '  ', texts('subject')),
    ...each('651', ' 7', texts('spatial')),
    ...each('648', ' 7', texts('temporal')),
    ...each(
      '500',
      '  ',
      texts('source').filter(text => !isAddress(text))
    ),
    ...texts('isPartOf')
      .filter(text => !isAddress(text))
      .flatMap(text => field('773', '0 ', [part('t', text)])),
    ...each(
      '655',
      ' 7',
      texts('type').filter(text => !Object.hasOwn(typeLetters, text.toLowerCase()) && !/[:/_]/.test(text))
    ),
    ...identifiers.flatMap(identifierField)
  ]
  const type = texts('type').map(text => typeLetters[text.toLowerCase()])
  return {
    leader: `${blankLeader.slice(0, 6)}${type.find(letter => letter !== undefined) ?? 'a'}m${blankLeader.slice(8)}`,
    fields: [
      ...(control ? [{ tag: '001', value: control }] : []),
      fixedField({ year, language: languages[0] }),
      ...inOrder(data)
    ]
  }
}

/** Types of the DCMI vocabulary, by the type of record in MARC. */
const typeLetters: Readonly<Record<string, string>> = table({
  text: 'a',
  sound: 'j',
  movingimage: 'g',
  stillimage: 'k',
  image: 'k',
  software: 'm',
  interactiveresource: 'm',
  dataset: 'm',
  physicalobject: 'r',
  collection: 'p'
})

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text)
const doi = /^(?:doi:\s*|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.\d{4,9}\/\S+)$/i
const isbn = /^(?:urn:isbn:|isbn(?:-1[03])?:?\s*)?([\d][\d\s-]{7,}[\dX])$/i
const issn = /^(?:urn:issn:|(?:e-?)?issn:?\s*)(\d{4}-?\d{3}[\dX])$/i

/** Numbers of 13 digits are ISBNs only if they begin with 978 or 979. */
const isEan = (number: string) => /^(?!97[89])\d{13}$/.test(number.replaceAll(/[\s-]/g, ''))

/** A number that is no standard number and no address is the number of the record. */
const isOwnNumber = (text: string) => !isAddress(text) && !text.startsWith('urn:') && identifierField(text).length === 0

function identifierField(text: string): DataField[] {
  const number = isbn.exec(text)?.[1]
  if (number !== undefined && (/isbn/i.test(text) || readIsbn(number)?.checkDigitIsRight))
    return field(isEan(number) ? '024' : '020', isEan(number) ? '3 ' : '  ', [part('a', number)])
  const serial = issn.exec(text)?.[1]
  if (serial !== undefined) return field('022', '  ', [part('a', serial)])
  const object = doi.exec(text)?.[1]
  if (object !== undefined) return field('024', '7 ', [part('a', object), part('2', 'doi')])
  if (isAddress(text)) return field('856', '40', [part('u', text)])
  return /^\([^)]+\)/.test(text) ? field('035', '  ', [part('a', text)]) : []
}
