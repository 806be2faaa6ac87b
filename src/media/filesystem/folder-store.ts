import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { CatalogueError, notFound } from '#domain/errors.ts'
import { type ContentStore, isContentHash, type StoredContent } from '../content-store.ts'

/**
 * Keeps content in a folder: `content/ab/cdef…`, the first two letters of the hash as a folder, so
 * that none grows too long. The folder is made when something is first put there.
 */
export function openFolderStore(folder: string): ContentStore {
  const root = join(folder, 'content')
  const pathOf = (hash: string) => {
    // Only ever a hash: nothing that a client names becomes a path.
    if (!isContentHash(hash)) throw new Error('Not a content hash')
    return join(root, hash.slice(0, 2), hash.slice(2))
  }

  return {
    async put(hash, path, size) {
      const target = pathOf(hash)
      const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const now = new Date()
      await utimes(path, now, now)
      await linkTo(path, target)
      await syncFolders(dirname(target), made)
      const { size: kept } = await stat(target)
      if (kept !== size) throw new Error(`Content ${hash} has ${kept} bytes, not ${size}`)
    },

    async find(hash) {
      const found = await statOrNothing(pathOf(hash))
      return found && { hash, size: found.size, keptAt: found.mtimeMs }
    },

    async read(hash, first, last) {
      const path = pathOf(hash)
      if (!(await statOrNothing(path))) throw notFound('content', hash)
      return createReadStream(path, { start: first, end: last })
    },

    async remove(hash) {
      await rm(pathOf(hash), { force: true })
    },

    async *list() {
      for await (const shelf of entriesOf(root)) {
        for await (const name of entriesOf(join(root, shelf))) {
          const kept = await describe(root, shelf, name)
          if (kept) yield kept
        }
      }
    },

    async removeInterrupted(before) {
      for await (const shelf of entriesOf(root)) {
        for await (const name of entriesOf(join(root, shelf))) {
          if (!besidePattern.test(name)) continue
          const path = join(root, shelf, name)
          const found = await statOrNothing(path)
          if (found && found.mtimeMs < before) await rm(path, { force: true })
        }
      }
    },

    async [Symbol.asyncDispose]() {}
  }
}

/** The name under which content is put before it gets its own. */
const besidePattern = /^[0-9a-f]{62}\.[0-9a-f]{12}$/

async function describe(root: string, shelf: string, name: string): Promise<StoredContent | undefined> {
  const hash = shelf + name
  if (!isContentHash(hash)) return undefined
  const found = await statOrNothing(join(root, shelf, name))
  return found && { hash, size: found.size, keptAt: found.mtimeMs }
}

/**
 * A second name for the file, or a copy where the two are on different disks; whole under its name
 * or not there at all.
 */
async function linkTo(from: string, to: string) {
  const beside = `${to}.${randomBytes(6).toString('hex')}`
  try {
    await link(from, beside)
  } catch (error) {
    // Another disk, or a file system that knows no second names.
    if (!['EXDEV', 'EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    try {
      await copyFile(from, beside)
      await syncFile(beside)
    } catch (cause) {
      await rm(beside, { force: true })
      throw cause
    }
  }
  await rename(beside, to)
  // Of two names of one file a rename takes none away.
  await rm(beside, { force: true })
}

async function* entriesOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) yield entry.name
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

async function statOrNothing(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function syncFile(path: string) {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Writes a folder through, and those above it that had to be made for it; `made` is the highest of
 * these. A name lasts through a loss of power only when its folder was written too.
 */
export async function syncFolders(folder: string, made: string | undefined) {
  const highest = made === undefined ? resolve(folder) : dirname(resolve(made))
  for (let each = resolve(folder); each.length >= highest.length; each = dirname(each)) {
    await syncFile(each).catch((error: NodeJS.ErrnoException) => {
      // One may be allowed to make a folder in another and not to open that.
      if (each === resolve(folder) || error.code !== 'EACCES') throw error
    })
    if (each === dirname(each)) break
  }
}

/** What a full disk says, in the catalogue's words; any other error as it is. */
export function explainDisk(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new CatalogueError('storage_full', 'There is no space left for media files', { cause: error })
}
