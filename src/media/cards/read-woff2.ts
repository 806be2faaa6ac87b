import { brotliDecompressSync } from 'node:zlib'

/*
 * Typefaces in WOFF2, as browsers load them, for programs that read TrueType only.
 * https://www.w3.org/TR/WOFF2/
 */

/** Maximum bytes of the tables of a typeface. */
const maxBytes = 8_388_608

const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'.match(
    /.{4}(?: |$)/g
  ) ?? []

/** Reads bytes in order. Throws RangeError at the end. */
class Cursor {
  readonly #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte = () => this.#bytes.readUInt8(this.at++)

  short() {
    this.at += 2
    return this.#bytes.readUInt16BE(this.at - 2)
  }

  long() {
    this.at += 4
    return this.#bytes.readUInt32BE(this.at - 4)
  }

  take(length: number): Buffer {
    const end = this.at + length
    if (end > this.#bytes.length) throw new RangeError('The typeface ends early')
    this.at = end
    return this.#bytes.subarray(end - length, end)
  }

  /** UIntBase128 */
  number(): number {
    let value = 0
    for (let count = 0; count < 5; count++) {
      const byte = this.byte()
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
    throw new RangeError('A number is too long')
  }

  /** 255UInt16 */
  small(): number {
    const code = this.byte()
    if (code === 253) return this.short()
    return code === 255 ? this.byte() + 253 : code === 254 ? this.byte() + 506 : code
  }
}

interface Table {
  readonly tag: string
  readonly bytes: Buffer
}

/**
 * Returns the TrueType or OpenType font in a WOFF2 file. Throws where the file is none, or has
 * features that typefaces of web pages do not use.
 */
export function readWoff2(file: Buffer): Buffer {
  const header = new Cursor(file)
  if (header.long() !== 0x774f4632) throw new Error('Not a WOFF2 file')
  const flavor = header.long()
  header.at = 12
  const count = header.short()
  header.at = 20
  const compressed = header.long()
  header.at = 48
  const entries = Array.from({ length: count }, () => {
    const flags = header.byte()
    const tag = (flags & 63) === 63 ? header.take(4).toString('latin1') : (knownTags[flags & 63] ?? '').slice(0, 4)
    const length = header.number()
    const isGlyphs = tag === 'glyf' || tag === 'loca'
    const isTransformed = isGlyphs ? flags >> 6 !== 3 : flags >> 6 !== 0
    return { tag, isTransformed, length: isTransformed ? header.number() : length }
  })
  const data = new Cursor(brotliDecompressSync(header.take(compressed), { maxOutputLength: maxBytes }))
  const stored = entries.map(({ tag, isTransformed, length }) => ({ tag, isTransformed, bytes: data.take(length) }))
  const glyphs = stored.find(({ tag, isTransformed }) => tag === 'glyf' && isTransformed)
  const made = glyphs ? readGlyphs(glyphs.bytes) : undefined
  const tables = stored.map(({ tag, isTransformed, bytes }): Table => {
    if (!isTransformed) return { tag, bytes }
    if (made && tag === 'glyf') return { tag, bytes: made.glyf }
    if (made && tag === 'loca') return { tag, bytes: made.loca }
    throw new Error(`The table ${tag} is transformed`)
  })
  return writeFont(flavor, tables)
}

/** The tables of outlines, which WOFF2 stores as streams of one kind of number each. */
function readGlyphs(bytes: Buffer): { readonly glyf: Buffer; readonly loca: Buffer } {
  const header = new Cursor(bytes)
  header.at = 4
  const count = header.short()
  const hasLongOffsets = header.short() === 1
  const sizes = Array.from({ length: 7 }, () => header.long())
  const [contours, points, flags, coordinates, composites, boxes, instructions] = sizes.map(
    size => new Cursor(header.take(size))
  ) as [Cursor, Cursor, Cursor, Cursor, Cursor, Cursor, Cursor]
  const hasBox = boxes.take(4 * ((count + 31) >> 5))
  const offsets = [0]
  const glyphs: Buffer[] = []
  let length = 0
  for (let glyph = 0; glyph < count; glyph++) {
    const number = contours.short()
    const box = ((hasBox[glyph >> 3] as number) & (0x80 >> (glyph & 7))) === 0 ? undefined : boxes.take(8)
    const made =
      number === 0
        ? Buffer.alloc(0)
        : number === 0xffff
          ? readComposite(composites, coordinates, instructions, box)
          : readOutline(number, { points, flags, coordinates, instructions }, box)
    const padded = Buffer.concat([made, Buffer.alloc(-made.length & 3)])
    glyphs.push(padded)
    length += padded.length
    offsets.push(length)
  }
  const loca = Buffer.alloc(offsets.length * (hasLongOffsets ? 4 : 2))
  for (const [at, offset] of offsets.entries())
    if (hasLongOffsets) loca.writeUInt32BE(offset, at * 4)
    else loca.writeUInt16BE(offset / 2, at * 2)
  return { glyf: Buffer.concat(glyphs), loca }
}

const shorts = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2)
  return bytes
}

