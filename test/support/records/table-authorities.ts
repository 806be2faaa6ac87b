import { authorityTables, detailTables, type HeadingRow } from '#formats/marc/mapping/authority-tables.ts'
import type { DataField, MarcField, MarcRecord } from '#formats/marc/record.ts'
import type { Chance } from './chance.ts'
import type { MadeRecord } from './table-records.ts'

/*
 * Authority records of MARC 21 made from the tables: every kind of heading in turn, with other
 * names, a see-also reference, a field for every row of the details, and fields that no row reads.
 */

const names: Readonly<Record<HeadingRow['as'], string>> = {
  'personal name': 'Lind',
  'corporate name': 'Society',
  'meeting name': 'Congress',
  title: 'Tale',
  term: 'Tides'
}

/** Makes authority records; every text occurs once. */
export function authorityRecords(count: number, chance: Chance): MadeRecord[] {
  let made = 0
  const text = (word: string) => `${word} ${chance.pick(['été', 'война', 'storm', 'Ängste'])} q${made++}z`
  const field = (tag: string, indicators: string, ...subfields: [code: string, value: string][]): DataField => ({
    tag,
    indicators,
    subfields: subfields.map(([code, value]) => ({ code, value }))
  })
  return Array.from({ length: count }, (_, index) => {
    const rows = authorityTables.marc21
    const row = rows[index % rows.length] ?? rows[0]
    if (row === undefined) throw new Error('The table is empty')
    const number = `authority-${index}`
    const named = (tag: string, ...before: [string, string][]): DataField => {
      const first = row.first ?? (row.as === 'personal name' || row.has === 't' ? '1' : row.as === 'term' ? ' ' : '2')
      const indicators = row.as === 'title' && row.has === undefined ? ' 0' : `${first} `
      const word = names[row.as]
      const parts: [string, string][] =
        row.has === 't'
          ? [
              ['a', 'Lind, Eva.'],
              ['t', text(word)]
            ]
          : [['a', row.as === 'personal name' ? `${text(word)}, Eva` : text(word)]]
      return field(tag, indicators, ...before, ...parts)
    }
    const fields: MarcField[] = [
      { tag: '001', value: number },
      { tag: '003', value: 'XX' },
      { tag: '005', value: '20240101120000.0' },
      { tag: '008', value: '240101n| azannaabn          |n aaa     d' },
      field('035', '  ', ['a', `(XX)${number}`]),
      field('040', '  ', ['a', 'XX'], ['f', 'xxscheme']),
      named(row.heading),
      field('368', '  ', ['c', text('Kind')]),
      named(row.tracing),
      named(row.tracing),
      named(row.seeAlso),
      ...detailTables.marc21
        .filter(each => each.gives !== 'link')
        .map(({ tags, from }) =>
          field(chance.pickOr(tags, '667'), '  ', [from.includes('a') ? 'a' : 'i', text('Words')])
        ),
      field('856', '4 ', ['u', `https://example.org/q${made++}z`]),
      field('949', '  ', ['a', text('Local')], ['Z', 'kept'])
    ]
    const record: MarcRecord = { leader: '00000nz  a2200000n  4500', fields: fields.toSorted(byTag) }
    return { number, record }
  })
}

const byTag = (one: MarcField, other: MarcField) => (one.tag < other.tag ? -1 : one.tag > other.tag ? 1 : 0)
