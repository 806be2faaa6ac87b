import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Field } from '#domain/record-types/record-type.ts'
import { readCell } from '#formats/tables/read-cell.ts'

const dates = { order: undefined, zone: undefined } as unknown as Parameters<typeof readCell>[3]
const read = (field: Field, text: string) => readCell(field, text, [], dates)

describe('A cell with a number', () => {
  const count: Field = { kind: 'number', min: 0 }
  const latitude: Field = { kind: 'number', min: -90, max: 90 }

  it('may have blanks, points or commas between thousands, and a decimal comma', () => {
    for (const text of ['1200', '1 200', '1.200', '1,200', "1'200"])
      assert.deepEqual(read(count, text), { value: 1200 }, text)
    assert.deepEqual(read(count, '12,5'), { value: 12.5 })
  })

  it('has decimals where thousands would be outside the range of the field', () => {
    assert.deepEqual(read(latitude, '51.054'), { value: 51.054 })
    assert.deepEqual(read(latitude, '-3,725'), { value: -3.725 })
  })

  it('is refused with its text where it is none', () => {
    assert.deepEqual(read(count, 'about 12'), { problem: '"about 12" is not a number' })
  })
})
