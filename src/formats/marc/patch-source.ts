import { readIsbn } from '#domain/values/isbn.ts'
import { type Level, levels } from '#domain/entity/publication.ts'
import type { ChangedFields } from '#domain/imports/stored-source-record.ts'
import type { Draft, RecordDescription } from '../description/description.ts'
import type { ComposedRecord } from './compose-record.ts'
import { describeRecord } from './mapping/describe-record.ts'
import { keyOf } from '../description/keys.ts'
import {
  controlNumberOf,
  type DataField,
  findControlValue,
  isDataField,
  type MarcField,
  type MarcRecord
} from './record.ts'

/**
 * Updates a source record: fields that no longer agree with what people changed since are replaced
 * by composed ones. Everything else stays unchanged: fields about something else, fields that still
 * agree, and those that the catalogue does not understand.
 *
 * Returns the source record itself if nothing was changed.
 */
export function patchSource(source: MarcRecord, composed: ComposedRecord, fields: ChangedFields): MarcRecord {
  if (fields.size === 0) return source
  const changed = new Changes(fields)
  const [before, wanted] = [source, composed.record].map(each => statementsOf(readOnce(each)))
  const isRight = (patched: MarcRecord) => {
    const present = statementsOf(readOnce(patched))
    const isOfLanguages = ({ line }: Statement) => dependsOnLanguages.test(line)
    return (
      isSame(present, wanted ?? [], each => changed.has(each)) &&
      (isSame(present, wanted ?? [], isOfLanguages) ||
        (!changed.concernLanguages && isSame(present, before ?? [], isOfLanguages)))
    )
  }
  const edited = editInPlace(source, composed, changed)
  if (edited !== undefined && isRight(edited) && withWhatWasLost(source, composed, edited) === edited) return edited
  let patched = source
  // Each extent is tried where a field that stayed contradicts a level.
  for (const extent of extents) {
    const replaced = patchWith(source, composed, changed, extent)
    patched = withWhatWasLost(source, composed, withoutContradictions(replaced, composed, changed))
    if (isRight(patched)) break
  }
  return patched
}

/** Fields that are not read back, by tag, and the field or relation that they are written for. */
const unread: Readonly<Record<string, string>> = {
  '024': 'identifier',
  '035': 'identifier',
  '246': 'title',
  '337': 'material_type',
  '500': 'refCodeWordings',
  '730': 'refRelatedWorks',
  '758': 'identifier',
  '765': 'refTranslationOf',
  '772': 'refSupplementTo',
  '774': 'refParts',
  '880': 'title'
}

/** Fields that are read as titles, and tell of relations, too. */
const serialLinks = ['765', '772']

/** Fields by which a text is a translation, or not. */
const translating = ['refLanguages', 'refAuthors', 'original_title']

/** The fields that people changed, by level. */
class Changes {
  readonly #fields: ChangedFields

  constructor(fields: ChangedFields) {
    this.#fields = fields
  }

  hasLevel(level: Level): boolean {
    return this.#fields.has(level)
  }

