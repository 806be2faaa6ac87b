import type { Entity, Json } from '#domain/entity/entity.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { FilterType } from '#domain/filter/filter-members.ts'
import { hasWords, type NaiveSearch, searchFor } from './naive-search.ts'

/*
 * Section 3 of the contract a second time: slow, in memory, from its text. It shares no code with
 * the service, so that the two can only agree by both being right. It shares types, so that a new
 * kind of filter cannot be forgotten here.
 */

/** Kinds and types of filters that have tests of their own instead. */
export const testedElsewhere = ['within', 'entry'] as const
type EvaluatedType = Exclude<FilterType, 'geo' | 'readiness'>

/** Kinds that lists, `or`, `match_not`, `distinct_by` and `together` make of other filters. */
type CombiningKind = 'all' | 'any' | 'not' | 'first_of' | 'part_of' | 'whole_of'
type TestKind = Exclude<Filter['kind'], CombiningKind | (typeof testedElsewhere)[number]>

/** An entity with when it was made and when it was last changed, as numbers that only grow. */
export interface Kept {
  readonly entity: Entity
  readonly created: number
  readonly changed: number
}

export interface FilterObject {
  readonly type: EvaluatedType
  readonly key?: string | readonly string[]
  readonly value: unknown
  readonly match_exact?: boolean
  readonly match_not?: boolean
  readonly or?: readonly FilterObject[]
  readonly operator?: string
  readonly lookup?: Lookup
  readonly aggregation?: string
  readonly regex?: boolean
  readonly regex_options?: string
  readonly distinct_by?: string
}

/** Others, joined by a relation; a key that begins with `as` leads to them. */
interface Lookup {
  readonly from: string
  readonly local_field: string
  readonly foreign_field: string
  readonly as: string
}

const identifiedIn = (catalogue: readonly Kept[]) =>
  new Map(catalogue.flatMap(({ entity }) => entity.identifiers.map(each => [each, entity])))

/** The ids of all records that match, in order. */
export function evaluate(
  catalogue: readonly Kept[],
  filters: readonly FilterObject[],
  orderBy = '',
  ascending = true
): string[] {
  const byIdentifier = identifiedIn(catalogue)
  const found = select(catalogue, filters, byIdentifier)
  const searched = mainSearchOf(filters, orderBy)
  if (searched !== undefined) {
    const search = searchIn(searched, byIdentifier)
    const scores = new Map(found.map(kept => [kept, search.scoreOf(kept.entity) ?? Number.NaN]))
    const scoreOf = (kept: Kept) => scores.get(kept) ?? Number.NaN
    return found
      .sort(
        (one, other) =>
          scoreOf(one) - scoreOf(other) || kindRank(one.entity) - kindRank(other.entity) || one.created - other.created
      )
      .map(({ entity }) => entity.id)
  }
  return found.sort((one, other) => compare(one, other, orderBy, ascending)).map(({ entity }) => entity.id)
}

/** The search that gives the order, where relevance does. */
function mainSearchOf(filters: readonly FilterObject[], orderBy: string): string | undefined {
  const isDistinct = filters.some(filter => filter.distinct_by !== undefined)
  return /^,*$/.test(orderBy) && !isDistinct ? mainSearch(filters) : undefined
}

/** Works come first, and parts of other records last. */
const kindRank = (entity: Entity) => (levelOf(entity) === 'work' ? 0 : ownerRelationOf(entity) === undefined ? 1 : 2)

/** All that match; where one of each value is wanted, the first made. */
function select(catalogue: readonly Kept[], filters: readonly FilterObject[], known: Known): Kept[] {
  const found = catalogue.filter(({ entity }) => matchesList(entity, filters, known))
  const path = filters.find(filter => filter.distinct_by !== undefined)?.distinct_by
  if (path === undefined) return found
  const firsts = new Map<string, Kept>()
  for (const kept of found.toSorted((one, other) => one.created - other.created)) {
    const type = relationAt(path)
    const values =
      type === undefined
        ? valuesAt(kept.entity, path, known).map(textOf)
        : kept.entity.relations.filter(each => each.type === type).map(({ key }) => known.get(key)?.id ?? key)
    for (const value of values) if (!firsts.has(value)) firsts.set(value, kept)
  }
  return [...new Set(firsts.values())]
}

