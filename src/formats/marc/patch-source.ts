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
  const wanted = statementsOf(readOnce(composed.record))
  const isRight = (patched: MarcRecord) => {
    const present = statementsOf(readOnce(patched))
    return (
      changedLevels.every(level => isSame(present, wanted, each => each.level === level)) &&
      isSame(present, wanted, ({ line }) => dependsOnLanguages.test(line))
    )
  }
  let patched = source
  // Each extent is tried where a field that stayed contradicts a level.
  for (const extent of extents) {
    const replaced = patchWith(source, composed, changedLevels, extent)
    patched = withWhatWasLost(source, composed, withoutContradictions(replaced, composed, changedLevels))
    if (isRight(patched)) break
  }
  return patched
}

/** Statements of a work that fields of its text decide too: its language, its original title. */
const dependsOnLanguages = /^work (?:refLanguages|original_title) /

/**
 * The fields that are replaced: those that disagree; all of the levels that were changed; and the
 * languages (041) too.
 */
const extents = ['disagreeing', 'level', 'level and languages'] as const

/**
 * Removes fields that disagree with a level only now: they repeated a field that was replaced, and
 * what a record says twice is read once.
 */
function withoutContradictions(patched: MarcRecord, composed: ComposedRecord, changed: readonly Level[]): MarcRecord {
  const wanted = new Set(statementsOf(readOnce(composed.record)).map(each => each.line))
  const wrong = new Set(
    statementsOf(readOnce(patched))
      .filter(({ level, line }) => changed.includes(level) && !wanted.has(line))
      .map(each => each.index)
  )
  const fields = patched.fields.filter((field, index) => !wrong.has(index) || !isDataField(field))
  return fields.length === patched.fields.length
    ? patched
    : withoutContradictions({ leader: patched.leader, fields }, composed, changed)
}

/**
 * Adds the composed fields for what a level that was not changed said by fields of the others: the
 * language of a work, say, that was the one of its text, or its title.
 */
function withWhatWasLost(source: MarcRecord, composed: ComposedRecord, patched: MarcRecord): MarcRecord {
  const before = new Set(everythingSaidBy(readOnce(source)).map(each => each.line))
  const present = new Set(statementsOf(readOnce(patched)).map(each => each.line))
  const lost = statementsOf(readOnce(composed.record)).filter(({ line }) => before.has(line) && !present.has(line))
  const fields = [...patched.fields]
  for (const index of new Set(lost.map(each => each.index))) {
    const field = composed.record.fields[index]
    if (field === undefined || !isDataField(field)) continue
    const isThere = tagsInPlaceOf(field.tag).length === 0 && fields.some(each => isLike(each, field))
    if (!isThere) put(fields, field)
  }
  return lost.length === 0 ? patched : { leader: patched.leader, fields }
}

/** The same records are compared several times. */
const readings = new WeakMap<MarcRecord, RecordDescription>()
function readOnce(record: MarcRecord): RecordDescription {
  const reading = readings.get(record) ?? describeRecord(record)
  readings.set(record, reading)
  return reading
}

const [work, expression, publication] = levels

/** A value of a field at a level, as a line for comparing. */
interface Statement {
  readonly level: Level
  readonly line: string
  readonly index: number
  readonly isTitleOfPublication: boolean
}

/**
 * The statements of a record; without the title of the publication, which stands for that of its
 * expression and its work if they have none of their own.
 */
const statementsOf = (description: RecordDescription): Statement[] =>
  everythingSaidBy(description).filter(({ isTitleOfPublication }) => !isTitleOfPublication)

function everythingSaidBy({ manifestation, expressions, works, isAggregate }: RecordDescription): Statement[] {
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
    ...metadata.map(({ key, value, from }) => {
      // An ISBN is the same with and without hyphens.
      const text = key === 'isbn' ? (readIsbn(String(value))?.comparable ?? value) : value
      const isTitleOfPublication = level !== publication && place === 0 && key === 'title' && from.tag === '245'
      return { level, line: `${kind} ${key} ${text}`, index: from.index, isTitleOfPublication }
    }),
    ...relations
      .filter(each => each.relation !== 'refCodeWordings')
      .map(({ relation, target, role, number, from }) => {
        const text = [
          ...target.metadata.map(each => each.value),
          number,
          role?.code,
          role?.code === 'oth' ? role.wording : ''
        ]
        return {
          level,
          line: `${kind} ${relation} ${target.type} ${text.join('|')}`,
          index: from.index,
          isTitleOfPublication: false
        }
      })
  ]
}

function isSame(
  one: readonly Statement[],
  other: readonly Statement[],
  isCompared: (each: Statement) => boolean
): boolean {
  const lines = (of: readonly Statement[]) => new Set(of.filter(isCompared).map(each => each.line))
  const [first, second] = [lines(one), lines(other)]
  return first.size === second.size && [...first].every(each => second.has(each))
}

function patchWith(
  source: MarcRecord,
  composed: ComposedRecord,
  changed: readonly Level[],
  extent: (typeof extents)[number]
): MarcRecord {
  const before = statementsOf(readOnce(source))
  const after = statementsOf(readOnce(composed.record))
  const wanted = new Set(after.map(each => each.line))
  const goes = (index: number) => {
    const field = source.fields[index]
    // Fixed fields are updated position by position.
    if (field === undefined || !isDataField(field)) return false
    if (extent === 'level and languages' && field.tag === '041') return true
    const all = before.filter(each => each.index === index)
    const own = all.filter(each => changed.includes(each.level))
    // A note is the cataloguer's own words: it stays while the catalogue has them.
    if (field.tag.startsWith('5')) return own.length > 0 && all.every(each => !wanted.has(each.line))
    return own.length > 0 && (extent !== 'disagreeing' || own.some(each => !wanted.has(each.line)))
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

/**
 * Fields that a record has once: another takes the place of the one that is there. A record has one
 * main entry, whichever of its tags it is.
 */
const mainEntry: readonly string[] = ['100', '110', '111', '130']
const tagsInPlaceOf = (tag: string): readonly string[] =>
  mainEntry.includes(tag) ? mainEntry : ['041', '240', '245', '306'].includes(tag) ? [tag] : []

/** Inserts after the last field whose tag is not greater. */
function put(fields: MarcField[], field: MarcField): void {
  const old = fields.findIndex(each => tagsInPlaceOf(field.tag).includes(each.tag))
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
  const present = statementsOf(readOnce(record))
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
function updateLeader(source: MarcRecord, composed: MarcRecord, changed: readonly Level[]): string {
  const { leader } = source
  const status = `${leader.slice(0, 5)}c`
  const isKept =
    !changed.includes(publication) || readOnce(source).manifestation.type === readOnce(composed).manifestation.type
  return isKept ? status + leader.slice(6) : status + composed.leader.slice(6, 8) + leader.slice(8)
}
