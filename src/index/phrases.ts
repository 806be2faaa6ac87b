import { phraseWeight } from '#domain/search/index-words.ts'
import { textAt } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type Column, isDerivedFlag, placeIn } from './columns.ts'
import { add, countMembers, firstAt, has, membersOf } from './sets.ts'
import { findWord } from './words.ts'
import { step } from './time-limit.ts'

/**
 * The documents that have some words one after the other in one of their texts, each with the
 * weight of that text (`domain/search/search.ts`).
 */
export function findPhrase(index: CatalogueIndex, phrase: readonly string[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const { model } = index
  const candidates = documentsWithAll(index, phrase)
  const isCandidate = index.newSet()
  for (const document of candidates) add(isCandidate, document)
  const look = (key: string, column: Column, document: number) => {
    step()
    const type = index.typeOf(document)
    for (const folded of textsOf(column, document)) {
      step(1 + folded.length)
      const weight = phraseWeight(model, type, key, folded, phrase)
      if (weight !== undefined && weight < (found.get(document) ?? Number.POSITIVE_INFINITY))
        found.set(document, weight)
    }
  }
  for (const [key, column] of candidates.length === 0 ? [] : index.columns) {
    // A rare key is in fewer documents than have the words; there may be thousands of such keys.
    const isRare = countMembers(column.documents) < candidates.length
    for (const document of isRare ? membersOf(column.documents) : candidates)
      if (!isRare || has(isCandidate, document)) look(key, column, document)
  }
  for (const { number, type, words, values } of index.delta.values()) {
    step()
    if (!phrase.every(word => words.has(word))) continue
    step(values.length)
    const weights = values.flatMap(({ key, folded, isDerived }) =>
      isDerived ? [] : (phraseWeight(model, type, key, folded, phrase) ?? [])
    )
    if (weights.length > 0) found.set(number, Math.min(...weights))
  }
  return found
}

/** The documents of the base that have every word somewhere. */
function documentsWithAll(index: CatalogueIndex, phrase: readonly string[]): number[] {
  const { words } = index.base
  const places = [...new Set(phrase)].map(word => findWord(words, word))
  if (places.some(place => place < 0)) return []
  const lists = places
    .map(place => words.documents.subarray(words.starts[place], words.starts[place + 1]))
    .sort((one, other) => one.length - other.length)
  const [rarest = new Uint32Array(0), ...others] = lists
  const at = others.map(() => 0)
  const found: number[] = []
  for (const document of rarest) {
    step()
    const isInAll = others.every((list, which) => {
      let place = at[which] as number
      while (place < list.length && (list[place] as number) < document) {
        step()
        place++
      }
      at[which] = place
      return list[place] === document
    })
    if (isInAll && !has(index.hidden, document)) found.push(document)
  }
  return found
}

function* textsOf(column: Column, document: number): Generator<string> {
  const place = placeIn(column, document)
  if (place < 0) return
  const { firsts, further, furtherDocuments, flags, folded } = column
  const textOf = (value: number) => ((flags[value] as number) & isDerivedFlag ? '' : textAt(folded, value))
  yield textOf(firsts[place] as number)
  for (let at = firstAt(furtherDocuments, document); furtherDocuments[at] === document; at++)
    yield textOf(further[at] as number)
}
