import { type Defect, emptySubfield, notTwoIndicators } from '../source/defects.ts'
import { blankLeader, type DataField, isControlTag, type MarcField, type MarcRecord, type Subfield } from './record.ts'
import type { TextEncoding } from './reading.ts'
import { chooseEncoding } from './text-encoding.ts'

/*
 * One record of ISO 2709, already cut out of its file: a leader of 24 bytes, a directory with 12
 * bytes for each field (tag 3, length 4, position 5), and the fields, each with a terminator.
 * Lengths and positions count bytes, so the record stays bytes until each field has been cut out.
 * https://www.loc.gov/marc/specifications/specrecstruc.html
 */

export const fieldTerminator = 0x1e
export const recordTerminator = 0x1d
const delimiter = '\u001f'
const entryLength = 12

/** The position of a field in the data: from its first byte to its terminator. */
interface Place {
  readonly tag: string
  readonly from: number
  readonly to: number
}

export interface ParsedRecord {
  readonly record: MarcRecord
  readonly encoding: TextEncoding
}

/** Reads the record; returns undefined, with a defect, when it has no directory. */
export function parseIso2709(bytes: Buffer, defects: Defect[]): ParsedRecord | undefined {
  const directoryEnd = bytes.indexOf(fieldTerminator, 24)
  if (directoryEnd < 0) {
    defects.push({ kind: 'no_directory', message: 'The directory has no end' })
    return undefined
  }
  const base = directoryEnd + 1
  const leader = readLeader(bytes, defects)
  const given = readNumber(bytes, 12, 17)
  if (given !== base)
    defects.push({ kind: 'wrong_base_address', message: `The data begin at ${base}, but the leader gives ${given}` })
  const end = bytes[bytes.length - 1] === recordTerminator ? bytes.length - 1 : bytes.length
  const data = bytes.subarray(base, end)
  const isInOrder = isPlainDirectory(bytes, directoryEnd, data)
  const places = isInOrder ? [] : readDirectory(bytes, directoryEnd, data, defects)
  const tags = isInOrder ? readTags(bytes, directoryEnd) : places.map(place => cleanTag(place.tag, defects))
  const reader = chooseEncoding(data, declaredEncoding(leader, tags, places, data), defects)
  const texts = isInOrder
    ? reader.decodeAll(data)
    : places.map(({ from, to }) => reader.decode(data.subarray(from, to)))
  const isClean = isInOrder && readsAsItStands.has(reader.encoding) && !hasRefusedBytes(data)
  return { record: { leader, fields: readFields(tags, texts, isClean, defects) }, encoding: reader.encoding }
}

/** Encodings in which refused characters can be found by their bytes. */
const readsAsItStands = new Set<TextEncoding>(['ascii', 'utf-8'])

/**
 * Tests whether the directory is regular, as nearly all are: every field follows the one before,
 * ends with the only terminator in it, and together they are the data. Then the fields are the
 * pieces between the terminators, and need not be cut out one by one.
 */
function isPlainDirectory(bytes: Buffer, directoryEnd: number, data: Buffer): boolean {
  if ((directoryEnd - 24) % entryLength !== 0) return false
  let next = 0
  let count = 0
  for (let at = 24; at < directoryEnd; at += entryLength) {
    if (readNumber(bytes, at, at + 3) < 0 || readNumber(bytes, at + 7, at + 12) !== next) return false
    const length = readNumber(bytes, at + 3, at + 7)
    next += length
    count++
    if (length < 1 || data[next - 1] !== fieldTerminator) return false
  }
  if (next !== data.length) return false
  for (let at = data.indexOf(fieldTerminator); at >= 0; at = data.indexOf(fieldTerminator, at + 1)) count--
  return count === 0
}

/** Every tag of three digits once, so that a million fields share them. */
const commonTags: readonly string[] = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'))

function readTags(bytes: Buffer, directoryEnd: number): string[] {
  const tags: string[] = []
  for (let at = 24; at < directoryEnd; at += entryLength) tags.push(commonTags[readNumber(bytes, at, at + 3)] ?? '???')
  return tags
}

function readLeader(bytes: Buffer, defects: Defect[]): string {
  const text = bytes.toString('latin1', 0, 24)
  let leader = text
  if (!/^[\x20-\x7e]{24}$/.test(text)) {
    leader = ''
    for (let index = 0; index < 24; index++) {
      const code = text.charCodeAt(index)
      leader += code >= 0x20 && code < 0x7f ? text[index] : blankLeader[index]
    }
  }
  if (leader !== text) defects.push({ kind: 'bad_leader', message: `The leader is ${JSON.stringify(text)}` })
  else if (leader[10] !== '2' || leader[11] !== '2') {
    const counts = leader.slice(10, 12)
    defects.push({
      kind: 'bad_leader',
      message: `The leader counts "${counts}" indicators and code characters; two of each were used`
    })
    return `${leader.slice(0, 10)}22${leader.slice(12)}`
  }
  return leader
}

