import { table } from '#domain/table.ts'
import { readDate } from '#domain/values/dates.ts'
import { withLowerCaseUuids } from '#domain/entity/ids.ts'
import { maxOwnerSteps, ownerRelations } from '#domain/entity/owners.ts'
import type { FieldTest, Filter, SearchWord } from '#domain/filter/filter.ts'
import { foldText } from '#domain/values/fold.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { Model } from '#domain/record-types/model.ts'
import { atPlaces, field, type FieldPlace, leadingThrough } from '#domain/search/search-fields.ts'
import { nameMark, otherForms } from '#domain/search/search.ts'
import { wordsOf } from '#domain/search/search-words.ts'
import { findLanguage } from '#formats/description/languages.ts'
import { SruError } from './diagnostics.ts'
import { findIndex, type SruIndex } from './indexes.ts'
import type { CqlClause, CqlNode, CqlOperator } from './parse-cql.ts'
import { type MaskedText, plainTerm, readPhrase, readWords } from './read-term.ts'

/** The scope of a query. */
export interface CqlScope {
  readonly model: Model
  /** The types of the database. */
  readonly types: readonly string[]
}

/** The part of a query that one edition meets, and the part that every match meets by itself. */
interface Split {
  readonly together: readonly Filter[]
  readonly beside: readonly Filter[]
}

/**
 * Turns a query into a filter. Clauses that are joined by `and` are met by one record with all that
 * it belongs to, as the choices of a search are (decision 41): by the publication itself, by an
 * edition of a work. `or` and `not` join what their sides find. Throws an `SruError` for
 * unsupported queries.
 */
export function cqlToFilter(scope: CqlScope, node: CqlNode): Filter {
  const { together, beside } = split(scope, node)
  return all([...(together.length > 0 ? [reaching(scope, all(together))] : []), ...beside])
}

function split(scope: CqlScope, node: CqlNode): Split {
  if (node.kind === 'clause') return clauseToFilter(scope, node)
  const [modifier] = node.modifiers
  if (node.operator === 'prox') throw new SruError(39, 'prox')
  if (modifier) throw new SruError(46, modifier.name)
  const left = split(scope, node.left)
  if (node.operator === 'not') return { ...left, beside: [...left.beside, not(cqlToFilter(scope, node.right))] }
  const right = split(scope, node.right)
  if (node.operator === 'and')
    return { together: [...left.together, ...right.together], beside: [...left.beside, ...right.beside] }
  return left.beside.length + right.beside.length > 0
    ? { together: [], beside: [any([cqlToFilter(scope, node.left), cqlToFilter(scope, node.right)])] }
    : { together: [any([all(left.together), all(right.together)])], beside: [] }
}

/** Finds the records of a database by what belongs to them: works by their editions. */
const reaching = (scope: CqlScope, of: Filter): Filter => (hasEditions(scope) ? { kind: 'whole_of', of } : of)

/** Whether records of a database have parts that are found by themselves; copies are not. */
const hasEditions = ({ model, types }: CqlScope): boolean => {
  const isHere = new Set(types)
  return ownerRelations(model).some(
    ({ relation, from }) =>
      relation !== holdings.ofPublication &&
      from.some(type => targetsOf(model, type, relation).some(to => isHere.has(to)))
  )
}

/** The types that a relation of a type leads to. */
const targetsOf = (model: Model, type: string, relation: string) =>
  (model.findType(type)?.relations[relation]?.to ?? []).flatMap(name => model.typesNamed(name))

/** Finds the index of a clause. Throws a diagnostic that names it. */
export function indexOf(clause: Pick<CqlClause, 'index' | 'prefixes'>): SruIndex {
  const found = findIndex(clause.index, clause.prefixes)
  if ('index' in found) return found.index
  throw new SruError(found.unknown === 'set' ? 15 : 16, clause.index)
}

/**
 * Filters records with exactly this text in an index, except for case and diacritics. Faster than
 * words, since an index supports it.
 */
export const havingExactly = (scope: CqlScope, index: SruIndex, text: string): Filter =>
  reaching(
    scope,
    onLine(index, atPlaces(possiblePlaces(scope, index.places), { kind: 'pattern', pieces: [foldText(text)] }))
  )

/** A test of a record with all that it belongs to, unless the index is about the record alone. */
const onLine = ({ isOwn }: SruIndex, of: Filter): Filter => (isOwn ? of : { kind: 'part_of', of })

type Reading = (clause: CqlClause, relation: string, index: SruIndex, scope: CqlScope) => Filter

