import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, open, opendir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { CatalogueError, notFound } from '#domain/errors.ts'
import { isContentHash } from '#domain/entity/server-fields.ts'
import type { ContentStore, StoredContent } from '../content-store.ts'

/**
 * Stores content in a folder: `content/ab/cdef…`, with the first two letters of the hash as a
 * subfolder, so that no folder grows too long. The folder is created when something is first
 * stored.
 */
export function openFolderStore(folder: string): ContentStore {
  const root = join(folder, 'content')
  const pathOf = (hash: string) => {
    // Only a hash becomes a path, never a name from a client.
    if (!isContentHash(hash)) throw new Error('Not a content hash')
    return join(root, hash.slice(0, 2), hash.slice(2))
  }

  return {
    check: () => checkFolder(root, 'MEDIA_URL'),

    async put(hash, path, size) {
      const target = pathOf(hash)
      const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const now = new Date()
      await utimes(path, now, now)
      await linkTo(path, target)
      await syncFolders(dirname(target), made)
      const { size: stored } = await stat(target)
      if (stored !== size) throw new Error(`Content ${hash} has ${stored} bytes, not ${size}`)
    },

    async find(hash) {
      const found = await statOrNothing(pathOf(hash))
      return found && { hash, size: found.size, storedAt: found.mtimeMs }
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
          const stored = await describe(root, shelf, name)
          if (stored) yield stored
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

/**
 * Throws an Error in words for a folder that nothing can be stored in; `setting` names it. It need
 * not exist yet, and it is not created. A full disk is no reason: what it has can be read.
 */
export async function checkFolder(folder: string, setting: string): Promise<void> {
  // Creating a folder with its parents would never end in a file system such as /proc.
  let existing = resolve(folder)
  while (!existsSync(existing)) existing = dirname(existing)
  try {
    await rmdir(await mkdtemp(join(existing, '.libretto-')))
  } catch (error) {
    if (explainDisk(error) !== error) return
    throw new Error(`${setting}: nothing can be stored in the folder "${folder}": ${(error as Error).message}`, {
      cause: error
    })
  }
}

/** The name of content while it is being written. */
const besidePattern = /^[0-9a-f]{62}\.[0-9a-f]{12}$/

async function describe(root: string, shelf: string, name: string): Promise<StoredContent | undefined> {
  const hash = shelf + name
  if (!isContentHash(hash)) return undefined
  const found = await statOrNothing(join(root, shelf, name))
  return found && { hash, size: found.size, storedAt: found.mtimeMs }
}

/**
 * Gives the file a second name, or copies it when the two are on different disks; the new name
 * appears only when the file is complete.
 */
async function linkTo(from: string, to: string) {
  const beside = `${to}.${randomBytes(6).toString('hex')}`
  try {
    await link(from, beside)
  } catch (error) {
    // Another disk, or a file system without hard links.
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
  // Renaming one of two names of the same file removes neither.
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
 * Flushes a folder to disk, and the folders above it that had to be created; `made` is the highest
 * of these. A name survives a power loss only when its folder was flushed, too.
 */
export async function syncFolders(folder: string, made: string | undefined) {
  const highest = made === undefined ? resolve(folder) : dirname(resolve(made))
  for (let each = resolve(folder); each.length >= highest.length; each = dirname(each)) {
    await syncFile(each).catch((error: NodeJS.ErrnoException) => {
      // A process may have the right to create a folder inside another, and not to open the other.
      if (each === resolve(folder) || error.code !== 'EACCES') throw error
    })
    if (each === dirname(each)) break
  }
}

/**
 * Turns the error of a full disk into an error of the catalogue; returns any other error as it is.
 */
export function explainDisk(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new CatalogueError('storage_full', 'No space is left for media files', { cause: error })
}
