import { firstCharacters, isAscii } from '#domain/values/fold.ts'
import { type IndexValue, sortableNumber, sortLength, sortText } from '#domain/search/index-values.ts'
import {
  compareAt,
  compareTexts,
  countOf,
  encode,
  growingNumbers,
  lowerBound,
  narrowNumbers,
  type Numbers,
  type Spellings,
  sharedBytes,
  sharedFloats,
  spellingAt,
  textAt,
  textOrder,
  type Texts,
  toSpellings,
  toTexts
} from './arrays.ts'
import {
  arraysOfValues,
  type DocumentValues,
  namesOfValueArrays,
  toDocumentValues,
  valuesOfArrays
} from './document-values.ts'
import { ColumnPacker, type PackedColumns, unpackColumn } from './packed-columns.ts'
import { placeOf } from './sets.ts'
import { placeAmong } from './place-among.ts'

/*
 * The values of one metadata key: a dictionary of the values that differ, sorted by their folded
 * text, and for each document its values in their order, as places in the dictionary.
 */

export interface Column extends DocumentValues {
  readonly folded: Texts
  /** The text as stored, where it is not the folded one: see `hasCapitalsFlag`. */
  readonly spellings: Spellings
  /** `flagOf…`, one byte for each value. */
  readonly flags: Uint8Array
  /** NaN for none; undefined where no value has one. */
  readonly numbers: Float64Array | undefined
  readonly instants: Float64Array | undefined
  /**
   * The place of each value in the order of sorting; those that sort alike share one. Undefined
   * where it is the place in the dictionary.
   */
  readonly ranks: Numbers | undefined
  /** For each rank one value that has it; undefined where it is the value at that place. */
  readonly byRank: Numbers | undefined
}

const namesOfDictionary = ['flags', 'numbers', 'instants', 'ranks', 'byRank'] as const
const namesOfTexts = ['foldedBytes', 'foldedStarts', 'spellingBytes', 'spellingStarts'] as const
const namesOfArrays = [...namesOfValueArrays, ...namesOfTexts, ...namesOfDictionary] as const

/** Packs columns, each as soon as it is made. */
export function packColumns(columns: Iterable<Column>): PackedColumns {
  const packer = new ColumnPacker(namesOfArrays)
  for (const column of columns) {
    const { documents: _, folded, spellings, ...arrays } = column
    packer.add({
      ...arrays,
      ...arraysOfValues(column),
      foldedBytes: folded.bytes,
      foldedStarts: folded.starts,
      spellingBytes: spellings.bytes,
      spellingStarts: spellings.starts
    })
  }
  return packer.done()
}

export function columnAt(columns: PackedColumns, place: number): Column {
  const arrays = unpackColumn(columns, namesOfArrays, place)
  const { flags, numbers, instants, ranks, byRank } = arrays as Pick<Column, (typeof namesOfDictionary)[number]>
  const { foldedBytes, foldedStarts, spellingBytes, spellingStarts } = arrays
  return {
    ...valuesOfArrays(arrays),
    folded: { bytes: foldedBytes, starts: foldedStarts } as Texts,
    spellings: { bytes: spellingBytes, starts: spellingStarts } as Spellings,
    flags,
    numbers,
    instants,
    ranks,
    byRank
  }
}

/** Made from another value to be found by. */
export const isDerivedFlag = 1
/** Longer than any value that can be asked for as a whole: it has no text. */
export const isLongFlag = 2
/** Its text is its folded text. */
export const isFoldedFlag = 4
export const isTrueFlag = 8
const isFalseFlag = 16
/** Sorted as an instant, or as a number; otherwise by its folded text. */
const isInstantFlag = 32
const isNumberFlag = 64
/** Its text is its folded text with some letters from a to z as capitals. */
export const hasCapitalsFlag = 128

export interface ColumnBuilder {
  add(document: number, value: IndexValue): void
  /** `size`: one more than the highest number of a document. */
  done(size: number): Column
}

