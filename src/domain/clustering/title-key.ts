import { foldText, isAscii } from '../values/fold.ts'
import { memoize } from '../memoize.ts'
import { withNumerals } from './numerals.ts'

/*
 * Keys of titles. The rules are about the way titles are written in general; none is about a single
 * title.
 */

/**
 * Articles in the languages of our catalogues. Keys leave them out in any language, since records
 * seldom give the language of a title.
 */
const articles = new Set(
  'the a an de het een t n le la les un une des l der die das ein eine el los las unos unas una il lo gli uno o os as um uma els den det en et ett ei az egy'
    // Greek and its romanisation, Hebrew and Arabic in Latin letters.
    .concat(' ο η το οι τα οι ενας μια ενα ho he hoi ha al')
    .split(' ')
)

/**
 * A text for comparing: folded, only letters and digits, one space between words. Most texts are
 * ASCII, for which one pass takes less time than a cache (0.9 µs, 1.0 µs).
 */
export function textKey(text: string): string {
  if (!isAscii(text)) return markedKey(text)
  const folded = text.toLowerCase()
  let key = ''
  let start = -1
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at)
    if ((code > 0x60 && code < 0x7b) || (code > 0x2f && code < 0x3a)) {
      if (start < 0) start = at
      continue
    }
    if (code === 0x26 || code === 0x27 || code === 0x60) return plainKey(folded)
    if (start < 0) continue
    key = key === '' ? folded.slice(start, at) : `${key} ${folded.slice(start, at)}`
    start = -1
  }
  if (start < 0) return key
  return key === '' ? folded.slice(start) : `${key} ${folded.slice(start)}`
}

