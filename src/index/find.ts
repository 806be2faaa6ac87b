import type { Filter, Search } from '#domain/filter/filter.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import type { FieldName } from '#domain/filter/field-names.ts'
import { ownerRelation, workLevel } from '#domain/entity/owners.ts'
import type { Order } from '#domain/filter/order.ts'
import type { SpeltWord } from '#domain/search/rephrase.ts'
import { mayHaveTypos, searchesIn, splitSearch } from '#domain/search/search.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import type { EntryCandidate, EntryFilter } from './entries.ts'
import { type Evaluation, evaluateFilter } from './evaluate-filter.ts'
import type { FacetValue } from './facet-counts.ts'
import { countFacets } from './facets.ts'
import { changedAfter, sortedByChange } from './facts.ts'
import { type Fit, isForSorted, type Ordering, orderingOf, type Position } from './order.ts'
import { beyond, narrowToPage, selectFirst, walkFrom } from './select-page.ts'
import { countFacetByGroup } from './facets-by-group.ts'
import { describeGroups, type Group, type Grouped, groupDocuments } from './group-by-work.ts'
import { unknownNames } from './known-names.ts'
import { type Found, findSearched } from './search.ts'
import { spellingsOf } from './spellings.ts'
import { add, count, type DocumentSet, forEach, has, isEmpty, keepCommon, remove } from './sets.ts'
import { checkTime, step } from './time-limit.ts'
import { editionsOfWorks, type WorkEditions } from './work-editions.ts'

export interface FindQuery extends Scope {
  readonly filter: Filter
  readonly order: Order
  readonly skip: number
  readonly limit: number
  /** Go on after this place, or before it. */
  readonly from?: { readonly position: Position; readonly backwards: boolean }
  readonly counted: boolean
  readonly facets?: { readonly paths: readonly FilterPath[]; readonly limit: number }
  /** Names in the query that no record type declares. */
  readonly names?: readonly FieldName[]
  /** Whether to describe the words of the search, if nothing matches. */
  readonly isSpelled?: boolean
  /** Answers only the numbers of matches of some of the filters that `filter` joins. */
  readonly countedEach?: CountedEach | undefined
  /** Whether to answer works with what matches of each; `facets` then says what they count. */
  readonly groupBy?: { readonly facets: 'groups' | 'records' }
  /** Whether to find the editions of the works of the page. */
  readonly isSummarised?: boolean
  /**
   * A relation: of the matches that lead by it to a document only the first in the order is found,
   * or the first and the last. The count is that of all matches.
   */
  readonly endsBy?: EndsBy
}

export interface EndsBy {
  readonly relation: string
  /** Whether the last is wanted too: the first in the opposite order. */
  readonly isLastToo: boolean
}

/** Filters to count, by their places: of each list the first group in which any matches. */
export interface CountedEach {
  readonly lists: readonly (readonly (readonly number[])[])[]
  /** Number of matching filters of a group after which its others are not counted. */
  readonly maxMatching: number
}

export interface FindAnswer {
  readonly count: number
  /** The numbers of the documents of the page. */
  readonly numbers: readonly number[]
  readonly hasMore: boolean
  readonly first: Position | undefined
  readonly last: Position | undefined
  /** Whether words with typos were counted too, since nothing has the words as they stand. */
  readonly isLoose?: boolean
  readonly facets?: readonly (readonly FacetValue[])[]
  readonly spellings?: readonly SpeltWord[]
  /** The numbers of matches of filters that were counted, by their places. */
  readonly counts?: readonly (number | undefined)[]
  /** Those of the names that no document has. */
  readonly unknown?: readonly FieldName[]
  /** The groups of the page, whose heads are `numbers`, with the position of each. */
  readonly groups?: readonly (Group & { readonly position: Position })[]
  /** The number of all records of all groups. */
  readonly countRecords?: number
  /** The editions of the works of the page. */
  readonly works?: readonly WorkEditions[]
}

/**
 * Facts that only the database knows: the last change of documents up to an earlier change; none
 * for documents that did not exist then.
 */
export type ChangesBefore = (numbers: readonly number[], change: number) => ReadonlyMap<number, number>

