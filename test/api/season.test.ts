import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import ICAL from 'ical.js'
import { parse } from 'csv-parse/sync'

import type { Entity } from '#domain/entity/entity.ts'
import { aPerson, aProduction, aRecord } from '../support/records/entities.ts'
import { schemaOrgFaults } from '../support/oracles/schema-org.ts'
import { assertProblem } from '../support/records/write-cases.ts'
import { start } from '../support/services/start.ts'

/* The season of a house: halls, tickets, cast, introductions, subscriptions. */

const service = await start(
  { after },
  {
    TIME_ZONE: 'UTC',
    ANONYMOUS_ACCESS:
      'read:production,read:performance,read:venue,read:hall,read:person,read:subscription,read:tour,read:company,read:season,read:language'
  }
)
const { create, get, filter } = service

const venue = await create(aRecord('venue', { name: 'De Linde', city: 'Gent', country: 'BE' }))
const hall = await create(
  aRecord(
    'hall',
    { name: 'Grote zaal', capacity: 420, accessibility: ['wheelchair', 'hearing_loop'] },
    { refVenues: venue.id }
  )
)
const season = await create(aRecord('season', { name: '2026-2027', start_date: '2026-09-01', end_date: '2027-08-31' }))
const dutch = await create(aRecord('language', { name: 'Nederlands', code: 'nld' }))
const series = await create(
  aRecord('subscription', { name: 'Klassiekers', price: '60 EUR' }, { refSeasons: season.id })
)
const company = await create(aRecord('company', { name: 'Ro Theater' }))
const tour = await create(
  aRecord(
    'tour',
    {
      name: 'Hamlet on the road',
      start_date: '2027-02-01',
      end_date: '2027-03-31',
      url: 'https://ro.example.org/tour'
    },
    { refCompanies: company.id, refSeasons: season.id }
  )
)
const [els, jan] = [await create(aPerson('Peeters, Els')), await create(aPerson('Claes, Jan'))]
const inCast = (key: string, details: Readonly<Record<string, unknown>>) => ({
  key,
  type: 'refAuthors',
  metadata: Object.entries(details).map(([name, value]) => ({ key: name, value }))
})
const hamlet = await create(
  aProduction(
    {
      ...{ title: 'Hamlet', age_category: '6-12', duration: 120, interval: 20, rights: 'Auteursrechten: SABAM' },
      price: ['24.50 EUR Standard', '12 EUR Under 26']
    },
    {
      relations: [
        inCast(els.id, { role: 'actor', part: 'Ophelia' }),
        inCast(jan.id, { role: 'musician', instrument: 'cello' }),
        { key: season.id, type: 'refSeasons' },
        { key: dutch.id, type: 'refLanguages' }
      ]
    }
  )
)
const perform = (fields: Readonly<Record<string, unknown>>, more: Readonly<Record<string, string>> = {}) =>
  create(aRecord('performance', fields, { refProduction: hamlet.id, refHalls: hall.id, ...more }))

const introduction = await perform({ start: '2027-01-15T19:15', event_type: 'introduction' })
const cancelled = await perform({ start: '2027-01-14T20:00', status: 'cancelled', status_reason: 'Illness' })
const first = await perform(
  {
    ...{ start: '2027-01-15T20:00', doors: '2027-01-15T19:00', availability: 'few_left' },
    ...{ url: 'https://tickets.example.org/1', on_sale_from: '2026-06-01T10:00', accessibility: 'sign_language' }
  },
  { refSurtitles: dutch.id, refSubscriptions: series.id }
)
const moved = await perform(
  {
    ...{ start: '2027-02-20T20:00', status: 'moved', former_start: '2027-02-13T20:00', availability: 'sold_out' },
    ...{ price: ['30 EUR Standard'], attendance: 'on_site' }
  },
  { refTours: tour.id }
)

const idsOf = async (filters: unknown, query = '') =>
  ((await filter(filters, query)).body.results as Entity[]).map(({ id }) => id)
const key = (name: string) => `properties.${name}.value`
const schemaOf = async (id: string) => (await get(`/entities/${id}?format=schema`)).body
const rowsOf = async (id: string) =>
  parse((await get(`/entities/${id}/programme.csv`)).text, { columns: true }) as Record<string, string>[]

describe('A hall', () => {
  it('gives its venue, and so its clock, to a performance that names no venue', () => {
    assert.ok(first.relations.some(({ type, key: target }) => type === 'refVenues' && target === venue.id))
    assert.equal(first.metadata.find(each => each.key === 'doors')?.value, '2027-01-15T19:00:00+01:00')
  })

  it('leaves a performance at the venue that it names', async () => {
    const other = await create(aRecord('venue', { name: 'Elders' }))
    const guest = await create(
      aRecord(
        'performance',
        { start: '2027-03-01T20:00' },
        { refProduction: hamlet.id, refHalls: hall.id, refVenues: other.id }
      )
    )
    assert.deepEqual(
      guest.relations.filter(({ type }) => type === 'refVenues').map(each => each.key),
      [other.id]
    )
    assert.equal((await service.delete(`/entities/${guest.id}`)).status, 204)
  })

  it('is in one venue, and has a programme of its own', async () => {
    assertProblem(await service.post('/entities', aRecord('hall', { name: 'Nowhere' })), 'invalid')
    assert.equal((await rowsOf(hall.id)).length, 4)
    assert.deepEqual([...new Set((await rowsOf(hall.id)).map(each => each.hall))], ['Grote zaal'])
  })
})

