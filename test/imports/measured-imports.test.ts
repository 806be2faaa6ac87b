import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { jobWrites } from '#imports/state/import-state.ts'
import { createImportMeasurement } from '../../src/cli/measure-imports.ts'
import { newJob } from '../support/records/import-jobs.ts'
import { start } from '../support/services/start.ts'

describe('The metrics of imports', () => {
  it('count any number of them, a few at a time, and not again for every scrape', async t => {
    const { libretto } = await start(t)
    const { store, imports } = libretto
    const [startedAt, endedAt] = [new Date().toISOString(), new Date().toISOString()]
    const jobs = [
      ...Array.from({ length: 500 }, () =>
        newJob({ state: 'done', startedAt, endedAt, handled: 7, bytes: 9, size: 9 })
      ),
      // Of a command, so that the service leaves it alone.
      newJob({ state: 'running', origin: '/a/file', startedAt, handled: 5, bytes: 20, size: 100 })
    ]
    await store.write({ writes: [], by: 'test', state: jobs.flatMap(jobWrites) })

    let [reads, most] = [0, 0]
    const measure = createImportMeasurement({
      ...imports,
      async list(limit, after) {
        const page = await imports.list(limit, after)
        reads++
        most = Math.max(most, page.length)
        return page
      }
    })
    const families = await measure()
    const valuesOf = (name: string) => families.find(each => each.name === name)?.samples
    assert.deepEqual(valuesOf('libretto_imports'), [
      { labels: { state: 'done' }, value: 500 },
      { labels: { state: 'running' }, value: 1 }
    ])
    assert.deepEqual(valuesOf('libretto_import_handled_records'), [{ value: 5 }])
    assert.deepEqual(valuesOf('libretto_import_handled_bytes'), [{ value: 20 }])
    assert.deepEqual(valuesOf('libretto_import_total_bytes'), [{ value: 100 }])
    const readsOfOne = reads
    assert.ok(readsOfOne > 1 && most <= 200, `${readsOfOne} reads of up to ${most}`)
    await measure()
    assert.equal(reads, readsOfOne)
  })
})
