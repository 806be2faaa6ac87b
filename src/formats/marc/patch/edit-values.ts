import { table } from '#domain/table.ts'
import { titleKey } from '#domain/clustering/title-key.ts'
import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { type Level, levels } from '#domain/entity/publication.ts'
import type { ChangedFields } from '#domain/imports/stored-source-record.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { dataField, wholeOf } from '../compose/composer.ts'
import { levelTitles } from '../mapping/notes.ts'
import { withoutSeparator } from '../mapping/values.ts'
import type { ComposedRecord } from '../composed-record.ts'
import { type DataField, isDataField, type MarcField, type MarcRecord } from '../record.ts'
import { put, withWhatWasLost } from './put-field.ts'
import { everythingSaidBy, lineOfValue, readOnce, type Statement, statementsOf } from './statements.ts'

/** A record with some of the changed fields, and those that it could not be given. */
export interface EditedValues {
  readonly record: MarcRecord
  readonly left: ChangedFields
}

/**
 * Brings the changed values of the publication as a whole into a record, field by field: the old
 * value is replaced in the subfields where it stands. A new value without an old one gets a
 * composed field, and a value that is gone loses its subfields. The record is read again after each
 * field. A field that could not be changed without changing any other is left to the caller, as are
 * relations.
 */
export function editValues(source: MarcRecord, composed: ComposedRecord, fields: ChangedFields): EditedValues {
  const left = new Map<Level, ReadonlySet<string> | undefined>()
  const entities = entitiesOf(composed)
  let record = source
  for (const [level, names] of fields) {
    const [entity] = entities[level]
    const open = new Set<string>()
    for (const name of names ?? (entity ? keysOf(record, level, entity) : [])) {
      const edited = editName(record, composed, { level, name, entities: entities[level] })
      if (edited === undefined) open.add(name)
      else record = edited
    }
    if (names === undefined) left.set(level, undefined)
    else if (open.size > 0) left.set(level, open)
  }
  return { record, left }
}

/** The entities of each level: that of the publication as a whole, and those of the works in it. */
type Entities = readonly [whole: Entity | undefined, ...contained: Entity[]]

function entitiesOf({ publication }: ComposedRecord): Record<Level, Entities> {
  const { manifestation, expressions, expression, works, work, contained } = wholeOf(publication)
  return {
    work: [
      works.length === 1 ? work?.entity : undefined,
      ...contained.flatMap(each => (each.work === undefined ? [] : [each.work.entity]))
    ],
    expression: [expressions.length === 1 ? expression?.entity : undefined, ...contained.map(each => each.entity)],
    manifestation: [manifestation.entity]
  }
}

/** The keys of all values of a level, in the record and in the catalogue. */
const keysOf = (record: MarcRecord, level: Level, { metadata }: Entity) =>
  new Set([
    ...metadata.map(each => each.key),
    ...everythingSaidBy(readOnce(record)).flatMap(each =>
      each.level === level && each.text !== undefined && !each.name.startsWith(contained) ? each.name : []
    )
  ])

interface ChangedName {
  readonly level: Level
  readonly name: string
  readonly entities: Entities
}

const [work, expression] = levels
const contained = 'contained '

/** A record with the values that entities have under a key; undefined if that cannot be done. */
function editName(record: MarcRecord, composed: ComposedRecord, { level, name, entities }: ChangedName) {
  const isContained = name.startsWith(contained)
  const key = isContained ? name.slice(contained.length) : name
  const [whole, ...others] = entities
  // A text in a collection is written with the title of its work.
  if (isContained && level === expression && key === 'title') return record
  const about = isContained ? others : whole === undefined ? undefined : [whole]
  if (about === undefined) return undefined
  const texts = about.flatMap(entity => valuesOf(entity, key).map(String))
  const kind = isContained ? `${contained}${level}` : level
  const wanted = new Set(texts.map(text => lineOfValue(kind, key, text)))
  const all = everythingSaidBy(readOnce(record)).filter(
    each => each.level === level && each.name === name && (each.isMade || wanted.has(each.line))
  )
  if (all.some(each => each.text === undefined)) return undefined
  const isField = texts.length > 0 || all.length > 0
  if (!isField) return undefined
  const said = new Set(all.map(each => each.line))
  const come = texts.filter(text => !said.has(lineOfValue(kind, key, text)))
  const unwanted = all.filter(each => !each.isTitleOfPublication && !wanted.has(each.line))
  const gone = isContained ? withoutSpareNotes(record, unwanted, come.length) : unwanted
  if (gone.length === 0 && come.length === 0) return record
  const given = { level, name, key, kind, isContained, come }
  const edited = withChanges(record, composed, { ...given, gone, areNotesKept: false })
  if (edited !== undefined || !isContained || key !== 'title') return edited
  // The title may be that of a work that a note lists: the list is another field of the catalogue.
  const entered = gone.filter(each => !isInNote(record, each))
  return withChanges(record, composed, { ...given, gone: entered, areNotesKept: true })
}

