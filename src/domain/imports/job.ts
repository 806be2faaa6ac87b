import { CatalogueError } from '../errors.ts'
import type { Json } from '../entity/entity.ts'

/** An import: its options, its progress, and its results. */
export interface ImportJob {
  readonly id: string
  /** The name of the file; for people. */
  readonly name: string
  readonly state: ImportState
  readonly isPreview: boolean
  readonly options: ImportOptions
  readonly by: string
  /** Whether records that the file marks as deleted may be deleted; unset means yes. */
  readonly mayDelete?: boolean
  readonly createdAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** The size of the file in bytes, if known. */
  readonly size: number | null
  /** Progress: items and bytes handled. */
  readonly handled: number
  readonly bytes: number
  /** Milliseconds of work, without pauses. */
  readonly worked: number
  readonly counts: ImportCounts
  /** Counts of entities by type. */
  readonly entities: Readonly<Record<string, EntityCounts>>
  /** The number of all remarks; only the first are stored. */
  readonly remarks: number
  /** The number of notes stored for undo. */
  readonly undoNotes: number
  /** The file that a command read, so that the same command continues with it. */
  readonly origin?: string
  /** The number of threads started for it since it last wrote something. */
  readonly attempts?: number
  /** The reason of a failure. */
  readonly failure: string | null
  /**
   * Records with the number of another record and without an agency; the first of them are listed.
   */
  readonly collisions?: { readonly count: number; readonly first: readonly NumberCollision[] }
  /** The first entities that an undo could not delete, or restore as they were, and why. */
  readonly retained?: readonly RetainedEntity[]
  /** The parts of records that have no place in the model. */
  readonly notMapped?: NotMapped
}

/** The fields, elements or columns that have no place in the model. */
export interface NotMapped {
  /** How often each occurs, by name. */
  readonly kinds: Readonly<Record<string, number>>
  /** How often further kinds occur. */
  readonly others: number
}

/** Maximum kinds that are counted one by one, and maximum characters of their names. */
const maxKinds = 200
const maxKindLength = 100

/** The kinds of parts that have no place in the model, the most frequent first. */
export const kindsOf = ({ notMapped }: Pick<ImportJob, 'notMapped'>): { name: string; count: number }[] =>
  Object.entries(notMapped?.kinds ?? {})
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))

/** Counts further parts of records that have no place in the model. */
export function addNotMapped(known: NotMapped | undefined, names: Iterable<string>): NotMapped | undefined {
  const kinds = new Map(Object.entries(known?.kinds ?? {}))
  let others = known?.others ?? 0
  for (const name of names) {
    const kind = name.slice(0, maxKindLength).toWellFormed()
    const count = kinds.get(kind)
    if (count === undefined && kinds.size >= maxKinds) others++
    else kinds.set(kind, (count ?? 0) + 1)
  }
  return kinds.size === 0 ? undefined : { kinds: Object.fromEntries(kinds), others }
}

/** An entity that an undo left otherwise than it would be without the import. */
export interface RetainedEntity {
  readonly id: string
  readonly reason: string
}

export const maxListedRetained = 100

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

/** States in which the job still needs work. */
export const openStates: readonly ImportState[] = ['waiting', 'running', 'undoing']

export interface ImportOptions {
  /** The format of the file, if it should not be detected. */
  readonly format?: string
  /** The meaning of each column, for CSV. */
  readonly mapping?: unknown
  /** The meaning of fields with items, for MARC. */
  readonly items?: unknown
  /** The agency of the record numbers, for records that do not name it. */
  readonly agency?: string
  /** For NDJSON: relations may refer to entities that do not exist. */
  readonly allowDangling?: boolean
}

export interface ImportCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly deleted: number
  /**
   * Not deleted although the file says so, because people edited it or other records refer to it.
   */
  readonly kept: number
  readonly unreadable: number
  /** Works that records of this import joined instead of creating one. */
  readonly joinedWorks: number
  /** Lines with source records, and with what belongs to them, that were taken. */
  readonly sources: number
  /** Lines with versions of records that were taken. */
  readonly versions: number
  /** Contents of media files that the file has. */
  readonly contents: number
  /** Media files of the file whose bytes are not stored, counted at the end. */
  readonly missingContents: number
}

export interface EntityCounts {
  readonly created: number
  readonly updated: number
  readonly deleted: number
}

export const noCounts: ImportCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  kept: 0,
  unreadable: 0,
  joinedWorks: 0,
  sources: 0,
  versions: 0,
  contents: 0,
  missingContents: 0
}

/** A record with the number of another record, where neither names its agency. */
export interface NumberCollision {
  /** The number of the record in the file, counted from 1. */
  readonly number: number
  readonly controlNumber: string
  readonly title: string
  readonly otherTitle: string
  /** The import that brought the other record. */
  readonly otherImport: string
}

export const maxListedCollisions = 10

type JobBeginning = 'id' | 'name' | 'state' | 'isPreview' | 'options' | 'by' | 'createdAt'

/** An import that has not begun. */
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

/** A remark for people about one item of the file. */
export interface ImportRemark {
  readonly number: number
  readonly offset: number
  readonly controlNumber?: string
  readonly outcome: 'unreadable' | 'kept' | 'noticed'
  readonly remarks: readonly string[]
}

/**
 * The outcome of a record. `kept`: not deleted, since people edited it or other records refer to
 * it. `unknown`: not deleted, since it does not exist.
 */
export type RecordOutcome = 'created' | 'updated' | 'deleted' | 'kept' | 'unknown'

/** The expected outcome of a record that a mapping makes of a row. */
export interface PreviewRecord {
  readonly type: string
  readonly title: string
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused'
  readonly metadata: readonly { readonly key: string; readonly value: Json; readonly lang?: string }[]
  /** Each relation with the name of the related record, or its id. */
  readonly relations: readonly { readonly type: string; readonly name: string }[]
}

/** The expected outcome of a record. */
export interface PreviewLine {
  readonly number: number
  readonly record: string
  readonly title: string
  readonly outcome: RecordOutcome | PreviewRecord['outcome']
  readonly works: readonly {
    readonly title: string
    /** The entity that it would be joined to, the reason, and the confidence. */
    readonly is_new: boolean
    readonly explanation: string | null
    /** The code of the reason. */
    readonly reason?: string
    readonly confidence: number | null
  }[]
  /** The records of a row, for a file with a mapping of rows. */
  readonly records?: readonly PreviewRecord[]
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

/** Throws when an import cannot be undone. */
export function refuseUndo({ state, isPreview }: ImportJob) {
  if (isPreview) throw new CatalogueError('invalid', 'A preview has written nothing; there is nothing to undo')
  if (state === 'undone') throw new CatalogueError('invalid', 'This import was undone already')
  if (state === 'waiting' || state === 'running' || state === 'uploading')
    throw new CatalogueError('invalid', 'This import is not finished; stop it first')
}

/** The beginning of the name of an import as the author of changes. */
const mark = 'import:'

/** The id of the import that made a change; undefined for a change by somebody else. */
export const importOf = (author: string): string | undefined =>
  author.startsWith(mark) ? author.slice(mark.length) : undefined
