import assert from 'node:assert/strict'
import { createReadStream, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { composeRecord } from '#formats/marc/compose-record.ts'
import { readIso2709, writeIso2709 } from '#formats/marc/iso2709.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { forms, type MarcRecord } from '#formats/marc/record.ts'
import { writeMarc } from '../support/records/write-marc.ts'
import { all, recordOf } from '../formats/marc/marc-files.ts'
import { publicationFrom } from '../support/records/publications.ts'
import { difference, descriptionLines, withMediaOfCarriers } from '../support/oracles/description-lines.ts'
import { realFolder } from './real-folder.ts'

const folder = realFolder()

describe('Real MARC files', () => {
  it('are all read, and every sound record in UTF-8 comes back as the same bytes, through every form', async () => {
    const files = globSync('{marc21,frbr,unimarc,marc8}/*.mrc', { cwd: folder })
    assert.ok(files.length > 5)
    let count = 0
    const sound: { readonly record: MarcRecord; readonly source: Uint8Array }[] = []
    for (const file of files) {
      for await (const reading of readMarc(createReadStream(join(folder, file)))) {
        assert.notEqual(reading.outcome, 'unreadable', `${file} ${reading.position.number}`)
        count++
        const record = recordOf(reading)
        if (record === undefined) continue
        describeRecord(record)
        if (
          reading.outcome === 'record' &&
          reading.defects.length === 0 &&
          ['utf-8', 'ascii'].includes(reading.encoding)
        )
          sound.push({ record, source: reading.source })
      }
    }
    assert.ok(count > 8_000 && sound.length > 7_000, `${count} read, ${sound.length} sound`)
    for (const form of forms) {
      const written = writeMarc(
        sound.map(each => each.record),
        form
      )
      let index = 0
      for await (const reading of readMarc(written, { form })) {
        const record = recordOf(reading)
        assert.ok(record)
        assert.ok(writeIso2709(record).equals(sound[index++]?.source ?? Buffer.alloc(0)), `${form} ${index}`)
      }
      assert.equal(index, sound.length)
    }
  })

  it('in MARC-8 come out as their twins in UTF-8', async () => {
    for (const file of globSync('marc8/*.marc8.mrc', { cwd: folder })) {
      const [ours, theirs] = await Promise.all(
        [file, file.replace('.marc8.', '.utf8.')].map(each => all(readIso2709(createReadStream(join(folder, each)))))
      )
      assert.ok(ours && theirs && ours.length === theirs.length && ours.length > 0)
      const text = (reading: (typeof ours)[number] | undefined) =>
        JSON.stringify(reading === undefined ? undefined : recordOf(reading)?.fields).normalize('NFC')
      for (const [index, reading] of ours.entries())
        assert.equal(text(reading), text(theirs[index]), `${file} ${index + 1}`)
    }
  })

  it('that are broken give as many records as their list says', async () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'malformed/MANIFEST.json'), 'utf8')) as Record<
      string,
      { readonly good_records?: number; readonly bad_records?: number }
    >
    for (const [file, { good_records, bad_records }] of Object.entries(manifest)) {
      const readings = await all(readMarc(createReadStream(join(folder, 'malformed', file))))
      if (good_records === undefined || bad_records === undefined) continue
      // A record that the list calls bad may be read with a defect, or without one (no title, a
      // deletion).
      assert.equal(readings.length, good_records + bad_records, file)
      assert.ok(
        readings.filter(each => each.outcome === 'record' && each.defects.length === 0).length >= good_records,
        file
      )
    }
  })

  it('are composed so that at least 98 in a hundred records are described as before', async () => {
    let count = 0
    let same = 0
    for (const file of ['marc21/bibs.mrc', 'frbr/Ballard.mrc', 'frbr/Christie.mrc']) {
      for await (const reading of readMarc(createReadStream(join(folder, file)))) {
        const record = recordOf(reading)
        if (record === undefined) continue
        const before = describeRecord(record, 'marc21')
        if (before.problems.some(each => each.kind === 'no_title')) continue
        const after = describeRecord(composeRecord(publicationFrom(before)).record)
        const { lost, added } = difference(withMediaOfCarriers(descriptionLines(before)), descriptionLines(after))
        count++
        if (lost.length === 0 && added.length === 0) same++
      }
    }
    assert.ok(count > 1000, `${count} records`)
    assert.ok(same / count >= 0.98, `${same} of ${count} records are the same`)
  })
})
