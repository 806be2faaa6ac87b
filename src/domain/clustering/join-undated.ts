import { contentWords, isCommonTitle, isTitleTooLittle } from './agreement.ts'
import { isFilm, isPrincipal, isStrong, type Mention, type PersonEvidence } from './evidence.ts'
import { add, askedAbout, distinct, type Joining, sorted } from './groups.ts'
import { type Link, sureFrom } from './links.ts'
import { couldBeSame, personBlocks, type PersonClasses, personKey } from './persons.ts'

/**
 * Joins works under a name that fits several persons to the work of one of them with the same
 * title: two persons of one name hardly write under one title. `classes` are the persons of the
 * block.
 */
export function joinUndated({ mentions, joined }: Joining, classes: PersonClasses): void {
  const authorOf = (index: number) => mentions[index]?.creators[0]
  const personOf = (author: PersonEvidence) => classes.get(personKey(author)) ?? ''
  const known: number[] = []
  const undated: number[] = []
  for (const [index, mention] of mentions.entries()) {
    const [author] = mention.creators
    // Films are in blocks by title.
    if (author === undefined || author.isBody === true || isFilm(mention)) continue
    if (author.birthYear === undefined) undated.push(index)
    else known.push(index)
  }
  if (known.length === 0 || undated.length === 0) return
  const dated = new Map<string, number[]>()
  for (const index of known)
    for (const name of mentions[index]?.names ?? [])
      if (isPrincipal(name)) add(dated, `${mentions[index]?.kind} ${name.key}`, index)
  // The person in each record, once one of its titles has told.
  const told = new Set<string>()
  const unsure: Link[] = []
  const inRecord = (index: number, home: number) => {
    const person = personOf(authorOf(home) ?? { surname: '', forenames: '' })
    return `${mentions[index]?.record} ${person}`
  }
  for (const index of undated) {
    const [mention, author] = [mentions[index], authorOf(index)]
    if (mention === undefined || author === undefined) continue
    const fitting = (each: number) => {
      const other = authorOf(each)
      return other !== undefined && personOf(other) !== personOf(author) && mayBe(author, other)
    }
    const keys = mention.names.filter(each => isPrincipal(each) && !isCommonTitle(each.key, mention))
    const found = new Map(keys.map(({ key }) => [key, (dated.get(`${mention.kind} ${key}`) ?? []).filter(fitting)]))
    const homes = [...found.values()].flat()
    if (new Set(homes.map(each => personOf(authorOf(each) ?? author))).size !== 1) continue
    for (const [shared, group] of sorted(found)) {
      const [home, ...more] = distinct(group, joined)
      const other = mentions[home ?? -1]
      if (home === undefined || other === undefined || more.length > 0) continue
      const code = areStrong(mention, other, shared) ? 'uniform title' : 'title proper'
      const isTelling = contentWords(shared).size >= 2 && !isTitleTooLittle(mention, other, shared)
      const link: Link = { one: home, other: index, reason: { code, shared }, confidence: sureFrom }
      if (!isTelling) unsure.push(link)
      else if (joined.join(link)) told.add(inRecord(index, home))
    }
  }
  for (const link of unsure)
    joined.join(told.has(inRecord(link.other, link.one)) ? link : { ...link, confidence: askedAbout })
}

/**
 * Tests whether a name without a year may be that of a person, also in another script. Names of
 * different blocks tell nothing, even where something else brought them together.
 */
const mayBe = (name: PersonEvidence, person: PersonEvidence) =>
  personBlocks(name).some(each => personBlocks(person).includes(each)) &&
  (couldBeSame(name, person) || person.also?.includes(`${name.surname}, ${name.forenames}`) === true)

const areStrong = (one: Mention, other: Mention, shared: string) =>
  [one, other].every(({ names }) => names.some(each => each.key === shared && isStrong(each)))
