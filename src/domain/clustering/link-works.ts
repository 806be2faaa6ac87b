import { isFilm, isPrincipal, isStrong, type Mention, type NameKind, type WorkName } from './evidence.ts'
import { createJoined, type Joined, joinsFrom, type Reason, type ReasonCode } from './links.ts'
import { classifyPersons, personKey } from './persons.ts'
import { isCollective, isNearly } from './title-key.ts'

export interface Doubt {
  readonly one: number
  readonly other: number
  readonly reason: Reason
  readonly confidence: number
}

export interface LinkedWorks {
  readonly joined: Joined
  readonly doubts: readonly Doubt[]
}

export interface Verdicts {
  readonly same: readonly (readonly [number, number])[]
  readonly different: readonly (readonly [number, number])[]
}

/**
 * Joins the mentions of a block that are of one work. `mentions` are in the order of their ids.
 *
 * The steps go from sure to less sure, and each looks at what those before it have joined: uniform titles make works; titles on publications
 * are learned from the records that have both; records without a uniform title are then brought home by what was learned.
 */
export function linkWorks(mentions: readonly Mention[], verdicts: Verdicts): LinkedWorks {
  const joined = createJoined(mentions.length, verdicts.different, mentions)
  const doubts: Doubt[] = []
  const block = readBlock(mentions)

  for (const [one, other] of verdicts.same) joined.join({ one, other, reason: { code: 'reviewed' }, confidence: 1 })
  joinByIdentifier({ mentions, joined, doubts })
  for (const scope of block.scopes) {
    if (scope.isFilms) joinFilms(scope, joined, doubts)
    else if (scope.isAnonymous) joinAnonymous(scope, joined, doubts)
    else joinByAuthor(scope, joined, doubts)
  }
  return { joined, doubts: doubts.filter(each => joined.find(each.one) !== joined.find(each.other)) }
}

/** Mentions with the same author and kind of material; names are compared within it. */
interface Scope {
  readonly isFilms: boolean
  readonly isAnonymous: boolean
  readonly members: readonly number[]
  readonly mentions: readonly Mention[]
}

/** What the steps work on. */
interface Joining {
  readonly mentions: readonly Mention[]
  readonly joined: Joined
  readonly doubts: Doubt[]
}

interface Block {
  readonly mentions: readonly Mention[]
  readonly scopes: readonly Scope[]
}

function readBlock(mentions: readonly Mention[]): Block {
  const classes = classifyPersons(mentions.flatMap(each => (isFilm(each) ? [] : each.creators.slice(0, 1))))
  const scopes = new Map<string, number[]>()
  for (const [index, mention] of mentions.entries()) {
    const [author] = mention.creators
    const who = isFilm(mention) || author === undefined ? '' : (classes.get(personKey(author)) ?? '')
    add(scopes, `${mention.kind} ${who}`, index)
  }
  return {
    mentions,
    scopes: [...scopes]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, members]) => {
        const first = mentions[members[0] ?? 0]
        const isFilms = first !== undefined && isFilm(first)
        return { members, mentions, isFilms, isAnonymous: !isFilms && first?.creators.length === 0 }
      })
  }
}

function joinByIdentifier(joining: Joining): void {
  const groups = new Map<string, number[]>()
  for (const [index, { identifiers }] of joining.mentions.entries())
    for (const each of identifiers) add(groups, each, index)
  joinGroups(groups, joining, 'work identifier', 0.99)
}

