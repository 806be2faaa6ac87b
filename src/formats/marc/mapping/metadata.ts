import { type Level, levels } from '#domain/entity/publication.ts'
import type { Statement } from '../../description/description.ts'
import { keyOf } from '../../description/keys.ts'
import { readSeries } from '../../description/statements.ts'
import { tagOf } from '../../description/scripts.ts'
import { type Reader, type Value, valuesOf } from './reader.ts'
import type { MetadataRow, Reading } from './table.ts'
import { fieldsOf, type Found, isMet, originOf } from './values.ts'

export function readMetadata(reader: Reader): Record<Level, Statement[]> {
  const statements: Record<Level, Statement[]> = { work: [], expression: [], manifestation: [] }
  for (const row of reader.table.metadata) {
    const list = statements[row.level]
    if (row.otherwise && list.some(each => each.key === row.gives)) continue
    for (const found of fieldsOf(reader.fields, row, reader.record.leader))
      for (const each of valuesOf(found, row, reader.problems)) addStatement(list, row.gives, found, each)
    for (const found of inOriginalScript(reader, row))
      for (const each of valuesOf(found, row))
        addStatement(list, row.gives, found, each, tagOf(each.value, reader.language))
  }
  sortIsbns(statements.manifestation)
  return statements
}

/** Moves ISBNs of thirteen digits before the shorter form of the same or another number. */
function sortIsbns(list: Statement[]): void {
  const places = [...list.keys()].filter(place => list[place]?.key === 'isbn')
  if (places.length < 2) return
  const isLong = ({ value }: Statement) => String(value).replaceAll(/[^\dX]/gi, '').length === 13
  const sorted = places
    .flatMap(place => list[place] ?? [])
    .toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)))
  for (const [index, place] of places.entries()) {
    const next = sorted[index]
    if (next !== undefined) list[place] = next
  }
}

function addStatement(list: Statement[], key: string, found: Found, { value, part }: Value, lang?: string): void {
  if (list.some(each => isRepeated(each, key, value, lang))) return
  const from = originOf(found, part)
  list.push(lang === undefined ? { key, value, from } : { key, value, lang, from })
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
  known.key === key &&
  (known.value === value ||
    (singleKeys.has(key) && known.lang === lang) ||
    (key === 'series_statement' && isSameSeries(String(known.value), value)))

/** Tests whether a statement names the same volume of a series, or the series without a volume. */
function isSameSeries(known: string, given: string): boolean {
  if (keyOf(known) === keyOf(given)) return true
  const { title, number } = readSeries(given)
  return number === undefined && keyOf(readSeries(known).title) === keyOf(title)
}

/** Keys with a single value; the first one found counts. */
const singleKeys = new Set(
  'title subtitle year year_of_publication literary_type scale coordinates duration'.split(' ')
)
