import { crc32 } from 'node:zlib'

/*
 * ZIP archives of files that are compressed already: pictures, films, PDFs. Entries are stored as
 * they are, one after the other, so that an archive of any length needs no memory and no temporary
 * file. Sizes and checksums follow each entry and are repeated in the directory at the end.
 */

export interface ZipEntry {
  /** Path inside the archive, with `/` between folders. */
  readonly name: string
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Opens the bytes; called when the entry is written. */
  open(): AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
}

/** Maximum bytes of an archive: its positions have 32 bits. */
export const maxZipBytes = 0xffff_ffff

/** Sizes follow the bytes (bit 3), and names are UTF-8 (bit 11). */
const flags = 0x0808
const versionNeeded = 20

interface Written {
  readonly name: Buffer
  readonly time: number
  readonly date: number
  readonly sum: number
  readonly size: number
  readonly at: number
}

/** Writes an archive, piece by piece. Throws RangeError when it would be larger than allowed. */
export async function* writeZip(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array, void> {
  const written: Written[] = []
  let at = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name, 'utf8')
    const start = at
    const moment = dosTime(entry.modified)
    yield localHeader(name, moment)
    let sum = 0
    let size = 0
    for await (const piece of await entry.open()) {
      sum = crc32(piece, sum)
      size += piece.byteLength
      if (start + size > maxZipBytes) throw new RangeError('The archive is larger than 4 GiB')
      yield piece
    }
    yield sizesAfter(sum, size)
    at = start + 30 + name.length + size + 16
    written.push({ name, ...moment, sum, size, at: start })
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  if (at + directory.length > maxZipBytes || written.length > 0xffff)
    throw new RangeError('The archive is larger than 4 GiB, or has more than 65,535 files')
  yield directory
  yield endOfArchive(written.length, directory.length, at)
}

/** Fields of a header, each with its number of bytes. */
type Fields = readonly (readonly [bytes: 2 | 4, value: number])[]

function header(fields: Fields, name: Buffer = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [size, value] of fields) at = bytes.writeUIntLE(value, at, size)
  return Buffer.concat([bytes, name])
}

const short = (...values: readonly number[]): Fields => values.map(value => [2, value])
const long = (...values: readonly number[]): Fields => values.map(value => [4, value])

const localHeader = (name: Buffer, { time, date }: ReturnType<typeof dosTime>) =>
  header(
    [...long(0x0403_4b50), ...short(versionNeeded, flags, 0, time, date), ...long(0, 0, 0), ...short(name.length, 0)],
    name
  )

const sizesAfter = (sum: number, size: number) => header(long(0x0807_4b50, sum, size, size))

const directoryEntry = ({ name, time, date, sum, size, at }: Written) =>
  header(
    [
      ...[...long(0x0201_4b50), ...short(versionNeeded, versionNeeded, flags, 0, time, date), ...long(sum, size, size)],
      ...[...short(name.length, 0, 0, 0, 0), ...long(0, at)]
    ],
    name
  )

const endOfArchive = (count: number, length: number, at: number) =>
  header([...long(0x0605_4b50), ...short(0, 0, count, count), ...long(length, at), ...short(0)])

/** A time as archives have it: in UTC, from 1980, to two seconds. */
function dosTime(milliseconds: number): { readonly time: number; readonly date: number } {
  const moment = new Date(Math.max(milliseconds, Date.UTC(1980, 0, 1)))
  return {
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date: ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  }
}
