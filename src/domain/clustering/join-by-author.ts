import {
  contentWords,
  haveOtherForms,
  haveOtherSubtitles,
  isCommonTitle,
  isTitleTooLittle,
  saysOtherwise
} from './agreement.ts'
import { doubtTranslations } from './find-originals.ts'
import { isPrincipal, isStrong, type Mention, type NameKind, type WorkName } from './evidence.ts'
import {
  add,
  distinct,
  doubtGroups,
  groupBy,
  isOne,
  isTitle,
  joinByNumber,
  joinGroups,
  joinGroupTo,
  joinOrDoubt,
  sameContents,
  type Scope,
  sorted
} from './groups.ts'
import type { Reason, ReasonCode } from './links.ts'
import { isCollective } from './collective-titles.ts'
import { isNearly } from './title-key.ts'

/**
 * Joins works of one author.
 *
 * The steps go from certain to less certain, and each uses the joins of those before it: uniform
 * titles make works; titles on publications are learned from the records that have both; records
 * without a uniform title are then joined by these titles.
 */
export function joinByAuthor(scope: Scope): void {
  const { members, mentions, joined } = scope
  const nameOf = (index: number) => mentions[index]?.names ?? []
  const hasStrong = (index: number) => nameOf(index).some(isStrong)

  // 1. Uniform titles, original titles, entries; aggregates of the same works.
  joinGroups(groupBy(members, nameOf, isStrong), scope, 'uniform title', 0.97)
  for (const [one, other] of sameContents(members, mentions, 3))
    if (areOneAggregate(mentions[one], mentions[other]))
      joined.join({ one, other, reason: { code: 'contents' }, confidence: 0.95 })

  // 2. Records without any: the title on the publication. A title that only says that the
  //   publication is an aggregate is skipped.
  const plain = members.filter(each => !hasStrong(each))
  const byTitle = groupBy(plain, nameOf, isTitle)
  const distinctive = new Map<string, number[]>()
  const vague = new Map<string, number[]>()
  for (const [key, group] of byTitle)
    (group.some(each => isCommonTitle(key, mentions[each])) ? vague : distinctive).set(key, group)
  joinGroups(distinctive, scope, 'title proper', 0.95)
  for (const [key, group] of sorted(vague)) joinVague(group, key, nameOf, scope)
  doubtGroups(vague, scope, { code: 'several possible' }, 0.5, (one, other) => !saysOtherwise(one, other))

  // 3. Names known so far, and the records that they were learned from.
  const strong = members.filter(hasStrong)
  const uniform = groupBy(strong, nameOf, isStrong)
  const learned = groupBy(strong, nameOf, each => isTitle(each) && !isCollective(each.key))
  const titles = sorted(distinctive)
  for (const [key, group] of titles) if (uniform.has(key)) joinLearned(key, group, uniform, learned, scope)
  for (const [key, group] of titles) if (!uniform.has(key)) joinLearned(key, group, uniform, learned, scope)

  // 4. A work under one uniform title whose title elsewhere is the uniform title of another.
  for (const [key, [home]] of sorted(uniform)) {
    if (home === undefined || isCollective(key)) continue
    const others = distinct(learned.get(key) ?? [], joined).filter(each => !isOne(each, home, joined))
    joinOrDoubt(home, others, scope, { code: 'learned uniform title', shared: key }, 0.88)
  }

  // 5. Longer and shorter forms of a title, then variants, then subtitles.
  const principal = groupBy(members, nameOf, each => isPrincipal(each) && !isCollective(each.key))
  for (const rule of lesser) joinByLesser(rule, principal, strong, scope)

  // 6. Aggregates of the same works, where one has no uniform title. Anybody might put two works
  //   together.
  for (const [one, other] of sameContents(members, mentions, 3))
    if (!hasStrong(one) || !hasStrong(other)) joined.join({ one, other, reason: { code: 'contents' }, confidence: 0.8 })

  // 7. Typing errors.
  for (const { one, other, shared, confidence } of nearPairs(scope, nameOf))
    joinOrDoubt(one, [other], scope, { code: 'spelling', shared }, confidence)

  // 8. Translations that name no original.
  doubtTranslations(scope)
}

/**
 * Tests whether aggregates of the same works are the same: of at least five works, or with a title
 * in common. Anybody might put three works together.
 */
const areOneAggregate = (one: Mention | undefined, other: Mention | undefined) =>
  (one?.contents.length ?? 0) >= 5 || sharedNames(one, other) > 0

