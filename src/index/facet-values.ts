import { encode } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type Column, hasCapitalsFlag, isDerivedFlag, isFoldedFlag, isLongFlag, valueText } from './columns.ts'
import { countValues } from './document-values.ts'
import { type FacetValue, type Matches, TextCounts, Top, topOf } from './facet-counts.ts'
import { has } from './sets.ts'
import { step } from './time-limit.ts'

/* Counts of the values of a metadata key. */

export function countMetadata(
  index: CatalogueIndex,
  { set, inBase }: Matches,
  key: string,
  limit: number
): FacetValue[] {
  const column = index.columns.get(key)
  const further = new TextCounts()
  for (const document of index.delta.values()) {
    step(document.values.length)
    if (has(set, document.number))
      further.add(
        document.values.flatMap(value =>
          value.key === key && !value.isDerived && value.text !== null ? [value.text] : []
        )
      )
  }
  if (!column) return topOf(further.counts, limit)
  const counts = countValues(column, inBase, {
    valueCount: column.flags.length,
    counted: countedValues(column),
    isDistinct: false
  })
  return topValues(column, counts, further.counts, limit)
}

const isNotCounted = (flag: number) => (flag & (isDerivedFlag | isLongFlag)) !== 0

/**
 * For each value the first with the same text, which counts for all, or -1 for a value that does
 * not count; undefined where each counts for itself.
 */
function countedValues(column: Column): Int32Array | undefined {
  const known = countedByColumn.get(column)
  if (known !== undefined) return known ?? undefined
  const { flags } = column
  let counted: Int32Array | null = null
  let first = 0
  for (let at = 0; at < flags.length; at++) {
    step()
    // Values with the same text have the same folded text, so they follow each other.
    const isSame = at > 0 && sameFolded(column, at - 1, at) && valueText(column, first) === valueText(column, at)
    if (!isSame) first = at
    const place = isNotCounted(flags[at] as number) ? -1 : first
    if (place === at) continue
    counted ??= Int32Array.from({ length: flags.length }, (_, value) => value)
    counted[at] = place
  }
  countedByColumn.set(column, counted)
  return counted ?? undefined
}

const countedByColumn = new WeakMap<Column, Int32Array | null>()

function sameFolded({ folded: { bytes, starts } }: Column, one: number, other: number): boolean {
  const start = starts[one] as number
  const otherStart = starts[other] as number
  const length = otherStart - start
  if ((starts[other + 1] as number) - otherStart !== length) return false
  step(length >>> 3)
  for (let at = 0; at < length; at++) if (bytes[start + at] !== bytes[otherStart + at]) return false
  return true
}

/** The most frequent values of a column, together with texts counted elsewhere. */
function topValues(
  column: Column,
  counts: Uint32Array,
  further: ReadonlyMap<string, number>,
  limit: number
): FacetValue[] {
  const top = new Top(limit)
  const left = new Map(further)
  if (further.size === 0) {
    // Of a million titles most occur once: their texts are made only where they may come first.
    let [least, lastByte] = [1, 256]
    for (let value = 0; value < counts.length; value++) {
      step()
      const count = counts[value] as number
      if (count < least || (count === least && leastFirstByte(column, value) > lastByte)) continue
      top.offer(count, () => valueText(column, value))
      if (!top.last) continue
      least = top.last.count
      lastByte = encode(top.last.value.slice(0, 2))[0] ?? 0
    }
    return top.found
  }
  for (let value = 0; value < counts.length; value++) {
    step()
    const count = counts[value] as number
    if (count === 0) continue
    const text = valueText(column, value) as string
    top.offer(count + (left.get(text) ?? 0), () => text)
    left.delete(text)
  }
  for (const [text, count] of left) top.offer(count, () => text)
  return top.found
}

/** A byte that the text of a value begins with, or a lower one. */
function leastFirstByte({ flags, folded }: Column, value: number): number {
  const flag = flags[value] as number
  if (!(flag & (isFoldedFlag | hasCapitalsFlag))) return 0
  const first = folded.bytes[folded.starts[value] as number] as number
  return flag & hasCapitalsFlag && first >= 97 && first <= 122 ? first - 32 : first
}