interface Streams {
  readonly points: Cursor
  readonly flags: Cursor
  readonly coordinates: Cursor
  readonly instructions: Cursor
}

/** An outline of its own: the ends of its contours, instructions, flags and coordinates. */
function readOutline(
  contours: number,
  { points, flags, coordinates, instructions }: Streams,
  box: Buffer | undefined
): Buffer {
  const ends: number[] = []
  let total = 0
  for (let contour = 0; contour < contours; contour++) {
    total += points.small()
    ends.push(total - 1)
  }
  const marks = Buffer.alloc(total)
  const [across, up]: [number[], number[]] = [[], []]
  const bounds = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY
  ]
  const [low, high] = [Math.min, Math.max]
  let [x, y] = [0, 0]
  for (let point = 0; point < total; point++) {
    const flag = flags.byte()
    const [dx, dy] = readStep(flag & 127, coordinates)
    marks[point] = flag < 128 ? 1 : 0
    across.push(dx)
    up.push(dy)
    x += dx
    y += dy
    for (const [at, value] of [x, y, x, y].entries()) bounds[at] = (at < 2 ? low : high)(bounds[at] as number, value)
  }
  const code = instructions.take(coordinates.small())
  return Buffer.concat([
    shorts(contours),
    box ?? shorts(...bounds),
    shorts(...ends, code.length),
    code,
    marks,
    shorts(...across),
    shorts(...up)
  ])
}

/** The step from a point to the next: the lower a flag, the fewer bytes it has. */
function readStep(flag: number, bytes: Cursor): [number, number] {
  const signed = (value: number, bit: number) => ((flag >> bit) & 1 ? value : -value)
  if (flag < 10) return [0, signed(((flag & 14) << 7) + bytes.byte(), 0)]
  if (flag < 20) return [signed((((flag - 10) & 14) << 7) + bytes.byte(), 0), 0]
  if (flag < 84) {
    const [rest, byte] = [flag - 20, bytes.byte()]
    return [signed(1 + (rest & 0x30) + (byte >> 4), 0), signed(1 + ((rest & 0x0c) << 2) + (byte & 15), 1)]
  }
  if (flag < 120) {
    const rest = flag - 84
    const [first, second] = [bytes.byte(), bytes.byte()]
    return [signed(1 + (Math.floor(rest / 12) << 8) + first, 0), signed(1 + (((rest % 12) >> 2) << 8) + second, 1)]
  }
  const [first, second, third] = [bytes.byte(), bytes.byte(), bytes.byte()]
  if (flag < 124) return [signed((first << 4) + (second >> 4), 0), signed(((second & 15) << 8) + third, 1)]
  return [signed((first << 8) + second, 0), signed((third << 8) + bytes.byte(), 1)]
}

/** A glyph that is made of others, such as a letter with an accent. */
function readComposite(composites: Cursor, coordinates: Cursor, instructions: Cursor, box: Buffer | undefined): Buffer {
  if (!box) throw new Error('A composite glyph has no box')
  const parts: Buffer[] = [shorts(0xffff), box]
  let hasCode = false
  for (let flags = 0x20; flags & 0x20; ) {
    flags = composites.short()
    composites.at -= 2
    const scale = flags & 0x08 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0
    parts.push(composites.take(4 + (flags & 1 ? 4 : 2) + scale))
    hasCode ||= (flags & 0x100) !== 0
  }
  if (!hasCode) return Buffer.concat(parts)
  const code = instructions.take(coordinates.small())
  return Buffer.concat([...parts, shorts(code.length), code])
}

/** The file of a font with its directory of tables. */
function writeFont(flavor: number, tables: readonly Table[]): Buffer {
  const sorted = tables.toSorted((one, other) => (one.tag < other.tag ? -1 : 1))
  const power = Math.floor(Math.log2(sorted.length))
  const start = Buffer.alloc(12 + 16 * sorted.length)
  start.writeUInt32BE(flavor, 0)
  shorts(sorted.length, 16 << power, power, 16 * (sorted.length - (1 << power))).copy(start, 4)
  let offset = start.length
  const contents = sorted.map(({ tag, bytes }, at) => {
    start.write(tag, 12 + 16 * at, 'latin1')
    start.writeUInt32BE(offset, 20 + 16 * at)
    start.writeUInt32BE(bytes.length, 24 + 16 * at)
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
    offset += padded.length
    return padded
  })
  return Buffer.concat([start, ...contents])
}
