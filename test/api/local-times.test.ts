import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { createClient, localTime } from '../../client/index.ts'
import { aProduction, aRecord, createBook, relations } from '../support/records/entities.ts'
import { assertProblem } from '../support/records/write-cases.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start } from '../support/services/start.ts'

/* Times on the clocks of venues, and labels in the language of the reader. */

const service = await start({ after }, { TIME_ZONE: 'UTC' })
const { create, get, filter } = service

const names = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([lang, value]) => ({ key: 'name', value, lang }))
const brussels = await create({
  type: 'venue',
  metadata: [
    ...names({ nl: 'De Munt', fr: 'La Monnaie' }),
    { key: 'country', value: 'BE' },
    { key: 'city', value: 'Brussel' }
  ]
})
const newYork = await create(aRecord('venue', { name: 'The Met', time_zone: 'America/New_York' }))
const genre = await create({ type: 'genre', metadata: names({ nl: 'Opera', en: 'Grand opera' }) })
const tosca = await create(aProduction({ title: 'Tosca' }, { relations: relations({ refGenres: genre.id }) }))
const perform = (fields: Readonly<Record<string, unknown>>, venue: string) =>
  create(aRecord('performance', fields, { refProduction: tosca.id, refVenues: venue }))
const winter = await perform({ start: '2026-01-16T20:00', doors: '2026-01-16T19:00' }, brussels.id)
const summer = await perform({ start: '2026-07-01T20:00' }, brussels.id)
const guest = await perform({ start: '2026-03-02T19:30' }, newYork.id)
const day = await perform({ start: '2026-12-01' }, brussels.id)

const performances = [{ type: 'type', value: 'performance' }]
const localOf = (body: { results: { id: string; local?: unknown }[] }, { id }: Entity) =>
  body.results.find(each => each.id === id)?.local

describe('Local times', () => {
  it('are beside the times of performances, by the clock of the venue, where they are asked for', async () => {
    const { body } = await filter(performances, '?include=local')
    assert.deepEqual(localOf(body, winter), {
      ...{ start: '2026-01-16T20:00:00', doors: '2026-01-16T19:00:00', zone: 'Europe/Brussels' }
    })
    assert.deepEqual(localOf(body, summer), { start: '2026-07-01T20:00:00', zone: 'Europe/Brussels' })
    assert.deepEqual(localOf(body, guest), { start: '2026-03-02T19:30:00', zone: 'America/New_York' })
    assert.deepEqual(localOf(body, day), { start: '2026-12-01', zone: 'Europe/Brussels' })
    assert.equal(localOf((await filter(performances)).body, winter), undefined)
  })

  it('are in lists, in single records, with resolved relations and in summaries', async () => {
    const start = '2026-01-16T20:00:00'
    const list = await get('/entities?type=performance&envelope=1&include=relations,local')
    const listed = list.body.results.find((each: Entity) => each.id === winter.id)
    assert.deepEqual([listed.local.start, listed.relations[0].value], [start, 'Tosca'])
    assert.equal((await get(`/entities/${winter.id}?include=local`)).body.local.start, start)
    const resolved = (await get(`/entities/${winter.id}?resolve=1&include=local`)).body
    assert.deepEqual([resolved.local.start, resolved.relations[0].value], [start, 'Tosca'])
    const { body } = await filter([{ type: 'type', value: 'production' }], '?include=summary,local')
    assert.equal(body.summaries[tosca.id].premiere.local.start, start)
    assert.equal((await get(`/entities/${tosca.id}?include=local`)).body.local, undefined)
  })

  it('may be sent back with the record, and are ignored', async () => {
    const { body } = await get(`/entities/${winter.id}?include=local`)
    const answer = await service.put(`/entities/${winter.id}`, body)
    assert.equal(answer.status, 200)
    assert.equal((await get(`/entities/${winter.id}`)).body.local, undefined)
  })

  it('continue from page to page, and refuse what cannot be included', async () => {
    const { body } = await filter(performances, '?include=local&limit=1')
    const next = (await service.post(body.next, performances)).body
    assert.equal(typeof next.results[0].local.zone, 'string')
    assertProblem(await service.post('/entities/filter?include=lokal', performances), 'bad_request')
    assertProblem(await get(`/entities/${winter.id}?include=summary`), 'bad_request')
  })

  it('are the same for a client in any zone', async () => {
    const libretto = createClient({ baseUrl: `http://127.0.0.1:${await listen(service)}`, token: adminToken })
    const own = process.env.TZ
    try {
      for (const zone of ['America/New_York', 'Asia/Tokyo', 'Europe/Brussels']) {
        process.env.TZ = zone
        const { results } = await libretto.entities.find([{ type: 'id', value: [winter.id] }], { include: 'local' })
        assert.deepEqual(results[0] && localTime(results[0]), {
          ...{ day: '2026-01-16', time: '20:00', zone: 'Europe/Brussels' }
        })
      }
    } finally {
      if (own === undefined) delete process.env.TZ
      else process.env.TZ = own
    }
    const [bare] = (await libretto.entities.find([{ type: 'id', value: [winter.id] }])).results
    assert.throws(() => bare && localTime(bare), /include: 'local'/)
  })
})

