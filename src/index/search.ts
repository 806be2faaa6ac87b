import type { Search, SearchWord } from '#domain/filter/filter.ts'
import { pseudonymRelation } from '#domain/record-types/pseudonyms.ts'
import { cost, subtitleWeight, wordsWithAlternatives } from '#domain/search/search.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { climb, climbDensely, maxClimbs } from './climb.ts'
import { findPhrase } from './phrases.ts'
import { toForms, type WordForms } from './occurrences.ts'
import { climbMark, sourceMask } from './relations.ts'
import { forEachCommon, type Relevant } from './relevant.ts'
import {
  type CostsByWeight,
  costOfCode,
  costsOf,
  NumberList,
  none,
  noRelated,
  ownOfRelated,
  type Scratch
} from './search-scratch.ts'
import { add, type DocumentSet, has, numbersIn } from './sets.ts'
import { checkTime, inParts, partFrom, step } from './time-limit.ts'

/** The documents that a search found, with their costs: the lowest cost fits best. */
export interface Found {
  readonly set: DocumentSet
  readonly scoreOf: (number: number) => number
  /** For many documents: numbers by document that compare as the costs do. */
  readonly keys?: Uint16Array | Float64Array
}

/** Where a search looks. */
export interface SearchScope {
  /** Names of other documents are not found through what refers to them; undefined for all. */
  readonly readable: DocumentSet | undefined
  /** Only among the names that records are known by, each by its own. */
  readonly isByName?: boolean
}

/** A typed word, with all that is meant by it. */
interface Forms {
  readonly all: readonly WordForms[]
  /** Number of occurrences. */
  readonly size: number
  readonly isOptional: boolean
}

const missingCost = cost.missing * cost.unit

/**
 * Finds the documents that have every word of a search, in their own text or in the name of
 * something they are related to; publications and expressions also by everything that the document
 * above them says. `isLoose`: words with typos count too.
 *
 * The rarest word is pushed: from the documents that have it to those that are found by them.
 * Other words are pulled where that is cheaper: each candidate looks at what it is related to.
 */
export function findSearched(index: CatalogueIndex, search: Search, isLoose: boolean, scope: SearchScope): Found {
  const forms = search.words
    .map(word => formsOf(index, word, isLoose))
    .sort((one, other) => Number(one.isOptional) - Number(other.isOptional) || one.size - other.size)
  const scratch = index.takeScratch()
  const [only] = forms
  if (only && forms.length === 1 && isDense(index, only)) {
    push(index, only, scratch, scope)
    const found = foundByOne(scratch, index.occurrences.namedSo(search.name))
    index.returnScratch(scratch)
    return found
  }
  let candidates: Uint32Array = new Uint32Array(0)
  /** The sum of what the words so far cost each candidate. */
  let sums = new Float64Array(0)
  let reach: Reach | undefined
  forms.forEach((each, at) => {
    if (at === 0) {
      push(index, each, scratch, scope)
      candidates = scratch.costed()
      sums = new Float64Array(candidates.length)
    } else if (candidates.length > 0) {
      if (each.size > candidates.length * index.tuning.pullFactor) {
        if (!reach || candidates.length * 4 < reach.candidates.length) reach = reachOf(index, candidates, scope)
        note(each, scratch, scope, reach)
        if (!scope.isByName) {
          shareNames(index, scratch, scope)
          pull(candidates, reach, scratch)
        }
      } else push(index, each, scratch, scope, candidates)
    }
    const left = addCosts(candidates, sums, scratch, at > 0 && each.isOptional)
    candidates = candidates.subarray(0, left)
    sums = sums.subarray(0, left)
    scratch.clear()
  })
  index.returnScratch(scratch)
  const set = index.newSet()
  addAllOf(set, candidates)
  return { set, ...scoresOf(candidates, sums, index.occurrences.namedSo(search.name), index.size) }
}

function addAllOf(set: DocumentSet, numbers: Uint32Array) {
  inParts(0, numbers.length, (first, end) => {
    for (let at = first; at < end; at++) add(set, numbers[at] as number)
  })
}

/** Many documents that a single word found, with the codes of their costs. */
function foundByOne(scratch: Scratch, named: ReadonlyMap<number, number>): Found {
  const set = scratch.costedSet()
  const keys = scratch.own.slice()
  // The lowest codes; no word costs less.
  for (const [number, cost] of named) keys[number] = cost
  scratch.clear()
  return { set, keys, scoreOf: number => costOfCode(keys[number] as number) }
}

/**
 * Adds what a word costs each candidate. Moves those that have it, or need not, to the front; their
 * number.
 */
