import { textKey } from '#domain/clustering/title-key.ts'
import { isJsonObject, type JsonObject } from '#domain/json.ts'
import { columnNames, identifierColumn, namedType, namedTypes, titledType } from '#domain/record-types/column-names.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { keyOfColumn } from './table-subject.ts'

/* Proposes a mapping for a table or a JSON file, from the names of its columns. */

/** A column, or a path in JSON objects, with values of the first rows. */
export interface SampledColumn {
  readonly name: string
  readonly examples: readonly string[]
  /** The path of the list that the value is inside of. */
  readonly list?: string
}

/** The meaning of a column: the field of a type (`venue name`); an empty text leaves it out. */
export type ColumnMeanings = ReadonlyMap<string, string>

const nameWords = ['name', 'naam', 'nom']

const parentOf = (path: string) => path.split('.').slice(0, -1).join('.')

/** The folded name of the last member of a path. */
const lastKey = (name: string) => textKey((name.split('.').at(-1) ?? name).replaceAll('_', ' '))

/** The type of the records in a list of names, by the name of its file. */
function listedType(fileName: string): string {
  const words = textKey(fileName.replaceAll(/[^\p{L}]+/gu, ' ')).split(' ')
  return namedTypes.find(each => each.words.some(word => words.includes(word)))?.type ?? namedType
}

/** Proposes the meaning of each column, by its name, and of a list of names by that of the file. */
export function proposeMeanings(names: readonly string[], model: Model, fileName = ''): Map<string, string> {
  const found = new Map<string, string>()
  const titleField = model.findType(titledType)?.nameField
  const listed = listedType(fileName)
  const nameField = model.findType(listed)?.nameField ?? ''
  const hasTitles = names.some(name => {
    const known = findName(name)
    return known?.type === titledType && known.key === titleField
  })
  for (const name of names) {
    const known = findName(name)
    const isName = nameWords.includes(keyOfColumn(name))
    // In a list of names, columns without a word for it are about the named records.
    const own = hasTitles
      ? undefined
      : isName
        ? nameField
        : known?.key === identifierColumn
          ? identifierColumn
          : undefined
    const [type, key] = own === undefined ? [known?.type, known?.key] : [listed, own]
    if (type !== undefined && key !== undefined && model.findType(type) !== undefined) found.set(name, `${type} ${key}`)
  }
  return found
}

const findName = (name: string) => {
  const [whole, last] = [keyOfColumn(name), lastKey(name)]
  return (
    columnNames.find(each => each.names.includes(whole)) ??
    columnNames.find(each => each.key !== identifierColumn && each.names.includes(last)) ??
    // The name of an object in a list, such as `artists.name`, is that of what the list is called.
    (nameWords.includes(last) ? columnNames.find(each => each.names.includes(lastKey(parentOf(name)))) : undefined)
  )
}

interface Chosen {
  readonly column: SampledColumn
  readonly key: string
}

/** Makes a mapping of the meanings of columns; undefined if they make no record. */
export function composeMapping(
  columns: readonly SampledColumn[],
  meanings: ColumnMeanings,
  model: Model,
  { prefix, rows }: { readonly prefix: string; readonly rows?: string | undefined }
): JsonObject | undefined {
  const byType = new Map<string, Chosen[]>()
  for (const column of columns) {
    const [type = '', key = ''] = (meanings.get(column.name) ?? '').split(' ')
    const recordType = model.findType(type)
    if (recordType === undefined || (key !== identifierColumn && !Object.hasOwn(recordType.fields, key))) continue
    byType.set(type, [...(byType.get(type) ?? []), { column, key }])
  }
  const types = [...byType.keys()].filter(type => {
    const nameField = model.findType(type)?.nameField
    return byType.get(type)?.some(each => each.key === nameField)
  })
  if (types.length === 0) return undefined
  const order = dateOrderIn(
    types.flatMap(type => byType.get(type) ?? []),
    model,
    types
  )
  const records = types
    .filter(type => !isNameOnly(type, byType, types, model))
    .map(type => recordOf(model.findType(type) as RecordType, byType, types, model, prefix))
  return { ...(rows === undefined ? {} : { rows }), ...(order === undefined ? {} : { dates: order }), records }
}