export function buildColumn(): ColumnBuilder {
  const documents = growingNumbers()
  const entries = growingNumbers()
  /** Places of values by their text, for each head. */
  const known = new Map<number, Map<string, number>>()
  const distinct: IndexValue[] = []
  return {
    add(document, value) {
      const head = headOf(value)
      let places = known.get(head)
      if (!places) {
        places = new Map()
        known.set(head, places)
      }
      const place = placeAmong(places, value.text ?? value.folded, distinct.length)
      if (place === distinct.length) distinct.push(value)
      documents.push(document)
      entries.push(place)
    },
    done(size) {
      known.clear()
      const { order, places } = sorted(distinct)
      const values = new Uint32Array(entries.length)
      for (let at = 0; at < entries.length; at++) values[at] = places[entries.array[at] as number] as number
      return {
        ...toDocumentValues(documents.array.subarray(0, documents.length), values, size, order.length),
        ...dictionaryOf(order)
      }
    }
  }
}

/**
 * Two values with the same head and the same text, or folded text where it is long, are the same
 * for every filter, order and facet.
 */
const headOf = ({ text, sortKind, instant, isDerived }: IndexValue): number =>
  isDerived * 1024 + sortKind.charCodeAt(0) * 4 + (instant === null ? 0 : 2) + (text === null ? 0 : 1)

function sorted(distinct: readonly IndexValue[]) {
  const compare = textOrder(distinct.map(({ folded }) => folded))
  const order = distinct
    .map((value, place) => ({ value, place }))
    .sort(
      (one, other) =>
        compare(one.value.folded, other.value.folded) ||
        compareTexts(one.value.text ?? '', other.value.text ?? '') ||
        headOf(one.value) - headOf(other.value)
    )
  const places = new Uint32Array(order.length)
  for (let at = 0; at < order.length; at++) places[(order[at] as { place: number }).place] = at
  return { order: order.map(({ value }) => value), places }
}

function dictionaryOf(values: readonly IndexValue[]): Omit<Column, keyof DocumentValues> {
  const flags = sharedBytes(values.length)
  const hasNumbers = values.some(({ number }) => number !== null)
  const hasInstants = values.some(({ instant }) => instant !== null)
  const numbers = hasNumbers ? sharedFloats(values.length).fill(Number.NaN) : undefined
  const instants = hasInstants ? sharedFloats(values.length).fill(Number.NaN) : undefined
  const spellings = values.map(({ text, folded }) =>
    text === null || text === folded ? '' : (capitalsOf(text, folded) ?? text)
  )
  values.forEach((value, at) => {
    flags[at] =
      (value.isDerived ? isDerivedFlag : 0) |
      (value.text === null ? isLongFlag : 0) |
      (value.text === value.folded ? isFoldedFlag : 0) |
      (spellings[at] !== '' && spellings[at] !== value.text ? hasCapitalsFlag : 0) |
      (value.truth === 1 ? isTrueFlag : value.truth === 0 ? isFalseFlag : 0) |
      (value.sortKind === 'd' ? isInstantFlag : value.sortKind === 'n' ? isNumberFlag : 0)
    if (numbers && value.number !== null) numbers[at] = value.number
    if (instants && value.instant !== null) instants[at] = value.instant
  })
  return {
    folded: toTexts(values.map(({ folded }) => folded)),
    spellings: toSpellings(toTexts(spellings)),
    flags,
    numbers,
    instants,
    ...rankBySort(values)
  }
}

function rankBySort(values: readonly IndexValue[]): Ranks {
  // Texts are sorted as they are folded, up to a length, and that is the order of values.
  if (values.every(({ sortKind, folded }) => sortKind === 't' && folded.length <= sortLength))
    return toRanks(
      values.map((_, at) => at),
      (one, other) => values[one]?.folded === values[other]?.folded
    )
  const sorts = values.map(sortText)
  const compare = textOrder(sorts)
  const order = Array.from({ length: values.length }, (_, at) => at)
  // Values are in the order of their folded texts already, which for most is the order to sort by.
  order.sort((one, other) => compare(sorts[one] as string, sorts[other] as string))
  return toRanks(order, (one, other) => sorts[one] === sorts[other])
}

