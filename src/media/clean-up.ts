import { contentHashField } from '#domain/entity/server-fields.ts'
import type { Store } from '#store/store.ts'
import type { ContentStore } from './content-store.ts'
import type { MediaManager } from './media-manager.ts'
import type { UploadFolder } from './upload-folder.ts'

export interface CleanUpReport {
  readonly contents: number
  readonly bytes: number
  readonly uploads: number
}

export interface CleanUpParts {
  readonly store: Store
  readonly manager: MediaManager
  readonly contents: ContentStore
  readonly uploads: UploadFolder
}

/**
 * Milliseconds without new bytes after which an upload in one request was left by a killed process.
 */
const maxIdleRequest = 3_600_000

/**
 * Removes content that no record uses, and abandoned uploads, both when they were stored before a
 * moment. A process that receives the same bytes meanwhile waits for the lock and stores them
 * again: content is never removed between its arrival and the record that refers to it.
 *
 * Also removes leftovers of killed processes: uploads in one request, which cannot be resumed, and
 * files without an upload.
 */
export async function cleanUpMedia(
  { store, manager, contents, uploads }: CleanUpParts,
  before: { readonly contents: number; readonly uploads: number }
): Promise<CleanUpReport> {
  const removed = { contents: 0, bytes: 0, uploads: 0 }
  for await (const { hash, storedAt } of contents.list()) {
    if (storedAt >= before.contents || (await isUsed(store, hash))) continue
    await manager.alone(hash, async () => {
      const found = await contents.find(hash)
      if (!found || found.storedAt >= before.contents || (await isUsed(store, hash))) return
      await contents.remove(hash)
      removed.contents++
      removed.bytes += found.size
    })
  }
  const interrupted = Date.now() - maxIdleRequest
  for await (const { id, begunAt, arrivedAt, isSingleRequest = false } of uploads.list()) {
    if (begunAt >= before.uploads && !(isSingleRequest && arrivedAt < interrupted)) continue
    await manager.removeUpload(id)
    removed.uploads++
  }
  removed.uploads += await uploads.removeOrphans(interrupted)
  await contents.removeInterrupted?.(interrupted)
  return removed
}

/** Removes content that no record uses, whatever its age. */
export async function removeUnused(
  { store, manager, contents }: Pick<CleanUpParts, 'store' | 'manager' | 'contents'>,
  hashes: readonly string[]
): Promise<string[]> {
  const removed: string[] = []
  for (const hash of hashes)
    await manager.alone(hash, async () => {
      if (await isUsed(store, hash)) return
      await contents.remove(hash)
      removed.push(hash)
    })
  return removed
}

async function isUsed(store: Store, hash: string): Promise<boolean> {
  return (await store.lookUp(contentHashField, [hash])).length > 0
}
