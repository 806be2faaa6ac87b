import { isCommonTitle, isTitleTooLittle } from './agreement.ts'
import { isPrincipal, isStrong, type Mention } from './evidence.ts'
import {
  add,
  askedAbout,
  distinct,
  doubtGroups,
  groupBy,
  joinByNumber,
  joinGroups,
  sameContents,
  type Scope,
  sorted
} from './groups.ts'
import type { Joined, Reason } from './links.ts'
import { isCollective } from './collective-titles.ts'

/**
 * Joins works without a creator: by a uniform title, or by any other title if they have a person in
 * common.
 */
export function joinAnonymous(scope: Scope): void {
  const { members, mentions, joined } = scope
  const nameOf = (index: number) => mentions[index]?.names ?? []
  joinGroups(groupBy(members, nameOf, isStrong), scope, 'uniform title', 0.95)
  for (const [key, group] of sorted(groupBy(members, nameOf, isPrincipal))) {
    joinByNumber(group, key, scope)
    if (isCommonTitle(key, mentions[group[0] ?? 0])) continue
    joinByPeople(group, key, mentions, joined)
    for (const [one, other] of sameContents(group, mentions, 2))
      joined.join({ one, other, reason: { code: 'contents', shared: key }, confidence: 0.93 })
    const isTelling = key.split(' ').length >= 4
    const nobody = group.filter(each => mentions[each]?.others.length === 0)
    for (const each of nobody.slice(1))
      if (isTelling && nobody[0] !== undefined)
        joined.join({ one: nobody[0], other: each, reason: { code: 'title alone', shared: key }, confidence: 0.8 })
    if (isTelling) doubtGroups(new Map([[key, group]]), scope, { code: 'title alone' }, 0.5)
  }
}

/** Joins films. They are remade under the same title, so they must have people in common. */
export function joinFilms(scope: Scope): void {
  const { members, mentions, joined, doubts } = scope
  const nameOf = (index: number) => mentions[index]?.names ?? []
  for (const [key, group] of sorted(groupBy(members, nameOf, isPrincipal))) {
    joinByNumber(group, key, scope)
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

const isTooLittle = (one: Mention | undefined, other: Mention | undefined, title: string) =>
  one === undefined || other === undefined || isTitleTooLittle(one, other, title)

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
          confidence: isTooLittle(mentions[first], mentions[each], title) ? askedAbout : 0.95
        })
}
