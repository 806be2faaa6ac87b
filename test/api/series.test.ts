import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { readMarc } from '#formats/marc/read-marc.ts'
import { isDataField } from '#formats/marc/record.ts'
import { marcFile } from '../support/records/marc-files.ts'
import type { Shelf } from '../support/records/marc-lines.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'

/* Series, works in works, and articles in serials: their parts, numbers and names. */

const service = await start({ after })

async function importFile(shelf: Shelf | string) {
  const type = typeof shelf === 'string' ? 'application/xml' : 'application/marc'
  const payload = typeof shelf === 'string' ? shelf : marcFile(shelf)
  const job = await importPayload(service, payload, { type })
  assert.equal(job.counts.unreadable, 0)
  return job
}

const find = async (filters: readonly unknown[], query = '') => (await service.filter(filters, query)).body
const titlesOf = ({ results }: { results: { metadata: { key: string; value: string }[] }[] }) =>
  results.map(({ metadata }) => metadata.find(({ key }) => key === 'title')?.value).sort()

async function seriesNamed(name: string) {
  const found = await find([
    { type: 'type', value: 'series' },
    { type: 'selection', key: ['name'], value: name, match_exact: true }
  ])
  assert.equal(found.count, 1, name)
  return found.results[0]
}

const volumesOf = async (id: string, query = '') => {
  const { results } = (await service.get(`/entities/${id}/parts${query}`)).body
  return results.map(({ number, metadata }: { number?: string; metadata: { title: { value: string } } }) => [
    number,
    metadata.title.value
  ])
}

/** The data fields of a record in MARC: tag, indicators and subfields. */
async function fieldsOf(id: string): Promise<string[]> {
  const { text } = await service.get(`/entities/${id}?format=marcxml`)
  const lines: string[] = []
  for await (const reading of readMarc([Buffer.from(text)], { form: 'marcxml' }))
    for (const field of reading.outcome === 'record' ? reading.record.fields : [])
      if (isDataField(field))
        lines.push([field.tag, field.indicators, ...field.subfields.map(each => each.code + each.value)].join('|'))
  return lines
}

const shelf = {
  tenth:
    '245 10 $aThe tenth\n490 1# $aThe Quay classics,$x1234-5679 ;$v10\n830 #0 $aQuay classics (London, England) ;$vno. 10.',
  ninth: '245 10 $aThe ninth\n490 1# $aQuay classics ;$v[9].\n830 #0 $aQuay classics (London, England) ;$v9.',
  whole: '245 10 $aWithout a number\n440 #0 $aQuay classics (London, England)',
  untraced: '245 10 $aUntraced\n490 0# $aTides = Getijden ;$vpt. 2$aSmall tides ;$v7',
  bulletin: '245 10 $aOn salt\n490 1# $aBulletin ;$v5\n810 2# $aSalt Board.$bResearch Office.$tBulletin ;$v5.',
  untold: '245 10 $aOn peat\n490 0# $aBulletin ;$v5',
  french: ['245 10 $aHet veer\n490 0# $aTides ;$v1', 'dut']
} as const satisfies Shelf

