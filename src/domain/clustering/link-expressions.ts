import type { ExpressionEvidence, Mention, PersonEvidence } from './evidence.ts'
import type { Doubt } from './groups.ts'
import type { Verdicts } from './link-works.ts'
import { createJoined, type Joined } from './links.ts'
import { couldBeSame, personKey } from './persons.ts'

/**
 * Joins the mentions of one work that belong to one expression: the same text (language,
 * translator, adapter, version) in the same form (text, audio, video), and for performances the
 * same performers. `mentions` are in the order of their ids.
 */
export function linkExpressions(
  mentions: readonly Mention[],
  verdicts: Verdicts
): { readonly joined: Joined; readonly doubts: readonly Doubt[] } {
  const joined = createJoined(mentions.length, verdicts.different)
  const doubts: Doubt[] = []
  for (const [one, other] of verdicts.same) joined.join({ one, other, reason: { code: 'reviewed' }, confidence: 1 })

  const originals = new Set(mentions.flatMap(each => each.expression.originals))
  const groups = new Map<string, Head[]>()
  for (const head of readHeads(mentions, originals, joined)) {
    const group = groups.get(head.shared)
    if (group === undefined) groups.set(head.shared, [head])
    else group.push(head)
  }
  const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [, group] of sorted) linkGroup(group, joined, doubts)
  const heads = sorted.flatMap(([, group]) => group)
  for (const head of heads) if (head.languages === '' && !head.isWordless) joinWithoutLanguage(head, heads, joined)
  return { joined, doubts: doubts.filter(each => joined.find(each.one) !== joined.find(each.other)) }
}

/** One of the mentions with equal evidence about their expression; the others are joined to it. */
interface Head {
  readonly index: number
  readonly expression: ExpressionEvidence
  readonly languages: string
  /** Forms and version. */
  readonly manner: string
  readonly isWordless: boolean
  readonly isTranslated: boolean
  /** The text that the members of a group share. */
  readonly shared: string
}

function readHeads(mentions: readonly Mention[], originals: ReadonlySet<string>, joined: Joined): Head[] {
  const heads = new Map<string, Head>()
  for (const [index, { expression }] of mentions.entries()) {
    const isWordless = expression.forms.some(each => wordless.has(each))
    const languages = isWordless ? '' : [...new Set(expression.languages)].sort().join(', ')
    const manner = `${[...new Set(expression.forms)].sort().join(', ')}; ${[...expression.version].sort().join(', ')}`
    const isTranslated = isTranslation(expression, originals)
    // Without a language, only the fact of being a translation separates it from the original.
    const shared = `${languages === '' && !isWordless && isTranslated ? 'translated' : languages}; ${manner}`
    const signature = `${shared}; ${isTranslated}; ${peopleOf(expression)}`
    const known = heads.get(signature)
    if (known === undefined)
      heads.set(signature, { index, expression, languages, manner, isWordless, isTranslated, shared })
    else joined.join({ one: known.index, other: index, reason: { code: 'version', shared }, confidence: 0.95 })
  }
  return [...heads].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, head]) => head)
}

/** Music and films are not told apart by the languages of their words and tracks. */
const wordless = new Set(['notated music', 'performed music', 'moving image'])

/**
 * True if the record is a translation by itself, or if another record of the work gives another
 * original language.
 */
function isTranslation(
  { languages, isTranslation: isSaid }: ExpressionEvidence,
  originals: ReadonlySet<string>
): boolean {
  return isSaid || (originals.size > 0 && languages.length > 0 && languages.every(each => !originals.has(each)))
}

/** Maximum versions to compare with each other; no work has as many. */
const maxVersions = 300

function linkGroup(heads: readonly Head[], joined: Joined, doubts: Doubt[]): void {
  if (heads.length > maxVersions) return
  const open: [Head, Head[]][] = []
  for (const [at, one] of heads.entries()) {
    const lesser: Head[] = []
    for (const [place, other] of heads.entries()) {
      if (place === at) continue
      const likeness = compare(one, other)
      const reason = { code: 'version', shared: one.shared } as const
      if (likeness === 'same' && place > at)
        joined.join({ one: one.index, other: other.index, reason, confidence: 0.95 })
      if (likeness === 'less known') lesser.push(other)
    }
    if (lesser.length > 0) open.push([one, lesser])
  }
  for (const [head, others] of open) {
    const homes = [...new Map(others.map(each => [joined.find(each.index), each])).values()]
    const [home] = homes
    const { index, shared } = head
    if (homes.length === 1 && home !== undefined)
      joined.join({ one: home.index, other: index, reason: { code: 'only version', shared }, confidence: 0.8 })
    else
      for (const each of homes)
        doubts.push({ one: index, other: each.index, reason: { code: 'unknown version', shared }, confidence: 0.5 })
  }
}

/** Joins a record without a language to the only version that it can belong to. */
function joinWithoutLanguage(head: Head, heads: readonly Head[], joined: Joined): void {
  const fitting = heads.filter(
    each =>
      each.languages !== '' &&
      each.manner === head.manner &&
      each.isTranslated === head.isTranslated &&
      compare(head, each) !== 'other'
  )
  const homes = new Map(fitting.map(each => [joined.find(each.index), each]))
  const [home] = homes.values()
  if (homes.size === 1 && home !== undefined)
    joined.join({
      one: home.index,
      other: head.index,
      reason: { code: 'only version', shared: home.shared },
      confidence: 0.8
    })
}

type Likeness = 'same' | 'other' | 'less known'

/**
 * Tests whether two records may have the same contributors; `less known` when only the second names
 * them.
 */
function compare({ expression: one, isTranslated }: Head, { expression: other }: Head): Likeness {
  const answers = [
    comparePeople(one.translators, other.translators, isTranslated),
    comparePeople(one.adapters, other.adapters, false),
    comparePeople(one.voices, other.voices, true)
  ]
  if (answers.includes('other')) return 'other'
  return answers.includes('less known') ? 'less known' : 'same'
}

function comparePeople(
  one: readonly PersonEvidence[],
  other: readonly PersonEvidence[],
  mayBeUnsaid: boolean
): Likeness {
  if (one.length === 0 && other.length === 0) return 'same'
  if (one.length === 0) return mayBeUnsaid ? 'less known' : 'other'
  if (other.length === 0) return 'other'
  return one.some(each => other.some(person => couldBeSame(each, person))) ? 'same' : 'other'
}

const peopleOf = ({ translators, adapters, voices }: ExpressionEvidence) =>
  [translators, adapters, voices].map(each => each.map(personKey).sort().join('; ')).join(' / ')
