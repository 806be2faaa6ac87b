import { cost, makerLength, makerWeight, subtitleWeight, textWeight } from '#domain/search/search.ts'
import { add, type DocumentSet, emptySet, forEach, numbersIn } from './sets.ts'
import { inParts, partFrom, step } from './time-limit.ts'

/*
 * Memory for the costs of one word, reused for each word of each search, so that a search for a
 * rare word touches few bytes. A word can cost one of some 270 values, so the code of its cost
 * takes two bytes; the code of a related name or text takes one. Codes compare as costs do.
 */

/**
 * The costs of an inexact match of a word, in units: exact, as a beginning, with one typo, with
 * two. The position in this list is called the nearness.
 */
const formCosts = [0, cost.beginning, cost.oneTypo, cost.twoTypos]

/**
 * Codes for what a document costs those that are found by it: the nearness alone for a maker, and
 * from here on for any other.
 */
export const elsewhereCode = formCosts.length
/** No cost, as the code of a document's own cost and of a related one. */
export const none = 0xffff
export const noRelated = 0xff

/** Codes below are of words in the name itself: the nearness, and the length of the name. */
const firstRelated = formCosts.length * makerWeight

/** The code of a document's own cost, where it is found by a related document. */
export const ownOfRelated = (related: number) =>
  related < elsewhereCode ? related * makerWeight + makerLength : firstRelated + related - elsewhereCode

const costs = Uint32Array.from({ length: firstRelated + formCosts.length }, (_, code) => {
  if (code < firstRelated)
    return (formCosts[Math.floor(code / makerWeight)] as number) * cost.unit + (code % makerWeight)
  return (cost.elsewhere + (formCosts[code - firstRelated] as number)) * cost.unit
})

export const costOfCode = (code: number): number => costs[code] as number

/** By the weight of an occurrence of a word: the codes of what it costs. */
export interface CostsByWeight {
  /** The document itself, where the occurrence is in its name or a title. */
  readonly own: Uint16Array
  /** Those below it. */
  readonly above: Uint8Array
  /** Those that are related to it, where the occurrence is in its name. */
  readonly names: Uint8Array
}

function costsByWeight(nearness: number, isOptional: boolean): CostsByWeight {
  // A small word in the name of a maker says as little as one elsewhere.
  const firstMaker = isOptional ? subtitleWeight : makerWeight
  const related = (weight: number) => (weight > firstMaker && weight < subtitleWeight ? 0 : elsewhereCode) + nearness
  const length = 256
  return {
    own: Uint16Array.from({ length }, (_, weight) =>
      weight < textWeight ? nearness * makerWeight + (weight % makerWeight) : none
    ),
    above: Uint8Array.from({ length }, (_, weight) => related(weight)),
    names: Uint8Array.from({ length }, (_, weight) => (weight < subtitleWeight ? related(weight) : noRelated))
  }
}

const [ofWords, ofOptionalWords] = [false, true].map(isOptional =>
  formCosts.map((_, nearness) => costsByWeight(nearness, isOptional))
)

export const costsOf = (nearness: number, isOptional: boolean): CostsByWeight =>
  (isOptional ? ofOptionalWords : ofWords)?.[nearness] as CostsByWeight

/** 0 for the code `none`, else 1; without a branch, which takes longer where many differ. */
const hasCost = (code: number): number => ((code + 1) >>> 16) ^ 1

/** A list of numbers that is emptied and filled again. */
export class NumberList {
  array = new Uint32Array(1024)
  length = 0

  push(number: number) {
    if (this.length === this.array.length) {
      const larger = new Uint32Array(this.array.length * 2)
      larger.set(this.array)
      this.array = larger
    }
    this.array[this.length++] = number
  }
}

export class Scratch {
  /** Codes of the least that the word costs each document. */
  readonly own: Uint16Array
  /** Codes of the least that it costs those below a document. */
  readonly above: Uint8Array
  /** A copy of `above`, for documents that are below several. */
  readonly said: Uint8Array
  /** Codes of what the name of a document costs those that are related to it. */
  readonly names: Uint8Array
  /**
   * Whether so many documents may have any of these that they are not listed in `touched` and
   * `named`: then all arrays are looked through, and cleared, as a whole.
   */
  isDense = false
  /** The documents that have any of these. */
  readonly touched = new NumberList()
  /** Those with a name. */
  readonly named = new NumberList()
  /** Documents below others, to be taken at the end of a step; then those taken. */
  readonly reached = new NumberList()
  readonly #said = new NumberList()

