import { progressName, rulesName } from './index-progress.ts'

/*
 * All data of a store, as rows that mean the same in both databases, to move it from one to the
 * other. Rows that follow from the documents (identifiers, relations, index rows) are not included;
 * they are created when entities are written.
 */

export interface ArchivePart {
  readonly name: PartName
  readonly columns: readonly (readonly [name: string, type: 'text' | 'whole'])[]
  /** The number of key columns, which are the first of `columns` and give the order. */
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
  | 'acts'

export type ArchiveValue = string | number | null
export type ArchiveRow = readonly ArchiveValue[]

/** The numbers that were given last. */
export interface LastNumbers {
  readonly entity: number
  readonly change: number
  readonly merge: number
}

/** A move that is not finished: the feed of the source database, and its last change. */
export interface UnfinishedMove {
  readonly epoch: string
  readonly change: number
}

/** A database that is open for a move. No other process may write to it meanwhile. */
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
  readMove(): Promise<UnfinishedMove | undefined>
  /** Stores the move; undefined ends it. */
  writeMove(move: UnfinishedMove | undefined): Promise<void>
}

const text = (...names: string[]) => names.map(name => [name, 'text'] as const)
const whole = (...names: string[]) => names.map(name => [name, 'whole'] as const)

/** The parts of a store, in the order in which they are moved. */
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
  { name: 'papers', keys: 2, columns: text('kind', 'key', 'value') },
  {
    name: 'acts',
    keys: 1,
    columns: [...whole('number'), ...text('at', 'by', 'act', 'subject', 'address', 'details')]
  }
]

/**
 * Name of the property with the move into the database that is not finished; a service refuses to
 * start on it.
 */
export const moveInProgress = 'moving'

/** Properties of one database that are not moved, as a list in SQL. */
const ownProperties = [moveInProgress, rulesName, progressName].map(name => `'${name}'`).join(', ')

export const columnsOf = ({ columns }: ArchivePart) => columns.map(([name]) => name).join(', ')

export const keysOf = ({ columns, keys }: ArchivePart) => columns.slice(0, keys).map(([name]) => name)

const selectPart = (part: ArchivePart) =>
  `SELECT ${columnsOf(part)} FROM ${part.name} WHERE ${part.name === 'properties' ? `name NOT IN (${ownProperties})` : 'TRUE'}`

/** Selects rows in the order of their keys, after the row whose keys are the parameters. */
export function selectPage(part: ArchivePart, isContinued: boolean, limit: number): string {
  const keys = keysOf(part)
  const after = isContinued ? `AND (${keys.join(', ')}) > (${keys.map(() => '?').join(', ')})` : ''
  return `${selectPart(part)} ${after} ORDER BY ${keys.join(', ')} LIMIT ${limit}`
}

export const selectLast = (part: ArchivePart) =>
  `${selectPart(part)} ORDER BY ${keysOf(part)
    .map(key => `${key} DESC`)
    .join(', ')} LIMIT 1`

export function toMove(value: unknown): UnfinishedMove | undefined {
  return value === undefined || value === null ? undefined : (JSON.parse(String(value)) as UnfinishedMove)
}

/** The error of a service that is started on a database with an unfinished move. */
export const unfinishedMove = () =>
  new Error(
    'A move into this database is not finished: run the same "npx libretto move" again, or use another database'
  )
