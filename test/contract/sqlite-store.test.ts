import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'

import { CatalogueError } from '#domain/errors.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import type { Finder } from '#finding/finder.ts'
import { IndexHost } from '#finding/index-host.ts'
import { openStore } from '#store/open-store.ts'
import type { Clock } from '#threads/deadline.ts'
import { openReading, openWriting } from '#store/sqlite/connection.ts'
import { createSqliteReader } from '#store/sqlite/reader.ts'
import { createReaderQueue, type Load, maxAhead, maxOverrun } from '#threads/reader-queue.ts'
import type { StoreSettings } from '#store/ports/administration.ts'
import type { Store } from '#store/store.ts'
import { relations } from '../support/records/entities.ts'
import { quickFolder, type Teardown, temporaryFolder } from '../support/machines/temporary-folder.ts'
import {
  aRecord,
  type Database,
  idsIn,
  insert,
  metadata,
  readIn,
  remove,
  update,
  wholeList,
  write
} from './promises/contract-support.ts'
import { storeContract } from './store-contract.ts'

const model = createModel(builtInRecordTypes)

storeContract('SQLite', newDatabase)

describe('SQLite store: durability', () => {
  it('waits for the disk at every commit, and keeps readers apart from the writer', t => {
    using db = openWriting(join(temporaryFolder(t), 'catalogue.db'))
    assert.equal(db.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal')
    // 2 is FULL: with less, a power cut can take acknowledged writes.
    assert.equal(db.prepare('PRAGMA synchronous').get()?.synchronous, 2)
  })

  it('reads on connections that cannot write', async t => {
    const { path, open } = newDatabase(t)
    await write(await open(), insert(aRecord('A')))
    using db = openReading(path)
    for (const statement of [
      'DELETE FROM entities',
      'PRAGMA user_version = 9',
      "ATTACH 'x.db' AS x",
      'DROP TABLE tokens'
    ])
      assert.throws(() => db.exec(statement), /not authorized|readonly|prohibited/, statement)
    assert.equal(db.prepare('SELECT count(*) AS n FROM entities').get()?.n, 1)
  })

  it('opens while another connection writes', async t => {
    const { path, open } = newDatabase(t)
    await (await open())[Symbol.asyncDispose]()
    // Longer than a single write waits.
    const holding = `
      const { workerData: path, parentPort } = require('node:worker_threads')
      const db = new (require('node:sqlite').DatabaseSync)(path)
      db.exec('BEGIN IMMEDIATE')
      parentPort.postMessage('held')
      setTimeout(() => db.exec('ROLLBACK'), 1000)
    `
    const other = new Worker(holding, { eval: true, workerData: path })
    t.after(() => other.terminate())
    await new Promise(resolve => other.once('message', resolve))
    await using store = await open()
    await write(store, insert(aRecord('A')))
  })

  it('keeps the order of things when the clock is set back', async t => {
    const { path, open } = newDatabase(t)
    const later = '2999-12-31T23:59:59.999Z'
    {
      await using store = await open()
      await write(store, insert(aRecord('A')))
    }
    // As if A had been written before the clock was set back by a few centuries.
    alter(path, `UPDATE changes SET at = '${later}'`)
    await using store = await open()
    await write(store, insert(aRecord('B')))
    await write(store, insert(aRecord('C')))
    await write(store, update(await contentOf(store, 'B'), { metadata: [] }))
    const { audit } = await readIn(store, 'B')
    assert.equal(audit.created.at, later)
    assert.ok(audit.updated.at >= audit.created.at)
    const by = async (item: 'created' | 'updated') =>
      idsIn(await store.queryEntities({ ...wholeList, order: { items: [{ by: item }], ascending: true } }))
    assert.deepEqual(await by('created'), ['A', 'B', 'C'])
    assert.deepEqual(await by('updated'), ['A', 'C', 'B'])
    assert.deepEqual(await store.changedSinceLastCall(), ['B', 'C', 'B'])
  })
})

describe('SQLite store: threads', () => {
  it('refuses what cannot be sent to one, and is closed all the same', async t => {
    const store = await newDatabase(t).open()
    const unsendable = { key: 'x', value: (() => {}) as unknown as string }
    await assert.rejects(write(store, insert(aRecord('A', { metadata: [unsendable] }))), /could not be cloned/)
    await write(store, insert(aRecord('B')))
    // Else this waits for an answer that nobody gives.
    await store[Symbol.asyncDispose]()
  })
})

describe('SQLite store: queries of a page', () => {
  const ofPage = { ...wholeList, caller: 'page', isTogether: true }

  it('that are asked at once go to a thread by few messages, and each gets its own answer', async t => {
    const { open } = newDatabase(t)
    await using store = await open()
    const ids = Array.from({ length: 20 }, (_, at) => `A${at}`)
    for (const id of ids) await write(store, insert(aRecord(id)))
    const withId = (id: string) => ({ ...ofPage, filter: { kind: 'identifiers', identifiers: [id] } as const })
    await store.queryEntities(ofPage)
    const sent = t.mock.method(Worker.prototype, 'postMessage')
    const found = await Promise.all(ids.map(id => store.queryEntities(withId(id))))
    assert.deepEqual(
      found.map(idsIn),
      ids.map(id => [id])
    )
    assert.equal(sent.mock.callCount(), 3)
    await Promise.all(ids.map(id => store.queryEntities({ ...withId(id), isTogether: false })))
    assert.equal(sent.mock.callCount(), 3 + ids.length)
  })

  it('fail alone, and see what was written before', async t => {
    const { open } = newDatabase(t)
    await using store = await open()
    await write(store, insert(aRecord('A')))
    // An index that failed is waited for half of that time.
    store.setQueryDeadline(5000)
    const unknown = { ...ofPage, filter: { kind: 'unknown' } } as unknown as typeof ofPage
    const answers = await Promise.allSettled([unknown, ofPage, unknown, ofPage].map(store.queryEntities))
    assert.deepEqual(
      answers.map(each => (each.status === 'fulfilled' ? idsIn(each.value) : each.status)),
      ['rejected', ['A'], 'rejected', ['A']]
    )
    await write(store, insert(aRecord('B')))
    const found = await Promise.all([ofPage, ofPage].map(store.queryEntities))
    assert.deepEqual(found.map(idsIn), [
      ['A', 'B'],
      ['A', 'B']
    ])
  })

  it('are answered where the store is closed in the same turn', async t => {
    const { open } = newDatabase(t)
    const store = await open()
    await write(store, insert(aRecord('A')))
    await store.queryEntities(wholeList)
    const asked = [ofPage, ofPage].map(store.queryEntities)
    await store[Symbol.asyncDispose]()
    assert.deepEqual((await Promise.all(asked)).map(idsIn), [['A'], ['A']])
  })
})

describe('SQLite store: damage', () => {
  it('finds a page of the file that was overwritten, and says so instead of throwing', async t => {
    const { path, open } = newDatabase(t)
    {
      await using store = await open()
      await fill(store)
      await write(store, ...Array.from({ length: 300 }, (_, n) => insert(aRecord(`P-${n}`))))
    }
    alter(path, 'PRAGMA wal_checkpoint(TRUNCATE)')
    const store = await open()
    scribble(path, pageOf(path, 'entities'))
    const report = await store.check()
    assert.equal(report.ok, false)
    assert.ok(
      report.problems.some(each => each.startsWith('The file of the database is damaged')),
      report.problems.join('\n')
    )
  })
})

describe('SQLite store: opening', () => {
  const open = (path: string) => openStore(`sqlite:${path}`, model, { queryDeadline: 1000, readers: 1 })

  it('makes the folder and the file where there is none', async t => {
    await using store = await open(join(temporaryFolder(t), 'new', 'folder', 'catalogue.db'))
    assert.equal(await store.isNew(), true)
  })

  it('leaves a file as it is that has a schema newer than it knows', async t => {
    const { path, open: openHere } = newDatabase(t)
    await (await openHere())[Symbol.asyncDispose]()
    alter(path, 'PRAGMA user_version = 1000')
    const before = readFileSync(path)
    await assert.rejects(open(path), /schema 1000.*newer version of Libretto/)
    assert.ok(readFileSync(path).equals(before))
  })

  it('refuses another kind of address in words', async () => {
    await assert.rejects(
      openStore('mysql://host/db', model, { queryDeadline: 1000, readers: 1 }),
      /must begin with "sqlite:"/
    )
  })
})

describe('SQLite store: turns', () => {
  const refused = 'query_timeout'

  it('refuse each question before its deadline, what it waited included, whatever the one that has the thread does', async () => {
    const { ask, passTime, heard, begun } = createTurnsToWatch(1)
    ask('endless')
    await passTime(500)
    ask('waiting')
    await passTime(1399)
    assert.deepEqual(heard, [])
    await passTime(1)
    assert.deepEqual(heard, [['endless', 1900, refused]])
    await passTime(500)
    assert.deepEqual(heard.slice(1), [['waiting', 2400, refused]])
    // It never came to the thread, which is still at work.
    assert.deepEqual(begun, ['endless'])
  })

  it('give the thread what is left of the time, and nothing when there is none', async () => {
    const { ask, passTime, end, heard, waits } = createTurnsToWatch(1)
    ask('first')
    ask('second')
    await passTime(1000)
    ask('third')
    await passTime(500)
    await end('first')
    await passTime(399)
    // The second is stopped by its thread now, as late as that may be; the third has its own time.
    await end('second', new CatalogueError('query_timeout', 'stopped'))
    assert.deepEqual(waits, { first: 0, second: 1500, third: 899 })
    ask('fourth')
    await passTime(1850)
    await end('third')
    assert.deepEqual(heard, [
      ['first', 1500, 'answered'],
      ['second', 1899, refused],
      ['third', 2900, refused],
      ['fourth', 3749, refused]
    ])
    assert.equal('fourth' in waits, false)
    ask('fifth')
    await end('fifth')
    assert.deepEqual(heard.at(-1), ['fifth', 3749, 'answered'])
  })

  it('leave a reader as much time as is left', async t => {
    const { path, open } = newDatabase(t)
    await write(await open(), insert(aRecord('A')))
    using db = openReading(path)
    let waited = 0
    const host = new IndexHost(model)
    const finder: Finder = {
      maxBehind: 1000,
      get state() {
        return host.state
      },
      find: request => host.find(request),
      restart: () => host.restart(),
      discard: () => host.discard(),
      note() {}
    }
    const reader = createSqliteReader(db, model, () => ({ deadline: 60_000, waited }), finder)
    assert.deepEqual(idsIn(await reader.queryEntities(wholeList)), ['A'])
    waited = 59_801
    await assert.rejects(reader.queryEntities(wholeList), { code: 'query_timeout' })
  })

  it('come in the order of asking, quick questions before others, which go in between after some', async () => {
    const { ask, end, begun } = createTurnsToWatch(1)
    ask('running')
    ask('scan 1')
    ask('scan 2')
    const quick = Array.from({ length: maxAhead + 2 }, (_, n) => `quick ${n}`)
    for (const name of quick) ask(name, 'quick')
    while (begun.length < quick.length + 3) await end(begun.at(-1) ?? '')
    assert.deepEqual(begun, ['running', ...quick.slice(0, maxAhead), 'scan 1', ...quick.slice(maxAhead), 'scan 2'])
  })

  it('do not wait for a thread that is being started while another is free', async () => {
    const { ask, end, makeReady, threadOf } = createTurnsToWatch(2, 1)
    for (const name of ['a', 'b', 'c']) ask(name)
    assert.deepEqual(threadOf, { a: 0 })
    await end('a')
    assert.deepEqual(threadOf, { a: 0, b: 0 })
    await makeReady()
    assert.deepEqual(threadOf, { a: 0, b: 0, c: 1 })
  })

  it('go on with another thread when one works on long after the deadline of its question', async () => {
    const { ask, passTime, heard, ended, begun, turns } = createTurnsToWatch(2)
    ask('endless')
    ask('endless too')
    await passTime(1900)
    assert.equal(turns.isBlocked, true)
    await passTime(maxOverrun - 1)
    ask('waiting')
    assert.deepEqual([ended, begun], [[], ['endless', 'endless too']])
    await passTime(1)
    const endedAt = 1900 + maxOverrun
    assert.deepEqual(ended, [
      [0, endedAt],
      [1, endedAt]
    ])
    assert.deepEqual(begun, ['endless', 'endless too', 'waiting'])
    assert.equal(turns.isBlocked, false)
    assert.deepEqual(heard, [
      ['endless', 1900, refused],
      ['endless too', 1900, refused]
    ])
  })

  it('leave a thread alone that ends late by itself', async () => {
    const { ask, passTime, end, ended, turns } = createTurnsToWatch(1)
    ask('late')
    await passTime(1900)
    assert.equal(turns.isBlocked, true)
    await end('late')
    assert.equal(turns.isBlocked, false)
    ask('next')
    await passTime(maxOverrun)
    assert.deepEqual(ended, [])
  })

  it('are taken by callers, so that nobody waits behind all questions of another', async () => {
    const { ask, end, begun } = createTurnsToWatch(1)
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name, 'usual', 'a')
    for (const name of ['b1', 'b2']) ask(name, 'usual', 'b')
    ask('c1', 'usual', 'c')
    while (begun.length < 7) await end(begun.at(-1) ?? '')
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('of costly questions leave a thread to the others', async () => {
    const { ask, end, begun, threadOf } = createTurnsToWatch(2)
    for (const name of ['dear 1', 'dear 2', 'dear 3']) ask(name, 'costly')
    assert.deepEqual(begun, ['dear 1'])
    for (const name of ['cheap 1', 'cheap 2']) ask(name)
    await end('cheap 1')
    await end('cheap 2')
    await end('dear 1')
    await end('dear 2')
    assert.deepEqual(begun, ['dear 1', 'cheap 1', 'cheap 2', 'dear 2', 'dear 3'])
    assert.equal(threadOf['cheap 2'], 1)
  })

  it('are taken of the first thread that is free', async () => {
    const { ask, end, threadOf } = createTurnsToWatch(3)
    for (const name of ['a', 'b', 'c']) ask(name)
    await end('c')
    await end('a')
    for (const name of ['d', 'e']) ask(name)
    assert.deepEqual(threadOf, { a: 0, b: 1, c: 2, d: 0, e: 2 })
  })
})

/** Turns with a clock that is set by hand, and work that ends when it is told to. */
function createTurnsToWatch(threads: number, readyAtStart = threads) {
  const prepared = Promise.withResolvers<void>()
  let now = 0
  let calls: { at: number; call: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    after(milliseconds, call) {
      const planned = { at: now + milliseconds, call }
      calls.push(planned)
      return () => {
        calls = calls.filter(each => each !== planned)
      }
    }
  }
  const turns = createReaderQueue(
    Array.from({ length: threads }, (_, index) => index),
    () => 2000,
    {
      readyAtStart,
      makeReady: () => prepared.promise,
      end(thread) {
        ended.push([thread, now])
        const name = Object.keys(threadOf).findLast(each => threadOf[each] === thread) ?? ''
        works.get(name)?.reject(new CatalogueError('query_timeout', 'ended'))
      }
    },
    clock
  )
  const works = new Map<string, PromiseWithResolvers<void>>()
  const heard: [name: string, at: number, what: string][] = []
  const begun: string[] = []
  const waits: Record<string, number> = {}
  const threadOf: Record<string, number> = {}
  const ended: [thread: number, at: number][] = []
  return {
    heard,
    begun,
    waits,
    threadOf,
    ended,
    turns,
    ask(name: string, lane: Load['lane'] = 'usual', caller = '') {
      const work = (thread: number, waited: () => number) => {
        begun.push(name)
        waits[name] = waited()
        threadOf[name] = thread
        const done = Promise.withResolvers<void>()
        works.set(name, done)
        return done.promise
      }
      turns.take(work, { lane, caller }).then(
        () => heard.push([name, now, 'answered']),
        error => heard.push([name, now, error.code])
      )
    },
    async makeReady() {
      prepared.resolve()
      await settled()
    },
    async end(name: string, error?: Error) {
      if (error) works.get(name)?.reject(error)
      else works.get(name)?.resolve()
      await settled()
    },
    async passTime(milliseconds: number) {
      const until = now + milliseconds
      for (const { at, call } of calls.toSorted((one, other) => one.at - other.at)) {
        if (at > until) break
        now = at
        call()
        await settled()
      }
      now = until
      calls = calls.filter(each => each.at > until)
    }
  }
}

/** Waits until the callbacks of settled promises have run. */
const settled = () => new Promise(resolve => setImmediate(resolve))

interface SqliteDatabase extends Database {
  readonly path: string
}

function newDatabase(t: Teardown): SqliteDatabase {
  const path = join(temporaryFolder(t, quickFolder()), 'catalogue.db')
  return {
    path,
    async alter(statement) {
      alter(path, statement)
    },
    async open(settings: Partial<StoreSettings> = {}) {
      const store = await openStore(`sqlite:${path}`, model, { queryDeadline: 60_000, readers: 1, ...settings })
      t.after(async () => store[Symbol.asyncDispose]())
      return store
    }
  }
}

/** A, which has been changed; B, which points to it; C, which nobody points to. */
async function fill(store: Store) {
  const a = aRecord('A', { metadata: metadata({ title: 'Hamlet', duration: 90 }), otherIdentifiers: ['other-a'] })
  await write(store, insert(a), insert(aRecord('C')))
  await write(store, update(a, { metadata: metadata({ title: 'Hamlet', duration: 95 }) }))
  await write(store, insert(aRecord('B', { relations: relations({ refOther: 'A' }) })), insert(aRecord('D')))
  await write(store, remove('D', 1))
}

async function contentOf(store: Store, id: string) {
  const { _id, type, metadata, relations, identifiers } = await readIn(store, id)
  return { id, uuid: _id, type, metadata, relations, otherIdentifiers: identifiers.slice(2) }
}

/**
 * Changes the file behind the store's back; gives how many rows that touched, 1 for what touches
 * none.
 */
function alter(path: string, statement: string): number {
  using db = new DatabaseSync(path)
  db.exec(statement)
  const touched = Number(db.prepare('SELECT total_changes() AS n').get()?.n)
  return /^(?:UPDATE|DELETE|INSERT)/.test(statement) ? touched : 1
}

/** The last page of a table's tree: one that holds rows. */
function pageOf(path: string, table: string): number {
  using db = new DatabaseSync(path)
  const row = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)
  return Number(row?.rootpage)
}

function scribble(path: string, page: number) {
  const size = 4096
  assert.ok(statSync(path).size >= page * size)
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(size - 200, 0xa5), 0, size - 200, (page - 1) * size + 100)
  closeSync(file)
}
