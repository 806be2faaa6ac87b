import { type Column, hasCapitalsFlag, isDerivedFlag, isFoldedFlag, isLongFlag, valueText } from './columns.ts'
import { step } from './time-limit.ts'

/* How facets count the values of a column. */

const isNotCounted = (flag: number) => (flag & (isDerivedFlag | isLongFlag)) !== 0

/**
 * For each value the first with the same text, which counts for all, or -1 for a value that does
 * not count; undefined where each counts for itself.
 */
export function countedValues(column: Column): Int32Array | undefined {
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

/** A byte that the text of a value begins with, or a lower one. */
export function leastFirstByte({ flags, folded }: Column, value: number): number {
  const flag = flags[value] as number
  if (!(flag & (isFoldedFlag | hasCapitalsFlag))) return 0
  const first = folded.bytes[folded.starts[value] as number] as number
  return flag & hasCapitalsFlag && first >= 97 && first <= 122 ? first - 32 : first
}
