import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { openStore } from '#store/open-store.ts'
import { schemaVersion } from '#store/tables.ts'
import { earlierSchemas } from '../fixtures/earlier-schemas.ts'
import { createTestDatabase, runStatement, testStore } from '../support/databases/database.ts'
import { createDatabase } from '../support/databases/postgres-server.ts'
import { runCli } from '../support/services/run-cli.ts'
import { start, type Teardown, temporaryFolder } from '../support/services/start.ts'

/* A database from before the index in memory loses its tables for finding, and no record. */

const found = async (t: Teardown, databaseUrl: string, text: string) => {
  const service = await start(t, { DATABASE_URL: databaseUrl })
  const { body } = await service.filter([{ type: 'search', value: text }], '?limit=0')
  const named = await service.libretto.store.lookUp('name', ['genre nummer 7'], 'genre')
  return { count: body.count, named: named.map(({ id }) => id) }
}

const emptyDatabase = (t: Teardown) => (testStore === 'postgres' ? createDatabase(t) : createTestDatabase(t))

describe('the search in an older database', () => {
  it('finds the records that were there', async t => {
    const url = await emptyDatabase(t)
    await makeOldDatabase(url, 1)
    const moment = '2024-01-05T10:00:00.000Z'
    for (let pk = 1; pk <= 1203; pk++) {
      const id = `GEN-${pk}`
      const uuid = `0190aaaa-0000-7000-8000-${String(pk).padStart(12, '0')}`
      const stamp = { at: moment, by: 'token:old' }
      const document = JSON.stringify({
        id,
        _id: uuid,
        _key: id,
        type: 'genre',
        version: 1,
        metadata: [{ key: 'name', value: `genre nummer ${pk}` }],
        relations: [],
        identifiers: [uuid, id],
        audit: { created: stamp, updated: stamp }
      })
      rows.push({ pk, id, uuid, document, moment })
    }
    await insertRows(url)
    assert.deepEqual(await found(t, url, 'nummer'), { count: 1203, named: ['GEN-7'] })
    assert.equal((await found(t, url, '1203')).count, 1)
  })
})

describe('a database of any earlier schema', () => {
  it('gets the schema of a new one, and keeps its rows', async t => {
    const fresh = await emptyDatabase(t)
    assert.deepEqual(await open(fresh), [])
    const expected = await schemaOf(fresh)
    assert.ok(expected.length > 150, String(expected.length))
    for (let version = 1; version <= earlierSchemas[testStore].length; version++) {
      const url = await emptyDatabase(t)
      await makeOldDatabase(url, version)
      if (version > 1) await runStatement(url, `INSERT INTO papers VALUES ('kind', 'key', 'value')`)
      const [{ value: epoch } = {}] = await runStatement(url, `SELECT value FROM properties WHERE name = 'epoch'`)
      const steps = await open(url)
      const step = `The upgrade of the database from schema ${version} to ${schemaVersion}`
      assert.deepEqual(steps, version === schemaVersion ? [] : [`${step} begins`, `${step} ends`])
      assert.deepEqual(await schemaOf(url), expected, `from schema ${version}`)
      const [after] = await runStatement(url, `SELECT value FROM properties WHERE name = 'epoch'`)
      assert.deepEqual(after, { value: epoch })
      assert.equal((await runStatement(url, 'SELECT * FROM papers')).length, version > 1 ? 1 : 0)
    }
  })
})

describe('an upgrade', () => {
  it('is printed with the time that it took, once', async t => {
    const url = await emptyDatabase(t)
    await makeOldDatabase(url, schemaVersion - 1)
    const list = () => runCli(['token', 'list'], { cwd: temporaryFolder(t), env: { DATABASE_URL: url } })
    const { code, err } = await list()
    assert.equal(code, 0, err)
    const step = `The upgrade of the database from schema ${schemaVersion - 1} to ${schemaVersion}`
    assert.match(err, new RegExp(`^${step} begins\\. .*\n${step} took \\d+\\.\\d s\\.$`, 'm'))
    assert.doesNotMatch((await list()).err, /upgrade/)
  })
})

