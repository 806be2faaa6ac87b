import { readArea } from './area.ts'
import { CatalogueError, type Fault } from '../errors.ts'
import { pathForms, type FilterPath, readHoppingPath, splitReferring, withoutPrefix } from './filter-path.ts'
import {
  type EntryMember,
  type EntryPath,
  everything,
  type FieldTest,
  type Filter,
  mapInner,
  nothing,
  togetherIn
} from './filter.ts'
import { filterLimits, type FilterType, filterTypes, knownMembers, typesOfMembers } from './filter-members.ts'
import { countCharacters, foldText } from '../values/fold.ts'
import { readIsbn } from '../values/isbn.ts'
import { readInstants, readNumbers, readSizes } from './read-ranges.ts'
import { RegularExpressionFault, regularExpressionTest } from './regular-expression.ts'
import { containing, entryTest, equalTo, matching, part, presenceOf } from './text-tests.ts'
import { type GivenName, namesIn } from './field-names.ts'
import type { Model } from '../record-types/model.ts'
import type { ReadinessRule } from '../record-types/record-type.ts'
import { withLowerCaseUuids } from '../entity/ids.ts'
import { readinessFilter, unmet } from '../entity/readiness.ts'
import { readinessStates } from '../find/readiness-states.ts'
import { readSearchText } from '../search/search-language.ts'
import { findJsonFaults, isJsonObject, pointerTo } from '../json.ts'

/** The content of a body of filters. */
export interface FilterBody {
  readonly filter: Filter
  /** The names of fields and relations in the filters. */
  readonly names: readonly GivenName[]
}

/**
 * Reads filters. Throws `invalid_filter` with the pointer of each fault, or
 * `unknown_filter_type`.
 */
export type ReadFilters = (model: Model, body: unknown) => FilterBody

export const readFilters: ReadFilters = (model, body) => {
  const reader = new FilterReader(model)
  return { filter: reader.readBody(body), names: reader.names }
}

/** A filter object of a body. */
export type FilterItem = Readonly<Record<string, unknown>>

/** The place that a key of a filter leads to. */
export interface Place {
  /** The path in the record, or in others that it is joined to; undefined if the key has none. */
  readonly path: FilterPath | undefined
  /** Whether the values are those of the record itself. */
  readonly isOwn: boolean
  /** The filter that a test of the values means for the record; `present` tests for any value. */
  readonly within: (test: Filter, present: Filter) => Filter
  /** The filter for the number of records that the key stands for, if it stands for records. */
  readonly count?: (range: { readonly min: number; readonly max: number | undefined }) => Filter
  /** The reason why the values cannot be tested. */
  readonly fault?: string
}

const membersOfTypes = Object.entries(typesOfMembers)

/**
 * Reads the filters of a body. It collects all faults while it reads, so that the sender gets them
 * at once. A subclass reads further forms.
 */
export class FilterReader {
  protected readonly model: Model
  readonly #faults: Fault[] = []
  readonly names: GivenName[] = []
  #unknownType: string | undefined
  #filters = 0
  readonly #searches = new Map<string, Filter>()
  protected distinctBy: EntryPath | undefined

  constructor(model: Model) {
    this.model = model
  }

  /** The filter of a body. Throws the faults. */
  readBody(body: unknown): Filter {
    const filter = this.readWhole(body)
    if (this.hasFaults) this.#throwFaults()
    return this.distinctBy ? { kind: 'first_of', path: this.distinctBy, of: filter } : filter
  }

  protected readWhole(body: unknown): Filter {
    return this.#readList(body, '', 1)
  }

  /** A filter object as this reader knows it. */
  protected toItem(given: FilterItem): FilterItem {
    return given
  }

  /** The message for a member that filters do not have. */
  protected refuseMember(member: string): string | undefined {
    return knownMembers.includes(member) ? undefined : `Unknown member "${member}" of a filter`
  }

