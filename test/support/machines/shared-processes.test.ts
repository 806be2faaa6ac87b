import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { dealOut, takePart } from './shared-processes.ts'

const files = Array.from({ length: 23 }, (_, index) => `test/${index}.test.ts`)

describe('Test files', () => {
  it('are each in one of the parts of a run', () => {
    const parts = ['1/4', '2/4', '3/4', '4/4'].map(part => takePart(part)(files))
    assert.deepEqual(parts.flat().sort(), files.toSorted())
    assert.deepEqual(parts.map(part => part.length).sort(), [5, 6, 6, 6])
    assert.deepEqual(takePart('1/1')(files), files)
  })

  it('are each in one of the processes', () => {
    assert.deepEqual(dealOut(files, 10).flat().sort(), files.toSorted())
  })

  it('have no part that the numbers do not allow', () => {
    for (const part of ['', '1', '0/4', '5/4', '1/0', '-1/4', '1/4/2', 'a/b'])
      assert.throws(() => takePart(part), { message: `--part must be 1/4, for example; got "${part}"` })
  })
})
