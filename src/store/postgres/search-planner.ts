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
  withTypos
} from '../search-plan.ts'
import type { Row, Statement } from './connection.ts'
import { occurrencesToSql, relatedToSql } from './search-to-sql.ts'

type All = (statement: Statement) => Promise<Row[]>

/**
 * So far is counted how often a word occurs. All are counted at once, so none can tell how far the
 * others matter.
 */
const mostCounted = 50_000

/**
 * Looks up what a search can be about, and how often each of its words occurs. `isLoose`: words
 * with slips count too.
 */
export async function planSearchWith(
  all: All,
  { words, name }: Search,
  isLoose: boolean,
  most = 8,
  isByName = false
): Promise<PlannedSearch> {
  const forms = await Promise.all(words.map(word => (isLoose ? looseForms(all, word) : strictForms(word))))
  const { steps, others } = splitWords(forms, most)
  // A single word is gathered whatever its size.
  const sizes = steps.length === 1 ? [0] : await Promise.all(steps.map(each => countOccurrences(all, each, isByName)))
  return planSearch(steps, sizes, others, name)
}

async function looseForms(all: All, word: SearchWord): Promise<WordForms> {
  if (word.typos === 0) return strictForms(word)
  const { lengths, beginning, end } = typoRanges(word)
  const ofLength = 'length = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)::integer))'
  const candidates = await all({
    text: `SELECT word FROM vocabulary WHERE ${ofLength} AND word >= ? AND word <= ?
      UNION SELECT word FROM vocabulary WHERE ${ofLength} AND reversed >= ? AND reversed <= ?`,
    parameters: [JSON.stringify(lengths), ...beginning, JSON.stringify(lengths), ...end]
  })
  return withTypos(
    word,
    candidates.map(row => String(row.word))
  )
}

async function countOccurrences(all: All, forms: WordForms, isByName: boolean): Promise<number> {
  const [row] = await all(occurrencesToSql(forms, mostCounted))
  const names = Number(row?.names)
  if (isByName) return names
  const related = names < fewNames ? Number((await all(relatedToSql(forms, maxRelated)))[0]?.n) : names
  return Number(row?.n) + related
}
