import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readBatchOperation } from '#catalogue/batches/batch-operation.ts'
import { CatalogueError } from '#domain/errors.ts'
import {
  findJsonFaults,
  isEqualJson,
  isJsonObject,
  isPointer,
  isSameJson,
  membersOfPointer,
  pointerTo
} from '#domain/json.ts'

describe('JSON values', () => {
  it('are objects unless they are null or arrays', () => {
    assert.deepEqual([{}, [], null, 'text', 1, undefined].map(isJsonObject), [true, false, false, false, false, false])
  })

  it('are the same when their text is, and equal in any order of members', () => {
    assert.equal(isSameJson({ a: 1, b: [2] }, { a: 1, b: [2] }), true)
    assert.equal(isSameJson({ a: 1, b: 2 }, { b: 2, a: 1 }), false)
    assert.equal(isEqualJson({ a: 1, b: { c: [1, null] } }, { b: { c: [1, null] }, a: 1 }), true)
    for (const [one, other] of [
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ a: null }, { b: null }],
      [
        [1, 2],
        [2, 1]
      ],
      [[], {}],
      [null, {}],
      [0, false]
    ] as const)
      assert.equal(isEqualJson(one, other), false, JSON.stringify([one, other]))
  })
})

describe('JSON pointers', () => {
  it('escape the members that they name, and give them back', () => {
    const members = ['a/b', '~', '~1', '', '0']
    const pointer = members.reduce(pointerTo, '')
    assert.equal(pointer, '/a~1b/~0/~01//0')
    assert.equal(isPointer(pointer), true)
    assert.deepEqual(membersOfPointer(pointer), members)
    assert.deepEqual(membersOfPointer(''), [])
  })

  it('are told from other text', () => {
    assert.deepEqual(['', '/a', '/~0', 'a', '/~2', '/~', 1].map(isPointer), [
      true,
      true,
      true,
      false,
      false,
      false,
      false
    ])
  })

  it('in faults are escaped', () => {
    assert.deepEqual(
      findJsonFaults({ 'a/b': { '~': 'x\0' } }).map(({ pointer }) => pointer),
      ['/a~1b/~0']
    )
    assert.throws(
      () => readBatchOperation({ op: 'create', entity: {}, 'a/b': 1 }),
      (error: unknown) => error instanceof CatalogueError && error.faults?.[0]?.pointer === '/a~1b'
    )
  })
})
