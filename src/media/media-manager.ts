import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

import { CatalogueError, notFound } from '#domain/errors.ts'
import type { ContentFacts } from '#domain/entity/server-fields.ts'
import type { Store } from '#store/store.ts'
import type { ContentStore, StoredContent } from './content-store.ts'
import { bytesToDetectType } from './detect-type.ts'
import { describeBytes } from './describe-bytes.ts'
import { explainDisk } from './filesystem/folder-store.ts'
import type { Piece, Upload, UploadFolder, UploadPlan } from './upload-folder.ts'

/** Writes the facts about bytes into their record; called while the bytes cannot be removed. */
export type Attach<T> = (facts: ContentFacts) => Promise<T>

/** Receives bytes, stores them under their hash, and serves them. */
export interface MediaManager extends AsyncDisposable {
  /**
   * Receives bytes in one request. `arrived` resolves when all have arrived: storing them may take
   * longer. Throws `media_too_large`, `checksum_mismatch`, `storage_full`, and `invalid` when the
   * sender disconnected.
   */
  receive<T>(plan: UploadPlan, stream: Readable, attach: Attach<T>, arrived?: () => void): Promise<T>

  /**
   * Begins an upload that can be resumed. Throws `media_too_large` when the unfinished uploads of
   * its owner are too many.
   */
  beginUpload(plan: UploadPlan): Promise<Upload>
  findUpload(id: string): Promise<Upload | undefined>
  /**
   * Returns the upload after stopping a request that still adds to it, so that the offset stays
   * correct until the next piece.
   */
  settleUpload(id: string): Promise<Upload | undefined>
  /**
   * Adds a piece to an upload; stops an earlier request first that still adds to it, perhaps over a
   * dead connection.
   */
  appendToUpload(id: string, piece: Omit<Piece, 'stop'>): Promise<Upload>
  /** Stores the bytes of a complete upload. Does nothing when that was done already. */
  finishUpload(id: string, attach: Attach<unknown>): Promise<void>
  removeUpload(id: string): Promise<void>

  /** Throws `not_found`. */
  find(hash: string): Promise<StoredContent>
  read(hash: string, first: number, last: number): Promise<Readable>
  /** Runs work while no other process adds or removes the same content. */
  alone<T>(hash: string, work: () => Promise<T>): Promise<T>
}

/**
 * Milliseconds: the duration of a lock, the interval of its renewal, and the maximum time to wait
 * for it.
 */
const lockDuration = 15_000
const renewedEvery = 5000
const waitedFor = 20_000

/** Takes a task for one process at a time, also from a process that has ended. */
export interface Tasks {
  newHolder(): string
  take(store: Store, task: string, holder: string, milliseconds: number): Promise<boolean>
}

/** Maximum number of the unfinished uploads of one owner, and of their bytes together. */
export interface UploadQuota {
  readonly uploads: number
  readonly bytes: number
  /** Maximum number of bytes that one owner stores in a day (UTC); undefined for no limit. */
  readonly bytesPerDay: number | undefined
}

/** The kind of state that counts the bytes of each owner. */
const countKind = 'media bytes'

/** The bytes that an owner stored on the last day on which it stored any. */
interface StoredBytes {
  readonly day: string
  readonly bytes: number
}

export function createMediaManager(
  store: Store,
  contents: ContentStore,
  uploads: UploadFolder,
  tasks: Tasks,
  quota: UploadQuota
): MediaManager {
  /** Uploads that this process works on, each with its way to stop. */
  const busy = new Map<string, { readonly stop: AbortController; readonly done: Promise<unknown> }>()

  const locked = createLock(store, tasks)
  /**
   * Runs work on an upload, one at a time in all processes; in this process the newcomer stops the
   * earlier one.
   */
  const onUpload = async <T>(id: string, work: (stop: AbortSignal) => Promise<T>): Promise<T> => {
    for (let current = busy.get(id); current; current = busy.get(id)) {
      current.stop.abort()
      await current.done.catch(() => {})
    }
    const stop = new AbortController()
    const done = locked(`upload ${id}`, () => work(stop.signal))
    busy.set(id, { stop, done })
    try {
      return await done
    } finally {
      busy.delete(id)
    }
  }

  const alone = <T>(hash: string, work: () => Promise<T>) => locked(`content ${hash}`, work)

  const checkDay = createDailyLimit(store, quota.bytesPerDay, locked)

  const keep = async <T>(upload: Upload, known: string | undefined, attach: Attach<T>): Promise<T> => {
    const path = uploads.pathOf(upload.id)
    const sha256 = known ?? (await hashFile(path))
    if (upload.sha256 !== undefined && upload.sha256 !== sha256) {
      await uploads.remove(upload.id)
      throw new CatalogueError('checksum_mismatch', `The bytes have the SHA-256 ${sha256}, not ${upload.sha256}`)
    }
    const facts = await describeFile(path, sha256, upload.offset)
    await checkDay(upload.owner, upload.offset, true)
    return alone(sha256, async () => {
      try {
        await contents.put(sha256, path, upload.offset)
      } catch (error) {
        // Nothing was stored, so nothing counts.
        await checkDay(upload.owner, -upload.offset, true).catch(() => {})
        throw explainDisk(error)
      }
      return attach(facts)
    })
  }

  return {
    async receive(plan, stream, attach, arrived) {
      await checkDay(plan.owner, plan.length ?? 0, false)
      const begun = await uploads.begin({ ...plan, isSingleRequest: true })
      try {
        const hash = createHash('sha256')
        const upload = await uploads.append(begun.id, { stream, offset: 0, hash })
        const isWhole = plan.length === undefined ? stream.readableEnded : upload.offset === plan.length
        if (!isWhole) throw brokenOff(upload.offset)
        arrived?.()
        return await keep(upload, hash.digest('hex'), attach)
      } finally {
        // The clean-up removes what is left.
        await uploads.remove(begun.id).catch(() => {})
      }
    },

    async beginUpload(plan) {
      await refuseBeyondQuota(uploads, plan, quota)
      await checkDay(plan.owner, plan.length ?? 0, false)
      return uploads.begin(plan)
    },
    findUpload: id => uploads.find(id),
    settleUpload: id => onUpload(id, () => uploads.find(id)),
    appendToUpload: (id, piece) => onUpload(id, stop => uploads.append(id, { ...piece, stop: onStop(stop, piece) })),
    finishUpload: (id, attach) =>
      onUpload(id, async () => {
        const upload = await uploads.find(id)
        if (!upload) throw notFound('upload', id)
        if (upload.isFinished) return
        await keep(upload, undefined, attach)
        // The bytes are attached; finishing again attaches the same ones.
        await uploads.finish(id).catch(() => {})
      }),
    removeUpload: id => onUpload(id, () => uploads.remove(id)),

    async find(hash) {
      const found = await contents.find(hash)
      if (!found) throw notFound('content', hash)
      return found
    },
    read: (hash, first, last) => contents.read(hash, first, last),
    alone,

    async [Symbol.asyncDispose]() {
      for (const { stop } of busy.values()) stop.abort()
      await Promise.allSettled([...busy.values()].map(each => each.done))
      await contents[Symbol.asyncDispose]()
    }
  }
}

