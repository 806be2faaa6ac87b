import type { Columns } from './base.ts'
import { rankOf } from './columns.ts'
import { membersOf } from './sets.ts'
import { sortByKeys } from './sort-by-keys.ts'
import { inParts } from './time-limit.ts'

/**
 * For metadata keys that lists are sorted by: the documents of the base that have the key, in the
 * order of their first values. Made when first needed. Together they have at most as many entries
 * as there are documents, which is enough for the titles of some types and the names of the others.
 */
export class SortedColumns {
  readonly #columns: Columns
  readonly #maxEntries: number
  readonly #sorted = new Map<string, Uint32Array>()

  constructor(columns: Columns, maxEntries: number) {
    this.#columns = columns
    this.#maxEntries = maxEntries
  }

  get(key: string): Uint32Array | undefined {
    const known = this.#sorted.get(key)
    const column = this.#columns.get(key)
    if (known || !column) return known
    const members = membersOf(column.documents)
    const ranks = new Float64Array(members.length)
    inParts(0, members.length, (first, end) => {
      for (let at = first; at < end; at++) ranks[at] = rankOf(column, column.firsts[at] as number)
    })
    const sorted = sortByKeys(members, ranks)
    const entries = this.#sorted.values().reduce((sum, { length }) => sum + length, sorted.length)
    if (entries > this.#maxEntries) this.#sorted.clear()
    this.#sorted.set(key, sorted)
    return sorted
  }
}
