import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { isContentHash } from '#domain/entity/server-fields.ts'
import type { ContentStore } from './content-store.ts'

/** Widths in pixels; no others are made, so that their number is bounded. */
export const thumbnailWidths = [160, 320, 640, 1280] as const
export type ThumbnailWidth = (typeof thumbnailWidths)[number]

export const thumbnailType = 'image/webp'

export interface Thumbnail {
  readonly path: string
  readonly size: number
}

export interface Thumbnails {
  /**
   * Returns a smaller picture of content; undefined when none can be made, so that the original is
   * shown.
   */
  find(hash: string, mimetype: string, width: ThumbnailWidth): Promise<Thumbnail | undefined>
  /** Removes thumbnails that were made before a moment; they are made again when needed. */
  removeBefore(moment: number): Promise<void>
  /** Removes the thumbnails of content. */
  remove(hashes: readonly string[]): Promise<void>
}

/** The part of the package `sharp` that is used. */
export type Sharp = (options: object) => Duplex & {
  rotate(): ReturnType<Sharp>
  resize(options: object): ReturnType<Sharp>
  webp(): ReturnType<Sharp>
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

  const make = async (sharp: Sharp, hash: string, size: number, width: number, path: string) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const beside = `${path}.${randomBytes(6).toString('hex')}`
    try {
      const shrinking = sharp({ limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
        .rotate()
        .resize({ width, withoutEnlargement: true })
        .webp()
      await pipeline(await contents.read(hash, 0, size - 1), shrinking, createWriteStream(beside, { mode: 0o600 }))
      await rename(beside, path)
    } finally {
      await rm(beside, { force: true })
    }
  }

  return {
    async find(hash, mimetype, width) {
      if (!isContentHash(hash) || !readable.has(mimetype)) return undefined
      loading ??= load()
      const sharp = await loading
      if (!sharp) return undefined
      const path = join(folder, `${hash}-${width}.webp`)
      const known = await describe(path)
      if (known) return known
      const made = last.then(async () => {
        const again = await describe(path)
        if (again) return again
        const content = await contents.find(hash)
        if (!content || content.size === 0 || content.size > maxBytes) return undefined
        try {
          await make(sharp, hash, content.size, width, path)
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
        for (const width of thumbnailWidths) await rm(join(folder, `${hash}-${width}.webp`), { force: true })
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
