import type { Parts } from '#catalogue/parts.ts'
import type { EntityCounts, ImportCounts, ImportJob, NumberCollision, PreviewLine } from '#domain/imports/job.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Undo } from '../state/import-state.ts'
import type { Staging, UndoNotes } from '../state/staging.ts'
import type { DraftRules } from './draft-limits.ts'
import type { Placing } from './placing.ts'
import type { ImportItem } from './prepare-record.ts'

/*
 * The items of a file are of several kinds: records of publications, rows, authority records,
 * holdings records, and entities of our own. Each kind is a module of this shape, listed in
 * `kinds.ts`; everything else walks that list.
 */

/** A kind of items. `Placed` is the value that it makes of an item. */
export interface ImportKind<Item extends ImportItem = ImportItem, Placed = unknown> {
  /**
   * Tells why an item cannot be imported, as sentences beyond its own remarks; undefined when it
   * can be imported. The rest of the file is imported all the same.
   */
  refuse(item: Item, rules: ItemRules): readonly string[] | undefined
  /** Stages or writes the items of a batch, of which there is at least one. */
  place(items: readonly Item[], batch: Batch): Promise<readonly Placed[]>
  /** The part of an item in the counts, remarks and review of the import. */
  summarise(placed: Placed): ItemSummary
  /** The lines of a preview; kinds without it are only counted. */
  preview?(placed: readonly Placed[], model: Model): PreviewLine[]
  readonly undo: KindUndo
}

export interface ItemRules extends DraftRules {
  /** Whether records that the file marks as deleted may be deleted; unset means yes. */
  readonly mayDelete?: boolean | undefined
}

export const mayNotDelete = 'Not deleted: the token that sent the file has no scope `delete`'

/** A part of a file that is placed together. */
export interface Batch {
  readonly parts: Parts
  readonly staging: Staging
  readonly job: ImportJob
  readonly placing: Placing
  readonly undoNotes: UndoNotes
  /** Whether entities may refer to entities that do not exist. */
  readonly allowDangling: boolean
  /** Commits the notes that were made so far, before anything is written beside them. */
  readonly commitNotes: () => Promise<void>
}

export interface ItemSummary {
  readonly item: ImportItem
  /** The counts that it adds one to; those of a row, for each of its records. */
  readonly counted: readonly (keyof ImportCounts)[]
  /** The entities that are written already, beside those that are staged. */
  readonly written?: readonly { readonly type: string; readonly outcome: keyof EntityCounts }[]
  /** Why it was not imported. */
  readonly refusal?: readonly string[]
  /** Its remarks, if they are others than those of its reader. */
  readonly remarks?: readonly string[]
  /** Whether it should be deleted and was not. */
  readonly isRetained?: boolean
  readonly collision?: NumberCollision
  /** Entities that it waits for, since it refers to them. */
  readonly waitsFor?: readonly string[]
}

// Undo

/** How an import of one kind is undone. */
export interface KindUndo {
  /** The notes that it restores things from. */
  readonly of: readonly Undo['of'][]
  restore(notes: readonly NotedState[], undoing: Undoing): Promise<void>
}

/**
 * The state of one thing before the import: the first note of it has the state before all changes
 * of the import, the last one that before its last change.
 */
export interface NotedState {
  readonly first: Undo
  readonly last: Undo
}

/** The first notes of one sort. */
export const notesOf = <Of extends Undo['of']>(notes: readonly NotedState[], of: Of): Extract<Undo, { of: Of }>[] =>
  notes.flatMap(({ first }) => (first.of === of ? [first as Extract<Undo, { of: Of }>] : []))

/** An undo that is under way. */
export interface Undoing {
  readonly parts: Parts
  readonly staging: Staging
  /** The id of the import. */
  readonly job: string
  readonly placing: Placing
  /**
   * Restores things batch by batch: each batch is staged by `stage` and committed with the progress
   * of the undo. After a concurrent change a batch is staged again.
   */
  inBatches<T>(all: readonly T[], stage: (batch: readonly T[]) => Promise<void>): Promise<void>
  /** Ends the undo, to be resumed later, if it was asked to stop. */
  endIfStopped(): void
  /** Changes the counts of the job. */
  count(change: (job: ImportJob) => ImportJob): void
  /** Lists an entity that could not be deleted, or not restored as it was. */
  retain(id: string, reason?: string): void
}
