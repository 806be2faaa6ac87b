import type { Search, SearchWord } from '#domain/filter/filter.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { cost, makerWeight, textWeight } from '#domain/search/search.ts'
import { countTypos, isTypoCandidate, sharedLetters } from '#domain/search/typos.ts'
import { encode, textAt } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { rangeOf } from './relations.ts'
import { add, type DocumentSet, forEach, has, isEmpty, remove } from './sets.ts'
import { findBeginning, findWord, forEachNear } from './words.ts'

/** What a search found, and how well each fits: the least first. */
export interface Found {
  readonly set: DocumentSet
  readonly scores: Float64Array
}

/** Where a search looks. */
export interface SearchScope {
  /** Names of other documents are not found through what refers to them; undefined for all. */
  readonly readable: DocumentSet | undefined
  /** Only among the names that records are known by, each by its own. */
  readonly isByName?: boolean
  readonly checkTime: () => void
}

/**
 * Words of the dictionary that are meant by one that was typed, as a range, and what it costs to
 * have one of them.
 */
interface Form {
  readonly first: number
  readonly end: number
  readonly cost: number
}

/** A typed word, with all that is meant by it. */
interface Forms {
  readonly inBase: readonly Form[]
  readonly inDelta: readonly { readonly places: ReadonlyMap<number, number>; readonly cost: number }[]
  /** How often they occur. */
  readonly size: number
}

const none = 0xffff_ffff

/**
 * Finds the documents that have every word of a search, in their own text or in the name of
 * something they are related to. `isLoose`: words with typos count too.
 */
export function findSearched(index: CatalogueIndex, search: Search, isLoose: boolean, scope: SearchScope): Found {
  const forms = search.words.map(word => formsOf(index, word, isLoose)).sort((one, other) => one.size - other.size)
  const scores = new Float64Array(index.size)
  const least = new Uint32Array(index.size)
  const length = scope.isByName ? 0 : index.size
  const room: Room = { least, above: new Uint32Array(length), names: new Uint32Array(length) }
  const set = index.newSet()
  forms.forEach((each, at) => {
    scope.checkTime()
    if (at > 0 && isEmpty(set)) return
    least.fill(none)
    room.above.fill(none)
    gather(index, each, room, scope)
    if (at === 0) {
      for (let number = 0; number < least.length; number++) {
        const found = least[number] as number
        if (found === none) continue
        add(set, number)
        scores[number] = found
      }
      return
    }
    forEach(set, number => {
      const found = least[number] as number
      if (found === none) remove(set, number)
      else scores[number] = (scores[number] as number) + found
    })
  })
  for (const number of documentsNamed(index, search.name)) if (has(set, number)) scores[number] = 0
  return { set, scores }
}

/** Room for the costs of one word, used again for each. */
interface Room {
  /** The least that the word costs each document. */
  readonly least: Uint32Array
  /** The least that it costs those below a document; only where names of others count. */
  readonly above: Uint32Array
  /** What the names of documents cost those that are related to them; 0 for nothing. */
  readonly names: Uint32Array
}

/**
 * The relations by which a document is also found by everything that the one above it says: those
 * of publications and expressions.
 */
const climbs: readonly string[] = Object.values(wemLinks)
const maxClimbs = 2
/**
 * Up to so many documents their relations are looked up one by one; for more, all relations are
 * looked through.
 */
const fewReached = 2000

