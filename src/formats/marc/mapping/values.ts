import { memoize } from '#domain/memoize.ts'
import { type DataField, isDataField, type MarcField, type MarcRecord } from '../record.ts'
import type { Origin } from '../../description/description.ts'
import type { Condition } from './table.ts'

/*
 * Values of fields: the fields of a row, and their texts without the punctuation that catalogues
 * write between subfields.
 */

/** A field and its position in the record. */
export interface Found {
  readonly field: MarcField
  readonly index: number
}

export type FieldIndex = ReadonlyMap<string, readonly Found[]>

export function indexFields(record: MarcRecord): FieldIndex {
  const found = new Map<string, Found[]>()
  for (const [index, field] of record.fields.entries()) {
    const list = found.get(field.tag)
    if (list === undefined) found.set(field.tag, [{ field, index }])
    else list.push({ field, index })
  }
  return found
}

const none: readonly Found[] = []

/** Tests whether a record has a field of any of the tags; most rows have none. */
export function hasField(fields: FieldIndex, tags: readonly string[]): boolean {
  for (let place = 0; place < tags.length; place++) if (fields.has(tags[place] ?? '')) return true
  return false
}

interface RowsByTag {
  readonly places: ReadonlyMap<string, readonly number[]>
  /** One for each row; all 0 between two calls. */
  readonly marks: Uint8Array
}

/** Positions of rows by tag, for each table. */
const byTable = new WeakMap<readonly unknown[], RowsByTag>()

function indexRows(rows: readonly { readonly tags: readonly string[] }[]): RowsByTag {
  const places = new Map<string, number[]>()
  for (const [place, { tags }] of rows.entries())
    for (const tag of tags) {
      const known = places.get(tag)
      if (known === undefined) places.set(tag, [place])
      else known.push(place)
    }
  const index = { places, marks: new Uint8Array(rows.length) }
  byTable.set(rows, index)
  return index
}

/**
 * The rows that a record has a field for, in their order: a table has some hundred rows, a record
 * fields of some ten tags.
 */
export function rowsFor<Row extends { readonly tags: readonly string[] }>(
  rows: readonly Row[],
  fields: FieldIndex
): readonly Row[] {
  const { places, marks } = byTable.get(rows) ?? indexRows(rows)
  let first = marks.length
  let last = -1
  for (const tag of fields.keys()) {
    const own = places.get(tag)
    if (own === undefined) continue
    for (let at = 0; at < own.length; at++) {
      const place = own[at] ?? 0
      marks[place] = 1
      if (place < first) first = place
      if (place > last) last = place
    }
  }
  const found: Row[] = []
  for (let place = first; place <= last; place++) {
    if (marks[place] !== 1) continue
    marks[place] = 0
    const row = rows[place]
    if (row !== undefined) found.push(row)
  }
  return found
}

/** The fields of a row, in the order of its tags. */
export function fieldsOf(
  fields: FieldIndex,
  row: { readonly tags: readonly string[]; readonly when?: Condition },
  leader: string
): readonly Found[] {
  const { when } = row
  if (when?.leaderType !== undefined && !when.leaderType.includes(leader[6] ?? ' ')) return []
  if (when?.leaderLevel !== undefined && !when.leaderLevel.includes(leader[7] ?? ' ')) return []
  const { tags } = row
  if (!hasField(fields, tags)) return none
  let all = fields.get(tags[0] ?? '') ?? none
  for (let place = 1; place < tags.length; place++) {
    const others = fields.get(tags[place] ?? '')
    if (others !== undefined) all = all.length === 0 ? others : [...all, ...others]
  }
  return when === undefined || all.length === 0 ? all : all.filter(({ field }) => isMet(when, field))
}

export function isMet(when: Condition, field: MarcField): boolean {
  if (!isDataField(field)) return when.place === undefined || when.place.is.includes(field.value[when.place.at] ?? '')
  const { indicator, unlessIndicator: unless, has, lacks, hasValue, unlessValue, isPart } = when
  const hasOne = ({ code, oneOf }: NonNullable<Condition['hasValue']>) =>
    field.subfields.some(each => each.code === code && oneOf.includes(each.value.trim().toLowerCase()))
  if (isPart !== undefined && namesPart(field) !== isPart) return false
  const introduction = when.unlessIntroduced && firstPart(field, 'i')
  if (
    introduction !== undefined &&
    when.unlessIntroduced?.some(each => each.test(`${withoutSeparator(introduction)}: x`))
  )
    return false
  if (indicator !== undefined) {
    const given = field.indicators[indicator.place - 1] ?? ''
    if (given === '' || !indicator.is.includes(given)) return false
  }
  if (unless !== undefined && field.indicators[unless.place - 1] === unless.is) return false
  if (has !== undefined && !field.subfields.some(each => has.includes(each.code))) return false
  if (lacks !== undefined && field.subfields.some(each => lacks.includes(each.code))) return false
  if (unlessValue !== undefined && hasOne(unlessValue)) return false
  return hasValue === undefined || hasOne(hasValue)
}

/** Words in $i for a work within another, in the languages of catalogues. */
const partWords =
  /^(?:contain(?:er of|s)|bevat|omvat|enthält|contient|contiene|contenedor de|conté|contém|innehåller|inneholder|indeholder|sisältää|zawiera|obsahuje|содержит)(?!\p{L})/iu

/** Tests whether an added entry names a work within this one, not one beside it. */
export const namesPart = (field: DataField) =>
  field.indicators[1] === '2' || partWords.test(firstPart(field, 'i') ?? '')

export const originOf = ({ field, index }: Found, part: string): Origin => ({ tag: field.tag, part, index })

