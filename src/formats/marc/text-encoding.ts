import { isAscii, isUtf8 } from 'node:buffer'

import { type Defect, notUtf8 } from '../source/defects.ts'
import { decodeIso5426 } from './iso5426.ts'
import { decodeMarc8, weighMarc8 } from './marc8.ts'
import type { TextEncoding } from './reading.ts'

/*
 * The encoding of the text of a record. Records declare it, and many are wrong: UTF-8 under a
 * leader that declares MARC-8, Latin-1 under one that declares UTF-8. The bytes decide: text that
 * is not ASCII and yet valid UTF-8 is UTF-8, since the others hardly ever are by chance.
 */

export interface TextReader {
  readonly encoding: TextEncoding
  /** The text of one field, including its subfield delimiters. */
  decode(field: Buffer): string
  /** The texts of consecutive fields, each with its terminator. */
  decodeAll(data: Buffer): string[]
}

export interface Declared {
  /** Leader, position 9: `a` for UTF-8, blank for MARC-8. */
  readonly flag: string
  readonly isUnimarc: boolean
  /** UNIMARC 100 $a, positions 26 to 29: `50` is UTF-8, `03` is ISO 5426. */
  readonly unimarcSets: string
}

const names: Readonly<Record<TextEncoding, string>> = {
  ascii: 'ASCII',
  'utf-8': 'UTF-8',
  'marc-8': 'MARC-8',
  'iso-5426': 'ISO 5426',
  'windows-1252': 'Latin-1 or Windows-1252',
  mixed: 'more than one encoding'
}

const asciiReader: TextReader = {
  encoding: 'ascii',
  decode: field => field.toString('latin1'),
  decodeAll: data => data.toString('latin1').split('\u001e')
}
const utf8Reader: TextReader = {
  encoding: 'utf-8',
  decode: field => field.toString('utf8'),
  decodeAll: data => data.toString('utf8').split('\u001e')
}

/** A reader that decodes each field by itself. */
function byField(encoding: TextEncoding, decode: (field: Buffer) => string): TextReader {
  return { encoding, decode, decodeAll: data => [...fieldsOf(data)].map(decode) }
}

/** Chooses the encoding of the data of a record; adds a defect if the record declares another. */
export function chooseEncoding(data: Buffer, declared: Declared, defects: Defect[]): TextReader {
  const { flag, isUnimarc } = declared
  const hasEscape = data.includes(0x1b)
  const saysUtf8 = flag === 'a' || (isUnimarc && declared.unimarcSets.startsWith('50'))
  const saysMarc8 = !saysUtf8 && !isUnimarc
  if (!hasEscape && isAscii(data)) return saysMarc8 && data.includes('&#x') ? marc8Reader(defects) : asciiReader
  const lie = (encoding: TextEncoding) => {
    const declaredName = saysUtf8
      ? names['utf-8']
      : isUnimarc
        ? `the character sets "${declared.unimarcSets}"`
        : names['marc-8']
    defects.push({
      kind: 'wrong_encoding',
      message: `The record declares ${declaredName}, but its text is in ${names[encoding]}`
    })
  }
  if (hasEscape && hasEscapeSequence(data) && !(saysUtf8 && isUtf8(data) && !isAscii(data))) {
    if (saysUtf8) lie('marc-8')
    return marc8Reader(defects)
  }
  if (isUtf8(data)) {
    if (!saysUtf8 && !isAscii(data) && !(isUnimarc && declared.unimarcSets.trim() === '')) lie('utf-8')
    return utf8Reader
  }
  if (saysMarc8 || isUnimarc) {
    const other = saysUtf8 ? undefined : findOneEncoding(data, declared)
    if (other !== undefined) {
      if (other === 'windows-1252') lie(other)
      else if (other === 'marc-8' && weighMarc8(data).impossible > 0)
        defects.push({ kind: 'undecodable', message: 'Marks in MARC-8 have no letter after them' })
      return readerFor(other, defects)
    }
  }
  return mixedReader(data, declared, lie, defects)
}

/** The one encoding of text that is not UTF-8, unless the fields show that there are several. */
function findOneEncoding(data: Buffer, declared: Declared): TextEncoding | undefined {
  if (hasUtf8Fields(data)) return undefined
  if (declared.isUnimarc) return declared.unimarcSets.includes('03') ? 'iso-5426' : 'windows-1252'
  return isLatin1(data, true) ? 'windows-1252' : 'marc-8'
}

/**
 * A record that declares MARC-8 is trusted until two bytes contradict it; one may be a typing
 * error.
 */
