import { CatalogueError } from '#domain/errors.ts'
import { type Defect, overLimit } from '../source/defects.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../source/position.ts'
import { type ByteSource, largerChunks, ByteWindow } from '../source/bytes.ts'
import { fieldTerminator, parseIso2709, readNumber, recordTerminator } from './iso2709-record.ts'
import { type Readings, type Reading, type ReadOptions, readingOf } from './reading.ts'
import { isDataField, type MarcRecord } from './record.ts'

/**
 * Reads a file of ISO 2709 records, one at a time.
 *
 * A record is cut out by the length in its leader when a record terminator stands at its end, as in
 * nearly all files. Otherwise the directory gives the end of the data, and if that is wrong too,
 * the next terminator does. Every problem is reported; reading continues after it.
 */
export async function* readIso2709(source: ByteSource, options: ReadOptions = {}): Readings {
  const cutter = new Cutter(options.maxRecordBytes ?? defaultMaxRecordBytes)
  for await (const chunk of largerChunks(source)) {
    cutter.append(chunk)
    yield* cutter.cut(false)
  }
  yield* cutter.cut(true)
}

/** The longest record and the longest field that the format can express. */
export const maxRecordBytes = 99_999
const maxFieldBytes = 9_999

/**
 * Writes a record as ISO 2709 in UTF-8. Throws `invalid` when it is too long for the format, or
 * cannot be expressed in it.
 */
export function writeIso2709(record: MarcRecord): Buffer {
  const directory: string[] = []
  const parts: Buffer[] = []
  let place = 0
  let isAllAscii = true
  for (const field of record.fields) {
    if (!/^[\x21-\x7e]{3}$/.test(field.tag)) throw refuse(`The tag "${field.tag}" has not three characters`)
    const text = isDataField(field)
      ? field.indicators + field.subfields.map(({ code, value }) => `\u001f${code}${value}`).join('')
      : field.value
    // A terminator inside a field would end it there.
    if (text.includes('\u001d') || text.includes('\u001e') || (!isDataField(field) && text.includes('\u001f')))
      throw refuse(`The field ${field.tag} holds a character that divides fields`)
    const bytes = Buffer.from(`${text}\u001e`)
    if (bytes.length > text.length + 1) isAllAscii = false
    if (bytes.length > maxFieldBytes)
      throw refuse(
        `The field ${field.tag} has ${bytes.length} bytes; ISO 2709 allows ${maxFieldBytes}. Write MARCXML instead, or shorten it`
      )
    directory.push(field.tag, String(bytes.length).padStart(4, '0'), String(place).padStart(5, '0'))
    parts.push(bytes)
    place += bytes.length
  }
  const base = 24 + directory.length * 4 + 1
  const length = base + place + 1
  if (length > maxRecordBytes)
    throw refuse(
      `The record has ${length} bytes; ISO 2709 allows ${maxRecordBytes}. Write MARCXML instead, or shorten it`
    )
  return Buffer.concat([
    Buffer.from(`${leaderFor(record, length, base, isAllAscii)}${directory.join('')}\u001e`, 'latin1'),
    ...parts,
    Buffer.from([recordTerminator])
  ])
}

const refuse = (message: string) => new CatalogueError('invalid', message)

/**
 * ASCII is the same in every encoding, so only a record that needs UTF-8 declares it; UNIMARC
 * declares it in field 100, not in the leader.
 */
function leaderFor(record: MarcRecord, length: number, base: number, isAllAscii: boolean): string {
  const leader = record.leader.padEnd(24).slice(0, 24)
  const isUnimarc = record.fields.some(each => each.tag === '200') && !record.fields.some(each => each.tag === '245')
  const flag = isAllAscii || isUnimarc ? (leader[9] ?? ' ') : 'a'
  const number = (value: number) => String(value).padStart(5, '0')
  return `${number(length)}${leader.slice(5, 9)}${flag}22${number(base)}${leader.slice(17)}`.replaceAll(
    /[^\x20-\x7e]/g,
    ' '
  )
}

/** The end of a record in the bytes that have arrived. */
type End = { readonly at: number; readonly defects: Defect[] } | 'more' | 'truncated' | 'over limit'

/**
 * Cuts records out of the bytes that have arrived. Each byte is read a bounded number of times,
 * however the file is damaged.
 */
