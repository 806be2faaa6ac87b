import type { Change, ChangeKind } from '#domain/events/change-event.ts'
import type { AuditStamp, EntityContent, Json } from '#domain/entity/entity.ts'
import type { Filter, Search } from '#domain/filter/filter.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import type { Order } from '#domain/filter/order.ts'
import type { ReadLimit } from '#domain/permissions.ts'
import type { DeliveryReason, WebhookState } from '#domain/events/webhook.ts'

/** A value at once, or later: an embedded store has its point reads at hand, a server does not. */
export type MaybePromise<T> = T | Promise<T>

/**
 * An entity as it is kept. `json` is the very text that is answered, so a read need not parse and
 * print it.
 */
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
  | {
      readonly kind: 'delete'
      readonly id: string
      readonly expectedVersion: number
      /** Id of the entity that takes its place, when it is merged into one. */
      readonly mergedInto?: string
    }
  /** Brings a deleted entity back; its versions go on from the deletion. */
  | {
      readonly kind: 'restore'
      readonly content: EntityContent
      /** The version that marks the deletion. */
      readonly expectedVersion: number
      readonly created: AuditStamp
    }

/** Writes that happen together or not at all. */
export interface WriteUnit {
  readonly writes: readonly EntityWrite[]
  /** Who, for the audit. */
  readonly by: string
  /** Lets relations point to entities that do not exist (yet). */
  readonly allowDangling?: boolean
  /** Does everything, answers, and takes it back. */
  readonly dryRun?: boolean
  /** Makes the unit happen once only, however often it is sent. */
  readonly once?: Once
  /**
   * A merge that the unit carries out, kept so that it can be taken back; or the number of one that
   * it takes back.
   */
  readonly merge?: NewMerge
  readonly unmerges?: number
  /** Written with the rest, or not at all. */
  readonly state?: readonly StateWrite[]
  /**
   * Nobody looks at what was stored: the answer is an empty list, and documents need not be handed
   * back.
   */
  readonly isSilent?: boolean
}

/**
 * What an operation keeps for itself beside the entities: a text under a kind and a key. An import
 * keeps its state so: how far it came, where each record went, which works are in question.
 */
export interface StateEntry {
  readonly key: string
  readonly value: string
}

/** Puts a paper in the place of the one with its key, or takes it away. */
export interface StateWrite {
  readonly kind: string
  readonly key: string
  readonly value: string | null
}

export interface StateRange {
  /** Papers whose key is `<heading>\n<rest>`; none has a line end in its heading. */
  readonly heading: string
  /** Only those after this key. */
  readonly after?: string
  readonly limit: number
}

