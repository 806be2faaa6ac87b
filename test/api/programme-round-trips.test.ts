import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'

import ICAL from 'ical.js'
import { SaxesParser } from 'saxes'

import type { Entity } from '#domain/entity/entity.ts'
import { entitiesIn, linesOf } from '../support/records/import-content.ts'
import { schemaOrgFaults } from '../support/oracles/schema-org.ts'
import { aRecord, aVenue } from '../support/records/entities.ts'
import { uitFaults } from '../support/oracles/uitdatabank.ts'
import { importPayload } from '../support/services/import-file.ts'
import { adminToken, start, type TestService } from '../support/services/start.ts'

/*
 * Programmes as houses have them: events of UiTdatabank, calendars and web pages, and spreadsheets.
 * They are imported, edited, exported in every format, and imported elsewhere.
 */

// Nothing depends on the clock of the machine.
process.env.TZ = 'Pacific/Chatham'

const settings = { PUBLIC_URL: 'https://catalogue.example.org', TIME_ZONE: 'Europe/Brussels' }
const service = await start({ after }, settings)
const elsewhere = await start({ after }, settings)

const example = (name: string) => readFileSync(new URL(`../../examples/programmes/${name}`, import.meta.url))
const send = (file: string | Buffer, query = '', to: TestService = service) =>
  importPayload(to, file, { query, type: 'application/octet-stream' })
const remarksOf = async ({ id }: { id: string }, from = service): Promise<string[]> =>
  (await from.get(`/imports/${id}/remarks`)).body.map(
    (each: { number: number; remarks: string[] }) => `${each.number} ${each.remarks.join(' + ')}`
  )
const createdIn = ({ entities }: { entities: Record<string, { created: number }> }) =>
  Object.fromEntries(Object.entries(entities).map(([type, { created }]) => [type, created]))
const valuesOf = ({ metadata }: Pick<Entity, 'metadata'>, key: string) =>
  metadata.filter(each => each.key === key).map(({ value, lang }) => (lang === undefined ? value : `${value} @${lang}`))
const linked = ({ relations }: Pick<Entity, 'relations'>, type: string) =>
  relations.filter(each => each.type === type).map(each => each.key)

/** The records of a production, by name instead of by id: a line for each field and relation. */
async function describeShow(from: TestService, title: string, fields: readonly string[]): Promise<string[]> {
  const all = await entitiesIn(from.libretto.store)
  const nameOf = (id: string) => {
    const found = all.get(id)
    const [name] = found ? [...valuesOf(found, 'name'), ...valuesOf(found, 'title')] : []
    return String(name ?? id)
  }
  const show = [...all.values()].find(
    each => each.type === 'production' && valuesOf(each, 'title').some(name => String(name).startsWith(title))
  )
  assert.ok(show, `${title} is in the catalogue`)
  const nights = [...all.values()].filter(each => linked(each, 'refProduction').includes(show.id))
  const start = (each: Entity) => new Date(String(valuesOf(each, 'start')[0])).toISOString()
  return [show, ...nights.toSorted((one, other) => (start(one) < start(other) ? -1 : 1))].flatMap(each => {
    const name = each === show ? 'show' : start(each)
    return [
      ...each.metadata
        .filter(({ key }) => fields.includes(key))
        .map(({ key, value, lang = '' }) => {
          const isMoment = /^(?:start|end|doors|former_start|on_sale_from)$/.test(key)
          // Formats of plain text have no markup.
          const text = isMoment ? new Date(String(value)).toISOString() : String(value).replaceAll(/<[^<>]*>/g, '')
          return `${name} ${key} ${text} ${lang}`.trim()
        }),
      ...each.relations
        .filter(({ type }) => fields.includes(type))
        .map(({ type, key, metadata = [] }) =>
          [name, type, nameOf(key), ...metadata.map(entry => `${entry.key}=${entry.value}`)].join(' ')
        )
    ].sort()
  })
}