function addCosts(candidates: Uint32Array, sums: Float64Array, { own }: Scratch, isOptional: boolean): number {
  let left = 0
  for (let at = 0, end = 0; at < candidates.length; ) {
    end = partFrom(at, candidates.length)
    for (; at < end; at++) {
      const number = candidates[at] as number
      const code = own[number] as number
      if (code === none && !isOptional) continue
      candidates[left] = number
      sums[left] = (sums[at] as number) + (code === none ? missingCost : costOfCode(code))
      left++
    }
  }
  return left
}

/** Scores of up to so many documents are looked up in a map; of more in an array of all. */
const maxMapped = 2000

/** Documents named exactly like the search come first. */
function scoresOf(
  candidates: Uint32Array,
  sums: Float64Array,
  named: ReadonlyMap<number, number>,
  size: number
): Omit<Found, 'set'> {
  if (candidates.length <= maxMapped) {
    const scores = new Map<number, number>()
    for (let at = 0; at < candidates.length; at++) {
      step()
      scores.set(candidates[at] as number, sums[at] as number)
    }
    for (const [number, cost] of named) scores.set(number, cost)
    return { scoreOf: number => scores.get(number) as number }
  }
  const keys = new Float64Array(size)
  inParts(0, candidates.length, (first, end) => {
    for (let at = first; at < end; at++) keys[candidates[at] as number] = sums[at] as number
  })
  for (const [number, cost] of named) keys[number] = cost
  return { keys, scoreOf: number => keys[number] as number }
}

/** Writes, for each document or each candidate that is found by a word, the least that it costs. */
function push(index: CatalogueIndex, forms: Forms, scratch: Scratch, scope: SearchScope, candidates?: Uint32Array) {
  scratch.isDense = isDense(index, forms)
  note(forms, scratch, scope, undefined)
  if (scope.isByName) return
  shareNames(index, scratch, scope)
  spread(index, scratch, scope)
  if (scratch.isDense) climbDensely(index, scratch, scope.readable, candidates)
  else climb(index, scratch, scope.readable)
}

/** Whether a word occurs in so many documents that all are looked at instead of a list of them. */
const isDense = (index: CatalogueIndex, { size }: Forms) => size * index.tuning.denseShare > index.size

/** Writes what the documents themselves have of a word; only of those that are relevant. */
function note(forms: Forms, scratch: Scratch, { isByName = false }: SearchScope, relevant: Relevant | undefined) {
  for (const { words, first, end, nearness, outdated } of forms.all) {
    const { starts, documents, weights } = words
    const costs = costsOf(nearness, forms.isOptional)
    if (scratch.isDense && !outdated && !relevant && !isByName) {
      noteRange(words, starts[first] as number, starts[end] as number, costs, scratch)
      continue
    }
    const take = (at: number) => {
      step()
      const document = documents[at] as number
      if (!(outdated && has(outdated, document))) noteOne(document, weights[at] as number, costs, isByName, scratch)
    }
    if (relevant) {
      for (let word = first; word < end; word++) {
        step()
        forEachCommon(documents, starts[word] as number, starts[word + 1] as number, relevant, take)
      }
      continue
    }
    const last = starts[end] as number
    for (let at = starts[first] as number; at < last; at++) take(at)
  }
}

/**
 * Notes occurrences of many documents, all of which count: the longest loop of a search, without
 * branches. The results that follow from `above` are written at the end (`climbDensely`).
 */
function noteRange(
  { documents, weights }: WordForms['words'],
  first: number,
  last: number,
  costs: CostsByWeight,
  { own, above, names }: Scratch
) {
  const { own: ownCosts, above: aboveCosts, names: nameCosts } = costs
  for (let at = first, end = first; at < last; ) {
    end = partFrom(at, last)
    for (; at < end; at++) {
      const document = documents[at] as number
      const weight = weights[at] as number
      own[document] = Math.min(own[document] as number, ownCosts[weight] as number)
      above[document] = Math.min(above[document] as number, aboveCosts[weight] as number)
      names[document] = Math.min(names[document] as number, nameCosts[weight] as number)
    }
  }
}

function noteOne(document: number, weight: number, costs: CostsByWeight, isByName: boolean, scratch: Scratch) {
  if (isByName && weight >= subtitleWeight) return
  const related = costs.above[weight] as number
  const own = costs.own[weight] as number
  scratch.take(document, own === none ? ownOfRelated(related) : own, related)
  scratch.takeName(document, costs.names[weight] as number)
}

/** The pseudonyms and the persons behind them, as pairs of documents. */
const pseudonymsIn = (index: CatalogueIndex): readonly (readonly [number, number])[] =>
  index.rememberUntilChange('pseudonyms', () => {
    const pairs: [number, number][] = []
    index.relatives.by(pseudonymRelation).forEach((source, target) => {
      if (target >= 0) pairs.push([source, target])
    })
    return pairs
  })