describe('The model of a season', () => {
  it('is filtered by prices as numbers, by availability and by accessibility', async () => {
    const costs = (min: number, max: number) => [{ type: 'number', key: key('price'), value: { min, max } }]
    assert.deepEqual(await idsOf(costs(12, 13)), [hamlet.id])
    assert.deepEqual(await idsOf(costs(25, 40)), [moved.id])
    assert.deepEqual(await idsOf([{ type: 'selection', key: key('availability'), value: ['few_left'] }]), [first.id])
    assert.deepEqual(await idsOf([{ type: 'selection', key: key('accessibility'), value: ['sign_language'] }]), [
      first.id
    ])
  })

  it('has facets of tickets, accessibility, kinds of events and subscriptions', async () => {
    const names = ['availability', 'accessibility', 'event_type', 'refSubscriptions', 'refTours']
    const rows = (await get('/record-types')).body.record_types as {
      fields: { key: string; facet?: unknown }[]
      relations: { type: string; facet?: unknown }[]
    }[]
    const facets = rows.flatMap(row => [
      ...row.fields.flatMap(each => (each.facet ? each.key : [])),
      ...row.relations.flatMap(each => (each.facet ? each.type : []))
    ])
    assert.deepEqual(
      names.filter(each => !facets.includes(each)),
      []
    )
  })

  it('refuses doors after the start, prices without a currency, and unknown currencies', async () => {
    const send = (fields: Readonly<Record<string, unknown>>) =>
      service.post(
        '/entities?dry_run=1',
        aRecord('performance', { start: '2027-01-15T20:00', ...fields }, { refProduction: hamlet.id })
      )
    for (const fields of [{ doors: '2027-01-15T21:00' }, { price: '24.50' }, { price: '24.50 ZZZ' }])
      assertProblem(await send(fields), 'invalid')
  })

  it('tells the details of a cast that people fill in', async () => {
    const rows = (await get('/record-types')).body.record_types as {
      type: string
      relations: { type: string; details?: string[] }[]
    }[]
    const details = (type: string) =>
      rows.find(row => row.type === type)?.relations.find(each => each.type === 'refAuthors')?.details
    assert.deepEqual(details('performance'), ['role', 'part', 'instrument', 'alternate'])
    assert.deepEqual(details('work_word'), ['role'])
  })
})

describe('The first and the last night', () => {
  it('are computed from performances that take place, without introductions', async () => {
    const { body } = await filter([{ type: 'id', value: [hamlet.id] }], '?include=summary')
    const { premiere, last_night } = body.summaries[hamlet.id]
    assert.deepEqual([premiere.id, last_night.id], [first.id, moved.id])
    const occasions = Object.fromEntries((await rowsOf(season.id)).map(each => [each.performance_id, each.occasion]))
    assert.deepEqual(occasions, {
      [cancelled.id]: '',
      [introduction.id]: '',
      [first.id]: 'premiere',
      [moved.id]: 'last_night'
    })
  })
})

describe('The schema.org of a season', () => {
  it('is valid for every record of it', async () => {
    for (const each of [hamlet, first, moved, introduction, cancelled, hall, venue, series, tour, season])
      assert.deepEqual(schemaOrgFaults(await schemaOf(each.id)), [], each.id)
  })

  it('has an offer for each tariff, with its address, its availability and the beginning of the sale', async () => {
    const { offers } = await schemaOf(moved.id)
    assert.deepEqual(
      { ...offers, '@id': undefined },
      {
        ...{ '@id': undefined, '@type': 'Offer', price: '30', priceCurrency: 'EUR', name: 'Standard' },
        availability: 'https://schema.org/SoldOut'
      }
    )
    const show = await schemaOf(hamlet.id)
    assert.deepEqual(
      show.offers.map((each: Record<string, unknown>) => [each.name, each.price]),
      [
        ['Standard', '24.50'],
        ['Under 26', '12']
      ]
    )
  })

  it('tells that a performance moved, and what it was', async () => {
    const { eventStatus, previousStartDate, eventAttendanceMode } = await schemaOf(moved.id)
    assert.deepEqual(
      [eventStatus, previousStartDate, eventAttendanceMode],
      [
        'https://schema.org/EventRescheduled',
        '2027-02-13T20:00:00+01:00',
        'https://schema.org/OfflineEventAttendanceMode'
      ]
    )
    const { doorTime, keywords, location } = await schemaOf(first.id)
    assert.deepEqual([doorTime, keywords], ['2027-01-15T19:00:00+01:00', 'sign language'])
    assert.deepEqual(location.map((each: { name: string }) => each.name).sort(), ['De Linde', 'Grote zaal'])
  })

  it('has the characters and instruments of performers', async () => {
    const show = await schemaOf(hamlet.id)
    const parts = show.performer.map((each: Record<string, { name: string } | string>) => [
      (each.performer as { name: string }).name,
      each.characterName ?? each.roleName
    ])
    assert.deepEqual(parts, [
      ['Peeters, Els', 'Ophelia'],
      ['Claes, Jan', 'cello']
    ])
    assert.equal(show.typicalAgeRange, '6-12')
  })
})

