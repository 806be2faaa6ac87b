import { invalidWith } from '#domain/errors.ts'
import { isJsonObject, pointerTo } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { isTimeZone } from '#domain/values/time-zone.ts'
import { type ListRule, MappingReader, type ValueRule } from './value-rules.ts'
import { type DateOrder, dateOrders } from './written-dates.ts'

/*
 * A mapping tells which records the rows of a file become: the rows of a table, or the objects of a
 * JSON file (docs/how-to/import-programmes.md).
 *
 * - template: a text with paths in braces, such as `house-{Nr}`
 */

export interface RowMapping {
  /** The path to the list of rows in a JSON file that is one object. */
  readonly rows?: string
  readonly delimiter?: string
  /** The order of day and month in dates such as 3/4/2026. */
  readonly dates?: DateOrder
  /** The zone of times without one: its name, or a column that has it. */
  readonly zone?: string | { readonly from: string }
  readonly records: readonly RecordMapping[]
}

/** A record that each row becomes. */
export interface RecordMapping {
  /** The name by which relations of the mapping refer to it. */
  readonly name: string
  readonly type: string
  /** The template of its identifier; a record without it is found by fields. */
  readonly id?: string
  /** The fields whose values find it, if any; the name of the record is among them. */
  readonly find: readonly string[]
  /** A list in the row; the record is made for each of its values (`@` in paths). */
  readonly each?: ListRule
  readonly fields: ReadonlyMap<string, readonly ValueRule[]>
  readonly relations: ReadonlyMap<string, readonly RelationRule[]>
}

/** A relation, with the details that it has itself, such as the role of a person. */
export type RelationRule = { readonly details: ReadonlyMap<string, ValueRule> } & (
  | /** Another record of the mapping. */ { readonly is: 'record'; readonly record: string }
  | /** A record with an identifier. */ { readonly is: 'identifier'; readonly id: string }
  /** Records that are found by their names, or created. */
  | (ListRule & {
      readonly is: 'name'
      readonly type: string
      /** A list in the row; the name and the details are those of each of its values (`@`). */
      readonly each?: ListRule
      /** The form of a name with its details: `{part}: {name}`. */
      readonly as?: string
    })
)

/** Maximum number of records, fields and relations in a mapping. */
const maxRecords = 20
const maxRules = 200

/** Tests whether a mapping is one of rows, and not one of publications. */
export const isRowMapping = (given: unknown): boolean => isJsonObject(given) && given.records !== undefined

/** Reads a mapping. Throws `invalid` with the pointer of every fault. */
export function readRowMapping(given: unknown, model: Model): RowMapping {
  const reader = new RowMappingReader(model)
  const mapping = reader.read(given)
  const { faults } = reader
  if (faults.length > 0) throw invalidWith(faults.map(each => ({ ...each, pointer: `mapping${each.pointer}` })))
  return mapping
}

class RowMappingReader extends MappingReader {
  readonly #model: Model

  constructor(model: Model) {
    super()
    this.#model = model
  }

  read(given: unknown): RowMapping {
    const mapping = isJsonObject(given) ? given : {}
    this.onlyMembers(mapping, ['rows', 'delimiter', 'dates', 'zone', 'records'], '')
    const { rows, delimiter, dates, zone, records } = mapping
    const separator = this.delimiter(delimiter)
    const order = this.word(dates, '/dates', dateOrders)
    const list = Array.isArray(records) ? (records as unknown[]).slice(0, maxRecords) : []
    if (list.length === 0 || list.length < (records as unknown[]).length)
      this.fault('/records', `Must be a list of 1 to ${maxRecords} records`)
    const read = list.map((each, at) => this.#record(each, pointerTo('/records', at)))
    this.#checkNames(read)
    const path = this.text(rows, '/rows')
    const found = this.#zone(zone)
    return {
      ...(path === undefined ? {} : { rows: path }),
      ...(separator === undefined ? {} : { delimiter: separator }),
      ...(order === undefined ? {} : { dates: order }),
      ...(found === undefined ? {} : { zone: found }),
      records: read
    }
  }

  #zone(zone: unknown): RowMapping['zone'] {
    if (zone === undefined) return undefined
    if (typeof zone === 'string' && isTimeZone(zone)) return zone
    if (isJsonObject(zone) && typeof zone.from === 'string') return { from: zone.from }
    return this.fault('/zone', 'Must be a time zone such as "Europe/Brussels", or {"from": column}')
  }

