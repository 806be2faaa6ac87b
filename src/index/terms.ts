import { compareTexts } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { keepCommon } from './sets.ts'
import { step } from './time-limit.ts'

export interface TermsQuery extends Pick<Scope, 'limits'> {
  readonly key: string
  readonly types: readonly string[]
  /** From this folded text on, itself included; or before it, backwards and without it. */
  readonly from: string
  readonly backwards: boolean
  readonly limit: number
}

export interface FoundTerm {
  readonly folded: string
  readonly text: string
}

/** The values of a key that documents of some types have, in the order of their folded texts. */
export function listTerms(index: CatalogueIndex, query: TermsQuery): FoundTerm[] {
  const { key, types, limits, from, backwards, limit } = query
  const among = index.ofTypes(types).slice()
  const readable = readableIn(index, { readableTypes: types, limits })
  if (readable) keepCommon(among, readable)
  const values = index.values(key)
  const counts = values.countIn(among)
  const isWanted = (place: number) => counts[place] !== 0
  const terms = new Map<string, string>()
  for (const place of values.placesFrom(from, backwards, limit, isWanted)) {
    step()
    const [folded, text] = [values.foldedOf(place), values.textOf(place) as string]
    const known = terms.get(folded)
    if (known === undefined || compareTexts(text, known) < 0) terms.set(folded, text)
  }
  const sign = backwards ? -1 : 1
  return [...terms]
    .sort(([one], [other]) => compareTexts(one, other) * sign)
    .slice(0, limit)
    .map(([folded, text]) => ({ folded, text }))
}
