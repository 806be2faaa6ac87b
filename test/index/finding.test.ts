import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { queryObjects } from 'node:v8'

import type { EntityContent } from '#domain/entity/entity.ts'
import type { CatalogueError } from '#domain/errors.ts'
import { readFacets } from '#domain/filter/facets.ts'
import { readOrder } from '#domain/filter/order.ts'
import { readClientFilters as readFilters } from '#compat/filter/client-filter-reader.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { readSearch } from '#domain/search/search.ts'
import { deleteSnapshot, findSnapshotChange, loadSnapshot, saveSnapshot } from '#finding/snapshot-file.ts'
import { buildBase } from '#index/base.ts'
import { openStore } from '#store/open-store.ts'
import type { StoreSettings } from '#store/ports/administration.ts'
import type { EntityQuery } from '#store/ports/queries.ts'
import type { Store } from '#store/store.ts'
import { createTestDatabase, runStatement, testStore } from '../support/databases/database.ts'
import { type Teardown, temporaryFolder } from '../support/services/start.ts'

/* The index in a store: when it answers, and that it knows everything that the database does. */

const model = createModel(builtInRecordTypes)

/** More than are indexed within a query, so that a base is built in the background. */
const many = 1100

describe('finding in memory', () => {
  it('waits for the index of a catalogue that is too large for one query', async t => {
    const url = await createTestDatabase(t)
    await fill(await open(t, url), 1, many)
    const store = await open(t, url)
    assert.equal((await store.queryEntities(queryOf([]))).count, many)
    const { answered, refused, records } = store.findingState()
    assert.deepEqual({ answered, refused, records }, { answered: 1, refused: 1, records: many + 1 })
    await compare(store, await open(t, url))
  })

  it('refuses queries while the index is built, and nothing else', async t => {
    const url = await createTestDatabase(t)
    await fill(await open(t, url), 1, many)
    // Without a snapshot, and with hardly any time to wait for another.
    if (testStore === 'sqlite') rmSync(snapshotOf(url), { force: true })
    const store = await open(t, url, { queryDeadline: 60 })
    const refusals: unknown[] = []
    for (let found: number | undefined; found === undefined; ) {
      found = await store.queryEntities(queryOf([])).then(
        ({ count }) => count,
        error => void refusals.push(error)
      )
      assert.equal((await store.findEntity('GEN-7'))?.id, 'GEN-7')
      // References need no index; only a busy machine may make them late.
      store.setQueryDeadline(600_000)
      assert.equal((await store.findReferences({ id: 'GEN-7', readableTypes: undefined, skip: 0, limit: 1 })).count, 0)
      store.setQueryDeadline(60)
    }
    for (const { code } of refusals as CatalogueError[]) assert.ok(['unavailable', 'query_timeout'].includes(code))
    const refused = refusals.find(error => (error as CatalogueError).code === 'unavailable') as CatalogueError
    assert.match(refused.message, /^The index is being (?:read|built)/)
  })

  it('looks into documents for what an entry has beside its value', async t => {
    const store = await open(t, await createTestDatabase(t))
    await fill(store, 1, 3)
    const inner = {
      type: 'selection',
      key: 'properties.name.value',
      value: ['soort 1 nummer 1'],
      match_exact: true,
      inner_exact_matches: { lang: 'nl' }
    }
    assert.equal((await store.queryEntities(queryOf([inner]))).count, 0)
    const { lang, ...named } = { key: 'name', value: 'soort 1 nummer 1', lang: 'nl' }
    const write = async (expectedVersion: number, metadata: EntityContent['metadata']) =>
      store.write({ writes: [{ kind: 'update', content: { ...genre(1), metadata }, expectedVersion }], by: 'test' })
    await write(1, [{ ...named, lang }])
    assert.equal((await store.queryEntities(queryOf([inner]))).count, 1)
    await write(2, [named, { key: 'note', value: 'soort 1 nummer 1', lang }])
    assert.equal((await store.queryEntities(queryOf([inner]))).count, 0)
  })

  it('knows of every change before it answers, few or many', async t => {
    const url = await createTestDatabase(t)
    const writing = await open(t, url)
    await fill(writing, 1, many)
    const store = await open(t, url)
    let count = many
    for (const added of [1, 3, 250, 1]) {
      await fill(writing, count + 1, added)
      count += added
      assert.equal((await store.queryEntities(queryOf([], ''))).count, count)
      const { entities } = await store.queryEntities(queryOf([{ type: 'search', value: `nummer ${count}` }]))
      assert.equal(entities[0]?.id, `GEN-${count}`)
    }
    await writing.write({ writes: [{ kind: 'delete', id: 'GEN-1', expectedVersion: 1 }], by: 'test' })
    assert.equal((await store.queryEntities(queryOf([]))).count, count - 1)
    await compare(store, await open(t, url))
    assert.equal(store.findingState().faults, 0)
  })

  it('applies a purge as a deletion, without building an index again', async t => {
    const url = await createTestDatabase(t)
    const store = await open(t, url)
    await fill(store, 1, many)
    assert.equal((await store.queryEntities(queryOf([]))).count, many)
    const before = store.findingState()
    for (const number of [3, 7]) {
      await store.write({ writes: [{ kind: 'delete', id: `GEN-${number}`, expectedVersion: 1 }], by: 'test' })
      if (number === 3) assert.equal((await store.queryEntities(queryOf([]))).count, many - 1)
      await store.purge({ uuid: genre(number).uuid, state: [], mentionedIn: [] })
      const { count } = await store.queryEntities(queryOf([{ type: 'search', value: `nummer ${number}` }]))
      assert.equal((await store.queryEntities(queryOf([]))).count, number === 3 ? many - 1 : many - 2)
      assert.equal(count, (await store.queryEntities(queryOf([{ type: 'search', value: `nummer ${number}` }]))).count)
    }
    const { refused, faults } = store.findingState()
    assert.deepEqual({ refused, faults }, { refused: before.refused, faults: 0 })
  })

  it('stays when the changes by which it knows its history are purged', async t => {
    const url = await createTestDatabase(t)
    const store = await open(t, url)
    await fill(store, 1, many)
    assert.equal((await store.queryEntities(queryOf([]))).count, many)
    const before = store.findingState()
    // The last changes are of one record, or of records that are all purged.
    for (const purged of [[3], [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]]) {
      for (const number of purged) {
        const version = purged.length === 1 ? await edit(store, number, 12) : 1
        await store.queryEntities(queryOf([]))
        await store.write({ writes: [{ kind: 'delete', id: `GEN-${number}`, expectedVersion: version }], by: 'test' })
      }
      const { count } = await store.queryEntities(queryOf([]))
      for (const number of purged) await store.purge({ uuid: genre(number).uuid, state: [], mentionedIn: [] })
      assert.equal((await store.queryEntities(queryOf([]))).count, count)
    }
    const { refused, faults } = store.findingState()
    assert.deepEqual({ refused, faults }, { refused: before.refused, faults: 0 })
    await compare(store, await open(t, url))
  })

  it('stays when all changes are deleted for their age, and at the next write', async t => {
    const url = await createTestDatabase(t)
    const [store, quiet] = [await open(t, url), await open(t, url)]
    await fill(store, 1, many)
    for (const each of [store, quiet]) assert.equal((await each.queryEntities(queryOf([]))).count, many)
    const before = store.findingState()
    for (let round = 1; round <= 2; round++) {
      await store.deleteChanges('9999')
      assert.equal((await store.queryEntities(queryOf([]))).count, many + round - 1)
      await fill(store, many + round, 1)
      const { count } = await store.queryEntities(queryOf([{ type: 'search', value: `nummer ${many + round}` }]))
      assert.equal(count, 1)
    }
    const { refused, faults } = store.findingState()
    assert.deepEqual({ refused, faults }, { refused: before.refused, faults: 0 })
    // This one lacks a change that is not known any more.
    await compare(quiet, store)
  })

  it('goes back to its base where the database lost its last commits', async t => {
    const url = await createTestDatabase(t)
    await fill(await open(t, url), 1, many)
    const store = await open(t, url)
    assert.equal((await store.queryEntities(queryOf([]))).count, many)
    const before = store.findingState()
    await fill(store, many + 1, 3)
    assert.equal((await store.queryEntities(queryOf([]))).count, many + 3)
    // As after a failover: nothing after that change is there.
    await loseChanges(url, many + 1)
    assert.equal((await store.queryEntities(queryOf([]))).count, many + 1)
    const { refused, faults } = store.findingState()
    assert.deepEqual({ refused, faults }, { refused: before.refused, faults: 0 })
  })

  it('notices another history that has none of the changes by which it knows its own', async t => {
    const url = await createTestDatabase(t)
    const store = await open(t, url)
    await fill(store, 1, many)
    await fill(store, many + 1, 12)
    assert.equal((await store.queryEntities(queryOf([]))).count, many + 12)
    await loseChanges(url, many + 2)
    // The same numbers are given again, to changes of a record that is purged.
    const other = await open(t, url)
    await fill(other, many + 100, 1)
    const version = await edit(other, many + 100, 12)
    await other.write({ writes: [{ kind: 'delete', id: `GEN-${many + 100}`, expectedVersion: version }], by: 'test' })
    await other.purge({ uuid: genre(many + 100).uuid, state: [], mentionedIn: [] })
    assert.equal((await store.queryEntities(queryOf([]))).count, many + 2)
    await compare(store, other)
  })

  it('replaces its base while records are written and queried', async t => {
    const url = await createTestDatabase(t)
    const store = await open(t, url)
    let count = 0
    for (let round = 0; round < 17; round++) {
      await fill(store, count + 1, 190)
      count += 190
      const { count: found } = await store.queryEntities(queryOf([{ type: 'search', value: 'nummer' }]))
      assert.equal(found, count)
    }
    await until(() => store.findingState().records !== undefined)
    await compare(store, await open(t, url))
    assert.equal(store.findingState().faults, 0)
  })

  it('keeps no base that was replaced', async t => {
    const url = await createTestDatabase(t)
    const writing = await open(t, url)
    await fill(writing, 1, many)
    const store = await open(t, url, { maxBehind: 60 })
    const arrays: number[] = []
    for (let count = many; arrays.length < 6; count += 50) {
      await fill(writing, count + 1, 50)
      await store.queryEntities(queryOf([]))
      await until(() => (store.findingState().records ?? 0) >= count + 50)
      // The thread that built it ends after it has handed it over.
      await sleep(100)
      arrays.push(Number(queryObjects(SharedArrayBuffer, { format: 'count' })))
    }
    const [, second = 0] = arrays
    const last = arrays.at(-1) ?? 0
    assert.ok(second > 10 && last < 2 * second, `${arrays.join(', ')} arrays that threads share`)
  })

  it('finds exactly while far more records are written than a query applies, and reads those only', async t => {
    const url = await createTestDatabase(t)
    const writing = await open(t, url)
    await fill(writing, 1, many)
    const store = await open(t, url, { maxBehind: 60, readers: 2 })
    assert.equal((await store.queryEntities(queryOf([]))).count, many)
    // As no service can: a change that the log does not have, so only a new base of all would.
    await runStatement(url, `UPDATE entities SET document = replace(document, 'nummer 900', 'onbekend') WHERE pk = 900`)
    let count = many
    let last = many
    let searched = 0
    for (const written of Array.from({ length: 12 }, (_, at) => 30 + at * 14)) {
      const writes = fill(writing, last + 1, written).then(async () => {
        last += written
        count += written
        const id = `GEN-${last - 10}`
        await writing.write({ writes: [{ kind: 'delete', id, expectedVersion: 1 }], by: 'test' })
        count--
      })
      let isWritten = false
      const over = writes.then(() => (isWritten = true))
      while (!isWritten) {
        const before = count
        const { count: found } = await store.queryEntities(queryOf([{ type: 'search', value: 'nummer' }]))
        // The last of the writes may be seen before it is counted here.
        assert.ok(found >= before - 1 && found <= count + written, `${found} found, of ${before} to ${count}`)
        searched++
      }
      await over
      const newest = queryOf([{ type: 'search', value: `nummer ${last}` }])
      const all = queryOf([{ type: 'search', value: 'nummer' }], 'limit=0')
      const answers = await Promise.all([newest, all, all].map(query => store.queryEntities(query)))
      assert.deepEqual(
        [answers[0]?.entities[0]?.id, answers[1]?.count, answers[2]?.count],
        [`GEN-${last}`, count, count]
      )
    }
    assert.ok(searched > 12)
    const { records = 0, faults } = store.findingState()
    assert.ok(records > many + 600, `the base has ${records} records`)
    assert.equal(faults, 0)
    assert.equal((await store.queryEntities(queryOf([{ type: 'search', value: 'onbekend' }]))).count, 0)
    await runStatement(url, `UPDATE entities SET document = replace(document, 'onbekend', 'nummer 900') WHERE pk = 900`)
    if (testStore === 'sqlite') rmSync(snapshotOf(url), { force: true })
    // Several threads build parts of this index, and read what is written meanwhile again.
    const other = await open(t, url, { recordsOfPart: 200 })
    await Promise.all([other.queryEntities(queryOf([])), fill(writing, last + 1, 50)])
    await compare(store, other)
    assert.equal(other.findingState().isFromSnapshot, false)
  })

  it('begins anew with a database that has another history', async t => {
    const url = await createTestDatabase(t)
    const store = await open(t, url)
    await fill(store, 1, 5)
    assert.equal((await store.queryEntities(queryOf([]))).count, 5)
    // As after a restored backup: the last change has the same number, and is another one.
    await runStatement(url, `UPDATE changes SET version = 7 WHERE sequence = 5`)
    await runStatement(url, `UPDATE entities SET document = replace(document, 'nummer 5', 'nummer 500') WHERE pk = 5`)
    const { count } = await store.queryEntities(queryOf([{ type: 'search', value: 'nummer 500' }]))
    assert.equal(count, 1)
  })

  it('begins anew where it has a record that the database has not', async t => {
    const url = await createTestDatabase(t)
    const store = await open(t, url)
    await fill(store, 1, 5)
    assert.equal((await store.queryEntities(queryOf([]))).count, 5)
    for (const table of ['identifiers', 'relations', 'lookups'])
      await runStatement(url, `DELETE FROM ${table} WHERE entity_pk = 3`)
    await runStatement(url, `DELETE FROM entities WHERE pk = 3`)
    const genres = queryOf([{ type: 'type', value: 'genre' }])
    assert.equal((await store.queryEntities(genres)).count, 4)
    assert.equal(store.findingState().faults, 1)
    assert.equal((await store.queryEntities(genres)).count, 4)
  })

  it('builds a base again that has a record which the database has not', async t => {
    const url = await createTestDatabase(t)
    await fill(await open(t, url), 1, many)
    const store = await open(t, url)
    const last = queryOf([{ type: 'search', value: `nummer ${many}` }])
    assert.equal((await store.queryEntities(last)).count, 1)
    for (const table of ['identifiers', 'relations', 'lookups'])
      await runStatement(url, `DELETE FROM ${table} WHERE entity_pk = ${many}`)
    await runStatement(url, `DELETE FROM entities WHERE pk = ${many}`)
    assert.equal((await store.queryEntities(last)).count, 0)
    assert.equal(store.findingState().faults, 1)
  })
})