/** The number of keys of titles that two mentions have in common. */
function sharedNames(one: Mention | undefined, other: Mention | undefined): number {
  const keys = new Set(one?.names.map(each => each.key))
  return new Set(other?.names.flatMap(({ key }) => (keys.has(key) && !isCollective(key) ? [key] : []))).size
}

/**
 * Joins publications under a title that is common to any number of works: by the same ISBN, the
 * same subtitle, the same number in a series, or the same year.
 */
function joinVague(
  group: readonly number[],
  title: string,
  nameOf: (index: number) => readonly WorkName[],
  scope: Scope
): void {
  const { mentions } = scope
  joinByNumber(group, title, scope)
  const byWhole = groupBy(group, nameOf, each => each.kind === 'whole' && !isCollective(each.key))
  joinGroups(byWhole, scope, 'title and subtitle', 0.95)
  const bySeries = new Map<string, number[]>()
  const byYear = new Map<string, number[]>()
  for (const index of group) {
    const mention = mentions[index]
    for (const each of mention?.series ?? []) add(bySeries, `${title} (${each})`, index)
    // Publications of one year with different subtitles are different.
    const hasSubtitle = mention?.names.some(each => each.kind === 'whole')
    if (mention?.year !== undefined && !hasSubtitle) add(byYear, `${title} (${mention.year})`, index)
  }
  joinGroups(bySeries, scope, 'title and date', 0.95)
  joinGroups(byYear, scope, 'title and date', 0.86)
}

type Groups = ReadonlyMap<string, readonly number[]>

/**
 * Joins records with a title but without a uniform title to the one work that has it as a uniform
 * title or, according to another record, as a title.
 */
function joinLearned(shared: string, group: readonly number[], uniform: Groups, learned: Groups, scope: Scope): void {
  const { joined, mentions, doubts } = scope
  const known = distinct(uniform.get(shared) ?? [], joined)
  const taught = distinct(learned.get(shared) ?? [], joined).filter(
    each => !known.some(other => isOne(each, other, joined))
  )
  const [home] = known
  const [teacher] = taught
  const isUniform: Reason = { code: 'title is uniform title', shared }
  if (known.length === 1 && home !== undefined)
    joinGroupTo(group, home, scope, isUniform, taught.length === 0 ? 0.95 : 0.82)
  else if (known.length === 0 && taught.length === 1 && teacher !== undefined) {
    const learnedFrom = mentions[teacher]?.record ?? ''
    joinGroupTo(group, teacher, scope, { code: 'learned title', shared, learnedFrom }, 0.95)
  } else
    for (const one of group.slice(0, 1))
      for (const other of [...known, ...taught])
        doubts.push({ one, other, reason: { code: 'several possible', shared }, confidence: 0.6 })
}

/**
 * Joins by a name of one work that exactly one other work has. `principal`: the mentions with each
 * title that names a single work.
 */
function joinByLesser(
  { kinds, code, plainly, between }: LesserRule,
  principal: Groups,
  strong: readonly number[],
  scope: Scope
): void {
  const { members, mentions, joined } = scope
  const byName = groupBy(
    members,
    index => mentions[index]?.names ?? [],
    each => kinds.includes(each.kind) && principal.has(each.key)
  )
  const named = new Set(strong.map(joined.find))
  for (const [shared, holders] of sorted(byName)) {
    const homes = distinct(principal.get(shared) ?? [], joined)
    const [home] = homes
    const others = distinct(holders, joined).filter(each => !homes.some(other => isOne(each, other, joined)))
    // A name that several works share (a series, a set) belongs to none of them.
    if (home === undefined || homes.length > 1 || others.length > 2) continue
    // A lesser title does not join two works that cataloguers gave names of their own.
    const areNamed = [home, ...others].filter(each => named.has(joined.find(each))).length
    const [only] = others
    const [one, other] = [scope.mentions[home], scope.mentions[only ?? home]]
    const isWhole = code === 'alternative title' && isFullForm(other, one, shared)
    // Both forms of a title, with and without its other part, are in both.
    const areBoth = code === 'alternative title' && sharedNames(one, other) > 1
    const isClear = one !== undefined && other !== undefined && !isTitleTooLittle(one, other, shared)
    const confidence = isClear && (areBoth || (isWhole && areNamed <= 1)) ? 0.95 : areNamed <= 1 ? plainly : between
    joinOrDoubt(home, others, scope, { code, shared }, confidence)
    if (areNamed > 0) named.add(joined.find(home))
  }
}

/** Tests whether a title and its subtitle are the title of another, written as one. */
const isFullForm = (whole: Mention | undefined, other: Mention | undefined, key: string) =>
  contentWords(key).size >= 3 &&
  whole?.names.some(each => each.kind === 'whole' && each.key === key) === true &&
  other?.names.some(each => isPrincipal(each) && each.key === key) === true

