import assert from 'node:assert/strict'
import { createReadStream, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { readIso2709, writeIso2709 } from '#formats/marc/iso2709.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { forms, type MarcField, type MarcRecord } from '#formats/marc/record.ts'
import { writeMarc } from '#formats/marc/write-marc.ts'
import { isLong, seed } from '../../support/chance.ts'
import { all, inChunks, recordOf } from './marc-files.ts'

/* Random sound records through every form and back, and from each form to the next. */

/** Texts without what no record may hold: controls, halves of characters. */
const aText = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
  .map(text => text.toWellFormed().replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ufffd-\uffff]/g, '') || 'x')
const aLetter = fc.constantFrom(...'abcdefgxyz0123456789')
const aDataField: fc.Arbitrary<MarcField> = fc.record(
  {
    tag: fc.integer({ min: 10, max: 999 }).map(tag => String(tag).padStart(3, '0')),
    indicators: fc
      .tuple(fc.constantFrom(...' 0123456789'), fc.constantFrom(...' 0123456789'))
      .map(each => each.join('')),
    subfields: fc.array(fc.record({ code: aLetter, value: aText }, { noNullPrototype: true }), {
      minLength: 1,
      maxLength: 5
    })
  },
  { noNullPrototype: true }
)
const aControlField: fc.Arbitrary<MarcField> = fc.record(
  {
    tag: fc.constantFrom('003', '005', '006', '007', '008'),
    value: aText.filter(text => !text.includes('\\'))
  },
  { noNullPrototype: true }
)
const aRecord: fc.Arbitrary<MarcRecord> = fc
  .tuple(
    fc.uuid(),
    fc.array(aControlField, { maxLength: 3 }),
    fc.array(aDataField, { maxLength: 12 }),
    fc.constantFrom('nam', 'cas', 'njm', 'cem')
  )
  .map(([number, controls, data, kind]) => ({
    leader: `00000${kind} a2200000 a 4500`,
    fields: [
      { tag: '001', value: number },
      ...controls,
      ...data,
      { tag: '245', indicators: '10', subfields: [{ code: 'a', value: 'Été' }] }
    ]
  }))

describe('A sound record', () => {
  it('comes back the same from every form, and as the same bytes of ISO 2709 through each', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRecord, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 200 }),
        async (given, size) => {
          // ISO 2709 fills in the lengths of the leader; from there on nothing may change.
          const bytes = Buffer.concat(given.map(writeIso2709))
          const records = (await all(readMarc(inChunks(bytes, size)))).map(reading => {
            assert.deepEqual(reading.defects, [])
            return recordOf(reading)
          })
          const sound = records.filter(each => each !== undefined)
          assert.deepEqual(
            sound.map(each => each.fields),
            given.map(each => each.fields)
          )
          for (const form of forms) {
            const written = Buffer.concat(await all(writeMarc(sound, form)))
            const readings = await all(readMarc(inChunks(written, size), { form }))
            assert.deepEqual(
              readings.flatMap(each => each.defects),
              []
            )
            const again = readings.map(recordOf).filter(each => each !== undefined)
            assert.deepEqual(again, sound, form)
            assert.deepEqual(Buffer.concat(again.map(writeIso2709)), bytes, form)
            // The source of each reading is the stretch of the file that its position names.
            for (const { position, source } of readings)
              assert.deepEqual(
                Buffer.from(source),
                written.subarray(position.offset, position.offset + position.length),
                form
              )
          }
        }
      ),
      { seed, numRuns: isLong ? 2_000 : 150 }
    )
  })
})

// Real records cannot be part of the repository; where they lie beside it, they are read too.
const shared = join(import.meta.dirname, '../../../../shared/data')
if (existsSync(shared)) {
  describe('The real files beside the repository', () => {
    it('are all read, and every sound record in UTF-8 comes back as the same bytes, through every form', async () => {
      const files = globSync('{marc21,frbr,unimarc,marc8}/*.mrc', { cwd: shared })
      assert.ok(files.length > 5)
      let count = 0
      const sound: { readonly record: MarcRecord; readonly source: Uint8Array }[] = []
      for (const file of files) {
        for await (const reading of readMarc(createReadStream(join(shared, file)))) {
          assert.notEqual(reading.outcome, 'unreadable', `${file} ${reading.position.number}`)
          count++
          const record = recordOf(reading)
          // All of them take half a minute; the short tier takes every fifth through the other forms.
          if (record === undefined || (!isLong && count % 5 !== 0)) continue
          describeRecord(record)
          if (
            reading.outcome === 'record' &&
            reading.defects.length === 0 &&
            ['utf-8', 'ascii'].includes(reading.encoding)
          )
            sound.push({ record, source: reading.source })
        }
      }
      assert.ok(count > 8_000 && sound.length > (isLong ? 7_000 : 1_400), `${count} read, ${sound.length} sound`)
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
      for (const file of globSync('marc8/*.marc8.mrc', { cwd: shared })) {
        const [ours, theirs] = await Promise.all(
          [file, file.replace('.marc8.', '.utf8.')].map(each => all(readIso2709(createReadStream(join(shared, each)))))
        )
        assert.ok(ours && theirs && ours.length === theirs.length && ours.length > 0)
        const text = (reading: (typeof ours)[number] | undefined) =>
          JSON.stringify(reading === undefined ? undefined : recordOf(reading)?.fields).normalize('NFC')
        for (const [index, reading] of ours.entries())
          assert.equal(text(reading), text(theirs[index]), `${file} ${index + 1}`)
      }
    })

    it('that are broken give as many records as their list says', async () => {
      const manifest = JSON.parse(readFileSync(join(shared, 'malformed/MANIFEST.json'), 'utf8')) as Record<
        string,
        { readonly good_records?: number; readonly bad_records?: number }
      >
      for (const [file, { good_records, bad_records }] of Object.entries(manifest)) {
        const readings = await all(readMarc(createReadStream(join(shared, 'malformed', file))))
        if (good_records === undefined || bad_records === undefined) continue
        // What it calls bad may be read with a defect, or be of no matter to a reader (no title, a deletion).
        assert.equal(readings.length, good_records + bad_records, file)
        assert.ok(
          readings.filter(each => each.outcome === 'record' && each.defects.length === 0).length >= good_records,
          file
        )
      }
    })
  })
}