describe('the snapshot of an index', () => {
  it('is used at the next start, with the changes since; a damaged, foreign or old one is not', async t => {
    const url = await createTestDatabase(t)
    const indexSnapshot = testStore === 'sqlite' ? undefined : join(temporaryFolder(t), 'index')
    const file = indexSnapshot ?? snapshotOf(url)
    const writing = await open(t, url)
    await fill(writing, 1, many)
    /** Starts a store, compares its answers with those of another, and closes it. */
    const start = async () => {
      await using store = await openStore(url, model, { queryDeadline: 600_000, readers: 1, indexSnapshot })
      await compare(store, writing)
      const { isFromSnapshot, faults } = store.findingState()
      assert.equal(faults, 0)
      if (!isFromSnapshot) await until(() => readFileSync(file).length > 0)
      return isFromSnapshot
    }
    assert.equal(await start(), false)
    assert.equal(statSync(file).mode & 0o077, 0)
    const whole = readFileSync(file)
    assert.equal(await start(), true)
    await fill(writing, many + 1, 20)
    assert.equal(await start(), true)

    for (let part = 0; part < 2; part++) {
      const damaged = Buffer.from(whole)
      const at = Math.floor((damaged.length - 1) * part)
      damaged[at] = (damaged[at] ?? 0) ^ 0x41
      writeFileSync(file, damaged)
      assert.equal(await start(), false, `a changed byte at ${at}`)
    }
    writeFileSync(file, whole.subarray(0, whole.length / 2))
    assert.equal(await start(), false, 'a torn file')

    // A history that has the same number of changes, and others.
    writeFileSync(file, whole)
    await runStatement(url, `UPDATE changes SET version = 9 WHERE sequence = ${many}`)
    assert.equal(await start(), false, 'a snapshot of another history')
    await runStatement(url, `UPDATE properties SET value = 'other' WHERE name = 'epoch'`)
    assert.equal(await start(), false, 'a snapshot of another database')
    await writing.write({ writes: [{ kind: 'delete', id: 'GEN-1', expectedVersion: 1 }], by: 'test' })
    const purging = await open(t, url, { indexSnapshot })
    await purging.purge({ uuid: genre(1).uuid, state: [], mentionedIn: [] })
    assert.equal(existsSync(file), false, 'a snapshot with a purged record')

    // Another machine may have a file of its own, which the purge did not reach.
    writeFileSync(file, whole)
    await runStatement(url, `UPDATE changes SET version = 1 WHERE sequence = ${many}`)
    await runStatement(url, `UPDATE properties SET value = '${epochIn(whole)}' WHERE name = 'epoch'`)
    assert.equal(await start(), true)
    await until(() => existsSync(file) && !readFileSync(file).equals(whole))
  })

  it('that a killed process left unfinished is deleted at the start, and by a purge in any case', async t => {
    const url = await createTestDatabase(t)
    const indexSnapshot = testStore === 'sqlite' ? undefined : join(temporaryFolder(t), 'index')
    const file = indexSnapshot ?? snapshotOf(url)
    const { pid: killed = 0 } = spawnSync('true')
    const leave = () =>
      ['', ...[killed, process.pid, process.ppid].map(pid => `.${pid}.unfinished`)].map(end => {
        writeFileSync(`${file}${end}`, 'a name')
        return `${file}${end}`
      })
    const left = leave()
    const others = [`${file}.unfinished`, `${file}2.${killed}.unfinished`, `${file}.old.${killed}.unfinished`]
    for (const other of others) writeFileSync(other, 'of another program')
    const store = await open(t, url, { followsModel: true, indexSnapshot })
    assert.deepEqual(left.filter(existsSync), [left[0], left[3]])
    await fill(store, 1, 1)
    await store.write({ writes: [{ kind: 'delete', id: 'GEN-1', expectedVersion: 1 }], by: 'test' })
    leave()
    await store.purge({ uuid: genre(1).uuid, state: [], mentionedIn: [] })
    assert.deepEqual(left.filter(existsSync), [])
    assert.deepEqual(others.filter(existsSync), others)
  })

  it('that was begun before a purge is not left after it', async t => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'index')
    const base = buildBase().done(1, [])
    // The purge is seen before the file has its name, or after it.
    for (const seenAt of [1, 2]) {
      let looks = 0
      assert.equal(await saveSnapshot(file, base, 'a database', () => ++looks === seenAt), false)
      assert.deepEqual(readdirSync(folder), [])
    }
    // Or the purge deletes what is written.
    const deleted = saveSnapshot(file, base, 'a database', () => {
      deleteSnapshot(file)
      return false
    })
    await assert.rejects(deleted, { code: 'ENOENT' })
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(await saveSnapshot(file, base, 'a database', () => false), true)
    assert.deepEqual(readdirSync(folder), ['index'])
    assert.deepEqual(loadSnapshot(file, 'a database'), base)
    assert.equal(findSnapshotChange(file, 'a database'), 1)
    assert.equal(findSnapshotChange(file, 'another database'), undefined)
  })

  it('that cannot be saved is reported with its cause, and the index answers', async t => {
    const url = await createTestDatabase(t)
    const indexSnapshot = testStore === 'sqlite' ? undefined : join(temporaryFolder(t), 'index')
    const file = indexSnapshot ?? snapshotOf(url)
    await fill(await open(t, url), 1, many)
    mkdirSync(file)
    const store = await open(t, url, { indexSnapshot })
    assert.equal((await store.queryEntities(queryOf([]))).count, many)
    await until(() => store.findingState().snapshot.failures === 1)
    const { savedAt, failure } = store.findingState().snapshot
    assert.equal(savedAt, undefined)
    assert.match((failure as Error).message, /EISDIR/)
    assert.equal(store.findingState().faults, 0)
    rmdirSync(file)
    const next = await open(t, url, { indexSnapshot })
    assert.equal((await next.queryEntities(queryOf([]))).count, many)
    await until(() => next.findingState().snapshot.savedAt !== undefined)
    assert.ok(statSync(file).size > 0)
  })
})