/** The subfields with any of the codes, in the order of the record, without blank ones. */
export function partsOf(field: MarcField, codes: string): { readonly code: string; readonly value: string }[] {
  const parts: { code: string; value: string }[] = []
  if (!isDataField(field)) return parts
  for (const { code, value } of field.subfields) {
    if (code === '' || !codes.includes(code)) continue
    const text = clean(value)
    if (text !== '') parts.push({ code, value: text })
  }
  return parts
}

export function firstPart(field: DataField, code: string): string | undefined {
  for (const each of field.subfields) {
    if (each.code !== code) continue
    const text = clean(each.value)
    if (text !== '') return text
  }
  return undefined
}

/** The characters at some positions of a fixed field; in UNIMARC these stand in $a. */
export function placesOf(field: MarcField, places: string): string {
  const [from, to] = rangeOf(places) ?? [0, 0]
  const value = isDataField(field) ? (field.subfields.find(each => each.code === 'a')?.value ?? '') : field.value
  return value.slice(from, to)
}

const rangeOf = memoize(500, places => {
  if (!/^\d+(?:-\d+)?$/.test(places)) return undefined
  const [from = 0, to = from] = places.split('-').map(Number)
  return [from, to + 1] as const
})

/** Tests for positions, as `35-37`. Lists of subfields begin with a letter, save those of `2`. */
export function isPlaces(from: string): boolean {
  const first = from.charCodeAt(0)
  return first >= 0x30 && first <= 0x39 && rangeOf(from) !== undefined
}

/**
 * Normalises a text: one space between words, composed characters, no marks around the article at
 * its beginning that sorting leaves out (control characters, or `<<The >>`).
 */
export function clean(text: string): string {
  return isClean(text) ? text : normalise(text)
}

/** The same, with spaces instead of control characters, which divide fields and records. */
export function cleanWithoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it replaces
  return isClean(text) ? text : normalise(text.replaceAll(/[\x00-\x1f\x7f]/g, ' '))
}

const space = 0x20

/**
 * Tests for printable ASCII with single spaces between words: most texts need no change. A pattern
 * took several times as long.
 */
function isClean(text: string): boolean {
  let before = space
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < space || code > 0x7e || (code === space && before === space)) return false
    before = code
  }
  return before !== space && !text.startsWith('<<')
}

/** Texts repeat: several rows read the same subfield. */
const normalise = memoize(500, text =>
  text
    .normalize('NFC')
    .replaceAll(/[\u0098\u009c]/g, '')
    .replace(/^<<([^<>]{1,10})>>/, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
)

/** Removes the punctuation before the next subfield. */
export function withoutSeparator(text: string): string {
  if (!endsInPunctuation(text)) return text.trim()
  const bare = text.trimEnd()
  return '/:;,='.includes(bare.at(-1) ?? ' ') ? bare.slice(0, -1).trim() : bare.trimStart()
}

/**
 * Tests the last character: most texts end in a letter or a digit, and this costs less than
 * matching the pattern.
 */
function endsInPunctuation(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return !(last > 0x60 && last < 0x7b) && last !== 0x2e && !(last >= 0x30 && last < 0x3a)
}

/**
 * Removes a full stop at the end, unless it belongs to an initial, an abbreviation or an ellipsis.
 */
export function withoutFullStop(text: string): string {
  const bare = withoutSeparator(text)
  if (!bare.endsWith('.') || bare.endsWith('..')) return bare
  if (/(?:^|[\s.\-’'(])\p{L}{1,2}\.$/u.test(bare)) return bare
  if (/(?:^|\s)(?:Inc|Ltd|Corp|etc|Sr|Jr|Mrs|vol|Bros|Dept|cent|eds)\.$/i.test(bare)) return bare
  return bare.slice(0, -1).trimEnd()
}

/**
 * Joins the texts of subfields. Where the catalogue writes no punctuation between them, a semicolon
 * stands before a text, or the punctuation that is given for its code.
 */
export function joinParts(
  parts: readonly { readonly code: string; readonly value: string }[],
  before: Readonly<Record<string, string>> = {}
): string {
  let joined = ''
  for (const { code, value } of parts) {
    // A format without punctuation has full stops in abbreviations only: `185 p.`.
    const signs = before[code] === undefined ? '/:;,=.+&(-' : '/:;,=+&(-'
    const isPunctuated = signs.includes(joined.at(-1) ?? ' ')
    joined += joined === '' ? value : isPunctuated ? ` ${value}` : `${before[code] ?? ' ; '}${value}`
  }
  return withoutSeparator(joined.replace(/^[,;:/=]\s*/, ''))
}

/** Joins the title, number and name of a part. */
export function joinTitle(values: readonly string[]): string {
  return values.map(withoutFullStop).filter(Boolean).join('. ')
}

export function yearIn(text: string): string | undefined {
  return /(?<!\d)(?:1\d{3}|20\d{2})(?!\d)/.exec(text)?.[0]
}

/** A name, unless it stands for an unknown one. */
export function nameUnlessUnknown(text: string): string | undefined {
  const bare = withoutFullStop(
    text
      .replaceAll(/[[\]<>?]/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
  const isUnknown =
    bare === '' ||
    /^(?:s\.? ?[nl]\.?|sine (?:loco|nomine)|n\.? ?pl\.?|(?:publisher|place of publication|distributor)\b.*\bnot identified|.*not identified)$/i.test(
      bare
    ) ||
    /^(?:z\. ?(?:pl|u|n)\.?|o\. ?o\.|zonder (?:plaats|uitgever))$/i.test(bare)
  return isUnknown ? undefined : bare
}
