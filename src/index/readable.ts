import { foldText } from '#domain/values/fold.ts'
import type { ReadLimit } from '#domain/permissions.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type Column, valuesWithText } from './columns.ts'
import { leadingTo } from './leading-to.ts'
import { add, type DocumentSet, keepCommon, membersOf, removeAll } from './sets.ts'
import { step } from './time-limit.ts'

/** The records that exist for the caller. */
export interface Scope {
  /** The types that may be read; undefined for all. */
  readonly readableTypes: readonly string[] | undefined
  /** Of which of these types not all records may be read. */
  readonly limits?: readonly ReadLimit[] | undefined
}

/** Documents that the caller may read; undefined for all. */
export function readableIn(index: CatalogueIndex, { readableTypes, limits = [] }: Scope): DocumentSet | undefined {
  if (!readableTypes) return undefined
  return index.remember(`readable ${JSON.stringify([readableTypes, limits])}`, () => {
    const set = index.ofTypes(readableTypes).slice()
    for (const limit of limits) keepWithin(index, set, limit)
    return set
  })
}

/** Removes records of a type that are not within the limit, and parts of such as are not. */
function keepWithin(index: CatalogueIndex, set: DocumentSet, { type, field, values, parts }: ReadLimit) {
  const within = withFirstValue(index, field, values)
  keepCommon(within, index.ofTypes([type]))
  const outside = index.ofTypes([type]).slice()
  removeAll(outside, within)
  removeAll(set, outside)
  for (const part of parts) {
    const loose = index.ofTypes([part.type]).slice()
    removeAll(loose, leadingTo(index, part.relation, within))
    removeAll(set, loose)
  }
}

function withFirstValue(index: CatalogueIndex, key: string, texts: readonly string[]): DocumentSet {
  const set = index.newSet()
  const column = index.columns.get(key)
  if (column) {
    const wanted = new Set(texts.flatMap(text => textPlaces(column, text)))
    const members = membersOf(column.documents)
    for (let at = 0; at < members.length; at++) {
      step()
      if (wanted.has(column.firsts[at] as number)) add(set, members[at] as number)
    }
    removeAll(set, index.hidden)
  }
  for (const document of index.delta.values()) {
    step(document.values.length)
    const first = document.values.find(value => value.key === key)
    if (first?.text != null && texts.includes(first.text)) add(set, document.number)
  }
  return set
}

/** Places of values with exactly this text. */
function textPlaces(column: Column, text: string): number[] {
  return valuesWithText(column, text, foldText(text))
}
