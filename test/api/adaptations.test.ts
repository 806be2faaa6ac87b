import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { marcFile } from '../support/records/marc-files.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'

/* Films, plays, comics and other works that are made after a work of somebody else. */

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org', ANONYMOUS_ACCESS: 'read' })

const shelf = {
  novel: '008/33 1\n100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe salt road /$cMila Verhoeven\n264 #1 $c1951',
  reprint: '008/33 1\n100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe salt road /$cMila Verhoeven\n264 #1 $c1960',
  translation:
    '008/35-37 dut\n041 1# $adut$heng\n100 1# $aVerhoeven, Mila,$d1911-1984\n240 14 $aThe hill of tides.$lDutch\n245 10 $aDe getijdenheuvel',
  // The author is entered beside the director; the title is that of the novel.
  film: 'LDR/06 g\n008/33 v\n245 04 $aThe salt road /$cdirected by Ada Quist\n700 1# $aQuist, Ada,$edirector\n700 1# $aVerhoeven, Mila,$d1911-1984',
  // The main entry is the adapter, the uniform title that of the original.
  play: '100 1# $aPeters, Jan\n240 10 $aHill of tides\n245 10 $aTides at night :$ba play in two acts /$cJan Peters\n700 1# $aVerhoeven, Mila,$d1911-1984',
  // The work is named in an added entry, with words and without.
  comic:
    '100 1# $aMoor, Eva de\n245 10 $aSalt! :$ba graphic novel /$cEva de Moor\n700 1# $iGraphic novelization of (work):$aVerhoeven, Mila,$d1911-1984.$tSalt road',
  opera:
    'LDR/06 c\n100 1# $aBruun, Carl\n245 10 $aSaltvejen :$bopera\n700 1# $aVerhoeven, Mila,$d1911-1984.$tSalt road',
  // No adaptations: a study about the novel, an anthology with an entry for it, another author.
  study:
    '100 1# $aPeters, Jan\n245 10 $aOn salt\n700 1# $iComplemented by (work):$aVerhoeven, Mila,$d1911-1984.$tSalt road',
  namesake: 'LDR/06 g\n008/33 v\n245 04 $aThe salt road\n700 1# $aOther, Ann'
}

async function worksOf(title: string) {
  const { body } = await service.filter([
    { type: 'type', value: 'work' },
    { type: 'selection', key: ['title'], value: title, match_exact: true }
  ])
  return body.results as { id: string; type: string }[]
}

/** The works that those with a title are made after. */
async function basesOf(title: string): Promise<string[]> {
  const found: string[] = []
  for (const { id } of await worksOf(title)) {
    const { body } = await service.get(`/entities/${id}?resolve=1`)
    for (const { type, value } of body.relations) if (type === 'refBasedOn') found.push(`${body.type}: ${value}`)
  }
  return found
}

describe('An adaptation', () => {
  const expectBases = async () => {
    assert.deepEqual(await basesOf('The salt road'), ['work_footage: The salt road'])
    assert.deepEqual(await basesOf('Hill of tides'), ['work_word: The hill of tides'])
    assert.deepEqual(await basesOf('Salt!'), ['work_word: The salt road'])
    assert.deepEqual(await basesOf('Saltvejen'), ['work_music: The salt road'])
    assert.deepEqual(await basesOf('On salt'), [])
  }

  it('is a work of its own, related to the one that it is made after, in any order of records', async () => {
    const { id } = await importPayload(service, marcFile(shelf))
    await expectBases()
    assert.equal((await worksOf('The salt road')).length, 3, 'a novel, its film, and another film')
    assert.equal((await service.post(`/imports/${id}/undo`, undefined)).status, 202)
    await workOn(service, id)
    const { novel, reprint, translation, ...others } = shelf
    await importPayload(service, marcFile(others))
    assert.deepEqual(await basesOf('The salt road'), [])
    await importPayload(service, marcFile({ translation, reprint, novel }))
    await expectBases()
    // The same records again change nothing.
    await importPayload(service, marcFile(shelf))
    await expectBases()
  })

  it('shows the relation on the pages of both works, in MARC and in RDF', async () => {
    const [{ id = '' } = {}] = await worksOf('Salt!')
    const [novel] = (await worksOf('The salt road')).filter(each => each.type === 'work_word')
    const page = await service.get(`/record/${id}`, { token: undefined })
    for (const words of ['Based on', 'The salt road']) assert.ok(page.text.includes(words), words)
    const original = await service.get(`/record/${novel?.id}`, { token: undefined })
    for (const words of ['Adaptations', 'Salt!', 'Saltvejen']) assert.ok(original.text.includes(words), words)
    assert.match((await service.get(`/entities/${id}?format=turtle`)).text, /schema:isBasedOn/)
    const [edition] = (
      await service.filter([
        { type: 'type', value: 'manifestation' },
        { type: 'selection', key: ['title'], value: 'Salt!', match_exact: true }
      ])
    ).body.results
    const marc = (await service.get(`/entities/${edition.id}?format=marcxml`)).text.replaceAll(/\s+/g, ' ')
    assert.match(marc, /Graphic novelization of \(work\):|Based on \(work\):/)
  })
})
