import assert from 'node:assert/strict'
import { createReadStream, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'

import { clusterRecords } from '../support/records/cluster-records.ts'
import type { RecordEvidence } from '#domain/clustering/evidence.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarcEvidence } from '#formats/marc/mapping/evidence.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { controlNumberOf, dialects } from '#formats/marc/record.ts'
import { realFolder } from './real-folder.ts'

const folder = join(realFolder(), 'frbr/t42')

describe('The files of T42', () => {
  const translations = ['1 2', '21 22', '3 4', '5 6']

  async function readFile(file: string, side: string): Promise<RecordEvidence[]> {
    const records: RecordEvidence[] = []
    for await (const reading of readMarc(createReadStream(file)))
      if (reading.outcome === 'record') {
        const number = controlNumberOf(reading.record) ?? `${basename(file)} ${records.length}`
        records.push(readMarcEvidence(reading.record, describeRecord(reading.record), `${side}${number}`))
      }
    return records
  }

  for (const dialect of dialects)
    it(`give translations to their originals, and nothing else, in ${dialect}`, async () => {
      const core = await readFile(join(folder, `1_Core/1.0/core-basic-${dialect}.xml`), 'core ')
      // 3.6 has no titles of originals; in 3.2 the records have no numbers to know them by.
      const files = globSync(join(folder, `3_Derivation/3.*/*-${dialect}.xml`)).filter(
        each => !/\/3\.[26]\//.test(each)
      )
      assert.ok(files.length > 4)
      for (const file of files) {
        const { works } = clusterRecords([...core, ...(await readFile(file, 'derived '))])
        const joined = works
          .filter(each => each.members.length > 1)
          .map(each => [...new Set(each.members.map(({ record }) => record.replace(/^\w+ /, '')))].join(' '))
        // 18, 25 and 30 are in both files.
        assert.deepEqual(joined.filter(each => !['18', '25', '30'].includes(each)).sort(), translations, file)
      }
    })
})
