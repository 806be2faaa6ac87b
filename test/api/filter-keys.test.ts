import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aRecord, aVenue, idsOf, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { create, filter } = service

const globe = await create(aVenue('The Globe', { identifiers: ['venue:globe', 'urn:uuid:globe-theatre'] }))
const minard = await create(aVenue('Minard'))
const agency = await create(aRecord('booking_agency', { name: 'Thassos' }))
const hamlet = await create(
  aProduction(
    { title: 'Hamlet', duration: 180 },
    { relations: relations({ refVenues: [globe.id, minard.id], refBookingAgency: agency.id }), identifiers: ['show:1'] }
  )
)
const macbeth = await create(
  aProduction({ title: 'Macbeth', duration: 120 }, { relations: relations({ refVenues: minard.id }) })
)
const tempest = await create(aProduction({ title: 'The Tempest' }))

const productions = { type: 'type', value: 'production' }
const found = async (...filters: unknown[]) => idsOf((await filter([productions, ...filters])).body)
const exactly = (key: unknown, value: unknown) => ({ type: 'selection', key, value, match_exact: true })

describe('The key of a filter', () => {
  it('is an array of field paths, or a single one', async () => {
    assert.deepEqual(await found(exactly(['catalog:1|properties.title.value'], 'Hamlet')), [hamlet.id])
    assert.deepEqual(await found(exactly('catalog:1|properties.title.value', 'Hamlet')), [hamlet.id])
  })

  for (const prefix of ['catalog:1|', 'podiumnet:1|', 'vlacc:1|', 'elody:1|', 'dams:12|', 'my-own_name.2:0|', '']) {
    it(`takes the prefix ${prefix === '' ? 'that is left out' : prefix}`, async () => {
      assert.deepEqual(await found(exactly([`${prefix}properties.title.value`], 'Hamlet')), [hamlet.id])
      assert.deepEqual(await found(exactly([`${prefix}properties.ref_venues.value`], globe.id)), [hamlet.id])
      assert.deepEqual(await found(exactly([`${prefix}id`], hamlet.id)), [hamlet.id])
    })
  }
})

describe('The path properties.<metadata key>.value', () => {
  it('is the value of the metadata key', async () => {
    assert.deepEqual(await found(exactly('properties.title.value', 'Macbeth')), [macbeth.id])
  })

  it('takes a metadata key with dots, spaces and other characters', async () => {
    const odd = await create(aProduction({ 'dc.title of "show" 100%': 'odd' }))

    assert.deepEqual(await found(exactly('properties.dc.title of "show" 100%.value', 'odd')), [odd.id])
  })

  it('finds nothing for a key that no record has', async () => {
    assert.deepEqual(await found(exactly('properties.nothing.value', 'x')), [])
  })
})

describe('The path metadata.<key>.value', () => {
  it('is the value of the metadata key', async () => {
    assert.deepEqual(await found(exactly('metadata.title.value', 'Macbeth')), [macbeth.id])
  })
})

