import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import * as fc from 'fast-check'

import { type BatchOperationName, readBatchOperation } from '#catalogue/batches/batch-operation.ts'
import { intoWaves } from '#catalogue/batches/batch-waves.ts'

const operating = (op: BatchOperationName, id: string, ...targets: string[]) => ({
  operation: readBatchOperation({ op, id, relations: targets.map(key => ({ type: 'seeAlso', key })) })
})
type Operating = ReturnType<typeof operating>

const wavesOf = (...all: Operating[]) =>
  intoWaves(all).map(wave => wave.map(({ operation: { op, id } }) => `${op} ${id}`))

describe('The waves of a batch', () => {
  it('have operations on different records at once, and those on one record in order', () => {
    assert.deepEqual(wavesOf(operating('create', 'a'), operating('patch', 'b'), operating('patch', 'a')), [
      ['create a', 'patch b'],
      ['patch a']
    ])
  })

  it('have a record after those that it refers to, also where these are further down', () => {
    assert.deepEqual(wavesOf(operating('create', 'a', 'b'), operating('create', 'b', 'c'), operating('create', 'c')), [
      ['create c'],
      ['create b'],
      ['create a']
    ])
  })

  it('have deletions by themselves', () => {
    assert.deepEqual(wavesOf(operating('create', 'a'), operating('delete', 'b'), operating('create', 'c')), [
      ['create a'],
      ['delete b'],
      ['create c']
    ])
  })

  it('have each operation once, and those on one record in order, whatever they refer to', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const op = fc.constantFrom<BatchOperationName>('create', 'replace', 'patch', 'upsert', 'delete')
    const operation = fc
      .tuple(op, name, fc.array(name, { maxLength: 3 }))
      .map(([kind, id, targets]) => operating(kind, id, ...targets))
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 12 }), all => {
        const waves = intoWaves(all)
        const waveOf = new Map(waves.flatMap((wave, position) => wave.map(each => [each, position] as const)))
        assert.equal(waves.flat().length, all.length)
        assert.equal(waveOf.size, all.length)
        all.forEach((later, position) => {
          for (const earlier of all.slice(0, position))
            if (earlier.operation.id === later.operation.id)
              assert.ok((waveOf.get(earlier) as number) < (waveOf.get(later) as number))
        })
      })
    )
  })
})
