import type { Identified, StoredEntity } from './entities.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'

/** One version of an entity. */
export interface Version {
  readonly version: number
  readonly at: string
  readonly by: string
  /** The document, or null for a deletion. */
  readonly json: string | null
  /** For a deletion by a merge, the id of the entity that it was merged into. */
  readonly mergedInto: string | null
  /**
   * The number of the change that made it, in the order of all changes; 0 for a version that
   * another catalogue made (`CarriedVersion`).
   */
  readonly sequence: number
}

/**
 * A version that another catalogue made, with its moment and its author there. It is part of the
 * history of its entity and of nothing else: no change made it, and at no moment did this catalogue
 * have it.
 */
export interface CarriedVersion extends Omit<Version, 'sequence'> {
  readonly id: string
  readonly uuid: string
  readonly type: string
}

/** `known`: it is stored already. `refused`: the entity has a history of this catalogue. */
export type CarriedOutcome = 'stored' | 'known' | 'refused'

/** An entity that was deleted. */
export interface DeletedEntity extends Identified {
  readonly uuid: string
}

export interface History {
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly count: number
  /**
   * Newest first; one more than the limit where there is one, to compare the oldest of the page
   * with.
   */
  readonly versions: readonly Version[]
}

/** A merge that can be undone: the entities it wrote, and the version that it gave each. */
export interface Merge {
  readonly number: number
  readonly survivorId: string
  readonly victimId: string
  readonly written: readonly { readonly id: string; readonly uuid: string; readonly version: number }[]
  /** The number of the change that undid it, or null. */
  readonly undone: number | null
}

/** Reads earlier versions of entities, and merges. */
export interface HistoryStore {
  /**
   * The versions of an entity, deletions included, newest first: one more than `limit`, or fewer if
   * they fill a page. Resolves to undefined when there never was an entity.
   */
  findHistory(identifier: string, skip: number, limit: number): Promise<History | undefined>

  /** One version of an entity, also of a deleted one. */
  findVersion(identifier: string, version: number): Promise<Version | undefined>

  /**
   * One version of the entity with this uuid, also when it was merged and the uuid now leads to
   * another.
   */
  findVersionByUuid(uuid: string, version: number): Promise<Version | undefined>

  /** Finds the types of deleted entities by their former ids. Other ids are left out. */
  identifyDeleted(ids: readonly string[]): Promise<ReadonlyMap<string, Identified>>

  /** Deleted entities of which versions are stored, in the order of their uuids, after one. */
  listDeleted(after: string, limit: number): Promise<readonly DeletedEntity[]>

  /**
   * Stores versions that another catalogue made, in one transaction. They come before the entity is
   * created here, whose versions then continue. A history of this catalogue stays as it is.
   */
  carryVersions(versions: readonly CarriedVersion[]): Promise<readonly CarriedOutcome[]>

  /** The number of the last change at a moment; 0 before the first. */
  sequenceAt(at: string): Promise<number>

  /**
   * Entities as they were after a change, by the given identifiers. Entities that did not exist
   * then are left out.
   */
  findEntitiesAt(identifiers: readonly string[], sequence: number): Promise<ReadonlyMap<string, StoredEntity>>

  /** The newest merge into an entity that was not undone; of one victim where it is given. */
  findMerge(survivorId: string, victimId?: string): MaybePromise<Merge | undefined>

  /** Every merge that wrote one of the entities with these uuids, oldest first, undone ones too. */
  findMergesOf(uuids: readonly string[]): Promise<readonly Merge[]>

  /** The identifiers that the entity with this uuid got by merges that were not undone. */
  identifiersMergedInto(uuid: string): Promise<readonly string[]>
}
