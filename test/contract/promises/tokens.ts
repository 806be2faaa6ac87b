import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { aToken, type Subject } from './contract-support.ts'

export function tokensPromises({ name, newDatabase, openNew }: Subject) {
  describe(`${name} store: tokens`, () => {
    it('finds a token by its hash, as it was given', async t => {
      const store = await openNew(t)
      const tokens = [
        aToken({ scopes: ['read:manifestation', 'write'], expiresAt: '2030-01-01T00:00:00.000Z' }),
        aToken({ name: 'Kiosk “twee”', scopes: [] })
      ]
      for (const token of tokens) await store.insertToken(token)
      for (const token of tokens) assert.deepEqual({ ...(await store.findToken(token.hash)) }, token)
      assert.equal(await store.findToken('nobody'), undefined)
      const [first] = tokens
      assert.equal(await store.findToken(first?.hash.toUpperCase() ?? ''), undefined)
    })

    it('lists all of them, and says of a deletion whether there was one', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      const elsewhere = await database.open()
      assert.deepEqual(await store.listTokens(), [])
      const [a, b] = [
        aToken({ createdAt: '2026-01-02T00:00:00.000Z' }),
        aToken({ createdAt: '2026-01-01T00:00:00.000Z' })
      ]
      await store.insertToken(a)
      await store.insertToken(b)
      assert.deepEqual((await elsewhere.listTokens()).map(token => token.id).sort(), [a.id, b.id].sort())
      const found = await elsewhere.findTokensById([b.id, 'nobody', a.id, a.id, '\0'])
      assert.deepEqual(
        found.map(token => ({ ...token })).sort((one, other) => (one.id < other.id ? -1 : 1)),
        [a, b].sort((one, other) => (one.id < other.id ? -1 : 1))
      )
      assert.deepEqual(await elsewhere.findTokensById([]), [])
      assert.equal(await store.deleteToken(a.id), true)
      assert.equal(await store.deleteToken(a.id), false)
      assert.deepEqual(await elsewhere.findTokensById([a.id]), [])
      assert.equal(await elsewhere.findToken(a.hash), undefined)
      assert.deepEqual(
        (await elsewhere.listTokens()).map(token => token.id),
        [b.id]
      )
    })
  })

  describe(`${name} store: acts`, () => {
    it('lists them newest first, by number and by kind, in every process', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      const elsewhere = await database.open()
      assert.deepEqual(await store.listActs(10), [])
      const acts = ['one', 'two', 'one', 'three'].map((act, index) => ({
        at: `2026-01-0${index + 1}T00:00:00.000Z`,
        by: 'token:kiosk',
        act,
        subject: index === 0 ? null : `s${index}`,
        address: index === 1 ? null : '192.0.2.1',
        details: { text: 'é "', list: [index] }
      }))
      for (const act of acts) await store.logAct(act)
      const all = await elsewhere.listActs(10)
      assert.deepEqual(
        all.map(({ number: _, ...act }) => act),
        acts.toReversed()
      )
      assert.deepEqual(await elsewhere.listActs(2, all[1]?.number), all.slice(2))
      assert.deepEqual(
        (await elsewhere.listActs(10, undefined, 'one')).map(({ at }) => at),
        [acts[2]?.at, acts[0]?.at]
      )
    })
  })
}
