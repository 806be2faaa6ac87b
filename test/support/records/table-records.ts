import { mappingTables } from '#formats/marc/mapping/reader.ts'
import type { Condition, MappingTable, Reading } from '#formats/marc/mapping/table.ts'
import type { DataField, Dialect, MarcField, MarcRecord } from '#formats/marc/record.ts'
import type { Chance } from './chance.ts'

/*
 * MARC records made from the mapping tables: every row gets a field that meets its condition, with
 * a value in every subfield that it reads, and subfields that no row reads.
 */

interface Row {
  readonly tags: readonly string[]
  readonly when?: Condition
  readonly from: string
  readonly as: Reading
  readonly codes?: Readonly<Record<string, string>>
  readonly relation?: string
}

/** Every row of a table that reads data fields, with one of its tags. */
function rowsOf(dialect: Dialect): (Row & { readonly tag: string })[] {
  const { metadata, relations, titles, contained, links }: MappingTable = mappingTables[dialect]
  const rows: readonly Row[] = [...metadata, ...relations, ...titles, ...contained, ...links]
  return rows.flatMap(row => row.tags.map(tag => ({ ...row, tag }))).filter(row => !/^\d+(?:-|$)/.test(row.from))
}

const isbns = ['9789025701017', '9789097114081', '9780306406157', '9783161484100'] as const
const issns = ['2049-3630', '1234-5679', '0317-8471'] as const
const languages = ['dut', 'eng', 'fre', 'ger'] as const

/** Makes values that each reading understands; every name and text occurs once. */
class Values {
  #made = 0
  readonly #chance: Chance

  constructor(chance: Chance) {
    this.#chance = chance
  }

  text(word: string): string {
    return `${word} ${this.#chance.pick(['of', 'van', 'der', 'zur'])} ${this.#chance.pick(['Été', 'Война', 'storm', 'Ängste'])} q${this.#made++}z`
  }

  of(row: Row & { readonly tag: string }, code: string): string {
    const { as, codes, tag } = row
    const chance = this.#chance
    if (as === 'year') return String(1900 + chance.below(120))
    if (as === 'isbn' || as === 'cancelled isbn') return chance.pick(isbns)
    if (as === 'languages') return chance.pick(languages)
    if (as === 'minutes') return '013000'
    if (as === 'code') return chance.pickOr(Object.keys(codes ?? {}), 'x')
    if (as === 'class number') return `${100 + chance.below(800)}.${this.#made++}`
    if (as === 'link' && code === 'u') return `https://example.org/q${this.#made++}z`
    if (as === 'number') return tag === '024' || tag === '073' ? '5412345678908' : chance.pick(issns)
    if (as === 'series heading' && code === 'x') return chance.pick(issns)
    if (code === 'v' && as.startsWith('series')) return String(1 + chance.below(99))
    if (as === 'personal name') return code === 'a' ? `Lind${this.#made++}, Eva` : code === 'b' ? 'II' : 'Countess'
    return this.text(as === 'title' || as === 'uniform' ? 'Title' : 'Words')
  }
}

function fieldFor(row: Row & { readonly tag: string }, values: Values, dialect: Dialect): DataField | undefined {
  const { when = {}, tag, from } = row
  const indicators = [' ', ' ']
  if (when.indicator !== undefined) indicators[when.indicator.place - 1] = when.indicator.is[0] ?? ' '
  if (when.unlessIndicator !== undefined)
    indicators[when.unlessIndicator.place - 1] = when.unlessIndicator.is === '0' ? '1' : '0'
  if (when.isPart === true) indicators[1] = '2'
  if (/^[17]00$/.test(tag) && dialect === 'marc21') indicators[0] = '1'
  const lacks = when.lacks ?? ''
  // A heading has its name or title, whichever part of it the row reads.
  const codes = [...new Set(isHeading(tag, dialect) ? `a${from}` : from)].filter(
    code => !lacks.includes(code) && code !== '2'
  )
  const subfields = codes.map(code => ({ code, value: values.of(row, code) }))
  for (const code of when.has ?? '') if (!codes.includes(code)) subfields.push({ code, value: values.text('More') })
  if (when.hasValue !== undefined) subfields.push({ code: '2', value: when.hasValue.oneOf[0] ?? '' })
  else if (from.includes('2') && !lacks.includes('2')) subfields.push({ code: '2', value: 'zz' })
  return subfields.length === 0 ? undefined : { tag, indicators: indicators.join(''), subfields }
}