/** Writes, for each document that has a word, the least that it costs. */
function gather(index: CatalogueIndex, { inBase, inDelta }: Forms, room: Room, { readable, isByName }: SearchScope) {
  const { least, above, names } = room
  const { starts, documents, weights } = index.base.words
  const { hidden, isChanged } = index
  const named: number[] = []
  const note = (document: number, weight: number, formCost: number) => {
    const isName = weight < textWeight
    if (isByName && !isName) return
    const elsewhere = formCost + cost.elsewhere * cost.unit
    const own = isName ? formCost + (weight % makerWeight) : elsewhere
    if (own < (least[document] as number)) least[document] = own
    if (isByName) return
    const related = isName && weight > makerWeight ? formCost + cost.maker * cost.unit : elsewhere
    if (related < (above[document] as number)) above[document] = related
    if (!isName || (readable && !has(readable, document))) return
    // Zero means that nothing was noted; every cost of a related name is more.
    const known = names[document] as number
    if (known === 0) named.push(document)
    if (known === 0 || related < known) names[document] = related
  }
  for (const { first, end, cost: formCost } of inBase) {
    const last = starts[end] as number
    for (let at = starts[first] as number; at < last; at++) {
      const document = documents[at] as number
      if (isChanged && has(hidden, document)) continue
      note(document, weights[at] as number, formCost)
    }
  }
  for (const { places, cost: formCost } of inDelta)
    for (const [document, weight] of places) note(document, weight, formCost)
  if (isByName) return
  spread(index, named, room)
  for (const document of named) names[document] = 0
  climb(index, room, readable)
}

/** What has a name costs what is related to it. What stands below it is another matter. */
function spread(index: CatalogueIndex, named: readonly number[], { least, above, names }: Room) {
  if (named.length === 0) return
  const isClimb = climbRelations(index)
  const take = (source: number, related: number) => {
    if (related < (least[source] as number)) least[source] = related
    if (related < (above[source] as number)) above[source] = related
  }
  for (const target of named) {
    const related = names[target] as number
    index.forEachSource(target, (source, relation) => {
      if (!isClimb(relation)) take(source, related)
    })
  }
  for (const document of index.delta.values())
    index.targetsOf(document).forEach((target, at) => {
      const related = target < 0 ? 0 : (names[target] as number)
      if (related > 0 && !climbs.includes(document.relations[at]?.type ?? '')) take(document.number, related)
    })
}

/** Whether a relation of the base leads to the document above. */
function climbRelations({ base }: CatalogueIndex): (relation: number) => boolean {
  const ranges = climbs.map(type => rangeOf(base.relations, type))
  return relation => ranges.some(([first, end]) => relation >= first && relation < end)
}

/**
 * What a document says costs those below it, by one relation or two. Each step begins with what the
 * last one found.
 */
function climb(index: CatalogueIndex, { least, above }: Room, readable: DocumentSet | undefined) {
  let reached: number[] = []
  for (let number = 0; number < above.length; number++)
    if (above[number] !== none && (!readable || has(readable, number))) reached.push(number)
  for (let step = 0; step < maxClimbs && reached.length > 0; step++) {
    const found = new Map<number, number>()
    const take = (source: number, said: number) => {
      const known = found.get(source) ?? (above[source] as number)
      if (said < known) found.set(source, said)
    }
    forEachBelow(index, reached, readable, above, take)
    reached = []
    for (const [source, said] of found) {
      above[source] = said
      if (said < (least[source] as number)) least[source] = said
      if (!readable || has(readable, source)) reached.push(source)
    }
  }
}

function forEachBelow(
  index: CatalogueIndex,
  reached: readonly number[],
  readable: DocumentSet | undefined,
  above: Uint32Array,
  take: (source: number, said: number) => void
) {
  if (reached.length <= fewReached) {
    const isClimb = climbRelations(index)
    for (const target of reached)
      index.forEachSource(target, (source, relation) => {
        if (isClimb(relation)) take(source, above[target] as number)
      })
  } else
    for (const type of climbs) {
      const { sources, keys } = index.base.relations
      const [first, end] = rangeOf(index.base.relations, type)
      for (let at = first; at < end; at++) {
        const target = index.ownerOf(keys[at] as number)
        if (target < 0 || above[target] === none || (readable && !has(readable, target))) continue
        const source = sources[at] as number
        if (!has(index.hidden, source)) take(source, above[target] as number)
      }
    }
  const isReached = index.delta.size > 0 ? new Set(reached) : undefined
  if (!isReached) return
  for (const document of index.delta.values())
    index.targetsOf(document).forEach((target, at) => {
      if (isReached.has(target) && climbs.includes(document.relations[at]?.type ?? ''))
        take(document.number, above[target] as number)
    })
}