type Ranks = Pick<Column, 'ranks' | 'byRank'>

/** The ranks of values, given their order and which of them sort alike. */
export function toRanks(order: ArrayLike<number>, isSame: (value: number, other: number) => boolean): Ranks {
  const count = order.length
  const ranks = new Uint32Array(count)
  let isInOrder = true
  for (let at = 0; at < count && isInOrder; at++) isInOrder = order[at] === at
  const firsts = growingNumbers()
  for (let at = 0; at < count; at++) {
    const place = order[at] as number
    if (at === 0 || !isSame(place, order[at - 1] as number)) firsts.push(place)
    ranks[place] = isInOrder ? (firsts.array[firsts.length - 1] as number) : firsts.length - 1
  }
  if (!isInOrder)
    return {
      ranks: narrowNumbers(ranks, firsts.length),
      byRank: narrowNumbers(firsts.array.subarray(0, firsts.length), count)
    }
  return { ranks: firsts.length === count ? undefined : narrowNumbers(ranks, count), byRank: undefined }
}

/**
 * The places of capitals in a text that differs from its folded form by nothing else, each as the
 * distance from the one before; undefined for other texts.
 */
function capitalsOf(text: string, folded: string): string | undefined {
  if (!isAscii(text) || text.toLowerCase() !== folded) return undefined
  let places = ''
  let last = -1
  for (let at = 0; at < text.length; at++) {
    if (text[at] === folded[at]) continue
    // One byte each, other than zero.
    if (at - last > 127) return undefined
    places += String.fromCharCode(at - last)
    last = at
  }
  return places
}

function withCapitals(folded: string, places: string): string {
  let text = ''
  let last = -1
  for (let at = 0; at < places.length; at++) {
    const place = last + places.charCodeAt(at)
    text += folded.slice(last + 1, place) + (folded[place] as string).toUpperCase()
    last = place
  }
  return text + folded.slice(last + 1)
}

/**
 * The place of a document among those that have a value, which is where `firsts` has its first one;
 * or -1.
 */
export const placeIn = ({ documents }: Column, document: number): number => placeOf(documents, document)

/** The rank of a value in the order of sorting. */
export const rankOf = ({ ranks }: Column, value: number): number => (ranks ? (ranks[value] as number) : value)

export const valueCount = ({ folded }: Column) => countOf(folded)

/** The text of a value as stored; undefined for a long one. */
export function valueText({ flags, folded, spellings }: Column, value: number): string | undefined {
  const flag = flags[value] as number
  if (flag & isLongFlag) return undefined
  if (flag & isFoldedFlag) return textAt(folded, value)
  const spelling = spellingAt(spellings, value)
  return flag & hasCapitalsFlag ? withCapitals(textAt(folded, value), spelling) : spelling
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

/** The truth that a value is; null for another value. */
export function truthIn({ flags }: Column, value: number): 0 | 1 | null {
  const flag = flags[value] as number
  return flag & isTrueFlag ? 1 : flag & isFalseFlag ? 0 : null
}

/** The kind that a value is sorted as: truth, instant, number or text, in this order. */
export function sortKindOf({ flags }: Column, value: number): 0 | 1 | 2 | 3 {
  const flag = flags[value] as number
  return flag & (isTrueFlag | isFalseFlag) ? 0 : flag & isInstantFlag ? 1 : flag & isNumberFlag ? 2 : 3
}

/** The text that the values of a rank are sorted by, as `sortText` has it. */
export function sortOf(column: Column, rank: number): string {
  const value = column.byRank ? (column.byRank[rank] as number) : rank
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
export function doubledRank(column: Column, sort: string): number {
  let low = 0
  let high = column.byRank?.length ?? valueCount(column)
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference = compareTexts(sortOf(column, middle), sort)
    if (difference === 0) return (column.byRank ? middle : rankOf(column, middle)) * 2
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low * 2 - 1
}