  /** Reads the members that are about all matches. */
  protected readCommon(item: FilterItem, at: string, depth: number) {
    this.#readDistinctBy(item, at, depth)
  }

  protected toPath(key: string, _item: FilterItem): FilterPath | undefined {
    return readHoppingPath(key)
  }

  /** Returns a function that reads the keys of a filter. */
  protected placesOf(item: FilterItem, _at: string): (key: string, pointer: string) => Place {
    return (key, pointer) => {
      const referring = splitReferring(key)
      return {
        path: this.readPath(referring?.rest ?? key, pointer, item),
        isOwn: !referring,
        within: test => ({ kind: 'any', of: [referring ? { kind: 'referred', type: referring.by, of: test } : test] })
      }
    }
  }

  /** Called for each place whose values a filter tests. */
  protected useOf(_item: FilterItem, _place: Place, _pointer: string) {}

  protected get hasFaults() {
    return this.#faults.length > 0
  }

  #throwFaults() {
    const [first] = this.#faults
    if (!first) return
    const code = this.#unknownType === undefined ? 'invalid_filter' : 'unknown_filter_type'
    throw new CatalogueError(code, `${first.message}${first.pointer ? ` at ${first.pointer}` : ''}`, {
      faults: this.#faults,
      ...(this.#unknownType === undefined ? {} : { about: ['type', this.#unknownType] as const })
    })
  }

