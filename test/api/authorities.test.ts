import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { marcFile } from '../support/records/marc-files.ts'
import { readRdfXml } from '../support/oracles/rdf-graphs.ts'
import { skosFaults } from '../support/oracles/skos-integrity.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'

/* Authorities are records of their own, with references, notes and a way out. */

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org', ANONYMOUS_ACCESS: 'read' })

interface Found {
  readonly id: string
  readonly metadata: readonly { readonly key: string; readonly value: unknown }[]
  readonly relations: readonly {
    readonly type: string
    readonly key: string
    readonly metadata?: readonly { readonly value: unknown }[]
  }[]
}

async function find(type: string, name: string): Promise<Found> {
  const key = type === 'title' ? 'title' : 'name'
  const { body } = await service.filter([
    { type: 'type', value: type },
    { type: 'selection', key: [key], value: name, match_exact: true }
  ])
  assert.equal(body.count, 1, `${type} ${name}`)
  return body.results[0]
}

const valuesOf = ({ metadata }: Found, key: string) =>
  metadata.filter(each => each.key === key).map(({ value }) => value)

/** The names of the records that one is related to, with the words on the relation. */
async function relatedTo(found: Found, relation: string): Promise<string[]> {
  const own = found.relations.filter(({ type }) => type === relation)
  const names = await Promise.all(
    own.map(async ({ key, metadata = [] }) => {
      const { body } = await service.get(`/entities/${key}`)
      return [body.metadata[0].value, ...metadata.map(({ value }) => value)].join(': ')
    })
  )
  return names.sort()
}

const importFile = (shelf: Parameters<typeof marcFile>[0]) => importPayload(service, marcFile(shelf))

const files = {
  tey: `LDR/06 z
100 1# $aMacKintosh, Elizabeth,$d1896-1952
370 ## $aInverness$bLondon$cScotland
372 ## $aDetective stories
373 ## $aAnstey Physical Training College
374 ## $aNovelist$aPlaywright
377 ## $aeng
400 1# $aMacintosh, Beth
500 1# $wr$iAlternate identity:$aTey, Josephine
667 ## $aNot the same as Elizabeth Mackintosh, physicist
670 ## $aHer Kif, 1929:$bt.p. (Gordon Daviot)
678 0# $aA Scottish novelist and playwright
856 42 $uhttps://example.org/tey`,
  dublin: `LDR/06 z
046 ## $s1731$t1820
110 2# $aDublin Society
510 2# $wb$aRoyal Dublin Society
510 2# $aRoyal Irish Academy`,
  branch: 'LDR/06 z\n110 2# $aSociety of the North\n510 2# $4adue$aRoyal Dublin Society',
  novels: `LDR/06 z
040 ## $fgsafd
155 ## $aWhodunits
455 ## $aMurder mysteries
555 ## $wg$aCrime stories
555 ## $wh$aLocked-room puzzles
555 ## $aThrillers
680 ## $iUse for novels in which a crime is solved`,
  family: 'LDR/06 z\n100 3# $aBrontë (Family)',
  meeting: 'LDR/06 z\n111 2# $aCongress of Detectives$d(1931 :$cParis)',
  title: 'LDR/06 z\n130 #0 $aRichard of Bordeaux\n430 #0 $aRichard the Second\n530 #0 $aQueen of Scots'
}

