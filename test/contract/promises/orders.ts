import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Order, OrderItem } from '#domain/filter/order.ts'
import type { QueryResult, Position } from '#store/ports/queries.ts'
import type { Store } from '#store/store.ts'
import { fillForOrders, idsIn, type Subject, wholeList } from './contract-support.ts'

export function ordersPromises({ name, openNew }: Subject) {
  describe(`${name} store: orders`, () => {
    let store: Store
    const cleanUps: (() => void | Promise<void>)[] = []
    before(async () => {
      store = await openNew({ after: cleanUp => cleanUps.unshift(cleanUp) })
      await fillForOrders(store)
    })
    after(async () => {
      for (const cleanUp of cleanUps) await cleanUp()
    })

    for (const [title, items, ascending, expected] of orders) {
      it(`keeps the order by ${title}, forwards, backwards, and from any place`, async () => {
        const order: Order = { items, ascending }
        const whole = await store.queryEntities({ ...wholeList, order, counted: true })
        assert.deepEqual(idsIn(whole), expected)
        for (const limit of [1, 3, 8]) {
          assert.deepEqual(await walk(store, order, limit, false), expected, `pages of ${limit}`)
          assert.deepEqual(await walk(store, order, limit, true), expected, `pages of ${limit}, backwards`)
        }
        for (let skip = 0; skip <= expected.length; skip++) {
          const answer = await store.queryEntities({ ...wholeList, order, skip, limit: 3, counted: true })
          assert.deepEqual(idsIn(answer), expected.slice(skip, skip + 3), `skip ${skip}`)
          assert.equal(answer.count, expected.length)
          assert.equal(answer.hasMore, skip + 3 < expected.length)
        }
        for (const [index, id] of expected.entries()) {
          const { last } = await store.queryEntities({ ...wholeList, order, skip: index, limit: 1 })
          if (!last) throw new Error(`${id} has no position`)
          const after = await store.queryEntities({
            ...wholeList,
            order,
            limit: 3,
            from: { position: last, backwards: false },
            counted: true
          })
          assert.deepEqual(idsIn(after), expected.slice(index + 1, index + 4), `after ${id}`)
          assert.equal(after.count, expected.length)
          assert.equal(after.hasMore, index + 4 < expected.length)
          const before = await store.queryEntities({
            ...wholeList,
            order,
            limit: 3,
            from: { position: last, backwards: true }
          })
          assert.deepEqual(idsIn(before), expected.slice(Math.max(0, index - 3), index), `before ${id}`)
          assert.equal(before.hasMore, index > 3)
        }
      })
    }
  })
}

/**
 * Reads the whole list page by page, each from the place where the last one ended; gives it in its
 * order.
 */
async function walk(store: Store, order: Order, limit: number, backwards: boolean): Promise<string[]> {
  const pages: string[][] = []
  let position: Position | undefined
  if (backwards) {
    // Begin behind the last: at its place, which a page before it does not hold.
    const { last } = await store.queryEntities({ ...wholeList, order })
    if (!last) return []
    pages.push(idsIn(await store.queryEntities({ ...wholeList, order })).slice(-1))
    position = last
  }
  for (;;) {
    const answer: QueryResult = await store.queryEntities({
      ...wholeList,
      order,
      limit,
      ...(position ? { from: { position, backwards } } : {})
    })
    pages.push(idsIn(answer))
    position = backwards ? answer.first : answer.last
    if (!answer.hasMore || !position) return (backwards ? pages.reverse() : pages).flat()
    assert.equal(answer.entities.length, limit)
  }
}

const title: OrderItem = { by: 'metadata', key: 'title' }

const duration: OrderItem = { by: 'metadata', key: 'duration' }

const premiere: OrderItem = { by: 'metadata', key: 'premiere_date' }

const letters = (text: string) => text.split(' ')

const orders: readonly [title: string, items: readonly OrderItem[], ascending: boolean, expected: string[]][] = [
  ['creation', [{ by: 'created' }], true, letters('Q B Z a M K c D')],
  ['creation, newest first', [{ by: 'created' }], false, letters('D c K M a Z B Q')],
  ['last change', [{ by: 'updated' }], true, letters('Z a M K c D B Q')],
  ['last change, newest first', [{ by: 'updated' }], false, letters('Q B D c K M a Z')],
  ['id', [{ by: 'id' }], true, letters('B D K M Q Z a c')],
  ['id, descending', [{ by: 'id' }], false, letters('c a Z Q M K D B')],
  ['type', [{ by: 'type' }], true, letters('Z Q B a K D M c')],
  ['type, descending', [{ by: 'type' }], false, letters('c M Q B a K D Z')],
  ['a text', [title], true, letters('K D Q B c a Z M')],
  ['a text, descending', [title], false, letters('a Q B c D K Z M')],
  ['a number', [duration], true, letters('K Q a D B Z M c')],
  ['a number, descending', [duration], false, letters('a D Q K B Z M c')],
  ['a date', [premiere], true, letters('a B Q D Z M K c')],
  ['a date, descending', [premiere], false, letters('Q D B a Z M K c')],
  ['a key that nobody has', [{ by: 'metadata', key: 'none' }], true, letters('Q B Z a M K c D')],
  ['a key that nobody has, descending', [{ by: 'metadata', key: 'none' }], false, letters('Q B Z a M K c D')],
  ['type, then a text', [{ by: 'type' }, title], true, letters('Z K D Q B a M c')],
  ['type, then a text, descending', [{ by: 'type' }, title], false, letters('c M a Q B D K Z')],
  ['a number, then a text', [duration, title], true, letters('K Q D a B c Z M')],
  ['a number, then a text, descending', [duration, title], false, letters('a D Q K B c Z M')],
  ['a text, then last change', [title, { by: 'updated' }], true, letters('K D c B Q a Z M')],
  ['a text, then last change, descending', [title, { by: 'updated' }], false, letters('a Q B c D K M Z')],
  ['type, then creation', [{ by: 'type' }, { by: 'created' }], true, letters('Z Q B a K D M c')],
  ['type, then creation, descending', [{ by: 'type' }, { by: 'created' }], false, letters('c M D K a B Q Z')]
]
