import type { EntityContent, Json } from '../entity/entity.ts'
import { textOf } from './index-values.ts'
import { readIsbn } from '../values/isbn.ts'
import type { Model } from '../record-types/model.ts'
import { type Field, type RecordType, searchedAs } from '../record-types/record-type.ts'
import { memoize } from '../memoize.ts'
import { makerLength, makerWeight, maxCountedLength, nameMark, subtitleWeight, textWeight } from './search.ts'
import { hyphenated, initialMark, isLetter, joinInitials, textOfHtml, wordsOf } from './search-words.ts'

/**
 * The words by which a search finds a record, each with its best position there (`search.ts`).
 * Names of related entities are not among them: they are looked up during a search, so that a new
 * name is found at once in all records that refer to it.
 */
export function indexWords(
  model: Model,
  content: Pick<EntityContent, 'type' | 'metadata'>
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  const recordType = model.findType(content.type)
  const add = (word: string, weight: number) => {
    const known = weights.get(word)
    if (known === undefined || weight < known) weights.set(word, weight)
  }
  let nameLength: number | undefined
  for (const { key, value } of content.metadata) {
    const field = model.fieldOf(content.type, key)
    const searched = searchedAs(recordType, key)
    if (searched === undefined) continue
    for (const element of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      if (typeof element === 'boolean') continue
      const words = wordsIn(textOf(element), field, model.isIsbnKey(key))
      if (words.length === 0) continue
      const isName = searched === 'name'
      const isMaker = isName && recordType?.isMaker === true
      if (searched === 'subtitle') nameLength ??= nameLengthOf(content, recordType)
      const weight = weightOf(recordType, searched, words.length + (searched === 'subtitle' ? (nameLength ?? 0) : 0))
      for (const word of words) add(word, weight)
      for (const parts of hyphenated(field?.kind === 'html' ? textOfHtml(textOf(element)) : textOf(element)))
        add(parts.join(''), weight)
      if (isMaker)
        for (const word of [...otherInitials(textOf(element), words), ...initialsOf(textOf(element))]) add(word, weight)
      if (isName) add(nameMark(words), key === recordType?.nameField ? weight : subtitleWeight)
    }
  }
  return weights
}

/** The number of words of the first name of a record. */
function nameLengthOf({ metadata }: Pick<EntityContent, 'metadata'>, recordType: RecordType | undefined): number {
  const value = metadata.find(({ key }) => key === recordType?.nameField)?.value
  const [first] = Array.isArray(value) ? (value as readonly Json[]) : [value]
  return first === undefined ? 0 : wordsOfLast(textOf(first)).length
}

function weightOf(recordType: RecordType | undefined, searched: 'name' | 'subtitle' | 'text', length: number): number {
  if (searched === 'text') return textWeight
  const counted = Math.min(length, maxCountedLength)
  if (searched === 'subtitle') return counted + subtitleWeight
  return recordType?.isMaker === true ? Math.min(length, makerLength) + makerWeight : counted
}

/** A folded value of a record, and the name of the record. */
export interface SearchedValue {
  readonly type: string
  readonly key: string
  readonly folded: string
  readonly name: () => string
}

/** The weight of a phrase in a value; undefined if the value does not have it. */
export function phraseWeight(
  model: Model,
  { type, key, folded, name }: SearchedValue,
  phrase: readonly string[]
): number | undefined {
  const field = model.fieldOf(type, key)
  const recordType = model.findType(type)
  const searched = searchedAs(recordType, key)
  if (folded === '' || searched === undefined) return undefined
  const words = wordsIn(folded, field, model.isIsbnKey(key))
  const last = words.length - phrase.length
  for (let at = 0; at <= last; at++)
    if (phrase.every((word, offset) => words[at + offset] === word))
      return weightOf(recordType, searched, words.length + (searched === 'subtitle' ? wordsOfLast(name()).length : 0))
  return undefined
}

/** A publication, its text and its work mostly have one title. */
const wordsOfLast = memoize<readonly string[]>(2000, wordsOf)

function wordsIn(text: string, field: Field | undefined, isIsbn: boolean): readonly string[] {
  const isbn = isIsbn ? readIsbn(text) : undefined
  if (isbn?.checkDigitIsRight) return [isbn.comparable]
  return field?.kind === 'html' ? wordsOf(textOfHtml(text)) : wordsOfLast(text)
}

/**
 * The other way to write initials, so that `JRR`, `J.R.R.` and `J. R. R.` are one: joined where
 * they stand apart, and apart where they are joined. A name in capitals has no initials of this
 * kind.
 */
function otherInitials(name: string, words: readonly string[]): string[] {
  const joined = joinInitials(words).filter(word => !words.includes(word))
  const capitals = /\p{Ll}/u.test(name) ? (name.match(/(?<!\p{L})\p{Lu}{2,3}(?!\p{L})/gu) ?? []) : []
  return [...joined, ...capitals.flatMap(each => wordsOf([...each].join(' ')))]
}

/**
 * The initials of the forenames, which stand after the first comma of a name or before its last
 * word: `K. Fossum` finds `Fossum, Karin`, and `JRR` finds `Tolkien, John Ronald Reuel`.
 */
function initialsOf(name: string): string[] {
  const [first = '', given] = name.split(',', 2)
  const forenames = given === undefined ? wordsOfLast(first).slice(0, -1) : wordsOf(given)
  const letters = forenames.map(word => String.fromCodePoint(word.codePointAt(0) as number)).filter(isLetter)
  const joined = letters.length > 1 && letters.length <= maxJoinedInitials ? [letters.join('')] : []
  return [...letters.map(initialMark), ...joined]
}

/** Maximum number of initials that are written together. */
const maxJoinedInitials = 4
