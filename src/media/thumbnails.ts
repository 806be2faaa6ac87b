import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Duplex, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

import { isContentHash } from '#domain/entity/server-fields.ts'
import type { ContentStore } from './content-store.ts'

/** Widths in pixels; no others are made, so that their number is bounded. */
export const thumbnailWidths = [160, 320, 640, 1280] as const

/**
 * The forms of pictures by their purpose, with their size in pixels. A form is cut from the
 * original around its focal point; a card has the whole original, on a blurred enlargement.
 */
export const pictureForms = {
  card: { width: 1200, height: 630 },
  poster: { width: 800, height: 1200 },
  banner: { width: 1920, height: 640 },
  square: { width: 1080, height: 1080 },
  social: { width: 1200, height: 630 }
} as const
export type PictureForm = keyof typeof pictureForms
export type ThumbnailForm = (typeof thumbnailWidths)[number] | PictureForm

/** The format of a thumbnail. Other programs read JPEG more often than WebP. */
export const formatOf = (form: ThumbnailForm) =>
  typeof form === 'number'
    ? ({ extension: 'webp', mimetype: 'image/webp' } as const)
    : ({ extension: 'jpg', mimetype: 'image/jpeg' } as const)

/** The point of a picture that is never cut off, in shares of its width and height. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}
const centre: FocalPoint = { x: 0.5, y: 0.5 }

/** Names a thumbnail among those of the same content. A focal point counts in hundredths. */
export const nameOf = (form: ThumbnailForm, focus: FocalPoint = centre) =>
  typeof form === 'number' || form === 'card' ? `${form}` : `${form}-${percent(focus.x)}-${percent(focus.y)}`
const percent = (share: number) => Math.round(share * 100)

export interface Thumbnail {
  readonly path: string
  readonly size: number
}

export interface Thumbnails {
  /**
   * Returns a smaller picture of content; undefined when none can be made, so that the original is
   * shown.
   */
  find(hash: string, mimetype: string, form: ThumbnailForm, focus?: FocalPoint): Promise<Thumbnail | undefined>
  /** Removes thumbnails that were made before a moment; they are made again when needed. */
  removeBefore(moment: number): Promise<void>
  /** Removes the thumbnails of content. */
  remove(hashes: readonly string[]): Promise<void>
}

/** The part of the package `sharp` that is used. */
export type Sharp = (...given: readonly [object] | readonly [Uint8Array, object]) => Duplex & {
  png(): ReturnType<Sharp>
  rotate(): ReturnType<Sharp>
  resize(options: object): ReturnType<Sharp>
  extract(region: object): ReturnType<Sharp>
  blur(sigma: number): ReturnType<Sharp>
  modulate(options: object): ReturnType<Sharp>
  composite(layers: readonly object[]): ReturnType<Sharp>
  webp(): ReturnType<Sharp>
  jpeg(): ReturnType<Sharp>
  toBuffer(): Promise<Uint8Array>
  metadata(): Promise<{ readonly width: number; readonly height: number }>
}

/** Types that are read: no text, and nothing that could refer to other files. */
const readable = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'])
/**
 * Maximum bytes and pixels of an original. A larger one is shown as it is: making it smaller would
 * need too much memory.
 */
const maxBytes = 33_554_432
const maxPixels = 40_000_000
const limits = { limitInputPixels: maxPixels, failOn: 'error' }

/** The limits of originals, for other pictures that are made of them. */
export const sharpLimits = { maxBytes, options: limits }

/** Whether pictures of a type are read. */
export const isReadableImage = (mimetype: string) => readable.has(mimetype)

/**
 * Makes thumbnails with `sharp` when it is installed, one at a time, and stores them in a folder.
 */