function isLatin1(data: Buffer, saysMarc8: boolean): boolean {
  const { impossible, unlikely, likely } = weighMarc8(data)
  if (saysMarc8) return impossible >= 2 && impossible + unlikely > likely
  return impossible + unlikely > likely
}

/** Some fields in UTF-8 and others not: each is decoded by its own bytes. */
function mixedReader(
  data: Buffer,
  declared: Declared,
  lie: (encoding: TextEncoding) => void,
  defects: Defect[]
): TextReader {
  const { broken, sound } = sortFields(data)
  // A truncated character, or one that UTF-8 does not allow, among valid ones: still UTF-8.
  const { sequences, strays } = countUtf8(broken)
  if (sequences > 0 && sequences >= strays) {
    defects.push(notUtf8)
    return utf8Reader
  }
  const legacy: TextEncoding = declared.isUnimarc
    ? declared.unimarcSets.includes('03')
      ? 'iso-5426'
      : 'windows-1252'
    : isLatin1(broken, declared.flag !== 'a')
      ? 'windows-1252'
      : 'marc-8'
  lie(sound ? 'mixed' : legacy)
  const other = readerFor(legacy, defects)
  return byField(sound ? 'mixed' : legacy, field =>
    (isUtf8(field) && !field.includes(0x1b) ? utf8Reader : other).decode(field)
  )
}

function readerFor(encoding: TextEncoding, defects: Defect[]): TextReader {
  if (encoding === 'marc-8') return marc8Reader(defects)
  if (encoding === 'iso-5426') return partReader('iso-5426', decodeIso5426, defects)
  const decoder = new TextDecoder('windows-1252')
  return byField('windows-1252', field => decoder.decode(field))
}

const marc8Reader = (defects: Defect[]) => partReader('marc-8', decodeMarc8, defects)

/** For encodings whose state is reset with each subfield. */
function partReader(
  encoding: TextEncoding,
  decodePart: (bytes: Uint8Array) => { readonly text: string; readonly strayBytes: number },
  defects: Defect[]
): TextReader {
  let hasSaid = false
  return byField(encoding, field => {
    if (isAscii(field) && !field.includes(0x1b) && !field.includes('&#x')) return field.toString('latin1')
    let text = ''
    for (let from = 0; from <= field.length; ) {
      const next = field.indexOf(0x1f, from)
      const to = next < 0 ? field.length : next
      const part = decodePart(field.subarray(from, to))
      if (part.strayBytes > 0 && !hasSaid) {
        hasSaid = true
        defects.push({
          kind: 'undecodable',
          message: `Bytes that are no characters in ${names[encoding]} were replaced`
        })
      }
      text += next < 0 ? part.text : `${part.text}\u001f`
      from = to + 1
    }
    return text
  })
}

/** Tests for an escape sequence of MARC-8, not just a stray escape character. */
function hasEscapeSequence(data: Buffer): boolean {
  for (let at = data.indexOf(0x1b); at >= 0; at = data.indexOf(0x1b, at + 1)) {
    const next = data[at + 1] ?? 0
    // g b p s ( ) , - $
    if ([0x67, 0x62, 0x70, 0x73, 0x28, 0x29, 0x2c, 0x2d, 0x24].includes(next)) return true
  }
  return false
}

function* fieldsOf(data: Buffer): Generator<Buffer> {
  for (let from = 0; from < data.length; ) {
    const next = data.indexOf(0x1e, from)
    const to = next < 0 ? data.length : next
    yield data.subarray(from, to)
    from = to + 1
  }
}

function hasUtf8Fields(data: Buffer): boolean {
  for (const field of fieldsOf(data)) if (!isAscii(field) && isUtf8(field)) return true
  return false
}

/** The fields that are not UTF-8, joined, and whether others are and need it. */
function sortFields(data: Buffer): { broken: Buffer; sound: boolean } {
  const broken: Buffer[] = []
  let sound = false
  for (const field of fieldsOf(data)) {
    if (!isUtf8(field)) broken.push(field, separator)
    else if (!isAscii(field)) sound = true
  }
  return { broken: Buffer.concat(broken), sound }
}

const separator = Buffer.from(' ')

/**
 * The number of bytes above ASCII that form characters of UTF-8 (even ones it does not allow), and
 * of those that do not.
 */
function countUtf8(bytes: Buffer): { sequences: number; strays: number } {
  let sequences = 0
  let strays = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    let found = 1
    while (found < length && ((bytes[at + found] ?? 0) & 0xc0) === 0x80) found++
    if (length > 1 && found === length) {
      sequences++
      at += length - 1
    } else strays++
  }
  return { sequences, strays }
}
