import type { FieldTest, Filter, Search, SearchWord } from '../filter/filter.ts'
import type { Model } from '../record-types/model.ts'
import { foldText } from '../values/fold.ts'
import { findSearchField, inField, type SearchField } from './search-fields.ts'
import { otherNumerals } from './numerals.ts'
import { joinIsbns, nameMark, readWord, wordsIn } from './search.ts'
import { hyphenated, isSpaceless, wordsOf } from './search-words.ts'

/*
 * The language of the search box: words, "a phrase", -word, OR, and words of a field
 * (title:hamlet). Every text is a search: signs without a meaning where they stand separate words.
 */

/** A part of a search that is required, refused or an alternative. */
interface Term {
  /** Folded, in their order. */
  readonly words: readonly string[]
  readonly isPhrase: boolean
  readonly isNegative: boolean
  readonly field?: SearchField
  /** As it was written, for fields with values of their own. */
  readonly text: string
}

/** Reads the text of a search box. Records with all of its terms match; the best come first. */
export function readSearchText(model: Model, text: string): Filter {
  const groups = readTerms(joinIsbns(text))
  const single = groups.flatMap(group => (group.length === 1 ? group : []))
  const positive = single.filter(term => !term.isNegative)
  const plain = positive.flatMap(term => (term.isPhrase || term.field ? [] : term.words))
  const isOptional = optionalIn(groups, plain)
  const words = [
    ...wordsIn(plain).map(word => (isOptional(word.word) ? { ...word, isOptional: true as const } : word)),
    ...joinedHyphens(positive, isOptional),
    ...positive.flatMap(term => (term.isPhrase && !term.field ? [phraseOf(term.words)] : [])),
    ...positive.flatMap(term => (term.field?.kind === 'text' ? wordsInField(term) : [])),
    ...groups.flatMap(group => (group.length > 1 ? (eitherOf(group) ?? []) : []))
  ]
  // Without a word that is required, the other terms alone decide.
  const required = words.some(word => !word.isOptional) ? withAlternatives(words) : []
  const search: Search = { words: required, name: nameMark(positive.flatMap(wordsOfName)) }
  const conditions = [
    ...positive.flatMap(term => (term.field ? [inTermField(model, term)] : [])),
    ...groups.flatMap(group =>
      group.length > 1 && !isPlain(group) ? [{ kind: 'any', of: group.map(alone) } as const] : []
    ),
    ...single.flatMap(term => (term.isNegative ? [alone(term)] : []))
  ]
  if (conditions.length === 0) return { kind: 'search', search }
  return { kind: 'all', of: [...(search.words.length > 0 ? [{ kind: 'search', search } as const] : []), ...conditions] }

  /** A term by itself, as a filter. */
  function alone(term: Term): Filter {
    const found: Filter = term.field
      ? inTermField(model, term)
      : { kind: 'search', search: { words: strictWords(term), name: nameMark([]) } }
    return term.isNegative ? { kind: 'not', of: found } : found
  }
}

/** Whether a group has words and phrases only, so that the search itself can evaluate it. */
const isPlain = (group: readonly Term[]) => group.every(({ isNegative, field }) => !isNegative && !field)

/** Small words are not required beside others, nor is "no." before a number. */
function optionalIn(groups: readonly (readonly Term[])[], plain: readonly string[]): (word: string) => boolean {
  const isNumber = (word = '') => /^\d/.test(word) || otherNumerals(word).length > 0
  const before = new Set(plain.filter((word, at) => wordsBeforeNumbers.has(word) && isNumber(plain[at + 1])))
  const hasOther = groups.some(group =>
    group.some(({ isNegative, words }) => !isNegative && words.some(word => !smallWords.has(word)))
  )
  return word => hasOther && (smallWords.has(word) || before.has(word))
}

const wordsBeforeNumbers: ReadonlySet<string> = new Set('n no nr num number nummer numero'.split(' '))

/** The words of a term in the name that is looked for. */
const wordsOfName = (term: Term) => (!term.field || term.field.kind === 'text' ? term.words : [])

const strict = (word: string): SearchWord => ({ word, isBeginning: false, typos: 0 })

