import { textKey } from '#domain/clustering/title-key.ts'
import { columnNames } from '#domain/record-types/column-names.ts'
import { noMapping, ruleFor } from './publication-mapping.ts'

export const tableSubjects = ['publications', 'records', 'unclear'] as const
export type TableSubject = (typeof tableSubjects)[number]

/** The folded name of a column. */
export const keyOfColumn = (name: string) => textKey(name.replaceAll(/[_.]/g, ' '))

/** Tells what a table is about, as far as the names of its columns tell. */
export function subjectOf(names: readonly string[]): TableSubject {
  const stage = names.filter(name => columnNames.some(each => each.isTelling && each.names.includes(keyOfColumn(name))))
  const books = names.filter(isOfPublications)
  if (books.length > 0 && books.length >= stage.length) return 'publications'
  return stage.length > 0 ? 'records' : 'unclear'
}

/** Fields that productions and other records have as well, so they tell nothing. */
const vague = ['title', 'subtitle', 'year_of_publication', 'summary', 'note', 'link']

function isOfPublications(name: string): boolean {
  const rule = ruleFor(name, noMapping)
  if (rule?.is === 'key') return !vague.includes(rule.key)
  return rule?.is === 'relation' && !['refGenres', 'refPlaces', 'refLanguages'].includes(rule.relation)
}