interface Wanted {
  readonly level: Level
  readonly name: string
  readonly key: string
  /** The level as lines have it. */
  readonly kind: string
  readonly isContained: boolean
  readonly gone: readonly Statement[]
  readonly come: readonly string[]
  /** Whether notes stay as they are, even if they list a work by a title that is gone. */
  readonly areNotesKept: boolean
}

/** A record with other values in the place of some; undefined if that cannot be done. */
function withChanges(record: MarcRecord, composed: ComposedRecord, wanted: Wanted): MarcRecord | undefined {
  const { level, name, key, kind, isContained, gone, come, areNotesKept } = wanted
  const changes = Array.from(
    { length: Math.max(gone.length, come.length) },
    (_, place): Change => ({
      was: gone[place],
      text: come[place],
      line: lineOfValue(kind, key, come[place]),
      level,
      name,
      isRepeated: false,
      areNotesKept
    })
  )
  for (const change of [withReplaced, withComposed, withStated]) {
    let edited: MarcRecord | undefined = record
    for (const each of changes) edited = edited && everywhere(change, edited, each, composed)
    if (edited === undefined) continue
    const lines = new Set(changes.flatMap(each => (each.text === undefined ? [] : each.line)))
    // Only a title of the publication was that of its work.
    const titled = isContained || key !== 'title' ? edited : withLostTitle(record, edited)
    for (const whole of [withWhatWasLost(record, composed, edited), titled])
      if (isExpected(record, whole, composed, { gone, come: lines, isContained, key, areNotesKept })) return whole
  }
  return undefined
}

/** Tests for a statement of a note, such as a work in a list of contents. */
const isInNote = ({ fields }: MarcRecord, { index }: Statement) => fields[index]?.tag.startsWith('5') ?? false

/**
 * Leaves out the titles in notes for which no other title has come. A note may name works that were
 * never in the catalogue; it stays as the cataloguer wrote it.
 */
function withoutSpareNotes(record: MarcRecord, gone: readonly Statement[], come: number): readonly Statement[] {
  const others = gone.filter(each => !isInNote(record, each))
  const inNotes = gone.filter(each => isInNote(record, each))
  return [...others, ...inNotes.slice(0, Math.max(0, come - others.length))]
}

type ChangeOf = (record: MarcRecord, change: Change, composed: ComposedRecord) => MarcRecord | undefined

/** Maximum number of fields that may have the same value. */
const maxRepeats = 20

/**
 * Changes a value in each field that has it. The fields are looked up in the record as it is now:
 * a change before this one may have moved them.
 */
function everywhere(change: ChangeOf, record: MarcRecord, given: Change, composed: ComposedRecord) {
  const { was, level, name, areNotesKept } = given
  const findIn = (edited: MarcRecord) =>
    was &&
    everythingSaidBy(readOnce(edited)).find(
      each =>
        each.line === was.line &&
        each.level === level &&
        each.name === name &&
        !each.isTitleOfPublication &&
        !(areNotesKept && isInNote(edited, each))
    )
  let edited = change(record, { ...given, was: findIn(record) }, composed)
  for (let count = 1; edited !== undefined && count < maxRepeats; count++) {
    const again = findIn(edited)
    if (again === undefined) break
    const next = change(edited, { ...given, was: again, isRepeated: true }, composed)
    if (next === undefined) break
    edited = next
  }
  return edited
}

/**
 * Adds the title of the work that was that of the publication, as a title that says so: a uniform
 * title would make some texts translations.
 */
function withLostTitle(before: MarcRecord, edited: MarcRecord): MarcRecord {
  const lost = everythingSaidBy(readOnce(before)).find(each => each.isTitleOfPublication && each.level === work)
  return lost === undefined ? edited : withStatedTitle(edited, work, lost.text)
}

function withStatedTitle(record: MarcRecord, level: keyof typeof levelTitles, title: string | undefined): MarcRecord {
  const fields = [...record.fields]
  for (const field of dataField('246', '1 ', [
    ['i', levelTitles[level]],
    ['a', title]
  ]))
    put(fields, field)
  return { leader: record.leader, fields }
}

/** Adds a title of the work or the text, as a title that says so. */
const withStated = (record: MarcRecord, { was, text, level, name }: Change) =>
  was === undefined && name === 'title' && (level === work || level === expression)
    ? withStatedTitle(record, level, text)
    : undefined