/** What makes two requests the same: who sent it, the key they chose, and what they sent. */
export interface Once {
  readonly scope: string
  readonly key: string
  readonly fingerprint: string
  /** Kept with the outcome, for whoever gives the same answer again. */
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

/** A merge that can be taken back: which entities it wrote, and the version that it gave each. */
export interface Merge {
  readonly number: number
  readonly survivorId: string
  readonly victimId: string
  readonly written: readonly { readonly id: string; readonly uuid: string; readonly version: number }[]
  /** The change with which it was taken back, or null. */
  readonly undone: number | null
}

/** One version of an entity. */
export interface Version {
  readonly version: number
  readonly at: string
  readonly by: string
  /** The document, or null for a deletion. */
  readonly json: string | null
  /** Where a deletion was a merge, the id it was merged into. */
  readonly mergedInto: string | null
  /** The change that made it, in the order of all changes. */
  readonly sequence: number
}

export interface History {
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly count: number
  /**
   * Newest first; one more than asked for where there is one, to compare the oldest of the page
   * with.
   */
  readonly versions: readonly Version[]
}

export interface ChangeQuery {
  /** Changes after this one. */
  readonly after: number
  readonly limit: number
  readonly kinds?: readonly ChangeKind[]
  readonly types?: readonly string[]
  /** Any identifiers. */
  readonly ids?: readonly string[]
  readonly readableTypes: readonly string[] | undefined
}

export interface ChangeAnswer {
  readonly changes: readonly Change[]
  /** How far was looked: nothing up to here is missing from the answers so far. */
  readonly upTo: number
  /**
   * Whether there is more, where that is not told by the newest change of all: some changes may not
   * be there for the reader.
   */
  readonly more?: boolean
}

/**
 * Which records a harvester wants: of some types, as they are now, deleted ones included, in the
 * order of creation.
 */
export interface HarvestQuery {
  readonly types: readonly string[]
  /** The types that exist for the asker; undefined for all. */
  readonly readableTypes: readonly string[] | undefined
  /**
   * Relation types that lead to a record whose content is shown with this one, as a manifestation
   * shows its expression.
   */
  readonly climbs: readonly string[]
  /** Only what changed in this time; both moments included. */
  readonly from?: string
  readonly until?: string
  /**
   * The last change when the harvest began. What changed later is given also when that is after
   * `until`, so that nothing slips out of a list that is being read.
   */
  readonly began: number
  /** Records after this place, and none beyond that one. */
  readonly after: number
  readonly last: number
  readonly limit: number
}

export interface HarvestedRecord {
  readonly id: string
  readonly type: string
  /**
   * Where it stands in the order of creation; never changes, not even when it is deleted and comes
   * back.
   */
  readonly place: number
  /**
   * The last change of anything that is shown of it: of itself, of what it climbs to, of what those
   * are related to.
   */
  readonly stamp: string
  /** The number of that change. */
  readonly changed: number
  /** Null when it is deleted. */
  readonly json: string | null
}

export interface HarvestAnswer {
  readonly records: readonly HarvestedRecord[]
  /**
   * How far was looked: nothing up to here is missing from the answers so far. `last` when
   * everything was looked at.
   */
  readonly lookedUpTo: number
}

/** Which values to list, in the order of their folded text. */
export interface TermQuery {
  /** Values of this metadata key, of entities of these types. */
  readonly key: string
  readonly types: readonly string[]
  readonly limits?: readonly ReadLimit[]
  /** From this folded text on, itself included; or before it, backwards and without it. */
  readonly from: string
  readonly backwards: boolean
  readonly limit: number
}

/** A value that some entities have; folded, and as one of them has it. */
export interface Term {
  readonly folded: string
  readonly text: string
}

export interface HarvestState {
  /** The place of the record that was created last. */
  readonly last: number
  /** No stamp is earlier; undefined when nothing was ever written. */
  readonly earliest: string | undefined
}

/** The connections of a pool, and the callers that wait for one. */
export interface PoolState {
  readonly open: number
  readonly busy: number
  readonly waiting: number
}

export interface FeedState {
  /** Tells one feed from another, so that a cursor is not used with the wrong one. */
  readonly epoch: string
  /** The oldest change that is kept, or the next one to come when none is. */
  readonly oldest: number
  readonly newest: number
}

/**
 * A place in an order: the values of the last record seen there, so that going on costs the same at
 * any depth.
 */
export interface Position {
  readonly values: readonly (string | null)[]
  /** Where the record came in the order of creation, or of change: what breaks ties. */
  readonly sequence: number
}

export interface Question {
  readonly filter: Filter
  /**
   * The types to look among; undefined for all. What is not among them does not exist for this
   * question.
   */
  readonly readableTypes: readonly string[] | undefined
  /** Of which of these types not all records exist for this question. */
  readonly limits?: readonly ReadLimit[]
  readonly order: Order
  readonly skip: number
  readonly limit: number
  /** Go on after this place, or before it. */
  readonly from?: { readonly position: Position; readonly backwards: boolean }
  /** Whether the total is wanted; it is exact, and costs. */
  readonly counted: boolean
  /**
   * What to count the values of, over all matches; so many values of each, the most frequent first.
   */
  readonly facets?: { readonly paths: readonly FilterPath[]; readonly limit: number }
}

/** A value and how many of the matches have it. */
export interface FacetValue {
  readonly value: string
  readonly count: number
}

export interface Answer {
  /** How many match in all; 0 when not counted. */
  readonly count: number
  readonly entities: readonly StoredEntity[]
  /** Whether more follow in the direction asked. */
  readonly hasMore: boolean
  readonly first: Position | undefined
  readonly last: Position | undefined
  /**
   * Whether nothing had the words of a search as they stand, and words with slips were counted too.
   */
  readonly isLoose?: boolean
  /** For each path that was asked for. */
  readonly facets?: readonly (readonly FacetValue[])[]
}

/** What somebody is typing, to whom names are suggested. */
export interface SuggestionQuery {
  readonly search: Search
  /** The types to look among; undefined for all. */
  readonly types: readonly string[] | undefined
  /** Of which of these types not all records exist. */
  readonly limits?: readonly ReadLimit[]
  readonly limit: number
}

export interface ReferenceQuery {
  /** Id of the entity pointed to. */
  readonly id: string
  readonly relationTypes?: readonly string[]
  readonly readableTypes: readonly string[] | undefined
  readonly limits?: readonly ReadLimit[]
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
  /** How many there are of each relation type. */
  readonly countByType: Readonly<Record<string, number>>
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

/** Who wants to be told of changes, and how far it was. */
export interface StoredWebhook {
  readonly id: string
  readonly url: string
  readonly description: string
  /** What it wants to hear of; of everything where a list is empty. A type may be an umbrella. */
  readonly kinds: readonly ChangeKind[]
  readonly types: readonly string[]
  /** Signs what is sent; after a change of secret the one before signs too, for a while. */
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretUntil: string | null
  readonly state: WebhookState
  /** The last change that it was told of, or that was not for it. */
  readonly cursor: number
  /**
   * How often the next change was sent without success, since when sending fails, and when it is
   * tried again.
   */
  readonly attempts: number
  readonly failingSince: string | null
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly createdBy: string
  /** Counts what people changed, not what came of sending. */
  readonly revision: number
}

export type WebhookEdit = Partial<Omit<StoredWebhook, 'id' | 'createdAt' | 'createdBy' | 'revision'>>

/** One attempt to send something to a webhook, as it is logged. */
export interface NewDelivery {
  readonly reason: DeliveryReason
  readonly eventId: string
  readonly eventType: string
  readonly subject: string
  /** The change that it tells of; null for a test. */
  readonly sequence: number | null
  /** Which attempt it was, from 1. */
  readonly attempt: number
  readonly at: string
  /** Milliseconds. */
  readonly duration: number
  /** What the receiver answered, or why it did not. */
  readonly status: number | null
  readonly error: string | null
}

export interface StoredDelivery extends NewDelivery {
  /** Deliveries are numbered in the order in which they were logged. */
  readonly number: number
  readonly webhookId: string
}

/** What came of one attempt. */
export interface WebhookProgress {
  /** The webhook as it was when the attempt began. */
  readonly from: Pick<StoredWebhook, 'id' | 'cursor' | 'revision'>
  readonly to: Pick<StoredWebhook, 'state' | 'cursor' | 'attempts' | 'failingSince' | 'nextAttemptAt'>
  /** Absent when the cursor only passes over changes that are not for this webhook. */
  readonly delivery?: NewDelivery
}

export interface IntegrityReport {
  readonly ok: boolean
  readonly entities: number
  readonly problems: readonly string[]
}

/** For whom it is counted. */
export type GrowthQuery = Pick<Question, 'readableTypes' | 'limits'>

export interface GrowthCount {
  /** `2026-11` */
  readonly month: string
  readonly type: string
  readonly count: number
}

/**
 * Where entities are kept. Every adapter is held to these promises by
 * `test/contract/store-contract.ts`.
 *
 * A write that was answered is seen by every read that begins after the answer, whichever method it
 * uses.
 */
export interface Store extends AsyncDisposable {
  /** Finds an entity by any of its identifiers. */
  findEntity(identifier: string): MaybePromise<StoredEntity | undefined>

