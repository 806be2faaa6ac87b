import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { importFile } from '#imports/import-file.ts'
import { openImportParts } from '#imports/open-parts.ts'
import { findJob } from '#imports/state/import-state.ts'
import { undoImport } from '#imports/undo-import.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newTestDatabase } from '../support/databases/database.ts'
import { aPerson, aWork, relations } from '../support/records/entities.ts'
import { linesOf } from '../support/records/import-content.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start, temporaryFolder, type TestService } from '../support/services/start.ts'

/* Entities as NDJSON: one implementation, by command and over HTTP. */

const send = (service: TestService, lines: readonly unknown[], query = '') =>
  importPayload(service, lines.map(each => `${JSON.stringify(each)}\n`).join(''), {
    query,
    type: 'application/x-ndjson'
  })

const cycle = [
  aWork('Hamlet', { id: 'W-1', relations: relations({ refRelatedWorks: 'W-2' }) }),
  aWork('Rosencrantz', { id: 'W-2', relations: relations({ refRelatedWorks: 'W-3' }) }),
  aWork('Fortinbras', { id: 'W-3', relations: relations({ refRelatedWorks: 'W-1' }) })
]
const lost = aWork('Lost', { id: 'W-9', relations: relations({ refAuthors: 'PERS-nowhere' }) })

describe('entities as NDJSON over HTTP', () => {
  it('may refer to each other in a cycle, and are undone', async t => {
    const service = await start(t)
    const before = await linesOf(service.libretto.store)
    const done = await send(service, [...cycle, lost])
    assert.deepEqual([done.counts.created, done.counts.unreadable], [3, 1])
    for (const { id } of cycle as { id: string }[]) assert.equal((await service.get(`/entities/${id}`)).status, 200, id)
    const { body: remarks } = await service.get(`/imports/${done.id}/remarks`)
    assert.deepEqual(
      remarks.map((each: { number: number }) => each.number),
      [4]
    )
    assert.match(remarks[0].remarks.join(), /PERS-nowhere/)
    await service.post(`/imports/${done.id}/undo`, undefined)
    await workOn(service, done.id)
    assert.deepEqual(await linesOf(service.libretto.store), before)
  })

  it('may refer to nothing where that is asked for', async t => {
    const service = await start(t)
    const done = await send(service, [lost], '?allow_dangling=1')
    assert.deepEqual([done.counts.created, done.counts.unreadable], [1, 0])
  })

  it('are counted in a preview as they would be, cycles included, and not written', async t => {
    const service = await start(t)
    const done = await send(service, [...cycle, lost], '?preview=1')
    assert.deepEqual([done.counts.created, done.counts.unreadable], [3, 1])
    assert.equal((await service.get('/entities/W-1')).status, 404)
  })
})

describe('entities as NDJSON by command', () => {
  it('are a job that can be undone', async t => {
    const { url, drop } = await newTestDatabase()
    t.after(drop)
    const file = join(temporaryFolder(t), 'in.ndjson')
    writeFileSync(file, [...cycle, aPerson('A', { id: 'PERS-1' })].map(each => `${JSON.stringify(each)}\n`).join(''))
    await using opened = await openImportParts(url, createModel(builtInRecordTypes), { eventSource: '' })
    const { parts } = opened
    const { job } = await importFile(parts, { file, options: { format: 'ndjson' }, isPreview: false }, () => {})
    assert.deepEqual([job.state, job.counts.created], ['done', 4])
    assert.equal((await findJob(parts.store, job.id))?.state, 'done')
    await undoImport(parts, job)
    assert.deepEqual(await linesOf(parts.store), [])
  })
})
