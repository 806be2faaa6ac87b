import { readClientPath, screenMembers, withoutEmptyMembers } from './client-filter.ts'
import { readDate, type DateReading } from '../values/dates.ts'
import { CatalogueError, type Fault } from '../errors.ts'
import { pathForms, type FilterPath } from './filter-path.ts'
import type { Bound, FieldTest, Filter } from './filter.ts'
import { countCharacters, foldText } from '../values/fold.ts'
import { maxFilterTextLength } from '../search/index-values.ts'
import { readIsbn } from '../values/isbn.ts'
import { findJsonFaults } from '../json-limits.ts'
import type { Model } from '../record-types/model.ts'
import { readinessFilter, readinessStates } from '../entity/readiness.ts'
import { readSearch } from '../search/search.ts'
import { isJsonObject, pointerTo } from '../json.ts'

/** Limits of one filter, so that no query can cost without bound (contract, section 3). */
export const filterLimits = {
  filters: 64,
  keys: 16,
  nesting: 5,
  values: 1000,
  characters: maxFilterTextLength,
  stars: 32
} as const

export const filterTypes = [
  'type',
  'text',
  'selection',
  'date',
  'number',
  'boolean',
  'id',
  'search',
  'readiness'
] as const
export type FilterType = (typeof filterTypes)[number]

const knownMembers = [
  ...['type', 'key', 'value', 'match_exact', 'match_not', 'or', 'operator', 'item_types'],
  ...screenMembers
]

/**
 * Reads the body of `POST /entities/filter`. Throws `invalid_filter` with the JSON pointer of every
 * fault, or `unknown_filter_type`.
 */
export function readFilters(model: Model, body: unknown): Filter {
  const reader = new FilterReader(model)
  const filter = reader.readList(body, '', 1)
  reader.throwFaults()
  return filter
}

/** Collects all faults while it reads, so that the sender gets them at once. */
class FilterReader {
  readonly #model: Model
  readonly #faults: Fault[] = []
  #unknownType: string | undefined
  #filters = 0

  constructor(model: Model) {
    this.#model = model
  }