/** Text with an apostrophe or an ampersand: neither begins a word. */
const plainKey = (folded: string) =>
  folded
    .replaceAll(/['`]/g, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

const markedKey = memoize(4000, text => {
  const folded = foldText(text)
  const spaced = folded.replaceAll(/[’'ʼʹʻ`´]/g, '').replaceAll('&', ' and ')
  return (isAscii(spaced) ? spaced.replaceAll(/[^a-z0-9]+/g, ' ') : spaced.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')).trim()
})

/** The key of a name that keeps its letters: without case and punctuation, with all its letters. */
export const letterKey = memoize(4000, name =>
  (isAscii(name) ? name.toLowerCase() : name.normalize('NFC').toLowerCase().normalize('NFC'))
    .replaceAll(/[’'ʼʹʻ`´]/g, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
)

/**
 * Tests whether a word has different diacritics in two texts, as in “pêche” and “péché”. A word
 * without any may have lost them.
 */
export function haveOtherMarks(one: string, other: string): boolean {
  if (one === other || isAscii(one) || isAscii(other)) return false
  const marked = markedWords(other)
  for (const [folded, word] of markedWords(one)) if ((marked.get(folded) ?? word) !== word) return true
  return false
}

function markedWords(text: string): Map<string, string> {
  const words = letterKey(text)
    .split(' ')
    .map(word => [foldText(word), word] as const)
  return new Map(words.filter(([folded, word]) => folded !== word))
}

/**
 * The key of a title: without the leading article, or the article that some catalogues write after
 * it in brackets.
 */
export const titleKey = memoize(4000, text => {
  const bare = withoutMaterial(text)
  const words = textKey(elided(bare)).split(' ')
  const last = bare.endsWith(')') ? /\(([^()]+)\)$/.exec(bare)?.[1] : undefined
  if (last !== undefined && words.length > 1 && articles.has(textKey(last))) words.pop()
  if (words.length > 1 && articles.has(words[0] ?? '')) words.shift()
  return withNumerals(isAscii(text) ? words : withoutJoinedArticles(words)).join(' ')
})

/**
 * The words without the articles of Hebrew and Arabic, which are written in one word with the noun.
 * In Hebrew an adjective has it, too, and catalogues that sort without it write it at the end.
 */
function withoutJoinedArticles(words: readonly string[]): readonly string[] {
  const [first = ''] = words
  if (/^[א-ת]/.test(first)) {
    const bare = words.map(word => (/^ה[א-ת]{2}/.test(word) ? word.slice(1) : word))
    return bare.length > 1 && bare.at(-1) === 'ה' ? bare.slice(0, -1) : bare
  }
  // The name of God begins with the same letters.
  return /^ال[^ل\P{L}]\p{L}{2}/u.test(first) ? [first.slice(2), ...words.slice(1)] : words
}

/** `[videorecording]`, `<piano solo>` and the like, which belong to the publication. */
const withoutMaterial = (text: string) =>
  text.length <= maxExamined && (text.includes('[') || text.includes('<'))
    ? text.replaceAll(material, ' ').trim() || text
    : text

/** Maximum characters of a title whose brackets are examined: the pattern takes quadratic time. */
const maxExamined = 1_000

/**
 * In the middle of a title, brackets hold a letter or word that the cataloguer supplied; that is
 * part of the title.
 */
const material =
  /(?:(?<!\s)\s+)?(?:\[(?!(?:number|no|nr|part|deel|teil|partie|book|vol)\b)[^\]]*\](?=\W*$)|\[(?:electronic|sound|video|micro|text|music|manuscript|map|computer|graphic|kit|game|slide|large|picture|motion|braille|cartographic|realia|printed|enregistrement|ressource|image)[^\]]*\]|<[^>]*>)/giu

/** An article without its vowel is a word of its own: `l'île` is `l île`. */
const elided = (text: string) => text.replace(/^(l|d|un|gl|dell|all)['’](?=\p{L})/iu, '$1 ')

/**
 * Words for “or” between a title and its other title; they count only after a comma, a semicolon or
 * a colon.
 */
const or = /(?:(?<!\s)\s+)?[,;:]\s+(?:or|of|ou|oder|eller|o|oppure|sive|ó|ou bien)\b\s*[,:;]?\s+/iu

/** Words after a colon by which a title describes what it is: `The eel : being the story of …`. */
const description =
  /(?<!\s)(?:\s+)?[:;]\s+(?:being|that is|zijnde|dat is|das ist|c['’]est-à-dire|cioè|es decir|det vil si|to jest)(?=[\s,])/iu

/** A title without the words that describe it, if it is more than one word. */
export function withoutDescription(text: string): string {
  if (!text.includes(':') && !text.includes(';')) return text
  const [title = ''] = text.split(description, 1)
  return title.trim().includes(' ') ? title : text
}

/** Both sides of `Title, or, Other title`. */
export function alternativesIn(text: string): string[] {
  if (!/[,;:]\s/.test(text)) return []
  const parts = text.split(or)
  return parts.length === 2 && parts.every(each => /\p{L}{3}/u.test(each)) ? parts : []
}

/** Both sides of a colon in one title; a side of one short word is too little. */
export function sidesOfColon(text: string): string[] {
  if (!text.includes(':') && !text.includes('—')) return []
  const parts = text.split(/(?:(?<!\s)\s+)?[:—]\s+/)
  return parts.length === 2 ? parts : []
}

export function parallelsIn(text: string): string[] {
  if (!text.includes(' = ') && !/\s=\s/.test(text)) return []
  const parts = text.split(/(?<!\s)\s+=\s+/)
  return parts.length > 1 ? parts : []
}

/** Entries in lists of contents that are not works: forewords, indexes and the like. */
const matterWords =
  /^(?:introduction|preface|foreword|afterword|prologue|epilogue|notes?|appendix|appendices|index|bibliography|glossary|chronology|acknowledge?ments|inleiding|voorwoord|nawoord|register|einleitung|vorwort|nachwort|avant propos|postface|forord|innledning|contents|maps?|illustrations|copyright)(?: .{0,40})?$/

export const isMatter = (key: string) => matterWords.test(key) && key.split(' ').length < 5

/**
 * Tests whether two keys are spellings of one title. Their beginnings must be equal, and so must
 * their numbers and single letters, which tell parts apart.
 */
export function isNearly(one: string, other: string): boolean {
  if (one === other) return true
  const shortest = Math.min(one.length, other.length)
  const allowed = shortest >= 18 ? 2 : shortest >= 9 ? 1 : 0
  if (allowed === 0 || Math.abs(one.length - other.length) > allowed) return false
  if (one.slice(0, 3) !== other.slice(0, 3)) return false
  return isWithin(one, other, allowed) && signsIn(one) === signsIn(other)
}

/** Numbers, and single letters: keys of music and members of a series. */
const signsIn = (key: string) => (key.match(/\p{N}+|(?<=^| )(?:i{2,3}|iv|vi{1,3}|ix|\p{L})(?= |$)/gu) ?? []).join(' ')

/**
 * Tests whether at most `max` insertions, deletions and replacements turn one text into the other,
 * from these positions on. The common beginning costs nothing, and only the few continuations at a
 * difference are tried: the titles of a large block are compared with each other, and most differ
 * at once.
 */
function isWithin(one: string, other: string, max: number, from = 0, to = 0): boolean {
  let [at, beside] = [from, to]
  while (at < one.length && beside < other.length && one.charCodeAt(at) === other.charCodeAt(beside)) {
    at++
    beside++
  }
  const [left, right] = [one.length - at, other.length - beside]
  if (left === 0 || right === 0) return left + right <= max
  if (Math.abs(left - right) > max || max === 0) return false
  return (
    isWithin(one, other, max - 1, at + 1, beside + 1) ||
    isWithin(one, other, max - 1, at + 1, beside) ||
    isWithin(one, other, max - 1, at, beside + 1)
  )
}
