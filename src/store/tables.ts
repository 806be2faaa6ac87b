/*
 * The tables of a store, with their columns, for both databases.
 *
 * - entities: one row each, with the document exactly as it is answered. `pk` is the order of
 *   creation, `changed` the number of the change that wrote the row, so both orders are total and
 *   no two records ever tie.
 * - identifiers: every identifier of every entity.
 * - names: former and current identifiers of an entity beside its uuid and its id, to query the
 *   past by them.
 * - versions: documents that were replaced or deleted; the newest is in `entities`. A row without a
 *   document marks a deletion and has the `pk`, so that a restored entity gets its former position
 *   in the order of creation. A version that another catalogue made has `changed` 0.
 * - relations: by the key in the document, so that a relation may point to an entity that does not
 *   exist yet.
 * - lookups: values by which the service itself finds records (domain/search/lookup-values.ts).
 *   Everything else is found by the index in memory (src/index).
 * - changes: the log of changes, in the order of commits.
 * - outcomes: the outcomes of requests with an Idempotency-Key.
 * - merges: the entities that a merge wrote, to undo it; `undone` is the change that did.
 * - properties: single facts about this database.
 * - webhooks, deliveries: receivers of changes, with the last change sent to each, and the last
 *   attempts.
 * - papers: state entries of operations (ports/state.ts).
 * - acts: the log of administrative acts (ports/audit.ts).
 * - leases: the process that has a task, and until when.
 */

import type { ReportStep } from './ports/administration.ts'

/**
 * `small` is a whole number below 2^31. A row has its `number` from the store, and a `serial` from
 * the database; each is the primary key, and is never given again.
 */
export type ColumnKind = 'text' | 'whole' | 'small' | 'number' | 'serial' | 'moment'

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  /** Whether it belongs to the primary key. */
  readonly isKey: boolean
  readonly isNullable: boolean
  /** A further constraint, in SQL. */
  readonly constraint: string
}

/**
 * Columns as `name kind` with constraints, separated by commas. Those of the primary key come
 * first, and are marked `key`; those without a value in some rows are marked `null`.
 */
const definitions = {
  entities: `pk number key, id text unique, uuid text, type text, umbrella text, version whole, changed whole,
    created_at text, created_by text, updated_at text, updated_by text, document text`,
  identifiers: 'identifier text key, entity_pk whole',
  names: 'identifier text key, uuid text key',
  versions: `uuid text key, version whole key, id text, type text, changed whole, at text, by text,
    document text null, merged_into text null, entity_pk whole null`,
  relations: 'entity_pk whole key, position small key, type text, target text',
  lookups: 'key text key, value text key, type text key, entity_pk whole key',
  changes: `sequence number key, kind text, id text, uuid text, type text, version whole, at text, by text,
    merged_into text null`,
  outcomes: 'scope text key, key text key, fingerprint text, outcome text, note text, at text',
  merges: `number number key, survivor_uuid text, survivor_id text, victim_id text, written text, at text, by text,
    undone whole null`,
  properties: 'name text key, value text',
  tokens: `id text key, name text, hash text unique, scopes text, created_at text, created_by text,
    expires_at text null`,
  webhooks: `number serial key, id text unique, url text, description text, kinds text, types text, secret text,
    previous_secret text null, previous_secret_until text null, state text, cursor whole, attempts small,
    failing_since text null, next_attempt_at text null, created_at text, created_by text, revision small`,
  deliveries: `number serial key, webhook_id text references webhooks (id) on delete cascade, reason text,
    event_id text, event_type text, subject text, sequence whole null, attempt small, at text, duration small,
    status small null, error text null`,
  papers: 'kind text key, key text key, value text',
  acts: 'number serial key, at text, by text, act text, subject text null, address text null, details text',
  leases: 'task text key, holder text, until moment'
}

export type TableName = keyof typeof definitions

export const tableNames = Object.keys(definitions) as readonly TableName[]

const tables = new Map<TableName, readonly Column[]>(
  tableNames.map(name => [name, definitions[name].split(',').map(each => toColumn(each.trim()))])
)

export const columnsOf = (table: TableName): readonly Column[] => tables.get(table) ?? []

export const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ')

export const keysOf = (table: TableName): readonly Column[] => columnsOf(table).filter(({ isKey }) => isKey)

function toColumn(text: string): Column {
  const [name = '', kind, ...others] = text.split(/\s+/)
  const constraint = others.filter(each => each !== 'key' && each !== 'null').join(' ')
  const [isKey, isNullable] = [others.includes('key'), others.includes('null')]
  return { name, kind: kind as ColumnKind, isKey, isNullable, constraint }
}

const isNumber = (kind: ColumnKind) => kind === 'number' || kind === 'serial'

