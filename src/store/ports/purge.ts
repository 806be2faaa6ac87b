import type { NewAct } from './audit.ts'
import type { StateWrite } from './state.ts'

/** A deleted entity to erase. */
export interface Purge {
  readonly uuid: string
  /** State entries to remove with it. */
  readonly state: readonly StateWrite[]
  /** Kinds of state whose entries are removed where they mention the id. */
  readonly mentionedIn: readonly string[]
  /** Logged with it. */
  readonly act?: NewAct | undefined
}

export interface VersionsDeleted {
  readonly deleted: number
  /** The uuid to continue after; undefined at the end. */
  readonly next: string | undefined
}

/** Erases data for ever. */
export interface PurgeStore {
  /**
   * Erases a deleted entity: versions, former identifiers, changes, merges, outcomes, deliveries. A
   * version without document and names, and a change of the kind `purged`, remain. Resolves to
   * whether there was such an entity. Throws `version_mismatch` when it exists: it must be deleted
   * first. Does the same again when it was purged before.
   */
  purge(purge: Purge): Promise<boolean>

  /**
   * Deletes versions that were replaced before a moment, with their changes, of the next entities
   * after a uuid; `''` begins. Current versions and deletions stay.
   */
  deleteVersions(before: string, after: string): Promise<VersionsDeleted>
}
