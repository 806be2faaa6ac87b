import { compareTexts, encode, lowerBound, textAt } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { type Column, isDerivedFlag, isLongFlag, valueCount, valueText } from './columns.ts'
import { type DocumentSet, has, keepCommon, membersOf, removeAll } from './sets.ts'
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
  const column = index.columns.get(key)
  const isWanted = (folded: string) => compareTexts(folded, from) < 0 === backwards
  const terms = new Map<string, string>()
  const take = ({ folded, text }: FoundTerm) => {
    step()
    const known = terms.get(folded)
    if (known === undefined || compareTexts(text, known) < 0) terms.set(folded, text)
  }
  for (const document of index.delta.values()) {
    step(document.values.length)
    if (!has(among, document.number)) continue
    for (const { key: own, text, folded, isDerived } of document.values)
      if (own === key && text !== null && !isDerived && isWanted(folded)) take({ folded, text })
  }
  if (column) for (const term of termsInBase(index, column, among, query)) take(term)
  const sign = backwards ? -1 : 1
  return [...terms]
    .sort(([one], [other]) => compareTexts(one, other) * sign)
    .slice(0, limit)
    .map(([folded, text]) => ({ folded, text }))
}

/** The first terms of the base; all values of the last one are among them. */
function termsInBase(
  index: CatalogueIndex,
  column: Column,
  among: DocumentSet,
  { from, backwards, limit }: TermsQuery
): FoundTerm[] {
  const isUsed = usedValues(index, column, among)
  const direction = backwards ? -1 : 1
  const all = valueCount(column)
  const terms: FoundTerm[] = []
  let folds = 0
  for (
    let value = lowerBound(column.folded, encode(from)) - (backwards ? 1 : 0);
    value >= 0 && value < all;
    value += direction
  ) {
    step()
    if (!isUsed[value] || (column.flags[value] as number) & (isDerivedFlag | isLongFlag)) continue
    const folded = textAt(column.folded, value)
    if (terms.at(-1)?.folded !== folded && ++folds > limit) break
    terms.push({ folded, text: valueText(column, value) as string })
  }
  return terms
}

/** For each value of a column whether a document of a set has it that is as it is in the base. */
function usedValues(index: CatalogueIndex, column: Column, among: DocumentSet): Uint8Array {
  const inBase = among.slice()
  removeAll(inBase, index.hidden)
  const isUsed = new Uint8Array(valueCount(column))
  const members = membersOf(column.documents)
  for (let at = 0; at < members.length; at++) {
    step()
    if (has(inBase, members[at] as number)) isUsed[column.firsts[at] as number] = 1
  }
  for (let at = 0; at < column.further.length; at++) {
    step()
    if (has(inBase, column.furtherDocuments[at] as number)) isUsed[column.further[at] as number] = 1
  }
  return isUsed
}
