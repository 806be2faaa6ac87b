import { table } from '#domain/table.ts'
import { letterKey } from '#domain/clustering/title-key.ts'
import type { Dialect } from '../record.ts'
import { type DataField, isDataField } from '../record.ts'
import type { RelationDraft } from '../../description/description.ts'
import { addRelation } from '../../description/relations.ts'
import { maxTitleLength, seriesKey, seriesRelation, seriesTitle } from '../../description/series.ts'
import { identifiersOf, readCorporation, readMeeting, readPerson } from './agents.ts'
import { mappingTables, type Reader } from './reader.ts'
import type { RelationRow } from './table.ts'
import { clean, fieldsOf, type Found, joinTitle, originOf, withoutFullStop } from './values.ts'

/*
 * Series: a heading (830, UNIMARC 410) names the series as catalogues know it, a statement (490,
 * UNIMARC 225) as the publication has it. A statement that belongs to a heading gives another form
 * of its name; a statement alone gives a series.
 */

interface NamedSeries {
  readonly found: Found
  readonly row: RelationRow
  readonly title: string
  readonly number: string | undefined
  readonly issn: string | undefined
}

/** Maximum series of a record that are read. */
const maxSeries = 100

const isSeriesRow = (row: RelationRow) => row.as === 'series heading' || row.as === 'series statement'

const rowsOf = (dialect: Dialect) => mappingTables[dialect].relations.filter(isSeriesRow)
const rows: Readonly<Record<Dialect, readonly RelationRow[]>> = {
  marc21: rowsOf('marc21'),
  unimarc: rowsOf('unimarc')
}

export function readSeriesRelations(reader: Reader): RelationDraft[] {
  const named = rows[reader.dialect].flatMap(row =>
    fieldsOf(reader.fields, row, reader.record.leader).flatMap(found => seriesIn(found, row, reader))
  )
  if (named.length === 0) return []
  const headings = named.filter(({ row }) => row.as === 'series heading').slice(0, maxSeries)
  const statements = named.filter(({ row }) => row.as === 'series statement').slice(0, maxSeries)
  const headingOf = pairing(headings, statements)
  const relations: RelationDraft[] = []
  const add = ({ found, row, title, number, issn }: NamedSeries, others: readonly NamedSeries[] = []) => {
    const relation = seriesRelation({
      title,
      number: number ?? others.find(each => each.number !== undefined)?.number,
      issn: issn ?? others.find(each => each.issn !== undefined)?.issn,
      identifiers: isDataField(found.field) ? identifiersOf(found.field, reader.style) : [],
      variants: [...others, ...inOriginalScript(found, row, reader)].map(each => each.title),
      from: originOf(found, row.from)
    })
    if (relation !== undefined) addRelation(relations, relation)
  }
  for (const heading of headings)
    add(
      heading,
      statements.filter(each => headingOf(each) === heading)
    )
  for (const statement of statements) if (headingOf(statement) === null) add(statement)
  return relations
}

/**
 * The heading of each statement: the one with the same title, or, among those left over, the one in
 * the same place, or else with the same number. Undefined if a statement has a heading that cannot
 * be told, null if it has none.
 */
function pairing(headings: readonly NamedSeries[], statements: readonly NamedSeries[]) {
  const keyOf = ({ title }: NamedSeries) => seriesKey(seriesTitle(title.split(' = ', 1)[0] ?? ''))
  const found = new Map<NamedSeries, NamedSeries>()
  for (const statement of statements) {
    const heading = headings.find(each => keyOf(each) === keyOf(statement))
    if (heading !== undefined) found.set(statement, heading)
  }
  const paired = new Set(found.values())
  const openHeadings = headings.filter(each => !paired.has(each))
  const openStatements = statements.filter(each => isTraced(each) && !found.has(each))
  if (openHeadings.length === openStatements.length)
    for (const [place, statement] of openStatements.entries()) {
      const heading = openHeadings[place]
      if (heading !== undefined) found.set(statement, heading)
    }
  // A heading may have two statements, one of them under its own title.
  else
    for (const statement of openStatements) {
      const heading = headings.find(each => each.number !== undefined && isSameNumber(each.number, statement.number))
      if (heading !== undefined) found.set(statement, heading)
    }
  return (statement: NamedSeries): NamedSeries | undefined | null =>
    found.get(statement) ?? (openHeadings.length > 0 && isTraced(statement) ? undefined : null)
}

const isSameNumber = (one: string, other: string | undefined) =>
  other !== undefined && letterKey(one) === letterKey(other)

/** The first indicator of 490 is 1 if a heading follows, that of UNIMARC 225 is 0 or 2. */
const isTraced = ({ found: { field } }: NamedSeries) =>
  isDataField(field) && (field.tag === '490' ? '1' : '02').includes(field.indicators[0] ?? ' ')

const inOriginalScript = (found: Found, row: RelationRow, reader: Reader) =>
  reader.inOriginalScript(found.field.tag, found).flatMap(each => seriesIn(each, row, reader).slice(0, 1))

function seriesIn(found: Found, row: RelationRow, reader: Reader): NamedSeries[] {
  const { field } = found
  if (!isDataField(field)) return []
  return groupsOf(field, row).flatMap(group => {
    const first = (code: string) => group.find(each => each.code === code)?.value
    const title = joinTitle(group.filter(({ code }) => !'vx'.includes(code)).map(({ value }) => value))
    if (title === '' || title.length > maxTitleLength) return []
    const author = authorOf(field, reader)
    // Some catalogues write the number behind the title.
    const [, before, within = ''] = (title.includes(';') && /^([\s\S]*\s);([^;]*)$/.exec(title)) || []
    const number = first('v')
    const isWithin = number === undefined && before !== undefined && before.trim() !== '' && /\d/.test(within)
    const own = isWithin ? before.trimEnd() : title
    return [
      {
        found,
        row,
        title: author === undefined || letterKey(own).includes(letterKey(author)) ? own : `${own} (${author})`,
        number: isWithin ? within.trimStart() : number,
        issn: first('x')
      }
    ]
  })
}

/**
 * The subfields of each series in a field: a repeated title begins another series. A title after an
 * equals sign is the same in another language.
 */
function groupsOf(field: DataField, { from, as }: RelationRow): { code: string; value: string }[][] {
  const begin = from[0] ?? ''
  const groups: { code: string; value: string }[][] = []
  let isParallel = false
  let before = ''
  for (const { code, value } of field.subfields) {
    if (code === begin && (groups.length === 0 || as === 'series statement')) {
      isParallel = groups.length > 0 && /=\s*$/.test(before)
      if (!isParallel) groups.push([])
    }
    before = value
    if (!isParallel && code !== '' && from.includes(code) && clean(value) !== '')
      groups.at(-1)?.push({ code, value: clean(value) })
  }
  return groups
}

const authorReaders: Readonly<Record<string, typeof readPerson | undefined>> = table({
  '800': readPerson,
  '810': readCorporation,
  '811': readMeeting
})

/** The body or person that a heading names before the title (800, 810, 811). */
function authorOf(field: DataField, { style }: Reader): string | undefined {
  const read = authorReaders[field.tag]
  const end = field.subfields.findIndex(({ code }) => code === 't')
  if (read === undefined || end < 1) return undefined
  const names = { ...field, subfields: field.subfields.slice(0, end) }
  const name = read(names, field.tag === '800' ? 'abc' : field.tag === '810' ? 'ab' : 'anqdce', '', style)
  const text = name?.metadata[0]?.value
  return text === undefined ? undefined : withoutFullStop(text)
}
