import type { DatabaseSync } from 'node:sqlite'

/**
 * The schema, as a list of steps. A released step never changes; new steps are added at the end.
 *
 * - entities: one row each, with the document exactly as it is answered. `pk` is the order of
 *   creation, `changed` the number of the change that wrote the row, so both orders are total and
 *   no two records ever tie.
 * - identifiers: every identifier of every entity.
 * - names: former and current identifiers of an entity beside its uuid and its id, to query the
 *   past
 *   by them.
 * - versions: documents that were replaced or deleted; the newest is in `entities`. A row without a
 *   document marks a deletion and has the `pk`, so that a restored entity gets its former position
 *   in the order of creation.
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
 * - leases: the process that has a task, and until when, in milliseconds since 1970.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE entities (
    pk INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    uuid TEXT NOT NULL,
    type TEXT NOT NULL,
    umbrella TEXT NOT NULL,
    version INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    updated_by TEXT NOT NULL,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX entities_by_uuid ON entities (uuid);
  CREATE INDEX entities_by_type ON entities (type, pk);
  CREATE INDEX entities_by_type_changed ON entities (type, changed);
  CREATE INDEX entities_by_umbrella ON entities (umbrella, pk);
  CREATE INDEX entities_by_umbrella_changed ON entities (umbrella, changed);
  CREATE UNIQUE INDEX entities_by_changed ON entities (changed);
  CREATE INDEX entities_by_updated_at ON entities (updated_at);

  CREATE TABLE identifiers (
    identifier TEXT PRIMARY KEY,
    entity_pk INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX identifiers_by_entity ON identifiers (entity_pk);

  CREATE TABLE names (
    identifier TEXT NOT NULL,
    uuid TEXT NOT NULL,
    PRIMARY KEY (identifier, uuid)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE versions (
    uuid TEXT NOT NULL,
    version INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    changed INTEGER NOT NULL,
    at TEXT NOT NULL,
    by TEXT NOT NULL,
    document TEXT,
    merged_into TEXT,
    entity_pk INTEGER,
    PRIMARY KEY (uuid, version)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX versions_by_id ON versions (id);

  CREATE TABLE relations (
    entity_pk INTEGER NOT NULL,
    position INTEGER NOT NULL,
    type TEXT NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (entity_pk, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX relations_by_target ON relations (target, type, entity_pk);
  CREATE INDEX relations_by_type ON relations (type, entity_pk);

  CREATE TABLE field_values (
    pk INTEGER PRIMARY KEY,
    entity_pk INTEGER NOT NULL,
    key TEXT NOT NULL,
    position INTEGER NOT NULL,
    text TEXT,
    folded TEXT NOT NULL,
    head TEXT NOT NULL,
    sort TEXT NOT NULL,
    number REAL,
    instant INTEGER,
    truth INTEGER,
    is_name INTEGER NOT NULL,
    is_derived INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX field_values_by_entity ON field_values (entity_pk, key);
  CREATE INDEX field_values_by_head ON field_values (key, head, entity_pk);
  CREATE INDEX field_values_by_name ON field_values (head, entity_pk) WHERE is_name = 1;
  CREATE INDEX field_values_by_sort ON field_values (key, sort, entity_pk) WHERE position = 0;
  CREATE INDEX field_values_by_number ON field_values (key, number, entity_pk) WHERE number IS NOT NULL;
  CREATE INDEX field_values_by_instant ON field_values (key, instant, entity_pk) WHERE instant IS NOT NULL;
  CREATE VIRTUAL TABLE field_text USING fts5 (
    folded, content='', contentless_delete=1, detail=none, tokenize="trigram case_sensitive 1"
  );

  CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    uuid TEXT NOT NULL,
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    at TEXT NOT NULL,
    by TEXT NOT NULL,
    merged_into TEXT
  ) STRICT;
  CREATE INDEX changes_by_at ON changes (at);

  CREATE TABLE outcomes (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    outcome TEXT NOT NULL,
    note TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (scope, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX outcomes_by_at ON outcomes (at);

  CREATE TABLE merges (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    survivor_uuid TEXT NOT NULL,
    survivor_id TEXT NOT NULL,
    victim_id TEXT NOT NULL,
    written TEXT NOT NULL,
    at TEXT NOT NULL,
    by TEXT NOT NULL,
    undone INTEGER
  ) STRICT;
  CREATE INDEX merges_by_survivor ON merges (survivor_uuid) WHERE undone IS NULL;

  CREATE TABLE properties (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO properties VALUES ('epoch', lower(hex(randomblob(8))));

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    expires_at TEXT
  ) STRICT;

  CREATE TABLE webhooks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    description TEXT NOT NULL,
    kinds TEXT NOT NULL,
    types TEXT NOT NULL,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_secret_until TEXT,
    state TEXT NOT NULL,
    cursor INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    failing_since TEXT,
    next_attempt_at TEXT,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE deliveries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    subject TEXT NOT NULL,
    sequence INTEGER,
    attempt INTEGER NOT NULL,
    at TEXT NOT NULL,
    duration INTEGER NOT NULL,
    status INTEGER,
    error TEXT
  ) STRICT;
  CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, number);

  CREATE TABLE leases (task TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
  `,
  `
  CREATE TABLE papers (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;
  `,
  // Harvesters read deletions at the former positions of the deleted records.
  `CREATE INDEX versions_by_deleted_place ON versions (entity_pk) WHERE document IS NULL;`,
  `
  CREATE TABLE search_words (
    entity_pk INTEGER NOT NULL,
    word TEXT NOT NULL,
    weight INTEGER NOT NULL,
    PRIMARY KEY (entity_pk, word)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX search_words_by_word ON search_words (word, entity_pk, weight);

  CREATE TABLE vocabulary (
    length INTEGER NOT NULL,
    word TEXT NOT NULL,
    reversed TEXT NOT NULL,
    PRIMARY KEY (length, word)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX vocabulary_by_end ON vocabulary (length, reversed, word);

  INSERT INTO properties SELECT 'words_to_index_from', CAST(max(pk) AS TEXT) FROM entities HAVING max(pk) IS NOT NULL;
  `,
  // Counts records by month of creation without reading any of them.
  `CREATE INDEX entities_by_type_created ON entities (type, created_at);`,
  // State entries are longer than a quarter of a page, the maximum for a key of a table without row
  // ids: each had pages of its own, half empty.
  `
  ALTER TABLE papers RENAME TO earlier_papers;
  CREATE TABLE papers (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, key)) STRICT;
  INSERT INTO papers (kind, key, value) SELECT kind, key, value FROM earlier_papers ORDER BY kind, key;
  DROP TABLE earlier_papers;
  `,
  `
  CREATE TABLE acts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    by TEXT NOT NULL,
    act TEXT NOT NULL,
    subject TEXT,
    address TEXT,
    details TEXT NOT NULL
  ) STRICT;
  CREATE INDEX acts_by_act ON acts (act, number);
  `,
  // Lists and searches are answered by the index in memory.
  `
  CREATE TABLE lookups (
    type TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    entity_pk INTEGER NOT NULL,
    PRIMARY KEY (key, value, type, entity_pk)
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO lookups SELECT e.type, v.key, v.text, e.pk FROM field_values v JOIN entities e ON e.pk = v.entity_pk
    WHERE v.is_derived = 0 AND v.text IS NOT NULL
      AND (v.key = 'sha256' OR ((v.is_name = 1 OR v.key = 'code') AND substr(e.created_by, 1, 7) <> 'import:'));
  DROP TABLE field_text;
  DROP TABLE field_values;
  DROP TABLE search_words;
  DROP TABLE vocabulary;
  DROP INDEX entities_by_type_changed;
  DROP INDEX entities_by_umbrella_changed;
  DROP INDEX entities_by_type_created;
  DROP INDEX relations_by_type;
  DELETE FROM properties WHERE name = 'words_to_index_from';
  `
]

/**
 * Brings the schema up to date, one transaction a step, so that a kill between steps is harmless. A
 * new file gets all steps in one transaction, which takes a third of the time.
 */
export function migrate(db: DatabaseSync) {
  const newest = migrations.length
  for (;;) {
    db.exec('BEGIN IMMEDIATE')
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
    if (version > newest) {
      db.exec('ROLLBACK')
      throw new Error(
        `The database has schema ${version}; this version supports schemas up to ${newest}. Use a newer version of Libretto.`
      )
    }
    if (version === newest) {
      db.exec('ROLLBACK')
      return
    }
    const next = version === 0 ? newest : version + 1
    for (const step of migrations.slice(version, next)) db.exec(step)
    // A pragma takes no parameter; the number is computed here.
    db.exec(`PRAGMA user_version = ${next}`)
    db.exec('COMMIT')
  }
}
