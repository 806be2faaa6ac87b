import { type Answer, clusterBlock, clusterLevels } from './cluster-block.ts'
import { isPrincipal, type Mention } from './evidence.ts'
import type { ReasonCode } from './links.ts'
import { classifyPersons, type PersonClasses, personKey } from './persons.ts'

/*
 * Cases that are like a decision of a person: the same decision can be offered for them. An offer
 * has a reason that a person can check, and changes nothing by itself.
 */

/** The ways in which a case can be like a decision, the most telling first. */
export const likenesses = ['titles', 'authors', 'pattern'] as const
export type Likeness = (typeof likenesses)[number]

/** Two mentions that the same decision may hold for. */
export interface LikeCase {
  readonly one: string
  readonly other: string
  readonly areJoined: boolean
  readonly verdict: Answer['verdict']
  readonly likeness: Likeness
  /** The rule of clustering that both pairs have in common; for a pattern only. */
  readonly reason?: ReasonCode
  /** The decision that it is like. */
  readonly decision: Answer
}

/** Two mentions that may be offered a decision: an open question, or a join that is certain. */
export interface OpenCase {
  readonly one: string
  readonly other: string
  readonly areJoined: boolean
  /** Whether it is a review question; joins are offered to be separated only. */
  readonly isAsked: boolean
}

/**
 * Rules that say nothing about other pairs: a person decided, or the pair was one of several
 * possible ones.
 */
const tellsNothing: ReadonlySet<ReasonCode> = new Set(['reviewed', 'translation', 'several possible'])

/**
 * Finds the cases that are like decisions about works:
 *
 * - `titles`: the same two different titles
 * - `authors`: a title that two authors share, after works of these two were decided to be the same
 * - `pattern`: the same author, two different titles, and the same rule of clustering between them
 *
 * Pairs with equal titles are not a pattern. Where `all` decisions of the block contradict each
 * other about one pattern, nothing is offered. Each step compares one case, in about 0.1 ms, and
 * yields undefined if it is like no decision.
 */
export function* findLikeCases(
  mentions: ReadonlyMap<string, Mention>,
  decisions: readonly Answer[],
  cases: readonly OpenCase[],
  all: readonly Answer[] = decisions
): Generator<LikeCase | undefined, void, undefined> {
  const classes = classifyPersons([...mentions.values()].flatMap(each => each.creators))
  const pairOf = (ids: { readonly one: string; readonly other: string }) => {
    const [one, other] = [mentions.get(ids.one), mentions.get(ids.other)]
    return one === undefined || other === undefined ? undefined : describePair(one, other, classes)
  }
  const verdicts = new Map<string, Set<Answer['verdict']>>()
  const known = new Map<string, Answer>()
  for (const decision of all)
    for (const key of pairOf(decision)?.keys.values() ?? []) {
      verdicts.set(key, (verdicts.get(key) ?? new Set()).add(decision.verdict))
      if (decisions.includes(decision) && !known.has(key)) known.set(key, decision)
    }
  for (const each of [...cases, ...sharedTitles(mentions, decisions, classes)]) {
    const pair = pairOf(each)
    let like: LikeCase | undefined
    for (const likeness of likenesses) {
      const key = pair?.keys.get(likeness)
      const decision = key === undefined || verdicts.get(key)?.size !== 1 ? undefined : known.get(key)
      if (pair === undefined || decision === undefined) continue
      if (!each.isAsked && likeness !== 'authors' && decision.verdict === 'same') continue
      const { one, other, areJoined } = each
      const reason = likeness === 'pattern' && pair.reason !== undefined ? { reason: pair.reason } : {}
      like = { one, other, areJoined, verdict: decision.verdict, likeness, ...reason, decision }
      break
    }
    yield like
  }
}

interface Pair {
  /** A text for each likeness; pairs with the same text are alike in this way. */
  readonly keys: ReadonlyMap<Likeness, string>
  readonly reason: ReasonCode | undefined
}

const titleOf = (mention: Mention) => mention.names.find(isPrincipal)?.key ?? ''
const authorsOf = ({ creators }: Mention, classes: PersonClasses) =>
  creators.map(each => classes.get(personKey(each)) ?? personKey(each))
const joinSorted = (one: string, other: string) => JSON.stringify([one, other].sort())

function describePair(one: Mention, other: Mention, classes: PersonClasses): Pair {
  const keys = new Map<Likeness, string>()
  const titles = [titleOf(one), titleOf(other)] as const
  const authors = [authorsOf(one, classes), authorsOf(other, classes)] as const
  const shared = authors[0].find(each => authors[1].includes(each))
  const reason = ruleBetween(one, other)
  if (titles[0] !== titles[1]) {
    keys.set('titles', joinSorted(...titles))
    if (shared !== undefined && reason !== undefined && !tellsNothing.has(reason))
      keys.set('pattern', JSON.stringify([shared, reason]))
  }
  const [author, otherAuthor] = [authors[0][0], authors[1][0]]
  if (shared === undefined && author !== undefined && otherAuthor !== undefined)
    keys.set('authors', joinSorted(author, otherAuthor))
  return { keys, reason }
}

/** The rule that joins two mentions, or asks about them, when they are compared alone. */
function ruleBetween(one: Mention, other: Mention): ReasonCode | undefined {
  const { works, questions } = clusterBlock([one, other])
  const asked = questions.find(each => each.level === clusterLevels[0])
  return asked?.reason.code ?? works[0]?.members[1]?.link?.reason.code
}

/**
 * The pairs of works with an equal title by two authors, for each two authors of whom a person
 * joined works: the first record of each side.
 */
function sharedTitles(
  mentions: ReadonlyMap<string, Mention>,
  decisions: readonly Answer[],
  classes: PersonClasses
): OpenCase[] {
  const byAuthor = new Map<string, Map<string, string>>()
  const note = (author: string, key: string, id: string) => {
    const titles = byAuthor.get(author) ?? new Map<string, string>()
    byAuthor.set(author, titles)
    if (!titles.has(key)) titles.set(key, id)
  }
  for (const [id, mention] of mentions) {
    const [author] = authorsOf(mention, classes)
    if (author === undefined) continue
    for (const name of mention.names.filter(isPrincipal)) note(author, `${mention.kind} ${name.key}`, id)
  }
  const found = new Map<string, OpenCase>()
  for (const { one, other, verdict } of decisions) {
    const [first, second] = [mentions.get(one), mentions.get(other)]
    if (verdict !== 'same' || first === undefined || second === undefined) continue
    const [author, otherAuthor] = [authorsOf(first, classes)[0], authorsOf(second, classes)[0]]
    if (author === undefined || otherAuthor === undefined || author === otherAuthor) continue
    for (const [key, id] of byAuthor.get(author) ?? []) {
      const like = byAuthor.get(otherAuthor)?.get(key)
      if (like !== undefined && like !== id)
        found.set(joinSorted(id, like), { one: id, other: like, areJoined: false, isAsked: false })
    }
  }
  return [...found.values()]
}
