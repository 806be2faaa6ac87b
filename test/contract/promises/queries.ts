import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { until } from '../../support/services/receiver.ts'
import type { CatalogueError } from '#domain/errors.ts'
import type { OrderItem } from '#domain/filter/order.ts'
import type { QueryResult, Position, EntityQuery } from '#store/ports/queries.ts'
import {
  aRecord,
  idsIn,
  idsWhere,
  insert,
  metadata,
  rejects,
  remove,
  type Subject,
  titleIs,
  wholeList,
  write
} from './contract-support.ts'

export function queriesPromises({ name, newDatabase, openNew }: Subject) {
  describe(`${name} store: answering questions`, () => {
    it('gives the entities of a filter, how many there are in all, and whether more follow', async t => {
      const store = await openNew(t)
      await write(
        store,
        ...['A', 'B', 'C', 'D'].map(id => insert(aRecord(id, { metadata: metadata({ title: id < 'D' ? 'x' : 'y' }) })))
      )
      const answer = await store.queryEntities({ ...wholeList, filter: titleIs('x'), limit: 2, counted: true })
      assert.deepEqual(idsIn(answer), ['A', 'B'])
      assert.equal(answer.count, 3)
      assert.equal(answer.hasMore, true)
      assert.deepEqual({ ...answer.entities[0] }, { ...(await store.findEntity('A')) })
      const rest = await store.queryEntities({ ...wholeList, filter: titleIs('x'), skip: 2, limit: 2, counted: true })
      assert.deepEqual([idsIn(rest), rest.count, rest.hasMore], [['C'], 3, false])
      const uncounted = await store.queryEntities({ ...wholeList, filter: titleIs('x'), limit: 2, counted: false })
      assert.equal(uncounted.count, 0)
    })

    it('gives only the count for a limit of 0, and nothing when nothing matches', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')), insert(aRecord('B')))
      const { count, entities, first, last } = await store.queryEntities({ ...wholeList, limit: 0, counted: true })
      assert.deepEqual([count, entities.length, first, last], [2, 0, undefined, undefined])
      const none = await store.queryEntities({ ...wholeList, filter: titleIs('nothing'), counted: true })
      assert.deepEqual(
        [none.count, none.entities.length, none.hasMore, none.first, none.last],
        [0, 0, false, undefined, undefined]
      )
    })

    it('looks only among the readable types', async t => {
      const store = await openNew(t)
      await write(
        store,
        insert(aRecord('A')),
        insert(aRecord('V', { type: 'venue' })),
        insert(aRecord('W', { type: 'work_word' }))
      )
      const among = async (readableTypes: string[]) => {
        const answer = await store.queryEntities({ ...wholeList, readableTypes, counted: true })
        assert.equal(answer.count, answer.entities.length)
        return idsIn(answer)
      }
      assert.deepEqual(await among(['venue']), ['V'])
      assert.deepEqual(await among(['work_word', 'production']), ['A', 'W'])
      assert.deepEqual(await among([]), [])
      const notThis: EntityQuery = { ...wholeList, filter: { kind: 'not', of: titleIs('x') }, readableTypes: ['venue'] }
      assert.deepEqual(idsIn(await store.queryEntities(notThis)), ['V'])
    })

    it('visits each record that stays exactly once, however others write meanwhile', async t => {
      const store = await openNew(t)
      const staying = Array.from({ length: 30 }, (_, n) => `S-${n}`)
      const title = (n: number) => metadata(n % 5 === 0 ? {} : { title: `t${n % 7}` })
      for (const [n, id] of staying.entries()) {
        await write(
          store,
          insert(aRecord(id, { metadata: title(n) })),
          insert(aRecord(`LEAVING-${n}`, { metadata: title(n) }))
        )
      }
      for (const items of [
        [{ by: 'created' }],
        [{ by: 'id' }],
        [{ by: 'metadata', key: 'title' }]
      ] satisfies OrderItem[][]) {
        const seen: string[] = []
        let position: Position | undefined
        for (let page = 0; ; page++) {
          const answer: QueryResult = await store.queryEntities({
            ...wholeList,
            order: { items, ascending: true },
            limit: 7,
            ...(position ? { from: { position, backwards: false } } : {})
          })
          seen.push(...idsIn(answer).filter(id => id.startsWith('S-')))
          position = answer.last
          if (!answer.hasMore || !position) break
          // Somebody adds one at either end of the order, and takes one away that was just seen:
          // the place to go on from.
          await write(
            store,
            insert(aRecord(`${items[0]?.by}-${page}`, { metadata: metadata({ title: page % 2 ? 'a' : 'z' }) }))
          )
          const leaving = idsIn(answer).findLast(id => id.startsWith('LEAVING-'))
          if (leaving)
            await write(store, remove(leaving, 1), insert(aRecord(leaving, { metadata: metadata({ title: 'zz' }) })))
        }
        assert.equal(seen.length, staying.length)
        assert.deepEqual([...seen].sort(), [...staying].sort())
      }
    })

    it('stops a question that passes the deadline with query_timeout, and goes on answering', async t => {
      const database = newDatabase(t)
      const store = await database.open({ queryDeadline: 60, readers: 1, poolSize: 1 })
      const ids = Array.from({ length: 4000 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id, { metadata: [] }))))
      // A text inside ids is compared with every id.
      const folded = Array.from({ length: 5000 }, (_, n) => `no such text ${n}`)
      const costly: EntityQuery = {
        ...wholeList,
        filter: { kind: 'field', path: { kind: 'id' }, test: { kind: 'contains', folded } },
        counted: true
      }
      const onlyThird = { ...wholeList, filter: { kind: 'identifiers', identifiers: ['P-3'] }, limit: 1 } as const
      /**
       * A query that waits for a connection or a thread has less time; on a busy machine the wait
       * alone may exceed the deadline.
       */
      const askThird = async (): Promise<string[]> => {
        let found: string[] | undefined
        await until(async () => {
          found = await store.queryEntities(onlyThird).then(idsIn, () => undefined)
          return found !== undefined
        })
        return found ?? []
      }
      /** On a busy machine the index may be read again meanwhile, which refuses queries, too. */
      const askCostly = async (): Promise<CatalogueError> => {
        const error = await rejects(store.queryEntities(costly), ['query_timeout', 'unavailable'])
        if (error.code === 'query_timeout') return error
        await askThird()
        return askCostly()
      }
      await askThird()
      for (let times = 0; times < 3; times++) {
        const error = await askCostly()
        assert.match(error.message, /60 ms/)
        assert.equal((await store.findEntity('P-7'))?.id, 'P-7')
        assert.deepEqual(await askThird(), ['P-3'])
        await write(store, insert(aRecord(`NEW-${times}`)))
      }
      // Where it began, which a busy machine may prevent, it is told what it took.
      let message = 'could not begin'
      for (let tries = 0; tries < 100 && message.includes('could not begin'); tries++)
        message = (await askCostly()).message
      assert.doesNotMatch(message, /could not begin/)
      // Of many at once, those whose turn does not come in time are told so: what they wait is part
      // of their deadline.
      let messages: string[] = []
      const couldNotBegin = () => messages.some(each => each.includes('could not begin within 60 ms'))
      for (let tries = 0; tries < 10 && !couldNotBegin(); tries++) {
        const asked = Array.from({ length: 150 }, askCostly)
        messages = (await Promise.all(asked)).map(error => error.message)
        assert.ok(messages.every(each => each.includes('60 ms')))
      }
      assert.ok(couldNotBegin(), [...new Set(messages)].join('\n'))
      assert.deepEqual(await askThird(), ['P-3'])
      const patient = await database.open({ queryDeadline: 60_000 })
      assert.equal((await patient.queryEntities(costly)).count, 0)
    })

    it('holds queries to another deadline from the moment it is set', async t => {
      const store = await openNew(t, { queryDeadline: 600_000, readers: 1 })
      await write(store, insert(aRecord('P-1')))
      assert.deepEqual(idsIn(await store.queryEntities(wholeList)), ['P-1'])
      // Nothing is answered in so short a time.
      store.setQueryDeadline(0)
      await rejects(store.queryEntities(wholeList), 'query_timeout')
      store.setQueryDeadline(600_000)
      assert.deepEqual(idsIn(await store.queryEntities(wholeList)), ['P-1'])
    })

    it('answers many questions at once, each its own', async t => {
      const store = await openNew(t, { readers: 2 })
      const ids = Array.from({ length: 40 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id, { metadata: metadata({ title: id }) }))))
      const answers = await Promise.all(ids.map(id => idsWhere(store, titleIs(id))))
      assert.deepEqual(
        answers,
        ids.map(id => [id])
      )
    })
  })
}
