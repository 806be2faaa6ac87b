import { isCommonTitle, traitsOf } from './agreement.ts'
import { areNumberedApart } from './authority-numbers.ts'
import { isFilm, isPrincipal, type Mention, type WorkName } from './evidence.ts'
import { add, askedAbout, distinct, type Doubt, joinGroups, type Joining, maxQuestions, sorted } from './groups.ts'
import { joinByAuthor } from './join-by-author.ts'
import { joinAnonymous, joinFilms } from './join-by-people.ts'
import { joinUndated } from './join-undated.ts'
import { createJoined, type Joined } from './links.ts'
import { classifyPersons, type PersonClasses, personKey } from './persons.ts'
import { soundOf } from './romanisation.ts'
import { textKey, titleKey } from './title-key.ts'

export interface LinkedWorks {
  readonly joined: Joined
  readonly doubts: readonly Doubt[]
}

export interface Verdicts {
  readonly same: readonly (readonly [number, number])[]
  readonly different: readonly (readonly [number, number])[]
}

/** Joins the mentions of a block that are of one work. `mentions` are in the order of their ids. */
export function linkWorks(mentions: readonly Mention[], verdicts: Verdicts): LinkedWorks {
  const joined = createJoined(mentions.length, verdicts.different, mentions.map(traitsOf))
  const doubts: Doubt[] = []
  const joining: Joining = { mentions, joined, doubts }

  for (const [one, other] of verdicts.same) joined.join({ one, other, reason: { code: 'reviewed' }, confidence: 1 })
  joinByIdentifier(joining)
  // People named for a film do not count for authors: films are in blocks of their own.
  const classes = classifyPersons(mentions.flatMap(each => (isFilm(each) ? [] : each.creators.slice(0, 1))))
  for (const members of scopesOf(mentions, classes)) {
    if (members.length < 2) continue
    const first = mentions[members[0] ?? 0]
    if (first === undefined) continue
    const join = isFilm(first) ? joinFilms : first.creators.length === 0 ? joinAnonymous : joinByAuthor
    join({ ...joining, members })
  }
  joinUndated(joining, classes)
  joinRomanised(joining)
  return { joined, doubts: doubts.filter(each => joined.find(each.one) !== joined.find(each.other)) }
}

/** The mentions by author and kind of material: titles are compared within these groups. */
function scopesOf(mentions: readonly Mention[], classes: PersonClasses): number[][] {
  const scopes = new Map<string, number[]>()
  for (const [index, mention] of mentions.entries()) {
    const [author] = mention.creators
    const who = isFilm(mention) || author === undefined ? '' : (classes.get(personKey(author)) ?? '')
    add(scopes, `${mention.kind} ${who}`, index)
  }
  return sorted(scopes).map(([, members]) => members)
}

/**
 * Joins mentions with one identifier of the work, as far as their authors agree: a person in
 * common, or no author in either. A mention without an author joins the others if those are one
 * work by then.
 */
function joinByIdentifier(joining: Joining): void {
  const { mentions, joined } = joining
  const groups = new Map<string, number[]>()
  for (const [index, { identifiers }] of mentions.entries()) for (const each of identifiers) add(groups, each, index)
  for (const [identifier, group] of sorted(groups)) {
    if (group.length < 2) continue
    const classes = classifyPersons(group.flatMap(each => mentions[each]?.creators ?? []))
    const byAuthor = new Map<string, number[]>()
    for (const index of group) {
      const authors = (mentions[index]?.creators ?? []).map(each => classes.get(personKey(each)) ?? '')
      for (const author of new Set(authors)) add(byAuthor, author, index)
      if (authors.length === 0) add(byAuthor, nobody, index)
    }
    for (const [, agreeing] of sorted(byAuthor))
      joinGroups(new Map([[identifier, agreeing]]), joining, 'work identifier', 0.99)
    const anonymous = byAuthor.get(nobody) ?? []
    const [home, ...more] = distinct(
      group.filter(each => !anonymous.includes(each)),
      joined
    )
    if (home !== undefined && more.length === 0)
      joinGroups(new Map([[identifier, [home, ...anonymous]]]), joining, 'work identifier', 0.99)
  }
}

/**
 * Joins works whose authors and titles sound alike but are spelt otherwise, in records of languages
 * that are romanised. A person is asked: other names may sound alike.
 */
function joinRomanised({ mentions, joined, doubts }: Joining): void {
  const groups = new Map<string, number[]>()
  const soundsOf = (mention: Mention) => {
    const { expression, names } = mention
    const languages = [...expression.languages, ...expression.originals]
    return names.flatMap(name =>
      isPrincipal(name) && !isCommonTitle(name.key, mention) ? soundOf(soundedKey(name), languages) : []
    )
  }
  for (const [index, mention] of mentions.entries()) {
    if (mention.sound === undefined || mention.place !== 0) continue
    for (const each of new Set(soundsOf(mention)))
      if (each.length >= minSound) add(groups, `${mention.kind} ${mention.sound} / ${each}`, index)
  }
  for (const [, group] of sorted(groups)) {
    const [one, ...others] = distinct(group, joined)
    const first = mentions[one ?? -1]
    if (one === undefined || first === undefined) continue
    for (const other of others.slice(0, maxQuestions)) {
      const second = mentions[other]
      if (second === undefined || areSpeltAlike(first, second)) continue
      const [author, otherAuthor] = [first, second].map(({ creators }) => creators[0])
      const [born, otherBorn] = [author?.birthYear, otherAuthor?.birthYear]
      if (born !== undefined && otherBorn !== undefined && born !== otherBorn) continue
      if (areNumberedApart(author?.identifiers ?? [], new Set(otherAuthor?.identifiers))) continue
      const shared = [first, second].map(({ names }) => names.find(isPrincipal)?.text ?? '').join(' / ')
      const link: Doubt = { one, other, reason: { code: 'romanisation', shared }, confidence: askedAbout }
      if (born === undefined || otherBorn === undefined) doubts.push({ ...link, confidence: 0.5 })
      else joined.join(link)
    }
  }
}

/** The key of a title with its numbers in words; those of one language are syllables of another. */
const soundedKey = ({ key, text }: WorkName) => (titleKey(text) === key ? textKey(text) : key)

/** Tests whether author and a title have the same letters: other facts then tell them apart. */
function areSpeltAlike(one: Mention, other: Mention): boolean {
  const keys = new Set(one.names.map(({ key }) => key))
  const [author, otherAuthor] = [one, other].map(({ creators }) => creators[0])
  return (
    author?.surname === otherAuthor?.surname &&
    author?.forenames === otherAuthor?.forenames &&
    other.names.some(each => isPrincipal(each) && keys.has(each.key))
  )
}

/** Minimum consonants of a title that is compared by its sound. */
const minSound = 4

/** The class of mentions without an author; no name is empty. */
const nobody = ''