/** Runs work under a name that only one process at a time can hold. */
const createLock =
  (store: Store, tasks: Tasks) =>
  async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const mine = tasks.newHolder()
    const until = performance.now() + waitedFor
    while (!(await tasks.take(store, name, mine, lockDuration))) {
      if (performance.now() > until)
        throw new CatalogueError('unavailable', 'Another process is busy with the same bytes; try again')
      await wait(50)
    }
    const renewing = setInterval(() => void store.holdLease(name, mine, lockDuration).catch(() => {}), renewedEvery)
    try {
      return await work()
    } finally {
      clearInterval(renewing)
      // It expires by itself; the work may be committed by now, and must not fail.
      await store.releaseLease(name, mine).catch(() => {})
    }
  }

/**
 * Throws when an owner may not store as many bytes today; counts them with `isStored`. Fewer than
 * none are bytes that could not be stored.
 */
const createDailyLimit =
  (store: Store, bytesPerDay: number | undefined, locked: ReturnType<typeof createLock>) =>
  async (owner: string, length: number, isStored: boolean): Promise<void> => {
    if (bytesPerDay === undefined) return
    const check = async () => {
      const day = new Date().toISOString().slice(0, 10)
      const bytes = Math.max(0, (await findBytesOf(store, owner, day)) + length)
      if (bytes > bytesPerDay)
        throw new CatalogueError(
          'media_too_large',
          `This token may store at most ${bytesPerDay} bytes of media files in a day; try again after midnight (UTC)`
        )
      const value = JSON.stringify({ day, bytes } satisfies StoredBytes)
      if (isStored)
        await store.write({ writes: [], by: `media:${owner}`, state: [{ kind: countKind, key: owner, value }] })
    }
    await (isStored ? locked(`media bytes ${owner}`, check) : check())
  }

async function findBytesOf(store: Store, owner: string, day: string): Promise<number> {
  const found = (await store.findState(countKind, [owner])).get(owner)
  const stored = found === undefined ? undefined : (JSON.parse(found) as StoredBytes)
  return stored?.day === day ? stored.bytes : 0
}

/** A stream that waits for bytes does not notice a signal; it is destroyed. */
function onStop(stop: AbortSignal, { stream }: Pick<Piece, 'stream'>): AbortSignal {
  stop.addEventListener('abort', () => stream.destroy(), { once: true })
  return stop
}

async function hashFile(path: string): Promise<string> {
  const hash: Hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function describeFile(path: string, sha256: string, size: number): Promise<ContentFacts> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(Math.min(size, bytesToDetectType))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    return describeBytes(buffer.subarray(0, bytesRead), sha256, size)
  } finally {
    await file.close()
  }
}

const brokenOff = (offset: number) =>
  new CatalogueError('invalid', `The bytes broke off after ${offset}`, {
    faults: [{ pointer: '', message: `Only ${offset} bytes arrived` }]
  })

/** Throws when an owner has too many unfinished uploads, or too many bytes in them. */
async function refuseBeyondQuota(uploads: UploadFolder, { owner, length = 0 }: UploadPlan, quota: UploadQuota) {
  let open = 0
  let bytes = length
  for await (const each of uploads.list()) {
    if (each.owner !== owner || each.isFinished) continue
    open++
    bytes += each.length ?? each.offset
  }
  if (open >= quota.uploads)
    throw new CatalogueError(
      'media_too_large',
      `This token has ${quota.uploads} unfinished uploads, and may have no more; finish or delete some`
    )
  if (bytes > quota.bytes)
    throw new CatalogueError(
      'media_too_large',
      `The unfinished uploads of this token may have at most ${quota.bytes} bytes together; finish or delete some`
    )
}