function recordOf(
  recordType: RecordType,
  byType: ReadonlyMap<string, readonly Chosen[]>,
  types: readonly string[],
  model: Model,
  prefix: string
): JsonObject {
  const { type, nameField, fields } = recordType
  const chosen = byType.get(type) ?? []
  const named = chosen.filter(each => each.key === nameField)
  const isOfMoments = fields[nameField]?.kind === 'moment'
  const [main] = named
  const { list } = main?.column ?? {}
  const split = main === undefined ? undefined : separatorIn(main.column.examples)
  const isSplit = isOfMoments && named.length === 1 && split !== undefined && list === undefined
  const pathOf = ({ name, list: own }: SampledColumn) =>
    list !== undefined && own === list ? `@.${name.slice(list.length + 1)}` : name
  const rulesFor = (columns: readonly Chosen[]) => {
    const paths = columns.map(({ column }) => pathOf(column))
    return paths.length === 1 ? paths[0] : { from: paths }
  }
  const keys = [...new Set(chosen.map(each => each.key))].filter(key => key !== identifierColumn)
  const ids = chosen.filter(each => each.key === identifierColumn).map(({ column }) => `{${pathOf(column)}}`)
  // A moment identifies a record only together with that which happens then.
  const others = types.flatMap(other => {
    const own = byType.get(other) ?? []
    const name = model.findType(other)?.nameField
    const id = own.find(each => each.key === identifierColumn) ?? own.find(each => each.key === name)
    return other === type || id === undefined || relationTo(recordType, other, model) === undefined
      ? []
      : [`{${id.column.name}}`]
  })
  const moments = isSplit ? ['{@}'] : named.map(({ column }) => `{${pathOf(column)}}`)
  const identity =
    ids.length > 0
      ? { id: [prefix, type, ...ids].join('-') }
      : isOfMoments
        ? { id: [prefix, type, ...others, ...moments].join('-') }
        : { find: [nameField, ...keys.filter(key => key === 'city')] }
  const relations = types.flatMap((other): (readonly [string, unknown])[] => {
    const relation = other === type ? undefined : relationTo(recordType, other, model)
    if (relation === undefined) return []
    const [name] = byType.get(other) ?? []
    if (name === undefined || !isNameOnly(other, byType, types, model)) return [[relation, other] as const]
    const between = separatorIn(name.column.examples)
    const rule = { from: pathOf(name.column), type: other, ...(between === undefined ? {} : { split: between }) }
    return [[relation, rule] as const]
  })
  return {
    type,
    ...identity,
    ...(isSplit ? { each: { from: main?.column.name, split } } : list === undefined ? {} : { each: list }),
    fields: Object.fromEntries(
      keys.map(key => [key, isSplit && key === nameField ? '@' : rulesFor(chosen.filter(each => each.key === key))])
    ),
    ...(relations.length === 0 ? {} : { relations: Object.fromEntries(relations) })
  }
}

/** Tests whether a table has only the names of a type that another type refers to. */
function isNameOnly(
  type: string,
  byType: ReadonlyMap<string, readonly Chosen[]>,
  types: readonly string[],
  model: Model
): boolean {
  const nameField = model.findType(type)?.nameField ?? ''
  const chosen = byType.get(type) ?? []
  if (chosen.length !== 1 || chosen[0]?.key !== nameField) return false
  if (model.fieldOf(type, nameField)?.kind === 'moment') return false
  return types.some(other => {
    const recordType = other === type ? undefined : model.findType(other)
    return recordType !== undefined && relationTo(recordType, type, model) !== undefined
  })
}

/** The first relation of a type that leads to another type. */
const relationTo = ({ relations }: RecordType, type: string, model: Model): string | undefined =>
  Object.entries(relations).find(([, { to }]) => to.some(name => model.typesNamed(name).includes(type)))?.[0]

/** The separator of several values in a cell, if examples show one. */
const separatorIn = (examples: readonly string[]): string | undefined =>
  ['|', ';', '\n'].find(sign => examples.some(each => each.trim().slice(1, -1).includes(sign)))

/** The order of day and month, if a date of the examples tells. */
function dateOrderIn(chosen: readonly Chosen[], model: Model, types: readonly string[]): string | undefined {
  const kinds = ['date', 'moment']
  for (const { column, key } of chosen) {
    if (!types.some(type => kinds.includes(model.fieldOf(type, key)?.kind ?? ''))) continue
    for (const example of column.examples)
      for (const [, one, other] of example.matchAll(/(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.]\d{2,4}/g)) {
        if (Number(one) > 12) return 'DMY'
        if (Number(other) > 12) return 'MDY'
      }
  }
  return undefined
}

// Columns of rows

const maxExamples = 20
const maxColumns = 300
const maxDepth = 6

/** The columns of rows: of a table their names, of JSON objects the paths to texts and numbers. */
export function sampleColumns(rows: readonly unknown[]): SampledColumn[] {
  const found = new Map<string, { examples: string[]; list?: string }>()
  const note = (value: unknown, path: string, list: string | undefined, depth: number) => {
    if (found.size >= maxColumns || depth > maxDepth) return
    if (Array.isArray(value)) {
      for (const each of value.slice(0, maxExamples)) note(each, path, isJsonObject(each) ? path : list, depth + 1)
    } else if (isJsonObject(value)) {
      for (const [name, each] of Object.entries(value))
        note(each, path === '' ? name : `${path}.${name}`, list, depth + 1)
    } else if (path !== '') {
      const known = found.get(path) ?? { examples: [], ...(list === undefined ? {} : { list }) }
      found.set(path, known)
      const text = String(value ?? '').trim()
      if (text !== '' && known.examples.length < maxExamples) known.examples.push(text.slice(0, 200))
    }
  }
  for (const row of rows.slice(0, maxExamples)) note(row, '', undefined, 0)
  return [...found].map(([name, { examples, list }]) => ({ name, examples, ...(list === undefined ? {} : { list }) }))
}
