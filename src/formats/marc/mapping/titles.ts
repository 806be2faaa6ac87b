import { isDataField } from '../record.ts'
import type { RelationDraft, Statement, TitleKey } from '../../description/description.ts'
import { isCollectiveTitle, keyOf, titleKey } from '../../description/keys.ts'
import { createListTest } from '../../description/list-keys.ts'
import { codesIn } from '../../description/relations.ts'
import { firstTitle, parallelTitlesIn, type Reader, uniformFields } from './reader.ts'
import { titlesAfter } from './notes.ts'
import type { TitleRow } from './table.ts'
import {
  fieldsOf,
  firstPart,
  type Found,
  joinTitle,
  namesPart,
  originOf,
  partsOf,
  rowsFor,
  withoutSeparator
} from './values.ts'

/**
 * Reads all titles. `originals`: the languages of the original, as far as the record gives them.
 */
export function readTitles(reader: Reader, languages: readonly string[], originals: readonly string[]): TitleKey[] {
  const titles: TitleKey[] = []
  for (const row of rowsFor(reader.table.titles, reader.fields)) {
    for (const found of fieldsOf(reader.fields, row, reader.record.leader)) {
      const isOriginal = row.kind === 'original' || row.kind === 'original in a note'
      const known = isOriginal && originals.length === 0 ? undefined : languages
      const from = originOf(found, row.from)
      for (const text of titlesIn(found, row)) {
        const key = titleKey(text, nonFilingOf(found, row), known)
        // An original title counts beside a uniform title that differs by its article.
        const isKnown = isOriginal ? hasText : hasKey
        if (key === '' || isKnown(titles, { key, text })) continue
        titles.push({ kind: row.kind, text, key, isCollective: isCollectiveTitle(key), from })
      }
    }
  }
  return titles
}

type NamedTitle = Pick<TitleKey, 'key' | 'text'>
const hasKey = createListTest<NamedTitle>(
  (one, other) => one.key === other.key,
  ({ key }) => key
)
const hasText = createListTest<NamedTitle>(
  (one, other) => one.key === other.key && one.text === other.text,
  ({ key, text }) => `${key}\n${text}`
)

function titlesIn(found: Found, row: TitleRow): string[] {
  const { field } = found
  if (!isDataField(field)) return []
  if (field.tag === '740' && namesPart(field)) return []
  if (field.tag === '880' && !/^(?:245|240|130|246)/.test(firstPart(field, '6') ?? '')) return []
  if (row.as === 'parallel title') return parallelTitlesIn(field, row.from).slice(0, 1)
  const parts = partsOf(field, row.from)
  const introduction = firstPart(field, 'i')
  // Either a note with the title after some words, or words in $i and the title beside it.
  if (row.introducedBy !== undefined && (introduction === undefined || !field.tag.startsWith('24'))) {
    const match = row.introducedBy.exec(parts.map(({ value }) => value).join(' '))
    return match?.[1] === undefined ? [] : titlesAfter(match[1])
  }
  if (row.introducedBy?.test(`${withoutSeparator(introduction ?? '')}: x`) === false) return []
  return [joinTitle(firstTitle(parts))]
}

function nonFilingOf({ field }: Found, row: TitleRow): number {
  if (row.nonFiling === undefined || !isDataField(field)) return 0
  return Number(/\d/.exec(field.indicators[row.nonFiling - 1] ?? '')?.[0] ?? 0)
}

export const titleStatement = (title: Pick<TitleKey, 'text' | 'from'> | undefined): Statement[] =>
  title === undefined ? [] : [{ key: 'title', value: title.text, from: title.from }]

export function findTranslation(
  reader: Reader,
  originals: readonly string[],
  expression: readonly RelationDraft[],
  titles: readonly TitleKey[]
): boolean {
  const [tag, place] = reader.dialect === 'marc21' ? ['041', 0] : ['101', 0]
  const indicator = reader.fields
    .get(tag)
    ?.some(({ field }) => isDataField(field) && '12'.includes(field.indicators[place] ?? ' '))
  const languages = codesIn(expression)
  return (
    indicator === true ||
    originals.some(each => !languages.includes(each)) ||
    titles.some(each => each.kind === 'original' || each.kind === 'original in a note') ||
    expression.some(each => each.role?.code === 'trl')
  )
}

export function findUniform(
  reader: Reader
): { form: string | undefined; music: string | undefined; version: string | undefined } | undefined {
  let found: Found | undefined
  for (const tag of uniformFields[reader.dialect]) found ??= reader.fields.get(tag)?.[0]
  if (found === undefined) return undefined
  const isMarc21 = reader.dialect === 'marc21'
  const text = (codes: string) =>
    keyOf(
      partsOf(found.field, codes)
        .map(({ value }) => value)
        .join(' ')
    ) || undefined
  return {
    form: text(isMarc21 ? 'k' : 'l'),
    music: text(isMarc21 ? 'mnr' : 'rsu'),
    version: text(isMarc21 ? 'so' : 'qw')
  }
}
