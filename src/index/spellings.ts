import type { Search, SearchWord } from '#domain/filter/filter.ts'
import { maxRarest, type SpeltWord } from '#domain/search/rephrase.ts'
import { isTypoCandidate } from '#domain/search/typos.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { formsOf } from './search.ts'

/** Maximum number of similar words, and of words that are compared with the index. */
const maxNear = 2
const maxSpelled = 16

/** The spellings of the words that a search requires. */
export function spellingsOf(index: CatalogueIndex, { words }: Search): SpeltWord[] {
  const required = words.filter(({ isOptional, next }) => !isOptional && !next).slice(0, maxSpelled)
  const sized = required.map(word => ({ word, size: formsOf(index, word, false).size }))
  const absent = sized.filter(({ size }) => size === 0)
  const rarest = sized.toSorted((one, other) => one.size - other.size).slice(0, maxRarest)
  const respelt = absent.length > 0 ? absent : rarest
  return sized.map(each => {
    const near = respelt.includes(each) ? nearWords(index, each.word) : []
    return { word: each.word.word, size: each.size, near }
  })
}

/** A short word may have one typo, a longer one two: more than a search tolerates by itself. */
function nearWords(index: CatalogueIndex, { word }: SearchWord): string[] {
  if (!isTypoCandidate(word)) return []
  const like = index.occurrences.wordsLike({ word, isBeginning: true, typos: [...word].length < 5 ? 1 : 2 })
  const sorted = like.sort((one, other) => one.nearness - other.nearness || other.size - one.size)
  return [...new Set(sorted.map(({ text }) => text))].slice(0, maxNear)
}