/** The same: the documents that have the entry of a filter, of those that may have it. */
export type WithEntry = (filter: EntryFilter, candidates: readonly EntryCandidate[]) => readonly number[]

/** Counts filters until the matches that are wanted are known. */
function countSome({ lists, maxMatching }: CountedEach, countOf: (place: number) => number) {
  const counts: (number | undefined)[] = []
  for (const groups of lists)
    for (const group of groups) {
      let matching = 0
      for (const place of group) {
        if (matching === maxMatching) break
        const counted = countOf(place)
        counts[place] = counted
        if (counted > 0) matching++
      }
      if (matching > 0) break
    }
  return counts
}

/**
 * Finds a page of what matches a filter and may be read, with the exact count and facets over all
 * of it.
 */
export function find(
  index: CatalogueIndex,
  question: FindQuery,
  changesBefore: ChangesBefore,
  withEntry: WithEntry
): FindAnswer {
  const { filter, order, facets } = question
  if (question.countedEach) {
    const each = { ...question, countedEach: undefined, skip: 0, limit: 0 }
    const filters = filter.kind === 'any' ? filter.of : [filter]
    const counts = countSome(question.countedEach, place => {
      const inner = filters[place]
      return inner ? find(index, { ...each, filter: inner }, changesBefore, withEntry).count : 0
    })
    return { count: 0, numbers: [], hasMore: false, first: undefined, last: undefined, counts }
  }
  const searches = createSearches(index, question)
  const context: Evaluation = {
    ...question,
    search: search => searches.foundBy(search).set,
    entries(filter, candidates) {
      const set = index.newSet()
      for (const number of withEntry(filter, candidates)) {
        step()
        add(set, number)
      }
      return set
    }
  }
  let set = evaluateFilter(index, filter, context)
  const readable = readableIn(index, question)
  if (readable) {
    set = set.slice()
    keepCommon(set, readable)
  }
  checkTime()
  const main = order.isByRelevance ? (order.search ?? splitSearch(filter)?.search.search) : undefined
  const byChange = order.items.length === 1 && order.items[0]?.by === 'updated'
  const walk: Walk = main
    ? { set, ordering: byRelevance(index, ranksOf(searches.foundBy(main), order), searches.modes) }
    : byChange
      ? walkByChange(index, question, set, changesBefore)
      : { set, ordering: orderingOf(index, order, set, readable, question.groupBy !== undefined) }
  const grouped = question.groupBy && groupDocuments(index, walk.set, walk.ordering, readable)
  const opposite = () => orderingOf(index, { ...order, ascending: !order.ascending }, walk.set, readable, false)
  const walked = question.endsBy ? endsByTarget(index, walk, question.endsBy, opposite) : walk.set
  const page = pageInOrder(question, grouped?.heads ?? walked, grouped?.ordering ?? walk.ordering)
  checkTime()
  // A walk by the last change leaves out records that were written since it began.
  const counted = grouped && walk.set !== set ? groupDocuments(index, set, walk.ordering, readable) : grouped
  const [searched] = question.isSpelled && isEmpty(set) ? searchesIn(filter) : []
  return {
    count: question.counted ? count(counted?.heads ?? set) : 0,
    ...(searched ? { spellings: spellingsOf(index, searched.search) } : {}),
    ...(question.names ? { unknown: unknownNames(index, question.names, question, checkTime) } : {}),
    ...page,
    ...(grouped ? groupsOf(index, page.numbers, grouped, walk.ordering, readable) : {}),
    ...(grouped ? { countRecords: count(set) } : {}),
    ...(question.isSummarised ? { works: editionsOfWorks(index, page.numbers, readable) } : {}),
    ...(searches.modes === '' ? {} : { isLoose: searches.modes.includes('1') }),
    ...(facets
      ? {
          facets:
            counted && question.groupBy?.facets === 'groups'
              ? facets.paths.map(path => {
                  checkTime()
                  return countFacetByGroup(index, counted.all, path, facets.limit, question)
                })
              : countFacets(index, set, facets.paths, facets.limit, question)
        }
      : {})
  }
}

