import type { FieldTest } from '#domain/filter/filter.ts'
import { fitsRuns, type MaskRun, toRuns } from '#domain/filter/masks.ts'
import { regularExpressionTest } from '#domain/filter/regular-expression.ts'
import { foldText } from '#domain/values/fold.ts'
import { type MaskPiece, wordText } from '#domain/search/word-text.ts'
import { encode, lowerBound, markContaining, markContainingAny, prefixEnd } from './arrays.ts'
import { type Column, valueCount, valuesWithText } from './columns.ts'
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

/** The forms in which a test compares values, by their places. */
export interface ValueForms {
  /** As stored; undefined for a long text. */
  textOf(place: number): string | undefined
  foldedOf(place: number): string
  /** NaN for a value that is no number, or no time. */
  numberOf(place: number): number
  instantOf(place: number): number
  truthOf(place: number): boolean | undefined
}

/** Tests of one value of a metadata key, by its place. */
export function valuePredicate(values: ValueForms, test: FieldTest): (place: number) => boolean {
  switch (test.kind) {
    case 'present':
      return () => true
    case 'absent':
      return () => false
    case 'equals': {
      const texts = new Set<string | undefined>(test.values)
      return place => texts.has(values.textOf(place))
    }
    case 'regex': {
      const isMet = regexTest(test)
      return place => {
        const text = values.textOf(place)
        return text !== undefined && isMet(test.isFolded ? values.foldedOf(place) : text)
      }
    }
    case 'instant':
      return place => {
        const instant = values.instantOf(place)
        return instant >= test.from && instant <= test.to
      }
    case 'number':
      return place => isWithin(values.numberOf(place), test)
    case 'boolean':
      return place => values.truthOf(place) === test.value
    case 'contains':
    case 'pattern':
    case 'words': {
      const predicate = foldedPredicate(test)
      return place => predicate(values.foldedOf(place))
    }
  }
}

type NumberTest = Extract<FieldTest, { kind: 'number' }>

const isWithin = (number: number, { min, max }: NumberTest) =>
  !Number.isNaN(number) &&
  (!min || (min.included ? number >= min.value : number > min.value)) &&
  (!max || (max.included ? number <= max.value : number < max.value))

/**
 * Marks, in one byte for each, the values of a column that meet a test, which `isMet` tells for
 * one. Where the dictionary has a quicker way, only some values are tested, or none.
 */
export function markValues(column: Column, test: FieldTest, isMet: (place: number) => boolean): Uint8Array {
  const marks = new Uint8Array(valueCount(column))
  switch (test.kind) {
    case 'present':
      return marks.fill(1)
    case 'absent':
      return marks
    case 'equals':
      for (const text of test.values) for (const value of valuesWithText(column, text, foldText(text))) marks[value] = 1
      return marks
    case 'contains':
      markContainingAny(column.folded, test.folded.map(encode), marks)
      return marks
    case 'pattern':
      markPattern(column, test.pieces, marks)
      break
    case 'words':
      markCandidates(
        column,
        longest(test.pieces.flatMap(piece => ('text' in piece ? piece.text.split(' ') : []))),
        marks
      )
      break
    case 'regex':
    case 'instant':
    case 'number':
    case 'boolean':
      marks.fill(1)
  }
  for (let place = 0; place < marks.length; place++) {
    step()
    if (marks[place] && !isMet(place)) marks[place] = 0
  }
  return marks
}

/**
 * Marks the values that may match a pattern. Values that begin with its first piece are a range of
 * the dictionary; in that range, or in all values, only those with the longest piece are tested.
 */
function markPattern(column: Column, pieces: readonly string[], marks: Uint8Array) {
  const [beginning = ''] = pieces
  markCandidates(column, longest(pieces), marks)
  if (beginning === '') return
  const bytes = encode(beginning)
  const first = lowerBound(column.folded, bytes)
  marks.fill(0, 0, first)
  marks.fill(0, prefixEnd(column.folded, bytes, first))
}

const longest = (texts: readonly string[]) =>
  texts.reduce((one, other) => (other.length > one.length ? other : one), '')

const markCandidates = (column: Column, text: string, marks: Uint8Array) =>
  markContaining(column.folded, encode(text), marks)

/** A test of a whole text: any characters may stand between the pieces. */
function patternTest(pieces: readonly string[]): (text: string) => boolean {
  const runs = pieces.map(piece => [piece])
  return timed(text => fitsRuns(text, runs))
}

/** The runs of a text of words, which begins and ends with a space. */
const wordRuns = ({ pieces, atStart, atEnd }: Extract<FieldTest, { kind: 'words' }>): MaskRun[] =>
  toRuns([...(atStart ? [] : [anyMask]), { text: ' ' }, ...pieces, { text: ' ' }, ...(atEnd ? [] : [anyMask])])

const anyMask: MaskPiece = { mask: 'any' }