describe('An authority record', () => {
  it('gives the notes, sources, dates, places, languages, occupations, schemes and links of its thing', async () => {
    const job = await importFile(files)
    assert.deepEqual([job.state, job.counts.created, job.counts.unreadable], ['done', 7, 0])
    const tey = await find('person', 'MacKintosh, Elizabeth')
    const given = Object.fromEntries(
      ['life_dates', 'biography', 'note', 'source', 'field_of_activity', 'occupation', 'link'].map(key => [
        key,
        valuesOf(tey, key)
      ])
    )
    assert.deepEqual(given, {
      life_dates: ['1896-1952'],
      biography: ['A Scottish novelist and playwright'],
      note: ['Not the same as Elizabeth Mackintosh, physicist'],
      source: ['Her Kif, 1929: t.p. (Gordon Daviot)'],
      field_of_activity: ['Detective stories'],
      occupation: ['Novelist', 'Playwright'],
      link: ['https://example.org/tey']
    })
    assert.deepEqual(await relatedTo(tey, 'refPlaces'), ['Inverness: birth', 'London: death', 'Scotland: country'])
    assert.deepEqual(await relatedTo(tey, 'refLanguages'), ['English'])
    assert.deepEqual(await relatedTo(tey, 'refMemberOf'), ['Anstey Physical Training College'])
    assert.deepEqual(valuesOf(await find('corporation', 'Dublin Society'), 'active_dates'), ['1731-1820'])
    const novels = await find('genre', 'Whodunits')
    assert.deepEqual(valuesOf(novels, 'scheme'), ['gsafd'])
    assert.deepEqual(valuesOf(novels, 'scope_note'), ['Use for novels in which a crime is solved'])
    assert.deepEqual(valuesOf(await find('person', 'Brontë (Family)'), 'name_kind'), ['family'])
    assert.deepEqual(valuesOf(await find('corporation', 'Congress of Detectives (1931 : Paris)'), 'name_kind'), [
      'meeting'
    ])
  })

  it('gives relations: earlier and later, broader and narrower, member, pseudonym, see also', async () => {
    assert.deepEqual(await relatedTo(await find('person', 'Tey, Josephine'), 'refPseudonymOf'), [
      'MacKintosh, Elizabeth'
    ])
    assert.deepEqual(await relatedTo(await find('corporation', 'Royal Dublin Society'), 'refEarlier'), [
      'Dublin Society'
    ])
    assert.deepEqual(await relatedTo(await find('corporation', 'Dublin Society'), 'refRelated'), [
      'Royal Irish Academy'
    ])
    assert.deepEqual(await relatedTo(await find('corporation', 'Society of the North'), 'refMemberOf'), [
      'Royal Dublin Society'
    ])
    const novels = await find('genre', 'Whodunits')
    assert.deepEqual(await relatedTo(novels, 'refBroader'), ['Crime stories'])
    assert.deepEqual(await relatedTo(novels, 'refRelated'), ['Thrillers'])
    assert.deepEqual(await relatedTo(await find('genre', 'Locked-room puzzles'), 'refBroader'), ['Whodunits'])
    assert.deepEqual(await relatedTo(await find('title', 'Richard of Bordeaux'), 'refRelated'), ['Queen of Scots'])
  })

  it('replaces what it said before, and changes nothing when it is imported again', async () => {
    const again = await importFile(files)
    assert.deepEqual([again.counts.created, again.counts.updated, again.counts.unchanged], [0, 0, 7])
    const { id } = await importFile({
      novels: 'LDR/06 z\n155 ## $aWhodunits\n555 ## $wg$aPopular literature\n680 ## $iUse for novels only'
    })
    const novels = await find('genre', 'Whodunits')
    assert.deepEqual(valuesOf(novels, 'scope_note'), ['Use for novels only'])
    assert.deepEqual(await relatedTo(novels, 'refBroader'), ['Popular literature'])
    assert.equal((await service.post(`/imports/${id}/undo`, undefined)).status, 202)
    await workOn(service, id)
    const restored = await find('genre', 'Whodunits')
    assert.deepEqual(valuesOf(restored, 'scope_note'), ['Use for novels in which a crime is solved'])
    assert.deepEqual(await relatedTo(restored, 'refBroader'), ['Crime stories'])
  })

  it('keeps the edits of people', async () => {
    const tey = await find('person', 'MacKintosh, Elizabeth')
    const metadata = [{ key: 'biography', value: 'Wrote as Gordon Daviot, too' }]
    assert.equal((await service.patch(`/entities/${tey.id}`, { metadata })).status, 200)
    await importFile({ tey: files.tey.replace('Playwright', 'Dramatist') })
    const after = await find('person', 'MacKintosh, Elizabeth')
    assert.deepEqual(valuesOf(after, 'biography'), ['Wrote as Gordon Daviot, too'])
    assert.deepEqual(valuesOf(after, 'occupation'), ['Novelist', 'Dramatist'])
  })

  it('is not read from a UNIMARC file as something else', async () => {
    const unimarc = {
      thriller: `LDR/06 x
152 ## $brameau
250 ## $aRoman policier
330 ## $aNote d'application
340 ## $aLeft out: no field of subjects
550 ## $5g$aLittérature
550 ## $5h$aRoman noir
801 #0 $aFR$bBNF`
    }
    await importFile(unimarc)
    const found = await find('subject', 'Roman policier')
    assert.deepEqual(valuesOf(found, 'scheme'), ['rameau'])
    assert.deepEqual(valuesOf(found, 'scope_note'), ["Note d'application"])
    assert.deepEqual(valuesOf(found, 'biography'), [])
    assert.deepEqual(await relatedTo(found, 'refBroader'), ['Littérature'])
    assert.deepEqual(await relatedTo(await find('subject', 'Roman noir'), 'refBroader'), ['Roman policier'])
    await importFile({
      born: 'LDR/06 x\n103 ## $a18040701$b18760608\n200 #1 $aDuval$bLéa\n801 #0 $bBNF',
      body: 'LDR/06 x\n103 ## $a1902$b1944\n210 02 $aThéâtre du port\n801 #0 $bBNF'
    })
    assert.deepEqual(valuesOf(await find('person', 'Duval, Léa'), 'life_dates'), ['1804-1876'])
    assert.deepEqual(valuesOf(await find('corporation', 'Théâtre du port'), 'active_dates'), ['1902-1944'])
  })

  it('of the GND has its codes of relations and its scheme', async () => {
    await importFile({
      king: `LDR/06 z
035 ## $a(DE-588)118540238
100 1# $aGoethe, Johann Wolfgang von
551 ## $4ortg$aFrankfurt am Main
551 ## $4orts$aWeimar
500 1# $4nawi$aMöller, Johann Philipp`,
      book: 'LDR/06 z\n035 ## $a(DE-588)4048202-9\n150 ## $aRoman\n550 ## $4obal$aEpik'
    })
    const goethe = await find('person', 'Goethe, Johann Wolfgang von')
    assert.deepEqual(valuesOf(goethe, 'scheme'), ['gnd'])
    assert.deepEqual(await relatedTo(goethe, 'refPlaces'), ['Frankfurt am Main: birth', 'Weimar: death'])
    assert.deepEqual(await relatedTo(goethe, 'refPseudonymOf'), ['Möller, Johann Philipp'])
    assert.deepEqual(await relatedTo(await find('subject', 'Roman'), 'refBroader'), ['Epik'])
  })

  it('of the GND gives dates and occupations, which are no other authorities', async () => {
    const maren = `LDR/06 z
024 7# $a1042011303$0http://d-nb.info/gnd/1042011303$2gnd
035 ## $a(DE-588)1042011303
100 1# $aHalm, Maren
548 ## $a1861-1940$4datl$4https://d-nb.info/standards/elementset/gnd#dateOfBirthAndDeath$wr$iLebensdaten
548 ## $a12.03.1861-01.02.1940$4datx$wr$iExakte Lebensdaten
550 ## $0(DE-101)040533093$0(DE-588)4053309-8$aSchriftstellerin$4berc$wr$iCharakteristischer Beruf
550 ## $0(DE-588)4124099-6$aSängerin$4beru$wr$iBeruf
551 ## $aKiel$4ortw$wr$iWirkungsort`
    await importFile({
      maren,
      stage: 'LDR/06 z\n110 2# $aHafenbühne\n548 ## $a1902-1944$4datb\n551 ## $aKiel$4orta',
      epic: 'LDR/06 z\n150 ## $aHafenlied\n677 ## $aLied der Seeleute'
    })
    const found = await find('person', 'Halm, Maren')
    assert.deepEqual(
      ['life_dates', 'occupation', 'active_dates'].map(key => valuesOf(found, key)),
      [['1861-1940'], ['Schriftstellerin', 'Sängerin'], []]
    )
    assert.deepEqual(await relatedTo(found, 'refRelated'), [])
    assert.deepEqual(await relatedTo(found, 'refPlaces'), ['Kiel: residence'])
    const stage = await find('corporation', 'Hafenbühne')
    assert.deepEqual(valuesOf(stage, 'active_dates'), ['1902-1944'])
    assert.deepEqual(await relatedTo(stage, 'refPlaces'), ['Kiel: residence'])
    assert.deepEqual(valuesOf(await find('subject', 'Hafenlied'), 'scope_note'), ['Lied der Seeleute'])
    for (const [type, name] of [
      ['time', '1861-1940'],
      ['subject', 'Sängerin']
    ] as const) {
      const { body } = await service.filter([
        { type: 'type', value: type },
        { type: 'selection', key: ['name'], value: name, match_exact: true }
      ])
      assert.equal(body.count, 0, name)
    }

    // An edited occupation does not get the number of the term that it replaces.
    const metadata = ['Dichterin', 'Sängerin'].map(value => ({ key: 'occupation', value }))
    assert.equal((await service.patch(`/entities/${found.id}`, { metadata })).status, 200)
    const marc = (await service.get(`/entities/${found.id}?format=marcauth`)).text.replaceAll(/\s+/g, ' ')
    assert.match(marc, /tag="374"[^>]*> <subfield code="a">Dichterin</)
    assert.doesNotMatch(marc, /Schriftstellerin|4053309-8/)
    assert.match(marc, /4124099-6/)
  })
})