function joinByAuthor(scope: Scope, joined: Joined, doubts: Doubt[]): void {
  const { members, mentions } = scope
  const nameOf = (index: number) => mentions[index]?.names ?? []
  const hasStrong = (index: number) => nameOf(index).some(isStrong)

  // 1. Uniform titles, original titles, entries.
  joinGroups(groupBy(members, nameOf, isStrong), { mentions, joined, doubts }, 'uniform title', 0.97)

  // 2. Records without any: the title on the publication. One that only says that it is a gathering tells nothing.
  const plain = members.filter(each => !hasStrong(each))
  const byTitle = groupBy(plain, nameOf, isTitle)
  const told = new Map([...byTitle].filter(([key]) => !isCollective(key)))
  joinGroups(told, { mentions, joined, doubts }, 'title proper', 0.95)
  doubtGroups(
    new Map([...byTitle].filter(([key]) => isCollective(key))),
    joined,
    { code: 'several possible' },
    0.5,
    doubts
  )

  // 3. What is known of names by now, and who taught it.
  const strong = members.filter(hasStrong)
  const uniform = groupBy(strong, nameOf, isStrong)
  const learned = groupBy(strong, nameOf, each => isTitle(each) && !isCollective(each.key))
  for (const [key, group] of sorted(told)) {
    const [first] = group
    if (first === undefined) continue
    const known = candidatesFor(key, uniform, joined)
    const taught = candidatesFor(key, learned, joined).filter(each => !known.some(other => isOne(each, other, joined)))
    if (known.length === 1 && taught.length === 0)
      joinGroupTo(group, known[0], joined, { code: 'title is uniform title', shared: key }, 0.95)
    else if (known.length === 0 && taught.length === 1)
      joinGroupTo(group, taught[0], joined, teach('learned title', key, taught[0], mentions), 0.93)
    else if (known.length === 1)
      joinGroupTo(group, known[0], joined, { code: 'title is uniform title', shared: key }, 0.82)
    else
      for (const each of [...known, ...taught])
        doubts.push({ one: first, other: each, reason: { code: 'several possible', shared: key }, confidence: 0.6 })
  }

  // 4. A work under one uniform title whose title elsewhere is another's uniform title.
  for (const [key, group] of sorted(uniform)) {
    const [home] = group
    if (home === undefined || isCollective(key)) continue
    const others = candidatesFor(key, learned, joined).filter(each => !isOne(each, home, joined))
    joinOrDoubt(home, others, joined, doubts, { code: 'learned uniform title', shared: key }, 0.88)
  }

  // 5. Longer and shorter forms of a title, then variants, then subtitles: a name of one work that only one other goes by.
  for (const { kinds, code, plainly, between } of lesser) {
    const known = groupBy(members, nameOf, each => isPrincipal(each) && !isCollective(each.key))
    const said = groupBy(members, nameOf, each => kinds.includes(each.kind) && !isCollective(each.key))
    const named = new Set(strong.map(joined.find))
    for (const [key, sayers] of sorted(said)) {
      const homes = distinct(known.get(key) ?? [], joined)
      const [home] = homes
      const others = distinct(sayers, joined).filter(each => !homes.some(other => isOne(each, other, joined)))
      // A name that several works share (a series, a set) is none of theirs.
      if (home === undefined || homes.length > 1 || others.length > 2) continue
      // Two works that cataloguers gave names of their own are not made one by a lesser title.
      const areNamed = [home, ...others].filter(each => named.has(joined.find(each))).length
      joinOrDoubt(home, others, joined, doubts, { code, shared: key }, areNamed <= 1 ? plainly : between)
      if (areNamed > 0) named.add(joined.find(home))
    }
  }

  // 6. Gatherings of the same works, where one has no uniform title.
  for (const [one, other] of sameContents(members, mentions))
    if (!hasStrong(one) || !hasStrong(other)) joined.join({ one, other, reason: { code: 'contents' }, confidence: 0.8 })

  // 7. Slips of the pen.
  for (const { one, other, shared, confidence } of nearPairs(members, nameOf, joined))
    joinOrDoubt(one, [other], joined, doubts, { code: 'spelling', shared }, confidence)
}

const lesser: readonly {
  readonly kinds: readonly NameKind[]
  readonly code: ReasonCode
  readonly plainly: number
  readonly between: number
}[] = [
  { kinds: ['whole', 'alternative'], code: 'alternative title', plainly: 0.88, between: 0.8 },
  { kinds: ['parallel', 'variant'], code: 'variant title', plainly: 0.82, between: 0.6 },
  { kinds: ['subtitle'], code: 'subtitle', plainly: 0.78, between: 0.5 },
  { kinds: ['related'], code: 'related title', plainly: 0.5, between: 0.4 }
]

