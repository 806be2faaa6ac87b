import assert from 'node:assert/strict'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import postgres from 'postgres'

import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { archiveParts } from '#store/archive.ts'
import { openStore } from '#store/open-store.ts'
import { readTables, runStatement } from '../support/databases/database.ts'
import { metadata } from '../support/records/entities.ts'
import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { type Chance, createChance, isLong, repeatable, seed } from '../support/records/chance.ts'
import { createDatabase, whyNoServer } from '../support/databases/postgres-server.ts'
import { runWriters } from '../support/records/random-writers.ts'
import { allowLoopback, startReceiver, until } from '../support/services/receiver.ts'
import { runCli } from '../support/services/run-cli.ts'
import { createClient, type HttpAnswer, pause, runLibretto, startServer } from '../support/services/server-process.ts'
import { adminToken, type Teardown, temporaryFolder } from '../support/services/start.ts'

/*
 * `npx libretto move` from SQLite to PostgreSQL and back, killed on the way. A kill waits until the
 * target has got so many of the rows, then a moment more, so that kills hit every part of the work,
 * also on a busy machine.
 */

const operations = isLong ? 20_000 : 600
const killsEachWay = isLong ? 10 : 1

const model = createModel(builtInRecordTypes)

describe('Moving a catalogue', { skip: whyNoServer() }, () => {
  it(`to PostgreSQL and back, killed ${2 * killsEachWay} times, keeps everything and goes on with it`, async t =>
    repeatable(async after => {
      const chance = createChance(seed)
      const source = await aCatalogue(t)
      const before = join(temporaryFolder(t), 'before.db')
      cpSync(source.path, before)
      const there = await createDatabase({ after })
      const back = `sqlite:${join(temporaryFolder(t), 'back.db')}`

      const midway = (await moveKilled(t, source.url, there, chance)) + (await moveKilled(t, there, back, chance))
      t.diagnostic(`${midway} of ${2 * killsEachWay} kills came in the middle of the work (SEED=${seed})`)
      assert.ok(midway >= killsEachWay, `Only ${midway} kills came in the middle`)

      assert.deepEqual(await contentsOf(source.url), await contentsOf(`sqlite:${before}`), 'the source was changed')
      assert.deepEqual(await contentsOf(back), await contentsOf(source.url), 'what came back is not what was sent')
      for (const url of [there, back]) {
        const checked = await runCli(['check', '--json'], { env: { DATABASE_URL: url } })
        assert.equal(checked.code, 0, checked.err + checked.out)
        await goesOn(t, url, source)
      }
    }))

  it('refuses a target that is not empty, or that another catalogue is on its way into', async t => {
    const [one, other] = [await aSmallCatalogue(t, 'A'), await aSmallCatalogue(t, 'B')]
    const target = await createDatabase(t)
    await refused(one, other, /--to is not empty/)

    await leaveUnfinished(one, target)
    await refused(other, target, /another unfinished move/)
    assert.equal((await move(one, target)).code, 0)
    await refused(one, target, /--to is not empty/)
    await refused(other, target, /--to is not empty/)
  })

  it('refuses to go on when the source was changed meanwhile', async t => {
    const source = await aSmallCatalogue(t, 'A')
    const target = await createDatabase(t)
    await leaveUnfinished(source, target)
    await write(source, 'A-late')
    await refused(source, target, /was changed since the move began/)
  })

  it('lets nobody use a target that is not finished', async t => {
    const source = await aSmallCatalogue(t, 'A')
    for (const target of [await createDatabase(t), `sqlite:${join(temporaryFolder(t), 'target.db')}`]) {
      await leaveUnfinished(source, target)
      for (const command of ['serve', 'check', 'export']) {
        const { code, err, out } = await runCli([command], { env: { DATABASE_URL: target, PORT: '0' } })
        assert.equal(code, 1, `${command} ${out}`)
        assert.match(err, /A move into this database is not finished: run the same "npx libretto move" again/)
      }
      await refused(target, await createDatabase(t), /A move into --from is not finished/)
      assert.equal((await move(source, target)).code, 0)
    }
  })

  it('refuses the same database twice, a source that holds nothing, and what is no database', async t => {
    const source = await aSmallCatalogue(t, 'A')
    const folder = temporaryFolder(t)
    const empty = await createDatabase(t)
    await refused(source, source, /the same database/)
    // Under another name it is found not to be empty.
    await refused(source, source.replace('/catalogue.db', '/./catalogue.db'), /--to is not empty/)
    await refused(empty, `sqlite:${join(folder, 'a.db')}`, /--from is empty/)
    await refused(`sqlite:${join(folder, 'none.db')}`, empty, /There is no file/)
    assert.equal(existsSync(join(folder, 'none.db')), false)
    await refused(source, 'mysql://localhost/x', /must begin with "sqlite:" or "postgres:\/\/"/)
    await refused('sqlite:', empty, /must name a file/)
    const wrong = new URL(empty)
    wrong.username = 'nobody'
    wrong.password = 'not-to-be-shown'
    wrong.pathname = '/no_such_database'
    const { code, out, err } = await move(source, wrong.href)
    assert.equal(code, 1)
    assert.match(err, /no_such_database|nobody/)
    assert.doesNotMatch(err + out, /not-to-be-shown|\n {4}at /)
    const { code: without, err: words } = await runCli(['move', '--from', source])
    assert.equal(without, 2)
    assert.match(words, /set MOVE_TO, or give --to/)
    assert.match(err, /--to shows its password/)
  })
})

