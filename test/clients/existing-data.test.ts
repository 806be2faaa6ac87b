import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { aProduction, aRecord, aWork, idsOf, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'
import { type RecordedCall, replay, valuesOf } from './recorded-calls.ts'

/*
 * docs/models/existing-data.json: the record types of data that exists already, ready to be used as
 * a model file.
 */

const service = await start({ after }, { MODEL: join(import.meta.dirname, '../../docs/models/existing-data.json') })
const { create, filter, get, post } = service

describe('The model of existing data', () => {
  it('takes the asset of the first example of the Python SDK', async () => {
    const asset = { type: 'asset', identifiers: ['test'], metadata: [{ key: 'title', value: 'test', lang: 'en' }] }
    const made = await create(asset)
    assert.match(made.id, /^AST-/)
    assert.equal((await get('/entities/test')).body.id, made.id)
    assertProblem(await post('/entities', asset), 'identifier_taken')
  })

  it('has houses that are venue, company and agency at once', async () => {
    const house = await create(
      aRecord('organization', { name: 'Het Huis', is_venue: true, is_company: true, latitude: 51, longitude: 4 })
    )
    const agency = await create(aRecord('organization', { name: 'Boekers', is_booking_agency: true }))
    const targets = { refVenues: house.id, refCompanies: house.id, refBookingAgency: agency.id }
    const show = await create({ ...aProduction(), relations: relations(targets) })
    const { body } = await get(`/entities/${show.id}?resolve=1`)
    assert.deepEqual(
      body.relations.map((each: { type: string; value: string }) => [each.type, each.value]),
      [
        ['refVenues', 'Het Huis'],
        ['refCompanies', 'Het Huis'],
        ['refBookingAgency', 'Boekers']
      ]
    )
    const venue = await create(aRecord('venue', { name: 'Een zaal' }))
    await create({ ...aProduction(), relations: relations({ refVenues: venue.id }) })
    await create(
      aRecord('performance', { start: '2026-11-14T20:00:00Z' }, { refProduction: show.id, refVenues: house.id })
    )
    const user = await create(aRecord('user', { name: 'An' }, { refOrganizations: house.id }))
    const ofVenues = {
      type: 'boolean',
      key: 'lookup.virtual_relations.ref_organizations.properties.is_venue.value',
      value: true
    }
    assert.deepEqual(idsOf((await filter([{ type: 'type', value: 'user' }, ofVenues])).body), [user.id])
    const square = [
      [3, 50],
      [5, 50],
      [5, 52],
      [3, 52],
      [3, 50]
    ]
    const inSquare = { type: 'geo', value: { type: 'Polygon', coordinates: [square] } }
    assert.deepEqual(idsOf((await filter([inSquare])).body), [house.id])
  })

  it('has a work twice in one production, in its places', async () => {
    const [waltz, song] = [await create(aWork('Wals')), await create(aWork('Lied'))]
    const show = await create(aProduction())
    for (const [position, work] of [waltz, song, waltz].entries())
      await create(
        aRecord(
          'programme_item',
          { title: `Deel ${position + 1}`, position: position + 1 },
          { refProduction: show.id, refWorks: work.id }
        )
      )
    const ofShow = { type: 'selection', key: 'properties.ref_production.value', value: [show.id], match_exact: true }
    const { body } = await filter([{ type: 'type', value: 'programme_item' }, ofShow], '?order_by=position')
    assert.deepEqual(
      body.results.map(
        (each: { relations: { type: string; key: string }[] }) =>
          each.relations.find(({ type }) => type === 'refWorks')?.key
      ),
      [waltz.id, song.id, waltz.id]
    )
    const twice = { type: 'number', key: 'shows', value: { min: 2 }, aggregation: 'size' }
    const lookup = { from: 'programme_items', local_field: 'id', foreign_field: 'relations.refWorks.key', as: 'shows' }
    assert.deepEqual(idsOf((await filter([{ ...twice, lookup }])).body), [waltz.id])
    assertProblem(
      await post('/entities', aRecord('programme_item', { title: 'x' }, { refProduction: show.id })),
      'invalid'
    )
  })

  it('has terms and classes under their own names, resolved in a WEM', async () => {
    const term = await create(aRecord('nomen', { title: 'Vossen', non_preferred_title: ['Vos', 'Reinaert'] }))
    const broad = await create(aRecord('zizo_youth', { title: 'Dieren', code: [['D']], level: '1' }))
    const narrow = await create(
      aRecord('zizo_youth', { title: 'Wilde dieren', code: [['D1']] }, { refParentZizo: broad.id })
    )
    const work = await create({
      ...aWork(),
      relations: relations({ refSubjects: term.id, refTimes: term.id, refZizos: narrow.id })
    })
    const expression = await create(aRecord('expression_word', { title: 'x' }, { refWork: work.id }))
    const book = await create(aRecord('manifestation_word', { title: 'x' }, { refExpressions: expression.id }))
    const { body } = await get(`/entities/wem/${book.id}`)
    const { [term.id]: subject, [narrow.id]: zizo } = body.work.relations
    assert.deepEqual([subject.label, subject.value], ['nomen', 'Vossen'])
    assert.deepEqual(zizo.levels, [
      { level: '1', title: 'Dieren' },
      { level: '2', title: 'Wilde dieren' }
    ])
    const keys = ['properties.name.value', 'properties.title.value', 'properties.non_preferred_title.value']
    const named = { type: 'selection', key: keys.map(key => `vlacc:1|${key}`), value: ['Reinaert'], match_exact: true }
    assert.deepEqual(idsOf((await filter([named])).body), [term.id])
  })

  it('stores the searches that the front-end saves', async () => {
    const filters = [{ type: 'text', key: ['elody:1|metadata.title.value'], value: 'ham', match_exact: false }]
    let id = ''
    const one = (method: 'GET' | 'PATCH' | 'DELETE', rest = ''): Omit<RecordedCall, 'call'> => ({
      method,
      path: `/entities/${id}${rest}`
    })
    const headers = { accept: '*/*', 'accept-encoding': 'gzip, br' }
    const makes: RecordedCall = {
      call: 'createEntity',
      ...{ method: 'POST', path: '/entities', status: 201 },
      body: {
        type: 'savedSearch',
        metadata: [
          { key: 'title', value: 'Ham', lang: null },
          { key: 'applicableType', value: 'production' },
          { key: 'filters', value: filters }
        ],
        relations: []
      },
      needs: body => {
        id = body.id
      }
    }
    await replay(service, [makes], { headers })
    const lists: RecordedCall = {
      call: 'GetAdvancedEntities',
      ...{ method: 'POST', path: '/entities/filter?limit=20&skip=0&order_by=&asc=0' },
      body: [
        { type: 'type', value: 'savedSearch', match_exact: true },
        { type: 'text', key: ['elody:1|metadata.applicableType.value'], value: 'production', match_exact: true }
      ],
      needs: body => assert.deepEqual(idsOf(body), [id])
    }
    const changes: RecordedCall = {
      call: 'patchMetadata',
      ...one('PATCH', '/metadata'),
      body: [{ key: 'filters', value: [] }],
      needs: body => assert.deepEqual(valuesOf({ metadata: body }, 'filters'), [[]])
    }
    await replay(
      service,
      [
        lists,
        { call: 'getEntity', ...one('GET'), needs: body => assert.deepEqual(valuesOf(body, 'filters'), [filters]) },
        changes,
        { call: 'deleteData', ...one('DELETE', '?delete_mediafiles=0'), reads: 'text' }
      ],
      { headers }
    )
  })

  it('leaves the built-in types as they are', async () => {
    for (const [type, fields] of Object.entries({
      venue: { name: 'x' },
      subject: { name: 'x' },
      zizo: { title: 'x', code: ['x'] }
    }))
      await create({ type, metadata: Object.entries(fields).map(([key, value]) => ({ key, value })) })
    const company = await create({ type: 'company', metadata: metadata({ name: 'x' }) })
    assertProblem(
      await post('/entities', { ...aProduction(), relations: relations({ refVenues: company.id }) }),
      'invalid'
    )
  })
})
