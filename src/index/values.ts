import type { FieldTest } from '#domain/filter/filter.ts'
import { type IndexValue, sortText } from '#domain/search/index-values.ts'
import { compareAt, compareTexts, encode, lowerBound, textAt } from './arrays.ts'
import type { CurrentDocuments } from './current-documents.ts'
import {
  buildColumn,
  type Column,
  doubledRank,
  isDerivedFlag,
  placeIn,
  rankOf,
  sortOf,
  truthIn,
  valueCount,
  valuesWithText,
  valueText
} from './columns.ts'
import { ChangedValues, noDocument } from './changed-values.ts'
import { countedValues, leastFirstByte } from './counted-values.ts'
import {
  addMarked,
  countValues,
  countValuesByGroup,
  forEachValueOf,
  type GroupsByChange,
  groupsIn
} from './document-values.ts'
import { markValues, type ValueForms, valuePredicate } from './field-tests.ts'
import { RanksBetween } from './ranks-between.ts'
import type { SortedDocuments } from './select-page.ts'
import { add, addMembers, countMembers, type DocumentSet, has, hasAny, membersOf, removeAll } from './sets.ts'
import { step, stepsOfLookup } from './time-limit.ts'
import { placeAmong } from './place-among.ts'

/** Which values of a document a test looks at: all, those not made from others, or the first. */
export type TestedValues = 'all' | 'own' | 'first'

/**
 * The values of one metadata key, of all documents as they are until the next change. A value has a
 * place: in the dictionary of the base, or after it for each value of a changed document.
 */
export class Values implements ValueForms {
  readonly #index: CurrentDocuments
  readonly #key: string
  readonly #column: Column
  /** The number of places in the dictionary. */
  readonly #known: number
  readonly #changed: Readonly<ChangedValues>
  #changedPlaces: Int32Array | undefined
  #sorting: RanksBetween | undefined

  constructor(index: CurrentDocuments, key: string) {
    this.#index = index
    this.#key = key
    this.#column = index.columns.get(key) ?? noColumn
    this.#known = valueCount(this.#column)
    this.#changed = index.delta.values.get(key) ?? none
  }

  /** The number of places. */
  get count(): number {
    return this.#known + this.#changed.values.length
  }

  /** The number of documents with a value, about. */
  get documentCount(): number {
    return countMembers(this.#column.documents) + this.#changed.firsts.size
  }

  #valueAt(place: number): IndexValue {
    return this.#changed.values[place - this.#known] as IndexValue
  }

  /** The text of a value as stored; undefined for a long one. */
  textOf(place: number): string | undefined {
    return place < this.#known ? valueText(this.#column, place) : (this.#valueAt(place).text ?? undefined)
  }

  foldedOf(place: number): string {
    return place < this.#known ? textAt(this.#column.folded, place) : this.#valueAt(place).folded
  }