  #readList(list: unknown, pointer: string, depth: number): Filter {
    if (!Array.isArray(list)) return this.fault(pointer, 'Filters must be an array of filter objects')
    if (depth > filterLimits.nesting)
      return this.fault(pointer, `Filters may be nested at most ${filterLimits.nesting} levels deep`)
    const together: Filter[] = []
    const alternatives: Filter[] = []
    for (const [index, item] of list.entries()) {
      this.#filters++
      if (this.#filters > filterLimits.filters)
        return this.fault(pointer, `At most ${filterLimits.filters} filters in all`)
      const at = `${pointer}/${index}`
      if (!isJsonObject(item)) this.fault(at, 'A filter must be an object')
      else if (item.operator === 'or') alternatives.push(this.#readOne(item, at, depth))
      else together.push(this.#readOne(item, at, depth))
    }
    if (alternatives.length > 0) together.push({ kind: 'any', of: alternatives })
    return { kind: 'all', of: together }
  }

  #readOne(given: FilterItem, at: string, depth: number): Filter {
    const item = this.toItem(given)
    for (const member of Object.keys(item)) {
      const refusal = this.refuseMember(member)
      if (refusal !== undefined) this.fault(pointerTo(at, member), refusal)
    }
    for (const member of ['match_exact', 'match_not', 'match_all_words', 'regex', 'and_condition']) {
      if (item[member] !== undefined && typeof item[member] !== 'boolean') {
        this.fault(`${at}/${member}`, `"${member}" must be true or false`)
      }
    }
    if (item.operator !== undefined && item.operator !== 'or' && item.operator !== 'and') {
      this.fault(`${at}/operator`, '"operator" must be "or" or "and"')
    }
    for (const [member, types] of membersOfTypes) {
      const isUsed = item[member] !== undefined && item[member] !== false
      if (isUsed && !types.includes(String(item.type)))
        this.fault(`${at}/${member}`, `"${member}" belongs to filters of type ${types.join(' and ')}`)
    }
    this.readCommon(item, at, depth)
    let filter = this.readTest(item, at, depth)
    if (item.match_not === true) filter = { kind: 'not', of: filter }
    filter = this.#amongTypes(item, at, filter)
    if (item.or === undefined) return filter
    const others = this.#readList(item.or, `${at}/or`, depth + 1)
    return { kind: 'any', of: [filter, ...(others.kind === 'all' ? others.of : [others])] }
  }

  /** The filter, restricted to the types that `item_types` names, if any. */
  #amongTypes(item: FilterItem, at: string, filter: Filter): Filter {
    if (item.item_types === undefined) return filter
    const names = this.#texts(item.item_types, `${at}/item_types`).filter(name => name !== '')
    if (names.length === 0) return filter
    return { kind: 'all', of: [{ kind: 'types', types: this.#typesNamed(names, `${at}/item_types`) }, filter] }
  }

  protected readTest(item: FilterItem, at: string, depth: number): Filter {
    const type = item.type
    if (typeof type !== 'string' || !(filterTypes as readonly string[]).includes(type)) {
      if (typeof type === 'string') this.#unknownType ??= type
      return this.fault(
        `${at}/type`,
        `Unknown filter type ${JSON.stringify(type) ?? 'none'}; known are ${filterTypes.join(', ')}`
      )
    }
    if (item.value === undefined) return this.fault(`${at}/value`, `A filter of type "${type}" needs a "value"`)
    const faults = findJsonFaults(item.value, `${at}/value`)
    if (faults.length > 0) {
      this.#faults.push(...faults)
      return nothing
    }
    return this.#readByType[type as FilterType](item, at, depth)
  }

  readonly #readByType: Record<FilterType, (item: FilterItem, at: string, depth: number) => Filter> = {
    type: (item, at) => {
      const names = this.#texts(item.value, `${at}/value`)
      if (names.includes('*')) return everything
      return { kind: 'types', types: this.#typesNamed(names, `${at}/value`) }
    },

    readiness: (item, at) => {
      const states = this.#texts(item.value, `${at}/value`)
      const known = readinessStates.filter(state => states.includes(state))
      if (!states.every(state => (readinessStates as readonly string[]).includes(state)))
        return this.fault(`${at}/value`, `A readiness is one of ${readinessStates.join(', ')}`)
      const rules = readinessRules(this.model)
      if (item.key === undefined) return readinessFilter(known, rules)
      const named = rules.filter(({ name }) => name === item.key)
      if (named.length === 0)
        return this.fault(`${at}/key`, `The key of a readiness filter is a rule of the model, not ${String(item.key)}`)
      return {
        kind: 'any',
        of: named.flatMap(rule => [
          ...(known.includes('ready') ? [rule.filter] : []),
          ...(known.includes('incomplete') ? [unmet(rule)] : [])
        ])
      }
    },

    id: (item, at) => {
      const identifiers = withLowerCaseUuids(this.#texts(item.value, `${at}/value`))
      const isPart = item.match_exact === false && typeof item.value === 'string' && item.value !== ''
      return isPart
        ? { kind: 'field', path: { kind: 'identifiers' }, test: containing(identifiers) }
        : { kind: 'identifiers', identifiers: withLowerCaseUuids(identifiers) }
    },

    search: (item, at) => {
      if (typeof item.value !== 'string')
        return this.fault(`${at}/value`, 'The value of a search filter must be a string')
      return this.#readSearch(this.#checkedText(item.value, `${at}/value`, false))
    },

    text: (item, at) => {
      if (typeof item.value !== 'string')
        return this.fault(`${at}/value`, 'The value of a text filter must be a string')
      if (item.regex === true) return this.#readRegex(item, item.value, at)
      const text = this.#checkedText(item.value.trim(), `${at}/value`)
      const exact = item.match_exact === true
      if (isOfEntry(item)) return this.#readEntry(item, [text], at)
      if (item.relation_keys !== undefined) return this.#readWordsOfRelations(item, text, at)
      const words = item.match_all_words === true && !exact ? text.split(/\s+/) : [text]
      if (words.length > filterLimits.words)
        return this.fault(`${at}/value`, `At most ${filterLimits.words} words with "match_all_words"`)
      return this.#eachPath(item, at, path => ({
        kind: 'all',
        of: words.map(word => this.#alternatives(path, this.#textForms(path, word), exact ? equalTo : matching))
      }))
    },

    selection: (item, at) => {
      const values = this.#texts(item.value, `${at}/value`)
      const exact = item.match_exact === true
      if (isOfEntry(item)) return this.#readEntry(item, values, at)
      return this.#eachPath(item, at, path => {
        const plain = values.filter(value => value !== '*' && value !== '')
        const found: Filter[] = []
        if (values.includes('*')) found.push({ kind: 'field', path, test: { kind: 'present' } })
        if (values.includes('')) found.push({ kind: 'field', path, test: { kind: 'absent' } })
        const forms = plain.flatMap(value => this.#textForms(path, value))
        if (item.and_condition === true && values.length > 0)
          return {
            kind: 'all',
            of: values.map(value => this.#alternatives(path, this.#textForms(path, value), exact ? equalTo : part))
          }
        if (exact && forms.length > 0) found.push({ kind: 'field', path, test: { kind: 'equals', values: forms } })
        if (!exact && forms.length > 0) found.push({ kind: 'field', path, test: containing(forms) })
        return { kind: 'any', of: found }
      })
    },

    date: (item, at) => {
      const presence = presenceOf(item.value)
      if (presence) return this.#eachPath(item, at, path => ({ kind: 'field', path, test: presence }))
      const range = readInstants(item.value, `${at}/value`, this.#complain)
      if (!range) return nothing
      return this.#eachPath(item, at, path => ({ kind: 'field', path, test: { kind: 'instant', ...range } }), [
        'metadata',
        'created_at',
        'updated_at'
      ])
    },

    number: (item, at) => {
      if (item.aggregation !== undefined) return this.#readSize(item, at)
      const presence = presenceOf(item.value)
      if (presence) return this.#eachPath(item, at, path => ({ kind: 'field', path, test: presence }))
      const range = readNumbers(item.value, `${at}/value`, this.#complain)
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
        return this.fault(`${at}/value`, 'The value of a boolean filter must be true or false')
      return this.#eachPath(item, at, path => ({ kind: 'field', path, test: { kind: 'boolean', value } }), ['metadata'])
    },

    geo: (item, at) => {
      const keys = [item.key ?? positionKeys[0]].flat()
      const isPosition = keys.every(key => typeof key === 'string' && isPositionKey(key))
      if (!isPosition) return this.fault(`${at}/key`, `The key of a geo filter is one of ${positionKeys.join(', ')}`)
      const area = readArea(item.value)
      return typeof area === 'string' ? this.fault(`${at}/value`, area) : { kind: 'within', area }
    },

    together: ({ key, value }, at, depth) => {
      const of = this.#readList(value, `${at}/value`, depth + 1)
      const within = typeof key === 'string' && Object.hasOwn(togetherIn, key) && togetherIn[key]
      return within
        ? within(of.kind === 'all' ? of.of : [of])
        : this.fault(`${at}/key`, `The key of a together filter is one of ${Object.keys(togetherIn).join(', ')}`)
    }
  }

  /** The filter for each key; several keys are alternatives. */
  #eachPath(
    item: FilterItem,
    at: string,
    make: (path: FilterPath) => Filter,
    allowed?: readonly FilterPath['kind'][]
  ): Filter {
    const placeOf = this.placesOf(item, at)
    if (item.key === undefined) {
      if (allowed) return this.fault(`${at}/key`, `A filter of type "${String(item.type)}" needs a "key"`)
      // A record without a name has none of the fields that may be its name.
      const kind = [item.value].flat().includes('') ? 'all' : 'any'
      return { kind, of: this.model.nameFields.map(key => make({ kind: 'metadata', key })) }
    }
    return this.#eachKey(item, at, (key, pointer) => {
      const place = placeOf(key, pointer)
      const { path } = place
      if (!path) return this.#notAPath(pointer, key)
      if (place.fault !== undefined) return this.fault(pointer, place.fault)
      if (allowed && !allowed.includes(path.kind)) {
        return this.fault(pointer, `A ${String(item.type)} filter cannot look at "${key}"`)
      }
      this.useOf(item, place, pointer)
      return place.within(make(path), { kind: 'field', path, test: { kind: 'present' } })
    })
  }

  /** Calls for each key of a filter; several are alternatives. */
  #eachKey(item: FilterItem, at: string, make: (key: string, pointer: string) => Filter): Filter {
    const keys: unknown[] = Array.isArray(item.key) ? item.key : [item.key]
    if (keys.length > filterLimits.keys) return this.fault(`${at}/key`, `At most ${filterLimits.keys} keys`)
    return {
      kind: 'any',
      of: keys.map((key, index): Filter => {
        const pointer = Array.isArray(item.key) ? `${at}/key/${index}` : `${at}/key`
        const isSound = typeof key === 'string' && findJsonFaults(key, pointer).length === 0
        return isSound ? make(key, pointer) : this.#notAPath(pointer, key)
      })
    }
  }

  /** Reads a path, and remembers the names in it. */
  protected readPath(key: string, pointer: string, item: FilterItem = {}): FilterPath | undefined {
    const path = this.toPath(key, item)
    if (path) for (const name of namesIn(path)) this.names.push({ ...name, pointer, isLenient: true })
    return path
  }

  #typesNamed(names: readonly string[], pointer: string): string[] {
    for (const name of names) if (name !== '') this.names.push({ kind: 'type', name, pointer, isLenient: true })
    return names.flatMap(name => this.model.typesNamed(name))
  }

  #notAPath(pointer: string, key: unknown): Filter {
    return this.fault(pointer, `Not a field path: ${JSON.stringify(key)}; the forms are ${pathForms}`)
  }

  /** Reads `distinct_by`: of the records with the same value, only the first created is found. */
  #readDistinctBy(item: FilterItem, at: string, depth: number) {
    const key = item.distinct_by
    if (key === undefined) return
    const path = typeof key === 'string' ? this.readPath(key, `${at}/distinct_by`) : undefined
    // Every record has an id of its own, so each is the first with it.
    if (path?.kind === 'id' || path?.kind === 'identifiers') return
    if (!path || !isEntryPath(path)) {
      this.fault(`${at}/distinct_by`, '"distinct_by" must be the path of a field or of a relation')
    } else if (depth > 1 || (this.distinctBy && JSON.stringify(this.distinctBy) !== JSON.stringify(path))) {
      this.fault(`${at}/distinct_by`, '"distinct_by" can be given once, outside of "or"')
    } else this.distinctBy = path
  }

  /**
   * Reads `aggregation: "size"`: a filter by how many values, relations or joined records there
   * are.
   */
  #readSize(item: FilterItem, at: string): Filter {
    if (item.aggregation !== 'size')
      return this.fault(`${at}/aggregation`, 'The only aggregation is "size": how many there are')
    const range = readSizes(item.value, `${at}/value`, this.#complain)
    const placeOf = this.placesOf(item, at)
    if (!range) return nothing
    return this.#eachKey(item, at, (key, pointer) => {
      const { path, isOwn, count } = placeOf(key, pointer)
      const isEmpty = (range.max ?? range.min) < range.min
      if (count) return isEmpty ? nothing : count(range)
      if (isOwn && path && isEntryPath(path)) return isEmpty ? nothing : { kind: 'count', of: path, ...range }
      return this.fault(pointer, `How many there are can be asked of a field, a relation or a lookup, not of "${key}"`)
    })
  }

  #readRegex(item: FilterItem, source: string, at: string): Filter {
    const options = item.regex_options ?? ''
    if (options !== '' && options !== 'i')
      return this.fault(`${at}/regex_options`, 'The only option is "i": without regard to case and diacritics')
    const isFolded = options === 'i'
    try {
      regularExpressionTest(source, isFolded ? foldText : undefined)
    } catch (error) {
      if (error instanceof RegularExpressionFault) return this.fault(`${at}/value`, error.message)
      throw error
    }
    return this.#eachPath(item, at, path => ({ kind: 'field', path, test: { kind: 'regex', source, isFolded } }))
  }

  /**
   * Reads `inner_exact_matches`, the members that the entry must have beside its value, and
   * `length`, the number of characters of its text.
   */
  #readEntry(item: FilterItem, values: readonly string[], at: string): Filter {
    const pointer = `${at}/inner_exact_matches`
    const members = item.inner_exact_matches ?? {}
    const length = item.length === undefined ? undefined : readSizes(item.length, `${at}/length`, this.#complain)
    if (item.length !== undefined && !length) return nothing
    const isPlain =
      isJsonObject(members) &&
      Object.entries(members).every(
        ([name, value]) => /^\w{1,64}$/.test(name) && ['string', 'number', 'boolean'].includes(typeof value)
      ) &&
      findJsonFaults(members, pointer).length === 0
    if (!isPlain) return this.fault(pointer, '"inner_exact_matches" must be an object of plain values')
    const isExact = item.match_exact === true
    if (!entryTest(values, isExact))
      return this.fault(pointer, '"inner_exact_matches" goes with "*", or with "match_exact": true')
    return this.#eachPath(item, at, path => {
      const test = entryTest(isIdentifierPath(path) ? withLowerCaseUuids(values) : values, isExact)
      if (length && path.kind !== 'metadata') return this.fault(`${at}/length`, '"length" can look at metadata only')
      return isEntryPath(path) && test
        ? {
            kind: 'entry',
            path,
            test,
            members: members as Readonly<Record<string, EntryMember>>,
            ...(length ? { length } : {})
          }
        : this.fault(pointer, '"inner_exact_matches" can look at entries of metadata and relations')
    })
  }

  /**
   * Reads `relation_keys`: every word, or phrase in quotation marks, is in one of the fields or in
   * the name of a record that one of these relations leads to.
   */
  #readWordsOfRelations(item: FilterItem, text: string, at: string): Filter {
    const pointer = `${at}/relation_keys`
    const keys = [item.relation_keys].flat()
    const paths = keys.map(key => (typeof key === 'string' ? this.readPath(key, pointer) : undefined))
    const relations = paths.flatMap(path => (path?.kind === 'relation_key' ? [path] : []))
    if (relations.length < keys.length || keys.length > filterLimits.keys)
      return this.fault(pointer, `"relation_keys" must be at most ${filterLimits.keys} paths of relations`)
    if (item.match_exact === true)
      return this.fault(pointer, '"relation_keys" goes with parts of texts, not with "match_exact"')
    const words = (text.match(/"[^"]*"|\S+/g) ?? []).map(word => word.replaceAll('"', '')).filter(word => word !== '')
    if (words.length === 0 || words.length > filterLimits.words)
      return this.fault(`${at}/value`, `With "relation_keys", a text has 1 to ${filterLimits.words} words`)
    return {
      kind: 'all',
      of: words.map(word => ({
        kind: 'any',
        of: [
          this.#eachPath(item, at, path => this.#alternatives(path, this.#textForms(path, word), matching)),
          ...relations.map(
            (path): Filter => ({ kind: 'field', path: { ...path, kind: 'relation_name' }, test: matching(word) })
          )
        ]
      }))
    }
  }

  /** ISBNs are found by their 13 digits too, choices by each spelling, UUIDs in any case. */
  #textForms(path: FilterPath, text: string): string[] {
    if (isIdentifierPath(path)) return withLowerCaseUuids([text])
    if (path.kind !== 'metadata') return [text]
    const stored = this.model.storedSpelling(path.key, text)
    if (stored !== undefined) return [text, stored]
    if (!this.model.isIsbnKey(path.key)) return [text]
    const comparable = readIsbn(text)?.comparable
    return comparable === undefined || comparable === text ? [text] : [text, comparable]
  }

  #alternatives(path: FilterPath, texts: readonly string[], test: (text: string) => FieldTest): Filter {
    return { kind: 'any', of: texts.map(text => ({ kind: 'field', path, test: test(text) })) }
  }

  #texts(value: unknown, pointer: string): string[] {
    const values = Array.isArray(value) ? value : [value]
    if (values.length > filterLimits.values) {
      this.fault(pointer, `At most ${filterLimits.values} values`)
      return []
    }
    return values.map((each: unknown, index) => {
      const at = Array.isArray(value) ? `${pointer}/${index}` : pointer
      if (typeof each === 'string') return this.#checkedText(each, at, false)
      if (typeof each === 'number' || typeof each === 'boolean') return String(each)
      this.fault(at, 'A value must be a string')
      return ''
    })
  }

  /** Reads each text once: a body may have the same paragraph many times. */
  #readSearch(text: string): Filter {
    let search = this.#searches.get(text)
    if (!search) {
      search = readSearchText(this.model, text)
      this.#searches.set(text, search)
    }
    return search
  }

  #checkedText(text: string, pointer: string, starsCount = true): string {
    if (text.length > filterLimits.characters && countCharacters(text) > filterLimits.characters) {
      this.fault(pointer, `A value may have at most ${filterLimits.characters} characters`)
      return ''
    }
    if (starsCount && text.split('*').length - 1 > filterLimits.stars) {
      this.fault(pointer, `A value may contain at most ${filterLimits.stars} wildcards (*)`)
      return ''
    }
    return text
  }

  protected fault(pointer: string, message: string): Filter {
    this.#faults.push({ pointer, message })
    return nothing
  }

  readonly #complain = (pointer: string, message: string) => void this.fault(pointer, message)
}