describe('An authority', () => {
  const marcOf = async (id: string) =>
    (await service.get(`/entities/${id}?format=marcauth`)).text.replaceAll(/\s+/g, ' ')

  it('is exported as a MARC authority record, which is read as the same authority', async () => {
    const tey = await find('person', 'MacKintosh, Elizabeth')
    const marc = await marcOf(tey.id)
    assert.match(marc, /<leader>\d{5}cz/)
    assert.match(
      marc,
      /tag="100" ind1="1" ind2=" "> <subfield code="a">MacKintosh, Elizabeth,<\/subfield> <subfield code="d">1896-1952/
    )
    assert.match(marc, /tag="400" ind1="1" ind2=" "> <subfield code="a">Macintosh, Beth/)
    const before = await find('genre', 'Whodunits')
    const file = (await service.get('/export?format=marcauth&type=genre')).text
    const other = await start({ after }, {})
    const job = await importPayload(other, file, { type: 'application/marcxml+xml' })
    assert.equal(job.state, 'done')
    const { body } = await other.filter([
      { type: 'type', value: 'genre' },
      { type: 'selection', key: ['name'], value: 'Whodunits', match_exact: true }
    ])
    const again: Found = body.results[0]
    for (const key of ['name', 'non_preferred_name', 'scheme', 'scope_note', 'note', 'source'])
      assert.deepEqual(valuesOf(again, key), valuesOf(before, key), key)
    assert.deepEqual(again.relations.map(({ type }) => type).sort(), before.relations.map(({ type }) => type).sort())
  })

  it('is harvested by OAI-PMH and searched by SRU, by each of its names', async () => {
    const { text } = await service.get('/oai?verb=ListRecords&metadataPrefix=marcauth&set=related:genre')
    assert.match(text, /tag="455"[\s\S]*Murder mysteries/)
    const whole = await service.get('/oai?verb=ListIdentifiers&metadataPrefix=marcauth')
    assert.doesNotMatch(whole.text, /<setSpec>(?:bibliographic|holdings|stage)/)
    const found = await service.get('/sru/genre?query=dc.title%3D%22murder%20mysteries%22&recordSchema=marcauth')
    assert.match(found.text, /<zs:numberOfRecords>1</)
    assert.match(found.text, /tag="155"[\s\S]*Whodunits/)
  })

  it('is a concept of SKOS with its broader, narrower and related concepts', async () => {
    const novels = await find('genre', 'Whodunits')
    const { text } = await service.get(`/entities/${novels.id}?format=skos`)
    for (const expected of [
      /rdf:resource="http:\/\/www\.w3\.org\/2004\/02\/skos\/core#Concept"/,
      /<skos:prefLabel>Whodunits</,
      /<skos:altLabel>Murder mysteries</,
      /<skos:scopeNote>Use for novels/,
      /<skos:inScheme rdf:resource="http:\/\/id\.loc\.gov\/vocabulary\/subjectSchemes\/gsafd"/,
      /<skos:prefLabel>Crime stories</,
      /<skos:prefLabel>Locked-room puzzles</
    ])
      assert.match(text, expected)
    for (const relation of ['broader', 'narrower', 'related'])
      assert.match(text, new RegExp(`<skos:${relation} rdf:resource=`), relation)
    assert.doesNotMatch(text, /<(?:schema|bf):/)
  })

  it('keeps the integrity conditions of SKOS, whatever its record says', async () => {
    const heading = (more: string) => `LDR/06 z\n155 ## $a${more}`
    await importFile({
      skos1: heading('Ballads of skos\n455 ## $aBallads of skos\n455 ## $aLays of skos\n555 ## $wg$aSongs of skos'),
      skos2: heading('Songs of skos\n555 ## $wh$aBallads of skos\n555 ## $wg$aMusic of skos'),
      skos3: heading('Music of skos\n555 ## $aSongs of skos'),
      skos4: heading('Rounds of skos\n555 ## $aBallads of skos\n555 ## $wg$aSongs of skos')
    })
    const lines = await readRdfXml((await service.get('/export?format=skos')).text)
    assert.ok(lines.some(each => each.includes('Lays of skos')))
    assert.deepEqual(skosFaults(lines), [])
    // The checker finds faults.
    const alt = lines.find(each => each.includes('Lays of skos')) ?? ''
    assert.match(skosFaults([...lines, alt.replace('altLabel', 'prefLabel')]).join(), /S13[\s\S]*S14/)
  })

  it('is renamed in the records that use it, everywhere at once', async () => {
    await importFile({ kif: '100 1# $aTey, Josephine\n245 10 $aThe daughter of time\n655 #7 $aWhodunits$2gsafd' })
    const { id } = await find('genre', 'Whodunits')
    const metadata = [{ key: 'name', value: 'Detective novels' }]
    assert.equal((await service.patch(`/entities/${id}`, { metadata })).status, 200)
    const books = await service.filter([
      { type: 'search', value: 'detective novels daughter' },
      { type: 'type', value: 'manifestation' }
    ])
    const book = books.body.results[0].id
    for (const path of [`/entities/${book}?format=marcxml`, `/sru?query=daughter&recordSchema=mods`, `/record/${book}`])
      assert.match((await service.get(path)).text, /Detective novels/, path)
  })

  it('that is a pseudonym is one search with the person: either name finds the works of both', async () => {
    await importFile({
      bordeaux: '100 1# $aMacKintosh, Elizabeth,$d1896-1952\n245 10 $aThe laughing woman',
      singing: '100 1# $aTey, Josephine\n245 10 $aThe singing sands'
    })
    const titles = async (words: string) => {
      const { body } = await service.filter([
        { type: 'search', value: words },
        { type: 'type', value: 'manifestation' }
      ])
      return body.results.map((each: Found) => valuesOf(each, 'title')[0]).sort()
    }
    const all = ['The daughter of time', 'The laughing woman', 'The singing sands']
    for (const words of ['tey', 'mackintosh', 'macintosh beth', 'josephine tey'])
      assert.deepEqual(await titles(words), all, words)
    assert.deepEqual(await titles('mackintosh sands'), ['The singing sands'])
    assert.deepEqual(await titles('tey laughing'), ['The laughing woman'])
    assert.deepEqual(await titles('sands macintosh tey'), ['The singing sands'])
  })

  it('has the works under its pseudonyms on its page, and a pseudonym says whose it is', async () => {
    const pageOf = async (name: string, query = '') => {
      const { id } = await find('person', name)
      return (await service.get(`/record/${id}${query}`, { token: undefined })).text
    }
    const rowsOf = (text: string) =>
      [...text.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = '']) => row.replaceAll(/<[^>]*>/g, '').trim())
    for (const order of ['', '?sort=year']) {
      const person = rowsOf(await pageOf('MacKintosh, Elizabeth', order))
      for (const row of [/The laughing woman(?! as )/, /The singing sands as Josephine Tey/])
        assert.equal(person.filter(each => row.test(each)).length, 1, `${row} ${person.join('\n')}`)
    }
    const { id } = await find('person', 'MacKintosh, Elizabeth')
    const listed = (await service.get(`/find?related=refAuthors:${id}&type=work`, { token: undefined })).text
    for (const title of ['The laughing woman', 'The singing sands']) assert.ok(listed.includes(title), title)
    const pseudonym = await pageOf('Tey, Josephine')
    assert.match(pseudonym, /<dt>Pseudonym of<\/dt><dd><a [^>]*>Elizabeth MacKintosh</)
    const own = rowsOf(pseudonym).join('\n')
    assert.ok(own.includes('The singing sands') && !own.includes('laughing'))
  })

  it('that is a pseudonym is one search for readers, in the field of authors and by SRU too', async () => {
    const all = ['The daughter of time', 'The laughing woman', 'The singing sands']
    for (const name of ['tey', 'mackintosh', 'macintosh']) {
      for (const words of [name, `author:${name}`]) {
        const { text } = await service.get(`/find?q=${words}`, { token: undefined })
        assert.deepEqual(
          all.filter(each => text.includes(each)),
          all,
          words
        )
      }
      for (const query of [name, `dc.creator=${name}`, `bib.namePersonal=${name}`]) {
        const { text } = await service.get(`/sru?query=${query}`)
        assert.match(text, /<zs:numberOfRecords>3</, query)
      }
    }
    assert.match((await service.get('/sru?query=dc.creator=quirke')).text, /<zs:numberOfRecords>0</)
  })

  it('shows its other names, its relations and the records that refer to it on its page', async () => {
    const novels = await find('genre', 'Detective novels')
    const { text } = await service.get(`/record/${novels.id}`)
    for (const words of ['Murder mysteries', 'Broader', 'Crime stories', 'Narrower', 'Locked-room puzzles', 'See also'])
      assert.ok(text.includes(words), words)
  })
})

