import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { writeIso2709 } from '#formats/marc/iso2709.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { forms, type MarcField, type MarcRecord } from '#formats/marc/record.ts'
import { writeMarc } from '#formats/marc/write-marc.ts'
import { isLong, seed } from '../../support/generators.ts'
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