/** One value that takes the place of another, or comes or goes. */
interface Change {
  readonly was: Statement | undefined
  readonly text: string | undefined
  /** The statement that the new value is. */
  readonly line: string
  readonly level: Level
  readonly name: string
  /** Whether another field, which is changed first, has the same value. */
  readonly isRepeated: boolean
  readonly areNotesKept: boolean
}

/**
 * Tests whether only some statements are gone, and only some have come, or such as a composed
 * record has with them. The title of a text in a collection stands in the field of its work.
 */
function isExpected(
  before: MarcRecord,
  after: MarcRecord,
  composed: ComposedRecord,
  changed: {
    readonly gone: readonly Statement[]
    readonly come: ReadonlySet<string>
    readonly isContained: boolean
    readonly key: string
    readonly areNotesKept: boolean
  }
): boolean {
  const statements = (record: MarcRecord) => withoutFollowers(everythingSaidBy(readOnce(record)), changed.key)
  const stays = ({ fields }: MarcRecord, { index }: Statement) =>
    [before, after].every(each => fields[index] !== undefined && each.fields.includes(fields[index]))
  const [was, is] = [before, after].map(record =>
    statements(record).filter(
      each =>
        !each.isTitleOfPublication &&
        // A list says more when the entry of a work in it has another title.
        !(changed.areNotesKept && each.name.startsWith(contained) && isInNote(record, each) && stays(record, each)) &&
        !(each.level === expression && each.name === 'contained title') &&
        // Two uniform titles are the titles of two works in it, and headings.
        !(changed.isContained && each.name === 'refUniformTitles')
    )
  )
  if (was === undefined || is === undefined) return false
  const [old, present] = [linesOf(was), linesOf(is)]
  const known = linesOf([...was, ...statements(composed.record)])
  const gone = linesOf(changed.gone)
  // A title that is entered (710) and listed (505) with an article or other marks is read once.
  const formOf = (text: string) => (changed.isContained && changed.key === 'title' ? titleKey(text) : text)
  const forms = new Set(changed.gone.map(({ text = '' }) => formOf(text)))
  // A field that repeats the old value as something else, such as an added entry, says so now.
  const wasRepeated = linesOf(
    is.filter(({ index, text }) => {
      const field = after.fields[index]
      return field !== undefined && before.fields.includes(field) && text !== undefined && forms.has(formOf(text))
    })
  )
  return (
    [...old].every(line => gone.has(line) || present.has(line)) &&
    [...present].every(
      line => changed.come.has(line) || ((known.has(line) || wasRepeated.has(line)) && !gone.has(line))
    ) &&
    [...changed.come].every(line => present.has(line))
  )
}

/** Values that stand in one subfield with another value, which follows them. */
const alongWith: Readonly<Record<string, string>> = table({
  year_of_publication: 'publication_date',
  isbn: 'isbn_qualifier',
  cancelled_isbn: 'isbn_qualifier'
})

/**
 * The statements without those that follow the one that is edited: the date as it is written, the
 * qualifier of an ISBN, the number of a series.
 */
function withoutFollowers(statements: readonly Statement[], key: string): readonly Statement[] {
  const other = alongWith[key]
  if (other !== undefined) return statements.filter(({ name }) => name !== other)
  if (key !== 'series_statement') return statements
  return statements.map(each =>
    each.name === 'refSeries' ? { ...each, line: each.line.replace(/(?:\|[^|]*){3}$/, '') } : each
  )
}

const linesOf = (statements: readonly Statement[]) => new Set(statements.map(each => each.line))

/** Replaces a value in the subfields where it stands. */
function withReplaced(record: MarcRecord, change: Change, composed: ComposedRecord): MarcRecord | undefined {
  const { was, text } = change
  const field = was && record.fields[was.index]
  if (was === undefined || text === undefined) return withComposed(record, change, composed)
  if (field === undefined || !isDataField(field)) return undefined
  const edited = withText(field, was.part, [was.text ?? '', written(was.name, text)])
  return edited && { leader: record.leader, fields: record.fields.with(was.index, edited) }
}

/** A value as records have it: an ISBN has no hyphens there. */
const written = (name: string, text: string) =>
  name === 'isbn' && readIsbn(text) !== undefined ? text.replaceAll(/[^\dXx]/g, '') : text