function groupsOf(
  index: CatalogueIndex,
  heads: readonly number[],
  grouped: Grouped,
  ordering: Ordering,
  readable: DocumentSet | undefined
): Pick<FindAnswer, 'groups'> {
  const groups = describeGroups(index, heads, grouped, ordering, readable)
  return { groups: groups.map(each => ({ ...each, position: grouped.ordering.positionOf(each.head) })) }
}

/** Documents to walk through, and their order. */
interface Walk {
  readonly set: DocumentSet
  readonly ordering: Ordering
}

/** Of the documents of a walk, the ends of those that lead to the same document. */
function endsByTarget(
  index: CatalogueIndex,
  { set, ordering }: Walk,
  { relation, isLastToo }: EndsBy,
  opposite: () => Ordering
): DocumentSet {
  const found = index.newSet()
  const relations = index.relatives.by(relation)
  for (const { compare } of isLastToo ? [ordering, opposite()] : [ordering]) {
    const ends = new Map<number, number>()
    forEach(set, document =>
      relations.forEachOf(document, target => {
        const end = ends.get(target)
        if (target >= 0 && (end === undefined || compare(document, end) < 0)) ends.set(target, document)
      })
    )
    for (const document of ends.values()) add(found, document)
  }
  return found
}

interface Searches {
  /**
   * For each search of the filter, in order: whether words with typos count. A cursor remembers it.
   */
  readonly modes: string
  foundBy(search: Search): Found
}

/**
 * Words with typos count only where nothing that may be read has the words as they stand, whatever
 * else is asked for.
 */
function createSearches(index: CatalogueIndex, question: FindQuery): Searches {
  const { filter, order, from } = question
  const all = searchesIn(filter).flatMap(({ search }) => (search.words.length > 0 ? [search] : []))
  const readable = readableIn(index, question)
  const scope = { readable }
  const known = new Map<string, Found>()
  /** Searches as texts: the same one may be there many times. */
  const texts = new Map<Search, string>()
  const textOf = (search: Search) => {
    const text = texts.get(search) ?? JSON.stringify(search)
    texts.set(search, text)
    return text
  }
  const findBy = (search: Search, isLoose: boolean): Found => {
    const key = `${isLoose} ${textOf(search)}`
    let found = known.get(key)
    if (!found) {
      found = findSearched(index, search, isLoose, scope)
      known.set(key, found)
    }
    return found
  }
  const hasReadable = ({ set }: Found) => {
    if (!readable) return !isEmpty(set)
    for (let at = 0; at < set.length; at++) if (((set[at] as number) & (readable[at] as number)) !== 0) return true
    return false
  }
  /** A filter may have the same search many times. */
  const foundAsTheyStand = new Map<Found, boolean>()
  const isFoundAsItStands = (search: Search) => {
    const found = findBy(search, false)
    const isFound = foundAsTheyStand.get(found) ?? hasReadable(found)
    foundAsTheyStand.set(found, isFound)
    return isFound
  }
  const given = order.isByRelevance ? from?.position.values[0] : undefined
  const modes = given ?? all.map(search => (!mayHaveTypos(search) || isFoundAsItStands(search) ? '0' : '1')).join('')
  const modeOf = new Map(all.map((search, at) => [search, modes[at] === '1']))
  return { modes, foundBy: search => findBy(search, modeOf.get(search) === true) }
}

type Ranks = Omit<Found, 'set'>

/** The costs of documents, also of those that the search of an order did not find. */
function ranksOf(found: Found, { search }: Order): Ranks {
  const { set, scoreOf } = found
  return search ? { scoreOf: number => (has(set, number) ? scoreOf(number) : notFoundCost) } : found
}

/** Higher than any sum over the words of a search. */
const notFoundCost = 1e15 - 1

/** The lowest cost comes first, then works, then records that belong to no other. */
function byRelevance(index: CatalogueIndex, { scoreOf, keys }: Ranks, modes: string): Ordering {
  const rankOf = kindRanks(index)
  const fit: Fit = {
    compare: (one, other) => scoreOf(one) - scoreOf(other) || rankOf(one) - rankOf(other),
    compareWith: ({ values }) => {
      const [score, rank] = [Number(values[1]), Number(values[2])]
      return number => scoreOf(number) - score || rankOf(number) - rank
    }
  }
  return {
    fit,
    ...(keys ? { first: { keys, isDescending: false, next: rankOf } } : {}),
    compare: (one, other) => fit.compare(one, other) || one - other,
    compareWith: position => {
      const compare = fit.compareWith(position)
      return number => compare(number) || number - position.sequence
    },
    positionOf: number => ({ values: [modes, String(scoreOf(number)), String(rankOf(number))], sequence: number })
  }
}