/** The name of the database that a snapshot is of. */
const epochIn = (snapshot: Buffer) => /"database":"\[\\"([0-9a-f]+)/.exec(snapshot.toString('latin1'))?.[1] ?? ''

const snapshotOf = (url: string) => `${url.slice('sqlite:'.length)}.index`

async function until(isTrue: () => boolean) {
  for (;;) {
    try {
      if (isTrue()) return
    } catch {
      // Not yet.
    }
    await sleep(5)
  }
}

/** Queries of each kind. */
const queries = [
  queryOf([{ type: 'search', value: 'soort 3' }]),
  queryOf([{ type: 'search', value: 'soort nummer' }], 'facets=properties.name.value&limit=5'),
  queryOf([{ type: 'text', key: 'properties.name.value', value: '*9' }], 'order_by=name'),
  queryOf([{ type: 'type', value: 'genre' }], 'order_by=name&skip=300'),
  queryOf([], 'order_by=date_updated'),
  queryOf([], 'limit=0'),
  { ...queryOf([]), readableTypes: ['person'] }
]

async function compare(store: Store, expected: Store) {
  for (const query of queries) {
    const [found, wanted] = [await store.queryEntities(query), await expected.queryEntities(query)]
    assert.deepEqual(found, wanted, JSON.stringify(query.filter))
    if (query.readableTypes === undefined) assert.ok(found.count > 0)
  }
  const suggestion = { search: readSearch('soort 4'), types: undefined, limit: 5 }
  assert.deepEqual(await store.suggest(suggestion), await expected.suggest(suggestion))
}

