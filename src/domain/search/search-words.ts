import { table } from '../table.ts'
import { firstCharacters, foldText, isAscii } from '../values/fold.ts'
import { replaceTags } from '../values/replace-tags.ts'
import { romanisedSigns } from './word-text.ts'

/** Maximum length of an indexed word; longer words are cut. */
const maxWordLength = 48

/** Scripts without spaces between words: each character is a word. */
const wordPattern =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+/gv
const plainPattern = /[a-z0-9]+/g

/**
 * The words of a text, folded, in their order. Everything except letters and digits separates
 * words.
 */
export function wordsOf(text: string): string[] {
  const whole = foldText(text)
  const folded = isAscii(whole) ? whole : whole.replaceAll(romanisedSigns, '')
  const words = folded.match(isAscii(folded) ? plainPattern : wordPattern) ?? []
  return words.map(word => firstCharacters(word, maxWordLength))
}

/** Whether a word is a character of a script without spaces between words. */
export const isSpaceless = (word: string) => /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u.test(word)

/** Maximum number of parts of a word with hyphens that is also found without them. */
const maxParts = 4

/** The words with hyphens in a text, without digits, as their parts: `e-mail` is `e`, `mail`. */
export function hyphenated(text: string): string[][] {
  if (!hyphens.test(text)) return []
  return text.split(/[^\p{L}\p{M}\p{N}\u2010\u2011-]+/u).flatMap(run => {
    const pieces = run.split(hyphens).filter(piece => piece !== '')
    if (pieces.length < 2 || run.length > maxWordLength || /\p{N}/u.test(run)) return []
    const parts = pieces.flatMap(wordsOf)
    return parts.length > 1 && parts.length <= maxParts ? [parts] : []
  })
}

const hyphens = /[\u2010\u2011-]/u

/** The text of safe HTML, without markup and with character references decoded. */
export function textOfHtml(html: string): string {
  // A word may be partly in bold.
  const plain = replaceTags(html, tag => (inline.has(nameOf(tag)) ? '' : ' '))
  return plain.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return signs[name.toLowerCase()] ?? ' '
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole
  })
}

const nameOf = (tag: string) => /^<\/?([a-z]*)/i.exec(tag)?.[1]?.toLowerCase() ?? ''

/** Elements within a word or a line. */
const inline: ReadonlySet<string> = new Set('a b em i mark s small span strong sub sup u'.split(' '))

const signs: Readonly<Record<string, string>> = table({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' })

/** Joins single letters that follow each other: `tolkien j r r` becomes `tolkien jrr`. */
export function joinInitials(words: readonly string[]): string[] {
  const joined: string[] = []
  let isOpen = false
  for (const word of words) {
    const isInitial = isLetter(word)
    if (isInitial && isOpen) joined.push(`${joined.pop()}${word}`)
    else joined.push(word)
    isOpen = isInitial
  }
  return joined
}

/** Whether a word is one letter, as an initial is. */
export const isLetter = (word: string) => /^\p{L}$/u.test(word) && !isSpaceless(word)

/** The initial of a forename as a term of its own. No word has this character. */
export const initialMark = (letter: string) => `${letter}.`
