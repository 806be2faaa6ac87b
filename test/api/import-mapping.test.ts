import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'

import { parse } from 'csv-parse/sync'
import ICAL from 'ical.js'

import { aRecord, aVenue } from '../support/records/entities.ts'
import { linesOf } from '../support/records/import-content.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { adminToken, start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

/* Programmes of houses, which a mapping turns into productions, performances, venues and people. */

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org' })
const { get, post, patch, create } = service

const example = (name: string) => readFileSync(new URL(`../../examples/programmes/${name}`, import.meta.url))
const mappingOf = (name: string) => JSON.parse(example(`${name}-mapping.json`).toString())

const send = (file: string | Buffer, mapping: unknown, query = '') =>
  importPayload(service, file, {
    query: `?mapping=${encodeURIComponent(JSON.stringify(mapping))}${query}`,
    type: 'text/csv'
  })
const undo = async (id: string) => {
  await post(`/imports/${id}/undo`, undefined)
  await workOn(service, id)
}
const remarksOf = async ({ id }: { id: string }): Promise<string[]> => {
  const { body } = await get(`/imports/${id}/remarks`)
  return body.map((each: { number: number; remarks: string[] }) => `${each.number} ${each.remarks.join(' + ')}`)
}
const createdIn = ({ entities }: { entities: Record<string, { created: number }> }) =>
  Object.fromEntries(Object.entries(entities).map(([type, { created }]) => [type, created]))
const firstOf = (entity: { metadata: { key: string; value: unknown }[] }, key: string) =>
  entity.metadata.find(each => each.key === key)?.value
const keysOf = (entity: { relations: { type: string; key: string }[] }, type: string) =>
  entity.relations.filter(each => each.type === type).map(each => each.key)
const read = async (id: string) => (await get(`/entities/${encodeURIComponent(id)}`)).body
const eventsOf = async (id: string) => {
  const { status, text } = await get(`/entities/${encodeURIComponent(id)}/calendar.ics`)
  assert.equal(status, 200, text)
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map(each => new ICAL.Event(each))
}
/** The moments of the performances on the page of a production. */
const startsOf = async (id: string) => {
  const { body } = await get(`/entities/${id}?format=schema`)
  return [body.subEvent]
    .flat()
    .map((each: { startDate: string }) => new Date(each.startDate).toISOString())
    .sort()
}
const timesOf = async (id: string) => (await eventsOf(id)).map(each => each.startDate.toJSDate().toISOString())

describe('A table of a theatre: semicolons, HTML, several dates in a cell', () => {
  it('is previewed without being written, imported, repeated without a change, and undone', async () => {
    const before = await linesOf(service.libretto.store)
    const [file, mapping] = [example('schouwburg.csv'), mappingOf('schouwburg')]
    const preview = await send(file, mapping, '&preview=1')
    assert.deepEqual(await linesOf(service.libretto.store), before)
    const lines = (await get(`/imports/${preview.id}/preview`)).body
    assert.deepEqual(
      lines[0].records.map((each: { type: string; title: string; outcome: string }) =>
        [each.type, each.title, each.outcome].join(' ')
      ),
      [
        'production De zeemeermin created',
        'performance 2027-03-12T19:30:00+01:00 created',
        'performance 2027-03-14T14:00:00+01:00 created',
        'venue Grote zaal created',
        'company Gezelschap Noordzij created',
        'genre Familie created'
      ]
    )
    const first = await send(file, mapping)
    assert.deepEqual(createdIn(first), { production: 5, performance: 5, venue: 2, company: 2, genre: 4 })
    assert.deepEqual(createdIn(preview), createdIn(first))
    assert.deepEqual(preview.counts, first.counts)
    assert.deepEqual(await remarksOf(first), [
      '2 Omschrijving: Unsafe markup was removed from "description": <script>',
      '6 Speeldata: "31/2/2027 20:15" is not a date + performance: "start" is required for a performance'
    ])
    const imported = await linesOf(service.libretto.store)
    const again = await send(file, mapping)
    assert.deepEqual([again.counts.created, again.counts.updated], [0, 0])
    assert.deepEqual(await linesOf(service.libretto.store), imported)
    await undo(again.id)
    assert.deepEqual(await linesOf(service.libretto.store), imported)
    await undo(first.id)
    assert.deepEqual(await linesOf(service.libretto.store), before)
    // An undone import can be repeated.
    assert.deepEqual(createdIn(await send(file, mapping)), createdIn(first))
  })

  it('has its texts, lengths, ages and accents, in the zone of the mapping on both sides of the clock change', async () => {
    const mermaid = await read('schouwburg-101')
    assert.deepEqual(
      ['title', 'subtitle', 'description', 'duration', 'age_category'].map(key => firstOf(mermaid, key)),
      ['De zeemeermin', 'Een sprookje', '<p>Een zeemeermin <strong>zingt</strong> één lied. </p>', 75, '6+']
    )
    const cafe = await read('schouwburg-102')
    assert.equal(firstOf(cafe, 'title'), 'Café Müller & zn.')
    assert.equal(firstOf(cafe, 'description'), '<p>Eerste regel</p><p>Tweede alinea: "citaat"</p>')
    const genres = await Promise.all(keysOf(cafe, 'refGenres').map(read))
    assert.deepEqual(
      genres.map(each => firstOf(each, 'name')),
      ['Toneel', 'Muziek']
    )
    assert.deepEqual(await timesOf('schouwburg-102'), ['2027-03-27T19:15:00.000Z', '2027-03-28T18:15:00.000Z'])
    const [elegy] = await eventsOf('schouwburg-103')
    assert.equal(elegy?.component.getFirstPropertyValue('status'), 'CANCELLED')
    assert.match(String(elegy?.location), /Grote zaal, Utrecht, NL/)
  })

  it('changes what the file changed, and keeps what people changed', async () => {
    await patch('/entities/schouwburg-101', { metadata: [{ key: 'subtitle', value: 'Voor jong en oud' }] })
    const text = example('schouwburg.csv').toString().replace('De zeemeermin', 'De meermin')
    const done = await send(text, mappingOf('schouwburg'))
    assert.deepEqual([done.counts.created, done.counts.updated], [0, 1])
    const mermaid = await read('schouwburg-101')
    assert.deepEqual([firstOf(mermaid, 'title'), firstOf(mermaid, 'subtitle')], ['De meermin', 'Voor jong en oud'])
    await undo(done.id)
    assert.equal(firstOf(await read('schouwburg-101'), 'title'), 'De zeemeermin')
  })
})

