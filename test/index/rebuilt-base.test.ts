import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

import { createModel } from '#domain/model.ts'
import { readOrder } from '#domain/order.ts'
import { readFilters } from '#domain/read-filter.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { type Base, buildBase } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { find } from '#index/find.ts'
import { createBaseKeeper } from '#store/finding.ts'
import { openStore } from '#store/open-store.ts'
import { createReader } from '#store/sqlite/reader.ts'
import type { Question, Store } from '#store/store.ts'
import { type Teardown, temporaryFolder } from '../support/start.ts'

/* A base that is built in a thread of its own, and how the newest one is kept. */

const model = createModel(builtInRecordTypes)

/** More than a thread catches up with by itself. */
const many = 5600

async function fill(store: Store, from: number, count: number) {
  const writes = Array.from({ length: count }, (_, at) => {
    const number = from + at
    const uuid = `0190aaaa-0000-7000-8000-${String(number).padStart(12, '0')}`
    const metadata = [{ key: 'name', value: `soort ${number % 7} nummer ${number}` }]
    const content = { id: `GEN-${number}`, uuid, type: 'genre', metadata, relations: [], otherIdentifiers: [] }
    return { kind: 'insert', content } as const
  })
  await store.write({ writes, by: 'test' })
}

function questionOf(filters: readonly unknown[], orderBy = ''): Question {
  const filter = readFilters(model, filters)
  const order = readOrder(orderBy, true, filter)
  assert.ok(order)
  return { filter, order, skip: 0, limit: 20, readableTypes: undefined, counted: true }
}

const questions = [
  questionOf([{ type: 'search', value: 'soort 3' }]),
  questionOf([{ type: 'text', key: 'properties.name.value', value: '*9' }], 'name'),
  questionOf([], 'date_updated')
]

describe('a base that is built in a thread', () => {
  it('finds what the database finds', async t => {
    const path = await filledDatabase(t)
    const worker = new Worker(new URL('../../src/store/sqlite/index-builder.ts', import.meta.url), {
      workerData: { path, recordTypes: builtInRecordTypes }
    })
    const base = await new Promise<Base>((resolve, reject) => {
      worker.on('message', resolve)
      worker.on('error', reject)
    })
    assert.equal(base.change, many)
    const index = new CatalogueIndex(model, base)
    using db = new DatabaseSync(path, { readOnly: true })
    const reader = createReader(db, model, () => ({ deadline: 600_000, waited: 0 }), false)
    for (const question of questions) {
      const expected = reader.ask(question)
      const found = find(
        index,
        question,
        () => {},
        () => new Map()
      )
      assert.ok(expected.count > 0)
      assert.equal(found.count, expected.count)
      assert.deepEqual(
        found.numbers.map(number => index.idOf(number)),
        expected.entities.map(({ id }) => id)
      )
      assert.deepEqual(found.last, expected.last)
    }
  })

  it('takes the place of the one before while records are written and asked for', async t => {
    const path = await filledDatabase(t)
    await using store = await openStore(`sqlite:${path}`, model, { followsModel: true, queryDeadline: 600_000 })
    let count = many
    for (let round = 0; round < 40; round++) {
      await fill(store, count + 1, 80)
      count += 80
      const answer = await store.ask(questionOf([{ type: 'search', value: 'nummer' }]))
      assert.equal(answer.count, count)
      const last = await store.ask(questionOf([{ type: 'search', value: `nummer ${count}` }]))
      assert.equal(last.entities[0]?.id, `GEN-${count}`)
      await sleep(10)
    }
  })
})

describe('the keeper of bases', () => {
  const state = { base: -1, delta: 0, size: 0, isBehind: true }

  it('builds one where a thread is behind, one at a time, and keeps the newest', async () => {
    let built = 0
    const keeper = createBaseKeeper(async () => {
      built++
      await sleep(5)
      return buildBase().done(built)
    })
    keeper.note({ ...state, isBehind: false })
    assert.equal(built, 0)
    keeper.note(state)
    keeper.note(state)
    while (!keeper.base) await sleep(1)
    assert.equal(built, 1)
    assert.equal(keeper.base.change, 1)
    // A thread that has not yet seen the new base wants none.
    keeper.note(state)
    assert.equal(built, 1)
    await keeper.close()
  })

  it('goes on after a build that failed', async () => {
    let built = 0
    const keeper = createBaseKeeper(async () => {
      if (++built === 1) throw new Error('No connection')
      return buildBase().done(built)
    })
    for (let tries = 0; !keeper.base && tries < 2000; tries++) {
      keeper.note(state)
      await sleep(1)
    }
    assert.equal(keeper.base?.change, 2)
    await keeper.close()
  })
})

async function filledDatabase(t: Teardown): Promise<string> {
  const path = join(temporaryFolder(t), 'catalogue.db')
  await using store = await openStore(`sqlite:${path}`, model)
  for (let from = 1; from <= many; from += 700) await fill(store, from, 700)
  return path
}