/** Works without a name for their maker: a uniform title makes them one, a mere title only with somebody in common. */
function joinAnonymous({ members, mentions }: Scope, joined: Joined, doubts: Doubt[]): void {
  const nameOf = (index: number) => mentions[index]?.names ?? []
  joinGroups(groupBy(members, nameOf, isStrong), { mentions, joined, doubts }, 'uniform title', 0.93)
  for (const [key, group] of sorted(groupBy(members, nameOf, isPrincipal))) {
    if (isCollective(key)) continue
    joinByPeople(group, key, mentions, joined)
    for (const [one, other] of sameContents(group, mentions))
      joined.join({ one, other, reason: { code: 'contents', shared: key }, confidence: 0.93 })
    const isTelling = key.split(' ').length >= 4
    const nobody = group.filter(each => mentions[each]?.others.length === 0)
    for (const each of nobody.slice(1))
      if (isTelling && nobody[0] !== undefined)
        joined.join({ one: nobody[0], other: each, reason: { code: 'title alone', shared: key }, confidence: 0.8 })
    if (isTelling) doubtGroups(new Map([[key, group]]), joined, { code: 'title alone', shared: key }, 0.5, doubts)
  }
}

/** Films are remade under the same title: they are one when they have people in common. */
function joinFilms({ members, mentions }: Scope, joined: Joined, doubts: Doubt[]): void {
  const nameOf = (index: number) => mentions[index]?.names ?? []
  for (const [key, group] of sorted(groupBy(members, nameOf, isPrincipal))) {
    if (isCollective(key)) continue
    joinByPeople(group, key, mentions, joined)
    const [withPeople, without] = [
      group.filter(each => peopleOf(mentions[each]).length > 0),
      group.filter(each => peopleOf(mentions[each]).length === 0)
    ]
    const homes = distinct(withPeople, joined)
    for (const each of without.slice(1))
      if (without[0] !== undefined)
        joined.join({ one: without[0], other: each, reason: { code: 'title alone', shared: key }, confidence: 0.8 })
    const [lonely] = without
    const reason: Reason = { code: homes.length > 1 ? 'several possible' : 'title alone', shared: key }
    if (lonely !== undefined && homes.length > 0)
      for (const home of homes) doubts.push({ one: lonely, other: home, reason, confidence: 0.6 })
  }
}

const peopleOf = (mention: Mention | undefined) =>
  mention === undefined ? [] : [...mention.creators.map(personName), ...mention.others]
const personName = ({ surname, forenames }: { readonly surname: string; readonly forenames: string }) =>
  `${surname}, ${forenames}`

function joinByPeople(group: readonly number[], title: string, mentions: readonly Mention[], joined: Joined): void {
  const byPerson = new Map<string, number[]>()
  for (const each of group) for (const person of new Set(peopleOf(mentions[each]))) add(byPerson, person, each)
  for (const [person, [first, ...rest]] of sorted(byPerson))
    for (const each of rest)
      if (first !== undefined)
        joined.join({
          one: first,
          other: each,
          reason: { code: 'people', shared: `${title} (${person})` },
          confidence: 0.9
        })
}

/** Gatherings that list the same works, three or more; two might be put together anywhere. */
function sameContents(members: readonly number[], mentions: readonly Mention[]): [number, number][] {
  const groups = new Map<string, number[]>()
  for (const each of members) {
    const contents = mentions[each]?.contents ?? []
    if (contents.length > 2) add(groups, contents.join(' / '), each)
  }
  return sorted(groups).flatMap(([, [first, ...rest]]) =>
    first === undefined ? [] : rest.map((each): [number, number] => [first, each])
  )
}

// Names

const isTitle = ({ kind }: WorkName) => kind === 'proper' || kind === 'listed'

function groupBy(
  members: readonly number[],
  nameOf: (index: number) => readonly WorkName[],
  isMeant: (name: WorkName) => boolean
): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const index of members)
    for (const key of new Set(
      nameOf(index)
        .filter(isMeant)
        .map(each => each.key)
    ))
      add(groups, key, index)
  return groups
}

/**
 * Joins each of a group to the first that it may be joined to. Those that say their form or contents come first; one that says neither goes to
 * the first of several, and a person is asked, as also about the several themselves.
 */