/** The type of the relation that a path names, if it names one. */
function relationAt(path: string): string | undefined {
  const [, list, name = '', side] = /^(\w+)\.(.+)\.(\w+)$/.exec(path) ?? []
  if (list === 'relations') return name
  return list === 'properties' && side === 'value' && /^ref(_|[A-Z])/.test(name) ? camelCase(name) : undefined
}

/**
 * The values at a path over all records that match, with how many have each: the most frequent
 * first, equals by their code points.
 */
export function countValues(
  catalogue: readonly Kept[],
  filters: readonly FilterObject[],
  path: string,
  limit: number
): { value: string; count: number }[] {
  const known = identifiedIn(catalogue)
  const counts = new Map<string, number>()
  for (const { entity } of select(catalogue, filters, known)) {
    for (const value of new Set(facetValues(entity, path.replace(/^[\w.-]+:\d+\|/, ''), known)))
      counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || byCodePoints(one.value, other.value))
    .slice(0, limit)
}

/** As text; no longer ones than can be asked for. A related record is counted by its id. */
function facetValues(entity: Entity, path: string, known: Known): string[] {
  const [, by, of] = /^referring\.(ref\w+)\.(ref\w+)\.value$/.exec(path) ?? []
  if (by !== undefined && of !== undefined)
    return [...new Set(known.values())]
      .filter(({ relations }) => relations.some(({ type, key }) => type === camelCase(by) && known.get(key) === entity))
      .flatMap(({ relations }) => relations.filter(({ type }) => type === camelCase(of)))
      .flatMap(({ key }) => known.get(key)?.id ?? [])
  const [, first, rest] = /^properties\.(ref\w+)\.(ref\w+(?:\.ref\w+)*\.(?:value|name))$/.exec(path) ?? []
  if (first !== undefined)
    return relatedTo(entity, camelCase(first), known).flatMap(each => facetValues(each, `properties.${rest}`, known))
  const related = /^relations\.(.+)\.key$/.exec(path)?.[1] ?? /^properties\.(ref(?:_|[A-Z]).*)\.value$/.exec(path)?.[1]
  if (related !== undefined) {
    const type = path.startsWith('relations.') ? related : camelCase(related)
    return entity.relations
      .filter(relation => relation.type === type)
      .map(relation => known.get(relation.key)?.id ?? relation.key)
  }
  return valuesAt(entity, path, known)
    .map(textOf)
    .filter(text => Object.hasOwn(columns, path) || [...text].length <= 512)
}

type Known = ReadonlyMap<string, Entity>

/** The text that every match is searched for: the first that stands alone. */
function mainSearch(filters: readonly FilterObject[]): string | undefined {
  const alternatives = filters.filter(filter => filter.operator === 'or')
  const others = filters.filter(filter => filter.operator !== 'or')
  const alone = [...others, ...(alternatives.length === 1 ? alternatives : [])]
  const first = alone.find(
    ({ type, value, match_not, or }) =>
      type === 'search' && match_not !== true && (or ?? []).length === 0 && hasWords(String(value))
  )
  return first && String(first.value)
}

/** The last search: the same text is evaluated for one record after the other. */
let lastSearch: { text: string; known: Known; search: NaiveSearch } | undefined

function searchIn(text: string, known: Known): NaiveSearch {
  if (lastSearch?.text === text && lastSearch.known === known) return lastSearch.search
  const search = searchFor(text, new Set(known.values()), key => known.get(key), nameFieldOf)
  lastSearch = { text, known, search }
  return search
}

/** All of them, and one of those that say `operator: "or"`, if any do. */
function matchesList(entity: Entity, filters: readonly FilterObject[], known: Known): boolean {
  const alternatives = filters.filter(filter => filter.operator === 'or')
  const others = filters.filter(filter => filter.operator !== 'or')
  return (
    others.every(filter => matches(entity, filter, known)) &&
    (alternatives.length === 0 || alternatives.some(filter => matches(entity, filter, known)))
  )
}

function matches(entity: Entity, filter: FilterObject, known: Known): boolean {
  const own = passes(entity, filter, known) !== (filter.match_not === true)
  return own || (filter.or ?? []).some(other => matches(entity, other, known))
}

