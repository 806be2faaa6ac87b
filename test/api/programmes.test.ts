import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { parse } from 'csv-parse/sync'
import ICAL from 'ical.js'

import { aProduction, aRecord, aVenue, relations } from '../support/records/entities.ts'
import { readConfig, timeZoneOf } from '../../src/config.ts'
import { adminToken, secretKey, start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

// Nothing depends on the clock of the machine.
process.env.TZ = 'Pacific/Chatham'

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org' })
const { create, get, patch } = service

const linde = await create(aVenue('De Linde', { id: 'VE-linde' }))
const anker = await create(aVenue('Het Anker', { id: 'VE-anker' }))
const company = await create(aRecord('company', { name: 'Halflicht' }, {}, { id: 'CO-halflicht' }))
const season = await create(
  aRecord('season', { name: 'Seizoen 25-26', start_date: '2025-09-01', end_date: '2026-08-31' }, {}, { id: 'SEA-2526' })
)
const hamlet = await create(
  aProduction(
    { title: 'Hamlet, prins', duration: 145, description_short: '<p>Een <b>lege</b> stoel</p>' },
    {
      id: 'PR-hamlet',
      relations: relations({ refVenues: [linde.id, anker.id], refCompanies: company.id, refSeasons: season.id })
    }
  )
)
const medea = await create(
  aProduction({ title: 'Medea' }, { id: 'PR-medea', relations: relations({ refVenues: linde.id }) })
)
const perform = (id: string, production: string, start: string, fields = {}, venues: string[] = []) =>
  create(aRecord('performance', { start, ...fields }, { refProduction: production, refVenues: venues }, { id }))
const first = await perform(
  'PF-1',
  hamlet.id,
  '2026-01-16T20:00:00+01:00',
  { status: 'cancelled', url: 'https://tickets.example.org/1' },
  [linde.id]
)
await perform('PF-2', hamlet.id, '2026-02-16T19:00:00Z', { end: '2026-02-16T21:00:00Z' }, [anker.id])
await perform('PF-3', hamlet.id, '2027-01-01T19:00:00Z', { status: 'sold_out' }, [anker.id])
await perform('PF-4', medea.id, '2026-03-01T19:00:00Z', { status: 'postponed' })
await perform('PF-5', hamlet.id, '2026-04-01T19:00:00Z')

const eventsOf = async (id: string, query = '', options = {}) => {
  const { status, text } = await get(`/entities/${id}/calendar.ics${query}`, options)
  assert.equal(status, 200, text)
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map(each => new ICAL.Event(each))
}
const namesOf = async (id: string, query = '') => {
  const events = await eventsOf(id, query)
  return events.map(each => `${each.summary} ${each.startDate.toJSDate().toISOString().slice(0, 10)}`)
}
const rowsOf = async (id: string, options = {}) =>
  parse((await get(`/entities/${id}/programme.csv`, options)).text, { columns: true }) as Record<string, string>[]

describe('GET /entities/{id}/calendar.ics', () => {
  it('has the performances of a production, by their beginning', async () => {
    assert.deepEqual(await namesOf(hamlet.id), [
      'Hamlet, prins 2026-01-16',
      'Hamlet, prins 2026-02-16',
      'Hamlet, prins 2026-04-01',
      'Hamlet, prins 2027-01-01'
    ])
  })

  it('has those at a venue: with it, or of a production that plays nowhere else', async () => {
    assert.deepEqual(await namesOf(linde.id), ['Hamlet, prins 2026-01-16', 'Medea 2026-03-01'])
    assert.deepEqual(await namesOf(anker.id), ['Hamlet, prins 2026-02-16', 'Hamlet, prins 2027-01-01'])
  })

  it('has those of the productions of a company, and of a season between its days', async () => {
    assert.equal((await eventsOf(company.id)).length, 4)
    assert.deepEqual(await namesOf(season.id), [
      'Hamlet, prins 2026-01-16',
      'Hamlet, prins 2026-02-16',
      'Hamlet, prins 2026-04-01'
    ])
  })

  it('says of each what a calendar shows: time, place, text, status', async () => {
    const [cancelled, played] = await eventsOf(hamlet.id)
    assert.equal(cancelled?.uid, first._id)
    assert.equal(cancelled?.component.getFirstPropertyValue('status'), 'CANCELLED')
    assert.equal(cancelled?.startDate.toJSDate().toISOString(), '2026-01-16T19:00:00.000Z')
    // Without an end of its own it takes as long as the production.
    assert.equal(cancelled?.endDate.toJSDate().toISOString(), '2026-01-16T21:25:00.000Z')
    assert.equal(played?.endDate.toJSDate().toISOString(), '2026-02-16T21:00:00.000Z')
    assert.equal(cancelled?.location, 'De Linde')
    assert.equal(cancelled?.description, 'Een lege stoel')
    assert.equal(cancelled?.component.getFirstPropertyValue('url'), 'https://tickets.example.org/1')
    const [medeaEvent] = await eventsOf(medea.id)
    assert.equal(medeaEvent?.component.getFirstPropertyValue('status'), 'TENTATIVE')
  })

  it('keeps the uid and counts on when a performance is changed', async () => {
    const [before] = await eventsOf(hamlet.id)
    await patch(`/entities/${first.id}`, { metadata: [{ key: 'url', value: 'https://tickets.example.org/2' }] })
    const [after] = await eventsOf(hamlet.id)

    assert.equal(after?.uid, before?.uid)
    assert.equal(after?.sequence, (before?.sequence ?? 0) + 1)
    const stamp = (event: ICAL.Event | undefined) => String(event?.component.getFirstPropertyValue('dtstamp'))
    assert.ok(stamp(after) >= stamp(before))
  })

  it('can be narrowed to a time, and refuses what is none', async () => {
    assert.deepEqual(await namesOf(hamlet.id, '?from=2026-02-16&to=2026-04-01'), [
      'Hamlet, prins 2026-02-16',
      'Hamlet, prins 2026-04-01'
    ])
    assertProblem(await get(`/entities/${hamlet.id}/calendar.ics?from=tomorrow`), 'invalid')
  })

  it('is a calendar, has a tag, and is not there for what has no programme', async () => {
    const answer = await get(`/entities/${season.id}/calendar.ics`, { headers: { accept: 'text/calendar' } })
    assert.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8')
    const known = { headers: { 'if-none-match': String(answer.headers.etag) } }
    assert.equal((await get(`/entities/${season.id}/calendar.ics`, known)).status, 304)
    for (const id of [first.id, 'nowhere'])
      for (const file of ['calendar.ics', 'programme.csv'])
        assertProblem(await get(`/entities/${id}/${file}`), 'not_found')
  })
})

describe('GET /entities/{id}/programme.csv', () => {
  it('has a row for each performance, with what a programme prints', async () => {
    const rows = await rowsOf(season.id)

    assert.equal(rows.length, 3)
    const { url, ...row } = rows[0] ?? {}
    assert.match(url ?? '', /^https:/)
    assert.equal(Object.keys(row).at(-1), 'time_zone')
    assert.deepEqual(row, {
      start: '2026-01-16T19:00:00Z',
      // The end that the calendar computes from the duration.
      end: '2026-01-16T21:25:00Z',
      status: 'cancelled',
      title: 'Hamlet, prins',
      subtitle: '',
      company: 'Halflicht',
      venue: 'De Linde',
      city: '',
      country: '',
      genre: '',
      age_category: '',
      duration: '145',
      production_id: hamlet.id,
      performance_id: first.id,
      ...{ doors: '', former_start: '', status_reason: '', event_type: 'performance', occasion: '', hall: '' },
      ...{ availability: '', on_sale_from: '', price: '', accessibility: '' },
      time_zone: 'UTC'
    })
  })

  it('has the times of a zone, with its offset: that of the request, the venue, or the catalogue', async t => {
    const startsOf = async (query: string) =>
      parse((await get(`/entities/${season.id}/programme.csv${query}`)).text, { columns: true }).map(
        (row: unknown) => (row as { start: string }).start
      )
    assert.equal((await startsOf('?tz=Europe/Brussels'))[0], '2026-01-16T20:00:00+01:00')
    assert.equal((await startsOf('?tz=America/New_York'))[0], '2026-01-16T14:00:00-05:00')
    assert.equal((await startsOf('?tz=UTC'))[0], '2026-01-16T19:00:00Z')
    assertProblem(await get(`/entities/${season.id}/programme.csv?tz=Mars/Olympus`), 'invalid')

    const inBrussels = await start(t, { TIME_ZONE: 'Europe/Brussels' })
    const production = await inBrussels.create(aProduction({ title: 'Zomer' }))
    const at = async (start: string, venues: readonly string[] = []) => {
      const relations = { refProduction: production.id, refVenues: [...venues] }
      const made = await inBrussels.create(aRecord('performance', { start }, relations))
      return made.metadata.find(({ key }: { key: string }) => key === 'start')?.value
    }
    assert.equal(await at('2026-07-01T20:00:00'), '2026-07-01T20:00:00+02:00')
    assert.equal(await at('2026-12-01T20:00'), '2026-12-01T20:00:00+01:00')
    assert.equal(await at('2026-12-01T20:00:00Z'), '2026-12-01T20:00:00Z')
    assert.equal(await at('2026-12-01'), '2026-12-01')
    // A venue in a country with one time zone has that; any other has the zone of the catalogue.
    const [tokyo, somewhere] = [
      await inBrussels.create(aRecord('venue', { name: 'Kabuki', country: 'JP' }, {}, { identifiers: ['hall-1'] })),
      await inBrussels.create(aRecord('venue', { name: 'Harbor Hall', country: 'US' }))
    ]
    assert.equal(await at('2026-07-02T20:00:00', ['hall-1']), '2026-07-02T20:00:00+09:00')
    assert.equal(await at('2026-07-02T20:00:00', [somewhere.id]), '2026-07-02T20:00:00+02:00')
    assert.equal(await at('2026-07-02T20:00:00-04:00', [tokyo.id]), '2026-07-02T20:00:00-04:00')
    const { text } = await inBrussels.get(`/entities/${production.id}/programme.csv`)
    assert.match(text, /2026-07-01T20:00:00\+02:00.*,Europe\/Brussels\r/)
    assert.match(text, /2026-12-01T21:00:00\+01:00.*,Europe\/Brussels\r/)
    assert.match(text, /2026-07-02T20:00:00\+09:00.*,Asia\/Tokyo\r/)
  })

  it('has times by the clock of a venue that states its zone, in summer and in winter', async t => {
    const { create, get, post } = await start(t, { TIME_ZONE: 'Europe/Brussels' })
    const hall = await create(aRecord('venue', { name: 'Harbor Hall', country: 'US', time_zone: 'America/New_York' }))
    const [elsewhere, show] = [
      await create(aRecord('venue', { name: 'Bay Hall', country: 'US', time_zone: 'America/Los_Angeles' })),
      await create(aProduction({ title: 'Two coasts' }, { relations: relations({ refVenues: hall.id }) }))
    ]
    const at = async (start: string, venues: string[]) => {
      const made = await create(aRecord('performance', { start }, { refProduction: show.id, refVenues: venues }))
      return made.metadata.find(({ key }: { key: string }) => key === 'start')?.value
    }
    assert.equal(await at('2026-07-01T20:00', [elsewhere.id]), '2026-07-01T20:00:00-07:00')
    // A performance without a venue is at the only venue of its production.
    assert.equal(await at('2026-12-01T20:00', []), '2026-12-01T20:00:00-05:00')
    // Clocks are set back: 01:30 occurs twice, and the first is meant.
    assert.equal(await at('2026-11-01T01:30', [hall.id]), '2026-11-01T01:30:00-04:00')
    // Clocks are set forward: 02:30 does not occur.
    assert.equal(await at('2026-03-08T02:30', [hall.id]), '2026-03-08T03:30:00-04:00')
    assert.equal(await at('2026-03-08T03:30', [hall.id]), '2026-03-08T03:30:00-04:00')

    const rows = parse((await get(`/entities/${show.id}/programme.csv`)).text, { columns: true }) as {
      start: string
      time_zone: string
    }[]
    const shown = rows.map(({ start, time_zone }) => `${start} ${time_zone}`)
    assert.equal(shown.length, 5)
    assert.ok(shown.includes('2026-07-01T20:00:00-07:00 America/Los_Angeles'), shown.join('; '))
    assert.equal(shown.at(-1), '2026-12-01T20:00:00-05:00 America/New_York')
    const inUtc = (await get(`/entities/${show.id}/programme.csv?tz=UTC`)).text
    assert.match(inUtc, /2026-12-02T01:00:00Z.*,UTC\r/)
    const { text: calendar } = await get(`/entities/${show.id}/calendar.ics`)
    assert.match(calendar, /DTSTART;TZID=America\/Los_Angeles:20260701T200000\r/)
    assert.match(calendar, /DTSTART;TZID=America\/New_York:20261201T200000\r/)
    assert.equal(calendar.match(/BEGIN:VTIMEZONE/g)?.length, 2)
    assert.match(
      (await get(`/entities/${show.id}/calendar.ics?tz=Asia/Tokyo`)).text,
      /DTSTART;TZID=Asia\/Tokyo:20261202T100000\r/
    )
    assertProblem(await get(`/entities/${show.id}/calendar.ics?tz=Mars`), 'invalid')
    const { text: graph } = await get(`/entities/${show.id}?format=schema`)
    assert.match(graph, /"startDate":"2026-07-01T20:00:00-07:00"/)
    assert.match(graph, /"startDate":"2026-12-01T20:00:00-05:00"/)

    // A venue that is created with its performance has its zone too.
    const line = (id: string, type: string, fields: object, related: object = {}) => ({
      ...{ op: 'create', id },
      ...aRecord(type, fields as Record<string, string>, related as Record<string, string>)
    })
    const batch = await post('/entities/batch?atomic=1', [
      line('PF-new', 'performance', { start: '2026-12-03T20:00' }, { refProduction: show.id, refVenues: 'VE-new' }),
      line('VE-new', 'venue', { name: 'New', time_zone: 'Asia/Kolkata' })
    ])
    assert.equal(batch.status, 200, batch.text)
    assert.match((await get('/entities/PF-new')).text, /2026-12-03T20:00:00\+05:30/)
    const refused = await post('/entities', aRecord('venue', { name: 'X', time_zone: 'Mars/Olympus' }))
    assertProblem(refused, 'invalid')
    assert.equal(refused.body.errors[0].pointer, '/metadata/1/value')
  })

  it('has the zone of the machine where nothing else is set', () => {
    const settings = { ADMIN_TOKEN: adminToken, SECRET_KEY: secretKey }
    assert.equal(timeZoneOf(readConfig(settings)), 'Pacific/Chatham')
    assert.equal(timeZoneOf(readConfig({ ...settings, TIME_ZONE: 'Europe/Rome' })), 'Europe/Rome')
    assert.throws(() => readConfig({ ...settings, TIME_ZONE: 'Rome' }), /TIME_ZONE/)
  })

  it('is a file with a name', async () => {
    const { headers } = await get(`/entities/${season.id}/programme.csv`)

    assert.match(String(headers['content-type']), /^text\/csv; charset=utf-8/)
    assert.equal(headers['content-disposition'], 'attachment; filename="SEA-2526.csv"')
  })
})

describe('A ticket for a calendar', () => {
  const ticketFor = async (body: object, options = {}) => service.post('/tickets', body, options)
  const calendar = (id: string, ticket: string) =>
    get(`/entities/${id}/calendar.ics?ticket=${ticket}`, { token: undefined })

  it('stands for a bearer there, for as long as its token lives and the calendar may be read', async () => {
    const { token, id } = await service.libretto.tokens.create({ name: 'site', scopes: ['read'] }, 'test')
    const { status, body: ticket } = await ticketFor({ entity_id: season._id, expires_in: 30_000_000 }, { token })
    assert.equal(status, 201)
    const answer = await calendar(season.id, ticket)
    assert.equal(answer.status, 200)
    assert.equal(answer.text, (await get(`/entities/${season.id}/calendar.ics`)).text)
    await service.delete(`/tokens/${id}`)
    assertProblem(await calendar(season.id, ticket), 'unauthenticated')
  })

  it('is good for nothing else', async () => {
    const { body: ticket } = await ticketFor({ entity_id: season.id })
    assertProblem(await calendar(hamlet.id, ticket), 'unauthenticated')
    for (const path of [`/entities/${season.id}`, `/entities/${season.id}/programme.csv`, '/entities'])
      assertProblem(await get(`${path}?ticket=${ticket}`, { token: undefined }), 'unauthenticated')
    assertProblem(await calendar(season.id, `${ticket.slice(0, -3)}AAA`), 'unauthenticated')
  })

  it('is made only for what has a calendar, by who may read it', async () => {
    assertProblem(await ticketFor({ entity_id: first.id }), 'not_found')
    assertProblem(await ticketFor({ entity_id: 'nowhere' }), 'not_found')
    assertProblem(
      await ticketFor({ entity_id: season.id }, { token: await service.tokenWith('read:venue') }),
      'not_found'
    )
    assertProblem(await ticketFor({ entity_id: season.id, action: 'download' }), 'invalid')
    assertProblem(await ticketFor({ action: 'calendar' }), 'invalid')
    assert.equal((await ticketFor({ entity_id: season.id, expires_in: 99_999_999_999 })).status, 400)
    assert.equal((await ticketFor({ filename: 'x', expires_in: 86_401 })).status, 400)
  })
})

describe('A type that a token may not read, in programmes', () => {
  it('is not there: productions, venues, companies, performances', async () => {
    const only = async (...types: string[]) => ({
      token: await service.tokenWith(...types.map(type => `read:${type}`))
    })
    const withoutProductions = await only('performance', 'venue', 'season', 'company')
    assert.equal((await eventsOf(season.id, '', withoutProductions)).length, 0)
    assert.doesNotMatch(
      (await get(`/entities/${linde.id}/calendar.ics`, withoutProductions)).text,
      /Hamlet|Medea|Halflicht/
    )
    const withoutVenues = await only('performance', 'production', 'season')
    const { text } = await get(`/entities/${season.id}/calendar.ics`, withoutVenues)
    assert.match(text, /Hamlet/)
    assert.doesNotMatch(text, /Linde|Anker|Halflicht/)
    assert.doesNotMatch(JSON.stringify(await rowsOf(season.id, withoutVenues)), /Linde|Anker|Halflicht/)
    assert.equal((await eventsOf(season.id, '', await only('production', 'season', 'venue'))).length, 0)
    assertProblem(await get(`/entities/${linde.id}/calendar.ics`, withoutVenues), 'not_found')
    assertProblem(await get(`/entities/${linde.id}/programme.csv`, { token: undefined }), 'unauthenticated')
  })
})

describe('A production that is not published, for who reads published ones only', () => {
  it('has no performances in calendars and tables, is in no graph, and is no candidate', async () => {
    await create(
      aProduction(
        { title: 'Geheim plan' },
        {
          id: 'PR-secret',
          relations: relations({ refSeasons: season.id, refVenues: linde.id, refCompanies: company.id })
        }
      )
    )
    await perform('PF-secret', 'PR-secret', '2026-05-01T19:00:00Z', {}, [linde.id])
    const others = ['performance', 'venue', 'season', 'company'].map(type => `read:${type}`)
    const token = await service.tokenWith('read:production:published', ...others)
    const hidden = /Geheim|PR-secret|PF-secret/
    assert.match((await get(`/entities/${season.id}/calendar.ics`)).text, hidden)
    for (const path of [
      ...[season, linde, company].flatMap(({ id }) => [
        `/entities/${id}/calendar.ics`,
        `/entities/${id}/programme.csv`
      ]),
      ...[season, linde, company].map(({ id }) => `/entities/${id}?format=turtle`),
      `/reconcile?queries=${encodeURIComponent('{"q":{"query":"Geheim plan"}}')}`,
      '/reconcile/suggest/entity?prefix=gehe',
      `/reconcile?extend=${encodeURIComponent('{"ids":["PF-1"],"properties":[{"id":"refProduction"}]}')}`
    ]) {
      const { status, text } = await get(path, { token })
      assert.equal(status, 200, text)
      assert.doesNotMatch(text, hidden, path)
    }
    for (const path of [
      '/entities/PR-secret/calendar.ics',
      '/entities/PR-secret?format=jsonld',
      '/reconcile/preview?id=PR-secret'
    ])
      assertProblem(await get(path, { token }), 'not_found')
  })
})
