import { delay } from './pool.ts'
import { type Link, stateOf } from './connection.ts'

/**
 * The schema, as a list of steps. A released step never changes; new steps are added at the end.
 * The tables are those of sqlite/migrations.ts, with these differences:
 *
 * - counters: one row with the last numbers. A writer locks it first, so writers follow each other
 *   and a change is never committed after one with a higher number. A sequence would leave gaps and
 *   ignore the order of commits.
 * - Every text is compared by its bytes (`COLLATE "C"`), which is the order of SQLite.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE counters (
    is_only boolean PRIMARY KEY DEFAULT TRUE CHECK (is_only),
    entity bigint NOT NULL DEFAULT 0,
    change bigint NOT NULL DEFAULT 0,
    merge bigint NOT NULL DEFAULT 0,
    at text COLLATE "C"
  ) WITH (fillfactor = 10);
  INSERT INTO counters DEFAULT VALUES;

  CREATE TABLE entities (
    pk bigint PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    folded_id text COLLATE "C" NOT NULL,
    uuid text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    folded_type text COLLATE "C" NOT NULL,
    umbrella text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    changed bigint NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    folded_created_by text COLLATE "C" NOT NULL,
    updated_at text COLLATE "C" NOT NULL,
    updated_by text COLLATE "C" NOT NULL,
    folded_updated_by text COLLATE "C" NOT NULL,
    document text COLLATE "C" NOT NULL
  );
  CREATE INDEX entities_by_uuid ON entities (uuid);
  CREATE INDEX entities_by_type ON entities (type, pk);
  CREATE INDEX entities_by_type_changed ON entities (type, changed);
  CREATE INDEX entities_by_umbrella ON entities (umbrella, pk);
  CREATE INDEX entities_by_umbrella_changed ON entities (umbrella, changed);
  CREATE UNIQUE INDEX entities_by_changed ON entities (changed);
  CREATE INDEX entities_by_updated_at ON entities (updated_at, changed);

  CREATE TABLE identifiers (
    identifier text COLLATE "C" PRIMARY KEY,
    folded text COLLATE "C" NOT NULL,
    entity_pk bigint NOT NULL
  );
  CREATE INDEX identifiers_by_entity ON identifiers (entity_pk);

  CREATE TABLE names (
    identifier text COLLATE "C" NOT NULL,
    uuid text COLLATE "C" NOT NULL,
    PRIMARY KEY (identifier, uuid)
  );

  CREATE TABLE versions (
    uuid text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    changed bigint NOT NULL,
    at text COLLATE "C" NOT NULL,
    by text COLLATE "C" NOT NULL,
    document text COLLATE "C",
    merged_into text COLLATE "C",
    entity_pk bigint,
    PRIMARY KEY (uuid, version)
  );
  CREATE INDEX versions_by_id ON versions (id);
  CREATE INDEX versions_by_at ON versions (at, changed);

  CREATE TABLE relations (
    entity_pk bigint NOT NULL,
    position integer NOT NULL,
    type text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    folded_target text COLLATE "C" NOT NULL,
    PRIMARY KEY (entity_pk, position)
  );
  CREATE INDEX relations_by_target ON relations (target, type, entity_pk);
  CREATE INDEX relations_by_type ON relations (type, entity_pk);

  CREATE TABLE field_values (
    entity_pk bigint NOT NULL,
    number_in_entity integer NOT NULL,
    key text COLLATE "C" NOT NULL,
    position integer NOT NULL,
    text text COLLATE "C",
    folded text COLLATE "C" NOT NULL,
    head text COLLATE "C" NOT NULL,
    sort text COLLATE "C" NOT NULL,
    number double precision,
    instant bigint,
    truth smallint,
    is_name smallint NOT NULL,
    is_derived smallint NOT NULL,
    PRIMARY KEY (entity_pk, number_in_entity)
  );
  CREATE INDEX field_values_by_entity ON field_values (entity_pk, key);
  CREATE INDEX field_values_by_head ON field_values (key, head, entity_pk);
  CREATE INDEX field_values_by_name ON field_values (head, entity_pk) WHERE is_name = 1;
  CREATE INDEX field_values_by_sort ON field_values (key, sort, entity_pk) WHERE position = 0;
  CREATE INDEX field_values_by_number ON field_values (key, number, entity_pk) WHERE number IS NOT NULL;
  CREATE INDEX field_values_by_instant ON field_values (key, instant, entity_pk) WHERE instant IS NOT NULL;
  CREATE INDEX field_values_by_text ON field_values USING gin (folded gin_trgm_ops);

  CREATE TABLE changes (
    sequence bigint PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    uuid text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    at text COLLATE "C" NOT NULL,
    by text COLLATE "C" NOT NULL,
    merged_into text COLLATE "C"
  );
  CREATE INDEX changes_by_at ON changes (at, sequence);

  CREATE TABLE outcomes (
    scope text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    outcome text COLLATE "C" NOT NULL,
    note text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (scope, key)
  );
  CREATE INDEX outcomes_by_at ON outcomes (at);

  CREATE TABLE merges (
    number bigint PRIMARY KEY,
    survivor_uuid text COLLATE "C" NOT NULL,
    survivor_id text COLLATE "C" NOT NULL,
    victim_id text COLLATE "C" NOT NULL,
    written text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    by text COLLATE "C" NOT NULL,
    undone bigint
  );
  CREATE INDEX merges_by_survivor ON merges (survivor_uuid) WHERE undone IS NULL;

  CREATE TABLE properties (name text COLLATE "C" PRIMARY KEY, value text COLLATE "C" NOT NULL);
  INSERT INTO properties VALUES ('epoch', substr(md5(random()::text || clock_timestamp()::text), 1, 16));

  CREATE TABLE tokens (
    id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL UNIQUE,
    scopes text COLLATE "C" NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    expires_at text COLLATE "C"
  );

  CREATE TABLE webhooks (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    url text COLLATE "C" NOT NULL,
    description text COLLATE "C" NOT NULL,
    kinds text COLLATE "C" NOT NULL,
    types text COLLATE "C" NOT NULL,
    secret text COLLATE "C" NOT NULL,
    previous_secret text COLLATE "C",
    previous_secret_until text COLLATE "C",
    state text COLLATE "C" NOT NULL,
    cursor bigint NOT NULL,
    attempts integer NOT NULL,
    failing_since text COLLATE "C",
    next_attempt_at text COLLATE "C",
    created_at text COLLATE "C" NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    revision integer NOT NULL
  );

  CREATE TABLE deliveries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    webhook_id text COLLATE "C" NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    reason text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    event_type text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    sequence bigint,
    attempt integer NOT NULL,
    at text COLLATE "C" NOT NULL,
    duration integer NOT NULL,
    status integer,
    error text COLLATE "C"
  );
  CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, number);

  CREATE TABLE leases (
    task text COLLATE "C" PRIMARY KEY,
    holder text COLLATE "C" NOT NULL,
    until timestamptz NOT NULL
  );
  `,
  `
  CREATE TABLE papers (
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, key)
  );
  `,
  // Harvesters read deletions at the former positions of the deleted records.
  `CREATE INDEX versions_by_deleted_place ON versions (entity_pk) WHERE document IS NULL`,
  `
  CREATE TABLE search_words (
    entity_pk bigint NOT NULL,
    word text COLLATE "C" NOT NULL,
    weight smallint NOT NULL,
    PRIMARY KEY (entity_pk, word)
  );
  CREATE INDEX search_words_by_word ON search_words (word, entity_pk) INCLUDE (weight);

  CREATE TABLE vocabulary (
    length integer NOT NULL,
    word text COLLATE "C" NOT NULL,
    reversed text COLLATE "C" NOT NULL,
    PRIMARY KEY (length, word)
  );
  CREATE INDEX vocabulary_by_end ON vocabulary (length, reversed) INCLUDE (word);

  INSERT INTO properties SELECT 'words_to_index_from', max(pk)::text FROM entities HAVING max(pk) IS NOT NULL;
  `,
  // Counts records by month of creation without reading any of them.
  `CREATE INDEX entities_by_type_created ON entities (type, created_at);`,
  // The last committed transaction of each process (commit-marker.ts). Its row gets a new version
  // with each one.
  `
  CREATE TABLE commit_markers (
    writer text COLLATE "C" PRIMARY KEY,
    attempt bigint NOT NULL,
    at timestamptz NOT NULL
  ) WITH (fillfactor = 10);
  `,
  `
  CREATE TABLE acts (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at text COLLATE "C" NOT NULL,
    by text COLLATE "C" NOT NULL,
    act text COLLATE "C" NOT NULL,
    subject text COLLATE "C",
    address text COLLATE "C",
    details text COLLATE "C" NOT NULL
  );
  CREATE INDEX acts_by_act ON acts (act, number);
  `,
  // Lists and searches are answered by the index in memory.
  `
  CREATE TABLE lookups (
    type text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    entity_pk bigint NOT NULL,
    PRIMARY KEY (key, value, type, entity_pk)
  );
  INSERT INTO lookups SELECT e.type, v.key, v.text, e.pk FROM field_values v JOIN entities e ON e.pk = v.entity_pk
    WHERE v.is_derived = 0 AND v.text IS NOT NULL
      AND (v.key = 'sha256' OR ((v.is_name = 1 OR v.key = 'code') AND substr(e.created_by, 1, 7) <> 'import:'))
    ON CONFLICT DO NOTHING;
  DROP TABLE field_values;
  DROP TABLE search_words;
  DROP TABLE vocabulary;
  DROP INDEX entities_by_type_changed;
  DROP INDEX entities_by_umbrella_changed;
  DROP INDEX entities_by_type_created;
  DROP INDEX relations_by_type;
  ALTER TABLE entities DROP COLUMN folded_id, DROP COLUMN folded_type, DROP COLUMN folded_created_by,
    DROP COLUMN folded_updated_by;
  ALTER TABLE identifiers DROP COLUMN folded;
  ALTER TABLE relations DROP COLUMN folded_target;
  DELETE FROM properties WHERE name = 'words_to_index_from';
  `
]

/** Identifies the lock for changes of the schema, by one process at a time: "libr", as a number. */
const migrationLock = 0x6c_69_62_72