describe('The programme of a season', () => {
  it('has doors, halls, prices and reasons in its table, by the clock of the venue', async () => {
    const rows = await rowsOf(season.id)
    const row = (id: string) => rows.find(each => each.performance_id === id) ?? {}
    assert.equal(row(first.id).doors, '2027-01-15T19:00:00+01:00')
    assert.equal(row(first.id).price, '24.50 EUR Standard; 12 EUR Under 26')
    assert.equal(row(moved.id).price, '30 EUR Standard')
    assert.equal(row(moved.id).former_start, '2027-02-13T20:00:00+01:00')
    assert.equal(row(cancelled.id).status_reason, 'Illness')
    assert.equal(row(introduction.id).event_type, 'introduction')
  })

  it('has the kind of an event, its hall and its state in calendars', async () => {
    const { text } = await get(`/entities/${season.id}/calendar.ics`)
    const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
    const of = (id: string) => events.find(each => each.getFirstPropertyValue('uid') === id)
    const value = (entity: Entity, name: string) => String(of(entity._id)?.getFirstPropertyValue(name))
    assert.equal(value(introduction, 'summary'), 'Hamlet: introduction')
    assert.match(value(first, 'location'), /^Grote zaal; De Linde/)
    assert.deepEqual(
      [value(cancelled, 'status'), value(cancelled, 'comment'), value(moved, 'comment')],
      ['CANCELLED', 'cancelled, Illness', 'moved, sold out']
    )
  })

  it('of a subscription has the performances that it sells', async () => {
    assert.deepEqual(
      (await rowsOf(series.id)).map(each => each.performance_id),
      [first.id]
    )
  })
})

describe('A tour', () => {
  it('has the performances that name it in its table and its calendar', async () => {
    assert.deepEqual(
      (await rowsOf(tour.id)).map(each => each.performance_id),
      [moved.id]
    )
    const { text } = await get(`/entities/${tour.id}/calendar.ics`)
    assert.equal(text.split('BEGIN:VEVENT').length - 1, 1)
  })

  it('finds its performances, tells of its company, and is refused when it ends before it begins', async () => {
    assert.deepEqual(await idsOf([{ type: 'selection', key: 'relations.refTours.key', value: [tour.id] }]), [moved.id])
    const { organizer, startDate, url } = await schemaOf(tour.id)
    assert.deepEqual([organizer.name, startDate, url], ['Ro Theater', '2027-02-01', 'https://ro.example.org/tour'])
    const wrong = aRecord('tour', { name: 'Back', start_date: '2027-03-02', end_date: '2027-03-01' })
    assertProblem(await service.post('/entities?dry_run=1', wrong), 'invalid')
  })

  it('has a public page with its dates, which is led to from the performance', async () => {
    const read = async (id: string) =>
      (await get(`/nl/record/${id}`, { token: undefined, headers: { accept: 'text/html' } })).text
    const page = await read(tour.id)
    for (const words of ['Hamlet on the road', 'Tournee', 'Ro Theater', '20 feb'])
      assert.ok(page.includes(words), words)
    assert.ok((await read(moved.id)).includes('Hamlet on the road'))
  })
})

describe('The public pages of a season', () => {
  const page = async (id: string) =>
    (await get(`/nl/record/${id}`, { token: undefined, headers: { accept: 'text/html' } })).text

  it('show the first night, the state and the hall of a performance', async () => {
    const text = await page(hamlet.id)
    for (const words of [
      'première',
      'laatste voorstelling',
      'Laatste plaatsen',
      'Inleiding',
      'Grote zaal',
      'Verplaatst'
    ])
      assert.ok(text.includes(words), words)
  })

  it('show prices in the words of the reader, doors, and the character of an actor', async () => {
    const show = await page(hamlet.id)
    assert.match(show, /Standard: €\s24,50/)
    assert.ok(show.includes('Ophelia'))
    const night = await page(first.id)
    for (const words of ['Deuren open', 'Gebarentaal', 'Boventiteling']) assert.ok(night.includes(words), words)
  })
})
