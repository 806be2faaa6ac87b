import type { Search, SearchWord } from '#domain/filter/filter.ts'
import {
  fewNames,
  maxRelated,
  type PlannedSearch,
  planSearch,
  typoRanges,
  splitWords,
  strictForms,
  type WordForms,
  withTypos,
  worthCounting
} from '../search-plan.ts'
import type { Sql } from './sql.ts'
import { occurrencesToSql, relatedToSql } from './search-to-sql.ts'

type All = (statement: Sql) => Record<string, unknown>[]

/**
 * Looks up what a search can be about, and how often each of its words occurs. `isLoose`: words
 * with slips count too.
 */
export function planSearchWith(
  all: All,
  { words, name }: Search,
  isLoose: boolean,
  most = 8,
  isByName = false
): PlannedSearch {
  const forms = words.map(word => (isLoose ? looseForms(all, word) : strictForms(word)))
  const { steps, others } = splitWords(forms, most)
  // A single word is gathered whatever its size.
  const sizes = steps.length === 1 ? [0] : countAll(all, steps, isByName)
  return planSearch(steps, sizes, others, name)
}

/**
 * How often each occurs, as far as it matters beside the others. The longest is counted first: it
 * is likely to be the rarest.
 */
function countAll(all: All, steps: readonly WordForms[], isByName: boolean): number[] {
  const sizes = new Map<WordForms, number>()
  let least = Number.POSITIVE_INFINITY
  for (const each of steps.toSorted((one, other) => other.word.length - one.word.length)) {
    const size = countOccurrences(all, each, isByName, worthCounting(least))
    sizes.set(each, size)
    least = Math.min(least, size)
  }
  return steps.map(each => sizes.get(each) ?? 0)
}

function looseForms(all: All, word: SearchWord): WordForms {
  if (word.typos === 0) return strictForms(word)
  const { lengths, beginning, end } = typoRanges(word)
  const ofLength = 'length IN (SELECT value FROM json_each(?))'
  const candidates = all({
    text: `SELECT word FROM vocabulary WHERE ${ofLength} AND word >= ? AND word <= ?
      UNION SELECT word FROM vocabulary WHERE ${ofLength} AND reversed >= ? AND reversed <= ?`,
    parameters: [JSON.stringify(lengths), ...beginning, JSON.stringify(lengths), ...end]
  })
  all({ text: 'SELECT within_deadline()', parameters: [] })
  return withTypos(
    word,
    candidates.map(row => String(row.word))
  )
}

function countOccurrences(all: All, forms: WordForms, isByName: boolean, most: number): number {
  const [row] = all(occurrencesToSql(forms, most))
  const names = Number(row?.names)
  if (isByName) return names
  const related = names < fewNames ? Number(all(relatedToSql(forms, maxRelated))[0]?.n) : names
  return Number(row?.n) + related
}
