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
  if (!readableTypes && limits.length === 0) return undefined
  return index.remember(`readable ${JSON.stringify([readableTypes, limits])}`, () => {
    const set = (readableTypes ? index.ofTypes(readableTypes) : index.everything()).slice()
    for (const limit of limits) keepWithin(index, set, limit)
    return set
  })
}

/** Removes records of a type that are not within the limit, and parts of such as are not. */
function keepWithin(index: CatalogueIndex, set: DocumentSet, limit: ReadLimit) {
  const { type, status, parts } = limit
  const within = status
    ? index.values(status.field).meeting({ kind: 'equals', values: status.values }, 'first')
    : undefined
  const own = index.ofTypes([type])
  const visible = own.slice()
  if (within) keepCommon(visible, within)
  for (const { field: moment, ...range } of unreadable(limit))
    removeAll(visible, index.values(moment).meeting({ kind: 'instant', ...range }, 'first'))
  const outside = own.slice()
  removeAll(outside, visible)
  removeAll(set, outside)
  for (const part of parts) {
    const shown = index.relatives.by(part.relation).leadingTo(visible)
    for (const key of part.fields ?? []) keepCommon(shown, index.values(key).meeting({ kind: 'present' }, 'first'))
    const hidden = index.ofTypes([part.type]).slice()
    // By moments alone, a part without a whole is shown.
    if (!status) keepCommon(hidden, index.relatives.by(part.relation).leadingTo(outside))
    removeAll(hidden, shown)
    removeAll(set, hidden)
  }
}
