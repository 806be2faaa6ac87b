import { phraseWeight } from '#domain/search/index-words.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { has, numbersIn } from './sets.ts'
import { step } from './time-limit.ts'

/**
 * The documents that have some words one after the other in one of their texts, each with the
 * weight of that text (`domain/search/search.ts`).
 */
export function findPhrase(index: CatalogueIndex, phrase: readonly string[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const isCandidate = index.occurrences.documentsWithAll(phrase)
  const candidates = numbersIn(isCandidate)
  for (const key of candidates.length === 0 ? [] : index.keys()) {
    const values = index.values(key)
    const look = (document: number, place: number) => {
      if (!has(isCandidate, document) || values.isDerived(place)) return
      const folded = values.foldedOf(place)
      step(1 + folded.length)
      const type = index.typeOf(document)
      const weight = phraseWeight(index.model, { type, key, folded, name: () => nameOf(index, document, type) }, phrase)
      if (weight !== undefined && weight < (found.get(document) ?? Number.POSITIVE_INFINITY))
        found.set(document, weight)
    }
    // A rare key is in fewer documents than have the words; there may be thousands of such keys.
    if (values.documentCount < candidates.length) values.forEach(look)
    else for (const document of candidates) values.forEachOf(document, place => look(document, place))
  }
  return found
}

/** The folded name of a document. */
function nameOf(index: CatalogueIndex, document: number, type: string): string {
  const names = index.values(index.model.findType(type)?.nameField ?? '')
  const first = names.firstOf(document)
  return first < 0 ? '' : names.foldedOf(first)
}
