import { isPrincipal, type Mention } from './evidence.ts'
import { type Doubt, severalPossible } from './groups.ts'
import { linkExpressions } from './link-expressions.ts'
import { linkWorks, type Verdicts } from './link-works.ts'
import { type Joined, type Link, type Reason, sureFrom } from './links.ts'

export const clusterLevels = ['work', 'expression'] as const
export type ClusterLevel = (typeof clusterLevels)[number]

/** A person's answer about two mentions. It stays valid for all later imports. */
export interface Answer {
  readonly level: ClusterLevel
  readonly one: string
  readonly other: string
  readonly verdict: 'same' | 'different'
}

/**
 * The reason why a mention is in its cluster: the mention it was joined to, and a confidence from 0
 * to 1.
 */
export interface MemberLink {
  readonly to: string
  readonly reason: Reason
  readonly confidence: number
  readonly isSure: boolean
}

export interface Member {
  readonly mention: string
  readonly record: string
  readonly place: number
  /** Undefined for the first mention of a cluster. */
  readonly link: MemberLink | undefined
}

export interface ExpressionCluster {
  readonly members: readonly Member[]
}

export interface WorkCluster {
  readonly members: readonly Member[]
  readonly expressions: readonly ExpressionCluster[]
}

/** Two mentions that a person should decide on. */
export interface Question {
  readonly level: ClusterLevel
  readonly one: string
  readonly other: string
  readonly reason: Reason
  readonly confidence: number
  /** The state until somebody answers. */
  readonly areJoined: boolean
  /** The number of mentions whose work or expression depends on the answer. */
  readonly settles: number
}

export interface Clusters {
  readonly works: readonly WorkCluster[]
  readonly questions: readonly Question[]
}

/**
 * Decides which mentions of a block belong to one work and to one expression. The same mentions and
 * answers give the same clusters in any order; nothing outside the block has an influence.
 */
export function clusterBlock(given: readonly Mention[], answers: readonly Answer[] = []): Clusters {
  const [only, ...more] = given
  if (only !== undefined && more.length === 0) return alone(only)
  const mentions = [...given].sort((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0))
  const verdicts = verdictsFor('work', mentions, answers)
  const { joined: found, doubts } = linkWorks(mentions, verdicts)
  const joined = confirmLinks(doubtLinks(found, mentions, verdicts), mentions, verdicts)
  const answered = new Set(
    answers.flatMap(each => [pairOf(each), pairOf({ ...each, one: each.other, other: each.one })])
  )
  const questions = questionsOf('work', mentions, joined, doubts, answered)
  const works = groupsOf(mentions, joined).map(members => {
    const own = members.map(each => each.mention)
    const versions = linkExpressions(own, verdictsFor('expression', own, answers))
    questions.push(...questionsOf('expression', own, versions.joined, versions.doubts, answered))
    return {
      members: members.map(each => each.member),
      expressions: groupsOf(own, versions.joined).map(each => ({ members: each.map(({ member }) => member) }))
    }
  })
  return { works, questions }
}

/** Most blocks of a catalogue have one mention. */
function alone({ id, record, place }: Mention): Clusters {
  const members = [{ mention: id, record, place, link: undefined }]
  return { works: [{ members, expressions: [{ members }] }], questions: [] }
}

function verdictsFor(level: ClusterLevel, mentions: readonly Mention[], answers: readonly Answer[]): Verdicts {
  if (answers.length === 0) return { same: [], different: [] }
  const places = new Map(mentions.map((each, index) => [each.id, index]))
  const pairs = (isMeant: (answer: Answer) => boolean) =>
    answers
      .filter(isMeant)
      .flatMap(({ one, other }): [number, number][] => {
        const [first, second] = [places.get(one), places.get(other)]
        return first === undefined || second === undefined || first === second ? [] : [[first, second]]
      })
      .sort(([a, b], [c, d]) => a - c || b - d)
  return {
    // Mentions of one expression are mentions of one work.
    same: pairs(each => each.verdict === 'same' && (level === 'work' || each.level === 'expression')),
    different: pairs(each => each.verdict === 'different' && each.level === level)
  }
}

interface Grouped {
  readonly mention: Mention
  readonly member: Member
}

/**
 * The groups, each with the links of its members: every member except the first has one link, to a
 * member nearer to the first.
 */
