import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'

import { everything } from '#domain/filter/filter.ts'
import { readItems } from '#imports/read-items.ts'
import { runImport } from '#imports/run-import.ts'
import { type FormatName, formats } from '#protocols/formats/registry.ts'
import { newJob } from '../support/records/import-jobs.ts'
import { start, type TestService } from '../support/services/start.ts'
import { realFolder } from './real-folder.ts'

/* The catalogue of a real file moves by its export in NDJSON. */

const file = join(realFolder(), 'marc21/bibs.mrc')
const [old, moved] = [await start({ after }), await start({ after })]

async function exported({ libretto }: TestService, format: FormatName): Promise<Buffer> {
  const pieces: Buffer[] = []
  const writer = await formats[format].load()
  const request = { filter: everything, types: [] }
  for await (const { bytes } of writer.many({ ...libretto, publicUrl: '' }, libretto.operator, request))
    pieces.push(bytes)
  return Buffer.concat(pieces)
}

const importFrom = async ({ libretto }: TestService, bytes: AsyncIterable<Uint8Array>) =>
  runImport(libretto.parts, newJob(), readItems(bytes, libretto.model, {}))

it('A catalogue that imports the export of another gives the same MARC, and knows its file', async () => {
  await importFrom(old, createReadStream(file))
  const lines = await exported(old, 'ndjson')
  const { counts } = await importFrom(
    moved,
    (async function* () {
      yield lines
    })()
  )
  assert.equal(counts.unreadable, 0)
  assert.ok((await exported(moved, 'marc21')).equals(await exported(old, 'marc21')))
  const again = await importFrom(moved, createReadStream(file))
  assert.deepEqual([again.counts.created, again.counts.updated, again.counts.deleted], [0, 0, 0])
})
