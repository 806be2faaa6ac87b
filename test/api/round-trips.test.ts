import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { MarcRecord } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { howMany, partsOf, repeatable } from '../support/records/chance.ts'
import { authorityRecords } from '../support/records/table-authorities.ts'
import { recordsForEveryRow } from '../support/records/table-records.ts'
import { importPayload } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'
import { editAuthorities } from '../support/oracles/authority-round-trips.ts'
import { editHeld, heldRecords } from '../support/oracles/holdings-round-trips.ts'
import { editAndCompare } from '../support/oracles/round-trips.ts'

/*
 * Generated records with a field for every row of the mapping tables go in. One field is edited in
 * the model and one in the source record, in both orders. The records come out in every way, and
 * only those fields differ.
 */

const fileOf = (records: readonly MarcRecord[]) => {
  const { head, tail, write } = writers.iso2709
  return Buffer.concat([head, ...records.map(write), tail].map(each => Buffer.from(each as string)))
}

/** Cases in one test of the long tier: with more, each way out takes longer for each of them. */
const inOneTest = 250

for (const { says, count, chance: newChance } of partsOf(
  howMany({ quick: 8, short: 45, long: 2000, onPostgres: 40 }),
  inOneTest
))
  describe(`MARC 21 records with a field for every row of the table${says}`, () => {
    it('differ by the edited fields only, at every way out', async () => {
      await repeatable(async cleanUp => {
        const service = await start({ after: cleanUp })
        const chance = newChance()
        const made = recordsForEveryRow('marc21', count, chance)
        const done = await importPayload(service, fileOf(made.map(each => each.record)))
        assert.equal(done.counts.created, made.length)
        const sources = new Map(made.map(({ number, record }) => [number, record]))
        assert.ok((await editAndCompare(service, { chance, sources })) > 1.9 * made.length)
      })
    })
  })

for (const { says, count, chance: newChance } of partsOf(
  howMany({ quick: 5, short: 25, long: 1000, onPostgres: 10 }),
  inOneTest
))
  describe(`Records of UNIMARC${says}`, () => {
    it('differ by the edited fields only, written as MARC 21', async () => {
      await repeatable(async cleanUp => {
        const service = await start({ after: cleanUp })
        const chance = newChance()
        const made = recordsForEveryRow('unimarc', count, chance)
        const done = await importPayload(service, fileOf(made.map(each => each.record)))
        assert.equal(done.counts.created, made.length)
        const unimarc = new Map<string, MarcRecord>()
        // Written as MARC 21, a record has the id of its publication as its number.
        for (const { number, record } of made)
          unimarc.set((await service.get(`/entities/${encodeURIComponent(`(XX)${number}`)}`)).body.id, record)
        assert.ok((await editAndCompare(service, { chance, unimarc })) > 1.9 * made.length)
      })
    })
  })

for (const { says, count, chance: newChance } of partsOf(
  howMany({ quick: 3, short: 5, long: 500, onPostgres: 5 }),
  inOneTest
))
  describe(`Records of PICA${says}`, () => {
    it('differ by the edited fields only, written as MARC 21', async () => {
      await repeatable(async cleanUp => {
        const service = await start({ after: cleanUp })
        const file = Array.from({ length: count }, (_, place) => pica(place)).join('\n')
        const done = await importPayload(service, file, { query: '?format=pica', type: 'text/plain' })
        assert.equal(done.counts.created, count)
        // PICA is not edited itself: each record is edited once, in the model.
        assert.ok((await editAndCompare(service, { chance: newChance() })) > 0.9 * count)
      })
    })
  })

for (const { says, count, chance: newChance } of partsOf(
  howMany({ quick: 11, short: 33, long: 1000, onPostgres: 22 }),
  inOneTest
))
  describe(`Authority records with a field for every row of the tables${says}`, () => {
    it('differ by the edited fields only, at every way out', async () => {
      await repeatable(async cleanUp => {
        const service = await start({ after: cleanUp })
        const chance = newChance()
        const made = authorityRecords(count, chance)
        const done = await importPayload(service, fileOf(made.map(each => each.record)))
        assert.equal(done.counts.created, made.length)
        const sources = new Map(made.map(({ number, record }) => [number, record]))
        assert.ok((await editAuthorities(service, sources, chance)) > 1.9 * made.length)
      })
    })
  })

for (const { says, count, chance: newChance } of partsOf(
  howMany({ quick: 8, short: 48, long: 2000, onPostgres: 16 }),
  inOneTest
))
  describe(`Items of publications, in their own records and in holdings records${says}`, () => {
    it('differ by the edited fields only, at every way out', async () => {
      await repeatable(async cleanUp => {
        const service = await start({ after: cleanUp })
        const chance = newChance()
        const { publications, records } = heldRecords(count, chance)
        const done = await importPayload(service, fileOf(records))
        assert.equal(done.counts.created, records.length)
        assert.ok((await editHeld(service, publications, chance)) > 1.9 * count)
      })
    })
  })

const pica = (place: number) => `002@ $0Aau
003@ $012345678${place}
004A $A9789025701017$fkart.
010@ $ager$ceng
011@ $a1955
021A $aDie @Salzstraße ${place}$dein Roman$hMila Verhoeven ; übersetzt von Eva Lind
022A $aThe @salt road ${place}
028A $aVerhoeven$dMila ${place}$h1911-1984
028C $8Lind, Eva *1920-1999* [Tp1]$BÜbersetzerIn$4trl
032@ $a2. Aufl.
033A $pGent$nDe Kade
034D $a211 S.
034I $a20 cm
036E $aDe @blauwe reeks$l12
037A $aPrice
044K $8Salz [Ts1]
045Q/01 $a18.10
209A/01 $aA 12$fMag
209G/01 $a84$$${place}
`