/** The positions of all fields, in the order of the directory. */
function readDirectory(bytes: Buffer, directoryEnd: number, data: Buffer, defects: Defect[]): Place[] {
  const count = Math.floor((directoryEnd - 24) / entryLength)
  if ((directoryEnd - 24) % entryLength !== 0)
    defects.push({
      kind: 'bad_directory',
      message: `The directory has ${directoryEnd - 24} bytes, which is not a multiple of 12`
    })
  const places: (Place | undefined)[] = []
  for (let index = 0; index < count; index++) {
    const at = 24 + index * entryLength
    const length = readNumber(bytes, at + 3, at + 7)
    const from = readNumber(bytes, at + 7, at + 12)
    const to = from + length - 1
    const isGood = length > 0 && data[to] === fieldTerminator && (from === 0 || data[from - 1] === fieldTerminator)
    places.push(isGood ? { tag: bytes.toString('latin1', at, at + 3), from, to } : undefined)
  }
  const sound = places.filter(each => each !== undefined)
  if (sound.length === count && (directoryEnd - 24) % entryLength === 0) {
    // An additional terminator inside a field does no harm if everything else agrees.
    if (isWhole(sound, data)) return sound
    defects.push({ kind: 'bad_directory', message: 'The directory does not name every field exactly once' })
  }
  // If something is wrong, only fields between two terminators are trusted.
  const certain = places.map(each =>
    each !== undefined && data.indexOf(fieldTerminator, each.from) === each.to ? each : undefined
  )
  return repairDirectory(bytes, certain, data, defects)
}

/**
 * Tests whether the fields of the directory are complete: each begins at another position, and
 * their lengths add up to the data.
 */
function isWhole(places: readonly Place[], data: Buffer): boolean {
  let sum = 0
  for (const place of places) sum += place.to - place.from + 1
  return sum === data.length && new Set(places.map(place => place.from)).size === places.length
}

/**
 * Finds the fields by their terminators: those whose directory entries are right, and the others in
 * order if there is one for each entry.
 */
function repairDirectory(
  bytes: Buffer,
  places: readonly (Place | undefined)[],
  data: Buffer,
  defects: Defect[]
): Place[] {
  const segments: { readonly from: number; readonly to: number }[] = []
  for (let from = 0; from < data.length; ) {
    const found = data.indexOf(fieldTerminator, from)
    const to = found < 0 ? data.length : found
    segments.push({ from, to })
    from = to + 1
  }
  const tagAt = (index: number) => bytes.toString('latin1', 24 + index * entryLength, 27 + index * entryLength)
  const report = (index: number, kind: 'bad_directory' | 'field_lost') => {
    const at = 24 + index * entryLength
    const entry = JSON.stringify(bytes.toString('latin1', at, at + entryLength))
    if (kind === 'bad_directory')
      defects.push({ kind, message: `The entry ${entry} of the directory is wrong`, tag: tagAt(index) })
    else defects.push({ kind, message: `No field belongs to the entry ${entry} of the directory`, tag: tagAt(index) })
  }
  const isRepeated = new Set(places.map(place => place?.from)).size < places.length && !places.includes(undefined)
  if (segments.length === places.length) {
    // One field for each entry: entries that are right must be in the same order, or only those are
    // used.
    const inOrder = places.every((place, index) => place === undefined || place.from === segments[index]?.from)
    if (inOrder || isRepeated) {
      let reported = 0
      return segments.map((segment, index) => {
        if (places[index]?.from !== segment.from && reported++ < maxReports) report(index, 'bad_directory')
        return { tag: tagAt(index), ...segment }
      })
    }
  }
  const claimed = new Set(places.map(place => place?.from))
  const free = segments.filter(segment => !claimed.has(segment.from))
  const lost = places.flatMap((place, index) => (place === undefined ? [index] : []))
  const found: Place[] = []
  let taken = 0
  for (const [index, place] of places.entries()) {
    if (place !== undefined) found.push(place)
    else if (free.length === lost.length) {
      const segment = free[taken++]
      if (segment !== undefined) found.push({ tag: tagAt(index), ...segment })
      if (taken <= maxReports) report(index, 'bad_directory')
    } else if (taken++ < maxReports) report(index, 'field_lost')
  }
  if (lost.length === 0 && free.length > 0)
    defects.push({ kind: 'field_lost', message: `${free.length} fields are in no entry of the directory` })
  return found
}

/**
 * Maximum defects reported for one directory: a directory of garbage has thousands of wrong
 * entries.
 */
const maxReports = 5

/**
 * The encoding that the record declares. UNIMARC declares it in a field, so the tags of the fields
 * are needed.
 */
function declaredEncoding(leader: string, tags: readonly string[], places: readonly Place[], data: Buffer) {
  const flag = leader[9] ?? ' '
  if (flag === 'a' || !tags.includes('200') || tags.includes('245')) return { flag, isUnimarc: false, unimarcSets: '' }
  const index = tags.indexOf('100')
  if (index < 0) return { flag, isUnimarc: true, unimarcSets: '' }
  let from = places[index]?.from ?? 0
  // Without positions the fields stand in the order of their tags.
  if (places.length === 0) for (let count = 0; count < index; count++) from = data.indexOf(fieldTerminator, from) + 1
  const end = data.indexOf(fieldTerminator, from)
  // Two indicators, the delimiter and the code stand before the text.
  const unimarcSets = data.toString('latin1', Math.min(from + 30, end), Math.min(from + 34, end))
  return { flag, isUnimarc: true, unimarcSets }
}

