import type { Search, SearchWord } from '#domain/filter/filter.ts'
import { pseudonymRelation } from '#domain/record-types/related.ts'
import { cost, makerWeight, subtitleWeight, textWeight, wordsWithAlternatives } from '#domain/search/search.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { climb, climbDensely, maxClimbs } from './climb.ts'
import { findPhrase } from './phrases.ts'
import { toForms, type WordForms } from './occurrences.ts'
import { climbMark, sourceMask } from './relations.ts'
import { forEachCommon, type Relevant } from './relevant.ts'
import { costOfCode, elsewhereCode, NumberList, none, noRelated, ownOfRelated, type Scratch } from './search-scratch.ts'
import { add, type DocumentSet, has, numbersIn } from './sets.ts'
import { checkTime, inParts, step } from './time-limit.ts'

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
  let relevant: Relevant | undefined
  /** The number of candidates for which `relevant` was made. */
  let relevantFor = 0
  forms.forEach((each, at) => {
    if (at === 0) {
      push(index, each, scratch, scope)
      candidates = scratch.costed()
      sums = new Float64Array(candidates.length)
    } else if (candidates.length > 0) {
      if (each.size > candidates.length * index.tuning.pullFactor) {
        if (!relevant || candidates.length * 4 < relevantFor) {
          relevant = relevantTo(index, candidates, scope)
          relevantFor = candidates.length
        }
        note(each, scratch, scope, relevant)
        if (!scope.isByName) {
          shareNames(index, scratch, scope)
          pull(index, candidates, scratch, scope)
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
  for (let at = 0; at < candidates.length; at++) {
    step()
    const number = candidates[at] as number
    const code = own[number] as number
    if (code === none && !isOptional) continue
    candidates[left] = number
    sums[left] = (sums[at] as number) + (code === none ? missingCost : costOfCode(code))
    left++
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

/** How occurrences of a word are noted. */
interface Noted {
  readonly nearness: number
  /** Weights above are those of makers, up to those of subtitles. */
  readonly firstMaker: number
  readonly isByName: boolean
}

/** Writes what the documents themselves have of a word; only of those that are relevant. */
function note(forms: Forms, scratch: Scratch, { isByName = false }: SearchScope, relevant: Relevant | undefined) {
  // A small word in the name of a maker says as little as one elsewhere.
  const firstMaker = forms.isOptional ? subtitleWeight : makerWeight
  for (const { words, first, end, nearness, outdated } of forms.all) {
    const { starts, documents, weights } = words
    const noted: Noted = { nearness, firstMaker, isByName }
    if (scratch.isDense && !outdated && !relevant && !isByName) {
      inParts(starts[first] as number, starts[end] as number, (from, to) => noteRange(words, from, to, noted, scratch))
      continue
    }
    const take = (at: number) => {
      step()
      const document = documents[at] as number
      if (!(outdated && has(outdated, document))) noteOne(document, weights[at] as number, noted, scratch)
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
 * Notes occurrences of many documents, all of which count: the longest loop of a search. The
 * results that follow from `above` are written at the end (`climbDensely`).
 */
function noteRange(
  { documents, weights }: WordForms['words'],
  first: number,
  end: number,
  { nearness, firstMaker }: Noted,
  scratch: Scratch
) {
  const { own, above, names } = scratch
  for (let at = first; at < end; at++) {
    const document = documents[at] as number
    const weight = weights[at] as number
    const related = (weight > firstMaker && weight < subtitleWeight ? 0 : elsewhereCode) + nearness
    if (related < (above[document] as number)) above[document] = related
    if (weight >= textWeight) continue
    const found = nearness * makerWeight + (weight % makerWeight)
    if (found < (own[document] as number)) own[document] = found
    if (weight < subtitleWeight && related < (names[document] as number)) names[document] = related
  }
}

function noteOne(document: number, weight: number, { nearness, firstMaker, isByName }: Noted, scratch: Scratch) {
  if (isByName && weight >= subtitleWeight) return
  const related = (weight > firstMaker && weight < subtitleWeight ? 0 : elsewhereCode) + nearness
  const own = weight < textWeight ? nearness * makerWeight + (weight % makerWeight) : ownOfRelated(related)
  scratch.take(document, own, related)
  if (weight < subtitleWeight) scratch.takeName(document, related)
}

/** The pseudonyms and the persons behind them, as pairs of documents. */
const pseudonymsIn = (index: CatalogueIndex): readonly (readonly [number, number])[] =>
  index.rememberUntilChange('pseudonyms', () => {
    const pairs: [number, number][] = []
    index.relatives.by(pseudonymRelation).forEachPair((source, target) => pairs.push([source, target]))
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
    if (isClimb) return
    if (!isDense) scratch.take(source, ownOfRelated(related), related)
    else if (related < (above[source] as number)) above[source] = related
  }
  for (let at = 0; at < named.length; at++) {
    step()
    const target = named.array[at] as number
    if (!has(isRelated, target) || (readable && !has(readable, target))) continue
    related = names[target] as number
    index.relatives.forEachSource(target, take)
  }
}

/** The candidates, and all documents that they may be found by. */
function relevantTo(index: CatalogueIndex, candidates: Uint32Array, { isByName }: SearchScope): Relevant {
  const set = index.newSet()
  addAllOf(set, candidates)
  if (isByName) return { set, numbers: numbersIn(set) }
  const targets = new NumberList()
  const visit = (document: number, climbs: number) => {
    const first = targets.length
    index.relatives.addTargets(document, targets)
    const end = targets.length
    for (let at = first; at < end; at++) {
      const marked = targets.array[at] as number
      add(set, marked & sourceMask)
      // A record that is one step too far away still contributes its names.
      if (marked >= climbMark && climbs > 0) visit(marked & sourceMask, climbs - 1)
    }
    targets.length = first
  }
  for (let at = 0; at < candidates.length; at++) visit(candidates[at] as number, maxClimbs)
  for (let round = 0; round < 2; round++)
    for (const [one, other] of pseudonymsIn(index))
      if (has(set, one) || has(set, other)) {
        add(set, one)
        add(set, other)
      }
  return { set, numbers: numbersIn(set) }
}

/** Writes what a word costs each candidate, from what the documents noted themselves have of it. */
function pull(index: CatalogueIndex, candidates: Uint32Array, scratch: Scratch, { readable }: SearchScope) {
  const { own, above, names } = scratch
  const targets = new NumberList()
  const saidBy = (document: number, climbs: number): number => {
    let said = above[document] as number
    const first = targets.length
    index.relatives.addTargets(document, targets)
    const end = targets.length
    for (let at = first; at < end; at++) {
      const marked = targets.array[at] as number
      const target = marked & sourceMask
      if (readable && !has(readable, target)) continue
      const isClimb = marked >= climbMark
      const related = !isClimb ? (names[target] as number) : climbs === 0 ? noRelated : saidBy(target, climbs - 1)
      if (related < said) said = related
    }
    targets.length = first
    return said
  }
  for (let at = 0; at < candidates.length; at++) {
    step()
    const document = candidates[at] as number
    const related = saidBy(document, maxClimbs)
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
