import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'

import { passMoments } from '#catalogue/entities/pass-moments.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { aProduction, aRecord, aVenue, relations } from '../support/records/entities.ts'
import { createMediafile } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'

/*
 * A production that visitors see from one moment to another. The clock of the service is moved to
 * before, between and after; every address that may tell of the production is asked each time.
 */

/** The time that the service reads; undefined for that of the machine. */
let clock: number | undefined
const machineTime = Date.now
mock.method(Date, 'now', () => clock ?? machineTime())

const service = await start(
  { after },
  {
    ANONYMOUS_ACCESS: ['production:published', 'performance', 'mediafile', 'venue']
      .map(each => `read:${each}`)
      .join(','),
    PUBLIC_URL: 'https://house.example.org'
  }
)
const minute = 60_000
const now = Date.now() - (Date.now() % minute)
const opens = now + 60 * minute
const closes = now + 120 * minute
const published = { status: 'published', description_short: '<p>Short</p>' }
const moments = { publish_at: new Date(opens).toISOString(), withdraw_at: new Date(closes).toISOString() }

let venue: Entity
let production: Entity
let night: Entity
let addresses: readonly string[]

before(async () => {
  venue = await service.create(aVenue('Stadsschouwburg'))
  production = await service.create(
    aProduction(
      { title: 'Nachtegaal', subtitle: 'Een zangspel', ...published, ...moments },
      { relations: relations({ refVenues: venue.id }) }
    )
  )
  const start = new Date(now + 86_400_000).toISOString()
  night = await service.create(aRecord('performance', { start }, { refProduction: production.id, refVenues: venue.id }))
  const { mediafile } = await createMediafile(service, undefined, 'posters', production.id)
  addresses = [
    `/record/${production.id}`,
    `/record/${night.id}`,
    `/record/${venue.id}`,
    '/',
    '/find?q=zangspel',
    '/programme?when=week',
    '/feed.atom',
    '/sitemap-1.xml',
    '/oai?verb=ListRecords&metadataPrefix=oai_dc',
    '/sru/all?query=zangspel',
    '/export?format=ndjson',
    '/export?format=csv&type=production',
    `/entities/${production.id}`,
    `/entities/${night.id}`,
    '/entities?limit=100',
    '/suggest?q=nacht',
    `/entities/${venue.id}/references`,
    `/entities/${venue.id}/calendar.ics`,
    `/entities/${venue.id}/programme.csv`,
    `/mediafiles/${mediafile}/content`
  ]
})

/** The addresses at which a visitor is told of the production at a time. */
async function tellingAt(time: number): Promise<string[]> {
  clock = time
  try {
    const told: string[] = []
    for (const address of addresses) {
      const { status, text } = await service.get(address, { token: undefined })
      const isTold = [production.id, night.id, 'Nachtegaal'].some(each => text.includes(each))
      if (status === 200 && (isTold || address.startsWith('/mediafiles/'))) told.push(address)
    }
    return told
  } finally {
    clock = undefined
  }
}

describe('A record with moments of publication and withdrawal', () => {
  it('is shown to visitors between them and at no other time, at every address, from one minute to the next', async () => {
    assert.deepEqual(await tellingAt(opens - 1), [])
    const told = await tellingAt(opens)
    assert.deepEqual(await tellingAt(closes - 1), told)
    assert.deepEqual(await tellingAt(closes), [])
    assert.deepEqual(told, addresses)
  })

  it('is told to clients of the change feed when a moment has passed, as a change or a deletion', async () => {
    const { parts, operator } = service.libretto
    const soon = now + 10 * minute
    const at = new Date(soon).toISOString()
    const later = await service.create(aProduction({ title: 'Later', ...published, publish_at: at }))
    const over = await service.create(aProduction({ title: 'Over', ...published, withdraw_at: at }))
    const token = await service.tokenWith('read:production:published')
    const { cursor } = (await service.get('/changes', { token })).body
    assert.deepEqual(await passMoments(parts, operator, soon - 1), [])
    assert.deepEqual(await passMoments(parts, operator, soon), [later.id, over.id])
    clock = soon
    try {
      const { changes } = (await service.get(`/changes?since=${cursor}`, { token })).body
      assert.deepEqual(
        changes.map(({ type, subject }: { type: string; subject: string }) => [type, subject]),
        [
          ['entity.updated', later.id],
          ['entity.deleted', over.id]
        ]
      )
    } finally {
      clock = undefined
    }
  })
})
