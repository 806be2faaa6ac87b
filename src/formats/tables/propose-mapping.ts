import { textKey } from '#domain/clustering/title-key.ts'
import { isJsonObject, type JsonObject } from '#domain/json.ts'
import { labelsOf } from '#domain/labels/labels-of.ts'
import { roles } from '#domain/labels/roles.ts'
import {
  castNames,
  castRelation,
  castType,
  columnNames,
  dateMeaning,
  detailNames,
  hallNames,
  hallType,
  identifierColumn,
  namedType,
  namedTypes,
  titledType,
  withoutDates
} from '#domain/record-types/column-names.ts'
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

/**
 * The meaning of a column: the field of a type (`venue name`), or people in a role and a detail of
 * them (`production refAuthors director`, `production refAuthors instrument`). An empty text leaves
 * the column out.
 */
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
    const cast = type === undefined && hasTitles ? findCast(name) : undefined
    if (cast !== undefined) found.set(name, `${titledType} ${castRelation} ${cast}`)
  }
  // Beside a venue, a hall is a hall of it.
  const venues = names.filter(name => found.get(name) === `${namedType} ${nameField}`)
  const halls = venues.filter(name => hallNames.includes(keyOfColumn(name)))
  if (halls.length < venues.length) for (const name of halls) found.set(name, `${hallType} ${nameField}`)
  const hasDates = [...found.values()].includes(dateMeaning)
  for (const [name, meaning] of found)
    if (!hasDates && Object.hasOwn(withoutDates, meaning)) found.set(name, withoutDates[meaning] ?? '')
  return found
}

