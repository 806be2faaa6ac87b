import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { readMarc } from '#formats/marc/read-marc.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { all, recordOf } from '../formats/marc/marc-files.ts'
import { needDebian, runTool } from '../support/machines/debian.ts'
import { start, type Teardown, temporaryFolder } from '../support/services/start.ts'

/* Our exports, read by programs that libraries have used for twenty years. */

async function exportSample(t: Teardown) {
  const service = await start(t)
  await loadSample(service.libretto)
  const folder = temporaryFolder(t)
  const files = { marc21: join(folder, 'sample.mrc'), marcxml: join(folder, 'sample.xml') }
  for (const [format, file] of Object.entries(files))
    writeFileSync(file, (await service.get(`/export?format=${format}`)).text)
  return {
    files,
    ours: (await all(readMarc([Buffer.from((await service.get('/export?format=marc21')).text)]))).map(recordOf)
  }
}

describe('An exported file', () => {
  it('is read by yaz-marcdump as it was written, in ISO 2709 and in MARCXML', async t => {
    if (!needDebian(t, ['yaz'])) return
    const { files, ours } = await exportSample(t)
    assert.ok(ours.length > 50)
    for (const [form, file] of [
      ['marc', files.marc21],
      ['marcxml', files.marcxml]
    ] as const) {
      const text = await runTool('yaz-marcdump', ['-i', form, '-o', 'marcxml', '-t', 'utf-8', '-f', 'utf-8', file])
      const theirs = (await all(readMarc([Buffer.from(text)]))).map(recordOf)
      assert.deepEqual(
        theirs.map(each => each?.fields),
        ours.map(each => each?.fields),
        form
      )
    }
  })

  it('holds records in which MARC::Lint finds nothing wrong', async t => {
    if (!needDebian(t, ['libmarc-lint-perl', 'libmarc-record-perl'])) return
    const { files, ours } = await exportSample(t)
    const program = `use MARC::Batch; use MARC::Lint; my $lint = MARC::Lint->new; my $count = 0;
      my $batch = MARC::Batch->new('USMARC', $ARGV[0]);
      while (my $record = $batch->next) { $count++; $lint->check_record($record); print $record->field('001')->data, ": $_\\n" for $lint->warnings }
      print "$count\\n"`
    const said = (await runTool('perl', ['-e', program, files.marc21])).trim().split('\n')
    assert.equal(said.pop(), String(ours.length))
    // It knows which publishers have which numbers, and those of the sample are made up; and it
    // knows no Dutch.
    assert.deepEqual(
      said.filter(each => !/has bad checksum|First word, (?:de|het|een), does not appear/.test(each)),
      []
    )
  })
})
