import { readIsbn } from '#domain/values/isbn.ts'
import { type Level, levels } from '#domain/entity/publication.ts'
import type { Draft, RecordDescription } from '../description/description.ts'
import type { ComposedRecord } from './compose-record.ts'
import { describeRecord } from './mapping/describe-record.ts'
import { keyOf } from '../description/keys.ts'
import { controlNumberOf, findControlValue, isDataField, type MarcField, type MarcRecord } from './record.ts'

/**
 * Updates a source record: for each level that was changed since, fields that no longer agree with
 * the level are replaced by composed ones. Everything else stays unchanged: fields of other levels,
 * fields that still agree, and those that the catalogue does not understand.
 *
 * Returns the source record itself if nothing was changed.
 */
export function patchSource(source: MarcRecord, composed: ComposedRecord, changedLevels: readonly Level[]): MarcRecord {
  if (changedLevels.length === 0) return source
  const wanted = statementsOf(describeRecord(composed.record))
  const patched = patchWith(source, composed, changedLevels, false)
  const present = statementsOf(describeRecord(patched))
  const isEnough = changedLevels.every(level => isSame(present, wanted, level))
  // A field that stayed contradicts the level. Then every field of these levels is replaced.
  return withWhatWasLost(source, composed, isEnough ? patched : patchWith(source, composed, changedLevels, true))
}

/**
 * Adds the composed fields for what a level that was not changed said by fields of the others: the
 * language of a work, say, that was the one of its text.
 */
function withWhatWasLost(source: MarcRecord, composed: ComposedRecord, patched: MarcRecord): MarcRecord {
  const linesOf = (record: MarcRecord) => new Set(statementsOf(describeRecord(record)).map(each => each.line))
  const [before, present] = [linesOf(source), linesOf(patched)]
  const lost = statementsOf(describeRecord(composed.record)).filter(
    ({ line }) => before.has(line) && !present.has(line)
  )
  const fields = [...patched.fields]
  for (const index of new Set(lost.map(each => each.index))) {
    const field = composed.record.fields[index]
    if (field !== undefined && isDataField(field) && !fields.some(each => isLike(each, field))) put(fields, field)
  }
  return lost.length === 0 ? patched : { leader: patched.leader, fields }
}

const [work, expression, publication] = levels

/** A value of a field at a level, as a line for comparing. */
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
      // The title of the publication stands for that of its expression and its work if they have
      // none of their own.
      .filter(({ key, from }) => level === publication || place > 0 || key !== 'title' || from.tag !== '245')
      .map(({ key, value, from }) => {
        // An ISBN is the same with and without hyphens.
        const text = key === 'isbn' ? (readIsbn(String(value))?.comparable ?? value) : value
        return { level, line: `${kind} ${key} ${text}`, index: from.index }
      }),
    ...relations
      .filter(each => each.relation !== 'refCodeWordings')
      .map(({ relation, target, role, from }) => {
        const text = [...target.metadata.map(each => each.value), role?.code, role?.code === 'oth' ? role.wording : '']
        return { level, line: `${kind} ${relation} ${text.join('|')}`, index: from.index }
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
    // Fixed fields are updated position by position.
    if (field === undefined || !isDataField(field)) return false
    const all = before.filter(each => each.index === index)
    const own = all.filter(each => changed.includes(each.level))
    // A note is the cataloguer's own words: it stays while the catalogue has them.
    if (field.tag.startsWith('5')) return own.length > 0 && all.every(each => !wanted.has(each.line))
    return own.length > 0 && (isWhole || own.some(each => !wanted.has(each.line)))
  }
  const unchanged = source.fields.map((field, index) => ({ field, index })).filter(({ index }) => !goes(index))
  const unchangedIndexes = new Set(unchanged.map(each => each.index))
  const lost = new Set(before.filter(each => !unchangedIndexes.has(each.index)).map(each => each.line))
  const there = new Set(before.filter(each => unchangedIndexes.has(each.index)).map(each => each.line))
  const comes = (index: number) => {
    const field = composed.record.fields[index]
    if (field === undefined || !isDataField(field) || field.tag === '040') return false
    const own = after.filter(each => each.index === index)
    if (own.length > 0)
      return own.some(({ level, line }) => !there.has(line) && (changed.includes(level) || lost.has(line)))
    // Fields that cannot be read back (other titles, numbers) are added if there is none like them.
    const speaksOf = composed.levels[index] ?? []
    if (!speaksOf.some(level => changed.includes(level)) || isOwnNumber(field, source)) return false
    return !source.fields.some(each => isLike(each, field))
  }
  const fields = unchanged.map(({ field }) => field)
  const replaced = source.fields.filter((_, index) => !unchangedIndexes.has(index))
  const coming = composed.record.fields.filter((_, index) => comes(index))
  for (const field of coming) put(fields, withLinkage(field, replaced, coming))
  return updateFixed({ leader: updateLeader(source, composed.record, changed), fields }, composed.record, before, after)
}

