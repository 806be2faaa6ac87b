import { createHash, type Hash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { CatalogueError, notFound } from '#domain/errors.ts'
import { explainDisk, syncFolders } from './filesystem/folder-store.ts'

/** The facts about an upload that are known at its beginning. */
export interface UploadPlan {
  /** The record that the bytes are for. */
  readonly entityId: string
  /** The key of the principal who may resume it. */
  readonly owner: string
  /** The total number of bytes, if it is known. */
  readonly length?: number
  /** SHA-256 of all bytes in hexadecimal, if the sender gave it. */
  readonly sha256?: string
  /** True when all bytes come in the request that began it; such an upload cannot be resumed. */
  readonly isSingleRequest?: boolean
}

export interface Upload extends UploadPlan {
  readonly id: string
  /** Number of bytes that have arrived. */
  readonly offset: number
  readonly begunAt: number
  /** Time of the last arrival of bytes; of the beginning when none have arrived. */
  readonly arrivedAt: number
  /** Whether the bytes are stored as content; they are not in this folder any more then. */
  readonly isFinished: boolean
}

export interface Piece {
  readonly stream: Readable
  /** The position of the first byte; must be the current end of the upload. */
  readonly offset: number
  /** The expected hash of the piece; a piece with another hash is dropped. */
  readonly checksum?: { readonly algorithm: 'sha1' | 'sha256'; readonly digest: Buffer } | undefined
  /** A digest that is updated with the bytes that arrive. */
  readonly hash?: Hash
  readonly stop?: AbortSignal
}

/**
 * Incomplete uploads as files: `<id>.bytes`, and `<id>.json` for the facts. Ids are made here,
 * never names from clients.
 */
export interface UploadFolder {
  begin(plan: UploadPlan): Promise<Upload>
  find(id: string): Promise<Upload | undefined>
  /**
   * Adds a piece to an upload, and resolves to the upload when the piece has ended, also when it
   * ended too early: the bytes that arrived are stored. Throws `offset_mismatch`,
   * `media_too_large`, `checksum_mismatch` and `storage_full`; the piece is dropped then.
   */
  append(id: string, piece: Piece): Promise<Upload>
  pathOf(id: string): string
  /** Notes that the bytes are stored elsewhere; the note stays until the upload is removed. */
  finish(id: string): Promise<void>
  remove(id: string): Promise<void>
  list(): AsyncIterable<Upload>
  /**
   * Removes files that belong to no upload and are older than a moment; killed processes leave such
   * files. Returns their number.
   */
  removeOrphans(before: number): Promise<number>
}

const idPattern = /^[0-9a-f]{32}$/

export function createUploadFolder(folder: string, maxBytes: number): UploadFolder {
  const fileOf = (id: string, ending: string) => {
    if (!idPattern.test(id)) throw notFound('upload', id)
    return join(folder, `${id}.${ending}`)
  }

  const writePlan = async (id: string, plan: object) => {
    const path = fileOf(id, 'json')
    // Flushed to disk before it gets its name: a power loss leaves the previous file or the whole
    // new one.
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
      if (plan.length !== undefined && plan.length > maxBytes) throw tooLarge(maxBytes)
      const id = randomBytes(16).toString('hex')
      const begunAt = Date.now()
      try {
        const made = await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(fileOf(id, 'bytes'), '', { flag: 'wx', mode: 0o600 })
        await writePlan(id, { ...plan, begunAt })
        // Later requests read the state from these files.
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
      const maxEnd = Math.min(maxBytes, upload.length ?? maxBytes)
      const file = await open(fileOf(id, 'bytes'), 'r+')
      try {
        const offset = await writePiece(file, piece, maxEnd, upload.length === undefined)
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

/** The names in a folder; none when there is no folder. */
async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/**
 * Writes the bytes one chunk after the other, so that only one chunk is in memory. Returns the end
 * position.
 */
async function writePiece(file: FileHandle, piece: Piece, maxBytes: number, isOpenEnded: boolean): Promise<number> {
  const { stream, checksum, stop, hash } = piece
  const digest = checksum && createHash(checksum.algorithm)
  let offset = piece.offset
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (offset + chunk.length > maxBytes) throw isOpenEnded ? tooLarge(maxBytes) : beyondLength(maxBytes)
      for (let written = 0; written < chunk.length; )
        written += (await file.write(chunk, written, chunk.length - written, offset + written)).bytesWritten
      offset += chunk.length
      digest?.update(chunk)
      hash?.update(chunk)
      if (stop?.aborted) break
    }
  } catch (error) {
    // The bytes before a broken connection are good; any other error is reported.
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

const tooLarge = (maxBytes: number) =>
  new CatalogueError('media_too_large', `A media file may have at most ${maxBytes} bytes`)

const beyondLength = (length: number) =>
  new CatalogueError('media_too_large', `The upload was announced with ${length} bytes; more were sent`)
