import { areNumberedApart } from './authority-numbers.ts'

/*
 * Links between mentions that may be one, the most certain first. Mentions that a person separated
 * are never joined, directly or through others; each join has its reason. The same links give the
 * same result in any order, since links have an order of their own.
 */

export const reasons = {
  reviewed: 'a person answered that they are the same',
  'work identifier': 'the same identifier of the work',
  'uniform title': 'same author and uniform title',
  'title proper': 'same author and title',
  'title and subtitle': 'same author, title and subtitle',
  'title and date': 'same author and title, and the same year or number in a series',
  'title is uniform title': 'same author; the title is the uniform title of the other',
  'learned title': 'same author; another record has both titles',
  'learned uniform title': 'same author; a record has the uniform title of the one as its title',
  'alternative title': 'same author; the title of the one is a part or the full form of the title of the other',
  'variant title': 'same author; the title of the one is a variant title of the other',
  'related title': 'same author; the one names the title of the other as a related title',
  subtitle: 'same author; the title of the one is the subtitle of the other',
  contents: 'the same works are in both',
  spelling: 'same author, and titles that differ by a letter or two',
  publication: 'the same title and the same ISBN or ISSN',
  people: 'the same title, and people in common',
  'title alone': 'the same title; no names that could contradict it',
  romanisation: 'authors and titles that may be one in two romanisations',
  translation: 'same author; a translation whose record does not name the original',
  'several possible': 'the same title, but it could be another work with that title too',
  'other form': 'the same title, but another form (novel, play, screenplay …)',
  'other contents': 'the same title, but other works in it',
  'other number': 'the same title, but another number of the series or of the part',
  version: 'same language, form, translator and readers',
  'only version': 'the only known version in this language and form',
  'unknown version': 'same language and form; contributors unknown for this record'
} as const
export type ReasonCode = keyof typeof reasons

export interface Reason {
  readonly code: ReasonCode
  /** The key, title or name that both share. */
  readonly shared?: string
  /** The record that it was learned from, if that is neither of the two. */
  readonly learnedFrom?: string
}

export interface Link {
  readonly one: number
  readonly other: number
  readonly reason: Reason
  readonly confidence: number
}

/** Minimum confidence for a join, and the confidence below which a person is asked to check it. */
export const joinsFrom = 0.75
export const sureFrom = 0.95

/**
 * The fact that keeps two groups apart: an answer, two numbers of the work in one authority file,
 * or a trait in which they differ.
 */
export type Obstacle = 'answer' | 'other identifier' | 'other form' | 'other contents' | 'other number'

export interface Joined {
  find(thing: number): number
  /** Joins two mentions unless there is an obstacle. Returns true when they are one afterwards. */
  join(link: Link): boolean
  /** The obstacle to a join for this reason; undefined if there is none. */
  obstacleTo(one: number, other: number, code: ReasonCode): Obstacle | undefined
  readonly links: readonly Link[]
}

/** Traits that separate mentions whatever their titles are. */
export interface Traits {
  readonly genre?: string | undefined
  readonly contents: readonly string[]
  /** Numbers that tell publications with one title apart: `series / number`. */
  readonly counted: readonly string[]
  /** Numbers of the work in authority files, as `file:number`. */
  readonly identifiers?: readonly string[]
}

/** Reasons that join works whatever their numbers in a series. */
const aboveSeries: ReadonlySet<ReasonCode> = new Set(['reviewed', 'work identifier', 'uniform title', 'publication'])

