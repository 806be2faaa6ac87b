import { table } from '../table.ts'

/**
 * Folds text for comparing: without case and diacritics, so `Brontë`, `BRONTE` and `bronte` are
 * equal.
 *
 * Computed here and stored, never by a database, so that every store finds the same. Some letters
 * have their mark in the letter itself and are not decomposed in Unicode; the table has those that
 * occur in European catalogues.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøđłæœþðıς]/g, letter => unsplitLetters[letter] ?? letter)
}

const unsplitLetters: Readonly<Record<string, string>> = table({
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ı: 'i',
  ς: 'σ'
})

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false
  return true
}

/** The first characters (code points, so that every database cuts at the same position). */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let taken = 0; taken < count && end < text.length; taken++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
