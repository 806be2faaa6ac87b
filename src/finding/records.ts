import type { StoredEntity } from '#domain/entity/entity.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'

/* The records of a database, as the index reads them. */

/** The number of a change, and what it was: another history has another change of that number. */
export interface ChangeMark {
  readonly change: number
  readonly mark: string
}

/** A record as the database has it. */
export interface DocumentRow {
  readonly number: number
  readonly changed: number
  readonly document: string
}

/** Reads records and the change log in a transaction that sees one moment. */
export interface Records {
  /** The last change; its mark is empty where there is none. */
  lastChange(): MaybePromise<ChangeMark>
  /** The last changes, the newest first, by which a history is recognised. */
  recentChanges(count: number): MaybePromise<readonly ChangeMark[]>
  /** Whether the record of each of these changes has a later change. */
  areFollowed(marks: readonly ChangeMark[]): MaybePromise<boolean>
  /** The changes from one to another, the newest first. */
  changesBetween(first: number, last: number): MaybePromise<readonly (ChangeMark & { readonly uuid: string })[]>
  /**
   * A property of the database: `epoch` names it, `forgotten` is the last change that was deleted
   * for its age, with all before it, and `purged` is the change of the last purge.
   */
  findProperty(name: 'epoch' | 'forgotten' | 'purged'): MaybePromise<string | undefined>
  /** The number of the record that was created last; 0 where there is none. */
  lastNumber(): MaybePromise<number>
  countRecords(): MaybePromise<number>
  /** Existing records that changed after a change and up to another, in the order of numbers. */
  changedNumbers(after: number, upTo: number): MaybePromise<readonly number[]>
  /** The same, with their documents, in any order. */
  changedDocuments(after: number, upTo: number): MaybePromise<readonly (DocumentRow & { readonly uuid: string })[]>
  /** Records by their numbers, in the order of numbers. */
  documents(numbers: readonly number[]): MaybePromise<readonly DocumentRow[]>
  /** The first records after a number and up to another, in the order of numbers. */
  documentsBetween(after: number, upTo: number, limit: number): MaybePromise<readonly DocumentRow[]>
  /** Reads records in a given order, up to the maximum bytes of a page. */
  readPage(numbers: readonly number[]): MaybePromise<RecordPage>
  findIds(numbers: readonly number[]): MaybePromise<ReadonlyMap<number, string>>
  /** The last change of records up to an earlier change; none for those that did not exist then. */
  changesBefore(numbers: readonly number[], change: number): MaybePromise<ReadonlyMap<number, number>>
}

export interface RecordPage {
  readonly records: readonly (StoredEntity & { readonly number: number })[]
  /** Whether it ends before a record that would exceed the maximum bytes. */
  readonly isCut: boolean
}
