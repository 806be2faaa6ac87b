import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { runImport } from '#imports/run-import.ts'
import { splitRecord } from '#imports/split.ts'
import { undoImport } from '#imports/undo-import.ts'
import type { Parts } from '#catalogue/parts.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import { CatalogueError } from '#domain/errors.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { readItems } from '#imports/read-items.ts'
import { openImportParts } from '#imports/open-parts.ts'
import type { ImportItem } from '#imports/place/prepare-record.ts'
import { losingItsPlace, splitBetweenTwo } from '../fixtures/undone-shelves.ts'
import { newTestDatabase } from '../support/databases/database.ts'
import { createChance, howMany, isLong, seed, shuffle } from '../support/records/chance.ts'
import { linesOf, linesWithoutIds } from '../support/records/import-content.ts'
import { newJob } from '../support/records/import-jobs.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { shelves } from '../support/records/random-shelves.ts'

/*
 * An import is a function of the set of its records: neither their order, nor how many are written
 * together, nor how many files they are in, changes what comes out; and what is taken back leaves
 * no trace.
 */

const settings = { seed, endOnFailure: !isLong, numRuns: howMany({ quick: 3, short: 5, long: 300, onPostgres: 3 }) }

/** Examples are counted among the runs. */
const beginningWith = <Given>(examples: [Given][]) => ({
  ...settings,
  numRuns: settings.numRuns + examples.length,
  examples
})

const itemsOf = (file: Buffer): Promise<ImportItem[]> =>
  Array.fromAsync(
    readItems(
      (async function* () {
        yield file
      })(),
      createModel(builtInRecordTypes),
      {}
    )
  )

async function* give(items: readonly ImportItem[]) {
  yield* items
}

/** A catalogue of its own for every run, gone when the run is over. */
async function withCatalogue<T>(work: (parts: Parts) => Promise<T>): Promise<T> {
  const { url, drop } = await newTestDatabase()
  try {
    await using opened = await openImportParts(url, createModel(builtInRecordTypes), { eventSource: '' })
    return await work(opened.parts)
  } finally {
    await drop()
  }
}

const importItems = (parts: Parts, items: readonly ImportItem[], batchSize: number): Promise<ImportJob> =>
  runImport(parts, newJob(), give(items), { batchSize })

/** Separates a record from the others of its work, if there are any. */
async function split(parts: Parts, item: ImportItem): Promise<void> {
  const name = item.outcome === 'record' ? item.name : ''
  const id = [...(await parts.store.identify([name]))][0]?.[1].id
  assert.ok(id, name)
  try {
    await splitRecord(parts, id, undefined, 'a person')
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.code !== 'invalid') throw error
  }
}

describe('an import', () => {
  it('gives the same catalogue in whatever order and files records come, and however many are written together', async () => {
    const inOrder = shelves.chain(shelf => fc.tuple(fc.constant(shelf), fc.nat(), fc.integer({ min: 1, max: 4 })))
    await fc.assert(
      fc.asyncProperty(inOrder, async ([shelf, order, batchSize]) => {
        const items = await itemsOf(marcFile(shelf))
        const whole = await withCatalogue(async parts => {
          await importItems(parts, items, 100)
          assert.deepEqual((await parts.store.check()).problems, [])
          return linesWithoutIds(parts.store)
        })
        const byAndBy = await withCatalogue(async parts => {
          const chance = createChance(order)
          const shuffled = shuffle(items, chance)
          const cut = chance.below(shuffled.length)
          for (const file of [shuffled.slice(0, cut), shuffled.slice(cut)]) await importItems(parts, file, batchSize)
          return linesWithoutIds(parts.store)
        })
        assert.deepEqual(byAndBy, whole)
      }),
      settings
    )
  })

  it('that is taken back leaves what was before it, ids and names included, and without it', async () => {
    const cases: fc.Arbitrary<typeof losingItsPlace> = shelves.chain(shelf =>
      fc.tuple(fc.constant(shelf), fc.nat(), shelves, fc.integer({ min: 1, max: 4 }))
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([shelf, order, other, batchSize]) => {
        const chance = createChance(order)
        const items = shuffle(await itemsOf(marcFile(shelf)), chance)
        const cut = chance.below(items.length)
        // Records of the same names, other than before: the second import changes some of the
        // first.
        const changed = (await itemsOf(marcFile(other))).slice(0, 3)
        await withCatalogue(async parts => {
          const first = await importItems(parts, items.slice(0, cut), batchSize)
          const before = await linesOf(parts.store)
          const second = await importItems(parts, [...items.slice(cut), ...changed], batchSize)
          await undoImport(parts, second, { batchSize })
          assert.deepEqual(await linesOf(parts.store), before)
          assert.deepEqual((await parts.store.check()).problems, [])
          await undoImport(parts, first, { batchSize })
          assert.deepEqual(await linesOf(parts.store), [])
        })
      }),
      // Which of two new ids is the lower one is left to chance.
      beginningWith(Array.from({ length: 5 }, () => [losingItsPlace]))
    )
  })

  it('that is taken back after people split works leaves what was before it, splits included', async () => {
    const cases: fc.Arbitrary<typeof splitBetweenTwo> = shelves.chain(shelf =>
      fc.tuple(fc.constant(shelf), fc.nat(), fc.integer({ min: 1, max: 4 }))
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([shelf, order, batchSize]) => {
        const chance = createChance(order)
        const items = shuffle(await itemsOf(marcFile(shelf)), chance)
        const cut = chance.below(items.length)
        await withCatalogue(async parts => {
          const first = await importItems(parts, items.slice(0, cut), batchSize)
          for (const each of items.slice(0, cut)) if (chance.below(2) === 0) await split(parts, each)
          const before = await linesOf(parts.store)
          const second = await importItems(parts, items.slice(cut), batchSize)
          for (const each of items.slice(cut)) if (chance.below(2) === 0) await split(parts, each)
          await undoImport(parts, second, { batchSize })
          assert.deepEqual(await linesOf(parts.store), before)
          assert.deepEqual((await parts.store.check()).problems, [])
          await undoImport(parts, first, { batchSize })
          assert.deepEqual(await linesOf(parts.store), [])
        })
      }),
      beginningWith([[splitBetweenTwo]])
    )
  })

  it('that is taken back after a later one leaves what that alone would have made', async () => {
    const cases = shelves.chain(shelf => fc.tuple(fc.constant(shelf), fc.nat(), fc.integer({ min: 1, max: 4 })))
    await fc.assert(
      fc.asyncProperty(cases, async ([shelf, order, batchSize]) => {
        const chance = createChance(order)
        const items = shuffle(await itemsOf(marcFile(shelf)), chance)
        const cut = chance.below(items.length)
        const both = await withCatalogue(async parts => {
          const first = await importItems(parts, items.slice(0, cut), batchSize)
          await importItems(parts, items.slice(cut), batchSize)
          await undoImport(parts, first, { batchSize })
          return linesWithoutIds(parts.store, folded)
        })
        const alone = await withCatalogue(async parts => {
          await importItems(parts, items.slice(cut), batchSize)
          return linesWithoutIds(parts.store, folded)
        })
        assert.deepEqual(both, alone)
      }),
      settings
    )
  })
})

/** How a name is written stays as an import that is gone had it, where that was fuller. */
const folded = (text: string) => text.toLowerCase().replaceAll('.', '')