  #record(given: unknown, at: string): RecordMapping {
    const { type, name, id, find, each, fields, relations } = this.object(given, at)
    this.onlyMembers(given, ['type', 'name', 'id', 'find', 'each', 'fields', 'relations'], at)
    const recordType = typeof type === 'string' ? this.#model.findType(type) : undefined
    if (recordType === undefined)
      this.fault(`${at}/type`, typeof type === 'string' ? `Unknown type "${type}"` : 'Must be the type of a record')
    const template = this.text(id, `${at}/id`)
    if (template !== undefined && pathsIn(template).length === 0)
      this.fault(`${at}/id`, 'Must name a column in braces, such as "house-{Nr}"')
    const keys = this.#keys(fields, `${at}/fields`)
    const list = each === undefined ? undefined : this.list(each, `${at}/each`)
    const foundBy = find === undefined ? [] : this.#find(find, `${at}/find`, keys, recordType)
    if (template === undefined && foundBy.length === 0 && recordType !== undefined)
      this.fault(at, `Needs "id", a template of its identifier, or "find", such as "${recordType.nameField}"`)
    return {
      name: this.text(name, `${at}/name`) ?? String(type),
      type: String(type),
      ...(template === undefined ? {} : { id: template }),
      find: foundBy,
      ...(list === undefined ? {} : { each: list }),
      fields: keys,
      relations: this.#relations(relations, `${at}/relations`, recordType)
    }
  }

  #find(given: unknown, at: string, keys: ReadonlyMap<string, unknown>, recordType: RecordType | undefined): string[] {
    const list: unknown[] = Array.isArray(given) ? given : [given]
    for (const each of list)
      if (typeof each !== 'string' || !keys.has(each)) this.fault(at, 'Must be fields of the record in this mapping')
    if (recordType !== undefined && !list.includes(recordType.nameField))
      this.fault(at, `Must include "${recordType.nameField}", the name of a ${recordType.type}`)
    return list.map(String)
  }

  #keys(given: unknown, at: string): Map<string, ValueRule[]> {
    const entries = Object.entries(given === undefined ? {} : this.object(given, at))
    if (entries.length > maxRules) this.fault(at, `At most ${maxRules} fields`)
    return new Map(
      entries.slice(0, maxRules).map(([key, rule]) => {
        const rules: unknown[] = Array.isArray(rule) ? rule : [rule]
        return [key, rules.map(each => this.value(each, pointerTo(at, key)))]
      })
    )
  }

  #relations(given: unknown, at: string, recordType: RecordType | undefined): Map<string, RelationRule[]> {
    const entries = Object.entries(given === undefined ? {} : this.object(given, at))
    if (entries.length > maxRules) this.fault(at, `At most ${maxRules} relations`)
    return new Map(
      entries.slice(0, maxRules).map(([type, rule]) => {
        const pointer = pointerTo(at, type)
        if (recordType !== undefined && !Object.hasOwn(recordType.relations, type))
          this.fault(
            pointer,
            `A ${recordType.type} has no relation "${type}"; it has ${Object.keys(recordType.relations).join(', ') || 'none'}`
          )
        const rules: unknown[] = Array.isArray(rule) ? rule : [rule]
        return [type, rules.map(each => this.#relation(each, pointer, recordType?.relations[type]))]
      })
    )
  }

  #relation(given: unknown, at: string, declared: RecordType['relations'][string] | undefined): RelationRule {
    if (typeof given === 'string') return { is: 'record', record: given, details: new Map() }
    const members = this.object(given, at)
    const { record, id, type, each, as } = members
    const known = [...new Set(['role', ...(declared?.details ?? [])])]
    const details = new Map(
      known.flatMap(key => (members[key] === undefined ? [] : [[key, this.#detail(members[key], `${at}/${key}`)]]))
    )
    const [name, template] = [this.text(record, `${at}/record`), this.text(id, `${at}/id`)]
    if (name !== undefined) {
      this.onlyMembers(given, ['record', ...known], at)
      return { is: 'record', record: name, details }
    }
    if (template !== undefined) {
      this.onlyMembers(given, ['id', ...known], at)
      return { is: 'identifier', id: template, details }
    }
    const to = declared?.to ?? []
    const [only, ...others] = to.flatMap(one => this.#model.typesNamed(one))
    const target = this.text(type, `${at}/type`) ?? (others.length === 0 ? only : undefined)
    if (target === undefined || this.#model.findType(target) === undefined)
      this.fault(`${at}/type`, `Must be the type of the related record: ${to.join(', ')}`)
    const form = this.text(as, `${at}/as`)
    const named = form === undefined ? ['name'] : pathsIn(form)
    if (!named.includes('name') || named.some(key => key !== 'name' && !known.includes(key)))
      this.fault(`${at}/as`, `Must have {name} and may have ${known.map(key => `{${key}}`).join(', ')}`)
    return {
      ...{ is: 'name', type: target ?? '', details, ...this.list(given, at, ['type', 'each', 'as', ...known]) },
      ...(form === undefined ? {} : { as: form }),
      ...(each === undefined ? {} : { each: this.list(each, `${at}/each`) })
    }
  }

  /** A detail of a relation: a text is the same for all, an object names the column. */
  #detail(given: unknown, at: string): ValueRule {
    return this.value(isJsonObject(given) ? given : { value: given }, at)
  }

  /** Checks that names of records are distinct, and that relations refer to some of them. */
  #checkNames(records: readonly RecordMapping[]) {
    const names = records.map(each => each.name)
    for (const [at, { name, relations }] of records.entries()) {
      if (names.indexOf(name) < at)
        this.fault(`/records/${at}/name`, `Two records are called "${name}"; give one of them another "name"`)
      for (const [type, rules] of relations)
        for (const rule of rules)
          if (rule.is === 'record' && !names.includes(rule.record))
            this.fault(
              pointerTo(`/records/${at}/relations`, type),
              `No record of the mapping is called "${rule.record}"; for a column, write {"from": "${rule.record}"}`
            )
    }
  }
}

/** The paths in a template. */
export const pathsIn = (template: string): string[] =>
  [...template.matchAll(/\{([^{}]+)\}/g)].map(([, path = '']) => path)