  /**
   * Finds many at once, by the identifiers asked for and in their order. Identifiers that match
   * nothing are left out.
   */
  findEntities(identifiers: readonly string[]): MaybePromise<ReadonlyMap<string, StoredEntity>>

  /**
   * Finds an entity, what its first relation of the first type leads to, and what the first
   * relation of the second type leads to from there. Ends where there is nothing. The same as three
   * questions, one after the other; where a database is far away, it is two journeys less.
   */
  findClimbing(identifier: string, links: readonly [string, string]): MaybePromise<readonly StoredEntity[]>

  /**
   * Finds id and type for many identifiers at once, in their order. Identifiers that match nothing
   * are left out.
   */
  identify(identifiers: readonly string[]): MaybePromise<ReadonlyMap<string, Identified>>

  /**
   * Answers a question about many entities. Throws `query_timeout` when it takes longer than the
   * store's deadline.
   */
  ask(question: Question): Promise<Answer>

  /**
   * Finds entities by the names they are known by: first those whose name goes on as was typed, in
   * the order of their names, then those whose name has all words, and where there is neither those
   * with slips. Throws `query_timeout` as `ask` does.
   */
  suggest(question: SuggestionQuery): Promise<readonly StoredEntity[]>

  /** Lists who points to an entity, in the order of creation. */
  findReferences(question: ReferenceQuery): Promise<ReferenceAnswer>