/** Takes away the subfields that only say the old value, and adds the composed field of the new. */
function withComposed(record: MarcRecord, { was, text, line, isRepeated }: Change, { record: other }: ComposedRecord) {
  const fields = [...record.fields]
  if (was !== undefined) {
    const field = fields[was.index]
    if (field === undefined || !isDataField(field)) return undefined
    const rest = field.subfields.filter(({ code }) => !was.part.includes(code))
    const saysMore = everythingSaidBy(readOnce(record)).some(
      each => each.index === was.index && each.line !== was.line && !each.isTitleOfPublication
    )
    // Control subfields, such as the institution of a note ($5), say nothing by themselves.
    const isLeft = saysMore && rest.some(({ code }) => /[a-z]/.test(code))
    fields.splice(was.index, 1, ...(isLeft ? [{ ...field, subfields: rest }] : []))
  }
  if (text === undefined || isRepeated) return { leader: record.leader, fields }
  const places = statementsOf(readOnce(other)).flatMap(each => (each.line === line ? [each.index] : []))
  const [place] = places
  const field: MarcField | undefined = place === undefined ? undefined : other.fields[place]
  if (field === undefined || !isDataField(field)) return undefined
  put(fields, field)
  return { leader: record.leader, fields }
}

/** A field with another text where the old text stands, in one of some of its subfields. */
export function withText(
  field: DataField,
  part: string,
  [old, text]: readonly [old: string, text: string]
): DataField | undefined {
  if (old === '' || text === '') return undefined
  const places = [...field.subfields.keys()].filter(place => part.includes(field.subfields[place]?.code ?? '-'))
  // A subfield with this text only comes before one that has it in a longer one (658, 016.658).
  const isWhole = (place: number) => field.subfields[place]?.value === old
  for (const place of [...places.filter(isWhole), ...places]) {
    const { code, value } = field.subfields[place] ?? { code: '', value: '' }
    const found = placeOf(old, value) ?? placeOfIsbn(old, value)
    if (found !== undefined)
      return withSubfield(field, place, code, value.slice(0, found[0]) + text + value.slice(found[1]))
  }
  // The value stands in several subfields: the part that differs stands in one of them.
  const [start, end] = commonEnds(old, text)
  const [middle, come] = [old.length - end, text.slice(start, text.length - end)]
  let from = 0
  for (const place of places) {
    const { code, value: given } = field.subfields[place] ?? { code: '', value: '' }
    const value = given.normalize('NFC')
    const found = coresOf(value)
      .flatMap(
        core =>
          [
            [core, old.indexOf(core, from)],
            [core, old.indexOf(core)]
          ] as const
      )
      .find(([core, at]) => core !== '' && at >= 0)
    if (found === undefined) continue
    const [core, at] = found
    from = at + core.length
    if (at > start || from < middle) continue
    const edited = core.slice(0, start - at) + come + core.slice(middle - at)
    return withSubfield(
      field,
      place,
      code,
      value.replace(core, () => edited)
    )
  }
  return undefined
}

/**
 * The part of a subfield that a value of several subfields may have: all of it, or without the
 * marks around it. A bracket may be closed in another subfield.
 */
const coresOf = (value: string): readonly string[] => [
  value.trim(),
  withoutSeparator(value),
  value.replace(/^[\s[(]+|(?<![\s\])/:;,=.])[\s\])/:;,=.]+$/g, '')
]

const withSubfield = (field: DataField, place: number, code: string, value: string): DataField => ({
  ...field,
  subfields: field.subfields.with(place, { code, value })
})

/**
 * Finds a text where it stands with other spaces, with decomposed letters, or with the marks that
 * are left out of class numbers.
 */
function placeOf(text: string, value: string): readonly [start: number, end: number] | undefined {
  const exact = value.indexOf(text)
  if (exact >= 0) return [exact, exact + text.length]
  const letters = [...value.matchAll(/\s+|\P{M}\p{M}*|\p{M}+/gu)].map(({ 0: each, index }) => ({
    said: each.trim() === '' ? ' ' : each.normalize('NFC'),
    start: index,
    end: index + each.length
  }))
  for (const kept of [letters, letters.filter(({ said }) => !/^[/′']$/.test(said))]) {
    const found = kept
      .map(({ said }) => said)
      .join('')
      .indexOf(text)
    if (found < 0) continue
    const places = kept.flatMap(each => Array.from({ length: each.said.length }, () => each))
    return [places[found]?.start ?? 0, places[found + text.length - 1]?.end ?? value.length]
  }
  return undefined
}

/** Finds an ISBN that is written with other hyphens, or with ten digits. */
function placeOfIsbn(isbn: string, value: string): readonly [start: number, end: number] | undefined {
  const wanted = readIsbn(isbn)?.comparable
  const found = wanted === undefined ? null : /[\dXx][\dXx-]{8,15}[\dXx]/.exec(value)
  if (found === null || readIsbn(found[0])?.comparable !== wanted) return undefined
  return [found.index, found.index + found[0].length]
}

/** The lengths of the beginning and the end that two texts share. */
function commonEnds(one: string, other: string): [start: number, end: number] {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  let end = 0
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return [start, end]
}