function queryOf(filters: readonly unknown[], given = ''): EntityQuery {
  const parameters = new URLSearchParams(given)
  const filter = readFilters(model, filters).filter
  const order = readOrder(parameters.get('order_by') ?? '', true, filter)
  const facets = parameters.get('facets')
  assert.ok(order)
  return {
    filter,
    order,
    skip: Number(parameters.get('skip') ?? 0),
    limit: Number(parameters.get('limit') ?? 20),
    readableTypes: undefined,
    counted: true,
    ...(facets === null ? {} : { facets: { paths: readFacets(facets).map(({ path }) => path), limit: 20 } })
  }
}

async function open(t: Teardown, url: string, given: Partial<StoreSettings> = {}): Promise<Store> {
  const store = await openStore(url, model, { queryDeadline: 600_000, readers: 1, ...given })
  t.after(async () => store[Symbol.asyncDispose]())
  return store
}

function genre(number: number): EntityContent {
  const uuid = `0190aaaa-0000-7000-8000-${String(number).padStart(12, '0')}`
  const metadata = [{ key: 'name', value: `soort ${number % 7} nummer ${number}` }]
  return { id: `GEN-${number}`, uuid, type: 'genre', metadata, relations: [], otherIdentifiers: [] }
}

/** Edits a new record some times; returns its version. */
async function edit(store: Store, number: number, times: number): Promise<number> {
  for (let expectedVersion = 1; expectedVersion <= times; expectedVersion++)
    await store.write({ writes: [{ kind: 'update', content: genre(number), expectedVersion }], by: 'test' })
  return times + 1
}

/** Takes back all changes after one, which were creations of records, as if they never were. */
async function loseChanges(url: string, change: number) {
  const lost = `(SELECT pk FROM entities WHERE changed > ${change})`
  for (const table of ['identifiers', 'relations', 'lookups'])
    await runStatement(url, `DELETE FROM ${table} WHERE entity_pk IN ${lost}`)
  for (const statement of [
    `DELETE FROM entities WHERE changed > ${change}`,
    `DELETE FROM changes WHERE sequence > ${change}`,
    ...(testStore === 'sqlite'
      ? [`UPDATE sqlite_sequence SET seq = ${change}`]
      : [`UPDATE counters SET change = ${change}, entity = ${change}`])
  ])
    await runStatement(url, statement)
}

async function fill(store: Store, from: number, count: number) {
  const writes = Array.from({ length: count }, (_, at) => ({ kind: 'insert', content: genre(from + at) }) as const)
  await store.write({ writes, by: 'test' })
}
