import type { OrderItem, RelatedValue } from '#domain/filter/order.ts'
import { sortText } from '#domain/search/index-values.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { compareTexts } from './arrays.ts'
import { type Column, doubledRank, placeIn, rankOf, sortOf } from './columns.ts'
import type { SortedDocuments } from './select-page.ts'
import { type DocumentSet, has, membersOf } from './sets.ts'
import { step, stepsOfLookup } from './time-limit.ts'

/*
 * The numbers by which documents are sorted: by creation, type, id, a value, or a value of a
 * related document.
 */

/**
 * One thing to sort by. `key` is a number that compares; without a value it is NaN, and the
 * document comes last in both directions.
 */
export interface SortKey {
  readonly key: (number: number) => number
  /** Decides between documents of the delta with the same key. */
  readonly text: (number: number) => string | undefined
  readonly sayOf: (number: number) => string | null
  readonly keyOf: (said: string) => { readonly key: number; readonly text: string | undefined }
  /** The keys of all documents, where they were made. */
  readonly all?: Float64Array
}

export function sortKeyOf(
  index: CatalogueIndex,
  item: OrderItem,
  isForMany: boolean,
  readable: DocumentSet | undefined
): SortKey {
  const noText = () => undefined
  const byNumber = (key: (number: number) => number): SortKey => ({
    key: number => key(number) * 2,
    text: noText,
    sayOf: number => String(key(number)),
    keyOf: said => ({ key: Number(said) * 2, text: undefined })
  })
  switch (item.by) {
    case 'created':
      return byNumber(number => number)
    case 'updated':
      return byNumber(number => index.changedOf(number))
    case 'type':
      return byType(index)
    case 'id':
      return byId(index)
    case 'metadata':
      return byMetadata(index, item.key, isForMany)
    case 'related':
      return byRelated(index, item, isForMany, readable)
  }
}

function byRelated(
  index: CatalogueIndex,
  { paths, key }: RelatedValue,
  isForMany: boolean,
  readable: DocumentSet | undefined
): SortKey {
  const ofTarget = byMetadata(index, key, isForMany)
  const targets = new Map<number, number>()
  const firstBy = (from: number, path: readonly string[]): number => {
    let at = from
    for (const type of path) {
      at = index.targetsBy(at, type).find(target => !readable || has(readable, target)) ?? -1
      if (at < 0) return -1
    }
    return at
  }
  const targetOf = (number: number): number => {
    let target = targets.get(number)
    if (target === undefined) {
      step()
      target = -1
      for (const path of paths) {
        target = firstBy(number, path)
        if (target >= 0) break
      }
      targets.set(number, target)
    }
    return target
  }
  const at = <T>(number: number, read: (target: number) => T, none: T): T => {
    const target = targetOf(number)
    return target < 0 ? none : read(target)
  }
  return {
    key: number => at(number, ofTarget.key, Number.NaN),
    text: number => at(number, ofTarget.text, undefined),
    sayOf: number => at(number, ofTarget.sayOf, null),
    keyOf: ofTarget.keyOf
  }
}

function byType(index: CatalogueIndex): SortKey {
  const { base, delta } = index
  const known = new Set(base.typeNames)
  for (const { type } of delta.values()) {
    step()
    known.add(type)
  }
  const names = [...known].sort(compareTexts)
  const ranks = new Map(names.map((name, rank) => [name, rank * 2]))
  const baseRanks = base.typeNames.map(name => ranks.get(name) as number)
  return {
    key: number => {
      const changed = delta.get(number)
      return changed ? (ranks.get(changed.type) as number) : (baseRanks[base.types[number] as number] as number)
    },
    text: number => index.typeOf(number),
    sayOf: number => index.typeOf(number),
    keyOf: said => ({ key: ranks.get(said) ?? rankAmong(names.length, at => names[at] as string, said), text: said })
  }
}

/** Twice the rank of a text among sorted ones, or the odd number before the next. */
function rankAmong(count: number, textOf: (rank: number) => string, said: string): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference = compareTexts(textOf(middle), said)
    if (difference === 0) return middle * 2
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low * 2 - 1
}

