import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createOpaqueTokens } from '../../src/catalogue/lists/opaque-tokens.ts'

const tokensWith = (byte: number) => createOpaqueTokens(() => Buffer.alloc(32, byte))

describe('opaque tokens', () => {
  const values = [['Rode avond'], 12_345, 0, 20, '1abcde']

  it('give the values back, and the same text for the same values', () => {
    const token = tokensWith(1).write(values)
    assert.deepEqual(tokensWith(1).read(token, values.length), values)
    assert.equal(tokensWith(1).write(values), token)
    assert.notEqual(tokensWith(1).write([...values.slice(0, 4), '1abcdf']), token)
    assert.doesNotMatch(Buffer.from(token, 'base64url').toString('latin1'), /avond|12345/)
  })

  it('are not read with another length, with another key, or after a change of any byte', () => {
    const tokens = tokensWith(1)
    const token = tokens.write(values)
    assert.equal(tokens.read(token, 4), undefined)
    assert.equal(tokensWith(2).read(token, values.length), undefined)
    const bytes = Buffer.from(token, 'base64url')
    for (const place of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[place] = (changed[place] as number) ^ 1
      assert.equal(tokens.read(changed.toString('base64url'), values.length), undefined, `byte ${place}`)
    }
  })

  it('are read that an earlier version wrote', () => {
    const earlier = 'K4JrF-0LvNY7D1xOKrnCjOuLebpRuuU4WboMqaZpIQLTNC36ik2a8y_d0oW1zAqQ0PWPA83nSm8NGQGpPwxosQ'
    assert.deepEqual(tokensWith(1).read(earlier, values.length), values)
  })
})
