import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import type { ContentFacts } from '#domain/entity/server-fields.ts'
import { describeBytes } from './describe-bytes.ts'
import { bytesToDetectType } from './detect-type.ts'
import type { Media } from './open-media.ts'

/** The bytes of media files, for imports: in place of uploads, files of NDJSON bring them. */
export const contentsOfImports = ({ manager, contents }: Pick<Media, 'manager' | 'contents'>) => ({
  async describe(sha256: string): Promise<ContentFacts | undefined> {
    const stored = await contents.find(sha256)
    if (stored === undefined || stored.size === 0) return undefined
    const last = Math.min(stored.size, bytesToDetectType) - 1
    return describeBytes(await buffer(await contents.read(sha256, 0, last)), sha256, stored.size)
  },

  async store(
    { sha256, size, owner }: { readonly sha256: string; readonly size: number; readonly owner: string },
    bytes: AsyncIterable<Uint8Array>
  ): Promise<void> {
    const stream = Readable.from(bytes, { objectMode: false })
    try {
      await manager.receive({ entityId: '', owner, length: size, sha256 }, stream, async () => {})
    } finally {
      // Nothing reads the source of the bytes any more when this returns.
      if (!stream.destroyed) stream.destroy()
      if (!stream.closed) await once(stream, 'close')
    }
  }
})