describe('An authority record that was imported', () => {
  const lccn = `LDR/06 z
001 n1
003 DLC
005 19990101000000.0
100 1# $aQuirke, Ada,$d1899-1970
368 ## $cNovelists, Irish
371 ## $aDublin
400 1# $aQuirk, Ada
670 ## $aHer The lighthouse, 1931:$bt.p. (Ada Quirke)
678 0# $aShe wrote about lighthouses
700 17 $aQuirke, Ada$0(DE-588)1$2gnd`
  const linesOf = async (id: string) => {
    const { text } = await service.get(`/entities/${id}?format=marcauth`)
    const parts = [
      ...text.matchAll(/<(?:controlfield|datafield) tag="(\d+)"[^>]*>([\s\S]*?)<\/(?:controlfield|datafield)>/g)
    ]
    return parts.map(([, tag, content = '']) => `${tag} ${content.replaceAll(/(?:\s*<[^>]*>\s*)+/g, '|')}`)
  }

  it('comes out as it came in, but for what was edited here, and is found when it is imported again', async () => {
    await importFile({ lccn })
    const { id } = await find('person', 'Quirke, Ada')
    const before = await linesOf(id)
    assert.ok(before.some(each => each.startsWith('368')) && before.some(each => each.startsWith('700')), `${before}`)
    const { body } = await service.get(`/entities/${id}`)
    const metadata = (key: string, value: string) =>
      body.metadata.filter((each: { key: string }) => each.key === key).map((each: object) => ({ ...each, value }))
    await service.patch(`/entities/${id}`, { metadata: metadata('biography', 'She wrote about towers') })
    await service.patch(`/entities/${id}`, { metadata: metadata('name', 'Quirke, Ada Mary') })
    const after = await linesOf(id)
    const isTime = (line: string) => line.startsWith('005')
    assert.deepEqual(
      {
        gone: before.filter(each => !isTime(each) && !after.includes(each)),
        come: after.filter(each => !isTime(each) && !before.includes(each))
      },
      {
        gone: ['100 |Quirke, Ada,|1899-1970|', '678 |She wrote about lighthouses|'],
        come: ['100 |Quirke, Ada Mary,|1899-1970|', '678 |She wrote about towers|']
      }
    )
    const file = (await service.get(`/entities/${id}?format=marcauth`)).text
    const again = await importPayload(service, file, { type: 'application/marcxml+xml' })
    assert.deepEqual([again.state, again.counts.created], ['done', 0])
    assert.equal((await find('person', 'Quirke, Ada Mary')).id, id)
    // The name that it had in its file is another form of its name now.
    assert.deepEqual(
      (await linesOf(id)).filter(each => !after.includes(each) && !isTime(each)),
      ['400 |Quirke, Ada|']
    )
  })

  it('is no other record when the catalogue composed it', async () => {
    const { id } = await service.create({ type: 'person', metadata: [{ key: 'name', value: 'Penrose, Ivy' }] })
    await service.patch(`/entities/${id}`, { metadata: [{ key: 'non_preferred_name', value: 'Penrose, I.' }] })
    const file = (await service.get('/export?format=marcauth&type=person')).text
    assert.match(file, /Penrose, Ivy/)
    const again = await importPayload(service, file, { type: 'application/marcxml+xml' })
    assert.deepEqual([again.state, again.counts.created, again.counts.unreadable], ['done', 0, 0])
    assert.equal((await find('person', 'Penrose, Ivy')).id, id)
  })

  it('moves to another catalogue with the entities', async () => {
    const { id } = await find('person', 'Quirke, Ada Mary')
    const lines = (await service.get('/export?format=ndjson')).text
    const other = await start({ after }, {})
    const job = await importPayload(other, lines, { type: 'application/x-ndjson' })
    const remarks = (await other.get(`/imports/${job.id}/remarks`)).text
    assert.deepEqual([job.state, job.counts.unreadable], ['done', 0], remarks)
    const moved = (await other.get(`/entities/${id}?format=marcauth`)).text
    assert.match(moved, /tag="368"/)
    assert.match(moved, /Quirke, Ada Mary/)
  })
})
