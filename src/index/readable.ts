import { type ReadLimit, unreadable } from '#domain/permissions.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type DocumentSet, keepCommon, removeAll } from './sets.ts'

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
function keepWithin(index: CatalogueIndex, set: DocumentSet, limit: ReadLimit) {
  const { type, field, values, parts } = limit
  const within = index.values(field).meeting({ kind: 'equals', values }, 'first')
  keepCommon(within, index.ofTypes([type]))
  for (const { field: moment, ...range } of unreadable(limit))
    removeAll(within, index.values(moment).meeting({ kind: 'instant', ...range }, 'first'))
  const outside = index.ofTypes([type]).slice()
  removeAll(outside, within)
  removeAll(set, outside)
  for (const part of parts) {
    const shown = index.relatives.by(part.relation).leadingTo(within)
    for (const key of part.fields ?? []) keepCommon(shown, index.values(key).meeting({ kind: 'present' }, 'first'))
    const loose = index.ofTypes([part.type]).slice()
    removeAll(loose, shown)
    removeAll(set, loose)
  }
}