  /**
   * Writes a unit: each entity's document, version, index rows and change row in one transaction.
   * Resolves, once it is durable, to the entities as stored, in order; undefined for a deletion.
   *
   * Throws `identifier_taken`, `version_mismatch` when an entity has another version than expected
   * (or is gone), `invalid` when a relation that was not there before points to nothing, and
   * `still_referenced` when something would point to a deleted entity after the whole unit. A unit
   * with a key that happened before does not happen again: its first outcome is given, or
   * `key_reused` thrown when it was another unit.
   */
  write(unit: WriteUnit): Promise<readonly (StoredEntity | undefined)[]>

  /**
   * The ids of entities that changed since this was last called, by any process; 'all' when they
   * cannot be told. Cheap when nothing has: caches ask it before every answer.
   */
  changedSinceLastAsked(): MaybePromise<readonly string[] | 'all'>

  /** Finds what came of an earlier unit with this key, kept for a day. */
  findOutcome(scope: string, key: string): MaybePromise<EarlierOutcome | undefined>

  /**
   * The versions of an entity, deleted ones included, newest first. Resolves to undefined when
   * there never was one.
   */
  findHistory(identifier: string, skip: number, limit: number): Promise<History | undefined>

  /** One version of an entity, deleted ones included. */
  findVersion(identifier: string, version: number): Promise<Version | undefined>

  /**
   * One version of the entity that has this uuid of its own, also when it was merged and the name
   * now leads to another.
   */
  findVersionByUuid(uuid: string, version: number): Promise<Version | undefined>

  /**
   * Finds the type of entities that are deleted, by the ids they had. Ids that nothing deleted had
   * are left out.
   */
  identifyDeleted(ids: readonly string[]): Promise<ReadonlyMap<string, Identified>>

  /** The change that was the last at a moment; 0 before the first. */
  sequenceAt(at: string): Promise<number>

  /**
   * Entities as they were after a change, by the identifiers asked for. What did not exist then is
   * left out.
   */
  findEntitiesAt(identifiers: readonly string[], sequence: number): Promise<ReadonlyMap<string, StoredEntity>>

  /** The newest merge into an entity that was not taken back, of one victim where it is named. */
  findMerge(survivorId: string, victimId?: string): MaybePromise<Merge | undefined>

  /**
   * Every merge that wrote one of the entities with these uuids, oldest first, also those that were
   * taken back.
   */
  findMergesOf(uuids: readonly string[]): Promise<readonly Merge[]>

  /** The identifiers that came to the entity with this uuid by merges that were not taken back. */
  namesMergedInto(uuid: string): Promise<readonly string[]>

  /**
   * Reads changes in the order in which they were committed. One that was passed over never shows
   * up later.
   */
  readChanges(question: ChangeQuery): Promise<ChangeAnswer>
  feedState(): MaybePromise<FeedState>

  /** The connections to a server, by their purpose; an embedded store has none. */
  measure?(): Readonly<Record<string, PoolState>>

  /**
   * Reads records for a harvester, in the order of creation. A record that answers to the question
   * at one time goes on doing so, whatever happens to it, and never moves: whoever goes on from
   * where the last answer ended misses nothing and meets nothing twice.
   */
  harvest(question: HarvestQuery): Promise<HarvestAnswer>
  /** One record as a harvester sees it, by its id only; also when it is deleted. */
  findHarvested(
    id: string,
    question: Pick<HarvestQuery, 'readableTypes' | 'climbs'>
  ): Promise<HarvestedRecord | undefined>
  harvestState(): Promise<HarvestState>

  /**
   * Lists the values of a key, each once, as an index at the end of a book does. Values of more
   * than 512 characters are left out.
   */
  listTerms(question: TermQuery): Promise<readonly Term[]>

  /**
   * Counts the entities there are by type and by the month, in UTC, in which each was created, in
   * the order of both: months first.
   */
  countGrowth(question: GrowthQuery): Promise<readonly GrowthCount[]>
  /** Forgets changes before a moment; versions stay. Resolves to how many. */
  forgetChanges(before: string): Promise<number>

