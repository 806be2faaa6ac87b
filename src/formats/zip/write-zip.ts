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

function localHeader(name: Buffer, { time, date }: { readonly time: number; readonly date: number }): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(versionNeeded, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(time, 10)
  header.writeUInt16LE(date, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function sizesAfter(sum: number, size: number): Buffer {
  const descriptor = Buffer.alloc(16)
  descriptor.writeUInt32LE(0x0807_4b50, 0)
  descriptor.writeUInt32LE(sum, 4)
  descriptor.writeUInt32LE(size, 8)
  descriptor.writeUInt32LE(size, 12)
  return descriptor
}

function directoryEntry({ name, time, date, sum, size, at }: Written): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x0201_4b50, 0)
  header.writeUInt16LE(versionNeeded, 4)
  header.writeUInt16LE(versionNeeded, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(time, 12)
  header.writeUInt16LE(date, 14)
  header.writeUInt32LE(sum, 16)
  header.writeUInt32LE(size, 20)
  header.writeUInt32LE(size, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt32LE(at, 42)
  return Buffer.concat([header, name])
}

function endOfArchive(count: number, length: number, at: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(at, 16)
  return end
}

/** A time as archives have it: in UTC, from 1980, to two seconds. */
function dosTime(milliseconds: number): { readonly time: number; readonly date: number } {
  const moment = new Date(Math.max(milliseconds, Date.UTC(1980, 0, 1)))
  return {
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date: ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  }
}