/** Opens a database, and resolves to the steps that it reports. */
async function open(url: string): Promise<string[]> {
  const steps: string[] = []
  const reportStep = (step: string) => {
    steps.push(`${step} begins`)
    return () => void steps.push(`${step} ends`)
  }
  await using _ = await openStore(url, createModel(builtInRecordTypes), { reportStep })
  return steps
}

/** The columns and indexes of all tables, as lines. The order of columns does not matter. */
async function schemaOf(url: string): Promise<string[]> {
  const statements = testStore === 'postgres' ? postgresSchema : sqliteSchema
  const lines = await Promise.all(statements.map(statement => runStatement(url, statement)))
  return lines.flat().map(line => JSON.stringify(line))
}

const sqliteSchema = [
  `SELECT t.name AS "table", c.name, c.type, c."notnull" OR c.pk > 0 AS is_given, c.pk, t.wr, t.strict
    FROM pragma_table_list t JOIN pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'
    ORDER BY t.name, c.name`,
  `SELECT t.name AS "table", i."unique", i.origin, i.partial, CASE i.origin WHEN 'c' THEN i.name END AS name, c.seqno, c.name AS "column"
    FROM pragma_table_list t JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
    WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, 5, 4, 3, 2, 6, 7`,
  `SELECT t.name AS "table", f."from", f."table" AS target, f."to", f.on_delete
    FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) f ORDER BY 1, 2`,
  `SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%' ORDER BY name`
]

const postgresSchema = [
  `SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name, is_identity
    FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, column_name`,
  `SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY indexname`,
  `SELECT conrelid::regclass::text AS "table", conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2`
]

const rows: { pk: number; id: string; uuid: string; document: string; moment: string }[] = []

/** The schema as the first steps of earlier versions made it. */
async function makeOldDatabase(url: string, version: number) {
  if (testStore === 'postgres') await runStatement(url, 'CREATE EXTENSION IF NOT EXISTS pg_trgm')
  await runStatements(url, earlierSchemas[testStore].slice(0, version))
  await runStatements(
    url,
    testStore === 'postgres'
      ? [
          `CREATE TABLE schema_version (is_only boolean PRIMARY KEY, version integer NOT NULL);
           INSERT INTO schema_version VALUES (TRUE, ${version})`
        ]
      : [`PRAGMA user_version = ${version}`]
  )
}

/** Runs steps of several statements each: at once on a server, one by one in a file. */
async function runStatements(url: string, steps: readonly string[]) {
  for (const step of steps)
    for (const statement of testStore === 'postgres' ? [step] : step.split(';'))
      if (statement.trim() !== '') await runStatement(url, statement)
}

async function insertRows(url: string) {
  const text = JSON.stringify(rows)
  if (testStore === 'postgres') {
    const given = `FROM json_to_recordset($1::text::json) AS given (pk bigint, id text, uuid text, document text, moment text)`
    await runStatement(
      url,
      `INSERT INTO entities SELECT pk, id, id, uuid, 'genre', 'genre', 'genre', 1, pk, moment, 'token:old', 'token:old', moment, 'token:old', 'token:old', document
       ${given}`,
      text
    )
    await runStatement(url, 'UPDATE counters SET entity = $1, change = $1', rows.length)
    await runStatement(
      url,
      `INSERT INTO field_values SELECT pk, 0, 'name', 0, 'genre nummer ' || pk, '', '', '', NULL, NULL, NULL, 1, 0 ${given}`,
      text
    )
    return
  }
  await runStatement(
    url,
    `INSERT INTO entities SELECT value ->> 'pk', value ->> 'id', value ->> 'uuid', 'genre', 'genre', 1, value ->> 'pk', value ->> 'moment', 'token:old',
       value ->> 'moment', 'token:old', value ->> 'document' FROM json_each($1)`,
    text
  )
  await runStatement(
    url,
    `INSERT INTO field_values SELECT NULL, value ->> 'pk', 'name', 0, 'genre nummer ' || (value ->> 'pk'), '', '', '', NULL, NULL, NULL, 1, 0
       FROM json_each($1)`,
    text
  )
}
