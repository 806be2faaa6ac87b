import type { FieldName } from '#domain/filter/field-names.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { kindOf } from './relations.ts'
import { has, membersOf } from './sets.ts'

/** The names, of some, that no document has which the caller may read. */
export function unknownNames(index: CatalogueIndex, names: readonly FieldName[], scope: Scope): FieldName[] {
  const readable = readableIn(index, scope)
  const isReadable = (number: number) => !readable || has(readable, number)
  const isInBase = ({ kind, name }: FieldName) => {
    const column =
      kind === 'key' ? index.columns.get(name) : index.base.relations.columns[kindOf(index.base.relations, name)]
    return (
      column !== undefined &&
      membersOf(column.documents).some(number => !has(index.hidden, number) && isReadable(number))
    )
  }
  return names.filter(field => {
    if (isInBase(field)) return false
    for (const { number, values, relations } of index.delta.values()) {
      if (!isReadable(number)) continue
      const isThere =
        field.kind === 'key'
          ? values.some(({ key }) => key === field.name)
          : relations.some(({ type }) => type === field.name)
      if (isThere) return false
    }
    return true
  })
}
