import { table } from '#domain/table.ts'

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/**
 * Reads width and height of an image from its first bytes; undefined when they are not among these.
 */
export function readImageSize(type: string, head: Buffer): ImageSize | undefined {
  const size = readers[type]?.(head)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

const readers: Readonly<Record<string, (head: Buffer) => ImageSize | undefined>> = table({
  'image/png': head =>
    head.length >= 24 ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) } : undefined,
  'image/gif': head => (head.length >= 10 ? { width: head.readUInt16LE(6), height: head.readUInt16LE(8) } : undefined),
  'image/jpeg': readJpeg,
  'image/webp': readWebp
})

/**
 * A JPEG is a list of segments; the segment that begins a frame has the size.
 * https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2
 */
function readJpeg(head: Buffer): ImageSize | undefined {
  let at = 2
  while (at + 9 <= head.length) {
    if (head[at] !== 0xff) return undefined
    const marker = head[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    // C4, C8 and CC are tables, not frames.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    at += 2 + head.readUInt16BE(at + 2)
  }
  return undefined
}

/**
 * Three forms: lossy, lossless, extended.
 * https://developers.google.com/speed/webp/docs/riff_container
 */
function readWebp(head: Buffer): ImageSize | undefined {
  if (head.length < 30) return undefined
  const form = head.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) }
  if (form === 'VP8 ') return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
  if (form !== 'VP8L') return undefined
  const bits = head.readUInt32LE(21)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}