  throwFaults() {
    const [first] = this.#faults
    if (!first) return
    const code = this.#unknownType === undefined ? 'invalid_filter' : 'unknown_filter_type'
    throw new CatalogueError(code, `${first.message}${first.pointer ? ` at ${first.pointer}` : ''}`, {
      faults: this.#faults,
      ...(this.#unknownType === undefined ? {} : { about: ['type', this.#unknownType] as const })
    })
  }

  readList(list: unknown, pointer: string, depth: number): Filter {
    if (!Array.isArray(list)) return this.#fault(pointer, 'Filters must be an array of filter objects')
    if (depth > filterLimits.nesting)
      return this.#fault(pointer, `Filters may be nested at most ${filterLimits.nesting} levels deep`)
    const together: Filter[] = []
    const alternatives: Filter[] = []
    for (const [index, item] of list.entries()) {
      this.#filters++
      if (this.#filters > filterLimits.filters)
        return this.#fault(pointer, `At most ${filterLimits.filters} filters in all`)
      const at = `${pointer}/${index}`
      if (!isJsonObject(item)) this.#fault(at, 'A filter must be an object')
      else if (item.operator === 'or') alternatives.push(this.#readOne(item, at, depth))
      else together.push(this.#readOne(item, at, depth))
    }
    if (alternatives.length > 0) together.push({ kind: 'any', of: alternatives })
    return { kind: 'all', of: together }
  }

  #readOne(given: Record<string, unknown>, at: string, depth: number): Filter {
    const item = withoutEmptyMembers(given)
    for (const member of Object.keys(item)) {
      const isHint = member === 'distinct_by' && item.provide_value_options_for_key === true
      if (!knownMembers.includes(member) && !isHint)
        this.#fault(pointerTo(at, member), refusals[member] ?? `Unknown member "${member}" of a filter`)
    }
    for (const member of ['match_exact', 'match_not']) {
      if (item[member] !== undefined && typeof item[member] !== 'boolean') {
        this.#fault(`${at}/${member}`, `"${member}" must be true or false`)
      }
    }
    if (item.operator !== undefined && item.operator !== 'or' && item.operator !== 'and') {
      this.#fault(`${at}/operator`, '"operator" must be "or" or "and"')
    }
    let filter = this.#readTest(item, at)
    if (item.match_not === true) filter = { kind: 'not', of: filter }
    filter = this.#amongTypes(item, at, filter)
    if (item.or === undefined) return filter
    const others = this.readList(item.or, `${at}/or`, depth + 1)
    return { kind: 'any', of: [filter, ...(others.kind === 'all' ? others.of : [others])] }
  }

  /** The filter, restricted to the types that `item_types` names, if any. */
  #amongTypes(item: Record<string, unknown>, at: string, filter: Filter): Filter {
    if (item.item_types === undefined) return filter
    const names = this.#texts(item.item_types, `${at}/item_types`).filter(name => name !== '')
    if (names.length === 0) return filter
    const types = names.flatMap(name => this.#model.typesNamed(name))
    return { kind: 'all', of: [{ kind: 'types', types }, filter] }
  }

  #readTest(item: Record<string, unknown>, at: string): Filter {
    const type = item.type
    if (typeof type !== 'string' || !(filterTypes as readonly string[]).includes(type)) {
      if (typeof type === 'string') this.#unknownType ??= type
      return this.#fault(
        `${at}/type`,
        `Unknown filter type ${JSON.stringify(type) ?? 'none'}; known are ${filterTypes.join(', ')}`
      )
    }
    if (item.value === undefined) return this.#fault(`${at}/value`, `A filter of type "${type}" needs a "value"`)
    const faults = findJsonFaults(item.value, `${at}/value`)
    if (faults.length > 0) {
      this.#faults.push(...faults)
      return nothing
    }
    return this.#readByType[type as FilterType](item, at)
  }

  readonly #readByType: Record<FilterType, (item: Record<string, unknown>, at: string) => Filter> = {
    type: (item, at) => ({
      kind: 'types',
      types: this.#texts(item.value, `${at}/value`).flatMap(name => this.#model.typesNamed(name))
    }),

    readiness: (item, at) => {
      const states = this.#texts(item.value, `${at}/value`)
      const known = readinessStates.filter(state => states.includes(state))
      return states.every(state => (readinessStates as readonly string[]).includes(state))
        ? readinessFilter(known)
        : this.#fault(`${at}/value`, `A readiness is one of ${readinessStates.join(', ')}`)
    },

    id: (item, at) => ({ kind: 'identifiers', identifiers: this.#texts(item.value, `${at}/value`) }),

    search: (item, at) => {
      if (typeof item.value !== 'string')
        return this.#fault(`${at}/value`, 'The value of a search filter must be a string')
      return { kind: 'search', search: readSearch(this.#checkedText(item.value, `${at}/value`, false)) }
    },

    text: (item, at) => {
      if (typeof item.value !== 'string')
        return this.#fault(`${at}/value`, 'The value of a text filter must be a string')
      const text = this.#checkedText(item.value.trim(), `${at}/value`)
      const exact = item.match_exact === true
      return this.#eachPath(item, at, path =>
        this.#alternatives(path, this.#textForms(path, text), exact ? equalTo : matching)
      )
    },

    selection: (item, at) => {
      const values = this.#texts(item.value, `${at}/value`)
      const exact = item.match_exact === true
      return this.#eachPath(item, at, path => {
        const plain = values.filter(value => value !== '*' && value !== '')
        const found: Filter[] = []
        if (values.includes('*')) found.push({ kind: 'field', path, test: { kind: 'present' } })
        if (values.includes('')) found.push({ kind: 'field', path, test: { kind: 'absent' } })
        const forms = plain.flatMap(value => this.#textForms(path, value))
        if (exact && forms.length > 0) found.push({ kind: 'field', path, test: { kind: 'equals', values: forms } })
        if (!exact && forms.length > 0) found.push({ kind: 'field', path, test: containing(forms) })
        return { kind: 'any', of: found }
      })
    },

    date: (item, at) => {
      const presence = presenceOf(item.value)
      if (presence) return this.#eachPath(item, at, path => ({ kind: 'field', path, test: presence }))
      const range = this.#readInstants(item.value, `${at}/value`)
      if (!range) return nothing
      return this.#eachPath(item, at, path => ({ kind: 'field', path, test: { kind: 'instant', ...range } }), [
        'metadata',
        'created_at',
        'updated_at'
      ])
    },

    number: (item, at) => {
      const presence = presenceOf(item.value)
      if (presence) return this.#eachPath(item, at, path => ({ kind: 'field', path, test: presence }))
      const range = this.#readNumbers(item.value, `${at}/value`)
      if (!range) return nothing
      return this.#eachPath(item, at, path => ({ kind: 'field', path, test: { kind: 'number', ...range } }), [
        'metadata'
      ])
    },

    boolean: (item, at) => {
      const value = item.value
      const presence = presenceOf(value)
      if (presence) return this.#eachPath(item, at, path => ({ kind: 'field', path, test: presence }))
      if (typeof value !== 'boolean')
        return this.#fault(`${at}/value`, 'The value of a boolean filter must be true or false')
      return this.#eachPath(item, at, path => ({ kind: 'field', path, test: { kind: 'boolean', value } }), ['metadata'])
    }
  }

  /** The filter for each key; several keys are alternatives. */
  #eachPath(
    item: Record<string, unknown>,
    at: string,
    make: (path: FilterPath) => Filter,
    allowed?: readonly FilterPath['kind'][]
  ): Filter {
    const keys = Array.isArray(item.key) ? item.key : [item.key]
    if (item.key === undefined) {
      if (allowed) return this.#fault(`${at}/key`, `A filter of type "${String(item.type)}" needs a "key"`)
      return { kind: 'any', of: this.#model.nameFields.map(key => make({ kind: 'metadata', key })) }
    }
    if (keys.length > filterLimits.keys) return this.#fault(`${at}/key`, `At most ${filterLimits.keys} keys`)
    const filters = keys.map((key: unknown, index): Filter => {
      const pointer = Array.isArray(item.key) ? `${at}/key/${index}` : `${at}/key`
      const path =
        typeof key === 'string' && findJsonFaults(key, pointer).length === 0
          ? readClientPath(this.#model, key)
          : undefined
      if (!path) return this.#fault(pointer, `Not a field path: ${JSON.stringify(key)}; the forms are ${pathForms}`)
      if (allowed && !allowed.includes(path.kind)) {
        return this.#fault(pointer, `A ${String(item.type)} filter cannot look at "${String(key)}"`)
      }
      return make(path)
    })
    return { kind: 'any', of: filters }
  }

  /** An ISBN is found by its 13 digits too, a choice by each of its spellings. */
  #textForms(path: FilterPath, text: string): string[] {
    if (path.kind !== 'metadata') return [text]
    const stored = this.#model.storedSpelling(path.key, text)
    if (stored !== undefined) return [text, stored]
    if (!this.#model.isIsbnKey(path.key)) return [text]
    const comparable = readIsbn(text)?.comparable
    return comparable === undefined || comparable === text ? [text] : [text, comparable]
  }

  #alternatives(path: FilterPath, texts: readonly string[], test: (text: string) => FieldTest): Filter {
    return { kind: 'any', of: texts.map(text => ({ kind: 'field', path, test: test(text) })) }
  }

  #texts(value: unknown, pointer: string): string[] {
    const values = Array.isArray(value) ? value : [value]
    if (values.length > filterLimits.values) {
      this.#fault(pointer, `At most ${filterLimits.values} values`)
      return []
    }
    return values.map((each: unknown, index) => {
      const at = Array.isArray(value) ? `${pointer}/${index}` : pointer
      if (typeof each === 'string') return this.#checkedText(each, at, false)
      if (typeof each === 'number' || typeof each === 'boolean') return String(each)
      this.#fault(at, 'A value must be a string')
      return ''
    })
  }

  #checkedText(text: string, pointer: string, starsCount = true): string {
    if (text.length > filterLimits.characters && countCharacters(text) > filterLimits.characters) {
      this.#fault(pointer, `A value may have at most ${filterLimits.characters} characters`)
      return ''
    }
    if (starsCount && text.split('*').length - 1 > filterLimits.stars) {
      this.#fault(pointer, `A value may contain at most ${filterLimits.stars} wildcards (*)`)
      return ''
    }
    return text
  }

  #readInstants(value: unknown, pointer: string): { from: number; to: number } | undefined {
    if (typeof value === 'string') {
      const date = this.#readDate(value, pointer)
      return date && { from: date.first, to: date.last }
    }
    const bounds = this.#readBounds(value, pointer, 'an ISO 8601 date')
    if (!bounds) return undefined
    const min = bounds.min === undefined ? undefined : this.#readDate(bounds.min, `${pointer}/min`)
    const max = bounds.max === undefined ? undefined : this.#readDate(bounds.max, `${pointer}/max`)
    if ((bounds.min !== undefined && !min) || (bounds.max !== undefined && !max)) return undefined
    if (min && max && min.first > max.last) {
      this.#fault(pointer, '"min" is after "max"')
      return undefined
    }
    return {
      from: min ? (bounds.included ? min.first : min.last + 1) : Number.MIN_SAFE_INTEGER,
      to: max ? (bounds.included ? max.last : max.first - 1) : Number.MAX_SAFE_INTEGER
    }
  }

  #readDate(value: unknown, pointer: string): DateReading | undefined {
    const date = typeof value === 'string' ? readDate(value) : undefined
    if (!date) this.#fault(pointer, `Not an ISO 8601 date: ${JSON.stringify(value)}`)
    return date
  }

  #readNumbers(value: unknown, pointer: string): { min: Bound | undefined; max: Bound | undefined } | undefined {
    if (typeof value === 'number') return { min: { value, included: true }, max: { value, included: true } }
    const bounds = this.#readBounds(value, pointer, 'a number')
    if (!bounds) return undefined
    const { min, max, included } = bounds
    for (const [name, bound] of [
      ['min', min],
      ['max', max]
    ] as const) {
      if (bound !== undefined && typeof bound !== 'number') {
        this.#fault(`${pointer}/${name}`, `"${name}" must be a number`)
        return undefined
      }
    }
    if (typeof min === 'number' && typeof max === 'number' && min > max) {
      this.#fault(pointer, '"min" is greater than "max"')
      return undefined
    }
    return {
      min: typeof min === 'number' ? { value: min, included } : undefined,
      max: typeof max === 'number' ? { value: max, included } : undefined
    }
  }

  #readBounds(
    value: unknown,
    pointer: string,
    what: string
  ): { min: unknown; max: unknown; included: boolean } | undefined {
    if (!isJsonObject(value)) {
      this.#fault(pointer, `Must be ${what} or {"min", "max", "included"}`)
      return undefined
    }
    for (const member of Object.keys(value)) {
      if (!['min', 'max', 'included'].includes(member)) {
        this.#fault(pointerTo(pointer, member), `Unknown member "${member}" of a range`)
        return undefined
      }
    }
    const { min, max, included } = value
    if (included !== undefined && typeof included !== 'boolean') {
      this.#fault(`${pointer}/included`, '"included" must be true or false')
      return undefined
    }
    if ((min ?? undefined) === undefined && (max ?? undefined) === undefined) {
      this.#fault(pointer, 'A range needs "min" or "max"')
      return undefined
    }
    return { min: min ?? undefined, max: max ?? undefined, included: included !== false }
  }

  #fault(pointer: string, message: string): Filter {
    this.#faults.push({ pointer, message })
    return nothing
  }
}

