import type { Readable } from 'node:stream'

/*
 * Words of this folder:
 *
 * - content: bytes, identified by their SHA-256 in hexadecimal; the same bytes are stored once
 * - upload: bytes on their way in, stored in a folder of this machine until they are complete
 */

export interface StoredContent {
  readonly hash: string
  readonly size: number
  /** Time when the bytes were last stored, in milliseconds since 1970. */
  readonly storedAt: number
}

/**
 * A store for content. `test/contract/content-store-contract.ts` holds every adapter to these
 * promises. Every method streams; none holds a whole file in memory.
 */
export interface ContentStore extends AsyncDisposable {
  /**
   * Stores the bytes of a file under their hash. Content that is stored already counts as stored
   * now. The file stays the caller's, who does not change it any more.
   */
  put(hash: string, path: string, size: number): Promise<void>

  find(hash: string): Promise<StoredContent | undefined>

  /**
   * Reads the bytes from one position to another, both included. Throws `not_found` when the
   * content does not exist.
   */
  read(hash: string, first: number, last: number): Promise<Readable>

  /** Does nothing when the content does not exist. */
  remove(hash: string): Promise<void>

  /** Throws an Error in words when the store does not exist or refuses; asked at the start. */
  check(): Promise<void>

  /** All stored content, in any order. */
  list(): AsyncIterable<StoredContent>

  /** Removes leftovers of a `put` that was killed before a moment, in stores that can have any. */
  removeInterrupted?(before: number): Promise<void>
}
