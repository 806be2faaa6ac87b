import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { describe, it } from 'node:test'

import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import type { StoreSettings } from '#store/ports/administration.ts'
import type { Store } from '#store/store.ts'
import { readTables, runStatement } from '../support/databases/database.ts'
import {
  createDatabase,
  newPreparedDatabase,
  serverUrl,
  startPostgresServer,
  type TestDatabase,
  whyNoServer
} from '../support/databases/postgres-server.ts'
import type { Teardown } from '../support/services/start.ts'
import {
  aRecord,
  type Database,
  idsIn,
  insert,
  problemsIn,
  readIn,
  update,
  wholeList,
  write
} from './promises/contract-support.ts'
import { storeContract } from './store-contract.ts'
import { webhookStoreContract } from './webhook-store-contract.ts'

const model = createModel(builtInRecordTypes)
const skip = whyNoServer()

if (skip === false) {
  storeContract('PostgreSQL', newDatabase)
  webhookStoreContract('PostgreSQL', t => newDatabase(t).open())
}

describe('PostgreSQL store: opening', { skip }, () => {
  const open = (url: string, settings: Partial<StoreSettings> = {}) => openStore(url, model, settings)

  it('is prepared by one while others that open it at the same time wait', async t => {
    const url = await createDatabase(t)
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(url, { poolSize: 3 })))
    t.after(() => Promise.all(stores.map(store => store[Symbol.asyncDispose]())))
    const states = await Promise.all(stores.map(store => store.feedState()))
    assert.equal(new Set(states.map(state => state.epoch)).size, 1)
    await Promise.all(stores.map((store, which) => write(store, insert(aRecord(`S-${which}`)))))
    assert.deepEqual(await problemsIn(stores[0] as Store), [])
    assert.deepEqual(await runStatement(url, 'SELECT count(*)::text AS rows FROM schema_version'), [{ rows: '1' }])
  })

  it('leaves a database as it is that has a schema newer than it knows', async t => {
    const url = await createDatabase(t)
    await (await open(url))[Symbol.asyncDispose]()
    await runStatement(url, 'UPDATE schema_version SET version = 1000')
    const before = await readTables(url)
    await assert.rejects(open(url), /schema 1000.*newer version of Libretto/)
    assert.deepEqual(await readTables(url), before)
  })

  it('leaves nothing behind when it cannot be prepared to the end', async t => {
    const url = await createDatabase(t)
    // Something of this name is there already, so a step fails in its middle.
    await runStatement(url, 'CREATE TABLE webhooks (x integer)')
    await assert.rejects(open(url), /webhooks/)
    const tables = await runStatement(
      url,
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
    )
    assert.deepEqual(tables, [{ table_name: 'webhooks' }])
    await runStatement(url, 'DROP TABLE webhooks')
    await using store = await open(url)
    assert.equal(await store.isNew(), true)
  })

  it('says in words why a database cannot be used, and never the password', async t => {
    const url = new URL(await createDatabase(t))
    const withPasswords = new URL(await serverWithPasswords(t))
    withPasswords.password = 'geheim-123'
    const unknown = new URL(url)
    unknown.pathname = '/no_such_database'
    if (unknown.password === '') unknown.password = 'geheim-123'
    const silent = await startSilent(t)
    const cases: readonly [url: string, words: RegExp][] = [
      [withPasswords.href, /password authentication failed/],
      [unknown.href, /"no_such_database" at .*does not exist/],
      ['postgres://somebody:geheim-123@127.0.0.1:1/x', /"x" at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/],
      [`postgres://somebody:geheim-123@127.0.0.1:${silent}/x`, /cannot be used: .*(?:lost|does not answer)/],
      [`postgres://somebody:geheim-123@127.0.0.1:1,127.0.0.1:2/x`, /at 127\.0\.0\.1:1,127\.0\.0\.1:2 cannot be used/],
      ['postgres://somebody:geheim-123@127.0.0.1:port/x', /must look like postgres:\/\/user:password@host/],
      ['postgres://somebody:geheim-123%@127.0.0.1/x', /"%" in a password/],
      ['postgres://somebody:geheim-123@127.0.0.1/x?sslmode=maybe', /sslmode "maybe"; it must be/]
    ]
    for (const [bad, words] of cases) {
      await assert.rejects(open(bad), (error: Error) => {
        assert.match(error.message, words)
        assert.ok(!error.message.includes(decodeURIComponent(new URL(url).password) || 'geheim-123'), error.message)
        assert.doesNotMatch(error.message, /geheim/)
        return true
      })
    }
  })

  it('takes a password with any sign in it, as it is where it can be told apart', async t => {
    const server = await serverWithPasswords(t)
    const { host } = new URL(server)
    const name = `odd_${Date.now()}`
    await runStatement(server, `CREATE ROLE ${name} SUPERUSER LOGIN`)
    await runStatement(server, `CREATE DATABASE ${name} OWNER ${name}`)
    try {
      const signs = 'a@b/c:d%e?f#g,h é'
      for (const [password, written] of [
        [signs, encodeURIComponent(signs)],
        ['a@b:c,d', 'a@b:c,d']
      ] as const) {
        await runStatement(server, `ALTER ROLE ${name} PASSWORD '${password}'`)
        await using store = await open(`postgres://${name}:${written}@${host}/${name}`)
        assert.equal(await store.isNew(), true)
      }
    } finally {
      await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`)
      await runStatement(server, `DROP ROLE ${name}`)
    }
  })

  it('goes on to the next of several hosts', async t => {
    const url = await createDatabase(t)
    const { host } = new URL(url)
    const silent = await startSilent(t)
    await using store = await open(url.replace(host, `127.0.0.1:1,127.0.0.1:${silent},${host}`))
    await write(store, insert(aRecord('A')))
    await using other = await open(url.replace(host, `${host},127.0.0.1:1`))
    assert.equal((await other.findEntity('A'))?.id, 'A')
  })

  it('keeps the order of things when the clock is set back', async t => {
    const database = newDatabase(t)
    const later = '2999-12-31T23:59:59.999Z'
    const store = await database.open()
    await write(store, insert(aRecord('A')))
    // As if A had been written before the clock was set back by a few centuries.
    await database.alter(`UPDATE changes SET at = '${later}'`)
    await database.alter(`UPDATE counters SET at = '${later}'`)
    const b = aRecord('B')
    await write(store, insert(b))
    await write(store, insert(aRecord('C')))
    await write(store, update(b, { metadata: [] }))
    const { audit } = await readIn(store, 'B')
    assert.deepEqual([audit.created.at, audit.updated.at], [later, later])
    const by = async (item: 'created' | 'updated') =>
      idsIn(await store.queryEntities({ ...wholeList, order: { items: [{ by: item }], ascending: true } }))
    assert.deepEqual(await by('created'), ['A', 'B', 'C'])
    assert.deepEqual(await by('updated'), ['A', 'C', 'B'])
  })
})

/** The stores on it are closed before it is dropped. */
function newDatabase(t: Teardown): Database {
  const stores: Store[] = []
  let making: Promise<TestDatabase> | undefined
  const database = () => {
    making ??= newPreparedDatabase()
    return making
  }
  t.after(async () => {
    await Promise.all(stores.map(store => store[Symbol.asyncDispose]()))
    await (await making)?.drop()
  })
  return {
    async open(settings = {}) {
      const { url } = await database()
      const store = await openStore(url, model, { queryDeadline: 60_000, poolSize: 5, ...settings })
      stores.push(store)
      return store
    },
    async alter(statement) {
      const { url } = await database()
      await runStatement(url, statement)
    }
  }
}

/** A server that asks for passwords: the shared one where it does, else one of our own. */
async function serverWithPasswords(t: Teardown): Promise<string> {
  const shared = await serverUrl()
  const wrong = new URL(shared)
  wrong.password = `not-${wrong.password}`
  const isRefused = await runStatement(wrong.href, 'SELECT 1').then(
    () => false,
    () => true
  )
  if (isRefused) return shared
  const own = await startPostgresServer()
  t.after(() => own.stop())
  return own.url
}

/** A port where somebody listens and never says a word. */
async function startSilent(t: Teardown): Promise<number> {
  const server = createServer(() => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
  })
  server.unref()
  return (server.address() as AddressInfo).port
}
