import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'

import { formatNames, formats } from '#protocols/formats/registry.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { writeIso2709 } from '#formats/marc/iso2709.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { writeMrk } from '#formats/marc/mrk.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import type { StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import type { Level } from '#domain/entity/publication.ts'
import { all, iso, recordOf, textOf } from '../formats/marc/marc-files.ts'
import { aPerson, aVenue, createBook, metadata, relations } from '../support/records/entities.ts'
import { readNTriples, readTurtle } from '../support/oracles/rdf-graphs.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start } from '../support/services/start.ts'
import { assertValid } from '../support/oracles/validate-xml.ts'
import { assertProblem, messagesOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post } = service

const author = await create(aPerson('Peeters, Anna', { id: 'PERS-anna' }))
const publisher = await create({ type: 'publisher', id: 'PUB-zee', metadata: metadata({ name: 'Zee & "Zon"' }) })
const book = await createBook(service, {
  work: { relations: relations({ refAuthors: author.id }) },
  manifestation: {
    fields: {
      title: '=De "storm", of niet',
      subtitle: 'regel 1\nregel 2',
      isbn: ['978-90-9711-408-1', '90-9758-014-5'],
      edition: 'a|b'
    },
    relations: relations({ refPublishers: publisher.id })
  }
})
const venues = Array.from({ length: 1_203 }, (_, index) => aVenue(`House ${index}`, { id: `VE-${index}` }))
await post(
  '/entities/batch',
  venues.map(entity => ({ op: 'create', entity }))
)

const linesOf = (text: string) => text.split('\n').filter(each => each !== '')
const idsIn = (text: string) => linesOf(text).map(each => JSON.parse(each).id as string)
const recordsIn = async (text: string | Buffer) => (await all(readMarc([Buffer.from(text as string)]))).map(recordOf)

describe('GET /export', () => {
  it('gives every entity as a line, as it is stored, after those that it refers to', async () => {
    const { status, headers, text } = await get('/export?format=ndjson')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/x-ndjson')
    assert.equal(headers['content-disposition'], 'attachment; filename="export.ndjson"')
    assert.deepEqual(idsIn(text), [
      publisher.id,
      ...venues.map(each => each.id),
      author.id,
      book.work,
      book.expression,
      book.manifestation
    ])
    assert.equal(linesOf(text)[0], (await get(`/entities/${publisher.id}`)).text)
  })

  it('narrows to types and umbrellas, and refuses unknown ones and unknown formats', async () => {
    assert.deepEqual(idsIn((await get('/export?type=person,manifestation')).text), [author.id, book.manifestation])
    const unknown = await get('/export?type=nothing')
    assertProblem(unknown, 'invalid')
    assert.match(messagesOf(unknown).join(), /Unknown type "nothing"/)
    assert.equal((await get('/export?format=pdf')).status, 400)
    const refused = await get('/export?format=csl&type=person')
    assert.deepEqual([refused.status, refused.headers['content-disposition']], [400, undefined])
  })

  it('answers HEAD with the headers alone', async () => {
    const { status, text, headers } = await service.call('HEAD', '/export?format=csv&type=venue')
    assert.equal(status, 200)
    assert.equal(text, '')
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  })

  it('writes manifestations as MARC 21, with the work and everything related in them', async () => {
    const { headers, text } = await get('/export?format=marc21')
    assert.equal(headers['content-type'], 'application/marc')
    assert.equal(headers['content-disposition'], 'attachment; filename="export.mrc"')
    const [record, ...others] = await recordsIn(text)
    assert.equal(others.length, 0)
    assert.equal(textOf(record, '001'), book.manifestation)
    assert.equal(textOf(record, '245'), '10$a=De "storm", of niet :$bregel 1 regel 2.')
    assert.equal(textOf(record, '100'), '1 $aPeeters, Anna')
    assert.equal(textOf(record, '264'), ' 1$bZee & "Zon"')
  })

  it('writes the same records as MARCXML', async () => {
    const { headers, text } = await get('/export?format=marcxml')
    assert.equal(headers['content-type'], 'application/marcxml+xml')
    assert.ok(text.startsWith('<?xml') && text.endsWith('</collection>\n'))
    const [fromXml] = await recordsIn(text)
    const [fromIso] = await recordsIn((await get('/export?format=marc21')).text)
    assert.deepEqual(fromXml?.fields, fromIso?.fields)
  })

  it('says that only manifestations can be MARC records', async () => {
    const refused = await get('/export?format=marc21&type=person')
    assertProblem(refused, 'invalid')
    assert.match(messagesOf(refused).join(), /contains manifestations only/)
  })
})