/** Indexes that are the same in both databases. */
const indexes = [
  'entities_by_uuid ON entities (uuid)',
  'entities_by_type ON entities (type, pk)',
  'entities_by_umbrella ON entities (umbrella, pk)',
  'identifiers_by_entity ON identifiers (entity_pk)',
  'versions_by_id ON versions (id)',
  // Harvesters read deletions at the former positions of the deleted records.
  'versions_by_deleted_place ON versions (entity_pk) WHERE document IS NULL',
  'relations_by_target ON relations (target, type, entity_pk)',
  'outcomes_by_at ON outcomes (at)',
  'merges_by_survivor ON merges (survivor_uuid) WHERE undone IS NULL',
  'deliveries_by_webhook ON deliveries (webhook_id, number)',
  'acts_by_act ON acts (act, number)'
]

/** Counts the changes of the schema. */
export const schemaVersion = 8

/**
 * Removes the tables by which schemas before 8 found records; since then the index in memory does.
 * Their values for lookups are moved.
 */
const removeFinding = [
  `INSERT INTO lookups (type, key, value, entity_pk)
    SELECT e.type, v.key, v.text, e.pk FROM field_values v JOIN entities e ON e.pk = v.entity_pk
    WHERE v.is_derived = 0 AND v.text IS NOT NULL
      AND (v.key = 'sha256' OR ((v.is_name = 1 OR v.key = 'code') AND substr(e.created_by, 1, 7) <> 'import:'))
    ON CONFLICT DO NOTHING`,
  ...['field_text', 'field_values', 'search_words', 'vocabulary'].map(name => `DROP TABLE IF EXISTS ${name}`),
  ...['entities_by_type_changed', 'entities_by_umbrella_changed', 'entities_by_type_created', 'relations_by_type'].map(
    name => `DROP INDEX IF EXISTS ${name}`
  ),
  `DELETE FROM properties WHERE name = 'words_to_index_from'`
]

/** The differences of the databases in their schemas. */
export interface SchemaDialect {
  readonly kinds: Readonly<Record<ColumnKind, string>>
  /** The end of the statement that creates a table. */
  readonly optionsOf: (table: TableName, isNumbered: boolean) => string
  /** Further tables, and the first rows; of a database of an earlier schema they may exist. */
  readonly others: readonly string[]
  readonly indexes: readonly string[]
  /** Changes of tables that exist in a database of an earlier schema. */
  readonly changesSince: (version: number) => readonly string[]
}

/** The names of all indexes of the schema that no constraint makes. */
export const indexNames = (dialect: Pick<SchemaDialect, 'indexes'>): string[] =>
  [...indexes, ...dialect.indexes, indexByChange].map(each => each.split(' ', 1)[0] ?? '')

const indexByChange = 'entities_by_changed ON entities (changed)'

/** Reports the upgrade of a schema, unless it is a new or a current one. */
export const reportUpgrade = (version: number, reportStep: ReportStep): (() => void) =>
  version === 0 || version === schemaVersion
    ? () => {}
    : reportStep(`The upgrade of the database from schema ${version} to ${schemaVersion}`)

/**
 * The statements that give this schema to a database of an earlier one, or to an empty one (0), in
 * one transaction. Throws for the schema of a newer program.
 */
export function schemaStatements(version: number, dialect: SchemaDialect): readonly string[] {
  if (version > schemaVersion)
    throw new Error(
      `The database has schema ${version}; this version supports schemas up to ${schemaVersion}. Use a newer version of Libretto.`
    )
  if (version === schemaVersion) return []
  // In an empty database a table of this name would belong to something else.
  const unlessThere = version === 0 ? '' : 'IF NOT EXISTS'
  const create = (table: TableName) => {
    const columns = columnsOf(table).map(
      ({ name, kind, isNullable, constraint }) =>
        `${name} ${dialect.kinds[kind]} ${isNullable || isNumber(kind) ? '' : 'NOT NULL'} ${constraint}`
    )
    const keys = keysOf(table)
    const isNumbered = keys.some(({ kind }) => isNumber(kind))
    if (!isNumbered) columns.push(`PRIMARY KEY (${namesOf(keys)})`)
    return `CREATE TABLE ${unlessThere} ${table} (${columns.join(', ')}) ${dialect.optionsOf(table, isNumbered)}`
  }
  return [
    ...tableNames.map(create),
    ...dialect.others,
    ...(version === 0 ? [] : [...removeFinding, ...dialect.changesSince(version)]),
    ...[...indexes, ...dialect.indexes].map(index => `CREATE INDEX IF NOT EXISTS ${index}`),
    `CREATE UNIQUE INDEX IF NOT EXISTS ${indexByChange}`
  ]
}
