import { foldText } from '#domain/values/fold.ts'
import { type MaskPiece, wordText } from '#domain/search/word-text.ts'
import { SruError } from './diagnostics.ts'

/** A word of a term, or several that belong together, with their masks. */
export interface MaskedText {
  readonly pieces: readonly MaskPiece[]
  readonly atStart: boolean
  readonly atEnd: boolean
}

const maxTermLength = 512
const maxMasks = 16

/** A term without its backslashes, for indexes without masks. */
export function plainTerm(term: string): string {
  refuseLong(term)
  const plain = term.replaceAll(/\\(.)/gsu, '$1').trim()
  if (plain === '') throw new SruError(27, '')
  return plain
}

/** The words of a term; masks are read unless they are ordinary characters. */
export function readWords(term: string, isMasked: boolean): MaskedText[] {
  const words = readMarks(term, isMasked).reduce<Mark[][]>(
    (parts, mark) => {
      if (mark === ' ') parts.push([])
      else parts.at(-1)?.push(mark)
      return parts
    },
    [[]]
  )
  const found = words.filter(word => word.some(mark => mark !== '^')).map(toMaskedText)
  if (found.length === 0) throw new SruError(27, term)
  return found
}

/** The whole term as one text. */
export function readPhrase(term: string, isMasked: boolean): MaskedText {
  const marks = readMarks(term, isMasked)
  if (!marks.some(mark => mark !== ' ' && mark !== '^')) throw new SruError(27, term)
  return toMaskedText(marks)
}

/** Letters, a mask, an anchor, or the space between two words. */
type Mark = { readonly letters: string } | 'any' | 'one' | '^' | ' '

function readMarks(term: string, isMasked: boolean): Mark[] {
  refuseLong(term)
  const marks: Mark[] = []
  let letters = ''
  const flush = () => {
    if (letters === '') return
    const [first = '', ...rest] = wordText(foldText(letters))
      .split(' ')
      .filter(word => word !== '')
    // Characters that separate words at the edge of a piece separate them here too.
    if (/^\s/u.test(letters) || startsBetween(letters)) marks.push(' ')
    if (first !== '') marks.push({ letters: first })
    for (const word of rest) marks.push(' ', { letters: word })
    if (first !== '' && endsBetween(letters)) marks.push(' ')
    letters = ''
  }
  for (const [whole, escaped] of term.matchAll(/\\(.)|./gsu)) {
    if (escaped !== undefined) letters += escaped
    else if (isMasked && (whole === '*' || whole === '?' || whole === '^')) {
      flush()
      marks.push(whole === '*' ? 'any' : whole === '?' ? 'one' : '^')
    } else letters += whole
  }
  flush()
  if (marks.filter(mark => mark === 'any' || mark === 'one').length > maxMasks)
    throw new SruError(28, `A term may have at most ${maxMasks} masks`)
  return marks
}

const startsBetween = (text: string) => wordText(foldText([...text][0] ?? '')) === '  '
const endsBetween = (text: string) => wordText(foldText([...text].at(-1) ?? '')) === '  '

function toMaskedText(marks: readonly Mark[]): MaskedText {
  const trimmed = marks.filter((mark, at) => mark !== ' ' || (at > 0 && at < marks.length - 1))
  const inner = trimmed.filter(mark => mark !== '^')
  const pieces: MaskPiece[] = []
  for (const mark of inner) {
    const last = pieces.at(-1)
    const text = mark === ' ' ? ' ' : typeof mark === 'object' ? mark.letters : undefined
    if (text === undefined) pieces.push({ mask: mark === 'any' ? 'any' : 'one' })
    else if (last && 'text' in last) pieces[pieces.length - 1] = { text: last.text + text }
    else pieces.push({ text })
  }
  const anchors = trimmed.flatMap((mark, at) => (mark === '^' ? [at] : []))
  if (anchors.some(at => at !== 0 && at !== trimmed.length - 1))
    throw new SruError(28, '"^" is allowed only at the beginning or the end of a term')
  return { pieces, atStart: trimmed[0] === '^', atEnd: trimmed.length > 1 && trimmed.at(-1) === '^' }
}

function refuseLong(term: string) {
  if (term.length > maxTermLength) throw new SruError(23, String(maxTermLength))
}
