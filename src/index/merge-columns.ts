import { sortLength } from '#domain/search/index-values.ts'
import { firstCharacters } from '#domain/values/fold.ts'
import {
  compareTexts,
  growingNumbers,
  narrowNumbers,
  sharedBytes,
  sharedFloats,
  sharedNumbers,
  textAt,
  type Texts,
  textsOfSpellings,
  toSpellings
} from './arrays.ts'
import {
  type Column,
  isDerivedFlag,
  isFoldedFlag,
  isLongFlag,
  isTrueFlag,
  sortKindOf,
  toRanks,
  valueCount,
  valueText
} from './columns.ts'
import {
  compareTextsAt,
  gatherTexts,
  type LiveDocuments,
  markedPlaces,
  type MergedEntries,
  mergeSorted,
  newPlaces
} from './merge-sorted.ts'
import { membersOf, placeOf, toMembers } from './sets.ts'

/** A column of one base, with the number of that base among those that are merged. */
export interface ColumnPart {
  readonly part: number
  readonly column: Column
}

/** Merges the columns of a key. Undefined where no live document has a value. */
export function mergeColumns(parts: readonly ColumnPart[], live: LiveDocuments): Column | undefined {
  const entries = parts.map(each => liveEntries(each, live))
  const columns = parts.map(({ column }) => column)
  const used = entries.map(({ marks }) => markedPlaces(marks))
  if (used.every(places => places.length === 0)) return undefined
  const merged = mergeSorted(used, (part, place, otherPart, otherPlace) =>
    compareValues(columns[part] as Column, place, columns[otherPart] as Column, otherPlace)
  )
  const maps = newPlaces(merged, columns.map(valueCount))
  return { ...mergeEntries(entries, merged, maps, live.size), ...mergeDictionaries(columns, merged) }
}

/** The values of live documents in one column: documents and places in its dictionary. */
interface LiveEntries {
  readonly documents: Uint32Array
  readonly firsts: Uint32Array
  readonly furtherDocuments: Uint32Array
  readonly further: Uint32Array
  /** One byte for each value of the dictionary: whether it is among them. */
  readonly marks: Uint8Array
}

function liveEntries({ part, column }: ColumnPart, { partOf }: LiveDocuments): LiveEntries {
  const marks = new Uint8Array(valueCount(column))
  const [documents, firsts] = [growingNumbers(), growingNumbers()]
  const [furtherDocuments, further] = [growingNumbers(), growingNumbers()]
  const members = membersOf(column.documents)
  for (let at = 0; at < members.length; at++) {
    const document = members[at] as number
    if (partOf[document] !== part) continue
    const value = column.firsts[at] as number
    documents.push(document)
    firsts.push(value)
    marks[value] = 1
  }
  for (let at = 0; at < column.furtherDocuments.length; at++) {
    const document = column.furtherDocuments[at] as number
    if (partOf[document] !== part) continue
    const value = column.further[at] as number
    furtherDocuments.push(document)
    further.push(value)
    marks[value] = 1
  }
  return {
    documents: documents.array.subarray(0, documents.length),
    firsts: firsts.array.subarray(0, firsts.length),
    furtherDocuments: furtherDocuments.array.subarray(0, furtherDocuments.length),
    further: further.array.subarray(0, further.length),
    marks
  }
}

function mergeEntries(
  entries: readonly LiveEntries[],
  { places }: MergedEntries,
  maps: readonly Uint32Array[],
  size: number
): Pick<Column, 'documents' | 'firsts' | 'furtherDocuments' | 'further'> {
  const numbers = new Uint32Array(entries.reduce((sum, { documents }) => sum + documents.length, 0))
  let end = 0
  for (const { documents } of entries) {
    numbers.set(documents, end)
    end += documents.length
  }
  const documents = toMembers(numbers.sort(), size)
  const firsts = new Uint32Array(numbers.length)
  /** Where the further values of each document begin, by its place. */
  const starts = new Uint32Array(numbers.length + 1)
  entries.forEach((each, part) => {
    const map = maps[part] as Uint32Array
    for (let at = 0; at < each.documents.length; at++)
      firsts[placeOf(documents, each.documents[at] as number)] = map[each.firsts[at] as number] as number
    for (let at = 0; at < each.furtherDocuments.length; at++) {
      const place = placeOf(documents, each.furtherDocuments[at] as number) + 1
      starts[place] = (starts[place] as number) + 1
    }
  })
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] as number) + (starts[at - 1] as number)
  const further = new Uint32Array(starts[numbers.length] as number)
  const furtherDocuments = sharedNumbers(further.length)
  entries.forEach((each, part) => {
    const map = maps[part] as Uint32Array
    for (let at = 0; at < each.furtherDocuments.length; at++) {
      const document = each.furtherDocuments[at] as number
      const place = placeOf(documents, document)
      const to = starts[place] as number
      starts[place] = to + 1
      furtherDocuments[to] = document
      further[to] = map[each.further[at] as number] as number
    }
  })
  return {
    documents,
    firsts: narrowNumbers(firsts, places.length),
    furtherDocuments,
    further: narrowNumbers(further, places.length)
  }
}