const readings: Readonly<Record<SruIndex['kind'], Reading>> = {
  all: () => ({ kind: 'all', of: [] }),
  text: textFilter,
  any: anywhereFilter,
  code: codeFilter,
  year: yearFilter,
  moment: momentFilter,
  isbn: isbnFilter,
  identifier: identifierFilter,
  type: typeFilter
}

/** Kinds of indexes that say something about records themselves, such as when they were changed. */
const aboutRecords: ReadonlySet<SruIndex['kind']> = new Set(['all', 'any', 'moment', 'identifier', 'type'])

function clauseToFilter(scope: CqlScope, clause: CqlClause): Split {
  const found = indexOf(clause)
  const [places, otherwise] = [found.places, found.otherwise ?? []].map(each => possiblePlaces(scope, each))
  const index: SruIndex = { ...found, places: places ?? [], otherwise: otherwise ?? [] }
  const relation = relationOf(clause)
  const read = (as: string) => readings[index.kind](clause, as, index, scope)
  if (aboutRecords.has(index.kind))
    return { together: [], beside: [relation === '<>' ? not(read('==')) : read(relation)] }
  const met = (as: string) => onLine(index, read(as))
  return relation === '<>'
    ? { together: [], beside: [not(reaching(scope, met('==')))] }
    : { together: [met(relation)], beside: [] }
}

/** The places that records of the database or on their lines may have; others need no search. */
function possiblePlaces(scope: CqlScope, places: readonly FieldPlace[]): FieldPlace[] {
  const types = typesOnLines(scope)
  return places.filter(place => canBeAt(scope.model, types, place))
}

/** The types of a database, of what its records belong to, and of what belongs to them. */
function typesOnLines({ model, types }: CqlScope): readonly string[] {
  const found = new Set(types)
  const owners = ownerRelations(model).flatMap(({ relation, from }) =>
    from.map(type => ({ type, above: targetsOf(model, type, relation) }))
  )
  for (let steps = 0; steps < maxOwnerSteps; steps++)
    for (const { type, above } of owners)
      if (found.has(type) || above.some(to => found.has(to))) for (const each of [type, ...above]) found.add(each)
  return [...found]
}

/** Whether records of some types have such a field or relation. */
function canBeAt(model: Model, types: readonly string[], { from, through, path }: FieldPlace): boolean {
  const referring = model.recordTypes.filter(each => from !== undefined && each.relations[from] !== undefined)
  let here = from === undefined ? types : referring.map(({ type }) => type)
  for (const relation of through) here = here.flatMap(type => targetsOf(model, type, relation))
  return here.some(type => {
    const table = model.findType(type)
    if (path.kind === 'metadata') return table?.fields[path.key] !== undefined
    return path.kind === 'relation_name' ? table?.relations[path.type] !== undefined : table !== undefined
  })
}

const relationNames = ['=', '==', '<>', '<', '<=', '>', '>=', 'any', 'all', 'adj', 'within', 'encloses'] as const
const sameRelation: Readonly<Record<string, string>> = table({ exact: '==', scr: '=' })

/** Modifiers that ask for folding, which is always done. */
const harmlessModifiers: ReadonlySet<string> = new Set([
  'ignorecase',
  'ignoreaccents',
  'masked',
  'unmasked',
  'word',
  'string'
])

function relationOf({ relation }: CqlClause): string {
  const given = relation.name.replace(/^cql\./, '')
  const name = Object.hasOwn(sameRelation, given) ? (sameRelation[given] ?? given) : given
  if (!(relationNames as readonly string[]).includes(name)) throw new SruError(19, relation.name)
  for (const { name: modifier } of relation.modifiers)
    if (!harmlessModifiers.has(modifier.replace(/^cql\./, ''))) throw new SruError(20, modifier)
  return name === '=' && has(relation, 'string') ? '==' : name
}

const has = ({ modifiers }: CqlClause['relation'], name: string) =>
  modifiers.some(modifier => modifier.name.replace(/^cql\./, '') === name)

const isMasked = ({ relation }: CqlClause) => !has(relation, 'unmasked')

const unfit = (clause: CqlClause): never => {
  throw new SruError(22, `${clause.index} ${clause.relation.name}`)
}

const any = (of: readonly Filter[]): Filter => ({ kind: 'any', of })
const all = (of: readonly Filter[]): Filter => ({ kind: 'all', of })
const not = (of: Filter): Filter => ({ kind: 'not', of })

const wordsTest = (text: MaskedText): FieldTest => ({ kind: 'words', ...text })

