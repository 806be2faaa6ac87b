import type { Json, MetadataEntry } from '#domain/entity/entity.ts'
import { isIdentifier } from '#domain/entity/ids.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Field } from '#domain/record-types/record-type.ts'
import { isTimeZone } from '#domain/values/time-zone.ts'
import type { Defect } from '../source/defects.ts'
import { readCell } from './read-cell.ts'
import { pathsIn, type RecordMapping, type RowMapping } from './row-mapping.ts'
import { listAt, type RowValues, textsOf, textsOfRule, type ValueRule, valuesAt } from './value-rules.ts'
import type { DateReader } from './written-dates.ts'

/** A mapping, and the model that its types are of. */
export interface RowSource {
  readonly mapping: RowMapping
  readonly model: Model
}

/**
 * How a record of a row is found again: by its identifier, or by the values of some fields. A
 * record with an identifier that is new may be found by fields too.
 */
export type RowIdentity = { readonly values: readonly (readonly [key: string, value: string])[] } & (
  | { readonly by: 'identifier'; readonly identifier: string }
  | { readonly by: 'fields' }
)

export interface RowRelation {
  readonly type: string
  /** The place of the related record among those of the row, or its identifier. */
  readonly to: number | string
  /** The details of the relation itself, such as a role. */
  readonly details: readonly MetadataEntry[]
  readonly column: string
}

/** A record that a row describes, before anything is looked up in the catalogue. */
export interface RowRecord {
  readonly type: string
  readonly identity: RowIdentity
  readonly metadata: readonly (MetadataEntry & { readonly column: string })[]
  readonly relations: readonly RowRelation[]
  /** The keys and the types of relations that the mapping fills, with or without values here. */
  readonly keys: readonly string[]
  readonly relationTypes: readonly string[]
  /** The beginning of the identifiers of all dates of an event, if its dates have no other name. */
  readonly datedBy?: string
}

export interface MappedRow {
  readonly records: readonly RowRecord[]
  readonly defects: readonly Defect[]
}

/** Maximum number of records that one row may become. */
const maxRecordsOfRow = 1000

/** Makes the records that a row describes. Unreadable values are left out, with a defect. */
export function mapRow(mapping: RowMapping, row: unknown, model: Model): MappedRow {
  const defects: Defect[] = []
  const bad = (tag: string, message: string) => defects.push({ kind: 'bad_value', message, tag })
  const dates: DateReader = { order: mapping.dates, zone: zoneFor(mapping, row, bad) }
  const records: RowRecord[] = []
  const places = new Map<string, PlacedRecord[]>()
  const later: (() => void)[] = []
  for (const part of mapping.records) {
    const made: PlacedRecord[] = []
    places.set(part.name, made)
    const items = part.each === undefined ? [undefined] : listAt(part.each, { row })
    for (const item of items) {
      if (records.length >= maxRecordsOfRow) {
        bad(part.name, `A row may become at most ${maxRecordsOfRow} records; the others are left out`)
        break
      }
      const path = part.each?.from.join(', ') ?? ''
      const context: Context = {
        ...{ row, item, dates, model },
        // People know the column, not its name inside the record.
        bad: (column, message) => bad(column.replaceAll(/@(?=\.|$|,)/g, path), message)
      }
      const draft = makeDraft(part, context)
      if (draft === undefined) continue
      const relations: RowRelation[] = []
      const self = { place: records.push({ ...draft, relations }) - 1, item, relations }
      made.push(self)
      later.push(() => addRelations(part, self, { records, places }, context))
    }
  }
  for (const add of later) add()
  return { records, defects }
}

/** A record of the row, and the item that it was made for. */
interface PlacedRecord {
  /** Its place among the records of the row. */
  readonly place: number
  readonly item: unknown
  readonly relations: RowRelation[]
}

interface RecordsOfRow {
  readonly records: RowRecord[]
  /** The records that each part of the mapping makes. */
  readonly places: ReadonlyMap<string, readonly PlacedRecord[]>
}

interface Context extends RowValues {
  readonly dates: DateReader
  readonly model: Model
  readonly bad: (column: string, message: string) => void
}

function zoneFor({ zone }: RowMapping, row: unknown, bad: Context['bad']): string | undefined {
  if (zone === undefined || typeof zone === 'string') return zone
  const [name] = valuesAt(row, zone.from).map(String)
  if (name === undefined || name.trim() === '') return undefined
  if (isTimeZone(name.trim())) return name.trim()
  bad(zone.from, `"${name}" is not a time zone`)
  return undefined
}

/** The record without relations; undefined if the row has nothing for it. */
function makeDraft(part: RecordMapping, context: Context): Omit<RowRecord, 'relations'> | undefined {
  const { bad, model } = context
  const metadata: (MetadataEntry & { column: string })[] = []
  for (const [key, rules] of part.fields)
    for (const rule of rules)
      for (const value of readValues(rule, model.fieldOf(part.type, key), context)) {
        const entry = { key, value, ...(rule.lang === undefined ? {} : { lang: rule.lang }) }
        const isKnown = metadata.some(
          each => each.key === key && each.lang === rule.lang && JSON.stringify(each.value) === JSON.stringify(value)
        )
        if (!isKnown) metadata.push({ ...entry, column: rule.from.join(', ') })
      }
  const given = metadata.filter(each => each.column !== '')
  const keys = [...part.fields.keys()]
  const relationTypes = [...part.relations.keys()]
  const base = { type: part.type, metadata, keys, relationTypes }
  const values = part.find.flatMap(key => {
    const found = metadata.find(each => each.key === key)?.value
    return found === undefined ? [] : [[key, String(found)] as const]
  })
  if (part.id !== undefined) {
    const { text, missing } = fillTemplate(part.id, context)
    if (missing.length === 0) {
      const identifier = text.trim()
      if (isIdentifier(identifier)) return { ...base, identity: { by: 'identifier', identifier, values } }
      bad(part.name, 'The identifier is too long or has control characters; the record is left out')
      return undefined
    }
    if (part.find.length === 0) {
      if (given.length > 0) bad(missing.join(', '), `Empty, but it identifies the ${part.type}; the record is left out`)
      return undefined
    }
  }
  const name = model.findType(part.type)?.nameField
  if (values.some(([key]) => key === name)) return { ...base, identity: { by: 'fields', values } }
  if (given.length > 0 && values.length > 0)
    bad(columnsOf(part, name ?? ''), `Empty, but it names the ${part.type}; the record is left out`)
  return undefined
}