function groupsOf(mentions: readonly Mention[], joined: Joined): Grouped[][] {
  const near = new Map<number, { readonly to: number; readonly link: Link }[]>()
  const note = (from: number, to: number, link: Link) => {
    const known = near.get(from)
    if (known === undefined) near.set(from, [{ to, link }])
    else known.push({ to, link })
  }
  for (const link of joined.links) {
    note(link.one, link.other, link)
    note(link.other, link.one, link)
  }
  const groups: Grouped[][] = []
  const seen = new Set<number>()
  for (const start of mentions.keys()) {
    if (seen.has(start)) continue
    seen.add(start)
    const group: Grouped[] = []
    const queue: { readonly index: number; readonly link: MemberLink | undefined }[] = [
      { index: start, link: undefined }
    ]
    for (let at = 0; at < queue.length; at++) {
      const { index, link } = queue[at] ?? { index: start, link: undefined }
      const mention = mentions[index]
      if (mention === undefined) continue
      const { id, record, place } = mention
      group.push({ mention, member: { mention: id, record, place, link } })
      for (const { to, link: next } of near.get(index) ?? []) {
        if (seen.has(to)) continue
        seen.add(to)
        const { reason, confidence } = next
        queue.push({ index: to, link: { to: id, reason, confidence, isSure: confidence >= sureFrom } })
      }
    }
    groups.push(group.sort((one, other) => (one.mention.id < other.mention.id ? -1 : 1)))
  }
  return groups
}

/**
 * Raises the confidence of links by a title under which a person joined two of the same mentions:
 * the answer about one pair holds for the others under that title.
 */
function confirmLinks(joined: Joined, mentions: readonly Mention[], { same }: Verdicts): Joined {
  if (same.length === 0) return joined
  const confirmed = new Set<string>()
  for (const [one, other] of same) {
    for (const key of sharedKeys(mentions[one], mentions[other])) confirmed.add(`${joined.find(one)} ${key}`)
  }
  const isConfirmed = ({ one, reason: { shared } }: Link) => confirmed.has(`${joined.find(one)} ${shared ?? ''}`)
  const links = joined.links.map(each =>
    each.confidence < sureFrom && isConfirmed(each) ? { ...each, confidence: sureFrom } : each
  )
  return { ...joined, links }
}

/**
 * Lowers the confidence of links by a title that two works have, because a person separated them:
 * other records with that title could be of either, so a person is asked.
 */
function doubtLinks(joined: Joined, mentions: readonly Mention[], { different }: Verdicts): Joined {
  if (different.length === 0) return joined
  const ambiguous = new Set<string>()
  for (const [one, other] of different)
    for (const key of sharedKeys(mentions[one], mentions[other]))
      for (const each of [one, other]) ambiguous.add(`${joined.find(each)} ${key}`)
  const isAmbiguous = ({ one, reason: { code, shared } }: Link) =>
    code !== 'reviewed' && ambiguous.has(`${joined.find(one)} ${shared ?? ''}`)
  const links = joined.links.map(each =>
    each.confidence >= sureFrom && isAmbiguous(each)
      ? { ...each, reason: { ...each.reason, code: 'several possible' as const }, confidence: severalPossible }
      : each
  )
  return { ...joined, links }
}

/** The keys of titles that two mentions have in common. */
function sharedKeys(one: Mention | undefined, other: Mention | undefined): string[] {
  const keys = new Set(one?.names.filter(isPrincipal).map(each => each.key))
  return (other?.names ?? []).filter(each => isPrincipal(each) && keys.has(each.key)).map(each => each.key)
}

/**
 * The questions about links that are not certain, and about doubts. Links for one reason and title
 * in one group are one question: its answer settles them all.
 */
function questionsOf(
  level: ClusterLevel,
  mentions: readonly Mention[],
  joined: Joined,
  doubts: readonly Doubt[],
  answered: ReadonlySet<string>
): Question[] {
  const asked = new Set<string>()
  const sizes = new Map<number, number>()
  if (doubts.length > 0)
    for (const index of mentions.keys()) sizes.set(joined.find(index), (sizes.get(joined.find(index)) ?? 0) + 1)
  const sizeAt = (index: number) => sizes.get(joined.find(index)) ?? 1
  const unsure = new Map<string, Doubt & { areJoined: boolean; settles: number }>()
  for (const link of joined.links) {
    if (link.confidence >= sureFrom) continue
    const key = `${link.reason.code} ${link.reason.shared ?? `${link.one} ${link.other}`} ${joined.find(link.one)}`
    const known = unsure.get(key)
    if (known === undefined) unsure.set(key, { ...link, areJoined: true, settles: 1 })
    else known.settles++
  }
  const open = doubts.map(each => ({
    ...each,
    areJoined: false,
    settles: Math.min(sizeAt(each.one), sizeAt(each.other))
  }))
  return [...unsure.values(), ...open].flatMap(({ one, other, reason, confidence, areJoined, settles }) => {
    const [first, second] = [mentions[Math.min(one, other)], mentions[Math.max(one, other)]]
    if (first === undefined || second === undefined) return []
    const question: Question = { level, one: first.id, other: second.id, reason, confidence, areJoined, settles }
    const pair = pairOf(question)
    if (answered.has(pair) || asked.has(pair)) return []
    asked.add(pair)
    return [question]
  })
}

const pairOf = ({
  level,
  one,
  other
}: {
  readonly level: ClusterLevel
  readonly one: string
  readonly other: string
}) => `${level} ${one} ${other}`
