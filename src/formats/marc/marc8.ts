import marc8Tables from './marc8-tables.json' with { type: 'json' }

/*
 * MARC-8: ISO 2022 as libraries use it. Two sets are active at a time, G0 for bytes below 80 and G1
 * for those above; escape sequences switch to others. A mark stands before its letter, not after it
 * as in Unicode. https://www.loc.gov/marc/specifications/speccharmarc8.html
 */

export interface DecodedText {
  readonly text: string
  /** Bytes that stand for no character; each run of them is one U+FFFD in the text. */
  readonly strayBytes: number
}

interface CharacterSet {
  /** Bytes of a character: 3 for East Asian characters, else 1. */
  readonly width: 1 | 3
  /** The characters of a set of one byte, by their code in the lower half. */
  readonly characters: readonly (string | undefined)[]
  readonly wide: ReadonlyMap<number, string>
  readonly marks: ReadonlySet<number>
}

const escapeByte = 0x1b
const replacement = '\ufffd'

/**
 * The halves of marks that span two letters: the first half becomes the whole mark, and the second
 * half is dropped.
 */
const doubleMarks: ReadonlyMap<string, string> = new Map([
  ['\ufe21', '\u0361'],
  ['\ufe23', '\u0360']
])
/**
 * The four C1 controls of MARC-8: the delimiters of text that sorting leaves out, joiner and
 * non-joiner.
 */
const controls: ReadonlyMap<number, string> = new Map([
  [0x88, '\u0098'],
  [0x89, '\u009c'],
  [0x8d, '\u200d'],
  [0x8e, '\u200c']
])

const loaded = new Map<string, CharacterSet>()

/*
 * `marc8-tables.json` has the sets by the final character of the escape sequence that calls them. A
 * run, one on each line, is the code of its first character in hexadecimal, then the characters of
 * consecutive codes; a blank is a code without a character. Codes of one byte are written in their
 * lower half (21 to 7E). Marks are codes that precede the letter they belong to.
 */
const isSet = (final: string): final is keyof typeof marc8Tables => Object.hasOwn(marc8Tables, final)

/**
 * A set by the final character of its escape sequence. East Asian characters are many, so each set
 * is built on first use.
 */
function findSet(final: string): CharacterSet | undefined {
  const known = loaded.get(final)
  if (known !== undefined) return known
  if (!isSet(final)) return undefined
  const table = marc8Tables[final]
  const width = final === '1' ? 3 : 1
  const characters: (string | undefined)[] = []
  const wide = new Map<number, string>()
  for (const run of table.runs.split('\n')) {
    let code = Number.parseInt(run.slice(0, width * 2), 16)
    for (const character of run.slice(width * 2)) {
      if (character !== ' ' && width === 3) wide.set(code, character)
      if (character !== ' ' && width === 1) characters[code] = character
      code++
    }
  }
  const marks = new Set(table.marks.split(' ').map(code => Number.parseInt(code, 16)))
  const set: CharacterSet = { width, characters, wide, marks }
  loaded.set(final, set)
  return set
}

/**
 * Decodes a text in MARC-8, beginning with the default sets. Also decodes character references such
 * as `&#x4E00;`, which stand for characters that MARC-8 lacks.
 */
export function decodeMarc8(bytes: Uint8Array): DecodedText {
  const latin = findSet('B')
  const extended = findSet('E')
  if (latin === undefined || extended === undefined) throw new Error('The tables of MARC-8 are incomplete')
  let g0 = latin
  let g1 = extended
  let text = ''
  let marks = ''
  let openDouble = ''
  let strayBytes = 0
  let isAfterStray = false

  const put = (character: string) => {
    text += marks === '' ? character : character + marks
    marks = ''
    isAfterStray = false
  }
  const putStray = (count: number) => {
    strayBytes += count
    if (!isAfterStray) put(replacement)
    isAfterStray = true
  }
  const putMark = (mark: string) => {
    const double = doubleMarks.get(mark)
    if (double !== undefined && double === openDouble) openDouble = ''
    else {
      marks += mark
      if (mark === '\u0361' || mark === '\u0360') openDouble = mark
    }
    isAfterStray = false
  }

  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0
    if (byte === escapeByte) {
      const call = readEscape(bytes, at)
      if (call === undefined) {
        putStray(1)
        at++
        continue
      }
      if (call.half === 0) g0 = call.set
      else g1 = call.set
      at += call.length
      continue
    }
    // A delete character stands for nothing in any set; it is dropped with the other control
    // characters.
    if (byte <= 0x20 || byte === 0x7f) {
      put(String.fromCharCode(byte))
      at++
      continue
    }
    const control = controls.get(byte)
    if (control !== undefined) {
      put(control)
      at++
      continue
    }
    const isUpper = byte >= 0x80
    const set = isUpper ? g1 : g0
    if (set.width === 3) {
      const code = ((byte & 0x7f) << 16) | (((bytes[at + 1] ?? 0) & 0x7f) << 8) | ((bytes[at + 2] ?? 0) & 0x7f)
      const character = set.wide.get(code)
      if (character !== undefined) {
        put(character)
        at += 3
        continue
      }
      // Without a table entry the three bytes still are one character, unless the text ends or an
      // escape follows within them.
      const length = lengthOfWide(bytes, at)
      putStray(length)
      at += length
      continue
    }
    const code = byte & 0x7f
    if (set === latin && byte === 0x26) {
      const reference = readReference(bytes, at)
      if (reference !== undefined) {
        put(reference.character)
        at += reference.length
        continue
      }
    }
    const character = set.characters[code]
    if (character === undefined) putStray(1)
    else if (set.marks.has(code)) putMark(character)
    else put(character)
    at++
  }
  // A mark at the very end has no letter; it stays as it is.
  return { text: text + marks, strayBytes }
}