class Cutter {
  readonly #limit: number
  readonly #window = new ByteWindow()
  #number = 0
  /** The number of leading bytes that were searched for a terminator in vain. */
  #searched = 0
  /**
   * Bytes that are left out: those that belong to no record, or a record over the limit, which ends
   * only at the next terminator.
   */
  #skipped: { offset: number; length: number; head: Buffer; kind: 'garbage' | 'over_limit' } | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  append(chunk: Uint8Array) {
    this.#window.append(chunk)
  }

  #take(length: number) {
    const bytes = Buffer.from(this.#window.bytes.subarray(0, length))
    this.#window.drop(length)
    this.#searched = 0
    return bytes
  }

  #skip(length: number, kind: 'garbage' | 'over_limit') {
    this.#skipped ??= {
      offset: this.#window.offset,
      length: 0,
      head: Buffer.from(this.#window.bytes.subarray(0, Math.min(length, maxUnreadableBytes))),
      kind
    }
    this.#skipped.length += length
    this.#window.drop(length)
    this.#searched = 0
  }

  #unreadable(offset: number, length: number, source: Buffer, defects: Defect[]): Reading {
    return {
      outcome: 'unreadable',
      form: 'iso2709',
      position: { number: ++this.#number, offset, length },
      controlNumber: guessControlNumber(source),
      defects,
      source: source.subarray(0, maxUnreadableBytes)
    }
  }

  /** Reports the bytes that were left out, when no record follows to report them with. */
  *#reportSkipped(): Generator<Reading, void, undefined> {
    if (this.#skipped === undefined) return
    const { offset, length, head, kind } = this.#skipped
    this.#skipped = undefined
    if (kind === 'garbage' && head.every(byte => byte === 0x20)) return
    const defect =
      kind === 'garbage' ? { kind, message: `${length} bytes belong to no record` } : overLimit(this.#limit)
    yield this.#unreadable(offset, length, head, [defect])
  }

  #emit(end: number, defects: Defect[]): Reading {
    const offset = this.#window.offset
    const source = this.#take(end)
    if (this.#skipped !== undefined && !this.#skipped.head.every(byte => byte === 0x20))
      defects.unshift({
        kind: 'garbage',
        message: `${this.#skipped.length} bytes before the record belong to no record`
      })
    this.#skipped = undefined
    if (source[source.length - 1] !== recordTerminator)
      defects.push({ kind: 'no_terminator', message: 'The record does not end with a record terminator' })
    const parsed = parseIso2709(source, defects)
    if (parsed === undefined) return this.#unreadable(offset, source.length, source, defects)
    const position = { number: ++this.#number, offset, length: source.length }
    return readingOf({ form: 'iso2709', position, source, ...parsed }, defects)
  }

  *#reportTruncated(message: (bytes: Buffer) => string): Generator<Reading, void, undefined> {
    const [offset, source] = [this.#window.offset, this.#take(this.#window.length)]
    yield* this.#reportSkipped()
    yield this.#unreadable(offset, source.length, source, [{ kind: 'truncated', message: message(source) }])
  }

  *cut(isEnd: boolean): Generator<Reading, void, undefined> {
    while (true) {
      this.#dropBlanks()
      const bytes = this.#window.bytes
      if (bytes.length === 0) break
      if (this.#skipped?.kind === 'over_limit') {
        const terminator = bytes.indexOf(recordTerminator)
        this.#skip(terminator < 0 ? bytes.length : terminator + 1, 'over_limit')
        if (terminator >= 0) yield* this.#reportSkipped()
        continue
      }
      if (bytes.length < 24) {
        if (!isEnd) return
        if (bytes.every(byte => byte === 0x20)) this.#window.drop(bytes.length)
        else yield* this.#reportTruncated(rest => `The file ends after ${rest.length} bytes of a record`)
        break
      }
      if (!isLeader(bytes, 0)) {
        const terminator = bytes.indexOf(recordTerminator)
        // Only up to the terminator, so that no byte is searched again for each of them.
        const found = findLeader(terminator < 0 ? bytes : bytes.subarray(0, terminator))
        if (terminator >= 0 && found < 0) {
          this.#skip(terminator + 1, 'garbage')
          yield* this.#reportSkipped()
        } else if (found >= 0) this.#skip(found, 'garbage')
        else {
          // The end of the bytes that have arrived may cut a leader.
          this.#skip(isEnd ? bytes.length : bytes.length - 23, 'garbage')
          if (!isEnd) return
        }
        continue
      }
      const end = this.#findEnd(bytes, isEnd)
      if (end === 'more') return
      if (end === 'over limit') {
        yield* this.#reportSkipped()
        this.#skip(24, 'over_limit')
      } else if (end === 'truncated')
        yield* this.#reportTruncated(
          rest =>
            `The file ends ${rest.length} bytes into the record; its leader gives ${rest.toString('latin1', 0, 5)}`
        )
      else yield this.#emit(end.at, end.defects)
    }
    if (isEnd) yield* this.#reportSkipped()
  }

  /** Skips line ends, fill and stray terminators between records, as many systems write them. */
  #dropBlanks() {
    const bytes = this.#window.bytes
    let count = 0
    while (count < bytes.length && isBlank(bytes[count] ?? 0)) count++
    if (count === 0) return
    // All bytes that are left out count.
    if (this.#skipped === undefined) this.#window.drop(count)
    else this.#skip(count, this.#skipped.kind)
    this.#searched = 0
  }

  #findEnd(bytes: Buffer, isEnd: boolean): End {
    const length = readNumber(bytes, 0, 5)
    if (length > 24) {
      if (bytes.length < length && !isEnd) return 'more'
      if (bytes[length - 1] === recordTerminator && !holdsAnother(bytes, length)) return { at: length, defects: [] }
    }
    const given = length < 0 ? JSON.stringify(bytes.toString('latin1', 0, 5)) : String(length)
    const wrong = (at: number): End => {
      const kind = at > maxRecordBytes ? 'too_long' : 'wrong_length'
      const message = `The record has ${at} bytes, but its leader gives ${given}`
      return { at, defects: at === length ? [] : [{ kind, message }] }
    }
    const byDirectory = findEndByDirectory(bytes)
    if (byDirectory !== undefined) {
      if (bytes[byDirectory] === recordTerminator) return wrong(byDirectory + 1)
      if (isLeader(bytes, skipBlanks(bytes, byDirectory))) return wrong(byDirectory)
    }
    const terminator = bytes.indexOf(recordTerminator, this.#searched)
    if (terminator >= this.#limit || (terminator < 0 && bytes.length > this.#limit)) return 'over limit'
    if (terminator >= 0) return wrong(terminator + 1)
    this.#searched = bytes.length
    if (!isEnd) return 'more'
    return byDirectory !== undefined && byDirectory === bytes.length ? wrong(byDirectory) : 'truncated'
  }
}

const isBlank = (byte: number) =>
  byte === 0x0a || byte === 0x0d || byte === 0x00 || byte === 0x1a || byte === recordTerminator

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && (isBlank(bytes[at] ?? 0) || bytes[at] === 0x20)) at++
  return at
}