describe('Nested JSON of an orchestra', () => {
  it('becomes programmes with concerts, halls, people and their roles', async () => {
    const done = await send(example('orchestra.json'), mappingOf('orchestra'))
    assert.deepEqual(createdIn(done), { production: 2, performance: 2, venue: 2, company: 1, season: 1, person: 4 })
    assert.deepEqual(await remarksOf(done), [
      '2 concerts.Date, concerts.Time: "None" is not a time + performance: "start" is required for a performance'
    ])
    assert.deepEqual(await startsOf('harbor-p-7001'), ['2026-10-30T23:30:00.000Z', '2026-11-01T19:00:00.000Z'])
    const programme = await read('harbor-p-7001')
    const roles = programme.relations.flatMap((each: { metadata?: { value: string }[] }) =>
      (each.metadata ?? []).map(({ value }) => value)
    )
    assert.deepEqual(roles, ['composer', 'conductor', 'performer'])
    const [composer = ''] = keysOf(programme, 'refAuthors')
    assert.equal(firstOf(await read(composer), 'name'), 'Mahler, Gustav')
  })
})

describe('A table of a tour: a row for each performance, in four time zones', () => {
  it('gives each time its offset, and the same moments seen from another zone', async () => {
    const done = await send(example('tour.csv'), mappingOf('tour'))
    assert.deepEqual(createdIn(done), { performance: 4, production: 2, venue: 3, company: 2 })
    assert.deepEqual(await remarksOf(done), [
      '4 Tickets: "url" must be an address of http, https, mailto or tel; the value is left out',
      '6 Date, Time: "soon" is not a date + performance: "start" is required for a performance'
    ])
    assert.deepEqual(await timesOf('tour-S-1'), [
      '2027-03-04T23:00:00.000Z',
      '2027-03-06T19:00:00.000Z',
      '2027-03-15T02:30:00.000Z'
    ])
    const table = async (zone: string) => {
      const { text } = await get(`/entities/tour-S-1/programme.csv?tz=${zone}`)
      return (parse(text, { columns: true }) as Record<string, string>[]).map(each => each.start)
    }
    assert.deepEqual(await table('America/St_Johns'), [
      '2027-03-04T19:30:00-03:30',
      '2027-03-06T15:30:00-03:30',
      '2027-03-15T00:00:00-02:30'
    ])
    assert.deepEqual(await table('Asia/Tokyo'), [
      '2027-03-05T08:00:00+09:00',
      '2027-03-07T04:00:00+09:00',
      '2027-03-15T11:30:00+09:00'
    ])
    assert.deepEqual(await startsOf('tour-S-1'), await timesOf('tour-S-1'))
    // The venues of all rows, and each venue once.
    assert.equal(keysOf(await read('tour-S-1'), 'refVenues').length, 3)
  })
})

