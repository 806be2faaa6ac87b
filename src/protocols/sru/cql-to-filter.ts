import { table } from '#domain/table.ts'
import { readDate } from '#domain/values/dates.ts'
import { withLowerCaseUuids } from '#domain/entity/ids.ts'
import type { FieldTest, Filter, SearchWord } from '#domain/filter/filter.ts'
import { foldText } from '#domain/values/fold.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import type { Model } from '#domain/record-types/model.ts'
import { atPlaces, type FieldPlace, leadingThrough } from '#domain/search/search-fields.ts'
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

/** Turns a query into a filter. Throws an `SruError` for unsupported queries. */
export function cqlToFilter(scope: CqlScope, node: CqlNode): Filter {
  if (node.kind === 'clause') return clauseToFilter(scope, node)
  const [modifier] = node.modifiers
  if (node.operator === 'prox') throw new SruError(39, 'prox')
  if (modifier) throw new SruError(46, modifier.name)
  const left = cqlToFilter(scope, node.left)
  const right = cqlToFilter(scope, node.right)
  switch (node.operator) {
    case 'and':
      return all([left, right])
    case 'or':
      return any([left, right])
    case 'not':
      return all([left, { kind: 'not', of: right }])
  }
}

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
export const havingExactly = (scope: CqlScope, { places }: SruIndex, text: string): Filter =>
  atPlaces(
    places.filter(place => canBeAt(scope, place)),
    { kind: 'pattern', pieces: [foldText(text)] }
  )

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

function clauseToFilter(scope: CqlScope, clause: CqlClause): Filter {
  const found = indexOf(clause)
  const possible = (places: readonly FieldPlace[] = []) => places.filter(place => canBeAt(scope, place))
  const index = { ...found, places: possible(found.places), otherwise: possible(found.otherwise) }
  const relation = relationOf(clause)
  if (relation === '<>') return { kind: 'not', of: readings[index.kind](clause, '==', index, scope) }
  return readings[index.kind](clause, relation, index, scope)
}

/** Whether record types of the database have such a field or relation; others need no search. */
function canBeAt({ model, types }: CqlScope, { from, through, path }: FieldPlace): boolean {
  const referring = model.recordTypes.filter(each => from !== undefined && each.relations[from] !== undefined)
  let here = from === undefined ? types : referring.map(({ type }) => type)
  for (const relation of through)
    here = here
      .flatMap(type => model.findType(type)?.relations[relation]?.to ?? [])
      .flatMap(name => model.typesNamed(name))
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
function anywhereFilter(clause: CqlClause, relation: string, index: SruIndex): Filter {
  const isEach = relation === '=' || relation === 'all' || relation === 'any'
  if (!isEach) return textFilter(clause, relation, index)
  const texts = readWords(clause.term, isMasked(clause))
  const searched = texts.flatMap(text => {
    const word = toSearchWord(text)
    return word ? { ...word, ...(word.isBeginning ? {} : otherForms(word.word, texts.length === 1)) } : []
  })
  const others = texts.filter(text => toSearchWord(text) === undefined)
  const masked = others.map(text => atPlaces(index.places, wordsTest(text)))
  const name = nameMark(searched.map(({ word }) => word))
  const found =
    relation === 'any'
      ? any([...searched.map(word => searchOf([word], '')), ...masked])
      : all([...(searched.length > 0 ? [searchOf(searched, others.length > 0 ? '' : name)] : []), ...masked])
  return relation === '=' && readIsbn(clause.term)?.checkDigitIsRight
    ? any([isbnFilter(clause, relation, index), found])
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

/**
 * The words that every match has in its titles, names of makers or subjects, as far as the word
 * index can find them.
 */
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

function isbnFilter(clause: CqlClause, relation: string, { places }: SruIndex): Filter {
  const term = plainTerm(clause.term)
  if (relation !== '=' && relation !== '==' && relation !== 'any' && relation !== 'adj') return unfit(clause)
  const given = relation === 'any' ? term.split(/\s+/u) : [term]
  return atPlaces(places, { kind: 'equals', values: given.flatMap(each => [each, readIsbn(each)?.comparable ?? each]) })
}

function identifierFilter(clause: CqlClause, relation: string, index: SruIndex): Filter {
  const term = plainTerm(clause.term)
  if (relation !== '=' && relation !== '==' && relation !== 'any') return unfit(clause)
  const identifiers = relation === 'any' ? term.split(/\s+/u) : [term]
  const byIdentifier: Filter = { kind: 'identifiers', identifiers: withLowerCaseUuids(identifiers) }
  return index.places.length > 0 ? any([byIdentifier, isbnFilter(clause, relation, index)]) : byIdentifier
}

/** A type of record by its name, or a genre. */
function typeFilter(clause: CqlClause, relation: string, index: SruIndex, { model }: CqlScope): Filter {
  const types = relation === '=' || relation === '==' ? model.typesNamed(plainTerm(clause.term)) : []
  const byGenre = textFilter(clause, relation, index)
  return types.length > 0 ? any([{ kind: 'types', types }, byGenre]) : byGenre
}