interface LesserRule {
  readonly kinds: readonly NameKind[]
  readonly code: ReasonCode
  /** Confidence when at most one of the works has a uniform title, and when both have one. */
  readonly plainly: number
  readonly between: number
}

const lesser: readonly LesserRule[] = [
  { kinds: ['whole', 'alternative'], code: 'alternative title', plainly: 0.88, between: 0.8 },
  { kinds: ['parallel', 'variant'], code: 'variant title', plainly: 0.82, between: 0.6 },
  { kinds: ['subtitle'], code: 'subtitle', plainly: 0.78, between: 0.5 },
  { kinds: ['related'], code: 'related title', plainly: 0.5, between: 0.4 }
]

/**
 * Maximum titles with one beginning (“Report on …”): more tell nothing, and comparing all pairs
 * would take long.
 */
const maxAlike = 300

/** Tests whether nothing but the spelling tells two works apart. */
const haveOneForm = (one: Mention | undefined, other: Mention | undefined) =>
  one !== undefined &&
  other !== undefined &&
  one.contents.length === 0 &&
  other.contents.length === 0 &&
  !haveOtherForms(one, other) &&
  !haveOtherSubtitles(one, other)

/** Minimum works of an aggregate that tell which of them is spelt otherwise in another. */
const minContents = 4

/**
 * Tests whether two titles with nearly the same spelling are left over in two lists of contents:
 * all other works of the shorter list are in the longer one, and neither list has both spellings.
 */
function areLeftOver(group: readonly number[], others: readonly number[], mentions: readonly Mention[]): boolean {
  const listsOf = (indexes: readonly number[]) =>
    indexes.slice(0, maxCompared).flatMap(index => {
      const { record, place, names: [name] = [] } = mentions[index] ?? {}
      const whole = place === 0 ? undefined : mentions.find(each => each.record === record && each.place === 0)
      return whole === undefined || name === undefined ? [] : [{ key: name.key, contents: new Set(whole.contents) }]
    })
  const found = listsOf(others)
  return listsOf(group).some(one =>
    found.some(other => {
      const [short, long] = one.contents.size < other.contents.size ? [one, other] : [other, one]
      const missing = short.contents.difference(long.contents)
      return (
        short.contents.size >= minContents &&
        missing.size === 1 &&
        missing.has(short.key) &&
        long.contents.has(long.key) &&
        !short.contents.has(long.key)
      )
    })
  )
}

/** Maximum records that are compared for one spelling. */
const maxCompared = 5

/**
 * Names of different works that are nearly the same: `watch tower` and `watchtower`, or a
 * difference of a letter or two. Compares only names that begin or end alike.
 */
function nearPairs(
  { members, mentions, joined }: Scope,
  nameOf: (index: number) => readonly WorkName[]
): { one: number; other: number; shared: string; confidence: number }[] {
  const names = sorted(groupBy(members, nameOf, each => isPrincipal(each) && each.key.length >= 9))
  const letters = names.map(([key]) => key.replaceAll(' ', ''))
  const byEdge = new Map<string, number[]>()
  // With few names a shorter edge finds errors near it, too.
  const edge = names.length > maxAlike ? 6 : 4
  for (const [index, each] of letters.entries()) {
    add(byEdge, `${each.slice(0, edge)}…`, index)
    add(byEdge, `…${each.slice(-edge)}`, index)
  }
  const pairs: { one: number; other: number; shared: string; confidence: number }[] = []
  const compare = (at: number, to: number) => {
    const [key = '', [one = 0] = []] = names[at] ?? []
    const [otherKey = '', [other = 0] = []] = names[to] ?? []
    const isSpacedOtherwise = letters[at] === letters[to]
    if (!isSpacedOtherwise && !isNearly(key, otherKey)) return
    if (isOne(one, other, joined)) return
    const isSameSlot = () => areLeftOver(names[at]?.[1] ?? [], names[to]?.[1] ?? [], mentions)
    const confidence = isSpacedOtherwise
      ? haveOneForm(mentions[one], mentions[other])
        ? 0.95
        : 0.9
      : isSameSlot()
        ? 0.95
        : Math.min(key.length, otherKey.length) > 20
          ? 0.8
          : 0.6
    pairs.push({ one, other, shared: `${key} / ${otherKey}`, confidence })
  }
  for (const [, alike] of sorted(byEdge)) {
    if (alike.length > maxAlike) continue
    for (const [place, at] of alike.entries())
      for (let next = place + 1; next < alike.length; next++) compare(at, alike[next] ?? 0)
  }
  return pairs
}