describe('A mapping', () => {
  const shows = {
    records: [
      {
        type: 'production',
        id: 'x-{nr}',
        fields: { title: 'title', duration: 'length' },
        relations: { refVenues: [{ from: 'venue' }, { id: 'x-hall-{hall}' }] }
      }
    ]
  }
  const table = (...rows: string[]) => ['nr,title,length,venue,hall', ...rows].join('\n')

  it('finds records that people created, by name or identifier, and fills only what they lack', async () => {
    const venue = await create(aVenue('Het Lege Huis', { id: 'VE-leeg' }))
    const hall = await create(aRecord('venue', { name: 'Zaal 1' }, {}, { identifiers: ['x-hall-1'] }))
    const done = await send(table('1,Een,60,Het Lege Huis,1'), shows)
    assert.deepEqual(createdIn(done), { production: 1 })
    assert.deepEqual(keysOf(await read('x-1'), 'refVenues'), [venue.id, hall.id])
  })

  it('leaves out values and relations that cannot be, and rows that name no record, with the reason', async () => {
    const done = await send(
      table('2,Twee,lang,,', '3,Drie,-5,,', '4,Vier,60,,9', ',Vijf,60,,', '6,,60,,', '7,Zeven,60'),
      shows
    )
    assert.deepEqual([done.counts.created, done.counts.unreadable], [3, 3])
    assert.deepEqual(await remarksOf(done), [
      '2 length: "lang" is not a length in minutes',
      '3 length: "-5" is not a length in minutes',
      '4 hall: No record has the identifier "x-hall-9"; the relation is left out',
      '5 nr: Empty, but it identifies the production; the record is left out + The row has no record of the mapping',
      '6 production: "title" is required for a production',
      '7 The row has 3 columns, the header 5'
    ])
  })

  it('replaces the relations that a changed row has', async () => {
    await send(table('8,Acht,60,Zaal Noord,'), shows)
    const [north] = keysOf(await read('x-8'), 'refVenues')
    await send(table('8,Acht,60,Zaal Zuid,'), shows)
    const venues = keysOf(await read('x-8'), 'refVenues')
    assert.equal(venues.length, 1)
    assert.notEqual(venues[0], north)
  })

  it('keeps a venue that rows far apart spell in two ways, and changes nothing at a second import', async () => {
    // More rows than are placed together.
    const between = Array.from({ length: 450 }, (_, row) => `${1000 + row},Show ${row},60,,`)
    const file = table('9,Negen,60,Kaai & Dok,', ...between, '10,Tien,60,Kaai and Dok,')
    await send(file, shows)
    const [first, last] = [keysOf(await read('x-9'), 'refVenues'), keysOf(await read('x-10'), 'refVenues')]
    assert.deepEqual(first, last)
    assert.equal(firstOf(await read(first[0] ?? ''), 'name'), 'Kaai & Dok')
    const { counts } = await send(file, shows)
    assert.deepEqual([counts.created, counts.updated], [0, 0])
  })

  it('is refused with the place of every fault', async () => {
    const refused = async (mapping: unknown) =>
      post(`/imports?mapping=${encodeURIComponent(JSON.stringify(mapping))}`, 'nr\n1\n', {
        headers: { 'content-type': 'text/csv' }
      })
    const answer = await refused({
      zone: 'Mars/Olympus',
      records: [
        { type: 'play', id: '{nr}' },
        { type: 'venue', fields: { name: 'n' } },
        {
          type: 'performance',
          id: 'x',
          fields: { start: { form: 'n' } },
          relations: { refVenues: 'hall', refX: 'venue' }
        }
      ]
    })
    assertProblem(answer, 'invalid')
    assert.deepEqual(
      answer.body.errors.map((each: { pointer: string }) => each.pointer),
      [
        'mapping/records/0/type',
        'mapping/records/1',
        'mapping/records/2/id',
        'mapping/records/2/fields/start/form',
        'mapping/records/2/fields/start/from',
        'mapping/records/2/relations/refX',
        'mapping/records/2/relations/refVenues',
        'mapping/zone'
      ]
    )
    assertProblem(await refused({ records: [] }), 'invalid')
  })
})