/** The files of houses. The remarks tell what was not stored. */
const files = {
  'UiTdatabank in JSON': {
    file: 'uitdatabank.json',
    created: { production: 2, performance: 3, venue: 1, mediafile: 1, company: 1, genre: 2 },
    unmapped: ['contactPoint'],
    remarks: ['2 calendarType: Opening hours are not dates; no performance is made']
  },
  'UiTdatabank in CdbXML': {
    file: 'uitdatabank.cdb.xml',
    created: { production: 1, performance: 2, venue: 0, company: 1, genre: 1, person: 1 },
    unmapped: ['contactinfo/mail'],
    remarks: []
  },
  'a calendar of a philharmonic': {
    file: 'philharmonic.ics',
    created: { production: 2, performance: 5, venue: 1, company: 1, genre: 2 },
    unmapped: ['X-SEATS'],
    remarks: ['3 Not an event: invalid line (no token ";" or ":") "this line is none"']
  },
  'events of a web page': {
    file: 'concert-hall.jsonld',
    created: {
      ...{ production: 1, performance: 2, venue: 1, company: 1, genre: 2, person: 3 },
      ...{ language: 3, season: 1, subscription: 1, tour: 1 }
    },
    unmapped: [],
    remarks: []
  }
}

for (const [name, { file, created, unmapped, remarks }] of Object.entries(files))
  describe(`A file of ${name}`, () => {
    it('is previewed without being written, says what has no place, and is imported once', async () => {
      const before = await linesOf(service.libretto.store)
      const preview = await send(example(file), '?preview=1')
      assert.deepEqual(await linesOf(service.libretto.store), before)
      assert.deepEqual(createdIn(preview), created)
      assert.deepEqual(
        preview.not_mapped.kinds.map((each: { name: string }) => each.name),
        unmapped
      )
      assert.deepEqual(await remarksOf(preview), remarks)
      const first = await send(example(file))
      assert.deepEqual(createdIn(first), created)
      const imported = await linesOf(service.libretto.store)
      const again = await send(example(file))
      assert.deepEqual([again.counts.created, again.counts.updated], [0, 0])
      assert.deepEqual(await linesOf(service.libretto.store), imported)
    })
  })

const haven = 'De stille haven'
const calendarFields = ['title', 'start', 'end', 'status', 'status_reason', 'url', 'refVenues', 'event_type']
const showIn = async (from: TestService, title: string) =>
  [...(await entitiesIn(from.libretto.store)).values()].find(
    each => each.type === 'production' && valuesOf(each, 'title').some(name => String(name).startsWith(title))
  ) as Entity
const nightsOf = async (show: Entity) =>
  [...(await entitiesIn(service.libretto.store)).values()]
    .filter(each => linked(each, 'refProduction').includes(show.id))
    .toSorted((one, other) => (String(valuesOf(one, 'start')) < String(valuesOf(other, 'start')) ? -1 : 1))

describe('A programme that people edit after its import', () => {
  it('keeps their edits when the house sends its file again, and takes what the file changed', async () => {
    const show = await showIn(service, haven)
    const [first] = await nightsOf(show)
    await service.patch(`/entities/${show.id}`, { metadata: [{ key: 'subtitle', value: 'Een elegie' }] })
    await service.patch(`/entities/${first?.id}`, {
      metadata: [
        { key: 'end', value: '2027-03-26T22:15:00+01:00' },
        { key: 'availability', value: 'sold_out' }
      ]
    })
    const changed = example('uitdatabank.json')
      .toString()
      .replaceAll('/haven"', '/haven-2027"')
      .replace('"12-"', '"10-"')
    const done = await send(changed)
    assert.equal(done.counts.created, 0)
    const [edited, night] = [await showIn(service, haven), (await nightsOf(show))[0] as Entity]
    assert.deepEqual(
      ['subtitle', 'age_category'].map(key => valuesOf(edited, key)[0]),
      ['Een elegie', '10+']
    )
    assert.deepEqual(
      ['end', 'availability', 'url'].map(key => valuesOf(night, key)[0]),
      ['2027-03-26T22:15:00+01:00', 'sold_out', 'https://tickets.example.org/haven-2027']
    )
  })

  it('finds a venue that people entered by its name and town, and gives it the identifier', async () => {
    const venue = await elsewhere.create({
      type: 'venue',
      metadata: [
        { key: 'name', value: 'Theater De Linde' },
        { key: 'city', value: 'Gent' },
        { key: 'address', value: 'Lindelei 12-14' }
      ]
    })
    await send(example('uitdatabank.json'), '', elsewhere)
    const found = (await elsewhere.get(`/entities/${venue.id}`)).body
    assert.equal(valuesOf(found, 'address')[0], 'Lindelei 12-14', 'the value of people stays')
    assert.equal(valuesOf(found, 'postal_code')[0], '9000', 'a value that was missing')
    assert.ok(found.identifiers.includes('https://io.uitdatabank.be/place/1b2c3d4e-0000-4000-8000-0000000000a1'))
  })
})