function textFilter(clause: CqlClause, relation: string, { places }: SruIndex): Filter {
  const { term } = clause
  const found = (text: MaskedText) => atPlaces(places, wordsTest(text))
  switch (relation) {
    case '=':
    case 'adj':
      return found(readPhrase(term, isMasked(clause)))
    case '==':
      return found({ ...readPhrase(term, isMasked(clause)), atStart: true, atEnd: true })
    case 'any':
      return any(readWords(term, isMasked(clause)).map(found))
    case 'all':
      return all(readWords(term, isMasked(clause)).map(found))
    default:
      return unfit(clause)
  }
}

/**
 * Finds each word anywhere, not all in one field: people type an author and a title. The word index
 * covers every text of a record, of the records above it, and the names of related ones; it
 * supports masks at the end only. Words that must all occur are one search, which orders the
 * records.
 */
function anywhereFilter(clause: CqlClause, relation: string, index: SruIndex, scope: CqlScope): Filter {
  const anywhere = (of: Filter) => reaching(scope, onLine(index, of))
  const isEach = relation === '=' || relation === 'all' || relation === 'any'
  if (!isEach) return anywhere(textFilter(clause, relation, index))
  const texts = readWords(clause.term, isMasked(clause))
  const searched = texts.flatMap(text => {
    const word = toSearchWord(text)
    return word ? { ...word, ...(word.isBeginning ? {} : otherForms(word.word, texts.length === 1)) } : []
  })
  const others = texts.filter(text => toSearchWord(text) === undefined)
  const masked = others.map(text => anywhere(atPlaces(index.places, wordsTest(text))))
  const name = nameMark(searched.map(({ word }) => word))
  const found =
    relation === 'any'
      ? any([...searched.map(word => searchOf([word], '')), ...masked])
      : all([...(searched.length > 0 ? [searchOf(searched, others.length > 0 ? '' : name)] : []), ...masked])
  return relation === '=' && readIsbn(clause.term)?.checkDigitIsRight
    ? any([anywhere(isbnFilter(clause, relation, index)), found])
    : found
}

const searchOf = (words: readonly SearchWord[], name: string): Filter => ({ kind: 'search', search: { words, name } })

/** The sides of an operator that every match meets. */
const sidesOfMatches: Readonly<Record<CqlOperator, readonly ('left' | 'right')[]>> = {
  and: ['left', 'right'],
  not: ['left'],
  or: [],
  prox: []
}

/** The words that every match, or a part of it, has in its titles, names of makers or subjects. */
export function rankingWords(node: CqlNode): SearchWord[] {
  if (node.kind === 'boolean') {
    const words = sidesOfMatches[node.operator].flatMap(side => rankingWords(node[side]))
    return words.filter((each, place) => words.findIndex(({ word }) => word === each.word) === place)
  }
  const { kind, ranks = false } = indexOf(node)
  const relation = relationOf(node)
  if (kind !== 'text' || !ranks || !['=', 'adj', '==', 'all'].includes(relation)) return []
  return readWords(node.term, isMasked(node)).flatMap(text => toSearchWord(text) ?? [])
}

/** A word, or the beginning of one, in terms of the word index; undefined for other masks. */
function toSearchWord({ pieces, atStart, atEnd }: MaskedText): SearchWord | undefined {
  const [first, second, ...rest] = pieces
  if (!first || !('text' in first) || rest.length > 0 || atStart || atEnd) return undefined
  const isBeginning = second !== undefined
  if (isBeginning && !('mask' in second && second.mask === 'any')) return undefined
  const typed = wordsOf(first.text)
  const [word] = typed
  return word !== undefined && typed.length === 1 ? { word, isBeginning, typos: 0 } : undefined
}

/** A related record matches by its code or by its name. */
function codeFilter(clause: CqlClause, relation: string, index: SruIndex): Filter {
  if (relation !== '=' && relation !== '==' && relation !== 'any') return unfit(clause)
  const { otherwise = [] } = index
  const found = codeAt(clause, relation, index)
  if (otherwise.length === 0) return found
  const hasNone: Filter = { kind: 'not', of: atPlaces(index.places, { kind: 'present' }) }
  return any([found, all([hasNone, codeAt(clause, relation, { ...index, places: otherwise })])])
}

function codeAt(clause: CqlClause, relation: string, index: SruIndex): Filter {
  const given = relation === 'any' ? plainTerm(clause.term).split(/\s+/u) : [plainTerm(clause.term)]
  // MARC has other codes for some languages (dut, ger), other programs have short ones (nl).
  const codes = given.flatMap(each => [each, findLanguage(each)?.code ?? each])
  const test: FieldTest = { kind: 'equals', values: [...new Set(codes)] }
  const byCode = index.places.flatMap(({ through, path }) =>
    path.kind === 'relation_name'
      ? [leadingThrough([...through, path.type], { kind: 'field', path: { kind: 'metadata', key: 'code' }, test })]
      : []
  )
  return any([...byCode, textFilter(clause, relation, index)])
}

