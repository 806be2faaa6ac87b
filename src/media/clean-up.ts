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
  readonly keeper: MediaManager
  readonly contents: ContentStore
  readonly uploads: UploadFolder
}

/**
 * An upload in one request that has got no bytes for so long, in milliseconds, was left by a
 * process that was killed.
 */
const maxIdleRequest = 3_600_000

/**
 * Removes content that no record has, and uploads that nobody goes on with, both where they were
 * put here before a moment. Whoever takes in the same bytes at the same time waits, and puts them
 * here anew: nothing is removed between its arrival and the record that names it.
 *
 * Also removes what processes left that were killed: uploads in one request, which nobody can go on
 * with, and files without an upload.
 */
export async function cleanUpMedia(
  { store, keeper, contents, uploads }: CleanUpParts,
  before: { readonly contents: number; readonly uploads: number }
): Promise<CleanUpReport> {
  const removed = { contents: 0, bytes: 0, uploads: 0 }
  for await (const { hash, keptAt } of contents.list()) {
    if (keptAt >= before.contents || (await isUsed(store, hash))) continue
    await keeper.alone(hash, async () => {
      const found = await contents.find(hash)
      if (!found || found.keptAt >= before.contents || (await isUsed(store, hash))) return
      await contents.remove(hash)
      removed.contents++
      removed.bytes += found.size
    })
  }
  const interrupted = Date.now() - maxIdleRequest
  for await (const { id, begunAt, arrivedAt, isSingleRequest = false } of uploads.list()) {
    if (begunAt >= before.uploads && !(isSingleRequest && arrivedAt < interrupted)) continue
    await keeper.removeUpload(id)
    removed.uploads++
  }
  removed.uploads += await uploads.removeOrphans(interrupted)
  await contents.removeInterrupted?.(interrupted)
  return removed
}

async function isUsed(store: Store, hash: string): Promise<boolean> {
  const { entities } = await store.queryEntities({
    filter: {
      kind: 'field',
      path: { kind: 'metadata', key: contentHashField },
      test: { kind: 'equals', values: [hash] }
    },
    readableTypes: undefined,
    order: { items: [{ by: 'created' }], ascending: true },
    skip: 0,
    limit: 1,
    counted: false
  })
  return entities.length > 0
}
