import type { Level } from '#domain/entity/publication.ts'
import type { Statement } from '../../description/description.ts'
import { type Reader, valuesOf } from './reader.ts'
import { fieldsOf, originOf } from './values.ts'

export function readMetadata(reader: Reader): Record<Level, Statement[]> {
  const statements: Record<Level, Statement[]> = { work: [], expression: [], manifestation: [] }
  for (const row of reader.table.metadata) {
    const list = statements[row.level]
    if (row.otherwise && list.some(each => each.key === row.gives)) continue
    for (const found of fieldsOf(reader.fields, row, reader.record.leader)) {
      for (const { value, part } of valuesOf(found, row, reader.problems)) {
        if (list.some(each => each.key === row.gives && (isSingle(row.gives) || each.value === value))) continue
        list.push({ key: row.gives, value, from: originOf(found, part) })
      }
    }
  }
  return statements
}

/** Keys with a single value; the first one found counts. */
const isSingle = (key: string) =>
  ['title', 'subtitle', 'year', 'year_of_publication', 'literary_type', 'scale'].includes(key)
