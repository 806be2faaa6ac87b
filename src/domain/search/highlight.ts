import { type Entity, type Json, valuesOf } from '../entity/entity.ts'
import { type Filter, foldFilter, type Search, type SearchWord } from '../filter/filter.ts'
import { textOf } from './index-values.ts'
import { readIsbn } from '../values/isbn.ts'
import type { Model } from '../record-types/model.ts'
import { textOfHtml, wordsOf } from './search-words.ts'
import { wordsWithAlternatives } from './search.ts'
import { countTypos } from './typos.ts'

/**
 * A text with matches of a search: its parts in order, which joined are the text, or a snippet of a
 * long one.
 */
export interface Highlight {
  /** The metadata key, or the type of the relation to the entity with this name. */
  readonly key: string
  /** The id of the related entity, if it is the name of one. */
  readonly id?: string
  readonly parts: readonly HighlightPart[]
}

export interface HighlightPart {
  readonly text: string
  /** True for a word that was searched for. */
  readonly hit?: true
}

/** Snippet length, and the distance from its start to the first match. */
const maxSnippetLength = 240
const lead = 60
/** Maximum texts shown of one record. */
const maxTexts = 10

type Match = (text: string) => boolean

/**
 * The texts of an entity, and the names of its related entities, with the matching words marked.
 */
export function highlight(
  model: Model,
  entity: Entity,
  filter: Filter,
  isLoose: boolean,
  findRelated: (key: string) => Entity | undefined
): Highlight[] {
  const isHit = matchOf(wantedBy(filter), isLoose)
  const found: Highlight[] = []
  const add = (key: string, text: string, id?: string) => {
    const parts = found.length < maxTexts ? partsOf(text, isHit) : []
    if (parts.some(part => part.hit)) found.push({ key, ...(id === undefined ? {} : { id }), parts })
  }
  for (const { key, value } of entity.metadata) {
    const kind = model.fieldOf(entity.type, key)?.kind
    if (kind === 'choice' || kind === 'boolean') continue
    for (const element of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      if (typeof element === 'boolean') continue
      const text = textOf(element)
      const isbn = model.isIsbnKey(key) ? readIsbn(text) : undefined
      if (isbn?.checkDigitIsRight) {
        if (isHit(isbn.comparable) && found.length < maxTexts) found.push({ key, parts: [{ text, hit: true }] })
      } else add(key, kind === 'html' ? textOfHtml(text).replace(/\s+/g, ' ').trim() : text)
    }
  }
  for (const { key, type } of entity.relations) {
    const related = findRelated(key)
    const nameField = related && model.findType(related.type)?.nameField
    if (related && nameField !== undefined)
      for (const name of valuesOf(related, nameField))
        if (typeof name !== 'boolean') add(type, textOf(name), related.id)
  }
  return found
}

/** The searches that can be the reason of a match. */
const wantedBy = (filter: Filter): Search[] =>
  foldFilter<Search[]>(filter, (each, inner) => {
    switch (each.kind) {
      case 'search':
        return [each.search]
      case 'all':
      case 'any':
      case 'part_of':
      case 'whole_of':
      case 'first_of':
        return inner.flat()
      case 'not':
      case 'related':
      case 'referred':
      case 'count':
      case 'types':
      case 'identifiers':
      case 'field':
      case 'within':
      case 'entry':
        return []
    }
  })

function matchOf(searches: readonly Search[], isLoose: boolean): Match {
  const wanted = searches.flatMap(search => wordsWithAlternatives(search.words)).flatMap(withPhrase)
  return word =>
    wanted.some(
      each =>
        word === each.word ||
        (each.isBeginning && word.startsWith(each.word)) ||
        (isLoose && each.typos > 0 && countTypos(each.word, word, each.typos) !== undefined)
    )
}

/** A searched word, and the others of its phrase. */
const withPhrase = (word: SearchWord): SearchWord[] => [
  word,
  ...(word.next ?? []).map(next => ({ ...word, word: next }))
]

/** Marks whole words, also where only their beginning was typed. */
function partsOf(text: string, isHit: Match): HighlightPart[] {
  const runs = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].filter(({ 0: run }) => wordsOf(run).some(isHit))
  const [first] = runs
  if (!first) return []
  const isLong = text.length > maxSnippetLength
  const from = isLong ? boundary(text, Math.max(0, first.index - lead)) : 0
  const to = isLong ? boundary(text, Math.max(from + maxSnippetLength, first.index + first[0].length)) : text.length
  const parts: HighlightPart[] = []
  let at = from
  for (const { 0: run, index } of runs) {
    if (index + run.length > to) break
    if (index > at) parts.push({ text: text.slice(at, index) })
    parts.push({ text: run, hit: true })
    at = index + run.length
  }
  if (at < to) parts.push({ text: text.slice(at, to) })
  return parts
}

/** Moves a position out of the middle of a character. */
function boundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