const nothing: Filter = { kind: 'any', of: [] }

const containing = (texts: readonly string[]): FieldTest => ({ kind: 'contains', folded: texts.map(foldText) })

function equalTo(text: string): FieldTest {
  if (text === '') return { kind: 'absent' }
  return text === '*' ? { kind: 'present' } : { kind: 'equals', values: [text] }
}

/**
 * The test of a text filter: `*` stands for any run of characters, and the pattern matches the
 * whole field. Without a `*` the field contains the text; `^` before it and `$` after it tie it to
 * the ends of the field.
 */
function matching(text: string): FieldTest {
  if (text === '') return { kind: 'absent' }
  if (/^\*+$/.test(text)) return { kind: 'present' }
  const atStart = text.startsWith('^')
  const atEnd = text.endsWith('$') && text.length > 1
  const plain = text.slice(atStart ? 1 : 0, atEnd ? -1 : undefined)
  if (plain === '' || /^\*+$/.test(plain)) return { kind: 'present' }
  // Split before folding: folding turns the full-width star into a plain one.
  const pieces = plain.split(/\*+/).map(foldText)
  if (pieces.length > 1) return { kind: 'pattern', pieces }
  if (!atStart && !atEnd) return containing([text])
  return { kind: 'pattern', pieces: [...(atStart ? [] : ['']), ...pieces, ...(atEnd ? [] : [''])] }
}

/** `"*"` matches any value and `""` matches none, for every kind of field. */
const presenceOf = (value: unknown): FieldTest | undefined =>
  value === '*' ? { kind: 'present' } : value === '' ? { kind: 'absent' } : undefined

/** Members of other platforms' filters that are not supported here, each with the alternative. */
const refusals: Readonly<Record<string, string>> = {
  distinct_by: '"distinct_by" is only for options of a menu (provide_value_options_for_key); use facets for counts',
  aggregation: '"aggregation" is not supported: the number of relations cannot be compared',
  lookup: '"lookup" is not supported: write a path over relations, such as properties.ref_works.ref_authors.name',
  facets: '"facets" is a query parameter: ?facets=properties.<key>.value',
  regex: 'Regular expressions are not supported: use *, ^ and $',
  parent_key: '"parent_key" is not supported: name the whole path in "key"',
  inner_exact_matches: '"inner_exact_matches" is not supported'
}