const passes: Test = (entity, filter, known) => tests[filterKind(filter)](entity, filter, known)

/** Of one work: each on the line of the record. Of one edition: all on the line above one of it. */
function passesTogether(entity: Entity, { key, value }: FilterObject, known: Known): boolean {
  const filters = value as readonly FilterObject[]
  const alternatives = filters.filter(({ operator }) => operator === 'or')
  const conditions = filters.filter(({ operator }) => operator !== 'or').map(each => [each])
  if (alternatives.length > 0) conditions.push(alternatives)
  const isMetIn = (records: readonly Entity[]) => (condition: readonly FilterObject[]) =>
    records.some(each => condition.some(filter => matchesOnce(each, filter, known)))
  const line = [...above(entity, known), ...below(entity, known)]
  return key === 'work'
    ? conditions.every(isMetIn(line))
    : line.some(each => conditions.every(isMetIn(above(each, known))))
}

/** As `matches`, but each record is tested once: it is on the lines of many. */
function matchesOnce(entity: Entity, filter: FilterObject, known: Known): boolean {
  if (lastTested?.known !== known) lastTested = { known, answers: new Map() }
  const answers = lastTested.answers.get(filter) ?? new Map<Entity, boolean>()
  lastTested.answers.set(filter, answers)
  const answer = answers.get(entity) ?? matches(entity, filter, known)
  answers.set(entity, answer)
  return answer
}

let lastTested: { readonly known: Known; readonly answers: Map<FilterObject, Map<Entity, boolean>> } | undefined

/** A record, with those that it belongs to. */
const above = (entity: Entity, known: Known, steps = 3): Entity[] => {
  const owners = steps === 0 ? [] : relatedTo(entity, ownerRelationOf(entity), known)
  return [entity, ...owners.flatMap(owner => above(owner, known, steps - 1))]
}

/** A record, with those that belong to it. */
function below(entity: Entity, known: Known): readonly Entity[] {
  if (lastBelow?.known !== known) {
    const records = new Map<Entity, Entity[]>()
    for (const each of new Set(known.values()))
      for (const owner of new Set(above(each, known))) records.set(owner, [...(records.get(owner) ?? []), each])
    lastBelow = { known, records }
  }
  return lastBelow.records.get(entity) ?? []
}

/** The records below each, of the last catalogue. */
let lastBelow: { readonly known: Known; readonly records: ReadonlyMap<Entity, readonly Entity[]> } | undefined

type Test = (entity: Entity, filter: FilterObject, known: Known) => boolean

function filterKind({ type, aggregation, lookup }: FilterObject): TestKind | 'together' {
  switch (type) {
    case 'together':
      return type
    case 'type':
      return 'types'
    case 'id':
      return 'identifiers'
    case 'search':
      return 'search'
    case 'text':
    case 'selection':
    case 'date':
    case 'number':
    case 'boolean':
      if (aggregation === 'size') return 'count'
      if (!lookup) return 'field'
      return relationAt(lookup.local_field) === undefined ? 'referred' : 'related'
  }
}

const passesJoined: Test = (entity, filter, known) =>
  eachKey(filter, (path, isOptional) => {
    const { lookup } = filter
    const others = lookup ? joined(entity, lookup, known) : []
    if (!lookup || !path.startsWith(`${lookup.as}.`)) return others.length > 0 && passesAt(entity, path, filter, known)
    const inner = path.slice(lookup.as.length + 1)
    return (
      others.some(other => passesAt(other, inner, filter, known)) ||
      (isOptional && others.every(other => valuesAt(other, inner, known).length === 0))
    )
  })

const tests: Readonly<Record<TestKind | 'together', Test>> = {
  together: passesTogether,
  types: (entity, { value }) => listed(value).some(name => typesNamed(String(name)).includes(entity.type)),
  identifiers: (entity, { value }) => listed(value).some(id => entity.identifiers.includes(String(id))),
  search: (entity, { value }, known) => searchIn(String(value), known).scoreOf(entity) !== undefined,
  count: (entity, { key, value, lookup }, known) =>
    listed(key).some(each => isWithinNumbers(countAt(entity, bare(each), lookup, known), value)),
  field: (entity, filter, known) =>
    eachKey(
      filter,
      (path, isOptional) =>
        passesAt(entity, path, filter, known) || (isOptional && valuesAt(entity, path, known).length === 0)
    ),
  related: passesJoined,
  referred: passesJoined
}