function phraseOf([first = '', ...next]: readonly string[]): SearchWord {
  return next.length === 0 ? strict(first) : { ...strict(first), next }
}

const strictWords = (term: Term): SearchWord[] =>
  term.isPhrase || term.words.length > 1 ? [phraseOf(term.words)] : term.words.map(strict)

/** The words that a record has wherever a text of the field has them. */
const wordsInField = ({ words }: Term): SearchWord[] =>
  words.map(word => ({ word, isBeginning: !isSpaceless(word), typos: 0 }))

/** One word that stands for all alternatives; undefined if a record may match without a word. */
function eitherOf(group: readonly Term[]): SearchWord | undefined {
  const words = group.flatMap((term): (SearchWord | undefined)[] => {
    if (term.isNegative || (term.field && term.field.kind !== 'text')) return [undefined]
    if (term.field) return [wordsInField(term)[0]]
    return [term.isPhrase || term.words.length > 1 ? phraseOf(term.words) : readWord(term.words[0] ?? '')]
  })
  if (words.some(word => word === undefined)) return undefined
  const [first, ...or] = words as SearchWord[]
  return first && (or.length > 0 ? { ...first, or } : first)
}

/** `e-mail` is also found as `email`: either part may be in the joined word. */
function joinedHyphens(terms: readonly Term[], isOptional: (word: string) => boolean): SearchWord[] {
  const joined = (parts: readonly string[], part: string): SearchWord => ({
    ...readWord(part),
    or: [strict(parts.join(''))],
    ...(isOptional(part) ? { isOptional: true as const } : {})
  })
  return terms.flatMap(term =>
    term.isPhrase || term.field ? [] : hyphenated(term.text).flatMap(parts => parts.map(part => joined(parts, part)))
  )
}

/**
 * Each word once; alternatives are added to the word that is there already. It is required if one
 * of the two is, so that a small word and `OR` require one of the alternatives.
 */
function withAlternatives(words: readonly SearchWord[]): SearchWord[] {
  const known = new Map<string, SearchWord>()
  for (const word of words) {
    const key = JSON.stringify([word.word, word.next ?? []])
    const before = known.get(key)
    const or = [...(before?.or ?? []), ...(word.or ?? [])]
    const { isOptional, ...both } = { ...(before ?? word), ...(or.length > 0 ? { or } : {}) }
    const isRequired = !isOptional || !word.isOptional
    known.set(key, isRequired ? both : { ...both, isOptional })
  }
  return [...known.values()]
}

function inTermField(model: Model, { field, words, isPhrase, text }: Term): Filter {
  const given = field as SearchField
  const test = given.kind === 'year' ? yearTest(text) : given.kind === 'isbn' ? numberTest(text) : undefined
  if (test) return inField(given, test, [])
  return inField(given, textTest(words, isPhrase, text), nameKeys(model))
}

/** The words stand one after the other; without quotes the last may be a beginning only. */
function textTest(words: readonly string[], isPhrase: boolean, text: string): FieldTest {
  if (words.some(isSpaceless)) return { kind: 'contains', folded: [foldText(text.trim())] }
  const said = { text: words.join(' ') }
  return { kind: 'words', pieces: isPhrase ? [said] : [said, { mask: 'any' }], atStart: false, atEnd: false }
}

/** The keys of all names of records. */
function nameKeys(model: Model): string[] {
  const variants = model.recordTypes.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([key, { isVariantName }]) => (isVariantName === true ? [key] : []))
  )
  return [...new Set([...model.nameFields, ...variants])]
}

/** `1990`, `1990-1999`, `1990-`, `-1999`. */
function yearTest(text: string): FieldTest | undefined {
  const [, from = '', dash = '', to = ''] = /^(\d{0,4})([-–]?)(\d{0,4})$/.exec(text.trim()) ?? []
  if (from === '' && to === '') return undefined
  const bound = (year: string) => (year === '' ? undefined : { value: Number(year), included: true })
  return { kind: 'number', min: bound(from), max: bound(dash === '' ? from : to) }
}

const numberTest = (text: string): FieldTest => ({ kind: 'contains', folded: [foldText(text.trim())] })

