import type { EntityContent } from '#domain/entity.ts'
import type { Filter } from '#domain/filter.ts'
import type { Order } from '#domain/order.ts'

/** A value at once, or later: an embedded store has its point reads at hand, a server does not. */
export type Soon<T> = T | Promise<T>

/** An entity as it is kept. `json` is the very text that is answered, so a read need not parse and print it. */
export interface StoredEntity {
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly version: number
  readonly json: string
}

/** What is known of an identifier without reading the entity. */
export interface Identified {
  readonly id: string
  readonly type: string
}

export type EntityWrite =
  | { readonly kind: 'insert'; readonly content: EntityContent }
  | { readonly kind: 'update'; readonly content: EntityContent; readonly expectedVersion: number }
  | { readonly kind: 'delete'; readonly id: string; readonly expectedVersion: number }

/** Writes that happen together or not at all. */
export interface WriteUnit {
  readonly writes: readonly EntityWrite[]
  /** Who, for the audit. */
  readonly by: string
  /** Lets relations point to entities that do not exist (yet). */
  readonly allowDangling?: boolean
  /** Does everything, answers, and takes it back. */
  readonly dryRun?: boolean
}

/** A place in an order: the values of the last record seen there, so that going on costs the same at any depth. */
export interface Position {
  readonly values: readonly (string | null)[]
  /** Where the record came in the order of creation, or of change: what breaks ties. */
  readonly sequence: number
}

export interface Question {
  readonly filter: Filter
  /** The types to look among; undefined for all. What is not among them does not exist for this question. */
  readonly readableTypes: readonly string[] | undefined
  readonly order: Order
  readonly skip: number
  readonly limit: number
  /** Go on after this place, or before it. */
  readonly from?: { readonly position: Position; readonly backwards: boolean }
  /** Whether the total is wanted; it is exact, and costs. */
  readonly counted: boolean
}

export interface Answer {
  /** How many match in all; 0 when not counted. */
  readonly count: number
  readonly entities: readonly StoredEntity[]
  /** Whether more follow in the direction asked. */
  readonly hasMore: boolean
  readonly first: Position | undefined
  readonly last: Position | undefined
}

export interface ReferenceQuestion {
  /** Id of the entity pointed to. */
  readonly id: string
  readonly relationTypes?: readonly string[]
  readonly readableTypes: readonly string[] | undefined
  readonly skip: number
  readonly limit: number
}

export interface Reference {
  readonly id: string
  readonly type: string
  readonly relationType: string
}

export interface ReferenceAnswer {
  readonly count: number
  readonly references: readonly Reference[]
}

export interface StoredToken {
  readonly id: string
  readonly name: string
  /** SHA-256 of the token, in hexadecimal; the token itself is kept nowhere. */
  readonly hash: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly createdBy: string
  readonly expiresAt: string | null
}

export interface IntegrityReport {
  readonly ok: boolean
  readonly entities: number
  readonly problems: readonly string[]
}

/**
 * Where entities are kept. Every adapter is held to these promises by `test/contract/store-contract.ts`.
 *
 * A write that was answered is seen by every read that begins after the answer, whichever method it uses.
 */
export interface Store extends AsyncDisposable {
  /** Finds an entity by any of its identifiers. */
  findEntity(identifier: string): Soon<StoredEntity | undefined>

  /** Finds many at once, by the identifiers asked for. Identifiers that match nothing are left out. */
  findEntities(identifiers: readonly string[]): Soon<ReadonlyMap<string, StoredEntity>>

  /** Finds id and type for many identifiers at once. Identifiers that match nothing are left out. */
  identify(identifiers: readonly string[]): Soon<ReadonlyMap<string, Identified>>

  /** Answers a question about many entities. Throws `query_timeout` when it takes longer than the store's deadline. */
  ask(question: Question): Promise<Answer>

  /** Lists who points to an entity, in the order of creation. */
  findReferences(question: ReferenceQuestion): Promise<ReferenceAnswer>

  /**
   * Writes a unit: each entity's document, version, index rows and change row in one transaction. Resolves, once it is durable, to the
   * entities as stored, in order; undefined for a deletion.
   *
   * Throws `identifier_taken`, `version_mismatch` when an entity has another version than expected (or is gone), `invalid` when a
   * relation that was not there before points to nothing, and `still_referenced` when something would point to a deleted entity
   * after the whole unit.
   */
  write(unit: WriteUnit): Promise<readonly (StoredEntity | undefined)[]>

  /**
   * The ids of entities that changed since this was last called, by any process; 'all' when they cannot be told.
   * Cheap when nothing has: caches ask it before every answer.
   */
  changedSinceLastAsked(): Soon<readonly string[] | 'all'>

  insertToken(token: StoredToken): Promise<void>
  findToken(hash: string): Soon<StoredToken | undefined>
  listTokens(): Soon<readonly StoredToken[]>
  /** Resolves to whether there was one. */
  deleteToken(id: string): Promise<boolean>

  /** Whether no entity was ever written. */
  isNew(): Soon<boolean>

  /** Looks for damage: of the file, and of the index rows against the documents. */
  check(): Promise<IntegrityReport>
}

export interface StoreSettings {
  /** How long one question may take, in milliseconds. */
  readonly queryDeadline: number
  /** How many questions may be answered at once. */
  readonly readers: number
}