describe('Series of imported records', () => {
  it('are records, found again by their name, whose volumes have their numbers', async () => {
    const job = await importFile(shelf)
    assert.equal(job.entities.series.created, 4)
    const quay = await seriesNamed('Quay classics (London, England)')
    assert.deepEqual(
      quay.metadata.map(({ key, value }: { key: string; value: string }) => `${key} ${value}`),
      [
        'name Quay classics (London, England)',
        'issn 1234-5679',
        'non_preferred_name Quay classics',
        'non_preferred_name The Quay classics'
      ]
    )
    assert.deepEqual(await volumesOf(quay.id), [
      ['9', 'The ninth'],
      ['no. 10', 'The tenth'],
      [undefined, 'Without a number']
    ])
    const tides = await seriesNamed('Tides')
    assert.deepEqual(await volumesOf(tides.id), [
      ['1', 'Het veer'],
      ['pt. 2', 'Untraced']
    ])
    assert.deepEqual(await volumesOf((await seriesNamed('Small tides')).id), [['7', 'Untraced']])
    // A title that many bodies use is a series under the name of the body only.
    const bulletin = await seriesNamed('Bulletin (Salt Board. Research Office)')
    assert.deepEqual(await volumesOf(bulletin.id), [['5', 'On salt']])
  })

  it('stand in the WEM and the tree as every relation, beside the text', async () => {
    const [ninth] = (
      await find([
        { type: 'selection', key: ['title'], value: 'The ninth', match_exact: true },
        { type: 'type', value: 'manifestation' }
      ])
    ).results
    const { manifestation } = (await service.get(`/entities/wem/${ninth.id}`)).body
    const quay = await seriesNamed('Quay classics (London, England)')
    assert.deepEqual(manifestation.relations[quay.id], {
      type: 'refSeries',
      label: 'series',
      value: 'Quay classics (London, England)',
      issn: '1234-5679',
      metadata: [{ key: 'number', value: '9' }]
    })
    assert.equal(manifestation.metadata.series_statement.value, 'Quay classics ; [9].')
    const { body } = await service.get(`/entities/${quay.id}/parts?limit=1&skip=1`)
    assert.deepEqual([body.count, body.skip, body.limit, body.results[0].number], [3, 1, 1, 'no. 10'])
    assert.equal((await service.get(body.next)).body.results[0].metadata.title.value, 'Without a number')
    assert.deepEqual(body.results[0].relations[quay.id].value, 'Quay classics (London, England)')
  })

  it('find their volumes by any of their names, and count them', async () => {
    const books = { type: 'type', value: 'manifestation' }
    assert.deepEqual(titlesOf(await find([books, { type: 'search', value: 'series:getijden' }])), [
      'Het veer',
      'Untraced'
    ])
    assert.deepEqual(titlesOf(await find([books, { type: 'search', value: 'getijden veer' }])), ['Het veer'])
    const key = 'properties.ref_series.value'
    const { facets } = await find([books], `?facets=${key}`)
    assert.deepEqual(
      facets[key].slice(0, 2).map(({ label, count }: { label: string; count: number }) => [label, count]),
      [
        ['Quay classics (London, England)', 3],
        ['Tides', 2]
      ]
    )
    const sru = await service.get('/sru?operation=searchRetrieve&version=1.2&query=bib.titleSeries%3Dtides')
    assert.match(sru.text, /numberOfRecords>2<.*Het veer/s)
  })

  it('are passed on as 490 and 830, and in RDF', async () => {
    const [{ relations }] = (
      await find([
        { type: 'search', value: 'series:tides' },
        { type: 'type', value: 'manifestation' }
      ])
    ).results
    const toText = relations.filter(({ type }: { type: string }) => type === 'refExpressions')
    const tides = await seriesNamed('Tides')
    const created = await service.post('/entities', {
      type: 'manifestation_word',
      metadata: [{ key: 'title', value: 'By hand' }],
      relations: [...toText, { type: 'refSeries', key: tides.id, metadata: [{ key: 'number', value: '12' }] }]
    })
    assert.equal(created.status, 201)
    const lines = (await fieldsOf(created.body.id)).filter(each => /^(?:490|830)/.test(each))
    assert.deepEqual(lines, ['490|1 |aTides ;|v12', '830| 0|aTides ;|v12'])
    assert.deepEqual((await volumesOf(tides.id)).at(-1), ['12', 'By hand'])
    await service.delete(`/entities/${created.body.id}`)
    const quay = await seriesNamed('Quay classics (London, England)')
    const turtle = (await service.get(`/entities/${quay.id}?format=turtle`)).text
    assert.match(turtle, /schema:CreativeWorkSeries/)
    assert.match(turtle, /schema:hasPart/)
  })

  it('come from ONIX with their ISSN', async () => {
    await importFile(
      `<?xml version="1.0"?><ONIXMessage release="3.0"><Header><Sender><SenderName>Zee</SenderName></Sender></Header><Product><RecordReference>o1</RecordReference><NotificationType>03</NotificationType><DescriptiveDetail><ProductForm>BC</ProductForm><Collection><CollectionType>10</CollectionType><CollectionIdentifier><CollectionIDType>02</CollectionIDType><IDValue>20493630</IDValue></CollectionIdentifier><TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>02</TitleElementLevel><PartNumber>3</PartNumber><TitleText>Zeeboeken</TitleText></TitleElement></TitleDetail></Collection><TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>De golf</TitleText></TitleElement></TitleDetail></DescriptiveDetail></Product></ONIXMessage>`
    )
    const zee = await seriesNamed('Zeeboeken')
    assert.deepEqual(zee.metadata.at(-1), { key: 'issn', value: '2049-3630' })
    assert.deepEqual(await volumesOf(zee.id), [['3', 'De golf']])
  })

  it('go when an import is undone, unless other volumes remain', async () => {
    const job = await importFile({
      more: '245 10 $aMore\n490 0# $aTides ;$v3',
      lone: '245 10 $aLone\n490 0# $aDunes ;$v1'
    })
    assert.equal((await volumesOf((await seriesNamed('Tides')).id)).length, 3)
    assert.equal((await service.post(`/imports/${job.id}/undo`, undefined)).status, 202)
    await workOn(service, job.id)
    assert.equal((await volumesOf((await seriesNamed('Tides')).id)).length, 2)
    assert.equal(
      (
        await find([
          { type: 'type', value: 'series' },
          { type: 'selection', key: ['name'], value: 'Dunes', match_exact: true }
        ])
      ).count,
      0
    )
  })
})

