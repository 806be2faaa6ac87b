import { createHash } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import type { ContentStore } from '../content-store.ts'
import { readWoff2 } from './read-woff2.ts'
import { isReadableImage, loadSharp, pictureForms, type Sharp, sharpLimits } from '../thumbnails.ts'

/** A picture for previews of links: a poster or cover, the title, and the name of the house. */
export interface Card {
  readonly title: string
  /** Authors or companies. */
  readonly maker: string | undefined
  readonly house: string
  /** Colours as `#rrggbb`. */
  readonly ground: string
  readonly ink: string
  /** The bytes of a poster, cover or portrait; otherwise what is drawn in its place. */
  readonly picture: { readonly sha256: string; readonly mimetype: string } | undefined
  readonly madeCover: { readonly shape: 'book' | 'round'; readonly tone: string; readonly text: string } | undefined
  readonly typefaces: CardTypefaces
}

/** Typefaces in WOFF2, the preferred ones first; further ones have more letters. */
export interface CardTypefaces {
  readonly titles: readonly Buffer[]
  readonly text: readonly Buffer[]
}

export interface Cards {
  /** Whether cards can be drawn here: the package `sharp` is installed. */
  areDrawn(): Promise<boolean>
  /** Returns a card as JPEG; undefined where it cannot be drawn. */
  find(card: Card): Promise<{ readonly bytes: Buffer; readonly etag: string } | undefined>
}

/** Maximum number of cards in memory; each has some 60 kB. */
const maxCards = 100
/** Maximum number of cards that wait to be drawn; drawing one takes some 0.1 s. */
const maxWaiting = 50
/** Maximum length of a title on a card, in characters. */
const maxTitle = 140
const maxMaker = 80

const { width, height } = pictureForms.card
const margin = 64
const gap = 56
/** Between the title and the line below it. */
const lead = 34
const maxPicture = { width: 520, height: height - 2 * margin }

/**
 * Draws cards with `sharp` when it is installed, one at a time. `folder` gets the typefaces, which
 * are read from files.
 */
export function createCards(folder: string, contents: ContentStore, load = loadSharp): Cards {
  let loading: Promise<Sharp | undefined> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const drawn = new Map<string, Buffer>()
  const faces = createFaces(folder)

  const draw = async (sharp: Sharp, card: Card): Promise<Buffer> => {
    const writer = createWriter(sharp, {
      titles: await faces(card.typefaces.titles, 'serif'),
      text: await faces(card.typefaces.text, 'sans-serif')
    })
    const beside = (await readPicture(sharp, contents, card)) ?? (await drawCover(sharp, writer, card))
    const left = beside ? margin + beside.width + gap : margin
    const room = width - margin - left
    const { ink } = card
    const [title, maker, house] = [
      await writer.write(card.title, {
        face: 'titles',
        sizes: [84, 72, 60, 50, 42, 36],
        width: room,
        height: 330,
        ink
      }),
      card.maker && (await writer.write(card.maker, { face: 'text', sizes: [30, 26], width: room, height: 76, ink })),
      await writer.write(card.house, { face: 'house', sizes: [28, 24, 20], width: room, height: 40, ink })
    ]
    if (!title && !house && !beside) throw new Error('Nothing of the card can be drawn')
    const [titleHeight, makerHeight] = [title?.height ?? 0, maker ? maker.height + lead : 0]
    const top = Math.max(margin, Math.round((height - 70 - titleHeight - makerHeight) / 2))
    return Buffer.from(
      await sharp({ create: { width, height, channels: 3, background: card.ground } })
        .composite([
          ...(beside ? [{ input: beside.input, left: margin, top: Math.round((height - beside.height) / 2) }] : []),
          ...(title ? [{ input: title.input, left, top }] : []),
          ...(maker ? [{ input: maker.input, left, top: top + titleHeight + lead }] : []),
          ...(house
            ? [
                { input: rule(ink), left, top: height - margin - house.height - 28 },
                { input: house.input, left, top: height - margin - house.height }
              ]
            : [])
        ])
        .jpeg()
        .toBuffer()
    )
  }

  return {
    async areDrawn() {
      loading ??= load()
      return (await loading) !== undefined
    },
    async find(card) {
      loading ??= load()
      const sharp = await loading
      if (!sharp) return undefined
      const key = digestOf(card)
      const answer = (bytes: Buffer) => ({ bytes, etag: `"${key}"` })
      const known = drawn.get(key)
      if (known) return answer(known)
      if (waiting >= maxWaiting) return undefined
      waiting++
      const made = last.then(async () => drawn.get(key) ?? (await draw(sharp, card)))
      last = made.then(
        () => waiting--,
        () => waiting--
      )
      try {
        const bytes = await made
        drawn.set(key, bytes)
        const [oldest] = drawn.keys()
        if (drawn.size > maxCards && oldest !== undefined) drawn.delete(oldest)
        return answer(bytes)
      } catch {
        return undefined
      }
    }
  }
}

