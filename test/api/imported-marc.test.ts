import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { readMarc } from '#formats/marc/read-marc.ts'
import { isDataField, type MarcField, type MarcRecord } from '#formats/marc/record.ts'
import { importPayload } from '../support/services/import-file.ts'
import { adminToken, start, type Teardown, type TestService } from '../support/services/start.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { assertValid } from '../support/oracles/validate-xml.ts'

/* Records that were imported as MARC, as harvesters and searching catalogues receive them. */

const publicUrl = 'https://catalogue.example.org'
const oaiDomain = 'catalogue.example.org'

const shelf = {
  tide: `020 ## $a9789025701017
082 04 $a839.31$223
100 1# $aVerhoeven, Mila,$d1911-1984$0(viaf)1234$1http://viaf.org/viaf/1234
245 14 $6880-01$aThe tide :$ba novel /$cMila Verhoeven.
250 ## $a2nd ed.
264 #1 $aGent :$bDe Kade,$c1951.
520 ## $aA woman waits for the tide.
650 #0 $aTides$0(LC)sh1
856 40 $uhttps://example.org/full-text$yFull text
880 14 $6245-01$aПрилив
949 ## $aLocal`
}

/** A recording with everything that its record says beside title, makers and subjects. */
const recording = {
  rashomon: `010 ## $a   85153773
020 ## $z0394170660 (pbk.)
022 ## $a1234-5679$y1234-567X
028 02 $a4195$bBlue Moon
050 00 $aPL801.K8$bR3 1999
080 ## $a78.085
082 04 $a895.6/342$223
100 1# $6880-02$aAkutagawa, Ryūnosuke,$d1892-1927
245 10 $6880-01$aRashōmon :$bopera /$cAkutagawa Ryūnosuke.
306 ## $a013000$a002930
500 ## $aSung in Kyotoan dialect.
502 ## $aThesis (Ph. D.)--Universiteit Zeeland, 1995.
505 0# $aOuverture -- Poortscène.
506 ## $aOnly in the reading room.
508 ## $aProduced by Fleur Dubois.
511 0# $aOrkest van de Delta, dir. Hugo Stam.
520 ## $aA servant shelters under a gate.
773 0# $tTheatre quarterly.$gVol. 24, no. 9 (1993), p. 235-48
780 00 $tOperas of the gate
785 00 $tStages of the delta
856 40 $3Libretto$uhttps://example.org/libretto.pdf$yRead it here
880 10 $6245-01/$1$a羅生門 :$b歌劇 /$c芥川龍之介.
880 1# $6100-02/$1$a芥川龍之介,$d1892-1927`
}

/** Every field as a line: `245 14 $aTitle`. */
const lineOf = (field: MarcField) =>
  isDataField(field)
    ? `${field.tag} ${field.indicators.replaceAll(' ', '#')} ${field.subfields.map(({ code, value }) => `$${code}${value}`).join('')}`
    : `${field.tag} ${field.value}`

async function recordIn(text: string): Promise<MarcRecord> {
  for await (const reading of readMarc([Buffer.from(text)], { form: 'marcxml' }))
    if (reading.outcome === 'record') return reading.record
  assert.fail(`No MARC record in ${text}`)
}

const linesIn = async (text: string) => (await recordIn(text)).fields.map(lineOf)

async function startWith(
  t: Teardown,
  environment: Record<string, string> = { PUBLIC_URL: publicUrl },
  records: Readonly<Record<string, string>> = shelf
) {
  const service = await start(t, environment)
  await importPayload(service, marcFile(records))
  return service
}

/** The record by each of the ways to get MARCXML. */
async function everyWay({ get }: TestService, id: string, token = adminToken, domain = oaiDomain) {
  const oai = `/oai?verb=GetRecord&metadataPrefix=marcxml&identifier=oai:${domain}:${id}`
  const sru = `/sru?version=1.2&operation=searchRetrieve&query=rec.id=${id}&recordSchema=marcxml`
  const answers = {
    oai: await get(oai, { token }),
    sru: await get(sru, { token }),
    format: await get(`/entities/${id}?format=marcxml`, { token }),
    export: await get('/export?format=marcxml', { token })
  }
  const lines = await Promise.all(Object.values(answers).map(({ text }) => linesIn(text)))
  await assertValid(answers.oai.text, answers.sru.text)
  const [first, second, third, fourth] = lines
  return { oai: first ?? [], sru: second ?? [], format: third ?? [], export: fourth ?? [] }
}

