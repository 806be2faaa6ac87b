import { type Level, levels } from '#domain/entity/publication.ts'
import { fieldOfLevel } from '#domain/record-types/families.ts'
import type { Statement } from '../../description/description.ts'
import { keyOf } from '../../description/keys.ts'
import { DistinctTexts } from '../../description/list-keys.ts'
import { readSeries } from '../../description/statements.ts'
import { tagOf } from '../../description/scripts.ts'
import { type Reader, type Value, valuesOf } from './reader.ts'
import type { MetadataRow, Reading } from './table.ts'
import { fieldsOf, type Found, isMet, originOf, rowsFor } from './values.ts'

export function readMetadata(reader: Reader): Record<Level, Statement[]> {
  const statements = ofLevels(level => new Statements(level))
  const hasScripts = reader.fields.has('880')
  const { metadata } = reader.table
  for (const row of hasScripts ? metadata : rowsFor(metadata, reader.fields)) {
    const list = statements[row.level]
    if (row.otherwise && list.has(row.gives)) continue
    for (const found of fieldsOf(reader.fields, row, reader.record.leader))
      for (const each of valuesOf(found, row, reader.problems)) list.add(row.gives, found, each)
    if (!hasScripts) continue
    for (const found of inOriginalScript(reader, row))
      for (const each of valuesOf(found, row)) list.add(row.gives, found, each, tagOf(each.value, reader.language))
  }
  sortIsbns(statements.manifestation.list)
  const lists = ofLevels(level => statements[level].list)
  return { ...lists, manifestation: withoutKnownTitles(lists.manifestation) }
}

const otherTitle = 'other_title'

/** Leaves out other titles that repeat the title proper, the subtitle or a parallel title. */
function withoutKnownTitles(list: Statement[]): Statement[] {
  const isOther = ({ key }: Statement) => key === otherTitle
  if (!list.some(isOther)) return list
  const known = new Set(
    list
      .filter(({ key }) => ['title', 'subtitle', 'parallel_title'].includes(key))
      .map(({ value }) => keyOf(`${value}`))
  )
  return list.filter(
    each => !isOther(each) || (!known.has(keyOf(`${each.value}`)) && known.add(keyOf(`${each.value}`)))
  )
}

const ofLevels = <T>(make: (level: Level) => T) =>
  Object.fromEntries(levels.map(level => [level, make(level)])) as Record<Level, T>

/** Moves ISBNs of thirteen digits before the shorter form of the same or another number. */
function sortIsbns(list: Statement[]): void {
  const places: number[] = []
  for (let place = 0; place < list.length; place++) if (list[place]?.key === 'isbn') places.push(place)
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

/** Readings that give words, which may stand in the original script beside Latin letters. */
const inWords: readonly Reading[] = ['title', 'name', 'text', 'words']

const publication = levels.at(-1)

function inOriginalScript(reader: Reader, { tags, when, level, as }: MetadataRow): readonly Found[] {
  if (level !== publication || !inWords.includes(as)) return []
  return tags
    .flatMap(tag => reader.inOriginalScript(tag))
    .filter(({ field }) => when === undefined || isMet(when, field))
}

/**
 * A key with its first value. Most keys are given once, so that all values (those that were not
 * taken too) and their languages are listed from the second one on.
 */
interface Given {
  readonly value: string
  readonly lang: string | undefined
  values: DistinctTexts | undefined
  languages: DistinctTexts | undefined
}

/**
 * Statements of a level: each once. A field that the record types do not let repeat has the first
 * value found in each language.
 */
class Statements {
  readonly #level: Level
  readonly list: Statement[] = []
  readonly #given = new Map<string, Given>()
  readonly #series = new DistinctTexts()
  readonly #volumes = new DistinctTexts()

  constructor(level: Level) {
    this.#level = level
  }

  has(key: string): boolean {
    return this.#given.has(key)
  }

  add(key: string, found: Found, { value, part }: Value, lang?: string): void {
    if (this.#isRepeated(key, value, lang)) {
      // Some records have their title twice, in two scripts.
      if (['title', 'subtitle'].includes(key) && fieldOfLevel(this.#level, otherTitle))
        this.add(otherTitle, found, { value, part }, lang)
      return
    }
    if (!this.#given.has(key)) this.#given.set(key, { value, lang, values: undefined, languages: undefined })
    const from = originOf(found, part)
    this.list.push(lang === undefined ? { key, value, from } : { key, value, lang, from })
  }

  #isRepeated(key: string, value: string, lang: string | undefined): boolean {
    if (key === 'series_statement') return this.#isKnownSeries(value)
    const given = this.#given.get(key)
    if (given === undefined) return false
    given.values ??= new DistinctTexts(given.value)
    if (!given.values.add(value)) return true
    if (fieldOfLevel(this.#level, key)?.repeatable) return false
    given.languages ??= new DistinctTexts(given.lang ?? '')
    return !given.languages.add(lang ?? '')
  }

  /** Tests whether a value names a known volume of a series, or a known series without a volume. */
  #isKnownSeries(value: string): boolean {
    const { title, number } = readSeries(value)
    const named = keyOf(title)
    const isKnown = !this.#volumes.add(keyOf(value))
    if (number === undefined && this.#series.has(named)) return true
    if (!isKnown) this.#series.add(named)
    return isKnown
  }
}
