import type { CatalogueIndex } from './catalogue-index.ts'

/** A record as lists name it. */
export interface NamedRecord {
  readonly id: string
  readonly type: string
  /** Its display name; empty for none, and for a name that is too long to be found by. */
  readonly label: string
}

export function namedRecord(index: CatalogueIndex, number: number): NamedRecord {
  const type = index.typeOf(number)
  const names = index.values(index.model.findType(type)?.nameField ?? '')
  const first = names.firstOf(number)
  return { id: index.idOf(number), type, label: first < 0 ? '' : (names.textOf(first) ?? '') }
}