describe('A date that moved in UiTdatabank', () => {
  const fields = ['start', 'status', 'former_start', 'url']
  const linesIn = (from: TestService) => describeShow(from, haven, fields)
  const moved = (from: string, to: string) => (file: string) => file.replaceAll(from, to)
  const later = moved('2027-03-28T1', '2027-04-04T1')

  it('stays the same performance with its former date, as the preview says, and moves back', async () => {
    const house = await start({ after }, settings)
    const file = example('uitdatabank.json').toString()
    await send(file, '', house)
    const show = await showIn(house, haven)
    const before = await linesIn(house)
    const ids = async () =>
      [...(await entitiesIn(house.libretto.store)).values()]
        .filter(each => linked(each, 'refProduction').includes(show.id))
        .map(({ id }) => id)
        .sort()
    const nights = await ids()
    const preview = await send(later(file), '?preview=1', house)
    assert.deepEqual(createdIn(preview), { performance: 0 })
    assert.match(
      (await remarksOf(preview, house)).join(),
      /start: 2027-03-28T15:00:00\+02:00 was moved to 2027-04-04T15:00/
    )
    assert.deepEqual(await linesIn(house), before, 'a preview writes nothing')
    const done = await send(later(file), '', house)
    assert.deepEqual([done.counts.created, done.counts.updated], [0, 1])
    assert.deepEqual(await ids(), nights)
    const now = await linesIn(house)
    const [first, second] = ['2027-03-26T19:00:00.000Z', '2027-04-04T13:00:00.000Z']
    assert.ok(now.includes(`${second} former_start 2027-03-28T13:00:00.000Z`), now.join('\n'))
    // The date was cancelled before, and is cancelled still.
    assert.ok(now.includes(`${second} status cancelled`), now.join('\n'))
    assert.deepEqual(
      now.filter(each => each.startsWith(first)),
      before.filter(each => each.startsWith(first))
    )
    const stored = await linesOf(house.libretto.store)
    const again = await send(later(file), '', house)
    assert.deepEqual([again.counts.created, again.counts.updated], [0, 0])
    assert.deepEqual(await linesOf(house.libretto.store), stored)

    await send(file, '', house)
    assert.deepEqual(await linesIn(house), before)
    assert.deepEqual(await ids(), nights)
  })

  it('is said to be moved if the source gives no other status, beside a date that was added', async () => {
    const house = await start({ after }, settings)
    const file = example('uitdatabank.json').toString()
    await send(file, '', house)
    const two = JSON.parse(moved('2027-03-26T', '2027-03-27T')(file)) as Record<string, unknown>
    const [event] = [two['@graph'] ?? two.member ?? two].flat() as { subEvent: Record<string, unknown>[] }[]
    const [date] = event?.subEvent ?? []
    const added = { ...date, startDate: '2027-05-01T20:00:00+02:00', endDate: '2027-05-01T21:45:00+02:00' }
    event?.subEvent.push(added)
    const done = await send(JSON.stringify(two), '', house)
    assert.deepEqual(createdIn(done), { performance: 1 })
    const found = await linesIn(house)
    assert.ok(found.includes('2027-03-27T19:00:00.000Z status moved'), found.join('\n'))
    assert.ok(found.includes('2027-03-27T19:00:00.000Z former_start 2027-03-26T19:00:00.000Z'), found.join('\n'))
    assert.ok(!found.some(each => each.startsWith('2027-05-01T18:00:00.000Z former_start')))
    const undone = await house.post(`/imports/${done.id}/undo`, {})
    assert.ok(undone.status < 300, undone.text)
  })

  it('is said to be missing when no date took its place, and stays', async () => {
    const house = await start({ after }, settings)
    const file = JSON.parse(example('uitdatabank.json').toString())
    await send(JSON.stringify(file), '', house)
    const before = await linesIn(house)
    const [event] = [file['@graph'] ?? file.member ?? file].flat() as { subEvent: unknown[] }[]
    event?.subEvent.pop()
    const done = await send(JSON.stringify(file), '', house)
    assert.match((await remarksOf(done, house)).join(), /start: 2027-04-02T20:00:00\+02:00 is not in the file any more/)
    assert.deepEqual(await linesIn(house), before)
  })

  it('moves in a calendar, too, where its name stays', async () => {
    const house = await start({ after }, settings)
    const calendar = (start: string) =>
      [
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'UID:night-1',
        `DTSTART:${start}`,
        'SUMMARY:Nacht',
        'END:VEVENT',
        'END:VCALENDAR'
      ].join('\r\n')
    for (const each of ['20270115T190000Z', '20270116T190000Z', '20270116T190000Z'])
      await send(calendar(each), '', house)
    assert.deepEqual(await describeShow(house, 'Nacht', ['start', 'status', 'former_start']), [
      'show status concept',
      '2027-01-16T19:00:00.000Z former_start 2027-01-15T19:00:00.000Z',
      '2027-01-16T19:00:00.000Z start 2027-01-16T19:00:00.000Z',
      '2027-01-16T19:00:00.000Z status moved'
    ])
  })
})