/** For a document 0 if it is a work, 2 if it is part of another record, else 1. */
function kindRanks(index: CatalogueIndex): (number: number) => number {
  const { places, texts } = index.types
  const ranks = Uint8Array.from(texts, type =>
    index.model.umbrellaOf(type) === workLevel ? 0 : ownerRelation(index.model, type) === undefined ? 1 : 2
  )
  return number => ranks[places[number] as number] as number
}

type Page = Pick<FindAnswer, 'numbers' | 'hasMore' | 'first' | 'last'>

function pageInOrder({ skip, limit, from }: FindQuery, set: DocumentSet, ordering: Ordering): Page {
  if (limit === 0) return { numbers: [], hasMore: false, first: undefined, last: undefined }
  const backwards = from?.backwards === true
  // One more than asked for tells whether there is a next page.
  const found = ordering.byNumber
    ? walkFrom(set, from?.position.sequence, (ordering.byNumber === 'ascending') !== backwards, skip, limit + 1)
    : selectIn(set, ordering, skip, limit + 1, from)
  const numbers = found.slice(0, limit)
  if (backwards) numbers.reverse()
  const [first] = numbers
  const last = numbers.at(-1)
  return {
    numbers,
    hasMore: found.length > limit,
    first: first === undefined ? undefined : ordering.positionOf(first),
    last: last === undefined ? undefined : ordering.positionOf(last)
  }
}

function selectIn(
  set: DocumentSet,
  ordering: Ordering,
  skip: number,
  limit: number,
  from: FindQuery['from']
): number[] {
  const backwards = from?.backwards === true
  const { sorted } = ordering
  const compareWith = from && ordering.compareWith(from.position)
  const part = sorted
    ? narrowToPage(set, sorted, {
        key: from && sorted.keyAt(from.position),
        backwards,
        isBeyond: number => !compareWith || (backwards ? compareWith(number) < 0 : compareWith(number) > 0),
        wanted: skip + limit
      })
    : set
  const rest = compareWith ? beyond(part, compareWith, backwards) : part
  const compare = backwards ? (one: number, other: number) => ordering.compare(other, one) : ordering.compare
  return selectFirst(rest, compare, skip, limit, backwards ? undefined : ordering.first)
}

/**
 * By the last change. A document that is changed while somebody walks the list moves to its end,
 * and would be met twice or never. So a walk remembers the newest change at its beginning, and
 * everything stands where it stood then.
 */
function walkByChange(
  index: CatalogueIndex,
  { order, from }: FindQuery,
  set: DocumentSet,
  changesBefore: ChangesBefore
): Walk {
  const beginning = from ? Number(from.position.values[0]) : index.change
  const moved = from ? changedAfter(index, set, beginning) : []
  const places = moved.length > 0 ? changesBefore(moved, beginning) : undefined
  let walked = set
  if (places) {
    walked = set.slice()
    for (const number of moved) {
      step()
      if (!places.has(number)) remove(walked, number)
    }
  }
  const changeOf = (number: number) => places?.get(number) ?? index.changedOf(number)
  const sign = order.ascending ? 1 : -1
  const byChange = sortedByChange(index, beginning)
  const sorted = {
    ...byChange,
    keyAt: ({ sequence }: Position) => sequence,
    isDescending: !order.ascending,
    moved: [...byChange.moved, ...moved]
  }
  const ordering: Ordering = {
    compare: (one, other) => (changeOf(one) - changeOf(other)) * sign,
    compareWith:
      ({ sequence }) =>
      number =>
        (changeOf(number) - sequence) * sign,
    positionOf: number => ({ values: [String(beginning)], sequence: changeOf(number) }),
    ...(isForSorted(index, set) ? { sorted } : {})
  }
  return { set: walked, ordering }
}