const eachKey = ({ key }: FilterObject, passesKey: (path: string, isOptional: boolean) => boolean) =>
  listed(key).some(each => passesKey(bare(bare(each).replace(/^!?\?/, '')), bare(each).startsWith('?')))

const bare = (key: unknown) => String(key).replace(/^[\w.-]+:\d+\|/, '')

/** The records that a lookup joins to one. */
function joined(entity: Entity, { from, local_field, foreign_field }: Lookup, known: Known): Entity[] {
  const forward = relationAt(local_field)
  const type = forward ?? relationAt(foreign_field)
  const isLed = (one: Entity, other: Entity) =>
    one.relations.some(relation => relation.type === type && known.get(relation.key) === other)
  return [...new Set(known.values())].filter(
    other =>
      (from === 'entities' || typesNamed(from.slice(0, -1)).includes(other.type)) &&
      (forward === undefined ? isLed(other, entity) : isLed(entity, other))
  )
}

function countAt(entity: Entity, path: string, lookup: Lookup | undefined, known: Known): number {
  if (lookup) return joined(entity, lookup, known).length
  const type = relationAt(path)
  return type === undefined
    ? valuesAt(entity, path, known).length
    : entity.relations.filter(relation => relation.type === type).length
}

/** As stored, or folded; texts that are longer than can be asked for have no form as stored. */
function passesRegex(found: readonly Json[], { value, regex_options }: FilterObject, path: string): boolean {
  // Not with "u": V8 misses characters above U+FFFF before "$" then.
  const pattern = new RegExp(String(value), 'sv')
  const isColumn = Object.hasOwn(columns, path) || relationAt(path) !== undefined
  return found.some(each =>
    forms(each, path).some(
      text => (isColumn || [...text].length <= 512) && pattern.test(regex_options === 'i' ? fold(text) : text)
    )
  )
}

