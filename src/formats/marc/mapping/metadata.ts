import { type Level, levels } from '#domain/entity/publication.ts'
import type { Statement } from '../../description/description.ts'
import { tagOf } from '../../description/scripts.ts'
import { type Reader, type Value, valuesOf } from './reader.ts'
import type { MetadataRow, Reading } from './table.ts'
import { fieldsOf, type Found, isMet, originOf } from './values.ts'

export function readMetadata(reader: Reader): Record<Level, Statement[]> {
  const statements: Record<Level, Statement[]> = { work: [], expression: [], manifestation: [] }
  for (const row of reader.table.metadata) {
    const list = statements[row.level]
    if (row.otherwise && list.some(each => each.key === row.gives)) continue
    const add = (found: Found, { value, part }: Value, lang?: string) => {
      if (list.some(each => isRepeated(each, row.gives, value, lang))) return
      const from = originOf(found, part)
      list.push({ key: row.gives, value, ...(lang === undefined ? {} : { lang }), from })
    }
    for (const found of fieldsOf(reader.fields, row, reader.record.leader))
      for (const each of valuesOf(found, row, reader.problems)) add(found, each)
    for (const found of inOriginalScript(reader, row))
      for (const each of valuesOf(found, row)) add(found, each, tagOf(each.value, reader.language))
  }
  return statements
}

/** Readings that give words, which may stand in the original script beside Latin letters. */
const inWords: readonly Reading[] = ['title', 'name', 'text', 'words']

const publication = levels.at(-1)

function inOriginalScript(reader: Reader, { tags, when, level, as }: MetadataRow): readonly Found[] {
  if (level !== publication || !inWords.includes(as) || !reader.fields.has('880')) return []
  return tags
    .flatMap(tag => reader.inOriginalScript(tag))
    .filter(({ field }) => when === undefined || isMet(when, field))
}

/** Tests whether a statement gives the same, or a key with a single value in a language. */
const isRepeated = (known: Statement, key: string, value: string, lang: string | undefined) =>
  known.key === key && (known.value === value || (isSingle(key) && known.lang === lang))

/** Keys with a single value; the first one found counts. */
const isSingle = (key: string) =>
  ['title', 'subtitle', 'year', 'year_of_publication', 'literary_type', 'scale', 'coordinates', 'duration'].includes(
    key
  )