function yearFilter(clause: CqlClause, relation: string, { places }: SruIndex): Filter {
  const term = plainTerm(clause.term)
  const years = term.split(/\s+/u).map(text => {
    if (!/^-?\d{1,4}$/.test(text)) throw new SruError(36, term)
    return Number(text)
  })
  const [year = 0, last] = years
  if (years.length !== (relation === 'within' ? 2 : relation === 'any' ? years.length : 1)) throw new SruError(36, term)
  const between = (min: number | undefined, max: number | undefined, included = true): Filter =>
    atPlaces(places, {
      kind: 'number',
      min: min === undefined ? undefined : { value: min, included },
      max: max === undefined ? undefined : { value: max, included }
    })
  switch (relation) {
    case '=':
    case '==':
      return between(year, year)
    case 'any':
      return any(years.map(each => between(each, each)))
    case '<':
      return between(undefined, year, false)
    case '<=':
      return between(undefined, year)
    case '>':
      return between(year, undefined, false)
    case '>=':
      return between(year, undefined)
    case 'within':
      return between(year, last)
    default:
      return unfit(clause)
  }
}

/** Earlier and later than every stored value. */
const always = [-62_167_219_200_000, 253_402_300_799_999] as const

function momentFilter(clause: CqlClause, relation: string, { places }: SruIndex): Filter {
  const term = plainTerm(clause.term)
  const dates = (relation === 'within' ? term.split(/\s+/u) : [term]).map(text => {
    const date = readDate(text)
    if (!date) throw new SruError(36, term)
    return date
  })
  const [first, second] = dates
  if (!first || (relation === 'within' && dates.length !== 2)) throw new SruError(36, term)
  const between = (from: number, to: number) => atPlaces(places, { kind: 'instant', from, to })
  switch (relation) {
    case '=':
    case '==':
      return between(first.first, first.last)
    case '<':
      return between(always[0], first.first - 1)
    case '<=':
      return between(always[0], first.last)
    case '>':
      return between(first.last + 1, always[1])
    case '>=':
      return between(first.first, always[1])
    case 'within':
      return between(first.first, second?.last ?? first.last)
    default:
      return unfit(clause)
  }
}

/** The term of an index that is compared as a whole: a mask would silently find nothing. */
function unmaskedTerm(clause: CqlClause): string {
  if (isMasked(clause) && /(?<!\\)[*?]/.test(clause.term)) throw new SruError(28, clause.term)
  return plainTerm(clause.term)
}

function isbnFilter(clause: CqlClause, relation: string, { places }: SruIndex): Filter {
  const term = unmaskedTerm(clause)
  if (relation !== '=' && relation !== '==' && relation !== 'any' && relation !== 'adj') return unfit(clause)
  const given = relation === 'any' ? term.split(/\s+/u) : [term]
  return atPlaces(places, { kind: 'equals', values: given.flatMap(each => [each, readIsbn(each)?.comparable ?? each]) })
}

function identifierFilter(clause: CqlClause, relation: string, index: SruIndex, scope: CqlScope): Filter {
  const term = unmaskedTerm(clause)
  if (relation !== '=' && relation !== '==' && relation !== 'any') return unfit(clause)
  const identifiers = relation === 'any' ? term.split(/\s+/u) : [term]
  const byIdentifier: Filter = { kind: 'identifiers', identifiers: withLowerCaseUuids(identifiers) }
  if (index.places.length === 0) return byIdentifier
  // Numbers of another kind have their scheme in brackets after them; 035 has it before.
  const others = identifiers.map(each =>
    any([
      atPlaces([field('other_number')], { kind: 'pattern', pieces: [`${foldText(each)} (`, ''] }),
      atPlaces([field('identifier')], { kind: 'equals', values: [each] })
    ])
  )
  return any([byIdentifier, reaching(scope, any([isbnFilter(clause, relation, index), ...others]))])
}

/** A type of record by its name, or a genre. */
function typeFilter(clause: CqlClause, relation: string, index: SruIndex, scope: CqlScope): Filter {
  const types = relation === '=' || relation === '==' ? scope.model.typesNamed(plainTerm(clause.term)) : []
  const byGenre = reaching(scope, onLine(index, textFilter(clause, relation, index)))
  return types.length > 0 ? any([{ kind: 'types', types }, byGenre]) : byGenre
}
