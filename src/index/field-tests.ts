import type { FieldTest } from '#domain/filter/filter.ts'
import { readRegularExpression, regularExpressionTest } from '#domain/filter/regular-expression.ts'
import { foldText } from '#domain/values/fold.ts'
import type { IndexValue } from '#domain/search/index-values.ts'
import { wordText } from '#domain/search/word-text.ts'
import { encode, lowerBound, markContaining, markContainingAny, prefixEnd, textAt } from './arrays.ts'
import { type Column, isFalseFlag, isTrueFlag, valueCount, valuesWithText, valueText } from './columns.ts'

/** Tests of text: of a whole text as stored, or folded. Others are true of no text. */
export function textPredicate(test: FieldTest): (text: string) => boolean {
  if (test.kind === 'equals') {
    const values = new Set(test.values)
    return text => values.has(text)
  }
  if (test.kind === 'regex') {
    const isMet = regexTest(test)
    return text => isMet(test.isFolded ? foldText(text) : text)
  }
  const folded = foldedPredicate(test)
  return text => folded(foldText(text))
}

const regexTest = ({ source, isFolded }: Extract<FieldTest, { kind: 'regex' }>) =>
  regularExpressionTest(readRegularExpression(source, isFolded ? foldText : undefined))

/** Tests of a folded text. */
function foldedPredicate(test: FieldTest): (folded: string) => boolean {
  switch (test.kind) {
    case 'contains':
      return folded => test.folded.some(each => folded.includes(each))
    case 'pattern':
      return folded => fitsPattern(folded, test.pieces)
    case 'words': {
      const pattern = wordsPattern(test)
      return folded => pattern.test(wordText(folded))
    }
    default:
      return () => false
  }
}

/** Tests of one value of a metadata key. */
export function valuePredicate(test: FieldTest): (value: IndexValue) => boolean {
  switch (test.kind) {
    case 'present':
      return () => true
    case 'absent':
      return () => false
    case 'equals': {
      const values = new Set<string | null>(test.values)
      return ({ text }) => text !== null && values.has(text)
    }
    case 'regex': {
      const isMet = regexTest(test)
      return ({ text, folded }) => text !== null && isMet(test.isFolded ? folded : text)
    }
    case 'instant':
      return ({ instant }) => instant !== null && instant >= test.from && instant <= test.to
    case 'number':
      return ({ number }) => number !== null && isWithin(number, test)
    case 'boolean':
      return ({ truth }) => truth === (test.value ? 1 : 0)
    default: {
      const predicate = foldedPredicate(test)
      return ({ folded }) => predicate(folded)
    }
  }
}

type NumberTest = Extract<FieldTest, { kind: 'number' }>

const isWithin = (number: number, { min, max }: NumberTest) =>
  (!min || (min.included ? number >= min.value : number > min.value)) &&
  (!max || (max.included ? number <= max.value : number < max.value))

/** Marks, in one byte for each, the values of a column that meet a test. */
export function markValues(column: Column, test: FieldTest): Uint8Array {
  const marks = new Uint8Array(valueCount(column))
  switch (test.kind) {
    case 'present':
      marks.fill(1)
      break
    case 'absent':
      break
    case 'equals':
      for (const text of test.values) for (const value of valuesWithText(column, text, foldText(text))) marks[value] = 1
      break
    case 'contains':
      markContainingAny(column.folded, test.folded.map(encode), marks)
      break
    case 'pattern':
      markPattern(column, test.pieces, marks)
      break
    case 'words': {
      const texts = test.pieces.flatMap(piece => ('text' in piece ? piece.text.split(' ') : []))
      markCandidates(column, longest(texts), marks)
      keepMatching(column, foldedPredicate(test), marks)
      break
    }
    case 'regex': {
      const isMet = regexTest(test)
      for (let at = 0; at < marks.length; at++) {
        const text = valueText(column, at)
        if (text !== undefined && isMet(test.isFolded ? textAt(column.folded, at) : text)) marks[at] = 1
      }
      break
    }
    case 'instant':
      markNumbers(column.instants, instant => instant >= test.from && instant <= test.to, marks)
      break
    case 'number':
      markNumbers(column.numbers, number => isWithin(number, test), marks)
      break
    case 'boolean': {
      const flag = test.value ? isTrueFlag : isFalseFlag
      for (let at = 0; at < marks.length; at++) if ((column.flags[at] as number) & flag) marks[at] = 1
      break
    }
  }
  return marks
}

function markNumbers(numbers: Float64Array | undefined, isWanted: (number: number) => boolean, marks: Uint8Array) {
  if (!numbers) return
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number
    if (!Number.isNaN(number) && isWanted(number)) marks[at] = 1
  }
}

/**
 * What begins with letters is a range of the dictionary; of that, or of all, only what has the
 * longest piece is looked at.
 */
function markPattern(column: Column, pieces: readonly string[], marks: Uint8Array) {
  const [beginning = ''] = pieces
  markCandidates(column, longest(pieces), marks)
  if (beginning !== '') {
    const bytes = encode(beginning)
    const first = lowerBound(column.folded, bytes)
    marks.fill(0, 0, first)
    marks.fill(0, prefixEnd(column.folded, bytes, first))
  }
  keepMatching(column, folded => fitsPattern(folded, pieces), marks)
}

const longest = (texts: readonly string[]) =>
  texts.reduce((one, other) => (other.length > one.length ? other : one), '')

const markCandidates = (column: Column, text: string, marks: Uint8Array) =>
  markContaining(column.folded, encode(text), marks)

function keepMatching(column: Column, isWanted: (folded: string) => boolean, marks: Uint8Array) {
  for (let at = 0; at < marks.length; at++) if (marks[at] && !isWanted(textAt(column.folded, at))) marks[at] = 0
}

/**
 * The first piece begins the text, the last ends it, and those between stand in order without
 * overlapping.
 */
function fitsPattern(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? ''
  const last = pieces.length > 1 ? (pieces.at(-1) ?? '') : ''
  if (pieces.length === 1) return text === first
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  const end = text.length - last.length
  for (let at = 1; at < pieces.length - 1; at++) {
    const piece = pieces[at] as string
    const found = text.indexOf(piece, from)
    if (found < 0 || found + piece.length > end) return false
    from = found + piece.length
  }
  return true
}

/** A pattern for a text of words, which begins and ends with a space. */
function wordsPattern({ pieces, atStart, atEnd }: Extract<FieldTest, { kind: 'words' }>): RegExp {
  const said = pieces.map(piece => ('text' in piece ? RegExp.escape(piece.text) : piece.mask === 'any' ? '.*' : '.'))
  return new RegExp(`${atStart ? '^' : ''} ${said.join('')} ${atEnd ? '$' : ''}`, 'su')
}