function byId(index: CatalogueIndex): SortKey {
  const { base } = index
  let byRank: Uint32Array | undefined
  /** Made only where there is something to place between the ids of the base. */
  const rankOf = (id: string): number => {
    if (!byRank) {
      byRank = new Uint32Array(base.size)
      let count = 0
      for (let number = 0; number < base.size; number++) {
        step()
        if (base.types[number] === 255) continue
        byRank[base.idRanks[number] as number] = number
        count++
      }
      byRank = byRank.subarray(0, count)
    }
    const sorted = byRank
    return rankAmong(sorted.length, rank => index.baseIdOf(sorted[rank] as number), id)
  }
  const deltaKeys = new Map<number, number>()
  for (const { number, id } of index.delta.values()) {
    step(stepsOfLookup)
    deltaKeys.set(number, rankOf(id))
  }
  return {
    key: number => deltaKeys.get(number) ?? (base.idRanks[number] as number) * 2,
    text: number => index.idOf(number),
    sayOf: number => index.idOf(number),
    keyOf: said => ({ key: rankOf(said), text: said })
  }
}

function byMetadata(index: CatalogueIndex, key: string, isForMany: boolean): SortKey {
  const column = index.columns.get(key)
  const sorts = new Map<number, string>()
  const deltaKeys = new Map<number, number>()
  for (const { number, values } of index.delta.values()) {
    step(stepsOfLookup + values.length)
    // The first value of a document is the one to sort by.
    const first = values.find(value => value.key === key)
    const sort = first && sortText(first)
    deltaKeys.set(number, sort === undefined ? Number.NaN : doubledRank(column, sort))
    if (sort !== undefined) sorts.set(number, sort)
  }
  const all = isForMany ? allKeys(index, column, deltaKeys) : undefined
  const keyOf = all ? (number: number) => all[number] as number : (number: number) => keyIn(column, deltaKeys, number)
  const sortAt = (number: number): string | undefined => {
    const changed = sorts.get(number)
    if (changed !== undefined) return changed
    const doubled = keyOf(number)
    return column && !Number.isNaN(doubled) ? sortOf(column, doubled / 2) : undefined
  }
  return {
    ...(all ? { all } : {}),
    key: keyOf,
    text: sortAt,
    sayOf: number => sortAt(number) ?? null,
    keyOf: said => ({ key: doubledRank(column, said), text: said })
  }
}

/** Documents in ascending order of the keys that `byMetadata` gives them. */
export function sortedByMetadata(
  index: CatalogueIndex,
  key: string
): Omit<SortedDocuments, 'isDescending'> | undefined {
  const column = index.columns.get(key)
  const numbers = index.sortedColumns.get(key)
  if (!numbers) return undefined
  const unchanged = new Map<number, number>()
  return {
    numbers,
    keyOf: number => keyIn(column, unchanged, number),
    isMoved: number => has(index.hidden, number),
    moved: index.delta.keys(),
    haveAll: false
  }
}

function keyIn(column: Column | undefined, deltaKeys: ReadonlyMap<number, number>, number: number): number {
  const changed = deltaKeys.size > 0 ? deltaKeys.get(number) : undefined
  if (changed !== undefined) return changed
  const place = column ? placeIn(column, number) : -1
  return column && place >= 0 ? rankOf(column, column.firsts[place] as number) * 2 : Number.NaN
}

/** The keys of all documents at once, which is worth it where many are compared. */
function allKeys(
  index: CatalogueIndex,
  column: Column | undefined,
  deltaKeys: ReadonlyMap<number, number>
): Float64Array {
  const keys = new Float64Array(index.size).fill(Number.NaN)
  if (column) {
    const members = membersOf(column.documents)
    const { firsts } = column
    for (let at = 0; at < members.length; at++) {
      step()
      keys[members[at] as number] = rankOf(column, firsts[at] as number) * 2
    }
  }
  for (const [number, key] of deltaKeys) {
    step()
    keys[number] = key
  }
  return keys
}
