import type { RecordEvidence } from '../clustering/evidence.ts'

/*
 * The input of an import. Formats read it from files; nothing after this depends on the format.
 *
 * - item: one unit of the file: a record, the deletion of a record, or an unreadable part
 * - draft: an entity as far as one record describes it; its relations name authorities by text
 * - authority: a person, subject, language or the like that a relation refers to, by its name,
 *   codes and identifiers instead of an id
 * - name: the permanent identifier of a record, the same however often and in any order it is
 *   imported
 */

export interface AuthorityDraft {
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string }[]
  /** URIs and numbers of authority files. */
  readonly identifiers: readonly string[]
  /** The key for comparing. */
  readonly key: string
  readonly birthYear?: string
}

/** A relation to an authority, which `Target` describes or names. */
export interface RelationTo<Target> {
  readonly relation: string
  readonly target: Target
  readonly role?: { readonly code: string; readonly wording: string }
}

/** An entity as far as a record describes it. */
export interface DraftWith<Target> {
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string | boolean }[]
  readonly relations: readonly RelationTo<Target>[]
  readonly identifiers: readonly string[]
}

export type RelationDraft = RelationTo<AuthorityDraft>

export type EntityDraft = DraftWith<AuthorityDraft>

/** The drafts of one mention, in the order of the evidence. */
export interface MentionDraft {
  readonly work: EntityDraft
  readonly expression: EntityDraft
  /** The rank of the kind of title: 0 for the most certain. */
  readonly titleRank: number
}

/** The position of an item in its file. */
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
  /** The control number, if no agency is known: records of other libraries may have the same. */
  readonly number?: string
  readonly controlNumber: string | undefined
  /** The record as received, byte for byte, and its format. */
  readonly source: Uint8Array
  readonly form: string
  readonly manifestation: EntityDraft
  readonly mentions: readonly MentionDraft[]
  readonly evidence: RecordEvidence
  /** Problems of the record, as sentences. */
  readonly remarks: readonly string[]
}

export interface ImportedDeletion {
  readonly kind: 'deletion'
  readonly position: ItemPosition
  readonly name: string
  readonly controlNumber: string | undefined
  readonly remarks: readonly string[]
}

/** An item that is no readable record. */
export interface ImportFault {
  readonly kind: 'fault'
  readonly position: ItemPosition
  readonly controlNumber: string | undefined
  readonly remarks: readonly string[]
}

/** An entity in the format of this service, written unchanged. It is not checked yet. */
export interface ImportedEntity {
  readonly kind: 'entity'
  readonly position: ItemPosition
  readonly controlNumber: string | undefined
  readonly entity: Readonly<Record<string, unknown>>
  readonly remarks: readonly string[]
}

export type ImportItem = ImportedRecord | ImportedDeletion | ImportedEntity | ImportFault