/** Maximum wait for the migrations of another process, in milliseconds. */
const maxMigration = 600_000

/**
 * Brings the schema up to date, one transaction a step. One process does so while others wait.
 * The lock belongs to the transaction, so that it also works through a pooler that gives each
 * transaction another connection.
 */
export async function migrate(link: Link): Promise<void> {
  const newest = migrations.length
  const until = performance.now() + maxMigration
  for (;;) {
    await link.run('BEGIN')
    try {
      const [lock] = await link.run(`SELECT pg_try_advisory_xact_lock(${migrationLock}) AS is_ours`)
      if (lock?.is_ours !== true) {
        await link.run('ROLLBACK')
        if (performance.now() > until) throw new Error('Another process has been changing the schema for ten minutes')
        await delay(50)
        continue
      }
      await link.run(
        'CREATE TABLE IF NOT EXISTS schema_version (is_only boolean PRIMARY KEY, version integer NOT NULL)'
      )
      const [row] = await link.run('SELECT version FROM schema_version')
      const version = Number(row?.version ?? 0)
      const step = migrations[version]
      if (version > newest) {
        throw new Error(
          `The database has schema ${version}; this version supports schemas up to ${newest}. Use a newer version of Libretto.`
        )
      }
      if (step === undefined) {
        await link.run('ROLLBACK')
        return
      }
      if (version === 0) await createExtension(link)
      for (const statement of statementsOf(step)) await link.run(statement)
      await link.run(
        `INSERT INTO schema_version VALUES (TRUE, ${version + 1}) ON CONFLICT (is_only) DO UPDATE SET version = EXCLUDED.version`
      )
      await link.run('COMMIT')
    } catch (error) {
      await link.run('ROLLBACK').catch(() => {})
      throw error
    }
  }
}

/**
 * Creates the extension that finds text by its trigrams. It comes with the server, but creating it
 * may need more rights than this user has.
 */
async function createExtension(link: Link) {
  const [existing] = await link.run(`SELECT 1 AS is_there FROM pg_extension WHERE extname = 'pg_trgm'`)
  if (existing) return
  try {
    await link.run('CREATE EXTENSION IF NOT EXISTS pg_trgm')
  } catch (cause) {
    if (stateOf(cause) === undefined) throw cause
    throw new Error(
      'The extension pg_trgm is missing; ask an administrator to run CREATE EXTENSION pg_trgm in this database',
      { cause }
    )
  }
}

/** The statements of a step; none contains a semicolon. */
const statementsOf = (step: string) =>
  step
    .split(';')
    .map(each => each.trim())
    .filter(each => each !== '')