const isHeading = (tag: string, dialect: Dialect) =>
  (dialect === 'marc21' ? /^(?:1|24|6|7[0-3]|8[0-3])/ : /^[67]/).test(tag)

/** Tags that a record has once. */
const once: Readonly<Record<Dialect, readonly string[]>> = {
  marc21: ['010', '041', '100', '110', '111', '130', '240', '245', '250', '306'],
  unimarc: ['200', '700', '710', '720', '100', '105']
}

export interface MadeRecord {
  readonly number: string
  readonly record: MarcRecord
}

/**
 * Makes records of a dialect: each has a title, some fields for rows of the table in turn, and
 * fields that no row reads. Together they have a field for every row, several times.
 */
export function recordsForEveryRow(dialect: Dialect, count: number, chance: Chance): MadeRecord[] {
  const rows = rowsOf(dialect)
  const values = new Values(chance)
  let at = 0
  return Array.from({ length: count }, (_, index) => {
    const number = `${dialect}-${index}`
    const fields: MarcField[] = baseOf(dialect, number, values)
    for (let turn = 0; turn < 7; turn++) {
      const row = rows[at++ % rows.length]
      if (row === undefined) continue
      const isTaken = once[dialect].includes(row.tag) && fields.some(each => isSingle(each.tag, row.tag, dialect))
      const field = isTaken ? undefined : fieldFor(row, values, dialect)
      if (field !== undefined) fields.push(field)
    }
    fields.push(
      {
        tag: '949',
        indicators: '  ',
        subfields: [
          { code: 'a', value: `Local q${index}z` },
          { code: 'Z', value: 'kept' }
        ]
      },
      ...(dialect === 'marc21'
        ? [
            {
              tag: '583',
              indicators: '  ',
              subfields: [
                { code: 'a', value: 'conserved' },
                { code: '5', value: 'NL-XX' }
              ]
            }
          ]
        : [])
    )
    return { number, record: { leader: leaders[dialect], fields: fields.toSorted(byTag) } }
  })
}

const mainEntries = ['100', '110', '111', '130']
const isSingle = (there: string, tag: string, dialect: Dialect) =>
  there === tag || (dialect === 'marc21' && mainEntries.includes(there) && mainEntries.includes(tag))

const leaders: Readonly<Record<Dialect, string>> = {
  marc21: '00000nam a2200000 a 4500',
  unimarc: '00000nam0 2200000   450 '
}

const baseOf = (dialect: Dialect, number: string, values: Values): MarcField[] =>
  dialect === 'marc21'
    ? [
        { tag: '001', value: number },
        { tag: '003', value: 'XX-Xx' },
        { tag: '005', value: '19990101000000.0' },
        { tag: '008', value: '970513s1997    be            000 1 dut d' },
        { tag: '035', indicators: '  ', subfields: [{ code: 'a', value: `(XX-Yy)${number}` }] },
        {
          tag: '245',
          indicators: '10',
          subfields: [
            { code: 'a', value: `${values.text('Title')} :` },
            { code: 'b', value: `${values.text('subtitle')} /` },
            { code: 'c', value: `${values.text('by')}.` }
          ]
        }
      ]
    : [
        { tag: '001', value: number },
        { tag: '100', indicators: '  ', subfields: [{ code: 'a', value: '19970513d1997    m  y0frey50      ba' }] },
        { tag: '101', indicators: '0 ', subfields: [{ code: 'a', value: 'fre' }] },
        {
          tag: '200',
          indicators: '1 ',
          subfields: [
            { code: 'a', value: values.text('Title') },
            { code: 'e', value: values.text('subtitle') }
          ]
        },
        {
          tag: '801',
          indicators: ' 0',
          subfields: [
            { code: 'a', value: 'FR' },
            { code: 'b', value: 'XX' }
          ]
        }
      ]

const byTag = (one: MarcField, other: MarcField) => (one.tag < other.tag ? -1 : one.tag > other.tag ? 1 : 0)