// Catalogues

interface Source {
  readonly url: string
  readonly path: string
  /** A request with a key that was answered, and its answer. */
  readonly keyed: { readonly body: unknown; readonly key: string; readonly answer: HttpAnswer }
  /** A place in the feed from before the move. */
  readonly cursor: string
  readonly answers: ReadonlyMap<string, string>
  readonly token: string
  readonly newest: number
}

/**
 * A catalogue with history, merges, deletions, outcomes, tokens, an import, webhooks with
 * deliveries and forgotten changes.
 */
async function aCatalogue(t: TestContext): Promise<Source> {
  const path = join(temporaryFolder(t), 'catalogue.db')
  const url = `sqlite:${path}`
  const receiver = await startReceiver(t)
  const service = await startServer(t, url, { ...allowLoopback, SAMPLE_DATA: '0' })
  const client = createClient(service.port)
  t.after(() => client.close())
  const post = async (to: string, body: unknown, headers?: Record<string, string>) => {
    const answer = await client.call('POST', to, body, headers)
    assert.ok(answer.status < 300, answer.text)
    return answer
  }
  await post('/webhooks', { url: `${receiver.url}/one`, entity_types: ['production'] })
  const paused = JSON.parse((await post('/webhooks', { url: `${receiver.url}/two`, description: 'ß "x"' })).text)
  await client.call('PATCH', `/webhooks/${paused.id}`, { state: 'paused' })
  await post(`/webhooks/${paused.id}/test`, {})
  const { token } = JSON.parse((await post('/tokens', { name: 'a reader', scopes: ['read'] })).text)
  await post('/tokens', { name: 'late', scopes: ['read:venue', 'write'], expires_at: '2999-01-01' })

  await runWriters({ url: service.url, writers: 3, operations, seed })
  // The writers take some of their merges back, perhaps all.
  for (const id of ['STAYS', 'MERGED'])
    await post('/entities', { type: 'venue', id, metadata: metadata({ name: 'Hamlet' }) })
  await post('/entities/STAYS/merge', { victim_id: 'MERGED' })
  const body = { type: 'venue', id: 'KEYED', metadata: metadata({ name: 'İstanbul 👩‍👩‍👧 "\\"' }) }
  const keyed = {
    body,
    key: 'before-the-move',
    answer: await post('/entities', body, { 'idempotency-key': 'before-the-move' })
  }
  const sent = await fetch(`${service.url}/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/marc' },
    body: new Uint8Array(marcFile(saltRoad))
  })
  const { id: importId } = (await sent.json()) as { id: string }
  await until(async () => JSON.parse((await client.call('GET', `/imports/${importId}`)).text).state === 'done', 60_000)
  const untold = `SELECT 1 AS one FROM webhooks w JOIN changes c ON c.sequence > w.cursor AND c.type = 'production' WHERE w.state = 'active'`
  await until(async () => (await runStatement(url, untold)).length === 0, 60_000)
  assert.ok(receiver.received.length > 10, 'There are hardly any deliveries')
  assert.equal(await service.stop(), 0)

  const [middle] = await runStatement(
    url,
    `SELECT at, sequence FROM changes WHERE sequence = ${Math.floor(operations / 3)}`
  )
  {
    await using store = await openStore(url, model)
    assert.ok((await store.deleteChanges(String(middle?.at))) > 10)
  }
  const [row] = await runStatement(url, 'SELECT max(sequence) AS newest, min(sequence) AS oldest FROM changes')
  const [epoch] = await runStatement(url, "SELECT value FROM properties WHERE name = 'epoch'")
  const cursor = `${epoch?.value}-${Number(row?.oldest) + 100}`
  // Read from a copy: what serves a catalogue keeps its leases in it.
  const copy = join(temporaryFolder(t), 'copy.db')
  await runStatement(url, 'PRAGMA wal_checkpoint(TRUNCATE)')
  cpSync(path, copy)
  const newest = Number(row?.newest)
  const answers = await answersOf(t, `sqlite:${copy}`, cursor)
  return { url, path, keyed, cursor, token, newest, answers }
}

/** Returns the answers of a service on a database to many queries. */
async function answersOf(t: Teardown, url: string, cursor: string): Promise<Map<string, string>> {
  const service = await startServer(t, url, allowLoopback)
  const client = createClient(service.port)
  const answers = new Map<string, string>()
  const ask = async (path: string) => {
    const { status, text, headers } = await client.call('GET', path)
    answers.set(path, `${status} ${headers.etag} ${headers.link} ${headers['x-total-count']}\n${text}`)
    return text
  }
  for (const order of ['date_created', 'date_updated', 'id', 'name'])
    await ask(`/entities?limit=300&asc=0&order_by=${order}`)
  await ask(`/changes?limit=1000&since=${cursor}`)
  const gone = JSON.parse(await ask(`/changes?limit=40&types=entity.deleted,entity.merged&since=${cursor}`))
  for (const { data } of gone.changes) {
    await ask(`/entities/${data.id}/history`)
    await ask(`/entities/${data.id}?version=1`)
    await ask(`/entities/${data._id}`)
  }
  await ask('/changes?limit=10')
  await ask('/tokens')
  for (const { id } of JSON.parse(await ask('/webhooks'))) await ask(`/webhooks/${id}/deliveries?limit=1000`)
  client.close()
  assert.equal(await service.stop(), 0)
  return answers
}

/** A moved catalogue answers as before, and is written to as if nothing had happened. */
async function goesOn(t: Teardown, url: string, source: Source) {
  const answers = await answersOf(t, url, source.cursor)
  for (const [path, answer] of source.answers)
    assert.equal(answers.get(path), answer, `${path} on ${url.split(':')[0]}`)

  const service = await startServer(t, url, allowLoopback)
  const client = createClient(service.port)
  const { keyed, newest } = source
  const again = await client.call('POST', '/entities', keyed.body, { 'idempotency-key': keyed.key })
  assert.deepEqual([again.status, again.text], [keyed.answer.status, keyed.answer.text], 'the outcome under a key')
  const reused = await client.call(
    'POST',
    '/entities',
    { ...(keyed.body as object), id: 'X' },
    { 'idempotency-key': keyed.key }
  )
  assert.equal(reused.status, 422, reused.text)
  const asReader = await client.call('GET', '/entities/KEYED', undefined, { authorization: `Bearer ${source.token}` })
  assert.equal(asReader.status, 200, 'a token from before the move')

  const created = await client.call('POST', '/entities', {
    type: 'production',
    id: 'NEW',
    metadata: metadata({ title: 'Nieuw' })
  })
  assert.equal(created.status, 201, created.text)
  const updated = await client.call('PATCH', '/entities/KEYED', { metadata: metadata({ name: 'Anders' }) })
  assert.equal(updated.headers.etag, '"2"')
  const last = JSON.parse((await client.call('GET', `/changes?since=${source.cursor.split('-')[0]}-${newest}`)).text)
  assert.deepEqual(
    last.changes.map((change: { id: string; data: { id: string; version: number } }) => [
      change.id,
      change.data.id,
      change.data.version
    ]),
    [
      [`${source.cursor.split('-')[0]}-${newest + 1}`, 'NEW', 1],
      [`${source.cursor.split('-')[0]}-${newest + 2}`, 'KEYED', 2]
    ]
  )
  const ordered = JSON.parse((await client.call('GET', '/entities?limit=1&asc=0')).text)
  assert.equal(ordered[0].id, 'NEW', 'the newest record comes last in the order of creation')
  const [active] = JSON.parse((await client.call('GET', '/webhooks')).text)
  await until(
    async () => {
      const { text } = await client.call('GET', `/webhooks/${active.id}/deliveries?limit=1`)
      return text.includes('"NEW"')
    },
    20_000,
    () => 'the webhook to be told'
  )
  client.close()
  assert.equal(await service.stop(), 0)
}

async function aSmallCatalogue(t: Teardown, name: string): Promise<string> {
  const url = `sqlite:${join(temporaryFolder(t), 'catalogue.db')}`
  await write(url, name)
  return url
}

async function write(url: string, id: string) {
  await using store = await openStore(url, model)
  const content = { id, uuid: crypto.randomUUID(), type: 'venue', metadata: [], relations: [], otherIdentifiers: [] }
  await store.write({ writes: [{ kind: 'insert', content }], by: 'test' })
}

// Moving

const move = (from: string, to: string) => runCli(['move', '--from', from, '--to', to, '--json'])

async function refused(from: string, to: string, words: RegExp) {
  const { code, err, out } = await move(from, to)
  assert.equal(code, 1, out)
  assert.match(err, words)
  assert.equal(out, '')
}

/** A move that ended right after it had begun: the mark is there, and nothing else. */
async function leaveUnfinished(from: string, to: string) {
  // The target gets its tables, and the mark that a move leaves.
  await (await openStore(to, model))[Symbol.asyncDispose]()
  const [epoch] = await runStatement(from, "SELECT value FROM properties WHERE name = 'epoch'")
  const [row] = await runStatement(from, 'SELECT max(sequence) AS change FROM changes')
  const mark = JSON.stringify({ epoch: epoch?.value, change: Number(row?.change) })
  await runStatement(to, "INSERT INTO properties VALUES ('moving', $1)", mark)
}

/**
 * Moves a catalogue and kills the process again and again. Gives how many of the kills came when a
 * part of the rows had arrived.
 */
async function moveKilled(t: TestContext, from: string, to: string, chance: Chance): Promise<number> {
  const total = await createCounter(t, from)()
  const rowsInTarget = createCounter(t, to)
  let midway = 0
  for (let kill = 0; kill < killsEachWay; kill++) {
    const wanted = Math.floor((total * (kill + chance.below(100) / 100)) / killsEachWay)
    const moving = runLibretto(t, ['move', '--from', from, '--to', to], {})
    let isOver = false
    moving.ended.then(() => {
      isOver = true
    })
    await until(
      async () => isOver || (await rowsInTarget()) >= wanted,
      60_000,
      () => `${wanted} of ${total} rows`
    )
    await pause(chance.below(10))
    moving.child.kill('SIGKILL')
    const { signal } = await moving.ended
    assert.equal(signal, 'SIGKILL', `Kill ${kill} came too late: ${JSON.stringify(moving.output())}`)
    const arrived = await rowsInTarget()
    if (arrived > 0 && arrived < total) midway++
  }
  const served = await runCli(['serve'], { env: { DATABASE_URL: to, PORT: '0' } })
  assert.deepEqual([served.code, /not finished/.test(served.err)], [1, true], served.err)
  const { code, out, err } = await move(from, to)
  assert.equal(code, 0, err)
  const { digests } = JSON.parse(out) as { digests: { part: string; rows: number }[] }
  const empty = digests.filter(({ rows }) => rows === 0).map(({ part }) => part)
  assert.deepEqual(empty, [], 'parts that the catalogue should have something of')
  return midway
}

const counted = archiveParts
  .filter(name => name !== 'properties')
  .map(name => `(SELECT count(*) FROM ${name})`)
  .join(' + ')

/**
 * How many rows a database holds; none before it has its tables. Keeps its connection: to make one
 * takes longer than to move a page.
 */
function createCounter(t: Teardown, url: string): () => Promise<number> {
  const sql = url.startsWith('sqlite:') ? undefined : postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  t.after(() => sql?.end({ timeout: 1 }))
  const statement = `SELECT ${counted} AS n`
  return async () => {
    try {
      const [row] = await (sql ? sql.unsafe(statement) : runStatement(url, statement))
      return Number(row?.n)
    } catch {
      return 0
    }
  }
}

/** All rows of all tables of a SQLite file, beside what says nothing of the catalogue. */
async function contentsOf(url: string): Promise<Record<string, string[]>> {
  const tables = await readTables(url)
  const own = ['leases', 'sqlite_stat1', 'sqlite_stat4']
  return Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => !own.includes(name))
      .map(([name, rows]) => [name, rows.map(row => withoutOwnNumbers(name, row)).sort()])
  )
}

/** The numbers of tables that are not moved say nothing of the catalogue. */
function withoutOwnNumbers(table: string, row: string): string {
  const { name } = JSON.parse(row) as Record<string, unknown>
  const isOwn = table === 'sqlite_sequence' && !['entities', 'changes', 'merges', 'deliveries'].includes(String(name))
  return isOwn ? '' : row
}
