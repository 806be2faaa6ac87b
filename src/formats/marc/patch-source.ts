import { readIsbn } from '#domain/values/isbn.ts'
import { type Level, levels } from '#domain/entity/publication.ts'
import type { Draft, RecordDescription } from '../description/description.ts'
import type { ComposedRecord } from './compose-record.ts'
import { describeRecord } from './mapping/describe-record.ts'
import { keyOf } from '../description/keys.ts'
import { controlNumberOf, findControlValue, isDataField, type MarcField, type MarcRecord } from './record.ts'

/**
 * A record as it came, brought up to date: where a level was changed since, the fields that no
 * longer say what the level says give way to composed ones. Everything else stays as it is: fields
 * of other levels, fields that still hold, and those that the catalogue does not understand.
 *
 * Where nothing was changed the source is given back itself.
 */
export function patchSource(source: MarcRecord, composed: ComposedRecord, changedLevels: readonly Level[]): MarcRecord {
  if (changedLevels.length === 0) return source
  const wanted = statementsOf(describeRecord(composed.record))
  const patched = patchWith(source, composed, changedLevels, false)
  const said = statementsOf(describeRecord(patched))
  if (changedLevels.every(level => isSame(said, wanted, level))) return patched
  // Something that stayed says otherwise. Then every field of these levels gives way.
  return patchWith(source, composed, changedLevels, true)
}

const [work, expression, publication] = levels

/** What a field says of a level, as a line that can be compared. */
interface Statement {
  readonly level: Level
  readonly line: string
  readonly index: number
}

function statementsOf({ manifestation, expressions, works, isAggregate }: RecordDescription): Statement[] {
  const isMade = (work: number) => work === 0 || isAggregate || works[work]?.evidence === 'analytic entry'
  return [
    ...statementsIn(publication, 0, manifestation),
    ...expressions.flatMap(each => (isMade(each.work) ? statementsIn(expression, each.work, each) : [])),
    ...works.flatMap((each, place) => (isMade(place) ? statementsIn(work, place, each) : []))
  ]
}

function statementsIn(level: Level, place: number, { metadata, relations }: Draft): Statement[] {
  const kind = place === 0 ? level : `contained ${level}`
  return [
    ...metadata
      // The title of the publication stands for that of its text and its work where they have none
      // of their own.
      .filter(({ key, from }) => level === publication || place > 0 || key !== 'title' || from.tag !== '245')
      .map(({ key, value, from }) => {
        // An ISBN is the same with hyphens and without.
        const said = key === 'isbn' ? (readIsbn(String(value))?.comparable ?? value) : value
        return { level, line: `${kind} ${key} ${said}`, index: from.index }
      }),
    ...relations
      .filter(each => each.relation !== 'refCodeWordings')
      .map(({ relation, target, role, from }) => {
        const said = [...target.metadata.map(each => each.value), role?.code, role?.code === 'oth' ? role.wording : '']
        return { level, line: `${kind} ${relation} ${said.join('|')}`, index: from.index }
      })
  ]
}

function isSame(one: readonly Statement[], other: readonly Statement[], level: Level): boolean {
  const lines = (of: readonly Statement[]) => new Set(of.filter(each => each.level === level).map(each => each.line))
  const [first, second] = [lines(one), lines(other)]
  return first.size === second.size && [...first].every(each => second.has(each))
}

function patchWith(
  source: MarcRecord,
  composed: ComposedRecord,
  changed: readonly Level[],
  isWhole: boolean
): MarcRecord {
  const before = statementsOf(describeRecord(source))
  const after = statementsOf(describeRecord(composed.record))
  const wanted = new Set(after.map(each => each.line))
  const goes = (index: number) => {
    const field = source.fields[index]
    // Fixed fields are mended place by place; notes are the cataloguer's own words.
    if (field === undefined || !isDataField(field) || field.tag.startsWith('5')) return false
    const own = before.filter(each => each.index === index && changed.includes(each.level))
    return own.length > 0 && (isWhole || own.some(each => !wanted.has(each.line)))
  }
  const kept = source.fields.map((field, index) => ({ field, index })).filter(({ index }) => !goes(index))
  const unchangedIndexes = new Set(kept.map(each => each.index))
  const lost = new Set(before.filter(each => !unchangedIndexes.has(each.index)).map(each => each.line))
  const there = new Set(before.filter(each => unchangedIndexes.has(each.index)).map(each => each.line))
  const comes = (index: number) => {
    const field = composed.record.fields[index]
    if (field === undefined || !isDataField(field) || field.tag === '040') return false
    const own = after.filter(each => each.index === index)
    if (own.length > 0)
      return own.some(({ level, line }) => !there.has(line) && (changed.includes(level) || lost.has(line)))
    // What says nothing that can be read back (other titles, numbers) comes where nothing like it
    // is there.
    const speaksOf = composed.levels[index] ?? []
    if (!speaksOf.some(level => changed.includes(level)) || isOwnNumber(field, source)) return false
    return !source.fields.some(each => isLike(each, field))
  }
  const fields = kept.map(({ field }) => field)
  const leaving = source.fields.filter((_, index) => !unchangedIndexes.has(index))
  const coming = composed.record.fields.filter((_, index) => comes(index))
  for (const field of coming) insert(fields, withLinkage(field, leaving, coming))
  return mendFixed({ leader: mendLeader(source, composed.record, changed), fields }, composed.record, before, after)
}