export function createThumbnails(folder: string, contents: ContentStore, load = loadSharp): Thumbnails {
  let loading: Promise<Sharp | undefined> | undefined
  let last: Promise<unknown> = Promise.resolve()

  const make = async (
    { path, form, focus }: { path: string; form: ThumbnailForm; focus: FocalPoint },
    sharp: Sharp,
    hash: string,
    size: number
  ) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const beside = `${path}.${randomBytes(6).toString('hex')}`
    try {
      const original = await contents.read(hash, 0, size - 1)
      const [from, changing] =
        typeof form === 'number'
          ? [original, shrinkTo(sharp, form)]
          : form === 'card'
            ? await readCard(sharp, original)
            : await cutOut(sharp, original, pictureForms[form], focus)
      await pipeline(from, changing, createWriteStream(beside, { mode: 0o600 }))
      await rename(beside, path)
    } finally {
      await rm(beside, { force: true })
    }
  }

  return {
    async find(hash, mimetype, form, focus = centre) {
      if (!isContentHash(hash) || !readable.has(mimetype)) return undefined
      loading ??= load()
      const sharp = await loading
      if (!sharp) return undefined
      const path = join(folder, `${hash}-${nameOf(form, focus)}.${formatOf(form).extension}`)
      const known = await describe(path)
      if (known) return known
      const made = last.then(async () => {
        const again = await describe(path)
        if (again) return again
        const content = await contents.find(hash)
        if (!content || content.size === 0 || content.size > maxBytes) return undefined
        try {
          await make({ path, form, focus }, sharp, hash, content.size)
        } catch {
          // A picture that cannot be read is shown as it is; the browser reports the same.
          return undefined
        }
        return describe(path)
      })
      last = made.catch(() => {})
      return made
    },

    remove: hashes => {
      const removed = new Set(hashes)
      return removeWhere(async name => removed.has(name.slice(0, name.indexOf('-'))))
    },
    removeBefore: moment => removeWhere(async (_, path) => (await stat(path)).mtimeMs < moment)
  }

  async function removeWhere(isRemoved: (name: string, path: string) => Promise<boolean>) {
    try {
      for await (const { name } of await opendir(folder)) {
        const path = join(folder, name)
        if (await isRemoved(name, path)) await rm(path, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

const shrinkTo = (sharp: Sharp, width: number) =>
  sharp({ ...limits, sequentialRead: true })
    .rotate()
    .resize({ width, withoutEnlargement: true })
    .webp()

/** Cuts the largest part with given proportions out of a picture, around its focal point. */
async function cutOut(
  sharp: Sharp,
  original: Readable,
  size: { readonly width: number; readonly height: number },
  focus: FocalPoint
): Promise<[Readable, Duplex]> {
  const upright = await sharp(await buffer(original), limits)
    .rotate()
    .toBuffer()
  const { width, height } = await sharp(upright, limits).metadata()
  const scale = Math.min(width / size.width, height / size.height)
  const part = {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale))
  }
  const start = (whole: number, length: number, share: number) =>
    Math.round(Math.min(Math.max(whole * share - length / 2, 0), whole - length))
  const region = { left: start(width, part.width, focus.x), top: start(height, part.height, focus.y), ...part }
  return [Readable.from([upright]), sharp(limits).extract(region).resize(size).jpeg()]
}

/** Reads a picture whole; it is needed twice for a card. */
async function readCard(sharp: Sharp, original: Readable): Promise<[Readable, Duplex]> {
  const { card } = pictureForms
  const input = await sharp(await buffer(original), limits)
    .rotate()
    .resize({ ...card, fit: 'inside' })
    .toBuffer()
  const behind = await sharp(input, limits)
    .resize({ ...card, fit: 'cover' })
    .blur(40)
    .modulate({ brightness: 0.6 })
    .toBuffer()
  const composing = sharp(limits)
    .composite([{ input, gravity: 'centre' }])
    .jpeg()
  return [Readable.from([behind]), composing]
}

async function describe(path: string): Promise<Thumbnail | undefined> {
  try {
    return { path, size: (await stat(path)).size }
  } catch {
    return undefined
  }
}

/** Loads the package, which is optional. */
export async function loadSharp(): Promise<Sharp | undefined> {
  const name = 'sharp'
  try {
    return ((await import(name)) as { default: Sharp }).default
  } catch {
    return undefined
  }
}
