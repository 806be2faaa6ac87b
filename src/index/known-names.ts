import type { FieldName } from '#domain/filter/field-names.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { keyColumnOf } from './relations.ts'
import { has, membersOf } from './sets.ts'

/** Documents between two looks at the clock. */
const checkEvery = 256

/** The names, of some, that no document has which the caller may read. */
export function unknownNames(
  index: CatalogueIndex,
  names: readonly FieldName[],
  scope: Scope,
  checkTime: () => void
): FieldName[] {
  const readable = readableIn(index, scope)
  const isReadable = (number: number) => !readable || has(readable, number)
  const isInBase = (kind: FieldName['kind'], name: string) => {
    checkTime()
    const column = kind === 'key' ? index.columns.get(name) : keyColumnOf(index.base.relations, name)
    const isThere = (number: number) => !has(index.hidden, number) && isReadable(number)
    return column !== undefined && membersOf(column.documents).some(isThere)
  }
  const missing = (kind: FieldName['kind']) =>
    new Set(names.flatMap(each => (each.kind === kind && !isInBase(kind, each.name) ? [each.name] : [])))
  const unknown = { key: missing('key'), relation: missing('relation') }
  let documents = 0
  for (const { number, values, relations } of index.delta.values()) {
    if (unknown.key.size + unknown.relation.size === 0) break
    if (documents++ % checkEvery === 0) checkTime()
    if (!isReadable(number)) continue
    for (const { key } of values) unknown.key.delete(key)
    for (const { type } of relations) unknown.relation.delete(type)
  }
  return names.filter(({ kind, name }) => unknown[kind].has(name))
}