function passesAt(entity: Entity, path: string, filter: FilterObject, known: Known): boolean {
  const { type, value } = filter
  {
    const found = valuesAt(entity, path, known)
    if (['date', 'number', 'boolean'].includes(type) && (value === '*' || value === ''))
      return value === '*' ? found.length > 0 : found.length === 0
    switch (type) {
      case 'text':
        if (filter.regex === true) return passesRegex(found, filter, path)
        return passesText(found, String(value).trim(), path)
      case 'selection':
        return listed(value).some(each => passesSelection(found, String(each), filter.match_exact === true, path))
      case 'date':
        return found.some(each => typeof each === 'string' && isWithinDates(each, value))
      case 'number':
        return found.some(each => isWithinNumbers(each, value))
      case 'boolean':
        return found.includes(value as boolean) || (value === false && found.length === 0)
      case 'type':
      case 'id':
      case 'search':
      case 'together':
        throw new Error(`A filter of type "${type}" has no key`)
    }
  }
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

// Where a path leads

const columns: Readonly<Record<string, (entity: Entity) => Json[]>> = {
  type: entity => [entity.type],
  id: entity => [entity.id],
  _key: entity => [entity.id],
  _id: entity => [...entity.identifiers],
  identifiers: entity => [...entity.identifiers],
  date_created: entity => [entity.audit.created.at],
  date_updated: entity => [entity.audit.updated.at],
  'audit.created.at': entity => [entity.audit.created.at],
  'audit.created.by': entity => [entity.audit.created.by],
  'audit.updated.at': entity => [entity.audit.updated.at],
  'audit.updated.by': entity => [entity.audit.updated.by]
}

/** The values at a path; empty ones are none. */
function valuesAt(entity: Entity, path: string, known: Known): Json[] {
  const column = Object.hasOwn(columns, path) ? columns[path] : undefined
  if (column) return column(entity)
  const [root] = path.split('.')
  const last = path.slice(path.lastIndexOf('.') + 1)
  const name = path.slice(path.indexOf('.') + 1, path.lastIndexOf('.'))
  if (root === 'metadata') return metadataValues(entity, name)
  if (root === 'relations') return relationValues(entity, name, known)
  if (last === 'name') return relationNames(entity, camelCase(name), known)
  return /^ref(_|[A-Z])/.test(name) ? relationValues(entity, camelCase(name), known) : metadataValues(entity, name)
}

function metadataValues(entity: Entity, key: string): Json[] {
  return entity.metadata
    .filter(entry => entry.key === key)
    .flatMap(entry => (Array.isArray(entry.value) ? (entry.value as Json[]) : [entry.value]))
    .filter(value => value !== null && value !== '')
}

/** The related id, or any of its identifiers; a relation to nothing has only its key. */
function relationValues(entity: Entity, type: string, known: Known): string[] {
  return entity.relations
    .filter(relation => relation.type === type)
    .flatMap(relation => [relation.key, ...(known.get(relation.key)?.identifiers ?? [])])
}

function relationNames(entity: Entity, type: string, known: Known): Json[] {
  return entity.relations
    .filter(relation => relation.type === type)
    .flatMap(relation => {
      const target = known.get(relation.key)
      return target ? metadataValues(target, nameFieldOf(target.type)) : []
    })
}

const camelCase = (name: string) => name.replace(/_[a-z0-9]/g, match => match.slice(1).toUpperCase())

/** The field that contains the name of a record. */
function nameFieldOf(type: string): string {
  const named = [
    'language',
    'person',
    'corporation',
    'subject',
    'publisher',
    'target_audience',
    'genre',
    'place',
    'time'
  ]
  const places = ['venue', 'company', 'booking_agency', 'season']
  if (named.includes(type) || places.includes(type)) return 'name'
  return { siso: 'code', code_wording: 'wording', performance: 'start' }[type] ?? 'title'
}

const materials = ['word', 'music', 'map', 'serial', 'footage', 'mixed_material', 'computer_file']
const takenIn = ['reading', 'listening', 'watching', 'playing', 'orienting', 'easy_reading']

/** An umbrella stands for its subtypes. */
function typesNamed(name: string): string[] {
  if (!['work', 'expression', 'manifestation'].includes(name)) return [name]
  return [...materials.map(material => `${name}_${material}`), ...(name === 'expression' ? takenIn : [])]
}

// Comparing values

function passesText(found: readonly Json[], wanted: string, path: string): boolean {
  if (wanted === '') return found.length === 0
  if (/^\*+$/.test(wanted)) return found.length > 0
  const isTiedToStart = wanted[0] === '^'
  const isTiedToEnd = wanted.length > 1 && wanted.at(-1) === '$'
  const plain = wanted.slice(isTiedToStart ? 1 : 0, isTiedToEnd ? wanted.length - 1 : wanted.length)
  if (/^\**$/.test(plain)) return found.length > 0
  if (!plain.includes('*') && !isTiedToStart && !isTiedToEnd) return contains(found, wanted, path)
  const pattern = plain.includes('*') ? plain : `${isTiedToStart ? '' : '*'}${plain}${isTiedToEnd ? '' : '*'}`
  return found.some(value => forms(value, path).some(text => fitsPattern(fold(text), pattern.split('*').map(fold))))
}

function passesSelection(found: readonly Json[], wanted: string, exact: boolean, path: string): boolean {
  if (wanted === '') return found.length === 0
  if (wanted === '*') return found.length > 0
  if (!exact) return contains(found, wanted, path)
  return found.some(value => forms(value, path).some(text => forms(wanted, path).includes(text)))
}

const contains = (found: readonly Json[], wanted: string, path: string) =>
  found.some(value =>
    forms(value, path).some(text => forms(wanted, path).some(each => fold(text).includes(fold(each))))
  )

/** A value as text: as it stands, and for an ISBN also its 13 digits. */
function forms(value: Json, path: string): string[] {
  const text = textOf(value)
  const isbn = /\.isbn\.value$/.test(path) && typeof value === 'string' ? isbn13(text) : undefined
  return isbn === undefined ? [text] : [text, isbn]
}

const textOf = (value: Json) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/**
 * The first piece begins the text, the last one ends it, those between come in order and do not
 * overlap.
 */
function fitsPattern(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces
  if (rest.length === 0) return text === first
  const last = rest.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let from = first.length
  const end = text.length - last.length
  for (const piece of rest.slice(0, -1)) {
    const at = text.indexOf(piece, from)
    if (at < 0 || at + piece.length > end) return false
    from = at + piece.length
  }
  return true
}

const plainLetters = { ß: 'ss', ø: 'o', đ: 'd', ł: 'l', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', ı: 'i', ς: 'σ' }

/** The same texts come again and again; folding them each time would take most of a test. */
const folded = new Map<string, string>()

/** Without case and diacritics; letters whose mark does not come off are replaced. */
export function fold(text: string): string {
  const known = folded.get(text)
  if (known !== undefined) return known
  const bare = [...text.toLowerCase().normalize('NFKD')].filter(letter => !/\p{M}/u.test(letter)).join('')
  const plain = [...bare.toLowerCase()]
    .map(letter => plainLetters[letter as keyof typeof plainLetters] ?? letter)
    .join('')
  if (folded.size > 10_000) folded.clear()
  folded.set(text, plain)
  return plain
}

/**
 * An ISBN by its digits: ten with the right check digit become thirteen. Undefined for what has not
 * the shape of one.
 */
function isbn13(text: string): string | undefined {
  const bare = text.replace(/^isbn(-1[03])?:?\s*/i, '').replace(/[\s\u2010-\u2015-]/g, '')
  if (/^\d{13}$/.test(bare)) return bare
  if (!/^\d{9}[\dXx]$/.test(bare)) return undefined
  const digits = [...bare.toUpperCase()].map(digit => (digit === 'X' ? 10 : Number(digit)))
  if (digits.reduce((sum, digit, index) => sum + digit * (10 - index), 0) % 11 !== 0) return bare.toUpperCase()
  const body = `978${bare.slice(0, 9)}`
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0)
  return body + ((10 - (sum % 10)) % 10)
}

interface Range {
  readonly min?: unknown
  readonly max?: unknown
  readonly included?: boolean
}

/** A stored day counts from its first instant; a day in the question is all of it. */
function isWithinDates(stored: string, wanted: unknown): boolean {
  const instant = readInstants(stored)?.[0]
  if (instant === undefined) return false
  const { min, max, included = true } = typeof wanted === 'string' ? { min: wanted, max: wanted } : (wanted as Range)
  const from = readInstants(min)
  const to = readInstants(max)
  if (from && (included ? instant < from[0] : instant <= from[1])) return false
  return !(to && (included ? instant > to[1] : instant >= to[0]))
}

/** First and last instant that a date or a moment means, in milliseconds. */
export function readInstants(text: unknown): readonly [number, number] | undefined {
  if (typeof text !== 'string') return undefined
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text)
  if (!parts) return undefined
  const [, day = '', time, seconds = '00', fraction = '', zone = 'Z'] = parts
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined
  if (time === undefined) return [midnight, midnight + 86_399_999]
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  const instant = Date.parse(`${day}T${time}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`)
  return Number.isNaN(instant) ? undefined : [instant, instant]
}

