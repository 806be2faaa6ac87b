import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Store } from '#store/store.ts'
import { aRecord, insert, type Subject } from './contract-support.ts'

export function statePromises({ name, openNew }: Subject) {
  describe(`${name} store: papers`, () => {
    const put = (store: Store, ...entries: [kind: string, key: string, value: string | null][]) =>
      store.write({ writes: [], by: 'test', state: entries.map(([kind, key, value]) => ({ kind, key, value })) })

    it('keeps a text under a kind and a key, until another takes its place or it is taken away', async t => {
      const store = await openNew(t)
      await put(store, ['a', 'one', '1'], ['a', 'two', '“2” \\ \u{1f3ad}'], ['b', 'one', 'other'])
      assert.deepEqual([...(await store.findState('a', ['one', 'two', 'three', 'one\0']))].sort(), [
        ['one', '1'],
        ['two', '“2” \\ \u{1f3ad}']
      ])
      await put(store, ['a', 'one', 'first'], ['a', 'one', 'new'], ['a', 'two', null], ['a', 'two', null])
      assert.deepEqual([...(await store.findState('a', ['one', 'two']))], [['one', 'new']])
      assert.deepEqual([...(await store.findState('b', ['one', 'two']))], [['one', 'other']])
      assert.equal((await store.findState('a', [])).size, 0)
    })

    it('finds what stands under a heading, and nothing of those beside it', async t => {
      const store = await openNew(t)
      const keys = ['x', 'x\n', 'x\na', 'x\nb', 'x\né', 'x\n\u{1f3ad}', 'x a', 'xa\nb', 'x\u000bc', 'y\na', 'X\na']
      await put(store, ...keys.map((key): [string, string, string] => ['a', key, key.toUpperCase()]))
      await put(store, ['b', 'x\na', 'not this'])
      assert.deepEqual([...(await store.listStateKeys('a', ['x', 'y', 'z']))].sort(), [
        'x\na',
        'x\nb',
        'x\né',
        'x\n\u{1f3ad}',
        'y\na'
      ])
      const first = await store.readState('a', { prefix: 'x', limit: 2 })
      assert.deepEqual(first, [
        { key: 'x\na', value: 'X\nA' },
        { key: 'x\nb', value: 'X\nB' }
      ])
      const rest = await store.readState('a', { prefix: 'x', after: 'x\nb', limit: 10 })
      assert.deepEqual(
        rest.map(each => each.key),
        ['x\né', 'x\n\u{1f3ad}']
      )
    })

    it('reads all of a kind, page by page, whatever their keys begin with', async t => {
      const store = await openNew(t)
      const keys = ['', 'x', 'x\na', 'é', '\u{1f3ad}', 'y']
      await put(store, ...keys.map((key): [string, string, string] => ['a', `k${key}`, key]), ['b', 'ka', 'not this'])
      const found: string[] = []
      for (let after: string | undefined; ; after = found.at(-1)) {
        const page = await store.readState('a', { limit: 2, ...(after === undefined ? {} : { after }) })
        found.push(...page.map(each => each.key))
        if (page.length < 2) break
      }
      assert.deepEqual(found, ['k', 'kx', 'kx\na', 'ky', 'ké', 'k\u{1f3ad}'])
    })

    it('writes them with the entities of the unit, or not at all', async t => {
      const store = await openNew(t)
      const papers = [{ kind: 'a', key: 'one', value: '1' }]
      const inserted = aRecord('PR-A')
      await store.write({ writes: [insert(inserted)], by: 'test', state: papers, dryRun: true })
      assert.equal((await store.findState('a', ['one'])).size, 0)
      await store.write({ writes: [insert(inserted)], by: 'test' })
      await assert.rejects(async () => store.write({ writes: [insert(inserted)], by: 'test', state: papers }))
      assert.equal((await store.findState('a', ['one'])).size, 0)
      await store.write({ writes: [insert(aRecord('PR-B'))], by: 'test', state: papers })
      assert.deepEqual([...(await store.findState('a', ['one']))], [['one', '1']])
    })
  })
}