describe('A programme that is sent', () => {
  const fetchAs = async (name: string, type: string, file: string) => {
    const show = await showIn(service, name)
    const answer = await service.get(`/entities/${show.id}${file}`)
    assert.equal(answer.status, 200, answer.text)
    assert.match(String(answer.headers['content-type']), new RegExp(type))
    return answer
  }
  const names = [haven, 'Drie beren', 'Mahler 2', 'La chaise vide', 'Lunch concert']
  const titleOf = (name: string) => (name === 'La chaise vide' ? 'De lege stoel' : name)

  for (const name of names.map(titleOf))
    it(`passes the validators of schema.org, iCalendar, UiTdatabank and XML: ${name}`, async () => {
      const { body } = await fetchAs(name, 'ld\\+json', '?format=schema')
      assert.deepEqual(schemaOrgFaults(body), [])
      const { text } = await fetchAs(name, 'text/calendar', '/calendar.ics')
      const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
      assert.ok(events.length > 0)
      for (const event of events)
        for (const property of ['uid', 'dtstamp', 'sequence', 'status', 'dtstart'])
          assert.ok(event.hasProperty(property), property)
      const { body: uit } = await fetchAs(name, 'application/json', '/uitdatabank.json')
      for (const event of uit.events) assert.deepEqual(uitFaults(event), [])
      const isKnown = [haven, 'Drie beren'].includes(name)
      assert.deepEqual(
        [uit.events.length, uit.left_out.map((each: { message: string }) => each.message.replace(/VE-\S+/, 'VE'))],
        isKnown ? [1, []] : [0, ['The venue VE has no identifier of UiTdatabank (https://io.uitdatabank.be/place/…)']]
      )
      const feed = (await fetchAs(name, 'application/rss', '/programme.rss?lang=nl')).text
      const parser = new SaxesParser()
      parser.on('error', error => assert.fail(error))
      parser.write(feed).close()
      assert.equal(feed.split('<item>').length - 1, events.length)
    })

  it('prints its dates on the clocks of the venue, in the language of the reader', async () => {
    const { text, headers } = await fetchAs(haven, 'text/html', '/programme.html?lang=nl')
    assert.match(text, /<h2>De stille haven<\/h2><p>Een elegie<\/p>/)
    assert.match(text, /vr 26 maart 2027 (?:om )?20:00/)
    assert.match(text, /zo 28 maart 2027 (?:om )?15:00<\/td><td>Theater De Linde, Gent<\/td><td>Geannuleerd, Ziekte/)
    assert.match(text, /Basistarief: €\s18,50/)
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    const french = (await fetchAs('Mahler 2', 'text/html', '/programme.html?lang=fr')).text
    assert.match(french, /ven\. 30 octobre 2026 (?:à )?19:30/)
  })

  it('writes the events of UiTdatabank with their dates, prices and tickets', async () => {
    const { body } = await fetchAs(haven, 'application/json', '/uitdatabank.json')
    const [event] = body.events
    assert.equal(event['@id'], 'https://io.uitdatabank.be/event/1b2c3d4e-0000-4000-8000-000000000001')
    assert.deepEqual(event.name, { nl: haven, fr: 'Le port tranquille' })
    assert.deepEqual(event.priceInfo, [
      { category: 'base', price: 18.5, priceCurrency: 'EUR', name: { nl: 'Basistarief' } },
      { category: 'tariff', price: 9, priceCurrency: 'EUR', name: { nl: 'Onder 26' } }
    ])
    assert.deepEqual(event.subEvent[1], {
      id: 1,
      startDate: '2027-03-28T15:00:00+02:00',
      endDate: '2027-03-28T16:45:00+02:00',
      status: { type: 'Unavailable', reason: { nl: 'Ziekte' } },
      bookingAvailability: { type: 'Available' }
    })
    assert.equal(event.subEvent[0].bookingAvailability.type, 'Unavailable', 'the edit of a person')
    assert.equal(event.typicalAgeRange, '10-')
  })

  it('is valid for UiTdatabank where it refuses an address or a language, and says what is left out', async () => {
    const house = await start({ after }, settings)
    const place = 'https://io.uitdatabank.be/place/1b2c3d4e-0000-4000-8000-0000000000a1'
    const venue = await house.create({ ...aVenue('De Linde'), identifiers: [place] })
    const production = await house.create({
      type: 'production',
      metadata: [
        { key: 'title', value: 'Nacht', lang: 'nl' },
        { key: 'description', value: 'La nuit', lang: 'fr' }
      ]
    })
    for (const url of [
      'https://tickets.example.org:8443/1',
      'http://localhost/1',
      'https://tickets.example.org?show=1'
    ]) {
      const fields = { start: '2027-01-15T20:00', url }
      await house.create(aRecord('performance', fields, { refProduction: production.id, refVenues: venue.id }))
    }
    const { body } = await house.get(`/entities/${production.id}/uitdatabank.json`)
    const [event] = body.events
    assert.deepEqual(uitFaults(event), [])
    assert.deepEqual([event.description, event.bookingInfo], [undefined, undefined])
    assert.match(JSON.stringify(body.left_out), /address of the tickets.*language of the title/)
  })

  /** The fields that each format has, for a programme that another catalogue imports. */
  const carried = {
    iCalendar: { path: '/calendar.ics', fields: calendarFields, further: ['Mahler 2', 'Lunch concert'] },
    'schema.org': {
      path: '?format=schema',
      further: ['Mahler 2', 'De lege stoel'],
      fields: [
        ...['title', 'subtitle', 'description', 'duration', 'age_category', 'price', 'refCompanies', 'refGenres'],
        ...['start', 'end', 'doors', 'former_start', 'availability', 'attendance', 'url', 'refVenues', 'refAuthors'],
        ...['refLanguages', 'refSeasons', 'refTours', 'refSubscriptions']
      ]
    },
    UiTdatabank: {
      path: '/uitdatabank.json',
      further: [],
      fields: [
        ...['title', 'description', 'age_category', 'price', 'start', 'end', 'status', 'status_reason', 'url'],
        ...['availability', 'on_sale_from']
      ]
    }
  }
  for (const [format, { path, fields, further }] of Object.entries(carried))
    it(`arrives elsewhere as ${format}, field by field, and a second time changes nothing`, async () => {
      const target = await start({ after }, settings)
      await target.create({
        type: 'venue',
        identifiers: ['https://io.uitdatabank.be/place/1b2c3d4e-0000-4000-8000-0000000000a1'],
        metadata: [
          { key: 'name', value: 'Theater De Linde' },
          { key: 'city', value: 'Gent' },
          { key: 'country', value: 'BE' }
        ]
      })
      for (const title of [haven, 'Drie beren', ...further]) {
        const { body, text } = await fetchAs(title, '', path)
        const file = format === 'UiTdatabank' ? JSON.stringify(body.events) : text
        await send(file, '', target)
        // UiTdatabank has one description, schema.org its own roles, and a calendar one language.
        const changed = title === 'Drie beren' ? ['description', 'refAuthors'] : []
        const own = fields.filter(each => !changed.includes(each))
        const expected = (await describeShow(service, title, own)).map(each =>
          format === 'iCalendar' ? each.replace(/( title .*) nl$/, '$1') : each
        )
        assert.deepEqual(
          await describeShow(target, title, own),
          expected.filter(each => format !== 'iCalendar' || !/ title .* fr$/.test(each))
        )
        const once = await linesOf(target.libretto.store)
        const again = await send(file, '', target)
        assert.deepEqual([again.counts.created, again.counts.updated], [0, 0])
        assert.deepEqual(await linesOf(target.libretto.store), once)
      }
    })
})

