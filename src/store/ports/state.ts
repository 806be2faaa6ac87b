import type { MaybePromise } from '#domain/maybe-promise.ts'

/**
 * State that an operation stores beside the entities: a text under a kind and a key. An import
 * stores its progress so, the entities of each record, and works that a person has to review.
 */
export interface StateEntry {
  readonly key: string
  readonly value: string
}

/** Replaces the entry with its key, or deletes it where the value is null. */
export interface StateWrite {
  readonly kind: string
  readonly key: string
  readonly value: string | null
}

export interface StateRange {
  /**
   * Entries whose key is `<prefix>\n<rest>`; no prefix has a line end. All of the kind if there is
   * none.
   */
  readonly prefix?: string
  /** Only entries after this key. */
  readonly after?: string
  readonly limit: number
}

/** Reads state entries; they are written with a unit. */
export interface StateStore {
  /** Values of a kind, by the given keys. Keys without an entry are left out. */
  findState(kind: string, keys: readonly string[]): MaybePromise<ReadonlyMap<string, string>>
  /** The keys of all entries of a kind with any of these prefixes. */
  listStateKeys(kind: string, prefixes: readonly string[]): MaybePromise<readonly string[]>
  /** Entries in a range, in the order of the bytes of their keys. */
  readState(kind: string, range: StateRange): MaybePromise<readonly StateEntry[]>
}
