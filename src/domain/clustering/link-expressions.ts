import type { ExpressionEvidence, Mention, PersonEvidence } from './evidence.ts'
import type { Doubt, Verdicts } from './link-works.ts'
import { createJoined, type Joined } from './links.ts'
import { couldBeSame, personKey } from './persons.ts'

/**
 * Joins the mentions of one work that are of one expression: the same words (language, translator, adapter, version), taken in the same way
 * (read, heard, seen), and where they are performed, by the same people. `mentions` are in the order of their ids.
 */
export function linkExpressions(
  mentions: readonly Mention[],
  verdicts: Verdicts
): { readonly joined: Joined; readonly doubts: readonly Doubt[] } {
  const joined = createJoined(mentions.length, verdicts.different)
  const doubts: Doubt[] = []
  for (const [one, other] of verdicts.same) joined.join({ one, other, reason: { code: 'reviewed' }, confidence: 1 })

  const groups = new Map<string, number[]>()
  for (const [index, { expression }] of mentions.entries()) {
    const key = `${languagesOf(expression)}; ${formsOf(expression)}; ${[...expression.version].sort().join(', ')}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [index])
    else group.push(index)
  }
  for (const [shared, group] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1)))
    linkGroup(group, shared, mentions, joined, doubts)
  return { joined, doubts: doubts.filter(each => joined.find(each.one) !== joined.find(each.other)) }
}

function linkGroup(
  group: readonly number[],
  shared: string,
  mentions: readonly Mention[],
  joined: Joined,
  doubts: Doubt[]
): void {
  // Most records of a group say the same of people; only what differs is compared each with each.
  const bySignature = new Map<string, number[]>()
  for (const index of group) {
    const signature = signatureOf(mentions[index]?.expression)
    const same = bySignature.get(signature)
    if (same === undefined) bySignature.set(signature, [index])
    else same.push(index)
  }
  const heads: { readonly index: number; readonly expression: ExpressionEvidence }[] = []
  for (const [, [first, ...rest]] of [...bySignature].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const expression = first === undefined ? undefined : mentions[first]?.expression
    if (first === undefined || expression === undefined) continue
    for (const other of rest) joined.join({ one: first, other, reason: { code: 'version', shared }, confidence: 0.95 })
    heads.push({ index: first, expression })
  }
  const isTranslated = heads.some(each => each.expression.isTranslation)
  const doubtful: [number, number[]][] = []
  for (const [at, { index, expression }] of heads.entries()) {
    const open: number[] = []
    for (const [place, other] of heads.entries()) {
      if (place === at) continue
      const likeness = compare(expression, other.expression, isTranslated)
      if (likeness === 'same' && place > at)
        joined.join({ one: index, other: other.index, reason: { code: 'version', shared }, confidence: 0.92 })
      if (likeness === 'less known') open.push(other.index)
    }
    if (open.length > 0) doubtful.push([index, open])
  }
  for (const [index, open] of doubtful) {
    const homes = [...new Map(open.map(each => [joined.find(each), each])).values()]
    const [home] = homes
    if (homes.length === 1 && home !== undefined)
      joined.join({ one: home, other: index, reason: { code: 'only version', shared }, confidence: 0.8 })
    else
      for (const each of homes)
        doubts.push({ one: index, other: each, reason: { code: 'unknown version', shared }, confidence: 0.5 })
  }
}

/** Whether two records may have the same people behind their words; `less known` when the first does not say who, and the other does. */
function compare(
  one: ExpressionEvidence,
  other: ExpressionEvidence,
  isTranslated: boolean
): 'same' | 'other' | 'less known' {
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
  isNeeded: boolean
): 'same' | 'other' | 'less known' {
  if (one.length === 0 && other.length === 0) return 'same'
  if (one.length === 0) return isNeeded ? 'less known' : 'other'
  if (other.length === 0) return 'other'
  return one.some(each => other.some(person => couldBeSame(each, person))) ? 'same' : 'other'
}

function signatureOf(expression: ExpressionEvidence | undefined): string {
  if (expression === undefined) return ''
  const { translators, adapters, voices } = expression
  return [translators, adapters, voices].map(each => each.map(personKey).sort().join('; ')).join(' / ')
}

/** Music without words and films with tracks in many languages are told apart by what they are, not by language. */
function languagesOf({ languages, forms }: ExpressionEvidence): string {
  const isWordless = forms.some(each => each === 'notated music' || each === 'performed music' || each === 'moving image')
  return isWordless ? '' : [...new Set(languages)].sort().join(', ')
}

const formsOf = ({ forms }: ExpressionEvidence) => [...new Set(forms)].sort().join(', ')
