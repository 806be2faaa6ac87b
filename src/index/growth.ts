import type { CatalogueIndex } from './catalogue-index.ts'
import { instantOf } from './facts.ts'
import { readableIn, type Scope } from './readable.ts'
import { forEach } from './sets.ts'

export interface MonthCount {
  /** `2026-11` */
  readonly month: string
  readonly type: string
  readonly count: number
}

/** Counts documents by the month of creation, in UTC, and by type, in the order of both. */
export function countGrowth(index: CatalogueIndex, scope: Scope): MonthCount[] {
  const counts = new Map<string, Map<string, number>>()
  const countOne = (month: string, type: string) => {
    let types = counts.get(month)
    if (!types) {
      types = new Map()
      counts.set(month, types)
    }
    types.set(type, (types.get(type) ?? 0) + 1)
  }
  // Documents that were created together share a moment, and those of a day a month.
  let [first, end, month] = [0, 0, '']
  const monthOf = (instant: number) => {
    if (instant < first || instant >= end) {
      const date = new Date(instant)
      first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
      end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
      month = date.toISOString().slice(0, 7)
    }
    return month
  }
  const { places, texts } = index.types
  forEach(readableIn(index, scope) ?? index.everything(), number =>
    countOne(monthOf(instantOf(index, number, 'created_at')), texts[places[number] as number] as string)
  )
  return [...counts]
    .flatMap(([month, types]) => [...types].map(([type, count]) => ({ month, type, count })))
    .sort((one, other) => compare(one.month, other.month) || compare(one.type, other.type))
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