  has({ level, name }: Pick<Statement, 'level' | 'name'>): boolean {
    return this.hasLevel(level) && (this.#fields.get(level)?.has(name) ?? true)
  }

  /** Whether the text may be a translation now, or of another original. */
  get concernLanguages(): boolean {
    return levels.some(level => translating.some(name => this.has({ level, name })))
  }

  /** Tests whether a composed field that is not read back may tell of a change. */
  mayBeIn({ tag }: MarcField, speaksOf: readonly Level[]): boolean {
    return speaksOf.some(level => (tag in unread ? this.has({ level, name: unread[tag] ?? '' }) : this.hasLevel(level)))
  }
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
function withoutContradictions(patched: MarcRecord, composed: ComposedRecord, changed: Changes): MarcRecord {
  const wanted = new Set(statementsOf(readOnce(composed.record)).map(each => each.line))
  const wrong = new Set(
    statementsOf(readOnce(patched))
      .filter(each => changed.has(each) && !wanted.has(each.line))
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
  /** The key of the field or the type of the relation, as in `ChangedFields`. */
  readonly name: string
  readonly line: string
  readonly index: number
  readonly isTitleOfPublication: boolean
  /** The text of a field; undefined for a relation. */
  readonly text?: string
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
  const nameOf = (key: string) => (place === 0 ? key : `contained ${key}`)
  return [
    ...metadata.map(({ key, value, from }) => {
      // An ISBN is the same with and without hyphens.
      const said = key === 'isbn' ? (readIsbn(String(value))?.comparable ?? value) : value
      const isTitleOfPublication = level !== publication && place === 0 && key === 'title' && from.tag === '245'
      const [line, text] = [`${kind} ${key} ${said}`, String(value)]
      return { level, name: nameOf(key), line, index: from.index, isTitleOfPublication, text }
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
          name: nameOf(relation),
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

/**
 * Replaces the old value of each changed field by the new one where it stands in a subfield, so
 * that the rest of the field stays: its tag, indicators, punctuation and other subfields. Returns
 * undefined if that cannot be done.
 */
function editInPlace(source: MarcRecord, composed: ComposedRecord, changed: Changes): MarcRecord | undefined {
  const [before, after] = [source, composed.record].map(each => statementsOf(readOnce(each)))
  if (before === undefined || after === undefined) return undefined
  const without = (list: readonly Statement[], others: readonly Statement[]) => {
    const lines = new Set(others.map(each => each.line))
    return list.filter(each => changed.has(each) && !lines.has(each.line))
  }
  const come = Map.groupBy(without(after, before), nameOf)
  const gone = Map.groupBy(without(before, after), nameOf)
  if (gone.size === 0 || come.size !== gone.size) return undefined
  const fields = [...source.fields]
  for (const [name, [was, ...more]] of gone) {
    const [is, ...others] = come.get(name) ?? []
    const field = was && fields[was.index]
    if (!was || !is || !field || more.length + others.length > 0 || !isDataField(field)) return undefined
    const edited = withText(field, was.text, is.text)
    if (edited === undefined) return undefined
    fields[was.index] = edited
  }
  const leader = updateLeader(source, composed.record, changed)
  return updateFixed({ leader, fields }, composed.record, before, after)
}

const nameOf = ({ level, name }: Statement) => `${level} ${name}`

/** A field with another text in the one subfield that has the old text, once. */
function withText(field: DataField, old = '', text = ''): DataField | undefined {
  const [place = -1, ...others] = field.subfields.flatMap(({ value }, at) => (value.includes(old) ? [at] : []))
  const { code = '', value = '' } = field.subfields[place] ?? {}
  if (old === '' || text === '' || others.length > 0 || value.split(old).length !== 2) return undefined
  return { ...field, subfields: field.subfields.with(place, { code, value: value.replace(old, () => text) }) }
}

function patchWith(
  source: MarcRecord,
  composed: ComposedRecord,
  changed: Changes,
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
    const own = all.filter(each => changed.has(each))
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

/**
 * Positions of 008 with values of a level: dates, language, audience, literary form. The first date
 * alone is replaced if the kind of date, before it, says that it is one.
 */
const places: readonly (readonly [text: RegExp, from: number, to: number, isFor?: RegExp])[] = [
  [/^manifestation year_of_publication /, 7, 11, /^.{6}[cdeikmpqrstu]/],
  [/^manifestation year_of_publication /, 6, 15, /^.{6}[^cdeikmpqrstu]/],
  [/^work year /, 6, 15],
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
    for (const [speaksOf, from, to, isFor = /^/] of places)
      if (isFor.test(field.value) && [...outdated, ...own, ...missing].some(each => speaksOf.test(each.line)))
        value = value.slice(0, from) + given.slice(from, to) + value.slice(to)
    return [{ tag: field.tag, value }]
  })
  return { leader: record.leader, fields }
}

/** The kind of material is that of the manifestation. The status marks the record as changed. */
function updateLeader(source: MarcRecord, composed: MarcRecord, changed: Changes): string {
  const { leader } = source
  const status = `${leader.slice(0, 5)}c`
  const isKept =
    !changed.hasLevel(publication) || readOnce(source).manifestation.type === readOnce(composed).manifestation.type
  return isKept ? status + leader.slice(6) : status + composed.leader.slice(6, 8) + leader.slice(8)
}
