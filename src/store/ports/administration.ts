import type { Entity } from '#domain/entity/entity.ts'
import type { FindingState } from '#finding/finding-state.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
import type { StateEntry } from './state.ts'

export interface IntegrityReport {
  readonly ok: boolean
  readonly entities: number
  /** Each says what is wrong, where, and what to do. */
  readonly problems: readonly string[]
  /** Facts that are legal, but that the operator may not expect. */
  readonly notices: readonly string[]
}

/** A database as it is found, without opening it as a store. */
export interface DatabaseState {
  /** The program of the database and its version. */
  readonly engine: string
  /** The number of its schema; undefined for a database without a catalogue. */
  readonly schema: number | undefined
  readonly records: number
  /** The moment of the last change; undefined when there is none. */
  readonly lastChange: string | undefined
  /** The time by the clock of the database. */
  readonly now: number
  /** A value of a state entry, where it exists. */
  readonly entry: string | undefined
}

/** Further checks, by parts that know the meaning of what the store only stores. */
export interface Inspector {
  /** Called with all entities, a page at a time; resolves to problems, as all methods do. */
  entities?(page: readonly Entity[]): MaybePromise<readonly string[]>
  /** Called with all state entries, a page at a time. `find` reads values of a kind by key. */
  state?(
    page: readonly (StateEntry & { readonly kind: string })[],
    find: (kind: string, keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
  ): MaybePromise<readonly string[]>
  finish?(): MaybePromise<readonly string[]>
}

export interface CheckOptions {
  /** Called with the number of entities that were read. */
  readonly onProgress?: (entities: number) => void
  readonly inspector?: Inspector
  /** Called with the id of each entity that has a relation to one that was deleted. */
  readonly onGoneRelation?: (id: string) => void
}

/**
 * Tells the operator that a long step begins, in words that finish "… is done"; the returned
 * function tells that it has ended.
 */
export type ReportStep = (step: string) => () => void

export interface StoreSettings {
  /** Called for the steps of an upgrade. */
  readonly reportStep: ReportStep
  /** Maximum time of a query, in milliseconds. */
  readonly queryDeadline: number
  /** Number of threads that run queries, for an embedded store. */
  readonly readers: number
  /** Maximum number of connections to each server, for a store on servers. */
  readonly poolSize: number
  /**
   * Maximum wait for a server, in milliseconds: for a connection, for an answer, for its return
   * after an outage.
   */
  readonly maxWait: number
  /** Servers that replicate the primary; they answer queries. */
  readonly replicaUrls: readonly string[]
  /** Milliseconds for which a write of another process may stay unseen; 0 for none. */
  readonly staleness: number
  /**
   * Whether to index records again, before the store opens, that were indexed for another model:
   * only a service decides on the model.
   */
  readonly followsModel: boolean
  /** Cache of each reading connection of an embedded store. */
  readonly readCacheMegabytes: number
  /**
   * File with a snapshot of the index, which processes on one server share; an embedded store has
   * it beside its file.
   */
  readonly indexSnapshot: string | undefined
  /** Size of the write-ahead log of an embedded store before it is moved into the database. */
  readonly logMegabytes: number
  /**
   * Maximum number of changes that a query applies to the index; a base with the changes is made
   * after a tenth of them.
   */
  readonly maxBehind: number
  /** Maximum number of records that a thread indexes at once, when it builds part of the index. */
  readonly recordsOfPart: number
}

/** The connections of a pool, and the callers that wait for one. */
export interface PoolState {
  readonly open: number
  readonly busy: number
  readonly waiting: number
}

/** How far a replica is behind, and how often it could answer. */
export interface ReplicaState {
  /** Host and port of the server. */
  readonly server: string
  /** Changes that it lacked when it was last asked. */
  readonly missingChanges: number
  /** Queries that it answered. */
  readonly answered: number
  /** Queries that the primary answered instead, because it was behind, ahead or away. */
  readonly passedOn: number
}

export interface AdministrationStore {
  /** Whether no entity was ever written. */
  isNew(): MaybePromise<boolean>

  /** The connections to a server, by their purpose; an embedded store has none. */
  measure?(): Readonly<Record<string, PoolState>>

  /** The replicas that answer queries; undefined for an embedded store. */
  measureReplicas?(): readonly ReplicaState[]

  findingState(): FindingState

  /** Sets the deadline of further queries, in milliseconds. */
  setQueryDeadline(milliseconds: number): void

  /**
   * Looks for damage: of the file and its schema, and of rows that contradict each other. Reads
   * everything once, in a transaction that sees one moment.
   */
  check(options?: CheckOptions): Promise<IntegrityReport>
}