function formsOf(index: CatalogueIndex, word: SearchWord, isLoose: boolean): Forms {
  const inBase: Form[] = []
  const inDelta: { places: ReadonlyMap<number, number>; cost: number }[] = []
  const { words } = index.base
  const exact = findWord(words, word.word)
  if (exact >= 0) inBase.push({ first: exact, end: exact + 1, cost: 0 })
  if (word.isBeginning) {
    const [first, end] = findBeginning(words, word.word)
    const next = exact >= 0 ? exact + 1 : first
    if (end > next) inBase.push({ first: next, end, cost: cost.beginning * cost.unit })
  }
  const typos = isLoose && word.typos > 0 ? typosOf(index, word) : undefined
  inBase.push(...(typos?.forms ?? []))
  for (const [found, places] of index.deltaWords) {
    if (found === word.word) inDelta.push({ places, cost: 0 })
    else if (word.isBeginning && found.startsWith(word.word)) inDelta.push({ places, cost: cost.beginning * cost.unit })
    else if (typos) {
      const typoCost = typos.costOf(found)
      if (typoCost !== undefined) inDelta.push({ places, cost: typoCost })
    }
  }
  let size = inDelta.reduce((sum, { places }) => sum + places.size, 0)
  for (const { first, end } of inBase) size += (words.starts[end] as number) - (words.starts[first] as number)
  return { inBase, inDelta, size }
}

/** Words that typos may have led away from. Those that begin with the word are meant already. */
function typosOf(index: CatalogueIndex, { word, isBeginning, typos }: SearchWord) {
  const letters = [...word]
  const shared = sharedLetters(letters.length, typos)
  const beginning = letters.slice(0, shared).join('')
  const end = shared === 0 ? '' : letters.slice(-shared).join('')
  const costOf = (found: string): number | undefined => {
    if (found.startsWith('=') || (isBeginning ? found.startsWith(word) : found === word)) return undefined
    if (!found.startsWith(beginning) && !found.endsWith(end)) return undefined
    if (!isTypoCandidate(found)) return undefined
    const counted = countTypos(word, found, typos)
    return counted === undefined || counted === 0
      ? undefined
      : (counted === 1 ? cost.oneTypo : cost.twoTypos) * cost.unit
  }
  const { words } = index.base.words
  const { bytes, starts } = words
  const [firstBytes, lastBytes] = [encode(beginning), encode(end)]
  const isLike = (place: number): boolean => {
    const start = starts[place] as number
    const stop = (starts[place + 1] as number) - 1
    return isAt(bytes, start, firstBytes) || isAt(bytes, stop - lastBytes.length, lastBytes)
  }
  const forms: Form[] = []
  // A letter that was added or exchanged takes up to four bytes.
  const length = encode(word).length
  forEachNear(index.base.words, length - typos * 4, length + typos * 4, place => {
    if (!isLike(place)) return
    const typoCost = costOf(textAt(words, place))
    if (typoCost !== undefined) forms.push({ first: place, end: place + 1, cost: typoCost })
  })
  return { forms, costOf }
}

function isAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[start + at] !== wanted[at]) return false
  return true
}

/** The documents that are called exactly so. */
function documentsNamed(index: CatalogueIndex, name: string): number[] {
  const { words } = index.base
  const found = [...(index.deltaWords.get(name)?.keys() ?? [])]
  const place = findWord(words, name)
  if (place < 0) return found
  const end = words.starts[place + 1] as number
  for (let at = words.starts[place] as number; at < end; at++) {
    const document = words.documents[at] as number
    if (!has(index.hidden, document)) found.push(document)
  }
  return found
}