function isWithinNumbers(stored: Json, wanted: unknown): boolean {
  const number = numberOf(stored)
  if (number === undefined) return false
  const range: Range = typeof wanted === 'number' ? { min: wanted, max: wanted } : (wanted as Range)
  const { min, max, included = true } = range
  if (typeof min === 'number' && (included ? number < min : number <= min)) return false
  return !(typeof max === 'number' && (included ? number > max : number >= max))
}

/** A number, or a text that is written as one. */
function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : undefined
}

// Order

function compare(one: Kept, other: Kept, orderBy: string, ascending: boolean): number {
  for (const name of orderBy.split(',').filter(each => each !== '')) {
    const sign = ascending ? 1 : -1
    const [left, right] = [sortValue(one, name), sortValue(other, name)]
    if (left === undefined && right === undefined) continue
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1
    const difference = compareValues(left, right)
    if (difference !== 0) return difference * sign
  }
  const created = one.created - other.created
  return /^,*$/.test(orderBy) && !ascending ? -created : created
}

type SortValue = readonly [rank: number, value: number | string]

function sortValue(kept: Kept, name: string): SortValue | undefined {
  const { entity } = kept
  if (name === 'date_created') return [0, kept.created]
  if (name === 'date_updated') return [0, kept.changed]
  if (name === 'id' || name === 'type') return [0, entity[name]]
  const key = /^(?:properties|metadata)\.(.+)\.value$/.exec(name)?.[1] ?? name
  const [first] = metadataValues(entity, key)
  if (first === undefined) return undefined
  // Where values of several kinds meet under one key, each kind keeps together.
  if (typeof first === 'boolean') return [1, first ? 1 : 0]
  const kind = kindOf(entity.type, key)
  const instant = typeof first === 'string' && kind !== 'text' && kind !== 'year' ? readInstants(first)?.[0] : undefined
  if (instant !== undefined) return [2, instant]
  const number = kind === 'year' ? numberOf(first) : typeof first === 'number' ? first : undefined
  return number === undefined ? [4, fold(textOf(first))] : [3, number]
}