describe('The language of labels', () => {
  const french = { headers: { 'accept-language': 'fr-BE,fr;q=0.9,nl;q=0.5' } }

  it('is chosen by lang, by Accept-Language, or is that of the first name', async () => {
    const venueOf = async (query: string, options = {}) =>
      (await get(`/entities/${winter.id}?resolve=1${query}`, options)).body.relations[1].value
    assert.equal(await venueOf(''), 'De Munt')
    assert.equal(await venueOf('', french), 'La Monnaie')
    assert.equal(await venueOf('&lang=nl', french), 'De Munt')
    assert.equal(await venueOf('&lang=ja'), 'De Munt')
    assert.equal(await venueOf('&lang=fr-CA'), 'La Monnaie')
    const { body } = await filter([{ type: 'id', value: [winter.id] }], '?include=relations&lang=fr')
    assert.equal(body.results[0].relations[1].value, 'La Monnaie')
  })

  it('holds for facets: related records, types and values of choices', async () => {
    const facets = async (query: string) =>
      (
        await service.post(
          `/entities/filter?limit=0&facets=type,relations.refGenres.key,properties.status.value${query}`,
          [{ type: 'type', value: 'production' }]
        )
      ).body.facets
    const english = await facets('&lang=en')
    assert.equal(english['relations.refGenres.key'][0].label, 'Grand opera')
    assert.deepEqual(english.type, [{ value: 'production', label: 'Production', count: 1 }])
    assert.deepEqual((await facets('&lang=de'))['properties.status.value'], [
      { value: 'concept', label: 'Entwurf', count: 1 }
    ])
    assert.deepEqual((await facets('')).type, [{ value: 'production', count: 1 }])
  })

  it('holds for the tables of record types', async () => {
    const rowOf = async (query: string) =>
      (await get(`/record-types${query}`)).body.record_types.find(
        (each: { type: string }) => each.type === 'performance'
      )
    const row = await rowOf('?lang=nl')
    const status = row.fields.find((each: { key: string }) => each.key === 'status')
    assert.deepEqual([row.label, status.label, status.of_labels.moved], ['Voorstelling', 'Status', 'Verplaatst'])
    assert.equal((await rowOf('')).label, undefined)
  })

  it('holds for a WEM, which is otherwise unchanged', async () => {
    const { manifestation } = await createBook(service, {
      work: { fields: { title: 'Tosca' }, relations: relations({ refGenres: genre.id }) }
    })
    const genreIn = async (query: string) =>
      (await get(`/entities/wem/${manifestation}${query}`)).body.work.relations[genre.id].value
    assert.deepEqual(
      [await genreIn(''), await genreIn('?lang=en'), await genreIn('')],
      ['Opera', 'Grand opera', 'Opera']
    )
  })
})

describe('Fields of related records', () => {
  it('are beside resolved relations if they are named', async () => {
    const { body } = await filter(
      [{ type: 'id', value: [winter.id] }],
      '?include=relations&related_fields=city,country,refGenres'
    )
    const [production, venue] = body.results[0].relations
    assert.deepEqual(production.fields, { refGenres: [genre.id] })
    assert.deepEqual(venue.fields, { city: ['Brussel'], country: ['BE'] })
  })

  it('are refused if no record type has them', async () => {
    const answer = await get(`/entities/${winter.id}?resolve=1&related_fields=citty`)
    assertProblem(answer, 'invalid')
    assert.match(answer.text, /did you mean \\"city\\"/)
  })
})
