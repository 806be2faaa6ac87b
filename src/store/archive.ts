import { progressName, rulesName } from './index-progress.ts'

/*
 * Everything that a store holds, as rows that mean the same in every store: for moving from one to
 * another. What can be made again from the documents (names, arrows, index rows) is not among them;
 * whoever writes entities makes it.
 */

export interface ArchivePart {
  readonly name: PartName
  readonly columns: readonly (readonly [name: string, type: 'text' | 'whole'])[]
  /** The columns by which its rows are ordered and told apart: the first of `columns`. */
  readonly keys: number
}

export type PartName =
  | 'properties'
  | 'versions'
  | 'names'
  | 'entities'
  | 'changes'
  | 'merges'
  | 'outcomes'
  | 'tokens'
  | 'webhooks'
  | 'deliveries'
  | 'papers'

export type ArchiveValue = string | number | null
export type ArchiveRow = readonly ArchiveValue[]

/** The numbers that were given last. */
export interface LastNumbers {
  readonly entity: number
  readonly change: number
  readonly merge: number
}

/** A move that was begun: from where, and how far that had come. */
export interface MoveMark {
  readonly epoch: string
  readonly change: number
}

/** A database, open for moving. Nobody else may write to it meanwhile. */
export interface Archive extends AsyncDisposable {
  /** Rows of a part in the order of their keys, those after a row where one is given. */
  read(part: ArchivePart, after: ArchiveRow | undefined, limit: number): Promise<readonly ArchiveRow[]>
  /** The last row of a part, in the order of its keys. */
  last(part: ArchivePart): Promise<ArchiveRow | undefined>
  /** Writes rows in one transaction. */
  write(part: ArchivePart, rows: readonly ArchiveRow[]): Promise<void>

  readNumbers(): Promise<LastNumbers>
  writeNumbers(numbers: LastNumbers): Promise<void>

  /** The move into this database that is not finished, if there is one. */
  readMark(): Promise<MoveMark | undefined>
  /** Undefined ends the move. */
  writeMark(mark: MoveMark | undefined): Promise<void>
}

const text = (...names: string[]) => names.map(name => [name, 'text'] as const)
const whole = (...names: string[]) => names.map(name => [name, 'whole'] as const)

/** What a store holds, in the order in which it is moved. */
export const archiveParts: readonly ArchivePart[] = [
  { name: 'properties', keys: 1, columns: text('name', 'value') },
  {
    name: 'versions',
    keys: 2,
    columns: [
      ...text('uuid'),
      ...whole('version'),
      ...text('id', 'type'),
      ...whole('changed'),
      ...text('at', 'by', 'document', 'merged_into'),
      ...whole('entity_pk')
    ]
  },
  { name: 'names', keys: 2, columns: text('identifier', 'uuid') },
  {
    name: 'entities',
    keys: 1,
    columns: [
      ...whole('pk'),
      ...text('id', 'uuid', 'type', 'umbrella'),
      ...whole('version', 'changed'),
      ...text('created_at', 'created_by', 'updated_at', 'updated_by', 'document')
    ]
  },
  {
    name: 'changes',
    keys: 1,
    columns: [
      ...whole('sequence'),
      ...text('kind', 'id', 'uuid', 'type'),
      ...whole('version'),
      ...text('at', 'by', 'merged_into')
    ]
  },
  {
    name: 'merges',
    keys: 1,
    columns: [
      ...whole('number'),
      ...text('survivor_uuid', 'survivor_id', 'victim_id', 'written', 'at', 'by'),
      ...whole('undone')
    ]
  },
  { name: 'outcomes', keys: 2, columns: text('scope', 'key', 'fingerprint', 'outcome', 'note', 'at') },
  { name: 'tokens', keys: 1, columns: text('id', 'name', 'hash', 'scopes', 'created_at', 'created_by', 'expires_at') },
  {
    name: 'webhooks',
    keys: 1,
    columns: [
      ...whole('number'),
      ...text(
        'id',
        'url',
        'description',
        'kinds',
        'types',
        'secret',
        'previous_secret',
        'previous_secret_until',
        'state'
      ),
      ...whole('cursor', 'attempts'),
      ...text('failing_since', 'next_attempt_at', 'created_at', 'created_by'),
      ...whole('revision')
    ]
  },
  {
    name: 'deliveries',
    keys: 1,
    columns: [
      ...whole('number'),
      ...text('webhook_id', 'reason', 'event_id', 'event_type', 'subject'),
      ...whole('sequence', 'attempt'),
      ...text('at'),
      ...whole('duration', 'status'),
      ...text('error')
    ]
  },
  { name: 'papers', keys: 2, columns: text('kind', 'key', 'value') }
]

/**
 * Under this name a property marks a move into the database that is not finished; a service refuses
 * to start on it.
 */
export const moveMarkName = 'moving'

/** Properties that are about one database, as a list in SQL. */
export const ownProperties = [moveMarkName, rulesName, progressName].map(name => `'${name}'`).join(', ')

/** `(a, b) > (?, ?)`, for the keys of a part. */
export const afterKeys = ({ columns, keys }: ArchivePart) => {
  const names = columns.slice(0, keys).map(([name]) => name)
  return `(${names.join(', ')}) > (${names.map(() => '?').join(', ')})`
}

export const columnsOf = ({ columns }: ArchivePart) => columns.map(([name]) => name).join(', ')

export const keysOf = ({ columns, keys }: ArchivePart) => columns.slice(0, keys).map(([name]) => name)

export function readMoveMark(value: unknown): MoveMark | undefined {
  return value === undefined || value === null ? undefined : (JSON.parse(String(value)) as MoveMark)
}

/** Why a database with this mark cannot be served. */
export const unfinishedMove = () =>
  new Error(
    'A move into this database is not finished: run the same "npx libretto move" again, or take another database'
  )
