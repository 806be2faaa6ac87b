import type { RecordType } from '#domain/record-types/record-type.ts'
import type { Base } from '#index/base.ts'

/* The input and the messages of a thread that makes a base of the index. */

/** Tells how many records were read, and of how many. */
export type ReportProgress = (done: number, of: number) => void

/** Makes a base from the last one and the changes since, from a stored one, or from all records. */
export type BuildBase = (signal: AbortSignal, report: ReportProgress, input: BuilderInput) => Promise<BuiltBase>

export interface BuiltBase {
  readonly base: Base
  readonly isFromSnapshot: boolean
  /** The change of the last snapshot. */
  readonly savedChange: number
  /**
   * Resolves to the change of the snapshot that is saved with this base, once it is on the disk;
   * undefined where none is saved.
   */
  readonly saving: Promise<number> | undefined
}

/** The messages of a thread that builds a base. */
export type BuilderMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | ({ readonly kind: 'built'; readonly isSaving: boolean } & Omit<BuiltBase, 'saving'>)
  | { readonly kind: 'saved'; readonly change: number }
  /** A part of a base, of a thread that builds parts; the range is the place in its list. */
  | { readonly kind: 'part'; readonly base: Base; readonly range: number }

/** The sources of a base. */
export interface BuilderInput {
  /** The last base of the process; undefined where there is none that can be used. */
  readonly previous: Base | undefined
  readonly isFromSnapshot: boolean
  readonly mayReadSnapshot: boolean
  /** Whether it is time to write a snapshot, if enough changed. */
  readonly mayWriteSnapshot: boolean
  /** The change of the last snapshot; see `noSnapshot`. */
  readonly savedChange: number
}

/** Stands for the change of a snapshot where none is saved yet, or it contains a purged record. */
export const noSnapshot = Number.NEGATIVE_INFINITY

/** Data of every thread that builds a base. */
export interface BuilderOptions extends BuilderInput {
  /** The file with a snapshot, where there is one. */
  readonly snapshot: string | undefined
  /** Maximum number of records of a part; building takes several times the memory of a base. */
  readonly recordsOfPart: number
  /** For a thread that builds parts: the records that each of them has. */
  readonly ranges?: readonly RecordRange[]
}

/** Data of a thread beside the sources, with the place of its database. */
export type BuilderData<Place> = Place &
  Omit<BuilderOptions, keyof BuilderInput> & { readonly recordTypes: readonly RecordType[] }

/** Records by their numbers. */
export interface RecordRange {
  readonly after: number
  readonly upTo: number
}

/** A snapshot is written again after at least this many changes. */
export const minUnsaved = 1000
