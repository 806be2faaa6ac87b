import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { writeMarcXml } from '#formats/marc/marcxml.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'
import { assertValid } from '../support/oracles/validate-xml.ts'

/* Authority records become persons, subjects and places, whether or not records refer to them. */

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org' })

const importFile = (payload: Buffer | string, type?: string) =>
  importPayload(service, payload, { ...(type && { type }) })

interface Named {
  readonly id: string
  readonly metadata: readonly { readonly key: string; readonly value: unknown }[]
  readonly identifiers: readonly string[]
}

async function named(type: string, name: string): Promise<Named[]> {
  const answer = await service.filter([
    { type: 'type', value: type },
    { type: 'selection', key: ['name'], value: name, match_exact: true }
  ])
  return answer.body.results
}

const valuesOf = ({ metadata }: Named, key: string) =>
  metadata.filter(each => each.key === key).map(({ value }) => value)

const sawyer = { sawyer: '100 1# $aClemens, Samuel,$d1835-1910\n245 10 $aTom Sawyer' }
const authorities = {
  clemens: `LDR/06 z
010 ## $an  79021164
024 7# $a50566653$2viaf
024 7# $aQ7245$2wikidata
100 1# $aClemens, Samuel,$d1835-1910
400 1# $aTwain, Mark,$d1835-1910
400 0# $aMark Tven`,
  delta: 'LDR/06 z\n151 ## $aDelta\n451 ## $aMouth of the river',
  rivers: 'LDR/06 z\n150 ## $aRivers$xHistory\n450 ## $aStreams'
}

describe('A file of authority records', () => {
  it('adds other names, dates and links to what records refer to, and creates the rest', async () => {
    await importFile(marcFile(sawyer))
    const [before] = await named('person', 'Clemens, Samuel')
    const job = await importFile(marcFile(authorities))
    assert.deepEqual([job.state, job.counts.created, job.counts.updated, job.counts.unreadable], ['done', 2, 1, 0])
    const [clemens, ...others] = await named('person', 'Clemens, Samuel')
    assert.ok(clemens)
    assert.deepEqual([clemens.id, others], [before?.id, []])
    assert.deepEqual(valuesOf(clemens, 'non_preferred_name'), ['Mark Tven', 'Twain, Mark'])
    assert.deepEqual(valuesOf(clemens, 'life_dates'), ['1835-1910'])
    assert.deepEqual(valuesOf((await named('place', 'Delta'))[0] as Named, 'non_preferred_name'), [
      'Mouth of the river'
    ])
    assert.equal((await named('subject', 'Rivers -- History')).length, 1)
  })

  it('gives identifiers that resolve, match in reconciliation, and are links in RDF', async () => {
    const [clemens] = await named('person', 'Clemens, Samuel')
    for (const address of [
      'http://viaf.org/viaf/50566653',
      'http://www.wikidata.org/entity/Q7245',
      'http://id.loc.gov/authorities/names/n79021164'
    ]) {
      assert.equal((await service.get(`/entities/${encodeURIComponent(address)}`)).body.id, clemens?.id, address)
      const queries = JSON.stringify({ q: { query: address, type: 'person' } })
      const { body } = await service.get(`/reconcile?queries=${encodeURIComponent(queries)}`)
      assert.deepEqual([body.q.result[0]?.id, body.q.result[0]?.match], [clemens?.id, true], address)
    }
    const { text } = await service.get(`/entities/${clemens?.id}?format=turtle`)
    assert.match(text, /schema:sameAs[^;]*<http:\/\/viaf\.org\/viaf\/50566653>/)
    assert.match(text, /schema:alternateName/)
  })

  it('lets the works of a person be found by every name of the person', async () => {
    for (const words of ['twain sawyer', 'mark tven', 'samuel clemens'])
      assert.deepEqual(
        (
          await service.filter([
            { type: 'search', value: words },
            { type: 'type', value: 'manifestation' }
          ])
        ).body.results.map(({ metadata }: Named) => metadata[0]?.value),
        ['Tom Sawyer'],
        words
      )
  })

  it('changes nothing when it is imported again, and records that come later refer to what it made', async () => {
    const again = await importFile(marcFile(authorities))
    assert.deepEqual([again.counts.created, again.counts.updated, again.counts.unchanged], [0, 0, 3])
    await importFile(marcFile({ boat: '245 10 $aThe boat\n650 #0 $aRivers$xHistory' }))
    const [rivers, ...others] = await named('subject', 'Rivers -- History')
    assert.deepEqual(others, [])
    assert.equal((await service.get(`/entities/${rivers?.id}/references`)).body.count, 1)
  })

  it('is undone as a whole', async () => {
    const { id } = await importFile(
      marcFile({
        quay: 'LDR/06 z\n151 ## $aQuay',
        clemens: 'LDR/06 z\n100 1# $aClemens, Samuel,$d1835-1910\n400 1# $aSnodgrass, Thomas\n024 7# $a77$2viaf'
      })
    )
    assert.equal((await named('place', 'Quay')).length, 1)
    assert.equal((await service.post(`/imports/${id}/undo`, undefined)).status, 202)
    await workOn(service, id)
    assert.equal((await named('place', 'Quay')).length, 0)
    const [clemens] = await named('person', 'Clemens, Samuel')
    assert.ok(clemens)
    assert.ok(!valuesOf(clemens, 'non_preferred_name').includes('Snodgrass, Thomas'))
    assert.ok(!clemens.identifiers.includes('http://viaf.org/viaf/77'))
  })

  it('may be in UNIMARC', async () => {
    const record = {
      leader: '00000nx  a2200000   45  ',
      fields: [
        { tag: '001', value: 'u1' },
        { tag: '010', indicators: '  ', subfields: [{ code: 'a', value: '0000 0001 2122 612X' }] },
        {
          tag: '200',
          indicators: ' 1',
          subfields: [
            { code: 'a', value: 'Dupin' },
            { code: 'b', value: 'Aurore' },
            { code: 'f', value: '1804-1876' }
          ]
        },
        {
          tag: '400',
          indicators: ' 1',
          subfields: [
            { code: 'a', value: 'Sand' },
            { code: 'b', value: 'George' }
          ]
        }
      ]
    }
    const xml = `<collection xmlns="http://www.loc.gov/MARC21/slim">${writeMarcXml(record)}</collection>`
    const job = await importFile(xml, 'application/marcxml+xml')
    assert.deepEqual([job.state, job.counts.created], ['done', 1])
    const [dupin] = await named('person', 'Dupin, Aurore')
    assert.ok(dupin)
    assert.deepEqual(valuesOf(dupin, 'non_preferred_name'), ['Sand, George'])
    assert.deepEqual(valuesOf(dupin, 'life_dates'), ['1804-1876'])
    assert.ok(dupin.identifiers.includes('https://isni.org/isni/000000012122612X'))
  })
})

