import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aVenue, relations } from '../support/records/entities.ts'
import { aPng } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'
import {
  createSavedSearch,
  envelopes,
  permissions,
  reads,
  readsAboutRecords,
  savedSearches,
  unanswered,
  writes
} from './front-end-calls.ts'
import { replay } from './recorded-calls.ts'

const service = await start({ after })
const headers = { accept: '*/*', 'accept-encoding': 'gzip, br', 'x-tenant-id': 'podiumnet' }

const { create } = service
await create({ ...aVenue('De Zaal'), id: 'VE-1' })
await create({ ...aVenue('Andere zaal'), id: 'VE-2' })
await create({
  ...aProduction({ title: 'Hamlet', status: 'concept', duration: 90 }),
  id: 'PR-1',
  relations: relations({ refVenues: 'VE-1' })
})
await create({ ...aProduction({ title: 'Othello' }), id: 'PR-2' })
for (const id of ['MF-1', 'MF-2'])
  await create({
    id,
    type: 'mediafile',
    metadata: [{ key: 'mediafile_type', value: 'posters' }],
    relations: relations({ refProductions: 'PR-1' })
  })
await service.call('PUT', '/mediafiles/MF-1/content', { body: aPng(), headers: { 'content-type': 'image/png' } })

describe('The data source of the front-end', () => {
  it('reads what it needs', () => replay(service, reads, { headers }))
  it('reads it under /elody/v1 too', () => replay(service, reads, { base: '/elody/v1', headers }))
  it('reads lists with their count under /v2, and everything else there too', async () => {
    await replay(service, envelopes, { base: '/v2', headers })
    const [, , , ...others] = reads
    await replay(service, others, { base: '/v2', headers })
  })
  it('reads what else it asks about records', async () => {
    const table = { body: 'type,title\n', headers: { 'content-type': 'text/csv' } }
    await service.call('POST', '/imports?name=shows.csv&preview=1', table)
    await replay(service, readsAboutRecords, { headers })
  })
  it('hears "good" where the caller may', () => replay(service, permissions, { headers }))
  it('is told in JSON what is not here, and why is known', async () => {
    assert.ok(unanswered.every(({ why }) => why !== ''))
    await replay(
      service,
      unanswered.map(each => ({ ...each, needs: body => assert.ok(body.message) })),
      { headers }
    )
  })
  it('writes, and reads from the answers what it needs', async () => {
    await create({ ...aProduction(), id: 'PR-3', relations: relations({ refVenues: 'VE-1' }) })
    for (const id of ['MF-3', 'MF-4'])
      await create({
        ...{ id, type: 'mediafile', metadata: [{ key: 'mediafile_type', value: 'posters' }] },
        relations: relations({ refProductions: 'PR-3' })
      })
    await replay(service, writes, { headers })
  })
  it('saves, lists, renames, changes and deletes searches', async () => {
    let id = ''
    const keepsId = {
      ...createSavedSearch,
      needs: (body: { _key: string }) => {
        id = body._key
      }
    }
    await replay(service, [createSavedSearch, keepsId], { headers })
    await replay(service, savedSearches(id), { headers })
  })
})
