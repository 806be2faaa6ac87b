import type { Base } from '#index/base.ts'
import { type SnapshotSource, snapshotPieces } from '#index/snapshot.ts'

/** A snapshot in one piece. */
export const snapshotBytes = (base: Base, database: string): Buffer =>
  Buffer.concat([...snapshotPieces(base, database)])

/** Bytes as something that a snapshot is read from. */
export const snapshotIn = (bytes: Uint8Array): SnapshotSource => ({
  size: bytes.length,
  read(at, into) {
    if (at + into.length > bytes.length) throw new Error('The bytes end too early')
    into.set(bytes.subarray(at, at + into.length))
  }
})
