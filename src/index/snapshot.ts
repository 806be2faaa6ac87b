import { decode, encode, sharedBytes, sharedFloats, sharedNumbers, sharedShorts } from './arrays.ts'
import type { Base } from './base.ts'

/*
 * A base as bytes, for a file beside the database. It is a cache: one of another format, of another
 * database, or with a wrong checksum is not used.
 *
 * Layout: 8 bytes signature; 4 bytes checksum of everything after it; 4 bytes length of the
 * description; the description as JSON, in which each array is replaced by its kind, place and
 * length; then the arrays, each at a multiple of 8 bytes.
 */

/** To be raised whenever the same documents give another base, or the layout changes. */
const formatVersion = 13
const signature = `LIBIDX${String(formatVersion).padStart(2, '0')}`
const headLength = 16
/** The first bytes, which the checksum does not cover. */
const unchecked = 12

const kinds = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const
type Kind = keyof typeof kinds

interface ArrayPlace {
  readonly $array: Kind
  readonly at: number
  readonly length: number
}

/**
 * The bytes of a snapshot, in pieces that follow each other, so that a base does not exist twice.
 * `database` says what the base is of: which database, and by which rules its documents were
 * indexed.
 */
export function* snapshotPieces(base: Base, database: string): Generator<Uint8Array> {
  const arrays: Uint8Array[] = []
  let end = 0
  const description = JSON.stringify({ database, base }, (_, value: unknown) => {
    const kind = (Object.keys(kinds) as Kind[]).find(each => value instanceof kinds[each])
    if (kind === undefined) return value
    const array = value as Uint8Array
    const at = end
    arrays.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    end = aligned(end + array.byteLength)
    return { $array: kind, at, length: array.length } satisfies ArrayPlace
  })
  const text = encode(description)
  const head = new Uint8Array(aligned(headLength + text.length))
  head.set(encode(signature))
  head.set(text, headLength)
  const view = viewOf(head)
  view.setUint32(12, text.length)
  const checksum = new Checksum(head.length + end - unchecked)
  checksum.add(head.subarray(unchecked), head.length - unchecked)
  for (const array of arrays) checksum.add(array)
  view.setUint32(8, checksum.sum)
  yield head
  for (const array of arrays) {
    yield array
    yield new Uint8Array(aligned(array.length) - array.length)
  }
}

/** A snapshot that is read part by part. */
export interface SnapshotSource {
  /** Its length in bytes. */
  readonly size: number
  /** Fills an array with the bytes from a place on. */
  read(at: number, bytes: Uint8Array): void
}

interface Content<Described> {
  readonly database: string
  readonly base: Described
}

/**
 * The base in a snapshot; undefined for one that is damaged, of another format, or of another
 * database. Each array is read into the memory where it stays.
 */
export function readSnapshot(source: SnapshotSource, database: string): Base | undefined {
  try {
    return readWhole(source, database)
  } catch {
    // Its description is damaged: the checksum is known only after everything was read.
    return undefined
  }
}

function readWhole(source: SnapshotSource, database: string): Base | undefined {
  const text = readDescription(source)
  if (text === undefined) return undefined
  const first = aligned(headLength + text.length)
  const checksum = checksumOfHead(source, first)
  // Arrays are described in the order of their places; anything else would change the checksum.
  const restore = (_: string, value: unknown) => {
    if (!isPlace(value)) return value
    const { array, bytes } = makeArray(value)
    const at = first + value.at
    source.read(at, bytes)
    checksum.add(bytes)
    const padding = readBytes(source, at + bytes.length, aligned(bytes.length) - bytes.length)
    if (padding.some(byte => byte !== 0)) throw new Error('A byte between two arrays was changed')
    return array
  }
  const described = decode(text)
  if ((JSON.parse(described) as Content<unknown>).database !== database) return undefined
  const { base } = JSON.parse(described, restore) as Content<Base>
  return checksum.sum === storedChecksum(source) ? base : undefined
}

/**
 * The last change that the base in a snapshot knows of, without reading the base; undefined for one
 * of another format or database.
 */
export function readSnapshotChange(source: SnapshotSource, database: string): number | undefined {
  const text = readDescription(source)
  if (text === undefined) return undefined
  const content = JSON.parse(decode(text)) as Content<Pick<Base, 'change'>>
  return content.database === database ? content.base.change : undefined
}

/** Whether a snapshot begins as one of this format; one of another program version does not. */
export const isThisFormat = (source: SnapshotSource) =>
  source.size >= signature.length && decode(readBytes(source, 0, signature.length)) === signature

/** Whether a snapshot of this format was cut, or has other bytes than were written. */
export function isDamaged(source: SnapshotSource): boolean {
  const length = descriptionLength(source)
  if (length === undefined || source.size % alignment !== 0) return true
  const first = aligned(headLength + length)
  if (first > source.size) return true
  const checksum = checksumOfHead(source, first)
  for (let at = first; at < source.size; at += bytesAtOnce)
    checksum.add(readBytes(source, at, Math.min(bytesAtOnce, source.size - at)))
  return checksum.sum !== storedChecksum(source)
}

/** A multiple of the alignment. */
const bytesAtOnce = 1 << 20

function readBytes(source: SnapshotSource, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  source.read(at, bytes)
  return bytes
}

/** The length of the description; undefined where these are not the first bytes of a snapshot. */
const descriptionLength = (source: SnapshotSource) =>
  source.size >= headLength && isThisFormat(source) ? viewOf(readBytes(source, 12, 4)).getUint32(0) : undefined

function readDescription(source: SnapshotSource): Uint8Array | undefined {
  const length = descriptionLength(source)
  if (length === undefined || headLength + length > source.size) return undefined
  return readBytes(source, headLength, length)
}

const storedChecksum = (source: SnapshotSource) => viewOf(readBytes(source, 8, 4)).getUint32(0)

/** A checksum to which the arrays are added, after everything before them. */
function checksumOfHead(source: SnapshotSource, length: number): Checksum {
  const checksum = new Checksum(source.size - unchecked)
  checksum.add(readBytes(source, unchecked, length - unchecked), length - unchecked)
  return checksum
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)

const isPlace = (value: unknown): value is ArrayPlace =>
  typeof value === 'object' && value !== null && '$array' in value

const makers = { u8: sharedBytes, u16: sharedShorts, u32: sharedNumbers, f64: sharedFloats } as const

/** Makes an array in memory that threads share, and its bytes. */
function makeArray({ $array, length }: ArrayPlace) {
  const array = makers[$array](length)
  return { array, bytes: new Uint8Array(array.buffer, 0, array.byteLength) }
}

const alignment = 8
const aligned = (length: number) => Math.ceil(length / alignment) * alignment

/** FNV-1a over words of four bytes. */
class Checksum {
  sum: number

  constructor(length: number) {
    this.sum = (0x811c_9dc5 ^ length) >>> 0
  }

  /** Adds bytes that are filled up to a length with zeros. */
  add(bytes: Uint8Array, length = aligned(bytes.length)) {
    const words = bytes.length >>> 2
    const view = viewOf(bytes)
    let { sum } = this
    for (let at = 0; at < words; at++) sum = mixed(sum, view.getUint32(at * 4, true))
    let last = 0
    for (let at = words * 4; at < bytes.length; at++) last |= (bytes[at] as number) << ((at - words * 4) * 8)
    for (let word = words; word < length >>> 2; word++) sum = mixed(sum, word === words ? last : 0)
    this.sum = sum >>> 0
  }
}

function mixed(sum: number, word: number): number {
  const product = Math.imul(sum ^ word, 0x0100_0193)
  return product ^ (product >>> 15)
}