/** A field that replaces another stays linked to the same field in original script (880), by $6. */
function withLinkage(field: MarcField, replaced: readonly MarcField[], coming: readonly MarcField[]): MarcField {
  const before = replaced.filter(each => each.tag === field.tag).filter(isDataField)
  const linkage = before[0]?.subfields.find(({ code }) => code === '6')
  const isInPlace = before.length === 1 && coming.filter(each => each.tag === field.tag).length === 1
  if (!isInPlace || linkage === undefined || !isDataField(field)) return field
  return { ...field, subfields: [linkage, ...field.subfields.filter(({ code }) => code !== '6')] }
}

/** Fields that say all there is of something: another takes the place of the one that is there. */
const wholeTags: ReadonlySet<string> = new Set(['041'])

/** Inserts after the last field whose tag is not greater. */
function put(fields: MarcField[], field: MarcField): void {
  const old = wholeTags.has(field.tag) ? fields.findIndex(each => each.tag === field.tag) : -1
  if (old >= 0) fields.splice(old, 1)
  const place = fields.findLastIndex(each => each.tag <= field.tag)
  fields.splice(place + 1, 0, field)
}

/**
 * Tests whether a composed system number (035) is the number of the source record itself, which has
 * it in 001 and 003.
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

/** Positions of 008 with values of a level: dates, language, audience, literary form. */
const places: readonly (readonly [text: RegExp, from: number, to: number])[] = [
  [/^manifestation year_of_publication |^work year /, 6, 15],
  [/^(?:expression|manifestation) refLanguages /, 35, 38],
  [/^work refTargetAudiences /, 22, 23],
  [/^work literary_type /, 33, 34]
]

/**
 * 005 is the time of the change. Positions of 008 that disagree or lack a value are replaced; and
 * so is a 007.
 */
function updateFixed(
  record: MarcRecord,
  composed: MarcRecord,
  before: readonly Statement[],
  after: readonly Statement[]
): MarcRecord {
  const wanted = new Set(after.map(each => each.line))
  const present = statementsOf(describeRecord(record))
  const lines = new Set(present.map(each => each.line))
  const wrong = present.filter(each => !wanted.has(each.line))
  const outdated = before.filter(each => !wanted.has(each.line))
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
      if ([...outdated, ...own, ...missing].some(each => speaksOf.test(each.line)))
        value = value.slice(0, from) + given.slice(from, to) + value.slice(to)
    return [{ tag: field.tag, value }]
  })
  return { leader: record.leader, fields }
}

/** The kind of material is that of the manifestation. The status marks the record as changed. */
function updateLeader({ leader, fields }: MarcRecord, composed: MarcRecord, changed: readonly Level[]): string {
  const status = `${leader.slice(0, 5)}c`
  const isKept =
    !changed.includes(publication) ||
    describeRecord({ leader, fields }).manifestation.type === describeRecord(composed).manifestation.type
  return isKept ? status + leader.slice(6) : status + composed.leader.slice(6, 8) + leader.slice(8)
}
