import type { EntityWrite, Json, StoredEntity } from '#domain/entity/entity.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
import type { StateWrite } from './state.ts'

export type { EntityWrite, StoredEntity } from '#domain/entity/entity.ts'

/** Id and type of an entity, found by an identifier without reading the entity. */
export interface Identified {
  readonly id: string
  readonly type: string
}

/** Writes that happen together or not at all. */
export interface WriteUnit {
  readonly writes: readonly EntityWrite[]
  /** The author, for the audit. */
  readonly by: string
  /** Lets relations point to entities that do not exist (yet). */
  readonly allowDangling?: boolean
  /** Does everything, answers, and rolls it back. */
  readonly dryRun?: boolean
  /** Makes the unit happen once only, however often it is sent. */
  readonly once?: Once
  /** A merge that the unit carries out, stored so that it can be undone. */
  readonly merge?: NewMerge
  /** The number of a merge that the unit undoes. */
  readonly unmerges?: number
  /** State entries that are written with the rest, or not at all. */
  readonly state?: readonly StateWrite[]
  /** Returns an empty list in place of the stored entities. */
  readonly isSilent?: boolean
}

/** The identity of a request: its sender, the key they chose, and a digest of the request. */
export interface Once {
  readonly scope: string
  readonly key: string
  readonly fingerprint: string
  /** Stored with the outcome, to give the same answer again. */
  readonly note: Json
}

/** The outcome of a unit that happened under a key. */
export interface EarlierOutcome {
  readonly fingerprint: string
  readonly outcome: readonly (StoredEntity | undefined)[]
  readonly note: Json
}

export interface NewMerge {
  readonly survivorId: string
  readonly victimId: string
}

/** Reads entities by their identifiers, and writes them. */
export interface EntityStore {
  /** Finds an entity by any of its identifiers. */
  findEntity(identifier: string): MaybePromise<StoredEntity | undefined>

  /**
   * Finds many at once, by the given identifiers and in their order. Identifiers without an entity
   * are left out.
   */
  findEntities(identifiers: readonly string[]): MaybePromise<ReadonlyMap<string, StoredEntity>>

  /**
   * Finds an entity, the target of its first relation of the first type, and the target of that
   * one's first relation of the second type. Ends where there is none. The same as three queries,
   * one after the other; with a distant database it saves two journeys.
   */
  findClimbing(identifier: string, links: readonly [string, string]): MaybePromise<readonly StoredEntity[]>

  /**
   * Finds id and type for many identifiers at once, in their order. Identifiers without an entity
   * are left out.
   */
  identify(identifiers: readonly string[]): MaybePromise<ReadonlyMap<string, Identified>>

  /**
   * Finds entities by exact values of a key (domain/search/lookup-values.ts), of a type where it is
   * given, in the order of creation; at most 1,000.
   */
  lookUp(key: string, values: readonly string[], type?: string): MaybePromise<readonly StoredEntity[]>

  /**
   * Writes a unit: each entity's document, version, relations and change row in one transaction.
   * Resolves, once it is durable, to the entities as stored, in order; undefined for a deletion. A
   * relation that was not there before is stored with the id that its target has in that
   * transaction, so a merge since the unit was prepared is followed; the end of a merge writes its
   * relations as they are given.
   *
   * Throws `identifier_taken`, `version_mismatch` when an entity has another version than expected
   * (or is deleted), `invalid` when a relation that was not there before points to nothing, and
   * `still_referenced` when a relation would point to a deleted entity after the whole unit. A unit
   * with a key that happened before does not happen again: its first outcome is returned, or
   * `key_reused` thrown when it was another unit.
   */
  write(unit: WriteUnit): Promise<readonly (StoredEntity | undefined)[]>

  /** Finds the outcome of an earlier unit with this key, stored for a day. */
  findOutcome(scope: string, key: string): MaybePromise<EarlierOutcome | undefined>
}
