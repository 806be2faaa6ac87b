import type { NextValue, OrderItem, RelatedValue } from '#domain/filter/order.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { compareTexts } from './arrays.ts'
import { byId, rankAmong } from './facts.ts'
import type { SortKey } from './select-page.ts'
import { type DocumentSet, forEach, has } from './sets.ts'
import { step } from './time-limit.ts'

/*
 * The numbers by which documents are sorted: by creation, type, id, a value, a value of a related
 * document, or the next moment of documents that lead to it.
 */

export function sortKeyOf(
  index: CatalogueIndex,
  item: OrderItem,
  isForMany: boolean,
  readable: DocumentSet | undefined
): SortKey {
  const byNumber = (key: (number: number) => number): SortKey => ({
    key,
    sayOf: number => String(key(number)),
    keyOf: Number
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
    case 'next':
      return byNext(index, item, readable)
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
      at =
        index.relatives
          .by(type)
          .targetsOf(at)
          .find(target => !readable || has(readable, target)) ?? -1
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
    sayOf: number => at(number, ofTarget.sayOf, null),
    keyOf: ofTarget.keyOf
  }
}

function byNext(index: CatalogueIndex, { relation, key }: NextValue, readable: DocumentSet | undefined): SortKey {
  const from = Date.now()
  const make = () => ({ from, moments: momentsToCome(index, { from, relation, key }, readable) })
  const known = readable ? make() : index.rememberUntilChange(`next ${relation} ${key}`, make)
  // The clock was set back: earlier moments are to come again.
  if (known.from > from) Object.assign(known, make())
  const { moments } = known
  const nextOf = (number: number) => moments.get(number)?.find(moment => moment >= from)
  return {
    key: number => nextOf(number) ?? Number.NaN,
    sayOf: number => nextOf(number)?.toString() ?? null,
    keyOf: Number
  }
}

/**
 * The moments from one on of documents, and of those that they lead to, in ascending order. To find
 * those of 20,000 documents takes 20 ms of processor time, so they are remembered.
 */
function momentsToCome(
  index: CatalogueIndex,
  { from, relation, key }: Pick<NextValue, 'relation' | 'key'> & { readonly from: number },
  readable: DocumentSet | undefined
): ReadonlyMap<number, Float64Array> {
  const values = index.values(key)
  const relations = index.relatives.by(relation)
  const found = new Map<number, number[]>()
  forEach(values.meeting({ kind: 'instant', from, to: Number.POSITIVE_INFINITY }), source => {
    if (readable && !has(readable, source)) return
    const numbers = [source, ...relations.targetsOf(source)]
    values.forEachOf(source, place => {
      const instant = values.instantOf(place)
      if (!(instant >= from)) return
      for (const number of numbers) {
        const known = found.get(number)
        if (known) known.push(instant)
        else found.set(number, [instant])
      }
    })
  })
  return new Map([...found].map(([number, moments]) => [number, Float64Array.from(moments).sort()]))
}

function byType(index: CatalogueIndex): SortKey {
  const { places, texts } = index.types
  const names = texts.toSorted(compareTexts)
  const keyOf = (type: string) => rankAmong(names.length, rank => names[rank] as string, type)
  const keys = texts.map(keyOf)
  return {
    key: number => keys[places[number] as number] as number,
    sayOf: number => texts[places[number] as number] as string,
    keyOf
  }
}

function byMetadata(index: CatalogueIndex, key: string, isForMany: boolean): SortKey {
  const values = index.values(key)
  const all = isForMany ? lastSortKeys(index, key) : undefined
  return {
    ...(all ? { all } : {}),
    key: all ? number => all[number] as number : once(number => values.sortKeyOf(number)),
    sayOf: number => values.sortTextOf(number) ?? null,
    keyOf: said => values.sortKeyOfText(said)
  }
}

/**
 * The numbers by which all documents are sorted. Those of the last key are remembered: to make them
 * took 5 ms for 280,000 documents, and as long to collect them again.
 */
function lastSortKeys(index: CatalogueIndex, key: string): Float64Array {
  const last = index.rememberUntilChange('sort keys', () => ({ key: '', keys: new Float64Array(0) }))
  if (last.key !== key) Object.assign(last, { key, keys: index.values(key).allSortKeys() })
  return last.keys
}

/** A document is compared many times, and looking its key up takes far longer than this. */
function once(key: SortKey['key']): SortKey['key'] {
  const known = new Map<number, number>()
  return number => {
    const before = known.get(number)
    if (before !== undefined) return before
    const found = key(number)
    known.set(number, found)
    return found
  }
}