interface Call {
  readonly half: 0 | 1
  readonly set: CharacterSet
  readonly length: number
}

/** Reads an escape sequence: the set, and the half that it is for. */
function readEscape(bytes: Uint8Array, at: number): Call | undefined {
  const letter = (offset: number) => String.fromCharCode(bytes[at + offset] ?? 0)
  const first = letter(1)
  // Older sequences: Greek symbols, subscripts, superscripts, and back.
  if (first === 'g' || first === 'b' || first === 'p') return called(0, first, 2)
  if (first === 's') return called(0, 'B', 2)
  let offset = 1
  const isWide = first === '$'
  if (isWide) offset++
  const sign = letter(offset)
  const half = sign === ')' || sign === '-' ? 1 : 0
  const hasSign = half === 1 || sign === '(' || sign === ','
  if (hasSign) offset++
  else if (!isWide) return undefined
  // The final of the extended Latin set has two characters.
  if (letter(offset) === '!') offset++
  const final = letter(offset)
  if (final === 'g' || final === 'b' || final === 'p') return undefined
  if (isWide !== (final === '1')) return undefined
  return called(half, final, offset + 1)
}

function called(half: 0 | 1, final: string, length: number): Call | undefined {
  const set = findSet(final)
  return set && { half, set, length }
}

/** The number of bytes to skip for a wide character without a table entry. */
function lengthOfWide(bytes: Uint8Array, at: number): number {
  for (let length = 1; length < 3; length++) {
    const byte = bytes[at + length]
    if (byte === undefined || byte < 0x20 || byte >= 0x80 !== (bytes[at] ?? 0) >= 0x80) return length
  }
  return 3
}

const maxReferenceLength = 10

function readReference(bytes: Uint8Array, at: number): { character: string; length: number } | undefined {
  if (bytes[at + 1] !== 0x23 || ((bytes[at + 2] ?? 0) | 0x20) !== 0x78) return undefined
  const head = String.fromCharCode(...bytes.subarray(at, at + maxReferenceLength))
  const match = /^&#x([0-9a-f]{2,6});/i.exec(head)
  const point = Number.parseInt(match?.[1] ?? '', 16)
  if (match === null || point > 0x10ffff || point < 0x20 || (point >= 0xd800 && point <= 0xdfff)) return undefined
  return { character: String.fromCodePoint(point), length: match[0].length }
}

/** Evidence for and against MARC-8, compared with Latin-1 (Windows-1252). */
export interface Marc8Weight {
  /** Bytes that MARC-8 does not use, or marks without a letter after them. */
  readonly impossible: number
  /** Marks on letters that hardly any language uses. */
  readonly unlikely: number
  /** Marks on letters that languages do use. */
  readonly likely: number
}

/**
 * Weighs the evidence. Both encodings use the same bytes: E9 is é in Latin-1, and in MARC-8 the
 * caron of the letter after it.
 */
export function weighMarc8(bytes: Uint8Array): Marc8Weight {
  let impossible = 0
  let unlikely = 0
  let likely = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    if (byte < 0xe0) {
      // Windows-1252 has its quotation marks and dashes here, Latin-1 its capitals.
      if (!controls.has(byte) && findSet('E')?.characters[byte & 0x7f] === undefined) impossible += 2
      continue
    }
    if (findSet('E')?.characters[byte & 0x7f] === undefined) {
      impossible += 2
      continue
    }
    const next = bytes[at + 1] ?? 0x20
    // Marks may stand before one another, and before the special letters.
    if (next >= 0xe0 || (next >= 0xa1 && next <= 0xc8)) continue
    if (!isLetter(next)) impossible++
    else if (usualLetters.get(byte)?.includes(String.fromCharCode(next | 0x20)) ?? true) likely++
    else unlikely++
  }
  return { impossible, unlikely, likely }
}

/**
 * The usual letters of the common marks, in the languages of Europe and Vietnam and in the usual
 * romanisations.
 */
const usualLetters: ReadonlyMap<number, string> = new Map([
  [0xe0, 'aeiouy'],
  [0xe1, 'aeiou'],
  [0xe2, 'aeiouycnszlrgkm'],
  [0xe3, 'aeiouwyghjsz'],
  [0xe4, 'aonuiev'],
  [0xe5, 'aeiouy'],
  [0xe6, 'aeioug'],
  [0xe7, 'ezgicnmhr'],
  [0xe8, 'aeiouy'],
  [0xe9, 'cszrendtlaiou'],
  [0xea, 'au']
])

const isLetter = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