function joinGroups(
  groups: ReadonlyMap<string, readonly number[]>,
  { mentions, joined, doubts }: Joining,
  code: ReasonCode,
  confidence: number
): void {
  const isTold = (index: number) => mentions[index]?.genre !== undefined || (mentions[index]?.contents.length ?? 0) > 0
  for (const [shared, group] of sorted(groups)) {
    const heads: number[] = []
    for (const each of [...group.filter(isTold), ...group.filter(index => !isTold(index))]) {
      const isOpen = heads.length > 1 && !isTold(each)
      const link = isOpen
        ? ({ reason: { code: 'several possible', shared }, confidence: 0.78 } as const)
        : { reason: { code, shared }, confidence }
      const home = heads.find(head => joined.join({ one: head, other: each, ...link }))
      if (home === undefined) heads.push(each)
    }
    const [first, ...rest] = heads
    for (const each of rest.slice(0, mostAsked))
      if (first !== undefined)
        doubts.push({ one: first, other: each, reason: { code: 'other form', shared }, confidence: 0.4 })
  }
}

/** Nobody answers a hundred questions about one title. */
const mostAsked = 3

function joinGroupTo(
  group: readonly number[],
  home: number | undefined,
  joined: Joined,
  reason: Reason,
  confidence: number
): void {
  if (home === undefined) return
  for (const each of distinct(group, joined)) joined.join({ one: home, other: each, reason, confidence })
}

function joinOrDoubt(
  one: number,
  others: readonly number[],
  joined: Joined,
  doubts: Doubt[],
  reason: Reason,
  confidence: number
): void {
  const [other] = others
  if (other === undefined) return
  const isClear = others.length === 1 && confidence >= joinsFrom
  if (isClear && joined.join({ one, other, reason, confidence })) return
  for (const each of others) doubts.push({ one, other: each, reason, confidence: Math.min(confidence, 0.6) })
}

function doubtGroups(
  groups: ReadonlyMap<string, readonly number[]>,
  joined: Joined,
  reason: Reason,
  confidence: number,
  doubts: Doubt[]
): void {
  for (const [shared, group] of sorted(groups)) {
    const [first, ...rest] = distinct(group, joined)
    for (const each of rest)
      if (first !== undefined) doubts.push({ one: first, other: each, reason: { ...reason, shared }, confidence })
  }
}

function candidatesFor(key: string, groups: ReadonlyMap<string, readonly number[]>, joined: Joined): number[] {
  return distinct(groups.get(key) ?? [], joined)
}

/** One of each that are not joined yet, the first. */
function distinct(indexes: readonly number[], joined: Joined): number[] {
  const seen = new Set<number>()
  return indexes.filter(each => {
    const root = joined.find(each)
    if (seen.has(root)) return false
    seen.add(root)
    return true
  })
}

const isOne = (one: number, other: number, joined: Joined) => joined.find(one) === joined.find(other)

function teach(code: ReasonCode, shared: string, teacher: number | undefined, mentions: readonly Mention[]): Reason {
  const record = teacher === undefined ? undefined : mentions[teacher]?.record
  return record === undefined ? { code, shared } : { code, shared, learnedFrom: record }
}

/** Names of different works that are nearly the same: `watch tower` and `watchtower`, or a letter or two. Only those that begin or end alike are looked at. */
function nearPairs(
  members: readonly number[],
  nameOf: (index: number) => readonly WorkName[],
  joined: Joined
): { one: number; other: number; shared: string; confidence: number }[] {
  const names = sorted(groupBy(members, nameOf, each => isPrincipal(each) && each.key.length >= 9))
  const byEdge = new Map<string, number[]>()
  for (const [index, [key]] of names.entries()) {
    const letters = key.replaceAll(' ', '')
    add(byEdge, `${letters.slice(0, 6)}…`, index)
    add(byEdge, `…${letters.slice(-6)}`, index)
  }
  return sorted(byEdge).flatMap(([, edge]) =>
    edge.flatMap((at, place) =>
      edge.slice(place + 1).flatMap(to => {
        const [key = '', [one = 0] = []] = names[at] ?? []
        const [otherKey = '', [other = 0] = []] = names[to] ?? []
        if (isOne(one, other, joined)) return []
        const shared = `${key} / ${otherKey}`
        if (key.replaceAll(' ', '') === otherKey.replaceAll(' ', '')) return [{ one, other, shared, confidence: 0.9 }]
        if (!isNearly(key, otherKey)) return []
        return [{ one, other, shared, confidence: Math.min(key.length, otherKey.length) > 20 ? 0.8 : 0.6 }]
      })
    )
  )
}

function add<K>(groups: Map<K, number[]>, key: K, value: number): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}

const sorted = <T>(groups: ReadonlyMap<string, T>): [string, T][] =>
  [...groups].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
