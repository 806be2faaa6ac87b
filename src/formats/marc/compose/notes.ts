import { table } from '#domain/table.ts'
import type { Level } from '#domain/entity/publication.ts'
import { readLink } from '#domain/values/link.ts'
import { hostStatements, precedingTitles } from '../../description/linked-titles.ts'
import { readHost } from '../../description/statements.ts'
import { clean } from '../mapping/values.ts'
import { at, type ComposedField, dataField, type Part, punctuate, textsOf, type Whole } from './composer.ts'

/*
 * Fields that have a value of the catalogue in one subfield or two: notes, classes, numbers, links.
 */

interface NoteRow {
  readonly key: string
  readonly level: Level
  readonly tag: string
  readonly indicators: string
  /** The subfields of a value; $a by default. */
  readonly parts?: (value: string) => readonly Part[]
}

/** The value in one subfield. */
const inside =
  (code: string) =>
  (value: string): Part[] => [[code, value]]

// biome-ignore format: a row stands on one line, so that the table can be read as one
const rows: readonly NoteRow[] = [
  { key: 'lccn', level: 'manifestation', tag: '010', indicators: '  ' },
  { key: 'cancelled_isbn', level: 'manifestation', tag: '020', indicators: '  ', parts: inside('z') },
  { key: 'cancelled_issn', level: 'manifestation', tag: '022', indicators: '  ', parts: inside('z') },
  { key: 'publisher_number', level: 'manifestation', tag: '028', indicators: '52', parts: splitNumber },
  { key: 'lcc', level: 'manifestation', tag: '050', indicators: ' 4' },
  { key: 'udc', level: 'manifestation', tag: '080', indicators: '  ' },
  { key: 'dewey', level: 'manifestation', tag: '082', indicators: '04' },
  { key: 'duration', level: 'manifestation', tag: '306', indicators: '  ', parts: playingTime },
  { key: 'work_number', level: 'work', tag: '383', indicators: '  ', parts: inside('b') },
  { key: 'note', level: 'manifestation', tag: '500', indicators: '  ' },
  { key: 'thesis', level: 'manifestation', tag: '502', indicators: '  ' },
  { key: 'contents', level: 'manifestation', tag: '505', indicators: '0 ' },
  { key: 'access', level: 'manifestation', tag: '506', indicators: '  ' },
  { key: 'credits', level: 'manifestation', tag: '508', indicators: '  ' },
  { key: 'performers', level: 'manifestation', tag: '511', indicators: '0 ' },
  { key: 'summary', level: 'manifestation', tag: '520', indicators: '  ' },
  { key: 'host', level: 'manifestation', tag: '773', indicators: '0 ', parts: splitHost },
  { key: 'preceding_title', level: 'manifestation', tag: '780', indicators: '00', parts: inside('t') },
  { key: 'succeeding_title', level: 'manifestation', tag: '785', indicators: '00', parts: inside('t') },
  { key: 'link', level: 'manifestation', tag: '856', indicators: '40', parts: splitLink }
]

/** Texts that related records give, too. */
const linked: Readonly<Record<string, typeof precedingTitles | undefined>> = table({
  host: hostStatements,
  preceding_title: precedingTitles
})

export function composeNotes({ manifestation, work }: Whole): ComposedField[] {
  return rows.flatMap(({ key, level, tag, indicators, parts = inside('a') }) => {
    const entity = level === 'work' ? work?.entity : manifestation.entity
    if (entity === undefined) return []
    const values = linked[key]?.(manifestation, work).map(clean) ?? textsOf(entity, key)
    return at(
      level,
      values.flatMap(value => dataField(tag, indicators, parts(value)))
    )
  })
}

/** `4195 ; Blue Note`: the number and its source. */
function splitNumber(value: string): Part[] {
  const [number, ...source] = value.split(' ; ')
  return punctuate([
    ['a', number],
    ['b', source.join(' ; ')]
  ])
}

/** The title of the host, and the part of it. */
function splitHost(value: string): Part[] {
  const { title, part } = readHost(value)
  return [
    ['t', title],
    ['g', part]
  ]
}

/** Minutes as hours, minutes and seconds: `013000`. */
function playingTime(value: string): Part[] {
  const seconds = Math.round(Number(value) * 60)
  if (!(seconds > 0) || seconds >= 360_000) return []
  const digits = [seconds / 3600, (seconds / 60) % 60, seconds % 60]
  return [['a', digits.map(each => String(Math.floor(each)).padStart(2, '0')).join('')]]
}

/** The address, and the text after it. */
function splitLink(value: string): Part[] {
  const { address, text } = readLink(value)
  return [
    ['u', address],
    ['y', text]
  ]
}