const isOfEntry = (item: FilterItem) => item.inner_exact_matches !== undefined || item.length !== undefined

/** A rule of readiness, with the filter of the records that meet it. */
export interface CheckedRule extends ReadinessRule {
  readonly type: string
  readonly filter: Filter
}

const rulesByModel = new WeakMap<Model, readonly CheckedRule[]>()

/** The rules of readiness of all types. Throws the faults of their filters. */
export function readinessRules(model: Model): readonly CheckedRule[] {
  const known = rulesByModel.get(model)
  if (known) return known
  const rules = model.recordTypes.flatMap(({ type, readiness = [] }) =>
    readiness.map((rule): CheckedRule => {
      const { filter } = readFilters(model, rule.filters)
      return { ...rule, type, filter: withoutSingles({ kind: 'all', of: [{ kind: 'types', types: [type] }, filter] }) }
    })
  )
  rulesByModel.set(model, rules)
  return rules
}

/** The filter without lists of one, so that entries are looked for in records of the type only. */
function withoutSingles(filter: Filter): Filter {
  const inner = mapInner(filter, withoutSingles)
  if (inner.kind !== 'all' && inner.kind !== 'any') return inner
  const of = inner.of.flatMap(each => (each.kind === inner.kind ? each.of : [each]))
  return of.length === 1 ? (of[0] as Filter) : { ...inner, of }
}

/** Whether the values at a path are identifiers of records. */
const isIdentifierPath = ({ kind }: FilterPath) => kind === 'id' || kind === 'identifiers' || kind === 'relation_key'

/** How a client names the position of a record: its latitude and longitude. */
const positionKeys = ['properties.<name>.geojson', 'metadata.<name>.geojson', 'location', 'position']
const isPositionKey = (key: string) =>
  /^(?:(?:properties|metadata)\.\w+\.geojson|location|position)$/.test(withoutPrefix(key)) || key === positionKeys[0]

/** A path to entries of the record itself. */
const isEntryPath = (path: FilterPath): path is FilterPath & EntryPath =>
  path.kind === 'metadata' || (path.kind === 'relation_key' && !path.through)