  /** Papers of a kind, by the keys asked for. Keys that nothing is kept under are left out. */
  findState(kind: string, keys: readonly string[]): MaybePromise<ReadonlyMap<string, string>>
  /** The keys of all papers of a kind that stand under any of these headings. */
  listStateKeys(kind: string, headings: readonly string[]): MaybePromise<readonly string[]>
  /** Papers under a heading, in the order of the bytes of their keys. */
  readState(kind: string, range: StateRange): MaybePromise<readonly StateEntry[]>

  insertToken(token: StoredToken): Promise<void>
  findToken(hash: string): MaybePromise<StoredToken | undefined>
  listTokens(): MaybePromise<readonly StoredToken[]>
  /** Resolves to whether there was one. */
  deleteToken(id: string): Promise<boolean>

  insertWebhook(webhook: StoredWebhook): Promise<void>
  findWebhook(id: string): MaybePromise<StoredWebhook | undefined>
  /** In the order in which they were made. */
  listWebhooks(): MaybePromise<readonly StoredWebhook[]>
  /**
   * Changes a webhook and counts its revision up. Resolves to the webhook as it is then, or
   * undefined when there is none. Throws `version_mismatch` when it has another revision than
   * expected.
   */
  updateWebhook(id: string, expectedRevision: number, edit: WebhookEdit): Promise<StoredWebhook | undefined>
  /** Deletes a webhook with its deliveries. Resolves to whether there was one. */
  deleteWebhook(id: string): Promise<boolean>
  /**
   * Moves a webhook on and logs the delivery, in one transaction. What a person changed meanwhile
   * stays: the cursor moves only from where it was when the attempt began, the rest only at the
   * same revision. Resolves to the webhook as it is then, or undefined when there is none; nothing
   * is logged then.
   */
  advanceWebhook(progress: WebhookProgress): Promise<StoredWebhook | undefined>
  /**
   * Logs a delivery that does not move the webhook on. Resolves to undefined when there is no such
   * webhook.
   */
  logDelivery(webhookId: string, delivery: NewDelivery): Promise<StoredDelivery | undefined>
  /**
   * Newest first; those before a number, where one is given. Of each webhook the last
   * `maxStoredDeliveries` are kept.
   */
  listDeliveries(webhookId: string, limit: number, before?: number): MaybePromise<readonly StoredDelivery[]>
  findDelivery(webhookId: string, number: number): MaybePromise<StoredDelivery | undefined>

  /**
   * Takes or keeps a task that one process at a time may have, for so many milliseconds. Resolves
   * to whether it is the holder's: it is not while another has it and its time is not over. A
   * holder that was held up longer than that must look again before it goes on.
   */
  holdLease(task: string, holder: string, milliseconds: number): Promise<boolean>
  /** Who has a task, also when the time for it is over; undefined when nobody does. */
  findLeaseHolder(task: string): Promise<string | undefined>
  /** Gives a task back before its time is over; nothing happens where another has it. */
  releaseLease(task: string, holder: string): Promise<void>

  /** Whether no entity was ever written. */
  isNew(): MaybePromise<boolean>

  /** Sets the deadline of the queries that come from now on, in milliseconds. */
  setQueryDeadline(milliseconds: number): void

  /** Looks for damage: of the file, and of the index rows against the documents. */
  check(): Promise<IntegrityReport>
}

/** How many deliveries are kept of each webhook. */
export const maxStoredDeliveries = 1000

export interface StoreSettings {
  /** How long one question may take, in milliseconds. */
  readonly queryDeadline: number
  /** How many questions may be answered at once, by threads of an embedded store. */
  readonly readers: number
  /** How many connections there may be to each server of a store that is one. */
  readonly poolSize: number
  /** Servers that follow the one that is written to; they answer questions. */
  readonly replicaUrls: readonly string[]
  /** For how many milliseconds a write of another process may stay unseen; 0 for not at all. */
  readonly staleness: number
  /**
   * Whether what was indexed by another model is indexed anew before the store is open: only a
   * service says which model holds.
   */
  readonly followsModel: boolean
  /** How much each reading connection of an embedded store remembers of what it has read. */
  readonly readCacheMegabytes: number
  /** How much may be written to an embedded store before it goes from the log into its place. */
  readonly logMegabytes: number
}
