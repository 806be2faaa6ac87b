import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { runImport } from '#imports/run-import.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { readItems } from '#imports/read-items.ts'
import { openImportParts } from '#imports/open-parts.ts'
import { createChance, seed, shuffle } from '../support/records/chance.ts'
import { newTestDatabase } from '../support/databases/database.ts'
import { digestOfLines, linesWithoutIds } from '../support/records/import-content.ts'
import { newJob } from '../support/records/import-jobs.ts'
import { realFolder } from './real-folder.ts'

const file = join(realFolder(), 'marc21/bibs.mrc')

async function* give<T>(items: readonly T[]) {
  yield* items
}

describe('An import of real records', () => {
  it('gives the same catalogue in five orders', async t => {
    const items = await Array.fromAsync(readItems(createReadStream(file), createModel(builtInRecordTypes), {}))
    const digests = new Set<string>()
    for (let round = 0; round < 5; round++) {
      const order = round === 0 ? items : shuffle(items, createChance(seed + round))
      const database = await newTestDatabase()
      try {
        await using opened = await openImportParts(database.url, createModel(builtInRecordTypes), { eventSource: '' })
        await runImport(opened.parts, newJob(), give(order), { batchSize: 150 })
        const lines = await linesWithoutIds(opened.parts.store)
        t.diagnostic(`order ${round}: ${lines.length} entities, ${digestOfLines(lines)}`)
        digests.add(digestOfLines(lines))
      } finally {
        await database.drop()
      }
    }
    assert.equal(digests.size, 1)
  })
})