describe('Works in works, and serials', () => {
  const aWork = (title: string, relations: readonly unknown[] = [], type = 'work_music') =>
    service.create({ type, metadata: [{ key: 'title', value: title }], relations })
  const part = (type: string, key: string, number: string) => ({
    type,
    key,
    metadata: [{ key: 'number', value: number }]
  })

  /** A publication of a work. */
  async function publish(title: string, work: string, relations: readonly unknown[] = []) {
    const text = await service.create({
      type: 'expression_word',
      metadata: [{ key: 'title', value: title }],
      relations: [{ type: 'refWork', key: work }]
    })
    const metadata = [{ key: 'title', value: title }]
    const own = [{ type: 'refExpressions', key: text.id }, ...relations]
    return service.create({ type: 'manifestation_word', metadata, relations: own })
  }

  it('have their parts in order in the WEM, the tree, MARC and RDF, and are found by their titles', async () => {
    const [slow, quick] = [await aWork('Adagio of the gulls'), await aWork('Presto of the terns')]
    const whole = await aWork('Suite of the coast', [part('refParts', quick.id, '1'), part('refParts', slow.id, '2')])
    const { id } = await publish('Coastal suite', whole.id)
    const parts = { [quick.id]: 'Presto of the terns', [slow.id]: 'Adagio of the gulls' }
    const shown = (relations: Record<string, { value: string }>) =>
      Object.fromEntries(Object.entries(relations).map(([key, { value }]) => [key, value]))
    const { work } = (await service.get(`/entities/wem/${id}`)).body
    assert.deepEqual(Object.entries(shown(work.relations)), Object.entries(parts))
    const tree = (await service.get(`/entities/${whole.id}/tree`)).body
    assert.deepEqual(tree.work.relations, work.relations)
    const found = await find([
      { type: 'type', value: 'manifestation' },
      { type: 'search', value: 'adagio gulls' }
    ])
    assert.deepEqual(titlesOf(found), ['Coastal suite'])
    assert.deepEqual(
      (await fieldsOf(id)).filter(each => each.startsWith('774')),
      ['774|0 |tPresto of the terns|g1', '774|0 |tAdagio of the gulls|g2']
    )
    assert.match((await service.get(`/entities/${whole.id}?format=turtle`)).text, /schema:hasPart/)
    assert.match((await service.get(`/entities/${slow.id}?format=turtle`)).text, /schema:isPartOf/)
  })

  it('have articles in the order of their places, and serials their predecessors', async () => {
    const before = await aWork('Harbour news', [], 'work_serial')
    const serial = await aWork('Harbour times', [{ type: 'refPrecededBy', key: before.id }], 'work_serial')
    const host = await publish('Harbour times', serial.id)
    const second = await publish('On eels', (await aWork('On eels')).id, [part('refHost', host.id, 'vol. 10, p. 3-9')])
    await publish('On crabs', (await aWork('On crabs')).id, [part('refHost', host.id, 'vol. 9, p. 11')])
    assert.deepEqual(await volumesOf(host.id), [
      ['vol. 9, p. 11', 'On crabs'],
      ['vol. 10, p. 3-9', 'On eels']
    ])
    assert.deepEqual(
      (await fieldsOf(second.id)).filter(each => each.startsWith('773')),
      ['773|0 |tHarbour times|gvol. 10, p. 3-9']
    )
    assert.deepEqual(
      (await fieldsOf(host.id)).filter(each => each.startsWith('780')),
      ['780|00|tHarbour news']
    )
    const cited = JSON.parse((await service.get(`/entities/${second.id}?format=csl`)).text)
    assert.deepEqual([cited.type, cited['container-title']], ['article-journal', 'Harbour times'])
    assert.match((await service.get(`/entities/${before.id}?format=turtle`)).text, /bf:succeededBy/)
  })
})

