import { createHash, type Hash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { CatalogueError, notFound } from '#domain/errors.ts'
import { explainDisk, syncFolders } from './filesystem/folder-store.ts'

/** What is said of an upload when it begins. */
export interface UploadPlan {
  /** The record that the bytes are for. */
  readonly entityId: string
  /** Who may go on with it: the key of a principal. */
  readonly owner: string
  /** How many bytes there will be, where that is known. */
  readonly length?: number
  /** SHA-256 of all bytes in hexadecimal, where the sender says it. */
  readonly sha256?: string
  /** All bytes come in the request that began it; nobody can go on with it. */
  readonly isSingleRequest?: boolean
}

export interface Upload extends UploadPlan {
  readonly id: string
  /** How many bytes have arrived. */
  readonly offset: number
  readonly begunAt: number
  /** When bytes last arrived; when it began where none have. */
  readonly arrivedAt: number
  /** Whether the bytes are kept as content; they are not here any more then. */
  readonly isFinished: boolean
}

export interface Piece {
  readonly stream: Readable
  /** Where it begins; must be where the upload ends so far. */
  readonly offset: number
  /** What its bytes must hash to, or else the piece is dropped. */
  readonly checksum?: { readonly algorithm: 'sha1' | 'sha256'; readonly digest: Buffer } | undefined
  /** A digest that is kept up to date with what arrives. */
  readonly hash?: Hash
  readonly stop?: AbortSignal
}

/**
 * Uploads that are not whole yet, as files: `<id>.bytes`, and `<id>.json` for what is known of it.
 * Ids are our own, never a name that was sent.
 */
export interface UploadFolder {
  begin(plan: UploadPlan): Promise<Upload>
  find(id: string): Promise<Upload | undefined>
  /**
   * Adds what arrives to an upload, and resolves to it when the piece is over, also when that was
   * too early: what has arrived is kept. Throws `offset_mismatch`, `media_too_large`,
   * `checksum_mismatch` and `storage_full`; nothing of the piece is kept then.
   */
  append(id: string, piece: Piece): Promise<Upload>
  pathOf(id: string): string
  /** Notes that the bytes are kept elsewhere; the note stays until the upload is removed. */
  finish(id: string): Promise<void>
  remove(id: string): Promise<void>
  list(): AsyncIterable<Upload>
  /**
   * Removes files that belong to no upload, as a process that is killed leaves them, where they are
   * older than a moment. Gives how many.
   */
  removeOrphans(before: number): Promise<number>
}

const idPattern = /^[0-9a-f]{32}$/

export function createUploadFolder(folder: string, mostBytes: number): UploadFolder {
  const fileOf = (id: string, ending: string) => {
    if (!idPattern.test(id)) throw notFound('upload', id)
    return join(folder, `${id}.${ending}`)
  }

  const writePlan = async (id: string, plan: object) => {
    const path = fileOf(id, 'json')
    // Written through before it has its name: a loss of power leaves the one before, or this one
    // whole.
    await writeFile(`${path}.part`, JSON.stringify(plan), { mode: 0o600, flush: true })
    await rename(`${path}.part`, path)
  }

  const find = async (id: string): Promise<Upload | undefined> => {
    if (!idPattern.test(id)) return undefined
    try {
      const plan = JSON.parse(await readFile(fileOf(id, 'json'), 'utf8')) as Upload
      if (plan.isFinished) return { ...plan, arrivedAt: plan.arrivedAt ?? plan.begunAt }
      const { size, mtimeMs } = await stat(fileOf(id, 'bytes'))
      return { ...plan, id, offset: size, arrivedAt: mtimeMs, isFinished: false }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  const read = async (id: string): Promise<Upload> => {
    const upload = await find(id)
    if (!upload) throw notFound('upload', id)
    return upload
  }

  return {
    async begin(plan) {
      if (plan.length !== undefined && plan.length > mostBytes) throw tooLarge(mostBytes)
      const id = randomBytes(16).toString('hex')
      const begunAt = Date.now()
      try {
        const made = await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(fileOf(id, 'bytes'), '', { flag: 'wx', mode: 0o600 })
        await writePlan(id, { ...plan, begunAt })
        // What is answered for later is under these names.
        await syncFolders(folder, made)
      } catch (error) {
        throw explainDisk(error)
      }
      return { ...plan, id, offset: 0, begunAt, arrivedAt: begunAt, isFinished: false }
    },

    find,

    async append(id, piece) {
      const upload = await read(id)
      if (upload.isFinished || upload.offset !== piece.offset) {
        throw new CatalogueError('offset_mismatch', `The upload has ${upload.offset} bytes, not ${piece.offset}`, {
          about: ['offset', String(upload.offset)],
          extra: { offset: upload.offset }
        })
      }
      const most = Math.min(mostBytes, upload.length ?? mostBytes)
      const file = await open(fileOf(id, 'bytes'), 'r+')
      try {
        const offset = await writePiece(file, piece, most, upload.length === undefined)
        await file.datasync()
        return { ...upload, offset }
      } catch (error) {
        await file.truncate(piece.offset)
        throw explainDisk(error)
      } finally {
        await file.close()
      }
    },

    pathOf: id => fileOf(id, 'bytes'),

    async finish(id) {
      const upload = await read(id)
      await writePlan(id, { ...upload, isFinished: true })
      await rm(fileOf(id, 'bytes'), { force: true })
    },

    async remove(id) {
      if (!idPattern.test(id)) return
      await rm(fileOf(id, 'bytes'), { force: true })
      await rm(fileOf(id, 'json'), { force: true })
    },

    async *list() {
      for await (const name of namesIn(folder)) {
        const upload = name.endsWith('.json') ? await find(name.slice(0, -'.json'.length)) : undefined
        if (upload) yield upload
      }
    },

    async removeOrphans(before) {
      let removed = 0
      for await (const name of namesIn(folder)) {
        const [id = '', ...endings] = name.split('.')
        if (!idPattern.test(id)) continue
        const isUnfinishedPlan = endings.join('.') === 'json.part'
        if (!isUnfinishedPlan && (await find(id))) continue
        const path = join(folder, name)
        const found = await stat(path).catch(() => undefined)
        if (!found || found.mtimeMs >= before) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    }
  }
}

/** The names in a folder; none where there is no folder. */
async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/**
 * Writes what arrives, one chunk after the other, so that no more than that is in memory. Gives
 * where it ended.
 */
async function writePiece(file: FileHandle, piece: Piece, most: number, isOpenEnded: boolean): Promise<number> {
  const { stream, checksum, stop, hash } = piece
  const digest = checksum && createHash(checksum.algorithm)
  let offset = piece.offset
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (offset + chunk.length > most) throw isOpenEnded ? tooLarge(most) : beyondLength(most)
      for (let written = 0; written < chunk.length; )
        written += (await file.write(chunk, written, chunk.length - written, offset + written)).bytesWritten
      offset += chunk.length
      digest?.update(chunk)
      hash?.update(chunk)
      if (stop?.aborted) break
    }
  } catch (error) {
    // A connection that is cut is no fault of the bytes that came through it; anything else is.
    if (!isCut(error)) throw error
    if (checksum) throw mismatch()
    return offset
  }
  if (checksum && digest && !digest.digest().equals(checksum.digest)) throw mismatch()
  return offset
}

const isCut = (error: unknown) =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ABORT_ERR', 'ERR_STREAM_DESTROYED'].includes(
    (error as NodeJS.ErrnoException).code ?? ''
  ) || (error as Error).message === 'aborted'

const mismatch = () =>
  new CatalogueError('checksum_mismatch', 'The bytes do not have the checksum that was sent with them')

const tooLarge = (most: number) => new CatalogueError('media_too_large', `A media file may have ${most} bytes`)

const beyondLength = (length: number) =>
  new CatalogueError('media_too_large', `The upload was said to have ${length} bytes; more were sent`)
