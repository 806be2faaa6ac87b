/** An import: what was asked for, how far it came, and what it has done. */
export interface ImportJob {
  readonly id: string
  /** What the file is called; for people. */
  readonly name: string
  readonly state: ImportState
  readonly isPreview: boolean
  readonly options: ImportOptions
  readonly by: string
  /** Whether records that the file says are deleted may be; unset for yes. */
  readonly mayDelete?: boolean
  readonly createdAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** The size of the file in bytes, where it is known. */
  readonly size: number | null
  /** How much of it is done: things in the file, and bytes. */
  readonly handled: number
  readonly bytes: number
  /** Milliseconds of work, without the time that it stood still. */
  readonly worked: number
  readonly counts: ImportCounts
  /** What became of entities, by type. */
  readonly entities: Readonly<Record<string, EntityCounts>>
  /** How many remarks there are in all; the first of them are kept. */
  readonly remarks: number
  /** How often something was kept for taking it back. */
  readonly undoNotes: number
  /** Of a file that a command read: which one, so that the same command goes on with it. */
  readonly origin?: string
  /** How often a thread was started for it since it last wrote something. */
  readonly attempts?: number
  /** Why it failed. */
  readonly failure: string | null
  /**
   * Records that came under the number of another record, without an agency; the first of them are
   * listed.
   */
  readonly collisions?: { readonly count: number; readonly first: readonly NumberCollision[] }
}

export const importStates = [
  'uploading',
  'waiting',
  'running',
  'done',
  'failed',
  'stopped',
  'undoing',
  'undone'
] as const
export type ImportState = (typeof importStates)[number]

/** States in which somebody has to do something about it. */
export const openStates: readonly ImportState[] = ['waiting', 'running', 'undoing']

export interface ImportOptions {
  /** How the file is written, where it should not be guessed. */
  readonly format?: string
  /** Which column means what, for CSV. */
  readonly mapping?: unknown
  /** Whose record numbers these are, where records do not say so. */
  readonly agency?: string
  /** For NDJSON: relations may refer to entities that do not exist. */
  readonly allowDangling?: boolean
}

export interface ImportCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly deleted: number
  /** Should have gone, but people have changed it or point to it. */
  readonly kept: number
  readonly unreadable: number
  /** Works that records of this import joined instead of making one. */
  readonly joinedWorks: number
}

export interface EntityCounts {
  readonly created: number
  readonly updated: number
  readonly deleted: number
}

const noCounts: ImportCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  kept: 0,
  unreadable: 0,
  joinedWorks: 0
}

/** A record with the number of another record, where neither names its agency. */
export interface NumberCollision {
  /** Which record of the file, counted from 1. */
  readonly number: number
  readonly controlNumber: string
  readonly title: string
  readonly otherTitle: string
  /** The import that the other record came with. */
  readonly otherImport: string
}

export const maxListedCollisions = 10

type JobBeginning = 'id' | 'name' | 'state' | 'isPreview' | 'options' | 'by' | 'createdAt'

/** An import of which nothing is done yet. */
export const newImportJob = (given: Pick<ImportJob, JobBeginning> & Partial<ImportJob>): ImportJob => ({
  startedAt: null,
  endedAt: null,
  size: null,
  handled: 0,
  bytes: 0,
  worked: 0,
  counts: noCounts,
  entities: {},
  remarks: 0,
  undoNotes: 0,
  failure: null,
  ...given
})

/** Something that people should know of one thing in the file. */
export interface ImportRemark {
  readonly number: number
  readonly offset: number
  readonly controlNumber?: string
  readonly outcome: 'unreadable' | 'kept' | 'noticed'
  readonly remarks: readonly string[]
}

/**
 * What became of a record. `kept`: it should have been deleted, but people have changed it or
 * something refers to it. `unknown`: it should have been deleted, but was not there.
 */
export type RecordOutcome = 'created' | 'updated' | 'deleted' | 'kept' | 'unknown'

/** What would become of a record. */
export interface PreviewLine {
  readonly number: number
  readonly record: string
  readonly title: string
  readonly outcome: RecordOutcome
  readonly works: readonly {
    readonly title: string
    /** Where it would be joined to others: to which, why, and how sure that is. */
    readonly is_new: boolean
    readonly explanation: string | null
    /** Why, as a code. */
    readonly reason?: string
    readonly confidence: number | null
  }[]
}

export function addEntityCounts(
  known: ImportJob['entities'],
  type: string,
  what: keyof EntityCounts,
  many = 1
): ImportJob['entities'] {
  const counts = known[type] ?? { created: 0, updated: 0, deleted: 0 }
  return { ...known, [type]: { ...counts, [what]: counts[what] + many } }
}