  /** The number that a value is, or NaN. */
  numberOf(place: number): number {
    return (place < this.#known ? this.#column.numbers?.[place] : this.#valueAt(place).number) ?? Number.NaN
  }

  /** The time that a value is, or NaN. */
  instantOf(place: number): number {
    return (place < this.#known ? this.#column.instants?.[place] : this.#valueAt(place).instant) ?? Number.NaN
  }

  /** The truth that a value is, if it is one. */
  truthOf(place: number): boolean | undefined {
    const truth = place < this.#known ? truthIn(this.#column, place) : this.#valueAt(place).truth
    return truth === null ? undefined : truth === 1
  }

  /** Whether a value was made from another one. */
  isDerived(place: number): boolean {
    if (place >= this.#known) return this.#valueAt(place).isDerived === 1
    return ((this.#column.flags[place] as number) & isDerivedFlag) !== 0
  }

  /** Calls back with all values of all documents, the first of each before the others. */
  forEach(work: (document: number, place: number) => void) {
    const { documents, firsts, further, furtherDocuments } = this.#column
    const members = membersOf(documents)
    const take = (document: number, place: number) => {
      step()
      if (!has(this.#index.hidden, document)) work(document, place)
    }
    for (let at = 0; at < members.length; at++) take(members[at] as number, firsts[at] as number)
    for (let at = 0; at < further.length; at++) take(furtherDocuments[at] as number, further[at] as number)
    this.#changed.documents.forEach((document, at) => {
      step()
      if (document !== noDocument) work(document, this.#known + at)
    })
  }

  /** Calls back with the values of a document, in their order. */
  forEachOf(document: number, work: (place: number) => void) {
    if (has(this.#index.hidden, document)) {
      const { documents, firsts } = this.#changed
      for (let at = firsts.get(document) ?? documents.length; documents[at] === document; at++) {
        step()
        work(this.#known + at)
      }
      return
    }
    forEachValueOf(this.#column, document, work)
  }

  /** The first value of a document, or -1. */
  firstOf(document: number): number {
    if (has(this.#index.hidden, document)) {
      const first = this.#changed.firsts.get(document)
      return first === undefined ? -1 : this.#known + first
    }
    const place = placeIn(this.#column, document)
    return place < 0 ? -1 : (this.#column.firsts[place] as number)
  }

  /** Whether a document of a set has the key. */
  isIn(set: DocumentSet): boolean {
    if (this.#changed.firsts.keys().some(document => has(set, document))) return true
    return hasAny(this.#index.unchangedOf(set), this.#column.documents)
  }

  /** The documents with a value that meets a test. */
  meeting(test: FieldTest, tested: TestedValues = 'all'): DocumentSet {
    const isMet = valuePredicate(this, test)
    const set = this.#index.newSet()
    const column = this.#column
    const marks = markValues(column, test, isMet)
    for (let place = 0; place < marks.length && tested === 'own'; place++) {
      step()
      if ((column.flags[place] as number) & isDerivedFlag) marks[place] = 0
    }
    if (tested === 'first') addMembers(set, column.documents, column.firsts, marks)
    else addMarked(column, marks, set)
    removeAll(set, this.#index.hidden)
    const { values, documents } = this.#changed
    values.forEach((value, at) => {
      step()
      if (
        documents[at] === noDocument ||
        (tested === 'own' ? value.isDerived : tested === 'first' && value.position > 0)
      )
        return
      if (isMet(this.#known + at)) add(set, documents[at] as number)
    })
    return set
  }

  /**
   * The documents with one of some folded texts, where the key names documents; undefined where
   * there is none: then nothing is paid for the size of the catalogue.
   */
  withFolded(texts: ReadonlySet<string>): DocumentSet | undefined {
    let set: DocumentSet | undefined
    const column = this.#column
    const found = placesOfFolded(column, texts)
    if (found.length > 0) {
      set = this.#index.newSet()
      const marks = new Uint8Array(this.#known)
      for (const place of found) marks[place] = 1
      addMarked(column, marks, set)
      removeAll(set, this.#index.hidden)
    }
    for (const text of texts)
      for (const { number, values } of this.#index.delta.named(text))
        if (values.some(each => each.key === this.#key && each.folded === text)) {
          set ??= this.#index.newSet()
          add(set, number)
        }
    return set
  }

  /**
   * For each place the number of documents of a set that have its text. A document counts once for
   * a text, at one of the places that have it.
   */
  countIn(set: DocumentSet): Uint32Array {
    const changed = this.#changed.firsts.keys().filter(document => has(set, document))
    const counting = { ...this.#counting, isDistinct: false }
    return this.#withChanged(
      countValues(this.#column, this.#index.unchangedOf(set), counting),
      changed.map(document => [document])
    )
  }

  /** The same with the number of groups. */
  countByGroup({ unchanged, changed }: GroupsByChange): Uint32Array {
    return this.#withChanged(countValuesByGroup(this.#column, unchanged, this.#counting), groupsIn(changed))
  }

  get #counting() {
    return { valueCount: this.#known, counted: countedValues(this.#column) }
  }

  /** Adds groups with changed documents to the counts of others. */
  #withChanged(inBase: Uint32Array, groups: Iterable<Iterable<number>>): Uint32Array {
    const counts = new Uint32Array(this.count)
    counts.set(inBase)
    const { counted } = this.#counting
    const changedPlaces = this.#countedPlaces()
    for (const group of groups) {
      const known = new Set<number>()
      for (const document of group) {
        step()
        this.forEachOf(document, value =>
          known.add((value < this.#known ? (counted?.[value] ?? value) : changedPlaces[value - this.#known]) as number)
        )
      }
      for (const place of known) {
        step()
        if (place >= 0) counts[place] = (counts[place] as number) + 1
      }
    }
    return counts
  }

  /** For each value of a changed document the place where its text is counted, or -1. */
  #countedPlaces(): Int32Array {
    if (this.#changedPlaces) return this.#changedPlaces
    const column = this.#column
    const { delta } = this.#index
    const { documents } = this.#changed
    const counted = countedValues(column)
    const known = new Map<string, number>()
    const places = Int32Array.from(this.#changed.values, (value, at) => {
      step()
      const { text, folded, isDerived } = value
      if (text === null || isDerived || documents[at] === noDocument) return -1
      let inBase = delta.counted.get(value)
      if (inBase === undefined) {
        step(stepsOfLookup)
        const found = valuesWithText(column, text, folded).map(each => counted?.[each] ?? each)
        inBase = found.find(place => place >= 0) ?? -1
        delta.counted.set(value, inBase)
      }
      if (inBase >= 0) return inBase
      return placeAmong(known, text, this.#known + at)
    })
    this.#changedPlaces = places
    return places
  }

  /** A byte that the text at a place begins with, or a lower one. */
  leastFirstByte(place: number): number {
    return place < this.#known ? leastFirstByte(this.#column, place) : 0
  }

  /**
   * The places of the first folded texts from one on, or backwards before it, that are wanted: at
   * least as many texts as the limit, with all places of each.
   */
  placesFrom(from: string, backwards: boolean, limit: number, isWanted: (place: number) => boolean): number[] {
    const found: number[] = []
    const column = this.#column
    const direction = backwards ? -1 : 1
    let last: string | undefined
    let texts = 0
    for (
      let place = lowerBound(column.folded, encode(from)) - (backwards ? 1 : 0);
      place >= 0 && place < this.#known;
      place += direction
    ) {
      step()
      if (!isWanted(place)) continue
      const folded = this.foldedOf(place)
      if (folded !== last && ++texts > limit) break
      last = folded
      found.push(place)
    }
    this.#changed.values.forEach(({ folded }, at) => {
      step()
      if (isWanted(this.#known + at) && compareTexts(folded, from) < 0 === backwards) found.push(this.#known + at)
    })
    return found
  }

  /** The hash of the folded text at each place. */
  hashes(hashOf: (bytes: Uint8Array, start: number, end: number) => number): Uint32Array {
    const hashes = new Uint32Array(this.count)
    const { folded } = this.#column
    for (let place = 0; place < this.#known; place++) {
      step()
      const end = (folded.starts[place + 1] as number) - 1
      hashes[place] = hashOf(folded.bytes, folded.starts[place] as number, end)
    }
    this.#changed.values.forEach((value, at) => {
      step()
      const bytes = encode(value.folded)
      hashes[this.#known + at] = hashOf(bytes, 0, bytes.length)
    })
    return hashes
  }

  get #ranks(): RanksBetween {
    if (this.#sorting) return this.#sorting
    const { values, firsts } = this.#changed
    const texts = firsts.entries().map(([document, first]) => {
      const of = values[first] as IndexValue
      return { document, of, text: sortText(of) }
    })
    this.#sorting = new RanksBetween(texts, text => doubledRank(this.#column, text), this.#index.delta.ranks)
    return this.#sorting
  }

  /** The number by which a document is sorted by its first value; NaN for none. */
  sortKeyOf(document: number): number {
    return has(this.#index.hidden, document)
      ? (this.#ranks.keys.get(document) ?? Number.NaN)
      : this.#sortKeyInBase(document)
  }

  #sortKeyInBase(document: number): number {
    const place = placeIn(this.#column, document)
    return place < 0 ? Number.NaN : rankOf(this.#column, this.#column.firsts[place] as number) * 2
  }

  /** The same for a text to sort by. */
  sortKeyOfText(text: string): number {
    return this.#ranks.keyOf(text)
  }

  /** The text to sort a document by. */
  sortTextOf(document: number): string | undefined {
    const place = this.firstOf(document)
    if (place < 0) return undefined
    if (place >= this.#known) return sortText(this.#valueAt(place))
    return sortOf(this.#column, rankOf(this.#column, place))
  }

  /** The numbers by which all documents are sorted, which is worth it where many are compared. */
  allSortKeys(): Float64Array {
    const keys = new Float64Array(this.#index.size).fill(Number.NaN)
    const column = this.#column
    const members = membersOf(column.documents)
    for (let at = 0; at < members.length; at++) {
      step()
      keys[members[at] as number] = rankOf(column, column.firsts[at] as number) * 2
    }
    for (const number of this.#index.delta.documents.keys()) {
      step()
      keys[number] = this.#ranks.keys.get(number) ?? Number.NaN
    }
    return keys
  }

  /** The documents in ascending order of the numbers by which they are sorted. */
  sortedDocuments(): Omit<SortedDocuments, 'isDescending'> | undefined {
    const numbers = this.#index.sortedColumns.get(this.#key)
    if (!numbers) return undefined
    return {
      numbers,
      keyOf: document => this.#sortKeyInBase(document),
      isMoved: document => has(this.#index.hidden, document),
      moved: this.#index.delta.documents.keys(),
      haveAll: false
    }
  }
}

const noColumn = buildColumn().done(0)
const none = new ChangedValues()

/** The places of the values of a column with one of some folded texts. */
function placesOfFolded(column: Column, texts: ReadonlySet<string>): number[] {
  const found: number[] = []
  const count = valueCount(column)
  for (const text of texts) {
    const bytes = encode(text)
    for (let place = lowerBound(column.folded, bytes); place < count; place++) {
      step()
      if (compareAt(column.folded, place, bytes) !== 0) break
      found.push(place)
    }
  }
  return found
}
