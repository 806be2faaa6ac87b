import type { RecordEvidence } from '../clustering/evidence.ts'

/*
 * What an import is given. Formats read it out of files; from here on nothing depends on the
 * format.
 *
 * - item: one thing in the file: a record, a word that a record was deleted, or something that
 *   could not be read
 * - draft: an entity as far as one record describes it; what it is related to is named, not yet
 *   found
 * - target: what a relation points to, by its name, codes and identifiers instead of an id
 * - name: what a record goes by for good, however often and in whichever order it is imported
 */

export interface TargetDraft {
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string }[]
  /** URIs and numbers of authority files. */
  readonly identifiers: readonly string[]
  /** For comparing. */
  readonly key: string
  readonly birthYear?: string
}

export interface RelationDraft {
  readonly relation: string
  readonly target: TargetDraft
  readonly role?: { readonly code: string; readonly wording: string }
}

export interface EntityDraft {
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string | boolean }[]
  readonly relations: readonly RelationDraft[]
  readonly identifiers: readonly string[]
}

/** What one mention of the evidence says, in its order. */
export interface MentionDraft {
  readonly work: EntityDraft
  readonly expression: EntityDraft
  /** How sure the title is the work's own: 0 for the surest kind of title. */
  readonly titleRank: number
}

/** Where something stands in its file. */
export interface ItemPosition {
  /** Counted from 1. */
  readonly number: number
  readonly offset: number
  readonly length: number
}

export interface ImportedRecord {
  readonly kind: 'record'
  readonly position: ItemPosition
  readonly name: string
  /** The control number, where no agency is known: records of other libraries may have it, too. */
  readonly number?: string
  readonly controlNumber: string | undefined
  /** The record as it came, byte for byte, and how it is written. */
  readonly source: Uint8Array
  readonly form: string
  readonly manifestation: EntityDraft
  readonly mentions: readonly MentionDraft[]
  readonly evidence: RecordEvidence
  /** What is odd about it, as sentences. */
  readonly remarks: readonly string[]
}

export interface ImportedDeletion {
  readonly kind: 'deletion'
  readonly position: ItemPosition
  readonly name: string
  readonly controlNumber: string | undefined
  readonly remarks: readonly string[]
}

/** Something of which no record can be made. */
export interface ImportFault {
  readonly kind: 'fault'
  readonly position: ItemPosition
  readonly controlNumber: string | undefined
  readonly remarks: readonly string[]
}

/** An entity of our own, written as it is. It is not checked yet. */
export interface ImportedEntity {
  readonly kind: 'entity'
  readonly position: ItemPosition
  readonly controlNumber: string | undefined
  readonly entity: Readonly<Record<string, unknown>>
  readonly remarks: readonly string[]
}

export type ImportItem = ImportedRecord | ImportedDeletion | ImportedEntity | ImportFault