describe('Records that name others', () => {
  /** The titles that the relations of a type lead to, with their numbers. */
  async function relationsOf(id: string, type: string) {
    const { body } = await service.get(`/entities/${id}?resolve=1`)
    const own = body.relations.filter((each: { type: string }) => each.type === type)
    return own.map(({ value, metadata = [] }: { value: string; metadata?: { value: string }[] }) =>
      [value, ...metadata.map(each => each.value)].join(' ; ')
    )
  }
  async function titled(type: string, title: string) {
    const found = await find([
      { type: 'type', value: type },
      { type: 'selection', key: ['title'], value: title, match_exact: true }
    ])
    assert.equal(found.count, 1, title)
    return found.results[0].id as string
  }
  const hostOf = async (title: string) => relationsOf(await titled('manifestation', title), 'refHost')
  const before = async (title: string) => relationsOf(await titled('work', title), 'refPrecededBy')
  const undo = async (job: { id: string }) => {
    assert.equal((await service.post(`/imports/${job.id}/undo`, undefined)).status, 202)
    await workOn(service, job.id)
    assert.equal((await service.get(`/imports/${job.id}`)).body.state, 'undone')
  }

  const serials = {
    gull: 'LDR/07 s\n022 ## $a2049-3630\n035 ## $a(OCoLC)ocm00777\n245 00 $aThe gull\n785 00 $tThe tern',
    tern: 'LDR/07 s\n245 00 $aThe tern\n780 00 $tGull$x2049-3630',
    heron: 'LDR/07 s\n245 00 $aThe heron\n780 00 $tTern$wtern',
    reeds: '020 ## $a9789027439642\n100 1# $aMaas, Lie\n245 10 $aAmong reeds'
  } as const satisfies Shelf
  const components = {
    eggs: 'LDR/07 b\n245 00 $aOn eggs of gulls\n773 0# $tGull.$gVol. 3 (1999), p. 5-8$w(OCoLC)777',
    feathers: 'LDR/07 b\n022 ## $a2049-3630\n245 00 $aOn feathers\n773 0# $tSeabird$x2049-3630$gVol. 4',
    nests: 'LDR/07 a\n245 00 $aOn nests\n773 0# $aMaas, L.$tAmong reeds$gp. 9',
    chicks: 'LDR/07 a\n245 00 $aOn chicks\n773 0# $z90-274-3964-8',
    stilts: 'LDR/07 a\n245 00 $aOn stilts\n773 0# $aRiet, Jo$tAmong reeds$gp. 9\n773 0# $tThe unknown'
  } as const satisfies Shelf

  async function expectLinks() {
    assert.deepEqual(await hostOf('On eggs of gulls'), ['The gull ; Vol. 3 (1999), p. 5-8'])
    assert.deepEqual(await hostOf('On feathers'), ['The gull ; Vol. 4'])
    assert.deepEqual(await hostOf('On nests'), ['Among reeds ; p. 9'])
    assert.deepEqual(await hostOf('On chicks'), ['Among reeds'])
    assert.deepEqual(await hostOf('On stilts'), [])
    assert.deepEqual(await before('The tern'), ['The gull'])
    assert.deepEqual(await before('The heron'), ['The tern'])
  }

  it('are related to them by number, or by title and author, whichever came first', async () => {
    const parts = await importFile(components)
    assert.deepEqual(await hostOf('On eggs of gulls'), [])
    const whole = await importFile(serials)
    await expectLinks()
    assert.deepEqual(
      (await volumesOf(await titled('manifestation', 'The gull'))).map(([number]: [string]) => number),
      ['Vol. 3 (1999), p. 5-8', 'Vol. 4']
    )
    // The same again changes nothing.
    assert.deepEqual((await importFile(serials)).counts.updated, 0)
    // Relations that imports made do not hold their records.
    await undo(whole)
    assert.deepEqual(await hostOf('On eggs of gulls'), [])
    const again = await importFile(serials)
    await expectLinks()
    await undo(parts)
    await importFile(components)
    await expectLinks()
    // A record that no longer names another is no longer related to it.
    await importFile({ eggs: 'LDR/07 b\n245 00 $aOn eggs of gulls' })
    assert.deepEqual(await hostOf('On eggs of gulls'), [])
    await undo(again)
    assert.deepEqual(await hostOf('On feathers'), [])
  })

  it('are not related to one of several with an equal title, nor to one with another number', async () => {
    const article = 'LDR/07 b\n245 00 $aOn owls\n773 0# $tNight$x1234-5679'
    await importFile({ owls: article, night: 'LDR/07 s\n022 ## $a0028-0836\n245 00 $aNight' })
    assert.deepEqual(await hostOf('On owls'), [])
    const two = await importFile({
      owls: 'LDR/07 b\n245 00 $aOn owls\n773 0# $tDusk',
      dusk: 'LDR/07 s\n245 00 $aDusk',
      other: 'LDR/07 s\n245 00 $aDusk\n260 ## $aOslo'
    })
    assert.deepEqual(await hostOf('On owls'), [])
    await undo(two)
    await importFile({ owls: 'LDR/07 b\n245 00 $aOn owls\n773 0# $tDusk', dusk: 'LDR/07 s\n245 00 $aDusk' })
    assert.deepEqual(await hostOf('On owls'), ['Dusk'])
    const third = await importFile({ third: 'LDR/07 s\n245 00 $aDusk\n260 ## $aRiga' })
    assert.deepEqual(await hostOf('On owls'), [])
    await undo(third)
    assert.deepEqual(await hostOf('On owls'), ['Dusk'])
  })

  it('name the works in them in the order of the record, as parts of the whole', async () => {
    const entries = ['700 12 $aLoon, Pim.$tThe wave', '700 12 $aBerg, Ans.$tThe cliff'].join('\n')
    await importFile({ both: `245 00 $aWave and cliff\n${entries}`, wave: '100 1# $aLoon, Pim\n245 10 $aThe wave' })
    assert.deepEqual(await relationsOf(await titled('work', 'Wave and cliff'), 'refParts'), ['The wave', 'The cliff'])
  })

  it('retain a host that a person gave them', async () => {
    const job = await importFile({
      ebb: 'LDR/07 b\n245 00 $aOn ebb\n773 0# $tThe strand$g5',
      strand: 'LDR/07 s\n245 00 $aThe strand'
    })
    const [ebb, strand] = [await titled('manifestation', 'On ebb'), await titled('manifestation', 'The strand')]
    const { body } = await service.get(`/entities/${ebb}`)
    const relations = body.relations.map((each: { type: string }) =>
      each.type === 'refHost' ? { type: 'refHost', key: strand, metadata: [{ key: 'number', value: '6' }] } : each
    )
    assert.equal((await service.patch(`/entities/${ebb}`, { relations })).status, 200)
    await importFile({ strand: 'LDR/07 s\n022 ## $a1234-5679\n245 00 $aThe strand' })
    assert.deepEqual(await hostOf('On ebb'), ['The strand ; 6'])
    assert.equal(job.counts.created, 2)
  })
})

describe('GET /entities/{id}/parts', () => {
  it('has no parts for a record of a type without them, and none for an unknown one', async () => {
    const { body } = await service.post('/entities', { type: 'venue', metadata: [{ key: 'name', value: 'Zaal' }] })
    assert.deepEqual((await service.get(`/entities/${body.id}/parts`)).body, {
      results: [],
      count: 0,
      skip: 0,
      limit: 20
    })
    assert.equal((await service.get('/entities/SER-NONE/parts')).status, 404)
    assert.equal((await service.get(`/entities/${body.id}/parts?limit=x`)).status, 400)
  })
})
