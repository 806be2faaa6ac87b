import { createHash } from 'node:crypto'

import type { Contents } from '#catalogue/parts.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { SourceContent, SourcePiece } from '#formats/source/source-item.ts'
import type { ImportItem } from './place/prepare-record.ts'

/**
 * Joins the pieces of media files in a file of records: stores the bytes of each content as they
 * are read, in constant memory, and gives one item for all its pieces. An import that is resumed
 * finds the contents that it stored.
 */
export async function* collectContents(
  items: AsyncIterable<ImportItem>,
  { describe, store }: Contents,
  owner: string
): AsyncGenerator<ImportItem, void, undefined> {
  const iterator = items[Symbol.asyncIterator]()
  let next = await iterator.next()
  /** The next piece of a content, if the file goes on with one. */
  const pieceOf = (sha256: string): SourcePiece | undefined =>
    !next.done && next.value.outcome === 'piece' && next.value.sha256 === sha256 ? next.value : undefined
  async function* bytesOf({ sha256, size }: SourcePiece) {
    for (let at = 0; at < size; ) {
      const piece = pieceOf(sha256)
      if (piece?.offset !== at || piece.size !== size) return
      at += piece.bytes.length
      next = await iterator.next()
      yield piece.bytes
    }
  }
  try {
    while (!next.done) {
      const first = next.value
      if (first.outcome !== 'piece') {
        yield first
        next = await iterator.next()
        continue
      }
      const isKnown = (await describe(first.sha256)) !== undefined
      const fault = isKnown ? undefined : await faultOf(() => store({ ...first, owner }, bytesOf(first)))
      // The pieces that were not needed, or that come after a wrong one.
      let end = first.position.offset + first.position.length
      for (let piece = pieceOf(first.sha256); piece !== undefined; piece = pieceOf(first.sha256)) {
        end = piece.position.offset + piece.position.length
        next = await iterator.next()
      }
      yield toContent(first, end, fault)
    }
  } finally {
    await iterator.return?.()
  }
}

const toContent = (
  { format, position, source, defects, sha256 }: SourcePiece,
  end: number,
  fault: string | undefined
): SourceContent => ({
  outcome: 'content',
  ...{ format, source, defects, sha256, fault },
  position: { ...position, length: end - position.offset }
})

/** Says what is wrong with bytes; a full disk ends the import instead, and it can be resumed. */
async function faultOf(store: () => Promise<void>): Promise<string | undefined> {
  try {
    await store()
    return undefined
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.code === 'unavailable' || error.code === 'storage_full') throw error
    return error.message
  }
}

/** Contents for a preview: bytes are compared with their hash, and not stored. */
export const examiningContents = ({ describe }: Contents): Contents => ({
  describe,
  async store({ sha256, size }, bytes) {
    const hash = createHash('sha256')
    let length = 0
    for await (const each of bytes) {
      hash.update(each)
      length += each.length
    }
    if (length !== size) throw new CatalogueError('invalid', `The bytes broke off after ${length}`)
    if (hash.digest('hex') !== sha256)
      throw new CatalogueError('checksum_mismatch', `The bytes do not have the SHA-256 ${sha256}`)
  }
})