describe('A person, a corporation and a work that a publication is about', () => {
  const books = {
    novel: '100 1# $aWolkers, Zus,$d1925-2007\n240 10 $aTurks fruit snoep\n245 10 $aTurks fruit snoep',
    study: `245 10 $aOver de schrijfster
600 10 $aWolkers, Zus,$d1925-2007$xKritiek
610 20 $aToneelhuis Zuid
630 00 $aTurks fruit snoep`
  }
  const bookOf = async (title: string): Promise<string> =>
    (
      await service.filter([
        { type: 'type', value: 'manifestation_word' },
        { type: 'text', key: 'title', value: title }
      ])
    ).body.results[0].id

  it('is the same record as the author and the title of a work', async () => {
    await importFile(marcFile(books))
    const persons = await named('person', 'Wolkers, Zus')
    assert.equal(persons.length, 1)
    for (const [relation, title] of Object.entries({
      refAuthors: 'Turks fruit snoep',
      refSubjects: 'Over de schrijfster'
    })) {
      const key = [`relations.${relation}.key`]
      const { body } = await service.filter([{ type: 'selection', key, value: [persons[0]?.id] }])
      assert.deepEqual(
        body.results.flatMap((each: Named) => valuesOf(each, 'title')),
        [title],
        relation
      )
    }
    assert.equal((await named('corporation', 'Toneelhuis Zuid')).length, 1)
  })

  it('finds the publication as its subject, by each name', async () => {
    const study = await bookOf('Over de schrijfster')
    await importFile(marcFile({ person: 'LDR/06 z\n100 1# $aWolkers, Zus,$d1925-2007\n400 1# $aSuikerspin, Sara' }))
    for (const cql of ['wolkers', '"toneelhuis zuid"', '"turks fruit snoep"', 'suikerspin']) {
      const { text } = await service.get(`/sru?query=${encodeURIComponent(`dc.subject = ${cql}`)}`)
      assert.deepEqual([/<zs:numberOfRecords>(\d+)/.exec(text)?.[1], text.includes(study)], ['1', true], cql)
    }
    const found = await service.filter([
      { type: 'search', value: 'subject:wolkers' },
      { type: 'type', value: 'manifestation_word' }
    ])
    assert.deepEqual(
      found.body.results.map(({ id }: Named) => id),
      [study]
    )
  })

  it('is given back in MARC, MODS, Dublin Core and RDF', async () => {
    const study = await bookOf('Over de schrijfster')
    const { body } = await service.filter([
      { type: 'type', value: 'work_word' },
      { type: 'text', key: 'title', value: 'Over de schrijfster' }
    ])
    const [work] = body.results
    const relations = work.relations.filter(({ key }: { key: string }) => !key.startsWith('SUBJ'))
    // A changed work is described again.
    assert.equal((await service.put(`/entities/${work.id}`, { ...work, relations })).status, 200)
    const as = async (format: string) => {
      const path = `/oai?verb=GetRecord&metadataPrefix=${format}&identifier=oai:catalogue.example.org:${study}`
      return (await service.get(path)).text.replaceAll(/\s+/g, ' ')
    }
    const marc = await as('marcxml')
    assert.doesNotMatch(marc, /Kritiek/)
    for (const name of ['Wolkers, Zus', 'Toneelhuis Zuid', 'Turks fruit snoep'])
      for (const document of [marc, await as('mods'), await as('oai_dc')]) assert.ok(document.includes(name), name)
    assert.match(marc, /tag="600"[^>]*> <subfield code="a">Wolkers, Zus,/)
    assert.match(marc, /tag="610"[^>]*> <subfield code="a">Toneelhuis Zuid/)
    assert.match(marc, /tag="630"[^>]*> <subfield code="a">Turks fruit snoep/)
    await assertValid(await as('mods'))
    assert.match(await as('mods'), /<subject> ?<name type="personal"> ?<namePart>Wolkers, Zus<\/namePart>/)
    assert.match(await as('mods'), /<subject> ?<titleInfo> ?<title>Turks fruit snoep/)
    const [person] = await named('person', 'Wolkers, Zus')
    const rdf = (await service.get(`/entities/${work.id}?format=ntriples`)).text
    assert.match(rdf, new RegExp(`schema.org/about> <[^>]*/${person?.id}>`))
  })
})