describe('POST /imports/mapping', () => {
  const propose = async (file: string | Buffer, query = '', name = 'house.csv') => {
    const answer = await service.app.inject({
      method: 'POST',
      url: `/imports/mapping?name=${name}${query}`,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/octet-stream' },
      payload: file
    })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  it('proposes a mapping from the names of columns, which imports the file', async () => {
    const { subject, mapping, columns } = await propose(example('schouwburg.csv'))
    assert.equal(subject, 'records')
    assert.deepEqual(columns[3], { name: 'Gezelschap', example: 'Gezelschap Noordzij', meaning: 'company name' })
    assert.deepEqual(
      mapping.records.map((each: { type: string; id?: string; find?: string[] }) => [each.type, each.id ?? each.find]),
      [
        ['production', 'house-production-{Nr}'],
        ['performance', 'house-performance-{Nr}-{Zaal}-{@}']
      ]
    )
    assert.deepEqual(mapping.records[0].relations.refGenres, { from: 'Genre', type: 'genre', split: '|' })
    const done = await send(example('schouwburg.csv'), { ...mapping, dates: 'DMY' }, '&preview=1')
    assert.deepEqual([done.entities.production.created, done.entities.performance.created], [5, 5])
  })

  it('proposes lists in nested JSON, and the path of the rows', async () => {
    const { subject, mapping } = await propose(example('orchestra.json'))
    assert.equal(subject, 'records')
    assert.equal(mapping.rows, 'programs')
    const concert = mapping.records.find((each: { type: string }) => each.type === 'performance')
    assert.deepEqual([concert.each, concert.fields.start], ['concerts', { from: ['@.Date', '@.Time'] }])
  })

  it('reads names in lists of objects, and tells a list of agencies by the name of its file', async () => {
    const shows = [{ id: 'show:1', title: 'Golf', artists: [{ id: 'a:1', name: 'De Zee' }] }]
    const { mapping } = await propose(JSON.stringify(shows))
    assert.deepEqual(mapping.records, [
      {
        type: 'production',
        id: 'house-production-{id}',
        fields: { title: 'title' },
        relations: { refCompanies: { from: 'artists.name', type: 'company' } }
      }
    ])
    const done = await send(JSON.stringify(shows), mapping, '&preview=1')
    assert.deepEqual(createdIn(done), { production: 1, company: 1 })
    const listed = async (name: string) =>
      (await propose(JSON.stringify([{ id: 'x:1', name: 'Zuiderwind' }]), '', name)).mapping.records[0].type
    assert.deepEqual(
      [await listed('booking_agencies.json'), await listed('gezelschappen.json'), await listed('zalen.json')],
      ['booking_agency', 'company', 'venue']
    )
  })

  it('takes members of every object for columns', async () => {
    const { columns } = await propose('[{"__proto__":"venue","constructor":"x","title":"Golf"}]')
    assert.deepEqual(
      columns.map((each: { name: string; meaning: string }) => [each.name, each.meaning]),
      [
        ['__proto__', ''],
        ['constructor', ''],
        ['title', 'production title']
      ]
    )
  })

  it('takes the meanings that a person chose', async () => {
    const meanings = { Wie: 'person name', Jaren: 'person life_dates', Titel: '' }
    const query = `&meanings=${encodeURIComponent(JSON.stringify(meanings))}`
    const { mapping, subject } = await propose('Wie;Jaren;Titel\nAnna Berg;1948-;x\n', query)
    assert.equal(subject, 'unclear')
    assert.deepEqual(mapping, {
      records: [{ type: 'person', find: ['name'], fields: { name: 'Wie', life_dates: 'Jaren' } }]
    })
  })

  it('tells publications, entities and other files from rows, and refuses meanings that are none', async () => {
    assert.equal((await propose('title,author,isbn\nx,y,z\n')).subject, 'publications')
    assert.equal((await propose('{"type":"person","metadata":[]}\n')).subject, 'entities')
    assert.equal((await propose('<collection/>')).subject, 'other')
    assert.equal((await propose('')).subject, 'other')
    const wrong = await post('/imports/mapping?meanings=[]', 'a,b\n', { headers: { 'content-type': 'text/csv' } })
    assertProblem(wrong, 'invalid')
  })
})

describe('A table without a mapping', () => {
  const sendPlain = async (file: string, query = '') => {
    const { body } = await post(`/imports?preview=1${query}`, file, { headers: { 'content-type': 'text/csv' } })
    await workOn(service, body.id)
    return (await get(`/imports/${body.id}`)).body
  }

  it('is not taken for publications if its columns are those of a programme, or tell nothing', async () => {
    for (const file of ['id,title,theatre,year\n1,Hamlet,Globe,1603\n', 'id,title,year\n1,Hamlet,1603\n']) {
      const done = await sendPlain(file)
      assert.deepEqual([done.counts.created, done.counts.unreadable, done.entities], [0, 1, {}], file)
      assert.match(
        (await remarksOf(done)).join(),
        /with a mapping; or, if its rows are publications, with the format "csv"/
      )
    }
  })

  it('is read as publications if its columns are theirs, or the person says so', async () => {
    assert.equal((await sendPlain('id,title,author\n1,Hamlet,Shakespeare\n')).counts.created, 1)
    assert.equal((await sendPlain('id,title,year\n1,Hamlet,1603\n', '&format=csv')).counts.created, 1)
  })
})
