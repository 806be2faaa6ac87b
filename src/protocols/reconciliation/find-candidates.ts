import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import { firstCharacters, foldText } from '#domain/values/fold.ts'
import { maxFilterTextLength } from '#domain/search/index-values.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import type { Model } from '#domain/record-types/model.ts'
import { byRelevance, type Order } from '#domain/filter/order.ts'
import type { Principal } from '#domain/permissions.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { readSearch } from '#domain/search/search.ts'
import { findEntity } from './property-values.ts'
import type { PropertyQuery, ReconciliationQuery } from './read-queries.ts'
import { wordsOf } from './score-name.ts'
import { isRelation, matchableTypes, nameKeys, readTypes } from './vocabulary.ts'

/** Maximum candidates of each kind of search. */
const maxCandidatesPerSearch = 100

/** Maximum words of a name to search for: more cost more than they find. */
const maxWords = 6

export interface Caller {
  readonly catalogue: Catalogue
  readonly model: Model
}

/**
 * Finds candidates: records with this name, in either order of its parts; records that a search for
 * it finds, typos included; and where these are few, records with one of its longest words. With
 * properties alone, records that have the values.
 */
export async function findCandidates(
  { catalogue, model }: Caller,
  principal: Principal,
  { query, types: named, limit, properties }: ReconciliationQuery
): Promise<Entity[]> {
  const types = typesAsked(model, principal, named)
  const candidates = new Map<string, Entity>()
  if (types.length === 0) return []
  const look = async (filter: Filter | undefined, order?: Order) => {
    for (const each of await lookFor(catalogue, principal, filter, order)) candidates.set(each.id, each)
  }

  if (query === undefined) {
    await look(withValues(model, types, properties))
    return [...candidates.values()]
  }
  const direct = await findEntity(catalogue, principal, query.trim())
  if (direct && types.some(({ type }) => type === direct.type)) candidates.set(direct.id, direct)
  await look(calledSo(types, query))
  const words = wordsOf(query)
  if (words.length === 0) return [...candidates.values()]
  await look(searchFor(types, query), byRelevance)
  if (candidates.size < limit) await look(withWords(types, words, 'any'))
  return [...candidates.values()]
}

/** Records whose name begins with the text; where these are few, records with all its words. */
export async function findBeginning(
  { catalogue, model }: Caller,
  principal: Principal,
  beginning: string,
  named: readonly string[],
  enough: number
): Promise<Entity[]> {
  const types = typesAsked(model, principal, named)
  if (types.length === 0) return []
  const pieces = [foldText(beginning.trim()), '']
  const begin = await lookFor(
    catalogue,
    principal,
    inNames(types, key => field(key, { kind: 'pattern', pieces }))
  )
  // One or two letters occur in nearly every name.
  const words = wordsOf(beginning).filter(word => word.length > 2)
  if (begin.length >= enough || words.length === 0) return begin
  const others = await lookFor(catalogue, principal, withWords(types, words, 'all'))
  return [...new Map([...begin, ...others].map(each => [each.id, each])).values()]
}

const typesAsked = (model: Model, principal: Principal, named: readonly string[]): RecordType[] =>
  named.length === 0 ? matchableTypes(model, principal) : named.flatMap(name => readTypes(model, principal, name))

const byCreation: Order = { items: [{ by: 'created' }], ascending: true }

async function lookFor(
  catalogue: Catalogue,
  principal: Principal,
  filter: Filter | undefined,
  order = byCreation
): Promise<Entity[]> {
  if (!filter) return []
  const { entities } = await catalogue.lists.entities(principal, {
    filter,
    order,
    skip: 0,
    limit: maxCandidatesPerSearch,
    cursor: undefined,
    isCounted: false
  })
  return entities.map(each => JSON.parse(each.json) as Entity)
}

/** Filters records by their whole name. */
function calledSo(types: readonly RecordType[], query: string): Filter {
  const comma = query.indexOf(',')
  const words = query.trim().split(/\s+/)
  const turned =
    comma >= 0
      ? [`${query.slice(comma + 1).trim()} ${query.slice(0, comma).trim()}`]
      : words.slice(1).map((_, index) => `${words.slice(index + 1).join(' ')}, ${words.slice(0, index + 1).join(' ')}`)
  const names = [query.trim(), ...turned.slice(0, maxWords)].map(foldText)
  return inNames(types, key => anyOf(names.map(name => field(key, { kind: 'pattern', pieces: [name] }))))
}

/** Filters records by the words of a text, typos included. */
const searchFor = (types: readonly RecordType[], text: string): Filter => ({
  kind: 'all',
  of: [
    { kind: 'types', types: types.map(({ type }) => type) },
    { kind: 'search', search: readSearch(firstCharacters(text, maxFilterTextLength)) }
  ]
})

/** Filters records by words in one of their names. */
function withWords(types: readonly RecordType[], words: readonly string[], how: 'all' | 'any'): Filter | undefined {
  const long = words.filter(word => word.length > 2)
  const wanted = (long.length > 0 ? long : words).toSorted((one, other) => other.length - one.length)
  const taken = wanted.slice(0, how === 'all' ? maxWords : 3)
  if (taken.length === 0) return undefined
  return inNames(types, key => {
    const tests = taken.map(word => field(key, { kind: 'contains', folded: [word] }))
    return how === 'all' ? { kind: 'all', of: tests } : anyOf(tests)
  })
}

function withValues(model: Model, types: readonly RecordType[], properties: readonly PropertyQuery[]): Filter {
  const tests = properties
    .filter(({ values }) => values.length > 0)
    .map(({ pid, values }) =>
      anyOf(
        values.map((value): Filter => {
          if ('id' in value) return isRelatedTo(pid, [value.id])
          const pieces = [foldText(value.text.trim())]
          if (isRelation(pid))
            return { kind: 'field', path: { kind: 'relation_name', type: pid }, test: { kind: 'pattern', pieces } }
          const isbn = model.isIsbnKey(pid) ? readIsbn(value.text)?.comparable : undefined
          return field(pid, { kind: 'pattern', pieces: [isbn ?? pieces[0] ?? ''] })
        })
      )
    )
  return { kind: 'all', of: [{ kind: 'types', types: types.map(({ type }) => type) }, ...tests] }
}

/** A filter on the names of types; types with the same name fields are combined. */
function inNames(types: readonly RecordType[], test: (key: string) => Filter): Filter {
  const groups = Map.groupBy(types, recordType => nameKeys(recordType).join())
  return anyOf(
    [...groups].map(([keys, group]) => ({
      kind: 'all',
      of: [{ kind: 'types', types: group.map(({ type }) => type) }, anyOf(keys.split(',').map(test))]
    }))
  )
}

const field = (key: string, test: Extract<Filter, { kind: 'field' }>['test']): Filter => ({
  kind: 'field',
  path: { kind: 'metadata', key },
  test
})

const anyOf = (of: readonly Filter[]): Filter => ({ kind: 'any', of })
