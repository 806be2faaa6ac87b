import { firstCharacters } from '#domain/values/fold.ts'
import { type IndexValue, sortableNumber, sortLength } from '#domain/search/index-values.ts'
import {
  bytesAt,
  compareAt,
  compareTexts,
  countOf,
  encode,
  growingNumbers,
  lowerBound,
  sharedBytes,
  sharedFloats,
  sharedNumbers,
  textAt,
  textOrder,
  type Texts,
  toTexts
} from './arrays.ts'

/*
 * The values of one metadata key: a dictionary of the values that differ, sorted by their folded
 * text, and for each document its values in their order, as places in the dictionary.
 */

export interface Column {
  /**
   * Documents in ascending order, one entry for each value; `values` has the place of the value in
   * the dictionary.
   */
  readonly documents: Uint32Array
  readonly values: Uint32Array
  readonly folded: Texts
  /** The text as stored where it is not the folded one; empty where it is. */
  readonly texts: Texts
  /** `flagOf…`, one byte for each value. */
  readonly flags: Uint8Array
  /** NaN for none; undefined where no value has one. */
  readonly numbers: Float64Array | undefined
  readonly instants: Float64Array | undefined
  /** The place of each value in the order of sorting; those that sort alike share one. */
  readonly ranks: Uint32Array
  /** For each rank one value that has it. */
  readonly byRank: Uint32Array
}

/** Made from another value to be found by. */
export const isDerivedFlag = 1
/** Longer than any value that can be asked for as a whole: it has no text. */
export const isLongFlag = 2
/** Its text is its folded text. */
export const isFoldedFlag = 4
export const isTrueFlag = 8
export const isFalseFlag = 16
/** Sorted as an instant, or as a number; otherwise by its folded text. */
const isInstantFlag = 32
const isNumberFlag = 64

export interface ColumnBuilder {
  add(document: number, value: IndexValue): void
  done(): Column
}

export function buildColumn(): ColumnBuilder {
  const documents = growingNumbers()
  const entries = growingNumbers()
  const known = new Map<string, number>()
  const distinct: IndexValue[] = []
  return {
    add(document, value) {
      const identity = identityOf(value)
      let place = known.get(identity)
      if (place === undefined) {
        place = distinct.length
        known.set(identity, place)
        distinct.push(value)
      }
      documents.push(document)
      entries.push(place)
    },
    done() {
      known.clear()
      const { order, places } = sorted(distinct)
      const values = entries.done()
      for (let at = 0; at < values.length; at++) values[at] = places[values[at] as number] as number
      return { documents: documents.done(), values, ...dictionaryOf(order) }
    }
  }
}

/** Two values with the same identity are the same for every filter, order and facet. */
function identityOf({ text, folded, sort, instant, isDerived }: IndexValue): string {
  const head = `${isDerived}${sort[0]}${instant === null ? 0 : 1}`
  return text === null ? `${head}l${folded}` : `${head}s${text}`
}

function sorted(distinct: readonly IndexValue[]) {
  const compare = textOrder(distinct.map(({ folded }) => folded))
  const order = distinct
    .map((value, place) => ({ value, place }))
    .sort(
      (one, other) =>
        compare(one.value.folded, other.value.folded) ||
        compareTexts(one.value.text ?? '', other.value.text ?? '') ||
        one.place - other.place
    )
  const places = new Uint32Array(order.length)
  for (let at = 0; at < order.length; at++) places[(order[at] as { place: number }).place] = at
  return { order: order.map(({ value }) => value), places }
}

function dictionaryOf(values: readonly IndexValue[]): Omit<Column, 'documents' | 'values'> {
  const flags = sharedBytes(values.length)
  const hasNumbers = values.some(({ number }) => number !== null)
  const hasInstants = values.some(({ instant }) => instant !== null)
  const numbers = hasNumbers ? sharedFloats(values.length).fill(Number.NaN) : undefined
  const instants = hasInstants ? sharedFloats(values.length).fill(Number.NaN) : undefined
  values.forEach((value, at) => {
    flags[at] =
      (value.isDerived ? isDerivedFlag : 0) |
      (value.text === null ? isLongFlag : 0) |
      (value.text === value.folded ? isFoldedFlag : 0) |
      (value.truth === 1 ? isTrueFlag : value.truth === 0 ? isFalseFlag : 0) |
      (value.sort[0] === 'd' ? isInstantFlag : value.sort[0] === 'n' ? isNumberFlag : 0)
    if (numbers && value.number !== null) numbers[at] = value.number
    if (instants && value.instant !== null) instants[at] = value.instant
  })
  return {
    folded: toTexts(values.map(({ folded }) => folded)),
    texts: toTexts(values.map(({ text, folded }) => (text === null || text === folded ? '' : text))),
    flags,
    numbers,
    instants,
    ...rank(values)
  }
}

function rank(values: readonly IndexValue[]): Pick<Column, 'ranks' | 'byRank'> {
  const compare = textOrder(values.map(({ sort }) => sort))
  const sorts = values.map(({ sort }) => sort)
  const order = Array.from({ length: values.length }, (_, at) => at)
  // Values are in the order of their folded texts already, which for most is the order to sort by.
  order.sort((one, other) => compare(sorts[one] as string, sorts[other] as string))
  const ranks = sharedNumbers(values.length)
  const firsts = growingNumbers()
  order.forEach((place, at) => {
    if (at === 0 || sorts[place] !== sorts[order[at - 1] as number]) firsts.push(place)
    ranks[place] = firsts.length - 1
  })
  return { ranks, byRank: firsts.done() }
}

export const valueCount = ({ folded }: Column) => countOf(folded)

/** The text of a value as stored; undefined for a long one. */
export function valueText({ flags, folded, texts }: Column, value: number): string | undefined {
  const flag = flags[value] as number
  if (flag & isLongFlag) return undefined
  return textAt(flag & isFoldedFlag ? folded : texts, value)
}

export function valueBytes({ flags, folded, texts }: Column, value: number): Uint8Array {
  return bytesAt((flags[value] as number) & isFoldedFlag ? folded : texts, value)
}

/** Values with exactly this text, of which the folded form is given too. */
export function valuesWithText(column: Column, text: string, folded: string): number[] {
  const bytes = encode(folded)
  const found: number[] = []
  const all = valueCount(column)
  for (let at = lowerBound(column.folded, bytes); at < all; at++) {
    if (compareAt(column.folded, at, bytes) !== 0) break
    if (valueText(column, at) === text) found.push(at)
  }
  return found
}

/** By what a value is sorted, as `IndexValue.sort` has it. */
export function sortOf(column: Column, rank: number): string {
  const value = column.byRank[rank] as number
  const flag = column.flags[value] as number
  if (flag & isTrueFlag) return 'b1'
  if (flag & isFalseFlag) return 'b0'
  if (flag & isInstantFlag) return `d${sortableNumber(column.instants?.[value] as number)}`
  if (flag & isNumberFlag) return `n${sortableNumber(column.numbers?.[value] as number)}`
  return `t${firstCharacters(textAt(column.folded, value), sortLength)}`
}

/**
 * Where a text stands among the ranks of a column: twice the rank where it is one of them, else the
 * odd number before the next. So values of the column and others compare by one number.
 */
export function doubledRank(column: Column | undefined, sort: string): number {
  if (!column) return -1
  let low = 0
  let high = column.byRank.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference = compareTexts(sortOf(column, middle), sort)
    if (difference === 0) return middle * 2
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low * 2 - 1
}