/** A short line over the name of the house. */
const rule = (ink: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="56" height="4"><rect width="56" height="4" fill="${ink}"/></svg>`
  )

function digestOf({ typefaces, ...card }: Card): string {
  const hash = createHash('sha256').update(JSON.stringify(card))
  for (const bytes of [...typefaces.titles, ...typefaces.text]) hash.update(bytes)
  return hash.digest('base64url').slice(0, 27)
}

interface Drawn {
  readonly input: Uint8Array
  readonly width: number
  readonly height: number
}

/** The picture of a card, whole; undefined where it has none or it cannot be read. */
async function readPicture(sharp: Sharp, contents: ContentStore, { picture }: Card): Promise<Drawn | undefined> {
  if (!picture || !isReadableImage(picture.mimetype)) return undefined
  const content = await contents.find(picture.sha256)
  if (!content || content.size === 0 || content.size > sharpLimits.maxBytes) return undefined
  const original = await buffer(await contents.read(picture.sha256, 0, content.size - 1))
  try {
    const input = await sharp(original, sharpLimits.options)
      .rotate()
      .resize({ ...maxPicture, fit: 'inside' })
      .png()
      .toBuffer()
    return { input, ...(await sharp(input, sharpLimits.options).metadata()) }
  } catch {
    return undefined
  }
}

/** A cover made of a title, or a circle with initials, as on the pages. */
async function drawCover(sharp: Sharp, writer: Writer, { madeCover, maker }: Card): Promise<Drawn | undefined> {
  if (!madeCover) return undefined
  const { shape, tone, text } = madeCover
  const size = shape === 'round' ? { width: 360, height: 360 } : { width: 335, height: 502 }
  const corner = shape === 'round' ? 180 : 8
  const form = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" rx="${corner}" fill="${tone}"/></svg>`
  const room = size.width - 56
  const style = { width: room, ink: '#ffffff' }
  const [title, author] =
    shape === 'round'
      ? [await writer.write(text, { ...style, face: 'text', sizes: [130], height: 200 }), undefined]
      : [
          await writer.write(text, { ...style, face: 'titles', sizes: [46, 40, 34, 28, 24], height: 330 }),
          maker ? await writer.write(maker, { ...style, face: 'text', sizes: [24, 20], height: 60 }) : undefined
        ]
  const layers =
    shape === 'round'
      ? title && [
          {
            input: title.input,
            left: Math.round((size.width - title.width) / 2),
            top: Math.round((size.height - title.height) / 2)
          }
        ]
      : [
          ...(title ? [{ input: title.input, left: 28, top: 32 }] : []),
          ...(author ? [{ input: author.input, left: 28, top: size.height - 32 - author.height }] : [])
        ]
  const input = await sharp(Buffer.from(form), sharpLimits.options)
    .composite(layers ?? [])
    .png()
    .toBuffer()
  return { input, ...size }
}

interface Style {
  readonly face: 'titles' | 'text' | 'house'
  /** In pixels; the first with which the text fits is taken. */
  readonly sizes: readonly number[]
  readonly width: number
  readonly height: number
  readonly ink: string
}

interface Writer {
  /** Draws a text; undefined where a letter of it would be an empty box. */
  write(text: string, style: Style): Promise<Drawn | undefined>
}

interface Face {
  /** The names of its families, the preferred one first. */
  readonly families: string
  readonly files: readonly string[]
}

const weights = { titles: 'semi-bold', text: '', house: 'semi-bold' } as const

