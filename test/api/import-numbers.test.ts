import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { entitiesIn, linesOf, linesWithoutIds } from '../support/records/import-content.ts'
import { deletionFile, marcFile } from '../support/records/marc-files.ts'
import type { Shelf } from '../support/records/marc-lines.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start, type TestService } from '../support/services/start.ts'

/* Records of two libraries that count alike. */

const importFile = (service: TestService, file: Buffer, query = '') => importPayload(service, file, { query })

const shelfOf = (library: string, count = 20): Shelf =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `b${index + 1}`,
      `100 1# $a${library}, Mila\n245 10 $aA ${library} book about ${words[index]} /$cMila ${library}.`
    ])
  )
const words =
  'salt water ferries dunes harbours lighthouses storms herring sails ropes anchors pilots tides maps gulls nets barges locks dikes mills'.split(
    ' '
  )

const countBooks = async (service: TestService) =>
  [...(await entitiesIn(service.libretto.parts.store)).values()].filter(each => each.type === 'manifestation_word')
    .length

const undo = async (service: TestService, id: string) => {
  await service.post(`/imports/${id}/undo`, {})
  await workOn(service, id)
}

describe('a second library with the same record numbers', () => {
  it('replaces nothing: 20 and 20 books are 40, and the import asks for the agency', async t => {
    const service = await start(t)
    await importFile(service, marcFile(shelfOf('Verhoeven')))
    const second = await importFile(service, marcFile(shelfOf('Okafor')))
    assert.equal(await countBooks(service), 40)
    assert.deepEqual([second.counts.created, second.counts.updated], [20, 0])
    assert.equal(second.collisions.count, 20)
    assert.equal(second.collisions.first.length, 10)
    const [first] = second.collisions.first
    assert.equal(first.control_number, 'b1')
    assert.match(first.title, /Okafor/)
    assert.match(first.other_title, /Verhoeven/)
    const { body: remarks } = await service.get(`/imports/${second.id}/remarks?limit=100`)
    assert.equal(remarks.length, 20)
    assert.match(remarks[0].remarks.join(), /agency/)
  })

  it('is found again when its file comes again, and so is the first', async t => {
    const service = await start(t)
    const files = [marcFile(shelfOf('Verhoeven')), marcFile(shelfOf('Okafor'))]
    for (const file of files) await importFile(service, file)
    for (const file of files) {
      const again = await importFile(service, file)
      assert.deepEqual([again.counts.unchanged, again.collisions.count], [20, 0])
    }
    // A corrected title, of the same author: something else must agree, and here nothing does but a
    // letter or two.
    const shelf = shelfOf('Okafor')
    const changed = await importFile(
      service,
      marcFile({ b1: String(shelf.b1).replace('about salt', 'about salts') }, 'iso2709')
    )
    assert.deepEqual([changed.counts.updated, changed.counts.created], [1, 0])
    assert.equal(await countBooks(service), 40)
  })

  it('gives the same catalogue in either order, and leaves no trace when it is undone', async t => {
    const [one, other] = [marcFile(shelfOf('Verhoeven', 5)), marcFile(shelfOf('Okafor', 5))]
    const service = await start(t)
    await importFile(service, one)
    const before = await linesOf(service.libretto.parts.store)
    const second = await importFile(service, other)
    const both = await linesWithoutIds(service.libretto.parts.store)
    await undo(service, second.id)
    assert.deepEqual(await linesOf(service.libretto.parts.store), before)

    const reversed = await start(t)
    await importFile(reversed, other)
    await importFile(reversed, one)
    assert.deepEqual(await linesWithoutIds(reversed.libretto.parts.store), both)
  })

  it('is told apart by its agency, without any question', async t => {
    const service = await start(t)
    await importFile(service, marcFile(shelfOf('Verhoeven')), '?agency=A')
    const second = await importFile(service, marcFile(shelfOf('Okafor')), '?agency=B')
    assert.deepEqual([second.counts.created, second.collisions.count], [20, 0])
    assert.equal(await countBooks(service), 40)
  })

  it('deletes nothing by a number that two records have', async t => {
    const service = await start(t)
    for (const library of ['Verhoeven', 'Okafor']) await importFile(service, marcFile(shelfOf(library, 2)))
    const done = await importFile(service, deletionFile('b1'))
    assert.equal(done.counts.deleted, 0)
    const { body: remarks } = await service.get(`/imports/${done.id}/remarks`)
    assert.match(remarks[0].remarks.join(), /several records have this number/)
    assert.equal(await countBooks(service), 4)
  })
})

describe('a record that comes again under a number without agency', () => {
  it('is the same with another title where a standard number says so', async t => {
    const service = await start(t)
    const lines = (title: string) => `020 ## $a9789025701017\n100 1# $aVerhoeven, Mila\n245 10 $a${title}`
    await importFile(service, marcFile({ b1: lines('The salt road') }))
    const again = await importFile(service, marcFile({ b1: lines('A wholly new title') }))
    assert.deepEqual([again.counts.updated, again.counts.created, again.collisions.count], [1, 0, 0])
  })

  it('is another with the same title by somebody else', async t => {
    const service = await start(t)
    await importFile(service, marcFile({ b1: '100 1# $aVerhoeven, Mila\n245 10 $aPoems' }))
    const other = await importFile(service, marcFile({ b1: '100 1# $aOkafor, Ben\n245 10 $aPoems' }))
    assert.deepEqual([other.counts.created, other.collisions.count], [1, 1])
    assert.equal((await service.get('/entities/b1/origin')).body.record, 'b1')
  })
})

describe('names in records', () => {
  const one: Shelf = {
    n1: '100 1# $aMüller, Anna\n245 10 $aThe salt road.\n650 #0 $aPêche',
    n2: '100 1# $aMuller, Anna\n245 10 $aThe silver road.\n650 #0 $aPéché',
    n3: '100 1# $aMüller, Anna,$d1911-\n245 10 $aThe salt road.\n650 #0 $a\u200ePêche'
  }
  const other: Shelf = {
    n4: '100 1# $aMuller, Anna,$d1911-\n245 10 $aThe iron road.\n650 #0 $aPeche',
    n5: '100 1# $aMuller, Anna\n245 10 $aThe silver road.\n650 #0 $a-- PÉCHÉ'
  }
  const namesOf = async (service: TestService, type: string) =>
    [...(await entitiesIn(service.libretto.parts.store)).values()]
      .filter(each => each.type === type)
      .map(({ metadata }) => metadata.map(({ key, value }) => `${key} ${value}`).join(', '))
      .sort()

  it('keep their letters: three subjects, and two persons unless a year or a work joins them', async t => {
    const service = await start(t)
    await importFile(service, marcFile(one))
    const before = await linesOf(service.libretto.parts.store)
    const second = await importFile(service, marcFile(other))
    assert.deepEqual(await namesOf(service, 'subject'), ['name Peche', 'name Péché', 'name Pêche'])
    assert.deepEqual(await namesOf(service, 'person'), [
      'name Muller, Anna',
      'name Müller, Anna, non_preferred_name Muller, Anna, life_dates 1911-'
    ])
    const both = await linesWithoutIds(service.libretto.parts.store)
    await undo(service, second.id)
    assert.deepEqual(await linesOf(service.libretto.parts.store), before)

    const reversed = await start(t)
    await importFile(reversed, marcFile(other))
    await importFile(reversed, marcFile(one))
    assert.deepEqual(await linesWithoutIds(reversed.libretto.parts.store), both)
  })
})
