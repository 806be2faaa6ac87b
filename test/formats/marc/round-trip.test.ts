import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { readIso2709, writeIso2709 } from '#formats/marc/iso2709.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import type { Reading } from '#formats/marc/reading.ts'
import { forms, type MarcField, type MarcRecord } from '#formats/marc/record.ts'
import { anyCharacter } from '../../support/records/any-character.ts'
import { writeMarc } from '../../support/records/write-marc.ts'
import { howMany, seed } from '../../support/records/chance.ts'
import { all, type Field, inChunks, iso, recordOf } from './marc-files.ts'

/* Random sound records through every form and back, and from each form to the next. */

/** Texts without what no record may hold: controls, halves of characters. */
const aText = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 40 })
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
      { seed, numRuns: howMany({ quick: 50, short: 150, long: 2_000, onPostgres: 150 }) }
    )
  })
})

describe('Made records with the habits of many catalogues', () => {
  for (const [file, count] of [
    ['made-marc21.mrk', 11],
    ['made-unimarc.mrk', 2]
  ] as const)
    it(`come back as the same bytes through every form: ${file}`, async () => {
      const readings = await all(readMarc([readFileSync(new URL(`../../fixtures/marc/${file}`, import.meta.url))]))
      assert.deepEqual(
        readings.flatMap(each => each.defects),
        []
      )
      const bytes = Buffer.concat(
        readings
          .map(recordOf)
          .filter(each => each !== undefined)
          .map(writeIso2709)
      )
      const records = (await all(readMarc([bytes]))).map(recordOf).filter(each => each !== undefined)
      assert.equal(records.length, count)
      for (const record of records) assert.notEqual(describeRecord(record).manifestation.metadata.length, 0)
      for (const form of forms) {
        const written = Buffer.concat(await all(writeMarc(records, form)))
        const again = (await all(readMarc([written], { form }))).map(recordOf).filter(each => each !== undefined)
        assert.deepEqual(again, records, form)
        assert.ok(Buffer.concat(again.map(writeIso2709)).equals(bytes), form)
      }
    })

  it('in MARC-8 come out as their twins in UTF-8', async () => {
    const esc = '\u001b'
    const lines = [
      ['100', '1 ', 'Moli\xe1ere, \xe2Elo\xe8ise,', 'Molière, Éloïse,'],
      ['245', '10', 'Le ph\xe3are, \xb1\xf0cucja \xb3 Vi\xf2\xe3et Nam /', 'Le phâre, łçucja đ Việt Nam /'],
      ['260', '  ', 'S\xebi\xecazy\xe6k ; K\xe8oln ;', 'Si͡azyk̆ ; Köln ;'],
      [
        '500',
        '  ',
        `H${esc}b2${esc}sO costs 5 \xc8, E=mc${esc}p2${esc}s; ${esc}gabc${esc}s`,
        'H₂O costs 5 €, E=mc²; αβγ'
      ],
      ['880', '10', `${esc}(2ylem${esc}(B!`, 'שלום!'],
      ['880', '10', `${esc}(NrOSSIQ${esc}(B /`, 'Россия /'],
      ['880', '10', `${esc}(3GdHGa${esc}(B`, 'الباف'],
      ['880', '10', `${esc}$1!Hw!Q6${esc}(B.`, '潦絢.']
    ] as const
    const file = (place: 2 | 3, encoding: 'latin1' | 'utf8', leader: string) =>
      iso(
        [
          ['001', 'twin'],
          ['008', '970513s1997    be a     b    000 0 mul  '],
          ...lines.map((line): Field => [line[0], Buffer.from(`${line[1]}\u001fa${line[place]}`, encoding)])
        ],
        { leader }
      )
    const [marc8] = await all(readIso2709([file(2, 'latin1', '00000nam  2200000 a 4500')]))
    const [utf8] = await all(readIso2709([file(3, 'utf8', '00000nam a2200000 a 4500')]))
    assert.deepEqual(marc8?.defects, [])
    const text = (reading: Reading | undefined) => JSON.stringify(recordOf(reading)?.fields).normalize('NFC')
    assert.equal(text(marc8), text(utf8))
  })
})