describe('A table', () => {
  const tableOf = async (query: string) => (await get(`/export?format=csv&${query}`)).text

  it('has a row for each entity and a column for each field and relation of its types', async () => {
    const { headers, text } = await get('/export?format=csv&type=manifestation')
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    const [head, ...rest] = text.split('\r\n')
    assert.equal(
      head,
      'id,type,title,subtitle,isbn,issn,isbn_qualifier,ean,year_of_publication,publication_date,copyright_date,distribution,edition,extent,material_type,media_type,series_statement,responsibility,is_omnibus,summary,contents,note,award,cover_link,performers,credits,thesis,duration,link,access,dewey,lcc,udc,terms_of_availability,lccn,publisher_number,cancelled_isbn,cancelled_issn,host,preceding_title,succeeding_title,parallel_title,frequency,numbering,other_version,provenance,technical_details,classification,other_number,other_title,refExpressions,refPublishers,refSeries,refHost,refPlaces,refAuthors,refLanguages,refSisos,refZizos,refTargetAudiences,refCodeWordings'
    )
    assert.deepEqual(rest, [
      `${book.manifestation},manifestation_word,"'=De ""storm"", of niet","regel 1\nregel 2",978-90-9711-408-1 | 90-9758-014-5,,,,,,,,a||b,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,Hamlet,"Zee & ""Zon""",,,,,,,,,`,
      ''
    ])
  })

  it('has the columns that are asked for, by name or by path, in that order', async () => {
    const columns = 'properties.ref_publishers.value,isbn,refPublishers,catalog:1|properties.title.value,type'
    const text = await tableOf(`type=manifestation&raw=1&columns=${encodeURIComponent(columns)}`)
    assert.deepEqual(text.split('\r\n'), [
      columns,
      `PUB-zee,978-90-9711-408-1 | 90-9758-014-5,"Zee & ""Zon""","=De ""storm"", of niet",manifestation_word`,
      ''
    ])
  })

  it('begins with a byte order mark where that is asked for', async () => {
    const { app } = service
    const { token } = { token: await service.tokenWith('read') }
    const get = async (query: string) =>
      (
        await app.inject({
          url: `/export?format=csv&type=person${query}`,
          headers: { authorization: `Bearer ${token}` }
        })
      ).rawPayload
    assert.deepEqual([...(await get('&bom=1')).subarray(0, 5)], [0xef, 0xbb, 0xbf, 0x69, 0x64])
    assert.deepEqual([...(await get('')).subarray(0, 2)], [0x69, 0x64])
  })

  it('is refused with columns that cannot be', async () => {
    const refused = await get('/export?format=csv&columns=title,pro%20perties,a.b')
    assertProblem(refused, 'invalid')
    assert.equal(messagesOf(refused).length, 2)
  })
})

