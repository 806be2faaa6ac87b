import { decode, encode } from './arrays.ts'
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

const kinds = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const
type Kind = keyof typeof kinds

interface ArrayPlace {
  readonly $array: Kind
  readonly at: number
  readonly length: number
}

/**
 * `database` says what the base is of: which database, and by which rules its documents were
 * indexed.
 */
export function writeSnapshot(base: Base, database: string): Uint8Array {
  const arrays: { readonly at: number; readonly bytes: Uint8Array }[] = []
  let end = 0
  const description = JSON.stringify({ database, base }, (_, value: unknown) => {
    const kind = (Object.keys(kinds) as Kind[]).find(each => value instanceof kinds[each])
    if (kind === undefined) return value
    const array = value as Uint8Array
    const at = end
    arrays.push({ at, bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength) })
    end = aligned(end + array.byteLength)
    return { $array: kind, at, length: array.length } satisfies ArrayPlace
  })
  const text = encode(description)
  const first = aligned(headLength + text.length)
  const bytes = new Uint8Array(first + end)
  bytes.set(encode(signature))
  bytes.set(text, headLength)
  for (const { at, bytes: content } of arrays) bytes.set(content, first + at)
  const view = viewOf(bytes)
  view.setUint32(12, text.length)
  view.setUint32(8, checksum(bytes.subarray(12)))
  return bytes
}

interface Content<Described> {
  readonly database: string
  readonly base: Described
}

/**
 * The base in a snapshot; undefined for one that is damaged, of another format, or of another
 * database.
 */
export function readSnapshot(bytes: Uint8Array, database: string): Base | undefined {
  const length = descriptionLength(bytes)
  if (length === undefined || isDamaged(bytes)) return undefined
  const first = aligned(headLength + length)
  const restore = (_: string, value: unknown) => (isPlace(value) ? arrayAt(bytes, first, value) : value)
  const content = JSON.parse(decode(bytes.subarray(headLength, headLength + length)), restore) as Content<Base>
  return content.database === database ? content.base : undefined
}

/**
 * The last change that the base in a snapshot knows of, without reading the base; undefined for one
 * of another format or database. `read` gets bytes at a place.
 */
export function readSnapshotChange(
  read: (at: number, length: number) => Uint8Array,
  database: string
): number | undefined {
  const length = descriptionLength(read(0, headLength))
  if (length === undefined) return undefined
  const content = JSON.parse(decode(read(headLength, length))) as Content<Pick<Base, 'change'>>
  return content.database === database ? content.base.change : undefined
}

/** Whether a snapshot begins as one of this format; one of another program version does not. */
export const isThisFormat = (bytes: Uint8Array) => decode(bytes.subarray(0, 8)) === signature

/** Whether a snapshot of this format was cut, or has other bytes than were written. */
export const isDamaged = (bytes: Uint8Array) =>
  bytes.length < headLength || viewOf(bytes).getUint32(8) !== checksum(bytes.subarray(12))

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)

/** The length of the description; undefined where these are not the first bytes of a snapshot. */
const descriptionLength = (bytes: Uint8Array) =>
  bytes.length < headLength || !isThisFormat(bytes) ? undefined : viewOf(bytes).getUint32(12)

const isPlace = (value: unknown): value is ArrayPlace =>
  typeof value === 'object' && value !== null && '$array' in value

function arrayAt(bytes: Uint8Array, first: number, { $array, at, length }: ArrayPlace) {
  const buffer = new SharedArrayBuffer(length * kinds[$array].BYTES_PER_ELEMENT)
  const start = first + at
  new Uint8Array(buffer).set(bytes.subarray(start, start + buffer.byteLength))
  switch ($array) {
    case 'u8':
      return new Uint8Array(buffer)
    case 'u16':
      return new Uint16Array(buffer)
    case 'u32':
      return new Uint32Array(buffer)
    case 'f64':
      return new Float64Array(buffer)
  }
}

const aligned = (length: number) => (length + 7) & ~7

/** FNV-1a over words of four bytes, then over the bytes that are left. */
function checksum(bytes: Uint8Array): number {
  let sum = 0x811c_9dc5 ^ bytes.length
  const words = bytes.length >>> 2
  const view = viewOf(bytes)
  for (let at = 0; at < words; at++) {
    sum = Math.imul(sum ^ view.getUint32(at * 4, true), 0x0100_0193)
    sum ^= sum >>> 15
  }
  for (let at = words * 4; at < bytes.length; at++) sum = Math.imul(sum ^ (bytes[at] as number), 0x0100_0193)
  return sum >>> 0
}
