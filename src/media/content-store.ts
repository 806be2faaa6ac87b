import type { Readable } from 'node:stream'

/*
 * Words used in this room:
 *
 * - content: bytes, known by their SHA-256 in hexadecimal; the same bytes are kept once
 * - upload: bytes on their way in, kept in a folder of this machine until they are whole
 */

export interface StoredContent {
  readonly hash: string
  readonly size: number
  /** When the bytes were put here last, in milliseconds since 1970. */
  readonly keptAt: number
}

/**
 * Where content is kept. `test/contract/content-store-contract.ts` holds every adapter to these
 * promises. No method takes or gives bytes other than bit by bit.
 */
export interface ContentStore extends AsyncDisposable {
  /**
   * Keeps the bytes of a file under their hash, and counts them as put here now where they were
   * kept already. The file stays the caller's, who changes it no more.
   */
  put(hash: string, path: string, size: number): Promise<void>

  find(hash: string): Promise<StoredContent | undefined>

  /**
   * The bytes from one to another, both included. Throws `not_found` when there is no such content.
   */
  read(hash: string, first: number, last: number): Promise<Readable>

  /** Nothing happens where there is none. */
  remove(hash: string): Promise<void>

  /** Throws an Error in words when the store does not exist or refuses; asked at the start. */
  check?(): Promise<void>

  /** Everything that is kept, in any order. */
  list(): AsyncIterable<StoredContent>

  /**
   * Removes what is left of a `put` that was killed before a moment, where anything can be left.
   */
  removeInterrupted?(before: number): Promise<void>
}

export const isContentHash = (text: string) => /^[0-9a-f]{64}$/.test(text)
