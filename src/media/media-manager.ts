import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

import { CatalogueError, notFound } from '#domain/errors.ts'
import type { ContentFacts } from '#domain/entity/server-fields.ts'
import type { Store } from '#store/store.ts'
import type { ContentStore, StoredContent } from './content-store.ts'
import { detectType, lookedAt } from './detect-type.ts'
import { explainDisk } from './filesystem/folder-store.ts'
import { readImageSize } from './image-size.ts'
import type { Piece, Upload, UploadFolder, UploadPlan } from './upload-folder.ts'

/** Writes down which bytes a record has; called while they cannot be cleaned away. */
export type Attach<T> = (facts: ContentFacts) => Promise<T>

/** Takes bytes in, keeps them under their hash, and gives them out. */
export interface MediaManager extends AsyncDisposable {
  /**
   * Takes bytes in at once, and says when all have arrived: to keep them may take a while yet.
   * Throws `media_too_large`, `checksum_mismatch`, `storage_full`, and `invalid` when the sender
   * broke off.
   */
  receive<T>(plan: UploadPlan, stream: Readable, attach: Attach<T>, arrived?: () => void): Promise<T>

  /** Begins an upload that can be resumed. */
  beginUpload(plan: UploadPlan): Promise<Upload>
  findUpload(id: string): Promise<Upload | undefined>
  /**
   * The upload when nobody adds to it any more: whoever does is stopped, so that how far it is
   * stays true until somebody goes on.
   */
  settleUpload(id: string): Promise<Upload | undefined>
  /**
   * Adds to an upload; whoever is still adding to it, over a connection that may be dead, is
   * stopped first.
   */
  appendToUpload(id: string, piece: Omit<Piece, 'stop'>): Promise<Upload>
  /** Keeps the bytes of an upload that is whole. Does nothing where that was done. */
  finishUpload(id: string, attach: Attach<unknown>): Promise<void>
  removeUpload(id: string): Promise<void>

  /** Throws `not_found`. */
  find(hash: string): Promise<StoredContent>
  read(hash: string, first: number, last: number): Promise<Readable>
  /** Does something with content while nobody else adds or removes the same. */
  alone<T>(hash: string, work: () => Promise<T>): Promise<T>
}

/**
 * In milliseconds: for how long a lock is taken, how often it is renewed, and how long it is waited
 * for.
 */
const lockedFor = 15_000
const renewedEvery = 5000
const waitedFor = 20_000

/** How one process at a time takes a task, also from one that is not there any more. */
export interface Tasks {
  newHolder(): string
  take(store: Store, task: string, holder: string, milliseconds: number): Promise<boolean>
}

export function createMediaManager(
  store: Store,
  contents: ContentStore,
  uploads: UploadFolder,
  tasks: Tasks
): MediaManager {
  /** What this process does with uploads just now, each with what stops it. */
  const busy = new Map<string, { readonly stop: AbortController; readonly done: Promise<unknown> }>()

  /** Does something under a name that only one at a time may do, in any process. */
  const locked = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const mine = tasks.newHolder()
    const until = performance.now() + waitedFor
    while (!(await tasks.take(store, name, mine, lockedFor))) {
      if (performance.now() > until)
        throw new CatalogueError('unavailable', 'Another process is busy with the same bytes; try again')
      await wait(50)
    }
    const renewing = setInterval(() => void store.holdLease(name, mine, lockedFor).catch(() => {}), renewedEvery)
    try {
      return await work()
    } finally {
      clearInterval(renewing)
      await store.releaseLease(name, mine)
    }
  }

  /**
   * One at a time for each upload, also among processes; in this one the newcomer stops who was
   * there.
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

  const keep = async <T>(upload: Upload, known: string | undefined, attach: Attach<T>): Promise<T> => {
    const path = uploads.pathOf(upload.id)
    const sha256 = known ?? (await hashFile(path))
    if (upload.sha256 !== undefined && upload.sha256 !== sha256) {
      await uploads.remove(upload.id)
      throw new CatalogueError('checksum_mismatch', `The bytes have the SHA-256 ${sha256}, not ${upload.sha256}`)
    }
    const facts = await describeFile(path, sha256, upload.offset)
    return alone(sha256, async () => {
      try {
        await contents.put(sha256, path, upload.offset)
      } catch (error) {
        throw explainDisk(error)
      }
      return attach(facts)
    })
  }

  return {
    async receive(plan, stream, attach, arrived) {
      const begun = await uploads.begin({ ...plan, isSingleRequest: true })
      try {
        const hash = createHash('sha256')
        const upload = await uploads.append(begun.id, { stream, offset: 0, hash })
        const isWhole = plan.length === undefined ? stream.readableEnded : upload.offset === plan.length
        if (!isWhole) throw brokenOff(upload.offset)
        arrived?.()
        return await keep(upload, hash.digest('hex'), attach)
      } finally {
        await uploads.remove(begun.id)
      }
    },

    beginUpload: plan => uploads.begin(plan),
    findUpload: id => uploads.find(id),
    settleUpload: id => onUpload(id, () => uploads.find(id)),
    appendToUpload: (id, piece) => onUpload(id, stop => uploads.append(id, { ...piece, stop: onStop(stop, piece) })),
    finishUpload: (id, attach) =>
      onUpload(id, async () => {
        const upload = await uploads.find(id)
        if (!upload) throw notFound('upload', id)
        if (upload.isFinished) return
        await keep(upload, undefined, attach)
        await uploads.finish(id)
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

/** A stream that waits for bytes that never come does not look at a signal: it is ended. */
function onStop(stop: AbortSignal, { stream }: Pick<Piece, 'stream'>): AbortSignal {
  stop.addEventListener('abort', () => stream.destroy(), { once: true })
  return stop
}

async function hashFile(path: string): Promise<string> {
  const hash: Hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** What the bytes themselves tell: never the name they came with. */
async function describeFile(path: string, sha256: string, size: number): Promise<ContentFacts> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(Math.min(size, lookedAt))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    const head = buffer.subarray(0, bytesRead)
    const mimetype = detectType(head)
    return { sha256, size, mimetype, ...readImageSize(mimetype, head) }
  } finally {
    await file.close()
  }
}

const brokenOff = (offset: number) =>
  new CatalogueError('invalid', `The bytes broke off after ${offset}`, {
    faults: [{ pointer: '', message: `Only ${offset} bytes arrived` }]
  })