describe('The path properties.<relation>.value', () => {
  it('is the id of the related entity, the relation type in snake case', async () => {
    assert.deepEqual(await found(exactly('catalog:1|properties.ref_venues.value', globe.id)), [hamlet.id])
    assert.deepEqual(await found(exactly('catalog:1|properties.ref_venues.value', minard.id)), [hamlet.id, macbeth.id])
    assert.deepEqual(await found(exactly('properties.ref_booking_agency.value', agency.id)), [hamlet.id])
  })

  it('takes the relation type as it is written in the entity too', async () => {
    assert.deepEqual(await found(exactly('properties.refBookingAgency.value', agency.id)), [hamlet.id])
  })

  it('is found by any identifier of the related entity', async () => {
    for (const identifier of [globe._id, 'venue:globe', 'urn:uuid:globe-theatre']) {
      assert.deepEqual(await found(exactly('properties.ref_venues.value', identifier)), [hamlet.id], identifier)
    }
  })

  it('is found by any identifier without match_exact, and by a text filter', async () => {
    const key = 'properties.ref_venues.value'
    for (const identifier of [globe.id, globe._id, 'venue:globe']) {
      assert.deepEqual(await found({ type: 'selection', key, value: identifier }), [hamlet.id], identifier)
      assert.deepEqual(await found({ type: 'text', key, value: identifier }), [hamlet.id], identifier)
    }
    assert.deepEqual(await found({ type: 'text', key, value: 'VENUE:glo*' }), [hamlet.id])
    assert.deepEqual(await found({ type: 'text', key, value: '*theatre' }), [hamlet.id])
  })

  it('is found by any of an array', async () => {
    assert.deepEqual(await found(exactly('properties.ref_venues.value', [globe._id, 'nowhere', minard.id])), [
      hamlet.id,
      macbeth.id
    ])
  })

  it('takes "*" for any and "" for none', async () => {
    assert.deepEqual(await found(exactly('properties.ref_venues.value', '*')), [hamlet.id, macbeth.id])
    const without = await found(exactly('properties.ref_venues.value', ''))
    assert.ok(without.includes(tempest.id))
    assert.equal(without.includes(hamlet.id), false)
    assert.deepEqual(await found({ type: 'text', key: 'properties.ref_venues.value', value: '*' }), [
      hamlet.id,
      macbeth.id
    ])
  })

  it('is negated by match_not', async () => {
    const others = await found({ ...exactly('properties.ref_venues.value', 'venue:globe'), match_not: true })

    assert.equal(others.includes(hamlet.id), false)
    assert.ok(others.includes(macbeth.id) && others.includes(tempest.id))
  })

  it('follows a relation that is taken away or added', async () => {
    const moved = await create(aProduction({ title: 'Moved' }, { relations: relations({ refVenues: globe.id }) }))
    await service.put(`/entities/${moved.id}`, aProduction({ title: 'Moved' }))
    assert.deepEqual(await found(exactly('properties.ref_venues.value', globe.id)), [hamlet.id])

    await service.patch(`/entities/${moved.id}`, { relations: relations({ refVenues: globe.id }) })
    assert.deepEqual(await found(exactly('properties.ref_venues.value', 'venue:globe')), [hamlet.id, moved.id])
    await service.delete(`/entities/${moved.id}`)
  })

  it('finds a relation to an entity that does not exist by its key, and by every identifier once it does', async () => {
    const early = await create(
      aProduction({ title: 'Early' }, { relations: relations({ refSeasons: 'season:later' }) }),
      '?allow_dangling=1'
    )
    const key = 'properties.ref_seasons.value'
    assert.deepEqual(await found(exactly(key, 'season:later')), [early.id])

    const season = await create(aRecord('season', { name: 'Later' }, {}, { identifiers: ['season:later'] }))

    for (const identifier of ['season:later', season.id, season._id]) {
      assert.deepEqual(await found(exactly(key, identifier)), [early.id], identifier)
    }
    assert.deepEqual(await found(exactly('properties.ref_seasons.name', 'Later')), [early.id])
  })
})

describe('The path relations.<type>.key', () => {
  it('is the id of the related entity, any of its identifiers', async () => {
    for (const identifier of [globe.id, globe._id, 'venue:globe']) {
      assert.deepEqual(await found(exactly('relations.refVenues.key', [identifier])), [hamlet.id])
    }
    assert.deepEqual(await found(exactly('dams:1|relations.isAssetFor.key', [globe.id])), [])
  })
})

