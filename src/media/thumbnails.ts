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
/** The size of pictures for previews of links: the whole original, on a blurred enlargement. */
export const card = { width: 1200, height: 630 } as const
export type ThumbnailForm = (typeof thumbnailWidths)[number] | 'card'

export const thumbnailType = 'image/webp'
/** Programs that show previews of links read it more often than WebP. */
export const cardType = 'image/jpeg'

export interface Thumbnail {
  readonly path: string
  readonly size: number
}

export interface Thumbnails {
  /**
   * Returns a smaller picture of content; undefined when none can be made, so that the original is
   * shown.
   */
  find(hash: string, mimetype: string, form: ThumbnailForm): Promise<Thumbnail | undefined>
  /** Removes thumbnails that were made before a moment; they are made again when needed. */
  removeBefore(moment: number): Promise<void>
  /** Removes the thumbnails of content. */
  remove(hashes: readonly string[]): Promise<void>
}

/** The part of the package `sharp` that is used. */
export type Sharp = (...given: readonly [object] | readonly [Uint8Array, object]) => Duplex & {
  rotate(): ReturnType<Sharp>
  resize(options: object): ReturnType<Sharp>
  blur(sigma: number): ReturnType<Sharp>
  modulate(options: object): ReturnType<Sharp>
  composite(layers: readonly object[]): ReturnType<Sharp>
  webp(): ReturnType<Sharp>
  jpeg(): ReturnType<Sharp>
  toBuffer(): Promise<Uint8Array>
}

/** Types that are read: no text, and nothing that could refer to other files. */
const readable = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'])
/**
 * Maximum bytes and pixels of an original. A larger one is shown as it is: making it smaller would
 * need too much memory.
 */
const maxBytes = 33_554_432
const maxPixels = 40_000_000

/**
 * Makes thumbnails with `sharp` when it is installed, one at a time, and stores them in a folder.
 */
export function createThumbnails(folder: string, contents: ContentStore, load = loadSharp): Thumbnails {
  let loading: Promise<Sharp | undefined> | undefined
  let last: Promise<unknown> = Promise.resolve()

  const pathOf = (hash: string, form: ThumbnailForm) =>
    join(folder, `${hash}-${form}.${form === 'card' ? 'jpg' : 'webp'}`)

  const make = async (sharp: Sharp, hash: string, size: number, form: ThumbnailForm, path: string) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const beside = `${path}.${randomBytes(6).toString('hex')}`
    try {
      const original = await contents.read(hash, 0, size - 1)
      const [from, changing] = form === 'card' ? await readCard(sharp, original) : [original, shrinkTo(sharp, form)]
      await pipeline(from, changing, createWriteStream(beside, { mode: 0o600 }))
      await rename(beside, path)
    } finally {
      await rm(beside, { force: true })
    }
  }

  return {
    async find(hash, mimetype, form) {
      if (!isContentHash(hash) || !readable.has(mimetype)) return undefined
      loading ??= load()
      const sharp = await loading
      if (!sharp) return undefined
      const path = pathOf(hash, form)
      const known = await describe(path)
      if (known) return known
      const made = last.then(async () => {
        const again = await describe(path)
        if (again) return again
        const content = await contents.find(hash)
        if (!content || content.size === 0 || content.size > maxBytes) return undefined
        try {
          await make(sharp, hash, content.size, form, path)
        } catch {
          // A picture that cannot be read is shown as it is; the browser reports the same.
          return undefined
        }
        return describe(path)
      })
      last = made.catch(() => {})
      return made
    },

    async remove(hashes) {
      for (const hash of hashes.filter(isContentHash))
        for (const form of [...thumbnailWidths, 'card'] as const) await rm(pathOf(hash, form), { force: true })
    },

    async removeBefore(moment) {
      try {
        for await (const { name } of await opendir(folder)) {
          const path = join(folder, name)
          if ((await stat(path)).mtimeMs < moment) await rm(path, { force: true })
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }
}

const limits = { limitInputPixels: maxPixels, failOn: 'error' }

const shrinkTo = (sharp: Sharp, width: number) =>
  sharp({ ...limits, sequentialRead: true })
    .rotate()
    .resize({ width, withoutEnlargement: true })
    .webp()

/** Reads a picture whole; it is needed twice for a card. */
async function readCard(sharp: Sharp, original: Readable): Promise<[Readable, Duplex]> {
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
async function loadSharp(): Promise<Sharp | undefined> {
  const name = 'sharp'
  try {
    return ((await import(name)) as { default: Sharp }).default
  } catch {
    return undefined
  }
}