/** The declared kind of a key, as far as it matters for sorting. */
function kindOf(type: string, key: string): 'text' | 'year' | 'other' {
  const umbrella = /^(work|expression|manifestation)_/.exec(type)?.[1] ?? (takenIn.includes(type) ? 'expression' : type)
  const texts: Record<string, readonly string[]> = {
    work: ['title', 'original_title', 'literary_type', 'scale'],
    expression: ['title', 'content_type'],
    manifestation: ['title', 'subtitle', 'isbn', 'issn', 'ean', 'edition', 'extent', 'series_statement', 'note'],
    production: ['title', 'subtitle', 'description', 'description_short', 'credits', 'status', 'age_category'],
    person: ['name', 'life_dates'],
    venue: ['name', 'address', 'city', 'country', 'postal_code', 'website', 'email', 'phone'],
    genre: ['name'],
    item: ['note', 'status'],
    language: ['name', 'code'],
    library: ['name', 'code'],
    title: ['title', 'subtitle'],
    performance: ['status', 'url'],
    siso: ['code', 'land_or_language'],
    code_wording: ['code', 'wording', 'code_wording_type'],
    zizo: ['code', 'title', 'level']
  }
  const years: Record<string, string> = { work: 'year', expression: 'year', manifestation: 'year_of_publication' }
  if (years[umbrella] === key) return 'year'
  return texts[umbrella]?.includes(key) ? 'text' : 'other'
}

function compareValues([rank, value]: SortValue, [otherRank, otherValue]: SortValue): number {
  if (rank !== otherRank) return rank - otherRank
  if (typeof value === 'number' && typeof otherValue === 'number') return value - otherValue
  return byCodePoints(String(value), String(otherValue))
}