function readFields(
  tags: readonly string[],
  texts: readonly string[],
  isClean: boolean,
  defects: Defect[]
): MarcField[] {
  const fields: MarcField[] = []
  let hasControls = false
  for (let index = 0; index < tags.length; index++) {
    const raw = texts[index] ?? ''
    const text = isClean ? raw : withoutControls(raw)
    if (text !== raw) hasControls = true
    const field = parseField(tags[index] ?? '', text, defects)
    if (field !== undefined) fields.push(field)
  }
  if (hasControls) defects.push({ kind: 'control_characters', message: 'Control characters were left out of the text' })
  return fields
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for; 1F divides subfields, tab and line ends are text
const refusedCharacters = /[\0-\x08\x0b\x0c\x0e-\x1e\x7f\ufeff]/
const everyRefused = new RegExp(refusedCharacters, 'g')

/**
 * Every byte that a refused character begins with; EF also begins others. Field terminators are not
 * part of the text.
 */
const refusedBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === fieldTerminator) return 0
  return byte === 0xef || refusedCharacters.test(String.fromCharCode(byte)) ? 1 : 0
})

/**
 * Tests whether the data may contain refused characters: one scan of all data costs less than one
 * of each field.
 */
function hasRefusedBytes(data: Buffer): boolean {
  for (let at = 0; at < data.length; at++) if (refusedBytes[data[at] ?? 0] === 1) return true
  return false
}

/** The text of a field without refused characters. */
export function withoutControls(text: string): string {
  return refusedCharacters.test(text) ? text.replaceAll(everyRefused, '') : text
}

function cleanTag(tag: string, defects: Defect[]): string {
  if (/^[0-9A-Za-z]{3}$/.test(tag)) return tag
  const clean = tag.replaceAll(/[^0-9A-Za-z]/g, '?').padEnd(3, '?')
  defects.push({ kind: 'bad_directory', message: `A field has the tag ${JSON.stringify(tag)}`, tag: clean })
  return clean
}

function parseField(tag: string, text: string, defects: Defect[]): MarcField | undefined {
  if (text === '') {
    defects.push({ kind: 'empty_field', message: `A field ${tag} is empty`, tag })
    return undefined
  }
  const first = text.indexOf(delimiter)
  if (first === 2) return { tag, indicators: text.slice(0, 2), subfields: parseSubfields(tag, text, 2, defects) }
  if (isControlTag(tag) || (first < 0 && !/^\d/.test(tag))) {
    if (first < 0) return { tag, value: text }
    defects.push({ kind: 'bad_field', message: `A field ${tag} contains subfield delimiters`, tag })
    return { tag, value: text.replaceAll(delimiter, ' ') }
  }
  return parseOddField(tag, text, first, defects)
}

/** Reads a data field without its two indicators in front of the first subfield. */
function parseOddField(tag: string, text: string, first: number, defects: Defect[]): DataField {
  if (first < 0) {
    // All text and no subfield: everything after the indicators is its content.
    const hasIndicators = /^[0-9 #|]{2}(?=.)/.test(text)
    defects.push({ kind: 'bad_field', message: `A field ${tag} has no subfield; its text was read as $a`, tag })
    return {
      tag,
      indicators: hasIndicators ? text.slice(0, 2) : '  ',
      subfields: [{ code: 'a', value: hasIndicators ? text.slice(2) : text }]
    }
  }
  const before = text.slice(0, first)
  const subfields = parseSubfields(tag, text, first, defects)
  if (first < 2) {
    defects.push(notTwoIndicators(tag))
    return { tag, indicators: before.padEnd(2), subfields }
  }
  defects.push({
    kind: 'bad_field',
    message: `A field ${tag} has text before its first subfield; it was read as $a`,
    tag
  })
  const stray = before.slice(2).trim()
  return {
    tag,
    indicators: before.slice(0, 2),
    subfields: stray === '' ? subfields : [{ code: 'a', value: stray }, ...subfields]
  }
}

function parseSubfields(tag: string, text: string, first: number, defects: Defect[]): Subfield[] {
  const subfields: Subfield[] = []
  for (let at = first; at >= 0; ) {
    const next = text.indexOf(delimiter, at + 1)
    const end = next < 0 ? text.length : next
    if (end === at + 1) defects.push(emptySubfield(tag))
    else {
      const first = text.charCodeAt(at + 1)
      const start = at + (first >= 0xd800 && first <= 0xdbff ? 3 : 2)
      subfields.push({ code: text.slice(at + 1, start), value: text.slice(start, end) })
    }
    at = next
  }
  return subfields
}

/** A number of decimal digits; -1 for anything else. */
export function readNumber(bytes: Uint8Array, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] ?? 0) - 0x30
    if (digit < 0 || digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}