const columnsOf = ({ fields }: RecordMapping, key: string) =>
  (fields.get(key) ?? []).flatMap(({ from }) => from).join(', ')

function addRelations(part: RecordMapping, self: PlacedRecord, { records, places }: RecordsOfRow, context: Context) {
  const add = (relation: RowRelation) => {
    const at = self.relations.findIndex(each => each.type === relation.type && each.to === relation.to)
    const known = self.relations[at]
    if (known === undefined) self.relations.push(relation)
    else self.relations[at] = { ...known, details: joinDetails(known.details, relation.details) }
  }
  for (const [type, rules] of part.relations)
    for (const rule of rules) {
      const details = detailsOf(rule.details, context)
      if (rule.is === 'record') {
        const all = places.get(rule.record) ?? []
        // Records made for the same value belong together; otherwise all of the row are meant.
        const own = self.item === undefined ? [] : all.filter(each => each.item === self.item)
        for (const { place } of own.length > 0 ? own : all)
          if (place !== self.place) add({ type, to: place, column: rule.record, details })
      } else if (rule.is === 'identifier') {
        const { text, missing } = fillTemplate(rule.id, context)
        const column = pathsIn(rule.id).join(', ')
        if (missing.length === 0) add({ type, to: text.trim(), column, details })
      } else {
        const nameField = context.model.findType(rule.type)?.nameField ?? 'name'
        const column = rule.from.join(', ')
        for (const item of rule.each === undefined ? [context.item] : listAt(rule.each, context)) {
          const own = { ...context, item }
          const ofItem = detailsOf(rule.details, own)
          for (const value of readValues(rule, context.model.fieldOf(rule.type, nameField), own)) {
            const { name = String(value), ...written } = partsOf(rule.as ?? '{name}', String(value))
            const place = placeOfNamed(records, rule.type, nameField, name, column)
            const inName = Object.entries(written).map(([key, text]) => ({ key, value: text }))
            add({ type, to: place, column, details: joinDetails(ofItem, inName) })
          }
        }
      }
    }
}

const detailsOf = (rules: ReadonlyMap<string, ValueRule>, context: Context): MetadataEntry[] =>
  [...rules].flatMap(([key, rule]) => readValues(rule, undefined, context).map(value => ({ key, value })))

/** The details of two rows, or two rules, about the same relation. */
export const joinDetails = (one: readonly MetadataEntry[], other: readonly MetadataEntry[]): MetadataEntry[] => [
  ...one,
  ...other.filter(({ key, value }) => !one.some(each => each.key === key && each.value === value))
]

/** The parts of a text in a form such as `{part}: {name}`; none if the text has another form. */
function partsOf(form: string, text: string): Readonly<Record<string, string>> {
  const [before = '', ...pieces] = form.split(/[{}]/)
  const found: Record<string, string> = {}
  if (!text.startsWith(before)) return found
  let at = before.length
  for (let piece = 0; piece < pieces.length; piece += 2) {
    const after = pieces[piece + 1] ?? ''
    const end = after === '' ? text.length : text.indexOf(after, at)
    if (end < 0) return {}
    found[pieces[piece] ?? ''] = text.slice(at, end).trim()
    at = end + after.length
  }
  return Object.values(found).includes('') ? {} : found
}

/** The place of a record with a name, which is added if the row has none. */
function placeOfNamed(records: RowRecord[], type: string, key: string, value: string, column: string): number {
  const known = records.findIndex(
    each => each.type === type && each.metadata.some(entry => entry.key === key && entry.value === value)
  )
  if (known >= 0) return known
  return (
    records.push({
      type,
      identity: { by: 'fields', values: [[key, value]] },
      metadata: [{ key, value, column }],
      relations: [],
      keys: [key],
      relationTypes: []
    }) - 1
  )
}

// Values

function readValues(rule: ValueRule, field: Field | undefined, context: Context): Json[] {
  if (rule.value !== undefined) return [rule.value]
  const [first = '', ...others] = rule.from
  const beside = others.map(path => textsOf({ from: [path] }, context).join(' '))
  const values: Json[] = []
  for (const text of textsOfRule({ ...rule, from: [first] }, context)) {
    const read = readCell(field, text, beside, context.dates)
    if ('problem' in read) context.bad(rule.from.join(', '), read.problem)
    else values.push(read.value)
  }
  // All codes are one value.
  return field?.kind === 'codes' && values.length > 0 ? [values.flat()] : values
}

function fillTemplate(template: string, context: Context): { readonly text: string; readonly missing: string[] } {
  const missing: string[] = []
  const text = template.replaceAll(/\{([^{}]+)\}/g, (_, path: string) => {
    const found = textsOf({ from: [path] }, context).join(' ')
    if (found === '') missing.push(path)
    return found
  })
  return { text, missing }
}