/**
 * Tests whether a leader stands here: its numbers are at their positions. A leader that has lost
 * some of them still counts.
 */
function isLeader(bytes: Buffer, at: number): boolean {
  if (at + 24 > bytes.length) return false
  let isPlain = true
  for (let offset = 5; offset < 24; offset++) {
    const byte = bytes[at + offset] ?? 0
    if (byte < 0x20) return false
    if (byte > 0x7e) isPlain = false
  }
  const hasLength = readNumber(bytes, at, at + 5) >= 0
  const hasBase = readNumber(bytes, at + 12, at + 17) >= 0
  const hasCounts = bytes[at + 10] === 0x32 && bytes[at + 11] === 0x32
  const hasMap = bytes[at + 20] === 0x34 && bytes[at + 21] === 0x35
  if (hasLength && hasBase) return isPlain || hasCounts
  return hasCounts && hasMap && (hasLength || hasBase)
}

function findLeader(bytes: Buffer): number {
  for (let at = 0; at + 24 <= bytes.length; at++) {
    const byte = bytes[at] ?? 0
    // Most leaders begin with a digit; one that has lost its length is found by the numbers after
    // it.
    if (byte >= 0x30 && byte <= 0x39 && isLeader(bytes, at)) return at
  }
  return -1
}

/**
 * Tests whether a record of the length in its leader would contain the end of another: then the
 * length is wrong.
 */
function holdsAnother(bytes: Buffer, length: number): boolean {
  for (
    let at = bytes.indexOf(recordTerminator);
    at >= 0 && at < length - 1;
    at = bytes.indexOf(recordTerminator, at + 1)
  ) {
    if (isLeader(bytes, skipBlanks(bytes, at + 1))) return true
  }
  return false
}

/**
 * The end of the data according to the directory: the position after the last field's terminator.
 */
function findEndByDirectory(bytes: Buffer): number | undefined {
  const directoryEnd = bytes.subarray(0, maxRecordBytes).indexOf(fieldTerminator, 24)
  if (directoryEnd < 0 || (directoryEnd - 24) % 12 !== 0) return undefined
  let last = 0
  for (let at = 24; at < directoryEnd; at += 12) {
    const length = readNumber(bytes, at + 3, at + 7)
    const from = readNumber(bytes, at + 7, at + 12)
    if (length < 0 || from < 0) return undefined
    last = Math.max(last, from + length)
  }
  const end = directoryEnd + 1 + last
  return last > 0 && end <= bytes.length && bytes[end - 1] === fieldTerminator ? end : undefined
}

/**
 * The control number of an unreadable record: the first field, if the directory begins with 001.
 */
function guessControlNumber(bytes: Buffer): string | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 24, 27) !== '001') return undefined
  const directoryEnd = bytes.indexOf(fieldTerminator, 24)
  const end = bytes.indexOf(fieldTerminator, directoryEnd + 1)
  if (directoryEnd < 0 || end < 0 || end - directoryEnd > 100) return undefined
  const value = bytes.toString('utf8', directoryEnd + 1, end).trim()
  return /^[\x20-\x7e]+$/.test(value) ? value : undefined
}
