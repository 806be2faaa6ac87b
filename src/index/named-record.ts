import type { CatalogueIndex } from './catalogue-index.ts'
import { placeIn, valueText } from './columns.ts'

/** A record as lists name it. */
export interface NamedRecord {
  readonly id: string
  readonly type: string
  /** Its display name; empty for none, and for a name that is too long to be found by. */
  readonly label: string
}

export function namedRecord(index: CatalogueIndex, number: number): NamedRecord {
  const type = index.typeOf(number)
  return { id: index.idOf(number), type, label: nameIn(index, number, index.model.findType(type)?.nameField ?? '') }
}

function nameIn(index: CatalogueIndex, number: number, nameField: string): string {
  const changed = index.delta.get(number)
  if (changed) return changed.values.find(({ key }) => key === nameField)?.text ?? ''
  const column = index.columns.get(nameField)
  const place = column ? placeIn(column, number) : -1
  return (column && place >= 0 && valueText(column, column.firsts[place] as number)) || ''
}
