import type { ChangedFields } from '#domain/imports/stored-source-record.ts'
import type { ComposedRecord } from './composed-record.ts'
import { Changes } from './patch/changes.ts'
import { editValues } from './patch/edit-values.ts'
import { updateFixed } from './patch/fixed-fields.ts'
import { isLike, put, withWhatWasLost } from './patch/put-field.ts'
import { withTitleRepeated } from './patch/repeated-titles.ts'
import { isSame, readOnce, type Statement, statementsOf } from './patch/statements.ts'
import { controlNumberOf, isDataField, type MarcField, type MarcRecord } from './record.ts'

/**
 * Updates a source record: the values that people changed since are changed in it where they stand;
 * fields that no longer agree with a changed relation are replaced by composed ones. Everything
 * else stays unchanged: fields about something else, fields that still agree, and those that the
 * catalogue does not understand.
 *
 * Returns the source record itself if nothing was changed.
 */
export function patchSource(source: MarcRecord, composed: ComposedRecord, fields: ChangedFields): MarcRecord {
  if (fields.size === 0) return source
  const { record, left } = editValues(source, composed, fields)
  const changed = new Changes(left)
  // Where it is not known what was changed, the values may have been all.
  const isDone = left.size === 0 || (record !== source && agrees(record, record, composed, changed))
  const replaced = isDone ? record : replaceFields(record, composed, changed)
  const patched = withTitleRepeated(source, replaced, composed, new Changes(fields))
  return updateFixed(source, patched, composed.record, new Changes(fields))
}

/** Tests whether a record says what the catalogue says about the fields that were changed. */
function agrees(patched: MarcRecord, source: MarcRecord, composed: ComposedRecord, changed: Changes): boolean {
  const [present, before, wanted = []] = [patched, source, composed.record].map(each => statementsOf(readOnce(each)))
  const lines = linesOf(wanted)
  const isOfLanguages = ({ line }: Statement) => dependsOnLanguages.test(line)
  return (
    isSame(present, wanted, each => changed.has(each) && (each.isMade || lines.has(each.line))) &&
    (isSame(present, wanted, isOfLanguages) || (!changed.concernLanguages && isSame(present, before, isOfLanguages)))
  )
}

const linesOf = (statements: readonly Statement[]) => new Set(statements.map(each => each.line))

/** Replaces the fields that disagree with what people changed by composed ones. */
function replaceFields(source: MarcRecord, composed: ComposedRecord, changed: Changes): MarcRecord {
  let patched = source
  // Each extent is tried where a field that stayed contradicts a level.
  for (const extent of extents) {
    const replaced = patchWith(source, composed, changed, extent)
    patched = withWhatWasLost(source, composed, withoutContradictions(replaced, composed, changed))
    if (agrees(patched, source, composed, changed)) break
  }
  return patched
}

/** Fields that are read as titles, and tell of relations, too. */
const serialLinks = ['765', '772']

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
function withoutContradictions(patched: MarcRecord, composed: ComposedRecord, changed: Changes): MarcRecord {
  const wanted = linesOf(statementsOf(readOnce(composed.record)))
  const wrong = new Set(
    statementsOf(readOnce(patched))
      .filter(each => changed.has(each) && each.isMade && !wanted.has(each.line))
      .map(each => each.index)
  )
  const fields = patched.fields.filter((field, index) => !wrong.has(index) || !isDataField(field))
  return fields.length === patched.fields.length
    ? patched
    : withoutContradictions({ leader: patched.leader, fields }, composed, changed)
}

function patchWith(
  source: MarcRecord,
  composed: ComposedRecord,
  changed: Changes,
  extent: (typeof extents)[number]
): MarcRecord {
  const before = statementsOf(readOnce(source))
  const after = statementsOf(readOnce(composed.record))
  const wanted = linesOf(after)
  const goes = (index: number) => {
    const field = source.fields[index]
    // Fixed fields are updated position by position.
    if (field === undefined || !isDataField(field)) return false
    if (extent === 'level and languages' && field.tag === '041') return true
    const all = before.filter(each => each.index === index)
    const own = all.filter(each => changed.has(each) && each.isMade)
    // A note is the cataloguer's own words: it stays while the catalogue has them.
    if (field.tag.startsWith('5')) return own.length > 0 && all.every(each => !wanted.has(each.line))
    return own.length > 0 && (extent !== 'disagreeing' || own.some(each => !wanted.has(each.line)))
  }
  const unchanged = source.fields.map((field, index) => ({ field, index })).filter(({ index }) => !goes(index))
  const unchangedIndexes = new Set(unchanged.map(each => each.index))
  const lost = linesOf(before.filter(each => !unchangedIndexes.has(each.index)))
  const there = linesOf(before.filter(each => unchangedIndexes.has(each.index)))
  const comes = (index: number) => {
    const field = composed.record.fields[index]
    if (field === undefined || !isDataField(field) || field.tag === '040') return false
    const own = after.filter(each => each.index === index)
    if (own.some(each => !there.has(each.line) && (changed.has(each) || lost.has(each.line)))) return true
    if (own.length > 0 && !serialLinks.includes(field.tag)) return false
    // Fields that cannot be read back (other titles, numbers) are added if there is none like them.
    if (!changed.mayBeIn(field, composed.levels[index] ?? []) || isOwnNumber(field, source)) return false
    return !source.fields.some(each => isLike(each, field))
  }
  const fields = unchanged.map(({ field }) => field)
  const replaced = source.fields.filter((_, index) => !unchangedIndexes.has(index))
  const coming = composed.record.fields.filter((_, index) => comes(index))
  for (const field of coming) put(fields, withLinkage(field, replaced, coming))
  return updateFixed(source, { leader: source.leader, fields }, composed.record, changed)
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