const isLink = (line: string) => line.startsWith('856 42 ')
const without = (lines: readonly string[], ...gone: readonly string[]) => lines.filter(each => !gone.includes(each))

async function sourceLines() {
  for await (const reading of readMarc([marcFile(shelf)], { form: 'iso2709' }))
    if (reading.outcome === 'record') return reading.record.fields.map(lineOf)
  assert.fail('No source')
}

async function manifestationId(service: TestService): Promise<string> {
  return (await service.get('/entities/tide')).body.id
}

async function publicationsFound(service: TestService, words: string): Promise<string[]> {
  const answer = await service.filter([
    { type: 'search', value: words },
    { type: 'type', value: 'manifestation' }
  ])
  return answer.body.results.map(({ id }: { id: string }) => id)
}

async function authorId(service: TestService): Promise<string> {
  const { results } = (await service.filter([{ type: 'type', value: 'person' }])).body
  return results[0].id
}

const service = await startWith({ after }, { PUBLIC_URL: publicUrl }, recording)

describe('What a record says beside title, makers and subjects', async () => {
  const { id } = (await service.get('/entities/rashomon')).body

  it('is in the model', async () => {
    const { body } = await service.get(`/entities/${id}`)
    const entries = (key: string) => body.metadata.filter((each: { key: string }) => each.key === key)
    const value = (key: string) => entries(key).map((each: { value: unknown }) => each.value)
    assert.deepEqual(
      Object.fromEntries(
        [
          'summary',
          'contents',
          'note',
          'thesis',
          'access',
          'credits',
          'performers',
          'duration',
          'link',
          'host',
          'preceding_title',
          'succeeding_title'
        ].map(key => [key, value(key)])
      ),
      {
        summary: ['A servant shelters under a gate.'],
        contents: ['Ouverture -- Poortscène.'],
        note: ['Sung in Kyotoan dialect.'],
        thesis: ['Thesis (Ph. D.)--Universiteit Zeeland, 1995.'],
        access: ['Only in the reading room.'],
        credits: ['Produced by Fleur Dubois.'],
        performers: ['Orkest van de Delta, dir. Hugo Stam.'],
        duration: [120],
        link: ['https://example.org/libretto.pdf Libretto Read it here'],
        host: ['Theatre quarterly ; Vol. 24, no. 9 (1993), p. 235-48'],
        preceding_title: ['Operas of the gate'],
        succeeding_title: ['Stages of the delta']
      }
    )
    assert.deepEqual(
      ['lccn', 'dewey', 'lcc', 'udc', 'publisher_number', 'cancelled_isbn', 'cancelled_issn'].map(key => value(key)[0]),
      ['85153773', '895.6342', 'PL801.K8 R3 1999', '78.085', '4195 ; Blue Moon', '9780394170664', '1234-567X']
    )
    assert.deepEqual(entries('title'), [
      { key: 'title', value: 'Rashōmon' },
      { key: 'title', value: '羅生門', lang: 'en-Hani' }
    ])
    const person = await service.get(`/entities/${await authorId(service)}`)
    assert.deepEqual(
      person.body.metadata.filter(({ key }: { key: string }) => key.endsWith('name')),
      [
        { key: 'name', value: 'Akutagawa, Ryūnosuke' },
        { key: 'non_preferred_name', value: '芥川龍之介' }
      ]
    )
  })

  it('is found by a search for any of it, a publication also by its author in the original script', async () => {
    for (const words of ['servant shelters', 'Poortscène', 'Kyotoan', 'Delta Stam', '895.6342', '85153773', '4195'])
      assert.deepEqual(await publicationsFound(service, words), [id], words)
    for (const words of [
      '0-394-17066-0',
      'example.org libretto',
      '羅生門',
      '芥川龍之介',
      'Zeeland',
      'theatre quarterly',
      'stages delta'
    ])
      assert.deepEqual(await publicationsFound(service, words), [id], words)
  })

  it('is in Dublin Core, MODS, RDF, citations and the search by SRU', async () => {
    const format = async (name: string) => (await service.get(`/entities/${id}?format=${name}`)).text
    const harvested = async (prefix: string) =>
      (await service.get(`/oai?verb=GetRecord&metadataPrefix=${prefix}&identifier=oai:${oaiDomain}:${id}`)).text
    const [dc, mods] = await Promise.all(['oai_dc', 'mods'].map(harvested))
    await assertValid(dc ?? '', mods ?? '')
    for (const part of [
      'A servant shelters',
      'Poortscène',
      '>895.6342<',
      '>https://example.org/libretto.pdf<',
      '羅生門'
    ])
      assert.ok(dc?.includes(part), `${part} in ${dc}`)
    for (const part of [
      '<abstract>A servant',
      '<tableOfContents>',
      '<note type="performers">',
      '<note type="thesis">',
      'authority="ddc">895.6342<',
      'type="isbn" invalid="yes">9780394170664<',
      '<url displayLabel="Libretto Read it here">https://example.org/libretto.pdf</url>',
      'script="Hani"',
      'type="lccn">85153773',
      '<relatedItem type="host"><titleInfo><title>Theatre quarterly</title></titleInfo><part><text>Vol. 24',
      '<relatedItem type="preceding">',
      '<relatedItem type="succeeding">'
    ])
      assert.ok(mods?.includes(part), `${part} in ${mods}`)
    const turtle = await format('turtle')
    for (const part of [
      'schema:abstract',
      'bf:ClassificationDdc',
      'bf:Lccn',
      'bf:electronicLocator',
      'mstatus/cancinv'
    ])
      assert.ok(turtle.includes(part), `${part} in ${turtle}`)
    assert.match(await format('ris'), /^TY {2}- JOUR[\s\S]*T2 {2}- Theatre quarterly[\s\S]*AB {2}- A servant shelters/)
    assert.match(await format('bibtex'), /@article[\s\S]*journal = \{Theatre quarterly\}/)
    assert.equal(JSON.parse(await format('csl'))['container-title'], 'Theatre quarterly')
    assert.match(await format('bibtex'), /abstract = \{A servant shelters/)
    const found = async (query: string) =>
      (await service.get(`/sru?version=1.2&operation=searchRetrieve&query=${encodeURIComponent(query)}`)).text
    for (const query of [
      'dc.description=shelters',
      'bib.classification=895.6342',
      'bath.lccn=85153773',
      'dc.relation="theatre quarterly"'
    ])
      assert.match(await found(query), /numberOfRecords>1</, query)
  })
})

describe('An imported MARC record', () => {
  it('is harvested, searched and exported with every field that it came with', async t => {
    const service = await startWith(t)
    const id = await manifestationId(service)
    const source = await sourceLines()
    const { oai, sru, ...others } = await everyWay(service, id)
    for (const lines of [others.format, others.export]) assert.deepEqual(lines, source)
    for (const lines of [oai, sru]) {
      assert.deepEqual(
        lines.filter(each => !isLink(each)),
        source
      )
      assert.deepEqual(lines.filter(isLink).length, 1)
      assert.match(lines.find(isLink) ?? '', new RegExp(`\\$u${publicUrl}/(?:record|entities)/${id}$`))
    }
  })

  it('keeps what the model does not hold where a person changed a level, and has the changed fields as they are here', async t => {
    const service = await startWith(t)
    const id = await manifestationId(service)
    await service.patch(`/entities/${id}`, { metadata: [{ key: 'edition', value: '3rd ed.' }] })
    const source = await sourceLines()
    for (const lines of Object.values(await everyWay(service, id))) {
      assert.deepEqual(
        without(source, '250 ## $a2nd ed.').filter(each => !lines.includes(each)),
        []
      )
      assert.deepEqual(
        lines.filter(each => !source.includes(each) && !each.startsWith('005') && !isLink(each)),
        ['250 ## $a3rd ed.']
      )
    }
  })

  it('stays linked to its original script where the title was changed', async t => {
    const service = await startWith(t)
    const id = await manifestationId(service)
    await service.patch(`/entities/${id}`, { metadata: [{ key: 'title', value: 'The high tide' }] })
    for (const lines of Object.values(await everyWay(service, id))) {
      assert.ok(lines.includes('880 14 $6245-01$aПрилив'))
      assert.match(lines.find(each => each.startsWith('245')) ?? '', /^245 .. \$6880-01\$aThe high tide/)
    }
  })

  it('names a person as that person is called here since', async t => {
    const service = await startWith(t)
    const id = await manifestationId(service)
    await service.patch(`/entities/${await authorId(service)}`, {
      metadata: [{ key: 'name', value: 'Verhoeven, Emilia' }]
    })
    for (const lines of Object.values(await everyWay(service, id))) {
      const authors = lines.filter(each => each.startsWith('100'))
      assert.equal(authors.length, 1)
      assert.match(authors[0] ?? '', /Verhoeven, Emilia/)
      assert.ok(lines.includes('520 ## $aA woman waits for the tide.'))
    }
  })

  it('is not for those who may not read all that it names; types of the stage do not count', async t => {
    const service = await startWith(t)
    const id = await manifestationId(service)
    const types = service.libretto.model.recordTypes.map(({ type }) => type)
    const stage = ['production', 'performance', 'venue', 'company', 'booking_agency', 'season', 'mediafile']
    const scopes = types.filter(type => !stage.includes(type)).map(type => `read:${type}`)
    // A reader of publications only: hidden are the author, the subjects, and what the record says
    // of them.
    const narrow = await everyWay(
      service,
      id,
      await service.tokenWith('read:manifestation', 'read:expression', 'read:work')
    )
    const withoutAuthors = await everyWay(
      service,
      id,
      await service.tokenWith(...scopes.filter(each => each !== 'read:person'))
    )
    for (const lines of [...Object.values(narrow), ...Object.values(withoutAuthors)]) {
      assert.doesNotMatch(lines.join('\n'), /Verhoeven, |viaf|Local/)
      assert.ok(lines.some(each => each.startsWith('245')))
    }
    for (const more of [[], ['read:production:published']]) {
      const lines = await everyWay(service, id, await service.tokenWith(...scopes, ...more))
      for (const each of Object.values(lines)) assert.ok(each.includes('949 ## $aLocal'), each.join('\n'))
    }
  })

  it('is harvested validly, whatever its indicators, codes and leader are', async t => {
    const service = await startWith(t)
    const id = await manifestationId(service)
    const { store } = service.libretto
    const odd = marcFile(shelf, 'marcxml')
      .toString()
      .replace('ind1="1" ind2="4"', 'ind1="|" ind2="A"')
      .replace('<subfield code="y"', '<subfield code="é"')
      .replace('</record>', '<controlfield tag="007">ta</controlfield></record>')
    const value = JSON.stringify({ form: 'marcxml', base64: Buffer.from(odd).toString('base64') })
    await store.write({ writes: [], state: [{ kind: 'import source', key: id, value }] } as never)
    const { oai } = await everyWay(service, id)
    assert.ok(
      oai.some(each => each.startsWith('245 ## ')),
      oai.join('\n')
    )
  })
})

describe('The public address of a record', () => {
  it('is in every format that is harvested or searched, where it is configured, and in none where it is not', async t => {
    const service = await startWith(t)
    const id = await manifestationId(service)
    const address = new RegExp(`>?"?${publicUrl}/(?:record|entities)/${id}["<]`)
    const person = await authorId(service)
    for (const format of ['oai_dc', 'marcxml', 'mods', 'libretto']) {
      const { text } = await service.get(
        `/oai?verb=GetRecord&metadataPrefix=${format}&identifier=oai:${oaiDomain}:${id}`
      )
      assert.match(text, address)
      await assertValid(text)
    }
    for (const format of ['dc', 'marcxml', 'mods', 'libretto'])
      assert.match(
        (await service.get(`/sru?version=1.2&operation=searchRetrieve&query=rec.id=${id}&recordSchema=${format}`)).text,
        address
      )
    const { text } = await service.get(
      `/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:${oaiDomain}:${person}`
    )
    assert.match(text, new RegExp(`<dc:identifier>${publicUrl}/(?:record|entities)/${person}<`))

    const local = await startWith(t, {})
    const own = await manifestationId(local)
    for (const format of ['oai_dc', 'marcxml', 'mods', 'libretto']) {
      const answer = await local.get(
        `/oai?verb=GetRecord&metadataPrefix=${format}&identifier=oai:libretto.invalid:${own}`
      )
      assert.doesNotMatch(answer.text, /\/(?:record|entities)\/M-/)
    }
  })
})