describe('The path properties.<relation>.name', () => {
  it('is the readable value of the related entity', async () => {
    assert.deepEqual(await found(exactly('properties.ref_venues.name', 'The Globe')), [hamlet.id])
    assert.deepEqual(await found({ type: 'text', key: 'properties.ref_venues.name', value: 'minar' }), [
      hamlet.id,
      macbeth.id
    ])
    assert.deepEqual(
      await found({ type: 'text', key: 'catalog:1|properties.ref_booking_agency.name', value: 'THA*' }),
      [hamlet.id]
    )
    assert.deepEqual(await found({ type: 'text', key: 'properties.ref_booking_agency.name', value: 'globe' }), [])
  })

  it('follows a new name at once', async () => {
    const company = await create(aRecord('company', { name: 'Old name' }))
    const { id } = await create(
      aProduction({ title: 'Followed' }, { relations: relations({ refCompanies: company.id }) })
    )
    const byName = (value: string) => found({ type: 'text', key: 'properties.ref_companies.name', value })
    assert.deepEqual(await byName('old'), [id])

    await service.patch(`/entities/${company.id}`, { metadata: metadata({ name: 'New name' }) })

    assert.deepEqual(await byName('old'), [])
    assert.deepEqual(await byName('new'), [id])
  })

  it('is the main field of each type: a title, a code, a wording', async () => {
    const siso = await create(aRecord('siso', { code: '822.1', land_or_language: 'England' }))
    const role = await create(aRecord('code_wording', { code: 'aut', wording: 'author' }))
    const zizo = await create(aRecord('zizo', { code: [['LIT']], title: 'Literature' }))
    const work = await create(
      aRecord('work_word', { title: 'Classified' }, { refSisos: siso.id, refCodeWordings: role.id, refZizos: zizo.id })
    )
    const byName = async (relation: string, value: string) =>
      idsOf((await filter([exactly(`properties.${relation}.name`, value)])).body)

    assert.deepEqual(await byName('ref_sisos', '822.1'), [work.id])
    assert.deepEqual(await byName('ref_code_wordings', 'author'), [work.id])
    assert.deepEqual(await byName('ref_zizos', 'Literature'), [work.id])
    assert.deepEqual(await byName('ref_zizos', 'LIT'), [])
  })

  it('takes "*" for any and "" for none', async () => {
    assert.ok((await found(exactly('properties.ref_venues.name', '*'))).includes(hamlet.id))
    assert.ok((await found(exactly('properties.ref_venues.name', ''))).includes(tempest.id))
  })
})

describe('The paths id, identifiers and type', () => {
  it('id is the human-readable id', async () => {
    assert.deepEqual(await found(exactly('id', [hamlet.id, macbeth.id])), [hamlet.id, macbeth.id])
    assert.deepEqual(await found({ type: 'text', key: 'id', value: `${hamlet.id.toLowerCase()}*` }), [hamlet.id])
    assert.deepEqual(await found(exactly('id', 'show:1')), [])
  })

  it('identifiers is any of the identifiers', async () => {
    for (const value of [hamlet.id, hamlet._id, 'show:1']) {
      assert.deepEqual(await found(exactly('identifiers', value)), [hamlet.id])
    }
    assert.deepEqual(await found({ type: 'text', key: ['catalog:1|identifiers'], value: 'SHOW:*' }), [hamlet.id])
    assert.deepEqual(await found({ type: 'selection', key: 'identifiers', value: 'how:1' }), [hamlet.id])
  })

  it('type is the entity type', async () => {
    assert.ok((await found(exactly('type', 'production'))).includes(hamlet.id))
    assert.deepEqual(await found(exactly('catalog:1|type', ['venue'])), [])
    assert.deepEqual(await found({ type: 'text', key: 'type', value: 'prod*', match_not: true }), [])
  })
})

describe('The paths audit.*, date_created and date_updated', () => {
  const { tokens } = service.libretto
  const day = { min: '2020-01-01' }

  for (const key of ['audit.created.at', 'audit.updated.at', 'date_created', 'date_updated']) {
    it(`${key} is a moment`, async () => {
      assert.ok((await found({ type: 'date', key: [`catalog:1|${key}`], value: day })).includes(hamlet.id))
      assert.deepEqual(await found({ type: 'date', key, value: { max: '2020-01-01' } }), [])
    })
  }

  it('audit.created.by and audit.updated.by are who it was', async () => {
    const { token } = await tokens.create({ name: 'editor-in-chief', scopes: ['read', 'write'] }, 'test')
    const made = await service.post('/entities', aPerson('Made'), { token })
    const changed = await create(aPerson('Changed'))
    await service.patch(`/entities/${changed.id}`, { metadata: metadata({ life_dates: '1900-1999' }) }, { token })
    const by = async (key: string, value: string, members = {}) =>
      idsOf((await filter([{ type: 'selection', key, value, ...members }])).body)

    const name = made.body.audit.created.by
    assert.match(name, /editor-in-chief/)
    assert.deepEqual(await by('audit.created.by', name, { match_exact: true }), [made.body.id])
    assert.deepEqual(await by('audit.updated.by', name, { match_exact: true }), [made.body.id, changed.id])
    assert.deepEqual(await by('catalog:1|audit.updated.by', 'EDITOR-IN'), [made.body.id, changed.id])
  })
})
