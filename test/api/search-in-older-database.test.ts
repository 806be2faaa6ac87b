import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { migrations as postgresMigrations } from '#store/postgres/migrations.ts'
import { migrations as sqliteMigrations } from '#store/sqlite/migrations.ts'
import { createTestDatabase, runStatement, testStore } from '../support/database.ts'
import { createDatabase } from '../support/postgres-server.ts'
import { start, type Teardown } from '../support/start.ts'

/* A database from before the index in memory loses its tables for finding, and no record. */

const found = async (t: Teardown, databaseUrl: string, text: string) => {
  const service = await start(t, { DATABASE_URL: databaseUrl })
  const { body } = await service.filter([{ type: 'search', value: text }], '?limit=0')
  const named = await service.libretto.store.lookUp('name', ['genre nummer 7'], 'genre')
  return { count: body.count, named: named.map(({ id }) => id) }
}

describe('the search in an older database', () => {
  it('finds the records that were there', async t => {
    const url = testStore === 'postgres' ? await createDatabase(t) : await createTestDatabase(t)
    await makeOldDatabase(url)
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

const rows: { pk: number; id: string; uuid: string; document: string; moment: string }[] = []

/** The schema as the first step made it. */
async function makeOldDatabase(url: string) {
  if (testStore === 'postgres') {
    await runStatement(url, 'CREATE EXTENSION IF NOT EXISTS pg_trgm')
    await runStatement(url, postgresMigrations[0] ?? '')
    await runStatement(url, 'CREATE TABLE schema_version (is_only boolean PRIMARY KEY, version integer NOT NULL)')
    await runStatement(url, 'INSERT INTO schema_version VALUES (TRUE, 1)')
    return
  }
  for (const statement of (sqliteMigrations[0] ?? '').split(';'))
    if (statement.trim() !== '') await runStatement(url, statement)
  await runStatement(url, 'PRAGMA user_version = 1')
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