  constructor(size: number) {
    this.own = new Uint16Array(size).fill(none)
    this.above = new Uint8Array(size).fill(noRelated)
    this.said = new Uint8Array(size)
    this.names = new Uint8Array(size).fill(noRelated)
  }

  take(document: number, own: number, related: number) {
    const known = this.own[document] as number
    if (own < known) {
      if (known === none && !this.isDense) this.touched.push(document)
      this.own[document] = own
    }
    if (related < (this.above[document] as number)) this.above[document] = related
  }

  takeName(document: number, related: number) {
    const known = this.names[document] as number
    if (related >= known) return
    if (known === noRelated && !this.isDense) this.named.push(document)
    this.names[document] = related
  }

  /** The documents with a name, in any order; at least those that may be related to others. */
  listNamed(isRelated: DocumentSet): NumberList {
    const { named, names, isDense } = this
    if (!isDense) return named
    forEach(isRelated, document => {
      if (names[document] !== noRelated) named.push(document)
    })
    return named
  }

  /** Puts the documents touched into the order of their numbers. */
  sortTouched(): NumberList {
    const { touched } = this
    const set = emptySet(this.own.length)
    inParts(0, touched.length, (first, end) => {
      for (let at = first; at < end; at++) add(set, touched.array[at] as number)
    })
    touched.array.set(numbersIn(set))
    return touched
  }

  /** A cost found by looking at related documents; what is below the document has no part in it. */
  pulled(document: number, own: number) {
    if (this.own[document] === none) this.touched.push(document)
    this.own[document] = own
  }

  reach(document: number, said: number) {
    this.reached.push(document)
    this.#said.push(said)
  }

  /** Takes what was reached from a place of the list on; what is no better is removed from it. */
  takeReached(first: number) {
    const { reached } = this
    const { length } = reached
    reached.length = first
    for (let at = first; at < length; at++) {
      step()
      const document = reached.array[at] as number
      const said = this.#said.array[at] as number
      if (said >= (this.above[document] as number)) continue
      this.take(document, ownOfRelated(said), said)
      this.#said.array[reached.length] = said
      reached.push(document)
    }
    this.#said.length = reached.length
  }

  /** The documents that have a cost, in ascending order. */
  costed(): Uint32Array {
    const { own, touched } = this
    if (!this.isDense) return touched.array.slice(0, touched.length)
    // In memory that is kept: some megabytes for each search are much to collect.
    if (touched.array.length < own.length) touched.array = new Uint32Array(own.length)
    const { array } = touched
    let length = 0
    // Without a function for each part: a variable that two functions share takes much longer here.
    for (let document = 0, end = 0; document < own.length; ) {
      end = partFrom(document, own.length)
      for (; document < end; document++) {
        array[length] = document
        length += hasCost(own[document] as number)
      }
    }
    return array.slice(0, length)
  }

  /** The documents that have a cost, as a set. */
  costedSet(): DocumentSet {
    const { own } = this
    const set = emptySet(own.length)
    const whole = own.length >>> 5
    for (let word = 0, document = 0; word < whole; word++) {
      step(32)
      let bits = 0
      for (let bit = 0; bit < 32; bit++, document++) bits |= hasCost(own[document] as number) << bit
      set[word] = bits
    }
    for (let document = whole << 5; document < own.length; document++) if (own[document] !== none) add(set, document)
    return set
  }

  clear() {
    if (this.isDense) {
      this.own.fill(none)
      this.above.fill(noRelated)
      this.names.fill(noRelated)
      this.named.length = 0
      this.isDense = false
      return
    }
    const { array, length } = this.touched
    for (let at = 0; at < length; at++) {
      step()
      const document = array[at] as number
      this.own[document] = none
      this.above[document] = noRelated
      this.names[document] = noRelated
    }
    this.touched.length = 0
    this.named.length = 0
    this.reached.length = 0
    this.#said.length = 0
  }
}