/**
 * A field that comes in the place of another stays linked to the same field in original script
 * (880), by $6.
 */
function withLinkage(field: MarcField, leaving: readonly MarcField[], coming: readonly MarcField[]): MarcField {
  const before = leaving.filter(each => each.tag === field.tag).filter(isDataField)
  const linkage = before[0]?.subfields.find(({ code }) => code === '6')
  const isInPlace = before.length === 1 && coming.filter(each => each.tag === field.tag).length === 1
  if (!isInPlace || linkage === undefined || !isDataField(field)) return field
  return { ...field, subfields: [linkage, ...field.subfields] }
}

/** Behind the last field whose tag is not greater. */
function insert(fields: MarcField[], field: MarcField): void {
  const place = fields.findLastIndex(each => each.tag <= field.tag)
  fields.splice(place + 1, 0, field)
}

/**
 * Whether a composed system number (035) is the number of the source record itself, which has it in
 * 001 and 003.
 */
function isOwnNumber(field: MarcField, source: MarcRecord): boolean {
  const number = controlNumberOf(source)
  return (
    number !== undefined &&
    field.tag === '035' &&
    isDataField(field) &&
    field.subfields.every(({ value }) => value.endsWith(number))
  )
}

const isLike = (one: MarcField, other: MarcField) => one.tag === other.tag && textIn(one) === textIn(other)
const textIn = (field: MarcField) => (isDataField(field) ? keyOf(field.subfields[0]?.value ?? '') : field.value)

/** Places of 008 that hold what a level says: dates, language, audience, literary form. */
const places: readonly (readonly [said: RegExp, from: number, to: number])[] = [
  [/^manifestation year_of_publication |^work year /, 6, 15],
  [/^(?:expression|manifestation) refLanguages /, 35, 38],
  [/^work refTargetAudiences /, 22, 23],
  [/^work literary_type /, 33, 34]
]

/**
 * 005 says when it was changed. Of 008 those places give way that now say otherwise, or do not say
 * what they should; and so does a 007.
 */
function mendFixed(
  record: MarcRecord,
  composed: MarcRecord,
  before: readonly Statement[],
  after: readonly Statement[]
): MarcRecord {
  const wanted = new Set(after.map(each => each.line))
  const said = statementsOf(describeRecord(record))
  const lines = new Set(said.map(each => each.line))
  const wrong = said.filter(each => !wanted.has(each.line))
  const gone = before.filter(each => !wanted.has(each.line))
  const missing = after.filter(({ line, index }) => !lines.has(line) && composed.fields[index]?.tag === '008')
  const fields = record.fields.flatMap((field, index): MarcField[] => {
    if (isDataField(field)) return [field]
    const given = findControlValue(composed, field.tag)
    if (field.tag === '005') return [{ tag: field.tag, value: given ?? field.value }]
    const own = wrong.filter(each => each.index === index)
    if (field.tag === '007') return own.length === 0 ? [field] : []
    if (field.tag !== '008' || given?.length !== 40 || field.value.length !== 40) return [field]
    let value = field.value
    for (const [speaksOf, from, to] of places)
      if ([...gone, ...own, ...missing].some(each => speaksOf.test(each.line)))
        value = value.slice(0, from) + given.slice(from, to) + value.slice(to)
    return [{ tag: field.tag, value }]
  })
  return { leader: record.leader, fields }
}

/** The kind of material is the manifestation's. The status says that the record was changed. */
function mendLeader({ leader, fields }: MarcRecord, composed: MarcRecord, changed: readonly Level[]): string {
  const status = `${leader.slice(0, 5)}c`
  const isKept =
    !changed.includes(publication) ||
    describeRecord({ leader, fields }).manifestation.type === describeRecord(composed).manifestation.type
  return isKept ? status + leader.slice(6) : status + composed.leader.slice(6, 8) + leader.slice(8)
}