/** Spreadsheets as houses write them: the mapping is the proposed one. */
const sheets = {
  'seizoen.csv': {
    created: { production: 2, performance: 3, venue: 1, hall: 2, company: 2, person: 4 },
    show: 'De kantelaar',
    lines: [
      'show refAuthors Els Peeters role=actor part=Ophelia',
      'show refAuthors Jan Claes role=actor part=Hamlet',
      'show refAuthors Louise Adam role=director',
      '2027-01-15T19:00:00.000Z price 12.00 EUR Jongeren',
      '2027-01-15T19:00:00.000Z refHalls Grote zaal',
      '2027-01-15T19:00:00.000Z start 2027-01-15T19:00:00.000Z',
      '2027-01-15T19:00:00.000Z status scheduled',
      '2027-03-28T13:00:00.000Z refHalls Kleine zaal',
      '2027-03-28T13:00:00.000Z status sold_out'
    ]
  },
  'saison-musicale.csv': {
    created: { production: 2, performance: 3, venue: 1, company: 2, person: 6 },
    show: 'Nuits d’été',
    lines: [
      'show refAuthors Ada Okafor role=conductor',
      'show refAuthors Hector Berlioz role=composer',
      'show refAuthors Ivo Neri role=musician instrument=piano',
      'show refAuthors Märta Lindqvist role=musician instrument=mezzo-soprano',
      '2027-02-05T19:00:00.000Z price 32 EUR Catégorie 1',
      '2027-02-06T14:00:00.000Z price 18 EUR Catégorie 2'
    ]
  },
  'tournee.csv': {
    created: { production: 1, performance: 2, venue: 2, company: 1, person: 4 },
    show: 'Salt and Stars',
    lines: [
      'show refAuthors Ana Reyes role=director',
      'show refAuthors Joy Bell role=actor part=Mate',
      'show refAuthors Kit Moss role=musician instrument=accordion',
      'show refAuthors Sam Hill role=actor part=Captain',
      '2027-04-09T18:30:00.000Z availability few_left',
      '2027-04-09T18:30:00.000Z doors 2027-04-09T18:00:00.000Z',
      '2027-04-11T13:00:00.000Z availability on_sale'
    ]
  }
}

