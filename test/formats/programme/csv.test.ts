import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { parse } from 'csv-parse/sync'
import fc from 'fast-check'

import { writeCsv } from '#formats/tables/write-csv.ts'
import { howMany, seed } from '../../support/records/chance.ts'

/** A text without the apostrophes that keep spreadsheets from taking it for a formula. */
const unguarded = (text: string) => text.replaceAll(/(^|[;\t\r\n])'+(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/g, '$1')

describe('A table as CSV', () => {
  it('is read back cell by cell, whatever they hold', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('"', '","', '\r\n', 'a\nb', ' a ', "'", 'é;ü'))
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), rows => {
        const read = parse(writeCsv(['one', 'two'], rows), { relax_column_count: false }) as string[][]
        assert.deepEqual(
          read.map(row => row.map(unguarded)),
          [['one', 'two'], ...rows].map(row => row.map(unguarded))
        )
      }),
      { seed, numRuns: howMany({ short: 200, long: 5000, onPostgres: 200 }) }
    )
  })

  it('holds no formula', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])
      assert.match(writeCsv(['x'], [[text]]), /\r\n"?'/)
    assert.equal(writeCsv(['x'], [[-1]]), 'x\r\n-1\r\n')
  })
})