function byCodePoints(one: string, other: string): number {
  const [left, right] = [[...one], [...other]]
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

// Results by work

export interface NaiveGroup {
  readonly head: string
  readonly isMatch: boolean
  readonly expression?: string
  readonly manifestation?: string
  readonly part?: string
  readonly matching: { readonly expressions: number; readonly manifestations: number; readonly parts: number }
  readonly languages: readonly string[]
}

/** The groups of all that match, each at the place of its first record. */
export function evaluateGroups(
  catalogue: readonly Kept[],
  filters: readonly FilterObject[],
  orderBy = '',
  ascending = true
): NaiveGroup[] {
  const known = identifiedIn(catalogue)
  const created = new Map(catalogue.map(kept => [kept.entity, kept.created]))
  const groups = new Map<Entity, Entity[]>()
  const searched = mainSearchOf(filters, orderBy)
  const scoreOf = searched === undefined ? () => 0 : searchIn(searched, known).scoreOf
  /**
   * Where the first records of groups fit a search alike, a group comes first whose first record is
   * not that of an older head too, then the larger one.
   */
  const inOrder = (all: readonly (readonly [Entity, readonly Entity[]])[]) => {
    const byHead = all.toSorted(([one], [other]) => (created.get(one) ?? 0) - (created.get(other) ?? 0))
    const firsts = new Set<Entity | undefined>()
    const isRepeated = new Map<Entity, number>()
    for (const [head, [first]] of byHead) {
      isRepeated.set(head, firsts.has(first) ? 1 : 0)
      firsts.add(first)
    }
    return searched === undefined
      ? all
      : all.toSorted(([head, [first, ...rest]], [otherHead, [otherFirst, ...otherRest]]) => {
          if (!first || !otherFirst) return 0
          return (
            (scoreOf(first) ?? 0) - (scoreOf(otherFirst) ?? 0) ||
            kindRank(first) - kindRank(otherFirst) ||
            (isRepeated.get(head) ?? 0) - (isRepeated.get(otherHead) ?? 0) ||
            otherRest.length - rest.length ||
            (created.get(head) ?? 0) - (created.get(otherHead) ?? 0)
          )
        })
  }
  for (const id of evaluate(catalogue, filters, orderBy, ascending)) {
    const found = known.get(id) as Entity
    const heads = headsOf(found, known).sort((one, other) => (created.get(one) ?? 0) - (created.get(other) ?? 0))
    for (const head of heads) groups.set(head, [...(groups.get(head) ?? []), found])
  }
  return inOrder([...groups]).map(([head, found]) => {
    const ofLevel = (isMeant: (level: string) => boolean) =>
      found.filter(each => each !== head && isMeant(levelOf(each))).map(({ id }) => id)
    const [expressions, manifestations, parts] = [
      ofLevel(level => level === 'expression'),
      ofLevel(level => level === 'manifestation'),
      ofLevel(level => level === '')
    ]
    return {
      head: head.id,
      isMatch: found.includes(head),
      ...(expressions[0] === undefined ? {} : { expression: expressions[0] }),
      ...(manifestations[0] === undefined ? {} : { manifestation: manifestations[0] }),
      ...(parts[0] === undefined ? {} : { part: parts[0] }),
      matching: { expressions: expressions.length, manifestations: manifestations.length, parts: parts.length },
      languages: levelOf(head) === 'work' ? languagesOf(head, catalogue, known) : []
    }
  })
}

/** As `countValues`, but each group counts once for a value that any of its records has. */
export function countValuesOfGroups(
  catalogue: readonly Kept[],
  filters: readonly FilterObject[],
  path: string,
  limit: number
): { value: string; count: number }[] {
  const known = identifiedIn(catalogue)
  const groups = new Map<string, Set<Entity>>()
  for (const { entity } of select(catalogue, filters, known))
    for (const value of facetValues(entity, path.replace(/^[\w.-]+:\d+\|/, ''), known)) {
      const heads = groups.get(value) ?? new Set()
      for (const head of headsOf(entity, known)) heads.add(head)
      groups.set(value, heads)
    }
  return [...groups]
    .map(([value, heads]) => ({ value, count: heads.size }))
    .sort((one, other) => other.count - one.count || byCodePoints(one.value, other.value))
    .slice(0, limit)
}

const levelOf = ({ type }: Entity) =>
  ['work', 'expression', 'manifestation'].find(level => typesNamed(level).includes(type)) ?? ''

const relatedTo = (entity: Entity, type: string | undefined, known: Known) =>
  entity.relations.filter(relation => relation.type === type).flatMap(({ key }) => known.get(key) ?? [])

const ownerRelationOf = (entity: Entity): string | undefined =>
  ({
    item: 'refManifestation',
    manifestation: 'refExpressions',
    expression: 'refWork',
    performance: 'refProduction',
    mediafile: 'refProductions'
  })[levelOf(entity) || entity.type]

/** The records that one belongs to, or itself. */
function headsOf(entity: Entity, known: Known, steps = 3): Entity[] {
  const owners = relatedTo(entity, ownerRelationOf(entity), known)
  if (owners.length === 0 || steps === 0) return [entity]
  return [...new Set(owners.flatMap(owner => headsOf(owner, known, steps - 1)))]
}

function languagesOf(work: Entity, catalogue: readonly Kept[], known: Known): string[] {
  const expressions = catalogue.filter(({ entity }) => relatedTo(entity, 'refWork', known).includes(work))
  const counts = new Map<Entity, number>()
  const count = (entity: Entity) => {
    for (const language of new Set(relatedTo(entity, 'refLanguages', known)))
      counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  for (const { entity } of expressions) count(entity)
  if (counts.size === 0) count(work)
  const created = (entity: Entity) => catalogue.find(kept => kept.entity === entity)?.created ?? 0
  return [...counts]
    .sort(([one, many], [other, more]) => more - many || created(one) - created(other))
    .map(([{ id }]) => id)
}