/**
 * A pseudonym and the person behind it have each other's names, so that the works of both are found
 * by either. The second round reaches the other pseudonyms of that person.
 */
function shareNames(index: CatalogueIndex, scratch: Scratch, { readable }: SearchScope) {
  const share = (from: number, to: number) => {
    const related = scratch.names[from] as number
    if (related === noRelated) return
    scratch.takeName(to, related)
    scratch.take(to, ownOfRelated(related), related)
  }
  const pairs = pseudonymsIn(index)
  for (let round = 0; round < 2; round++)
    for (const [one, other] of pairs) {
      step()
      if (readable && !(has(readable, one) && has(readable, other))) continue
      share(one, other)
      share(other, one)
    }
}

/**
 * A name is found under everything that is related to what has it. The documents below that are
 * another matter: see `climb`.
 */
function spread(index: CatalogueIndex, scratch: Scratch, { readable }: SearchScope) {
  const { above, names, isDense } = scratch
  const isRelated = index.relatives.related
  const named = scratch.listNamed(isRelated)
  let related = 0
  const take = (source: number, isClimb: boolean) => {
    if (!isClimb) scratch.take(source, ownOfRelated(related), related)
  }
  for (let at = 0; at < named.length; at++) {
    step()
    const target = named.array[at] as number
    if (!has(isRelated, target) || (readable && !has(readable, target))) continue
    related = names[target] as number
    if (isDense) index.relatives.lowerRelated(target, related, above)
    else index.relatives.forEachSource(target, take)
  }
}

/** Some candidates, and all documents that they may be found by. */
interface Reach extends Relevant {
  readonly candidates: Uint32Array
  /** For each candidate the end of its part of `list`. */
  readonly ends: Uint32Array
  /** Documents that a candidate is found by: with `climbMark` by all that they say, or by name. */
  readonly list: Uint32Array
}

function reachOf(index: CatalogueIndex, found: Uint32Array, { readable, isByName }: SearchScope): Reach {
  const candidates = found.slice()
  const set = index.newSet()
  addAllOf(set, candidates)
  const [list, targets] = [new NumberList(), new NumberList()]
  const visit = (document: number, climbs: number) => {
    list.push(document + climbMark)
    const first = targets.length
    index.relatives.addTargets(document, targets)
    const end = targets.length
    for (let at = first; at < end; at++) {
      const marked = targets.array[at] as number
      const target = marked & sourceMask
      if (readable && !has(readable, target)) continue
      add(set, target)
      if (marked < climbMark) list.push(target)
      else if (climbs > 0) visit(target, climbs - 1)
    }
    targets.length = first
  }
  const ends = new Uint32Array(candidates.length)
  for (let at = 0; at < candidates.length && !isByName; at++) {
    visit(candidates[at] as number, maxClimbs)
    ends[at] = list.length
  }
  for (let round = 0; round < 2 && !isByName; round++)
    for (const [one, other] of pseudonymsIn(index))
      if (has(set, one) || has(set, other)) {
        add(set, one)
        add(set, other)
      }
  return { set, numbers: numbersIn(set), candidates, ends, list: list.array }
}

/**
 * Writes what a word costs each of some candidates that are left of a reach, from what the
 * documents noted themselves have of it.
 */
function pull(left: Uint32Array, { candidates, ends, list }: Reach, scratch: Scratch) {
  const { own, above, names } = scratch
  for (let at = 0, place = 0; at < left.length; at++, place++) {
    const document = left[at] as number
    for (; candidates[place] !== document; place++) step()
    const end = ends[place] as number
    let related = noRelated
    for (let next = place === 0 ? 0 : (ends[place - 1] as number); next < end; next++) {
      step()
      const marked = list[next] as number
      const said = (marked >= climbMark ? above[marked - climbMark] : names[marked]) as number
      if (said < related) related = said
    }
    if (related === noRelated) continue
    const found = ownOfRelated(related)
    if (found < (own[document] as number)) scratch.pulled(document, found)
  }
}

/** All that is meant by a word of a search and by its alternatives. */
export function formsOf(index: CatalogueIndex, word: SearchWord, isLoose: boolean): Forms {
  checkTime()
  const all = wordsWithAlternatives([word]).flatMap(each =>
    each.next ? [toForms([findPhrase(index, [each.word, ...each.next])], 0)] : index.occurrences.formsOf(each, isLoose)
  )
  let size = 0
  for (const { words, first, end } of all) size += (words.starts[end] as number) - (words.starts[first] as number)
  return { all, size, isOptional: word.isOptional === true }
}
