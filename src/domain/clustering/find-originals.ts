import { isCommonTitle } from './agreement.ts'
import { isPrincipal, isStrong, type Mention } from './evidence.ts'
import { add, type Scope } from './groups.ts'

/*
 * Translations whose records name neither the original title nor another title of the work. Nothing
 * in them says of which work they are, except that its author is the same, its language another and
 * its publication not later. A person is asked about the likeliest work; when the answer is that it
 * is another, about the next.
 */

/** Maximum works that a person is expected to choose from. */
const maxOriginals = 6

/** A work as far as it has been joined: its mentions, the first of them in front. */
interface Group {
  readonly index: number
  readonly members: readonly Mention[]
  readonly languages: ReadonlySet<string>
  readonly year: number | undefined
}

export function doubtTranslations({ members, mentions, joined, doubts }: Scope): void {
  if (!members.some(each => isUnnamed(mentions[each]))) return
  const byRoot = new Map<number, number[]>()
  for (const each of members) add(byRoot, joined.find(each), each)
  const groups = [...byRoot.values()].map((indexes): Group => {
    const own = indexes.flatMap(each => mentions[each] ?? [])
    const years = own.flatMap(({ year }) => (year === undefined ? [] : Number(year)))
    return {
      index: indexes[0] ?? 0,
      members: own,
      languages: new Set(own.flatMap(({ expression }) => expression.languages)),
      year: years.length === 0 ? undefined : Math.min(...years)
    }
  })
  const language = commonLanguage(groups.flatMap(each => languageOf(each) ?? []))
  const originals = groups.filter(each => isOriginal(each) && (language === undefined || each.languages.has(language)))
  for (const translation of groups) {
    if (!translation.members.every(isUnnamed)) continue
    const possible = originals.filter(each => couldBeOriginal(each, translation))
    const earlier = possible.filter(each => !isLater(each, translation))
    const likely = earlier.length > 0 ? earlier : possible
    if (likely.length > maxOriginals) continue
    const [nearest, , third] = likely
      .filter(each => joined.obstacleTo(each.index, translation.index, 'translation') !== 'answer')
      .sort((one, other) => distance(one, translation) - distance(other, translation) || one.index - other.index)
    // Of three that are equally near, any would be a guess.
    const isGuess = nearest && third && distance(nearest, translation) === distance(third, translation)
    if (nearest !== undefined && !isGuess)
      doubts.push({ one: nearest.index, other: translation.index, reason: { code: 'translation' }, confidence: 0.5 })
  }
}

/**
 * The language that a work was written in: that which records of its translations name, or else
 * that of the records whose title is the uniform title. Undefined if none tells.
 */
function languageOf({ members }: Group): string | undefined {
  const stated = commonLanguage(members.flatMap(each => each.expression.originals))
  if (stated !== undefined) return stated
  const own = members.filter(each => each.place === 0 && !each.expression.isTranslation && hasUniformTitle(each))
  return commonLanguage(own.flatMap(({ expression }) => expression.languages))
}

/** Tests whether the title of a publication is the uniform title; `names` has a title once. */
const hasUniformTitle = ({ names }: Mention) =>
  names.some(each => each.kind === 'uniform') && !names.some(each => each.kind === 'proper')

/** The language named most often; of several, the first one. */
function commonLanguage(languages: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const each of languages) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts].sort(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))[0]?.[0]
}

/** Tests whether a publication is a translation and gives no title of the original. */
const isUnnamed = (mention: Mention | undefined) =>
  mention !== undefined &&
  mention.place === 0 &&
  mention.expression.isTranslation &&
  mention.expression.languages.length > 0 &&
  mention.contents.length === 0 &&
  !mention.names.some(isStrong)

/** Tests whether a work is known in its own language, under a title that only it has. */
const isOriginal = ({ members }: Group) =>
  members.some(
    each =>
      each.place === 0 &&
      !each.expression.isTranslation &&
      each.expression.languages.length > 0 &&
      each.contents.length === 0 &&
      !each.names.some(name => isPrincipal(name) && isCommonTitle(name.key, each))
  )

/**
 * Tests whether nothing speaks against it: the languages, the forms of literature. A work that has
 * a translation into this language under another title is not asked about.
 */
function couldBeOriginal(original: Group, { members, languages }: Group): boolean {
  if (!languages.isDisjointFrom(original.languages)) return false
  const stated = new Set(members.flatMap(each => each.expression.originals))
  if (stated.size > 0 && stated.isDisjointFrom(original.languages)) return false
  return !original.members.some(one =>
    members.some(
      other => one.literature !== undefined && other.literature !== undefined && one.literature !== other.literature
    )
  )
}

const isLater = (original: Group, { year = Number.POSITIVE_INFINITY }: Group) => (original.year ?? 0) > year

const distance = ({ year }: Group, translation: Group) =>
  year === undefined || translation.year === undefined ? Number.MAX_SAFE_INTEGER : Math.abs(translation.year - year)