function createWriter(sharp: Sharp, faces: Readonly<Record<keyof CardTypefaces, Face>>): Writer {
  const faceOf = (face: Style['face']) => faces[face === 'house' ? 'text' : face]
  const set = async (text: string, style: Pick<Style, 'face' | 'width' | 'ink'>, size: number) => {
    const { families, files } = faceOf(style.face)
    const given = {
      text: `<span foreground="${style.ink}">${escaped(text)}</span>`,
      font: `${families} ${weights[style.face]} ${size}`,
      ...{ width: style.width, dpi: 72, rgba: true, wrap: 'word-char' }
    }
    // Each file is made known once; all of them stay known.
    for (const fontfile of files.slice(1)) await sharp({ text: { ...given, text: ' .', fontfile } }).metadata()
    const [fontfile] = files
    const input = await sharp({ text: { ...given, ...(fontfile ? { fontfile } : {}) } })
      .png()
      .toBuffer()
    return { input, ...(await sharp(input, sharpLimits.options).metadata()) }
  }
  /** A box is drawn for a letter that no typeface has: as large as that of a private letter. */
  const canDraw = async (text: string, style: Style) => {
    const sizeOf = async (letter: string) => {
      const { width, height } = await set(letter, style, 40)
      return `${width} ${height}`
    }
    const box = await sizeOf('\u{e000}')
    for (const letter of sampleOf(text)) if ((await sizeOf(letter)) === box) return false
    return true
  }
  return {
    async write(text, style) {
      const shown = shortened(text, style.face === 'titles' ? maxTitle : maxMaker)
      if (shown === '' || !(await canDraw(shown, style))) return undefined
      for (const size of style.sizes) {
        const made = await set(shown, style, size)
        if (made.height <= style.height && made.width <= style.width) return made
      }
      const smallest = await set(shown, style, style.sizes.at(-1) ?? 20)
      const region = { left: 0, top: 0, width: smallest.width, height: Math.min(smallest.height, style.height) }
      const input = await sharp(smallest.input, sharpLimits.options).extract(region).png().toBuffer()
      return { input, width: region.width, height: region.height }
    }
  }
}

/** One Latin letter, and some others: a typeface has most letters of a script, or none. */
function sampleOf(text: string): string[] {
  const letters = [...new Set(text.match(/[^\s\p{P}\p{M}\p{Cf}]/gu) ?? [])]
  const isPlain = (letter: string) => /[a-z0-9]/i.test(letter)
  return [...letters.filter(isPlain).slice(0, 1), ...letters.filter(each => !isPlain(each)).slice(0, 8)]
}

function shortened(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  const cut = line.lastIndexOf(' ', max)
  return `${line.slice(0, cut > max / 2 ? cut : max)} …`
}

const escaped = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** Stores typefaces as files that can be drawn with, each once. */
function createFaces(folder: string): (typefaces: readonly Buffer[], usual: string) => Promise<Face> {
  const known = new Map<string, Promise<{ readonly path: string; readonly family: string } | undefined>>()
  const store = async (digest: string, bytes: Buffer) => {
    try {
      const font = readWoff2(bytes)
      const path = join(folder, `${digest}.ttf`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${path}.${process.pid}`, font, { mode: 0o600 })
      await rename(`${path}.${process.pid}`, path)
      return { path, family: familyOf(font) }
    } catch {
      // A typeface of another form is left out.
      return undefined
    }
  }
  return async (typefaces, usual) => {
    const found = await Promise.all(
      typefaces.map(bytes => {
        const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
        const stored = known.get(digest) ?? store(digest, bytes)
        known.set(digest, stored)
        return stored
      })
    )
    const faces = found.flatMap(each => each ?? [])
    const families = [...new Set(faces.map(({ family }) => family)), usual]
    return { families: families.join(','), files: faces.map(({ path }) => path) }
  }
}

/** The name of the family of a font. */
function familyOf(font: Buffer): string {
  const count = font.readUInt16BE(4)
  for (let table = 0; table < count; table++) {
    const entry = 12 + 16 * table
    if (font.toString('latin1', entry, entry + 4) !== 'name') continue
    const start = font.readUInt32BE(entry + 8)
    const texts = start + font.readUInt16BE(start + 4)
    for (const wanted of [16, 1])
      for (let at = start + 6; at < start + 6 + 12 * font.readUInt16BE(start + 2); at += 12) {
        const [platform, name] = [font.readUInt16BE(at), font.readUInt16BE(at + 6)]
        if (platform !== 3 || name !== wanted) continue
        const from = texts + font.readUInt16BE(at + 10)
        const bytes = Buffer.from(font.subarray(from, from + font.readUInt16BE(at + 8)))
        return bytes.swap16().toString('utf16le').replaceAll(/[,<&]/g, ' ')
      }
  }
  throw new Error('The typeface has no name')
}
