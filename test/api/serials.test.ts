import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { marcFile } from '../support/records/marc-files.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'

/* Serials: what they continue, supplement and translate, since when, and what their pages show. */

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org', ANONYMOUS_ACCESS: 'read' })

const serials = {
  quay: 'LDR/07 s\n022 ## $a2049-3630\n245 00 $aQuay letters\n770 0# $tQuay letters for children$g1980-1984',
  harbour: `LDR/07 s
245 00 $aHarbour review
310 ## $aQuarterly
362 1# $aBegan with vol. 7 (1990)
780 00 $tQuay letters$x2049-3630$g1990`,
  briefe: 'LDR/07 s\n245 00 $aKaibriefe\n765 0# $tQuay letters$g1985-',
  lettres: 'LDR/07 s\n245 00 $aLettres du quai',
  cahiers: 'LDR/07 s\n245 00 $aCahiers du port\n767 0# $tLettres du quai$g1990',
  children: 'LDR/07 s\n245 00 $aQuay letters for children',
  plates: 'LDR/07 s\n245 00 $aPlates of the harbour\n772 0# $tHarbour review$g1991',
  eels: 'LDR/07 b\n245 00 $aOn eels in harbours\n773 0# $tHarbour review$gVol. 8, p. 3'
}

async function workOf(title: string) {
  const { body } = await service.filter([
    { type: 'type', value: 'work' },
    { type: 'selection', key: ['title'], value: title, match_exact: true }
  ])
  assert.equal(body.count, 1, title)
  return body.results[0].id as string
}

/** The titles that a work is related to by a type, with the dates of the relation. */
async function relationsOf(title: string, relation: string) {
  const { body } = await service.get(`/entities/${await workOf(title)}?resolve=1`)
  const own = body.relations.filter(({ type }: { type: string }) => type === relation)
  return own.map(({ value, metadata = [] }: { value: string; metadata?: { value: string }[] }) =>
    [value, ...metadata.map(each => each.value)].join(', ')
  )
}

const publicationOf = async (title: string) =>
  (
    await service.filter([
      { type: 'type', value: 'manifestation' },
      { type: 'selection', key: ['title'], value: title, match_exact: true }
    ])
  ).body.results[0].id as string

describe('A serial', () => {
  const expectRelations = async () => {
    assert.deepEqual(await relationsOf('Harbour review', 'refPrecededBy'), ['Quay letters, 1990'])
    assert.deepEqual(await relationsOf('Quay letters for children', 'refSupplementTo'), ['Quay letters, 1980-1984'])
    assert.deepEqual(await relationsOf('Plates of the harbour', 'refSupplementTo'), ['Harbour review, 1991'])
    assert.deepEqual(await relationsOf('Kaibriefe', 'refTranslationOf'), ['Quay letters, 1985-'])
    assert.deepEqual(await relationsOf('Lettres du quai', 'refTranslationOf'), ['Cahiers du port, 1990'])
  }

  it('is related to what it continues, supplements and translates, with the time, in any order of the file', async () => {
    const { id } = await importPayload(service, marcFile(serials))
    await expectRelations()
    assert.equal((await service.post(`/imports/${id}/undo`, undefined)).status, 202)
    await workOn(service, id)
    await importPayload(service, marcFile(Object.fromEntries(Object.entries(serials).reverse())))
    await expectRelations()
  })

  it('gives these relations in MARC and RDF, also if people made them', async () => {
    const [translation, harbour] = [await workOf('Plates of the harbour'), await workOf('Harbour review')]
    const relations = [{ type: 'refTranslationOf', key: harbour, metadata: [{ key: 'date', value: '1992-' }] }]
    assert.equal((await service.patch(`/entities/${translation}/relations`, relations)).status, 200)
    const plates = await publicationOf('Plates of the harbour')
    const marc = (await service.get(`/entities/${plates}?format=marcxml`)).text.replaceAll(/\s+/g, ' ')
    assert.match(marc, /tag="772"[^>]*> <subfield code="t">Harbour review<\/subfield> <subfield code="g">1991</)
    assert.match(marc, /tag="765"[^>]*> <subfield code="t">Harbour review<\/subfield> <subfield code="g">1992-</)
    const turtle = (await service.get(`/entities/${translation}?format=turtle`)).text
    assert.match(turtle, /bf:supplementTo/)
    assert.match(turtle, /bf:translationOf/)
  })

  it('has a page with its run, its articles, its former titles and its supplements', async () => {
    const { text } = await service.get(`/record/${await publicationOf('Harbour review')}`, { token: undefined })
    for (const words of ['Quarterly', 'Began with vol. 7 (1990)', 'On eels in harbours', 'Quay letters'])
      assert.ok(text.includes(words), words)
    const work = await service.get(`/record/${await workOf('Harbour review')}`, { token: undefined })
    for (const words of ['Continues', 'Quay letters', '1990', 'Supplements', 'Plates of the harbour'])
      assert.ok(work.text.includes(words), words)
  })
})