/** The role of the people in a column, or the detail of people; `soloistName` names soloists. */
function findCast(name: string): string | undefined {
  const last = (name.split('.').at(-1) ?? name).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll('_', ' ')
  const key = textKey(last).replace(/ (?:name|naam|nom)$/, '')
  const detail = Object.entries(detailNames).find(([, names]) => names.includes(key.split(' ').at(-1) ?? ''))
  if (detail !== undefined) return detail[0]
  const known = castNames.find(each => each.names.includes(key))?.role
  return known ?? roles.find(each => [each.en, each.nl, each.fr, each.de].some(word => textKey(word) === key))?.names[0]
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

/** A column of people, or of a detail of them. */
interface ChosenCast {
  readonly column: SampledColumn
  /** The role, or the name of the detail. */
  readonly is: string
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
  const cast: ChosenCast[] = []
  for (const column of columns) {
    const [type = '', key = '', ...is] = (meanings.get(column.name) ?? '').split(' ')
    const recordType = model.findType(type)
    if (type === titledType && key === castRelation && is.length > 0) cast.push({ column, is: is.join(' ') })
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
    .map(record =>
      record.type === titledType && cast.length > 0
        ? { ...record, relations: { ...(record.relations as JsonObject), [castRelation]: castRules(cast) } }
        : record
    )
  return { ...(rows === undefined ? {} : { rows }), ...(order === undefined ? {} : { dates: order }), records }
}

/** The rules of columns with people, each with its role, and the details beside them. */
function castRules(cast: readonly ChosenCast[]): JsonObject[] {
  const isDetail = ({ is }: ChosenCast) => Object.hasOwn(detailNames, is)
  return cast
    .filter(each => !isDetail(each))
    .map(person => {
      const { column, is: role } = person
      const { name, list, examples } = column
      const path = (own: string) => (list === undefined ? own : `@.${own.slice(list.length + 1)}`)
      // In a list the details are beside the name; in a table they follow its column.
      const after = cast.slice(cast.indexOf(person) + 1)
      const next = after.findIndex(each => !isDetail(each))
      const near = list === undefined ? after.slice(0, next < 0 ? undefined : next) : cast.filter(isDetail)
      const details = near.filter(each => each.column.list === list)
      const split = list === undefined ? separatorOfNames(examples) : undefined
      const form =
        details.length > 0 ? undefined : formOfNames(examples, split, role === 'musician' ? 'instrument' : 'part')
      return {
        ...(list === undefined ? {} : { each: list }),
        ...{ from: path(name), type: castType, role },
        ...(split === undefined ? {} : { split }),
        ...(form === undefined ? {} : { as: form }),
        ...Object.fromEntries(details.map(each => [each.is, { from: path(each.column.name) }]))
      }
    })
}

/** The separator of names in a cell: a comma only between names of several words. */
function separatorOfNames(examples: readonly string[]): string | undefined {
  const found = separatorIn(examples)
  if (found !== undefined) return found
  const isOfNames = examples.every(each => each.split(',').every(name => /\S\s+\S/.test(name.trim())))
  return isOfNames && examples.some(each => each.includes(',')) ? ',' : undefined
}

/** The form of names with a part or an instrument, if most examples have it. */
function formOfNames(examples: readonly string[], split: string | undefined, detail: string): string | undefined {
  const names = examples.flatMap(each => (split === undefined ? [each] : each.split(split))).map(each => each.trim())
  const forms = [
    [/^[^:]+: \S/, `{${detail}}: {name}`],
    [/^[^()]+ \([^()]+\)$/, `{name} ({${detail}})`],
    [/ als \S/, `{name} als {${detail}}`],
    [/ as \S/, `{name} as {${detail}}`],
    [detail === 'instrument' && split !== ',' ? /^[^,]+, \p{Ll}/u : /$^/, `{name}, {${detail}}`]
  ] as const
  return forms.find(([test]) => names.filter(each => test.test(each)).length * 2 > names.length)?.[1]
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
  const rulesFor = (columns: readonly Chosen[], key: string) => {
    const paths = columns.map(({ column }) => pathOf(column))
    const examples = columns.flatMap(({ column }) => column.examples)
    const words = fields[key]?.kind === 'choice' ? wordsIn(examples, fields[key].of ?? []) : undefined
    const between = fields[key]?.repeatable ? separatorIn(examples) : undefined
    if (paths.length === 1 && words === undefined && between === undefined) return paths[0]
    return {
      from: paths.length === 1 ? paths[0] : paths,
      ...(between === undefined ? {} : { split: between }),
      ...(words === undefined ? {} : { words })
    }
  }
  const keys = [...new Set(chosen.map(each => each.key))].filter(key => key !== identifierColumn)
  const ids = chosen.filter(each => each.key === identifierColumn).map(({ column }) => `{${pathOf(column)}}`)
  // A moment, or a part of something, identifies a record only together with what it belongs to.
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
      : isOfMoments || isPart(recordType)
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
      keys.map(key => [
        key,
        isSplit && key === nameField
          ? '@'
          : rulesFor(
              chosen.filter(each => each.key === key),
              key
            )
      ])
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
  const own = model.findType(type)
  if (model.fieldOf(type, nameField)?.kind === 'moment' || (own !== undefined && isPart(own))) return false
  return types.some(other => {
    const recordType = other === type ? undefined : model.findType(other)
    return recordType !== undefined && relationTo(recordType, type, model) !== undefined
  })
}

/** Tests whether records of a type need another that they belong to. */
const isPart = ({ relations }: RecordType) => Object.values(relations).some(({ min = 0 }) => min > 0)

/** Further words for the values of choices, as houses write them. */
const houseWords: Readonly<Record<string, readonly string[]>> = {
  scheduled: ['gaat door', 'ok', 'maintenu', 'findet statt', 'confirmed', 'bevestigd'],
  cancelled: ['afgelast', 'geschrapt', 'canceled', 'entfallt'],
  moved: ['verzet', 'rescheduled', 'reporte au'],
  sold_out: ['vol', 'volzet', 'complet', 'full'],
  few_left: ['bijna uitverkocht', 'laatste kaarten', 'presque complet', 'few left'],
  on_sale: ['beschikbaar', 'available', 'disponible', 'verfugbar']
}

/** The values that the words of a column stand for; undefined if they need no words. */
function wordsIn(examples: readonly string[], values: readonly string[]): Readonly<Record<string, string>> | undefined {
  const meantBy = (word: string) =>
    values.find(value =>
      [...Object.values(labelsOf).map(({ values: labels }) => labels[value] ?? ''), ...(houseWords[value] ?? [])].some(
        each => textKey(each) === textKey(word)
      )
    )
  const words = [...new Set(examples)].flatMap(word => {
    const value = values.includes(word) ? undefined : meantBy(word)
    return value === undefined ? [] : [[word, value] as const]
  })
  return words.length === 0 ? undefined : Object.fromEntries(words)
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