describe('POST /export', () => {
  it('gives citations and linked data as one file each, as each record has them by itself', async () => {
    const second = await createBook(service, { manifestation: { fields: { title: 'De tweede <storm>' } } })
    const ids = [book.manifestation, second.manifestation]
    const exported = async (format: string) =>
      (await post(`/export?format=${format}`, [{ type: 'id', value: ids }])).text
    const alone = (format: string) =>
      Promise.all(ids.map(async id => (await get(`/entities/${id}?format=${format}`)).text))
    assert.equal(await exported('bibtex'), (await alone('bibtex')).join('\n'))
    assert.equal(await exported('ris'), (await alone('ris')).join('\r\n'))
    for (const format of ['csl', 'jsonld'])
      assert.deepEqual(
        JSON.parse(await exported(format)),
        (await alone(format)).map(each => JSON.parse(each))
      )
    const triples = (await alone('ntriples')).join('')
    assert.equal(await exported('ntriples'), triples)
    assert.deepEqual(readTurtle(await exported('turtle')), readNTriples(triples))
    const mods = await exported('mods')
    await assertValid(mods)
    assert.equal(mods.match(/<mods[ >]/g)?.length, 2)
    // Nothing that matches is a file too, and one that can be read.
    for (const [format, empty] of [
      ['bibtex', ''],
      ['csl', '[\n\n]\n'],
      ['ntriples', '']
    ] as const)
      assert.equal((await post(`/export?format=${format}`, [{ type: 'id', value: [] }])).text, empty)
    for (const each of [second.manifestation, second.expression, second.work]) await service.delete(`/entities/${each}`)
  })

  it('gives what filters match, in any format', async () => {
    const filters = [{ type: 'text', key: 'properties.name.value', value: 'House 12*' }]
    assert.equal(linesOf((await post('/export', filters)).text).length, 1 + 10 + 3)
    const [first, ...rest] = (await post('/export?format=csv&columns=id,name', filters)).text.split('\r\n')
    assert.equal(first, 'id,name')
    assert.equal(rest[0], 'VE-12,House 12')
    assert.equal((await recordsIn((await post('/export?format=marc21', filters)).text)).length, 0)
  })

  it('says what is wrong with a filter before anything is sent', async () => {
    assertProblem(await post('/export?format=marc21', [{ type: 'nothing', value: 1 }]), 'unknown_filter_type')
    assertProblem(await post('/export', { type: 'text' }), 'invalid_filter')
  })
})

describe('An export to somebody who may not read everything', () => {
  it('holds nothing of what is hidden, in any format', async () => {
    const token = await service.tokenWith('read:manifestation', 'read:expression', 'read:work')
    for (const format of formatNames) {
      const { status, text } = await get(`/export?format=${format}`, { token })
      assert.equal(status, 200, format)
      const isOfAuthorities = format === 'marcauth' || format === 'skos'
      assert.equal(text.includes(book.manifestation), !isOfAuthorities, format)
      for (const hidden of ['PERS-anna', 'Peeters', 'PUB-zee', 'Zon', 'House', 'VE-', 'premiere_date'])
        assert.ok(!text.includes(hidden), `${hidden} in ${format}`)
    }
    const nothing = await service.tokenWith('write')
    for (const format of ['ndjson', 'csv', 'marc21'])
      assertProblem(await get(`/export?format=${format}`, { token: nothing }), 'forbidden')
    assertProblem(await get('/export', { token: undefined }), 'unauthenticated')
  })
})

describe('A manifestation as one MARC record', () => {
  it('is had by its media type or its format, and has a tag that changes with it', async () => {
    const path = `/entities/${book.manifestation}`
    for (const [mediaType, format] of [
      ['application/marc', 'marc21'],
      ['application/marcxml+xml', 'marcxml'],
      ['application/marc+json', 'marcjson']
    ] as const) {
      const answer = await get(path, { headers: { accept: mediaType } })
      assert.equal(answer.headers['content-type'], mediaType)
      const [record] = await recordsIn(answer.text)
      assert.equal(textOf(record, '001'), book.manifestation)
      assert.equal((await get(`${path}?format=${format}`)).text, answer.text)
      const again = await get(path, { headers: { accept: mediaType, 'if-none-match': String(answer.headers.etag) } })
      assert.equal(again.status, 304)
    }
    assertProblem(await get(`/entities/${author.id}`, { headers: { accept: 'application/marc' } }), 'not_acceptable')
    assertProblem(await get('/entities/M-none', { headers: { accept: 'application/marc' } }), 'not_found')
  })

  it('cannot be had in ISO 2709 when it is too long for it; an export then names it at the end', async t => {
    const other = await start(t)
    const long = await createBook(other, { manifestation: { fields: { responsibility: 'x'.repeat(10_000) } } })
    const refused = await other.get(`/entities/${long.manifestation}?format=marc21`)
    assertProblem(refused, 'not_acceptable')
    assert.match(refused.body.detail, /MARCXML/)
    assert.equal((await other.get(`/entities/${long.manifestation}?format=marcxml`)).status, 200)
    const answer = await other.app.inject({
      url: '/export?format=marc21',
      headers: { authorization: `Bearer ${await other.tokenWith('read')}` }
    })
    assert.equal(answer.body, '')
    assert.equal(answer.trailers['x-left-out'], long.manifestation)
    assert.equal((await recordsIn((await other.get('/export?format=marcxml')).text)).length, 1)
  })
})

