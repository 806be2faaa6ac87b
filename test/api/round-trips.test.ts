import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { MarcRecord } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { createChance, howMany, repeatable, seed } from '../support/records/chance.ts'
import { recordsForEveryRow } from '../support/records/table-records.ts'
import { importPayload } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'
import { editAndCompare } from '../support/oracles/round-trips.ts'

/*
 * Generated records with a field for every row of the mapping tables go in. One field is edited in
 * the model and one in the source record, in both orders. The records come out of every door, and
 * only those fields differ.
 */

const fileOf = (records: readonly MarcRecord[]) => {
  const { head, tail, write } = writers.iso2709
  return Buffer.concat([head, ...records.map(write), tail].map(each => Buffer.from(each as string)))
}

describe('MARC 21 records with a field for every row of the table', () => {
  it('differ by the edited fields only, at every door', async () => {
    await repeatable(async cleanUp => {
      const service = await start({ after: cleanUp })
      const chance = createChance(seed)
      const made = recordsForEveryRow('marc21', howMany({ short: 60, long: 2000, onPostgres: 40 }), chance)
      const done = await importPayload(service, fileOf(made.map(each => each.record)))
      assert.equal(done.counts.created, made.length)
      const sources = new Map(made.map(({ number, record }) => [number, record]))
      assert.ok((await editAndCompare(service, { chance, sources })) > 1.9 * made.length)
    })
  })
})
