import type { FieldTest } from '#domain/filter/filter.ts'
import { fitsRuns, type MaskRun, toRuns } from '#domain/filter/masks.ts'
import { regularExpressionTest } from '#domain/filter/regular-expression.ts'
import { foldText } from '#domain/values/fold.ts'
import type { IndexValue } from '#domain/search/index-values.ts'
import { type MaskPiece, wordText } from '#domain/search/word-text.ts'
import { encode, lowerBound, markContaining, markContainingAny, prefixEnd, textAt } from './arrays.ts'
import { type Column, isFalseFlag, isTrueFlag, valueCount, valuesWithText, valueText } from './columns.ts'
import { step } from './time-limit.ts'

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
  timed(regularExpressionTest(source, isFolded ? foldText : undefined))

/** A test that takes as many steps as a text has characters. */
const timed = (isMet: (text: string) => boolean) => (text: string) => {
  step(1 + (text.length >>> 3))
  return isMet(text)
}

/** Tests of a folded text. */
function foldedPredicate(test: FieldTest): (folded: string) => boolean {
  switch (test.kind) {
    case 'contains':
      return folded =>
        test.folded.some(each => {
          step(1 + (folded.length >>> 3))
          return folded.includes(each)
        })
    case 'pattern':
      return patternTest(test.pieces)
    case 'words': {
      const runs = wordRuns(test)
      return timed(folded => fitsRuns(wordText(folded), runs))
    }
    case 'present':
    case 'absent':
    case 'equals':
    case 'regex':
    case 'instant':
    case 'number':
    case 'boolean':
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
    case 'contains':
    case 'pattern':
    case 'words': {
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
      for (let at = 0; at < marks.length; at++) {
        step()
        if ((column.flags[at] as number) & flag) marks[at] = 1
      }
      break
    }
  }
  return marks
}

function markNumbers(numbers: Float64Array | undefined, isWanted: (number: number) => boolean, marks: Uint8Array) {
  if (!numbers) return
  for (let at = 0; at < numbers.length; at++) {
    step()
    const number = numbers[at] as number
    if (!Number.isNaN(number) && isWanted(number)) marks[at] = 1
  }
}

/**
 * Marks the values that match a pattern. Values that begin with its first piece are a range of the
 * dictionary; in that range, or in all values, only those with the longest piece are compared.
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
  keepMatching(column, patternTest(pieces), marks)
}

const longest = (texts: readonly string[]) =>
  texts.reduce((one, other) => (other.length > one.length ? other : one), '')

const markCandidates = (column: Column, text: string, marks: Uint8Array) =>
  markContaining(column.folded, encode(text), marks)

function keepMatching(column: Column, isWanted: (folded: string) => boolean, marks: Uint8Array) {
  for (let at = 0; at < marks.length; at++) {
    step()
    if (marks[at] && !isWanted(textAt(column.folded, at))) marks[at] = 0
  }
}

/** A test of a whole text: any characters may stand between the pieces. */
function patternTest(pieces: readonly string[]): (text: string) => boolean {
  const runs = pieces.map(piece => [piece])
  return timed(text => fitsRuns(text, runs))
}

/** The runs of a text of words, which begins and ends with a space. */
const wordRuns = ({ pieces, atStart, atEnd }: Extract<FieldTest, { kind: 'words' }>): MaskRun[] =>
  toRuns([...(atStart ? [] : [anyMask]), { text: ' ' }, ...pieces, { text: ' ' }, ...(atEnd ? [] : [anyMask])])

const anyMask: MaskPiece = { mask: 'any' }