function mergeDictionaries(
  columns: readonly Column[],
  merged: MergedEntries
): Omit<Column, 'documents' | 'firsts' | 'furtherDocuments' | 'further'> {
  const { parts, places } = merged
  const count = places.length
  const folded = gatherTexts(
    columns.map(column => column.folded),
    merged
  )
  const spellings = gatherTexts(
    columns.map(column => textsOfSpellings(column.spellings, valueCount(column))),
    merged
  )
  const flags = sharedBytes(count)
  for (let at = 0; at < count; at++)
    flags[at] = (columns[parts[at] as number] as Column).flags[places[at] as number] as number
  const dictionary = {
    folded,
    spellings: toSpellings(spellings),
    flags,
    numbers: gatherNumbers(
      columns.map(({ numbers }) => numbers),
      merged
    ),
    instants: gatherNumbers(
      columns.map(({ instants }) => instants),
      merged
    )
  }
  return { ...dictionary, ...rankMerged(dictionary as Column, count) }
}

/** The numbers of merged values; undefined where none has one. */
function gatherNumbers(
  sources: readonly (Float64Array | undefined)[],
  { parts, places }: MergedEntries
): Float64Array | undefined {
  let numbers: Float64Array | undefined
  for (let at = 0; at < places.length; at++) {
    const number = sources[parts[at] as number]?.[places[at] as number] ?? Number.NaN
    if (Number.isNaN(number)) continue
    numbers ??= sharedFloats(places.length).fill(Number.NaN)
    numbers[at] = number
  }
  return numbers
}

function rankMerged(column: Column, count: number): Pick<Column, 'ranks' | 'byRank'> {
  const order = Uint32Array.from({ length: count }, (_, at) => at)
  let isText = true
  for (let at = 0; at < count && isText; at++) isText = sortKindOf(column, at) === 3
  if (!isText) order.sort((one, other) => compareSorts(column, one, other) || one - other)
  return toRanks(order, (one, other) => compareSorts(column, one, other) === 0)
}

/** Compares two values of a dictionary by what they are sorted by. */
function compareSorts(column: Column, one: number, other: number): number {
  const kind = sortKindOf(column, one)
  const otherKind = sortKindOf(column, other)
  if (kind !== otherKind) return kind - otherKind
  if (kind === 3) return isSameBeginning(column.folded, one, other) ? 0 : one - other
  const sortedBy = (value: number) =>
    kind === 0
      ? (column.flags[value] as number) & isTrueFlag
      : ((kind === 1 ? column.instants : column.numbers)?.[value] as number)
  return sortedBy(one) - sortedBy(other)
}

/** Whether two texts are the same as far as sorting compares them. */
function isSameBeginning(texts: Texts, one: number, other: number): boolean {
  const length = (texts.starts[one + 1] as number) - (texts.starts[one] as number)
  const otherLength = (texts.starts[other + 1] as number) - (texts.starts[other] as number)
  if (length === otherLength && compareTextsAt(texts, one, texts, other) === 0) return true
  // A character takes at least one byte.
  if (length <= sortLength || otherLength <= sortLength) return false
  return firstCharacters(textAt(texts, one), sortLength) === firstCharacters(textAt(texts, other), sortLength)
}

/** Compares values in the order of dictionaries; zero for the same value. */
function compareValues(one: Column, value: number, other: Column, otherValue: number): number {
  const difference = compareTextsAt(one.folded, value, other.folded, otherValue)
  if (difference !== 0) return difference
  const flags = (one.flags[value] as number) & (other.flags[otherValue] as number)
  const isSameText = (flags & isFoldedFlag) !== 0
  return (
    (isSameText ? 0 : compareTexts(valueText(one, value) ?? '', valueText(other, otherValue) ?? '')) ||
    identityRank(one, value) - identityRank(other, otherValue)
  )
}

/** The order of values with the same text, as that of their identities. */
const identityRank = (column: Column, value: number): number =>
  ((column.flags[value] as number) & isDerivedFlag ? 16 : 0) +
  sortKindOf(column, value) * 4 +
  (Number.isNaN(column.instants?.[value] ?? Number.NaN) ? 0 : 2) +
  ((column.flags[value] as number) & isLongFlag ? 0 : 1)
