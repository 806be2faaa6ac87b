import type { Search, SearchWord } from '#domain/filter/filter.ts'
import {
  fewNames,
  maxCountedAtOnce,
  maxRelated,
  type PlannedSearch,
  planSearch,
  typoRanges,
  splitWords,
  strictForms,
  type WordForms,
  withTypos,
  worthCounting
} from './search-plan.ts'
import { occurrencesToSql, relatedToSql } from './search-to-sql.ts'
import type { Session } from './dialect.ts'
import { sql } from './sql.ts'

/**
 * Looks up how often each word of a search occurs, and plans the search by it. `isLoose`: words
 * with typos count too.
 */
export async function planSearchWith(
  session: Session,
  { words, name }: Search,
  isLoose: boolean,
  maxSize = 8,
  isByName = false
): Promise<PlannedSearch> {
  const forms = await Promise.all(words.map(word => (isLoose ? looseForms(session, word) : strictForms(word))))
  const { steps, others } = splitWords(forms, maxSize)
  // A single word is gathered whatever its size.
  const sizes = steps.length === 1 ? [0] : await countAll(session, steps, isByName)
  return planSearch(steps, sizes, others, name)
}

/**
 * Counts the occurrences of each word: at once, or one after the other as far as they matter beside
 * the others. The longest is counted first then: it is likely to be the rarest.
 */
async function countAll(session: Session, steps: readonly WordForms[], isByName: boolean): Promise<number[]> {
  if (session.dialect.isRemote)
    return Promise.all(steps.map(each => countOccurrences(session, each, isByName, maxCountedAtOnce)))
  const sizes = new Map<WordForms, number>()
  let lowest = Number.POSITIVE_INFINITY
  for (const each of steps.toSorted((one, other) => other.word.length - one.word.length)) {
    const size = await countOccurrences(session, each, isByName, worthCounting(lowest))
    sizes.set(each, size)
    lowest = Math.min(lowest, size)
  }
  return steps.map(each => sizes.get(each) ?? 0)
}

async function looseForms({ dialect, run }: Session, word: SearchWord): Promise<WordForms> {
  if (word.typos === 0) return strictForms(word)
  const { lengths, beginning, end } = typoRanges(word)
  const ofLength = `length ${dialect.inNumbers}`
  const candidates = await run(
    sql(
      `SELECT word FROM vocabulary WHERE ${ofLength} AND word >= ? AND word <= ?
        UNION SELECT word FROM vocabulary WHERE ${ofLength} AND reversed >= ? AND reversed <= ?`,
      ...[JSON.stringify(lengths), ...beginning],
      ...[JSON.stringify(lengths), ...end]
    )
  )
  return withTypos(
    word,
    candidates.map(row => String(row.word))
  )
}

async function countOccurrences(
  { dialect, run }: Session,
  forms: WordForms,
  isByName: boolean,
  maxCount: number
): Promise<number> {
  const [row] = await run(occurrencesToSql(forms, maxCount, dialect))
  const names = Number(row?.names)
  if (isByName) return names
  if (names >= fewNames) return Number(row?.n) + names
  const [related] = await run(relatedToSql(forms, maxRelated, dialect))
  return Number(row?.n) + Number(related?.n)
}
