import { table } from '../table.ts'
import { bareText } from './duplicates.ts'

/*
 * How likely two records with an equal name are the same where one of them lacks what would tell
 * them apart: a person without life dates, a publication without ISBN, a work without its author.
 * Scores are right pairs in a hundred, as `bench/duplicates.ts` measured them.
 */

/** The values by which two records with an equal name are compared. */
export interface SimilarRecord {
  /** The display name. */
  readonly name: string
  textsOf(key: string): readonly string[]
  targetsBy(type: string): readonly number[]
}

/** Whether a value of two records is the same, differs, or is missing in one of them or both. */
export type Agreement = 'same' | 'different' | 'missing'

type Rule = (one: SimilarRecord, other: SimilarRecord, rivals: number) => number | undefined

/**
 * The score of two records of a kind with an equal name; undefined if something tells them apart,
 * or if there is no rule for the kind. `rivals` is the number of records with the name that are
 * told apart from each other.
 */
export function similarityOf(
  umbrella: string,
  one: SimilarRecord,
  other: SimilarRecord,
  rivals: number
): number | undefined {
  return rules[umbrella]?.(one, other, rivals)
}

/** The kinds of records that are compared. */
export const comparedKinds = (): string[] => Object.keys(rules)

const rules: Readonly<Record<string, Rule | undefined>> = table<Rule | undefined>({
  person: scoreOfPersons,
  work: scoreOfWorks,
  manifestation: scoreOfPublications
})

function ofSets(one: readonly (string | number)[], other: readonly (string | number)[]): Agreement {
  if (one.length === 0 || other.length === 0) return 'missing'
  const known = new Set(other)
  return one.some(each => known.has(each)) ? 'same' : 'different'
}

const agree = (key: string, one: SimilarRecord, other: SimilarRecord, read: (text: string) => string = bareText) =>
  ofSets(one.textsOf(key).map(read), other.textsOf(key).map(read))
const agreeBy = (type: string, one: SimilarRecord, other: SimilarRecord) =>
  ofSets(one.targetsBy(type), other.targetsBy(type))

const yearIn = (text: string) => /\d{4}/.exec(text)?.[0] ?? text
const numberIn = (text: string) => /\d+/.exec(text)?.[0] ?? text

/** A person without dates, and one with them; the fuller the name, the fewer people have it. */
function scoreOfPersons(one: SimilarRecord, other: SimilarRecord, rivals: number): number | undefined {
  const dates = agree('life_dates', one, other, yearIn)
  if (dates === 'different') return undefined
  if (dates === 'same') return scores.sameBirth
  if (rivals > 1) return scores.oneOfSeveral
  const forenames = one.name.split(',').slice(1).join(' ').trim()
  if (forenames === '') return scores.oneName
  return /\p{L}{2}/u.test(forenames) ? scores.forenames : scores.initials
}

/** A work without its author or its year. */
function scoreOfWorks(one: SimilarRecord, other: SimilarRecord): number | undefined {
  const agreements = [agree('year', one, other, yearIn), agree('work_number', one, other)]
  const authors = agreeBy('refAuthors', one, other)
  if ([...agreements, authors].includes('different')) return undefined
  return authors === 'same' ? scores.sameAuthor : scores.titleOnly
}

/** A publication with its ISBN and one without, of the same year. */
function scoreOfPublications(one: SimilarRecord, other: SimilarRecord): number | undefined {
  const numbers = ['isbn', 'issn', 'ean', 'lccn'].map(key => agree(key, one, other))
  const told = [agree('edition', one, other, numberIn), agree('host', one, other), agree('subtitle', one, other)]
  const year = agree('year_of_publication', one, other, yearIn)
  const extent = agree('extent', one, other, numberIn)
  const publisher = agreeBy('refPublishers', one, other)
  if ([...numbers, ...told, year, extent].includes('different') || year === 'missing') return undefined
  const others = [publisher, extent, agreeBy('refExpressions', one, other)].filter(each => each === 'same').length
  return scores.publications[others]
}

/** Terms of several schemes with an equal number. */
export const scoreOfTerms = 95

/** Right pairs in a hundred, rounded down. */
const scores = {
  sameBirth: 95,
  forenames: 95,
  initials: 90,
  oneName: 50,
  oneOfSeveral: 30,
  sameAuthor: 90,
  titleOnly: 80,
  /** By the number of publisher, extent and text that are the same. */
  publications: [undefined, undefined, 70, 95]
} as const