describe('A manifestation that was imported', () => {
  /** Exports a manifestation with the stored source record that it came from. */
  const exportWith = async (
    bytes: Buffer,
    changedLevels: readonly Level[],
    format: 'marc21' | 'marcxml' = 'marc21'
  ) => {
    const changed = new Map(changedLevels.map(level => [level, undefined]))
    const kept: StoredSourceRecord = { format: 'iso2709', bytes, changed, items: [], holdings: [] }
    const { catalogue, model, operator } = service.libretto
    const publications: Catalogue['publications'] = {
      ...catalogue.publications,
      findSourceRecords: async () => new Map([[book.manifestation, kept]])
    }
    const parts = { catalogue: { ...catalogue, publications }, model, publicUrl: 'http://catalogue.example' }
    const written = await (await formats[format].load()).one(parts, operator, book.manifestation)
    return written !== undefined && 'body' in written ? written.body : undefined
  }
  const source = iso([
    ['001', 'ocm1'],
    ['008', '970513s1997    be a     b    000 0 eng  '],
    ['245', '10$aStorm /$cAnna Peeters.'],
    ['949', '  $aLocal']
  ])

  it('is given back byte for byte where nothing was changed', async () => {
    assert.deepEqual(await exportWith(source, []), source)
    const marc8 = iso(
      [
        ['001', 'ocm2'],
        ['245', Buffer.from('00\x1fa\xe2etre', 'latin1')]
      ],
      { leader: '00000nam  2200000 a 4500' }
    )
    assert.deepEqual(await exportWith(marc8, []), marc8)
  })

  it('is written anew where its source was broken, so that the file is not', async () => {
    const broken = iso(
      [
        ['001', 'ocm3'],
        ['245', '00$aStorm']
      ],
      { length: '00099' }
    )
    const written = await exportWith(broken, [])
    assert.ok(written)
    assert.notDeepEqual(written, broken)
    const [record] = await recordsIn(written)
    assert.equal(textOf(record, '245'), '00$aStorm')
  })

  it('has the fields of changed levels replaced, and all others as they were', async () => {
    const written = await exportWith(source, ['manifestation'])
    assert.ok(written)
    const [record] = await recordsIn(written)
    assert.ok(record)
    assert.equal(textOf(record, '001'), 'ocm1')
    assert.equal(textOf(record, '949'), '  $aLocal')
    assert.equal(textOf(record, '245'), '10$a=De "storm", of niet :$bregel 1 regel 2.')
    const publication = (
      await service.libretto.catalogue.publications.readMany(service.libretto.operator, [book.manifestation])
    ).get(book.manifestation)
    assert.ok(publication)
    assert.deepEqual(
      describeRecord(record).manifestation.metadata.map(({ key, value }) => ({ key, value })),
      describeRecord(composeRecord(publication).record).manifestation.metadata.map(({ key, value }) => ({
        key,
        value
      })),
      writeMrk(record)
    )
  })

  it('is composed where its source is of another format or dialect', async () => {
    const unimarc = iso(
      [
        ['001', 'u1'],
        ['200', '1 $aStorm']
      ],
      { leader: '00000nam  2200000   450 ' }
    )
    const written = await exportWith(unimarc, [])
    assert.ok(written)
    const [record] = await recordsIn(written)
    assert.equal(textOf(record, '001'), book.manifestation)
    const [fromXml] = await recordsIn((await exportWith(source, [], 'marcxml')) ?? '')
    assert.deepEqual(writeIso2709(fromXml ?? { leader: '', fields: [] }), source)
  })
})

describe('GET /export of a client that calls itself HTTP/2.0 on a plain connection', () => {
  it('is answered like any other, and the service goes on', async () => {
    const socket = connect(await listen(service), '127.0.0.1')
    socket.write(
      `GET /export?format=ndjson HTTP/2.0\r\nhost: x\r\nauthorization: Bearer ${adminToken}\r\nconnection: close\r\n\r\n`
    )
    let received = ''
    for await (const chunk of socket) received += chunk
    assert.match(received, /^HTTP\/1\.1 200 /)
    assert.match(received, /PERS-anna/)
    assert.equal((await get('/entities/PERS-anna')).status, 200)
  })
})