for (const [file, { created, show, lines }] of Object.entries(sheets))
  describe(`The spreadsheet ${file}`, () => {
    it('gets a mapping with roles, parts and instruments, and is imported once', async () => {
      const house = await start({ after }, settings)
      const proposal = await house.app.inject({
        method: 'POST',
        url: `/imports/mapping?name=${file}`,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'text/csv' },
        payload: example(file)
      })
      const query = `?mapping=${encodeURIComponent(JSON.stringify(proposal.json().mapping))}`
      const preview = await send(example(file), `${query}&preview=1`, house)
      assert.deepEqual(await remarksOf(preview, house), [])
      const first = await send(example(file), query, house)
      assert.deepEqual([createdIn(preview), createdIn(first)], [created, created])
      const fields = ['start', 'doors', 'status', 'availability', 'price', 'refAuthors', 'refHalls']
      const found = await describeShow(house, show, fields)
      assert.deepEqual(
        lines.filter(line => !found.some(each => each.startsWith(line))),
        [],
        found.join('\n')
      )
      const imported = await linesOf(house.libretto.store)
      const again = await send(example(file), query, house)
      assert.deepEqual([again.counts.created, again.counts.updated], [0, 0])
      assert.deepEqual(await linesOf(house.libretto.store), imported)
    })
  })
