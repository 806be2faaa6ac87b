import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createKeyedLock } from '#catalogue/keyed-lock.ts'

describe('A lock by key', () => {
  it('lets those with one key continue one after the other, in the order in which they came', async () => {
    const lock = createKeyedLock()
    const said: string[] = []
    const work = async (key: string, name: string) => {
      using _held = await lock.take(key)
      said.push(`${name} begins`)
      await new Promise(resolve => setImmediate(resolve))
      said.push(`${name} ends`)
    }
    await Promise.all([work('a', '1'), work('a', '2'), work('a', '3')])
    assert.deepEqual(said, ['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
  })

  it('lets those with other keys continue at once', async () => {
    const lock = createKeyedLock()
    const held = await lock.take('a')
    const other = await lock.take('b')
    other[Symbol.dispose]()
    held[Symbol.dispose]()
  })

  it('is free again after work that failed', async () => {
    const lock = createKeyedLock()
    const fail = async () => {
      using _held = await lock.take('a')
      throw new Error('no')
    }
    await assert.rejects(fail, /^Error: no$/)
    const held = await lock.take('a')
    held[Symbol.dispose]()
  })
})