// --- Reading ------------------------------------------------------------------------------------

const quotes = '"\u201c\u201d\u201e'
const separator = /[\s"\u201c\u201d\u201e]/u

/** Maximum number of phrases, fields, alternatives and refused terms; others are plain words. */
const maxOperators = 32

const plainTerm = ({ words, text }: Term): Term => ({ words, text, isPhrase: false, isNegative: false })

/** Terms, each in a group of alternatives. The text is walked through once. */
function readTerms(text: string): Term[][] {
  const hasOperators = hasOperatorsIn(text)
  const groups: Term[][] = []
  let isAlternative = false
  let isNegated = false
  let operators = 0
  const add = (given: Term) => {
    if (given.words.length === 0) return
    const isPlain = !isAlternative && !given.isNegative && !given.isPhrase && !given.field
    const term = isPlain || ++operators <= maxOperators ? given : plainTerm(given)
    const last = groups.at(-1)
    if (isAlternative && last && operators <= maxOperators) last.push(term)
    else groups.push([term])
    isAlternative = false
    isNegated = false
  }
  let at = 0
  let lastQuote = text.length
  while (lastQuote > 0 && !quotes.includes(text[lastQuote - 1] as string)) lastQuote--
  while (at < text.length) {
    if (separator.test(text[at] as string) && !(quotes.includes(text[at] as string) && at < lastQuote - 1)) {
      at++
      continue
    }
    const isNegative = text[at] === '-' && at + 1 < text.length && !/[\s-]/u.test(text[at + 1] as string)
    if (isNegative) at++
    const start = at
    while (at < text.length && !separator.test(text[at] as string)) at++
    const run = text.slice(start, at)
    const isQuoted = at < lastQuote - 1 && quotes.includes(text[at] as string)
    const colon = run.indexOf(':')
    const field = colon > 0 ? findSearchField(run.slice(0, colon)) : undefined
    const value = field ? run.slice(colon + 1) : run
    const negative = isNegative || isNegated
    if (isQuoted && value === '') {
      const open = at + 1
      at = open
      while (!quotes.includes(text[at] as string)) at++
      const phrase = text.slice(open, at++)
      add({ words: wordsOf(phrase), isPhrase: true, isNegative: negative, ...(field ? { field } : {}), text: phrase })
      continue
    }
    if (hasOperators && !isNegative && (run === 'OR' || run === '|') && groups.length > 0) {
      isAlternative = hasMore(text, at)
      if (isAlternative) continue
    }
    if (hasOperators && !isNegative && run === 'NOT' && hasMore(text, at)) {
      isNegated = true
      continue
    }
    if (hasOperators && run === 'AND' && groups.length > 0 && hasMore(text, at)) continue
    const words = wordsOf(value)
    if (field && words.length > 0) add({ words, isPhrase: false, isNegative: negative, field, text: value })
    else add({ words: wordsOf(run), isPhrase: false, isNegative: negative, text: run })
  }
  return groups
}

/** Whether a term can follow. Separators at the end of a text are no term. */
function hasMore(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.slice(at, at + maxLookAhead))
}

/** Maximum number of characters between an operator and its term. */
const maxLookAhead = 64

/** Whether OR, AND and NOT are operators: not in a text that is in capitals altogether. */
function hasOperatorsIn(text: string): boolean {
  const words = text.split(separator).filter(word => !['OR', 'AND', 'NOT', '|'].includes(word))
  return words.some(word => word.toUpperCase() !== word) || words.every(word => word.toLowerCase() === word)
}

/*
 * Articles, prepositions and conjunctions. A search does not require them: somebody who writes
 * `macbeth by shakespeare` looks for a record that says "by" nowhere.
 */

const smallWordsOfLanguages: readonly string[] = [
  'a an and at by for from in of on or the to with',
  'aan de den der door een en het in met of op te ten ter van voor',
  'a au aux avec d dans de des du en et l la le les par pour sur un une',
  'am an auf das dem den der des die ein eine im in mit und von vom zu zum zur'
]

const smallWords: ReadonlySet<string> = new Set(smallWordsOfLanguages.flatMap(words => words.split(' ')))