export function createJoined(
  count: number,
  refused: readonly (readonly [number, number])[],
  traits: readonly Traits[] = []
): Joined {
  const parents = Array.from({ length: count }, (_, index) => index)
  const genres = traits.map(({ genre }) => (genre === undefined ? undefined : new Set([genre])))
  const contents = traits.map(each => (each.contents.length === 0 ? undefined : new Set(each.contents)))
  const series = traits.map(({ counted }) => numbersOf(counted))
  const ids = traits.map(({ identifiers = [] }) => (identifiers.length === 0 ? undefined : new Set(identifiers)))
  const refusedBy = new Map<number, Set<number>>()
  for (const [one, other] of refused) {
    refusedBy.set(one, (refusedBy.get(one) ?? new Set()).add(other))
    refusedBy.set(other, (refusedBy.get(other) ?? new Set()).add(one))
  }
  const links: Link[] = []
  const find = (thing: number): number => {
    let root = thing
    while (parents[root] !== root) root = parents[root] ?? root
    for (let at = thing; at !== root; ) {
      const next = parents[at] ?? root
      parents[at] = root
      at = next
    }
    return root
  }
  const isRefused = (one: number, other: number) => {
    for (const thing of refusedBy.get(one) ?? []) if (find(thing) === other) return true
    return false
  }
  const obstacleBetween = (one: number, other: number, code: ReasonCode): Obstacle | undefined => {
    if (isRefused(one, other)) return 'answer'
    if (code === 'reviewed') return undefined
    const [id, otherId] = [ids[one], ids[other]]
    if (code !== 'work identifier' && id !== undefined && otherId !== undefined && areNumberedApart(id, otherId))
      return 'other identifier'
    const [genre, otherGenre] = [genres[one], genres[other]]
    if (genre !== undefined && otherGenre !== undefined && genre.isDisjointFrom(otherGenre)) return 'other form'
    const [content, otherContent] = [contents[one], contents[other]]
    if (content !== undefined && otherContent !== undefined && !areAlike(content, otherContent)) return 'other contents'
    return !aboveSeries.has(code) && haveOtherNumbers(series[one], series[other]) ? 'other number' : undefined
  }
  return {
    find,
    links,
    obstacleTo: (one, other, code) => obstacleBetween(find(one), find(other), code),
    join(link) {
      const one = find(link.one)
      const other = find(link.other)
      if (one === other) return true
      if (obstacleBetween(one, other, link.reason.code) !== undefined) return false
      const [root, leaf] = one < other ? [one, other] : [other, one]
      parents[leaf] = root
      genres[root] = unite(genres[root], genres[leaf])
      ids[root] = unite(ids[root], ids[leaf])
      // The first member with contents counts for all.
      contents[root] ??= contents[leaf]
      for (const [key, numbers] of series[leaf] ?? []) {
        const known = series[root] ?? new Map<string, Set<string>>()
        known.set(key, unite(known.get(key), numbers) ?? numbers)
        series[root] = known
      }
      const moved = refusedBy.get(leaf)
      if (moved !== undefined) refusedBy.set(root, unite(refusedBy.get(root), moved) ?? moved)
      links.push(link)
      return true
    }
  }
}

/** The numbers by series. */
function numbersOf(counted: readonly string[]): Map<string, Set<string>> | undefined {
  if (counted.length === 0) return undefined
  const numbers = new Map<string, Set<string>>()
  for (const each of counted) {
    const cut = each.lastIndexOf(' / ')
    const key = each.slice(0, cut)
    numbers.set(key, (numbers.get(key) ?? new Set()).add(each.slice(cut + 3)))
  }
  return numbers
}

/** Tests whether two are different numbers of one series, and so different works. */
function haveOtherNumbers(
  one: ReadonlyMap<string, ReadonlySet<string>> | undefined,
  other: ReadonlyMap<string, ReadonlySet<string>> | undefined
): boolean {
  for (const [key, numbers] of one ?? []) if (other?.get(key)?.isDisjointFrom(numbers)) return true
  return false
}

/** Tests whether two aggregates with one title have most of their contents in common. */
function areAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = one.intersection(other).size
  return shared * 2 >= one.size + other.size - shared
}

function unite<T>(one: Set<T> | undefined, other: Set<T> | undefined): Set<T> | undefined {
  return one === undefined ? other : other === undefined ? one : one.union(other)
}
