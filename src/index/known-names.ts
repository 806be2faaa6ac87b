import type { FieldName } from '#domain/filter/field-names.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'

/** The names, of some, that no document has which the caller may read. */
export function unknownNames(
  index: CatalogueIndex,
  names: readonly FieldName[],
  scope: Scope,
  checkTime: () => void
): FieldName[] {
  const readable = readableIn(index, scope) ?? index.everything()
  return names.filter(({ kind, name }) => {
    checkTime()
    return !(kind === 'key' ? index.values(name) : index.relatives.by(name)).isIn(readable)
  })
}
