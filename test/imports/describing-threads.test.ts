import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import fc from 'fast-check'

import type { Parts } from '#catalogue/parts.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { openImportParts } from '#imports/open-parts.ts'
import { readItems, type ReadingOptions } from '#imports/read-items.ts'
import { runImport } from '#imports/run-import.ts'
import { findJob, listRemarks } from '#imports/state/import-state.ts'
import { undoImport } from '#imports/undo-import.ts'
import { newTestDatabase } from '../support/databases/database.ts'
import { createChance } from '../support/records/chance.ts'
import { linesOf } from '../support/records/import-content.ts'
import { newJob } from '../support/records/import-jobs.ts'
import { deletionFile, marcFile } from '../support/records/marc-files.ts'
import { recordLines } from '../support/records/random-shelves.ts'

/* Records that are described in several threads, beside those that one thread describes. */

const seed = 2026
const model = createModel(builtInRecordTypes)
const holdings = 'LDR/06 x\n852 ## $bGent$hA 1'

/**
 * Records of every kind, in more parts than threads: holdings after the record that they belong to,
 * deletions, authority records, bytes that belong to no record, and a record that is cut off.
 */
const file = Buffer.concat([
  ...fc.sample(recordLines, { seed, numRuns: 260 }).map((lines, at) => {
    const name = `n${at}`
    if (at % 40 === 7) return Buffer.concat([marcFile({ [name]: lines }), marcFile({ [`h${at}`]: holdings })])
    if (at % 90 === 13) return deletionFile(`n${at - 5}`)
    if (at % 110 === 17) return Buffer.concat([Buffer.from('no record\x1d'), marcFile({ [name]: lines })])
    if (at % 130 === 19) return marcFile({ [name]: 'LDR/06 z\n100 1# $aVerhoeven, Mila,$d1911-1984' })
    return marcFile({ [name]: lines })
  }),
  marcFile({ last: '245 10 $aCut off' }).subarray(0, -20)
])

/** The file in pieces of random lengths; fails before a piece if asked to. */
async function* inPieces(failsAt = Number.POSITIVE_INFINITY, onPiece = () => {}) {
  const chance = createChance(seed)
  for (let at = 0; at < file.length; ) {
    const length = 1 + chance.below(30_000)
    if (at > failsAt) throw new Error('The file cannot be read any further')
    onPiece()
    yield file.subarray(at, at + length)
    at += length
  }
}

const divided = (threads: number, more: Partial<ReadingOptions> = {}): ReadingOptions => ({
  threads,
  minDividedBytes: 1,
  ...more
})

const read = (options: ReadingOptions, pieces = inPieces()) => readItems(pieces, model, {}, options)

/** A catalogue in which the same import creates the same ids. */
async function withCatalogue<T>(work: (parts: Parts) => Promise<T>): Promise<T> {
  const { url, drop } = await newTestDatabase()
  const chance = createChance(seed)
  let uuids = 0
  try {
    await using opened = await openImportParts(url, model, { eventSource: '' })
    return await work({
      ...opened.parts,
      randomBelow: bound => chance.below(bound),
      newUuid: () => `0199f0f0-0000-7000-8000-${String(uuids++).padStart(12, '0')}`
    })
  } finally {
    await drop()
  }
}

/** Everything that an import leaves, but its times and its id. */
async function outcomeOf(parts: Parts, options: ReadingOptions) {
  const { id, counts, entities, remarks, handled, bytes } = await runImport(parts, newJob(), read(options))
  const listed = await listRemarks(parts.store, id, 10_000)
  return { id, shown: { counts, entities, remarks, handled, bytes, listed, lines: await linesOf(parts.store) } }
}

describe('Describing in threads', () => {
  it('gives the same items in the same order as one thread, with any number of threads', async () => {
    const plain = async (threads: number) => JSON.stringify(await Array.fromAsync(read(divided(threads))))
    const alone = await plain(0)
    const outcomes = new Set((JSON.parse(alone) as { outcome: string }[]).map(each => each.outcome))
    assert.deepEqual([...outcomes].sort(), ['authority', 'deletion', 'holdings', 'record', 'unreadable'])
    for (const threads of [1, 3]) assert.equal(normal(await plain(threads)), normal(alone), `${threads} threads`)
  })

  it('gives the same catalogue, counts and remarks, and an undo that leaves nothing', async () => {
    const [alone, inThree] = await Promise.all(
      [0, 3].map(threads =>
        withCatalogue(async parts => {
          const { id, shown } = await outcomeOf(parts, divided(threads))
          const job = newJob({ id, state: 'undoing' })
          await undoImport(parts, { ...job, undoNotes: 1 }, {})
          return { shown, left: await linesOf(parts.store) }
        })
      )
    )
    assert.ok((alone?.shown.lines.length ?? 0) > 400)
    assert.deepEqual(inThree, alone)
    assert.deepEqual(alone?.left, [])
  })

  it('fails as the file does, and imports all of it when it is resumed', () =>
    withCatalogue(async parts => {
      const job = newJob()
      const failing = readItems(inPieces(file.length / 2), model, {}, divided(3))
      await assert.rejects(runImport(parts, job, failing, { batchSize: 20 }), /cannot be read any further/)
      const { counts, handled } = await runImport(parts, (await findJob(parts.store, job.id)) ?? job, read(divided(3)))
      assert.ok(counts.created > 200)
      assert.equal(handled, (await Array.fromAsync(read(divided(0)))).length)
    }))

  it('ends all threads when the import stops, and reads only a little ahead of it', async () => {
    let pieces = 0
    const times = 60
    async function* manyTimes() {
      for (let time = 0; time < times; time++) yield* inPieces(undefined, () => pieces++)
    }
    const items = read(divided(2), manyTimes())
    const portCount = () => process.getActiveResourcesInfo().filter(each => each === 'MessagePort').length
    const before = portCount()
    await items.next()
    // The threads read as far ahead as they may, on a busy machine slowly.
    let seen = 0
    for (let looks = 0; seen !== pieces && looks < 60; looks++) {
      seen = pieces
      await delay(500)
    }
    const all = times * (await Array.fromAsync(inPieces())).length
    assert.ok(pieces < all / 2, `${pieces} of ${all} pieces were read ahead`)
    await items.return()
    for (let looks = 0; portCount() !== before && looks < 100; looks++) await delay(50)
    assert.equal(portCount(), before)
  })

  it('fails when a thread hangs in a record, and when one ends by itself', async () => {
    const program = (name: string) => new URL(`./fixtures/${name}-import-worker.ts`, import.meta.url)
    await assert.rejects(
      Array.fromAsync(read(divided(2, { program: program('spinning'), maxSilentWork: 200 }))),
      /during 0.2 seconds of work on the same records/
    )
    await assert.rejects(Array.fromAsync(read(divided(2, { program: program('ending') }))), /ended with/)
  })
})

/** Bytes are written in another way by the thread that has them. */
const normal = (text: string) =>
  JSON.stringify(
    (JSON.parse(text) as { source?: { data?: number[]; type?: string } }[]).map(({ source, ...rest }) => ({
      ...rest,
      source: source && Buffer.from(Object.values(source.data ?? source) as number[]).toString('base64')
    }))
  )
