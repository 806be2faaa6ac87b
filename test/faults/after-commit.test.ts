import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aRecord, aVenue, metadata, relations } from '../support/records/entities.ts'
import { failReadsAfterCommits } from '../support/services/failing-reads.ts'
import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { aForm, aPng, createMediafile } from '../support/records/media.ts'
import { type Answer, start } from '../support/services/start.ts'

/*
 * A request that is refused has written nothing. So nothing that follows a commit may fail the
 * answer, whatever happens to the store: here all its reads fail from the commit on.
 */

const service = await start({ after })
const { create, get, libretto } = service
const reads = failReadsAfterCommits(libretto)
const publicUrl = 'https://hooks.example.org/libretto'
/** A writer who does not read everything: the relations that it may not see are left out. */
const writer = await service.tokenWith('read:production', 'read:mediafile', 'write', 'delete')

interface Case {
  readonly name: string
  /** Makes what the request needs, and gives the request. */
  readonly prepare: () => Promise<readonly [method: string, url: string, body?: unknown]>
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Only for the admin: others may not do it. */
  readonly isAdministrative?: boolean
}

const venueOf = async () => (await create(aVenue())).id
const production = async (fields = {}) =>
  create(aProduction(fields, { relations: relations({ refVenues: await venueOf() }) }))
const tus = { 'tus-resumable': '1.0.0' }
const lines = { 'content-type': 'application/x-ndjson' }

/** Other bytes each time: the lease of the last ones could not be released. */
let width = 0
const newBytes = () => aPng(++width)

async function mediafileOf(id: string): Promise<string> {
  return (await createMediafile(service, newBytes(), 'posters', id)).mediafile
}

async function webhook(): Promise<string> {
  return (await service.post('/webhooks', { url: publicUrl })).body.id
}

async function importOf(): Promise<string> {
  return (await service.call('POST', '/imports', { body: marcFile(saltRoad), headers: marc })).body.id
}
const marc = { 'content-type': 'application/marc' }

const cases: readonly Case[] = [
  {
    name: 'POST /entities',
    status: 201,
    prepare: async () => [
      'POST',
      '/entities',
      aProduction({}, { relations: relations({ refVenues: await venueOf() }) })
    ]
  },
  {
    name: 'POST /entities with a key',
    status: 201,
    headers: { 'idempotency-key': `k-${process.pid}` },
    prepare: async () => ['POST', '/entities', aProduction({ title: 'Once' })]
  },
  {
    name: 'PUT /entities/{id}',
    status: 200,
    prepare: async () => {
      const { id, relations: targets } = await production()
      return ['PUT', `/entities/${id}`, aProduction({ title: 'Macbeth' }, { relations: targets })]
    }
  },
  {
    name: 'PATCH /entities/{id}',
    status: 200,
    prepare: async () => ['PATCH', `/entities/${(await production()).id}`, { metadata: metadata({ title: 'Lear' }) }]
  },
  {
    name: 'PATCH /entities/{id} in JSON Patch',
    status: 200,
    headers: { 'content-type': 'application/json-patch+json' },
    prepare: async () => [
      'PATCH',
      `/entities/${(await production()).id}`,
      [{ op: 'replace', path: '/metadata/0/value', value: 'Lear' }]
    ]
  },
  {
    name: 'DELETE /entities/{id}',
    status: 204,
    prepare: async () => ['DELETE', `/entities/${(await production()).id}`]
  },
  {
    name: 'DELETE /entities/{id} with its parts',
    status: 200,
    prepare: async () => {
      const { id } = await production()
      await mediafileOf(id)
      return ['DELETE', `/entities/${id}?references=delete_parts`]
    }
  },
  {
    name: 'DELETE /entities/{id} for ever',
    status: 204,
    isAdministrative: true,
    prepare: async () => {
      const { id } = await production()
      await mediafileOf(id)
      return ['DELETE', `/entities/${id}?references=delete_parts&purge=1`]
    }
  },
  {
    name: 'POST /entities/{id}/metadata',
    status: 201,
    prepare: async () => ['POST', `/entities/${(await production()).id}/metadata`, metadata({ subtitle: 'Again' })]
  },
  {
    name: 'POST /entities/{id}/relations',
    status: 201,
    prepare: async () => [
      'POST',
      `/entities/${(await production()).id}/relations`,
      relations({ refVenues: await venueOf() })
    ]
  },
  {
    name: 'POST /entities/{id}/revert of a record',
    status: 200,
    prepare: async () => {
      const { id } = await production()
      await service.patch(`/entities/${id}`, { metadata: metadata({ title: 'Lear' }) })
      return ['POST', `/entities/${id}/revert`, { version: 1 }]
    }
  },
  {
    name: 'POST /entities/{id}/revert of a deleted record',
    status: 200,
    prepare: async () => {
      const { id } = await production()
      await service.delete(`/entities/${id}`)
      return ['POST', `/entities/${id}/revert`, { version: 1 }]
    }
  },
  {
    name: 'POST /entities/{id}/merge',
    status: 200,
    prepare: async () => [
      'POST',
      `/entities/${(await production()).id}/merge`,
      { victim_id: (await production({ title: 'Hamlet too' })).id }
    ]
  },
  {
    name: 'POST /entities/{id}/unmerge',
    status: 200,
    prepare: async () => {
      const { id } = await production()
      await service.post(`/entities/${id}/merge`, { victim_id: (await production({ title: 'Hamlet too' })).id })
      return ['POST', `/entities/${id}/unmerge`, {}]
    }
  },
  {
    name: 'POST /entities/batch',
    status: 200,
    prepare: async () => [
      'POST',
      '/entities/batch',
      [{ op: 'create', entity: aProduction({}, { relations: relations({ refVenues: await venueOf() }) }) }]
    ]
  },
  {
    name: 'POST /entities/batch in lines',
    status: 200,
    headers: lines,
    prepare: async () => [
      'POST',
      '/entities/batch',
      `${JSON.stringify({ op: 'create', entity: aProduction({}, { relations: relations({ refVenues: await venueOf() }) }) })}\n`
    ]
  },
  {
    name: 'POST /entities/batch, all or none',
    status: 200,
    prepare: async () => [
      'POST',
      '/entities/batch?atomic=1',
      [
        { op: 'create', entity: aProduction({}, { relations: relations({ refVenues: await venueOf() }) }) },
        { op: 'delete', id: (await production()).id }
      ]
    ]
  },
  {
    name: 'PUT /entities',
    status: 200,
    prepare: async () => [
      'PUT',
      '/entities',
      [aProduction({}, { relations: relations({ refVenues: await venueOf() }) })]
    ]
  },
  {
    name: 'DELETE /entities',
    status: 200,
    prepare: async () => ['DELETE', '/entities', [(await production()).id]]
  },
  {
    name: 'POST /mediafiles',
    status: 201,
    prepare: async () => ['POST', '/mediafiles', { mediafile_type: 'poster' }]
  },
  {
    name: 'POST /entities/{id}/mediafiles',
    status: 201,
    prepare: async () => ['POST', `/entities/${(await production()).id}/mediafiles`, { mediafile_type: 'poster' }]
  },
  {
    name: 'POST /entities/{id}/mediafiles for an address',
    status: 201,
    headers: { accept: 'text/uri-list' },
    prepare: async () => ['POST', `/entities/${(await production()).id}/mediafiles`, { mediafile_type: 'poster' }]
  },
  {
    name: 'PUT /mediafiles/{id}/content',
    status: 200,
    headers: { 'content-type': 'image/png' },
    prepare: async () => {
      const { body } = await service.post(`/entities/${(await production()).id}/mediafiles`, {
        mediafile_type: 'poster'
      })
      return ['PUT', `/mediafiles/${body.id}/content`, newBytes()]
    }
  },
  {
    name: 'PATCH /mediafiles/{id}',
    status: 200,
    prepare: async () => ['PATCH', `/mediafiles/${await mediafileOf((await production()).id)}`, { title: 'Affiche' }]
  },
  {
    name: 'DELETE /mediafiles/{id}',
    status: 204,
    prepare: async () => ['DELETE', `/mediafiles/${await mediafileOf((await production()).id)}`]
  },
  {
    name: 'PUT /entities/{id}/set_primary_mediafile/{mediafile_id}',
    status: 200,
    prepare: async () => {
      const { id } = await production()
      return ['PUT', `/entities/${id}/set_primary_mediafile/${await mediafileOf(id)}`, {}]
    }
  },
  {
    name: 'POST /tokens',
    status: 201,
    isAdministrative: true,
    prepare: async () => ['POST', '/tokens', { name: 'reader', scopes: ['read'] }]
  },
  {
    name: 'DELETE /tokens/{id}',
    status: 204,
    isAdministrative: true,
    prepare: async () => {
      const { body } = await service.post('/tokens', { name: 'reader', scopes: ['read'] })
      return ['DELETE', `/tokens/${body.id}`]
    }
  },
  {
    name: 'POST /webhooks',
    status: 201,
    isAdministrative: true,
    prepare: async () => ['POST', '/webhooks', { url: publicUrl }]
  },
  {
    name: 'PATCH /webhooks/{id}',
    status: 200,
    isAdministrative: true,
    prepare: async () => ['PATCH', `/webhooks/${await webhook()}`, { description: 'The site' }]
  },
  {
    name: 'POST /webhooks/{id}/rotate-secret',
    status: 200,
    isAdministrative: true,
    prepare: async () => ['POST', `/webhooks/${await webhook()}/rotate-secret`, {}]
  },
  {
    name: 'DELETE /webhooks/{id}',
    status: 204,
    isAdministrative: true,
    prepare: async () => ['DELETE', `/webhooks/${await webhook()}`]
  },
  {
    name: 'POST /imports',
    status: 202,
    isAdministrative: true,
    headers: marc,
    prepare: async () => ['POST', '/imports', marcFile(saltRoad)]
  },
  {
    name: 'POST /imports/{id}/stop',
    status: 202,
    isAdministrative: true,
    prepare: async () => ['POST', `/imports/${await importOf()}/stop`]
  }
]

const send = ([method, url, body]: Awaited<ReturnType<Case['prepare']>>, { headers }: Case, token?: string) =>
  service.call(method, url, {
    isSentOnce: true,
    ...(body === undefined ? {} : { body }),
    ...(headers ? { headers } : {}),
    ...(token === undefined ? {} : { token })
  })

describe('When every read after the commit fails', () => {
  for (const each of cases)
    it(`${each.name} answers ${each.status}`, async () => {
      const answers: Answer[] = []
      for (const token of each.isAdministrative ? [undefined] : [undefined, writer]) {
        const request = await each.prepare()
        answers.push(await reads.after(() => send(request, each, token)))
      }
      for (const { status, text } of answers) assert.equal(status, each.status, text)
      for (const { text } of answers) assert.ok(!text.includes('query_timeout'), text)
      await libretto.parts.followUps.retry()
    })

  it('a form with a file, and a resumable upload, are answered as done', async () => {
    const { id } = await production()
    const { body, headers } = aForm({ mediafile_type: 'poster' }, { filename: 'a.png', bytes: newBytes() })
    const form = await reads.after(() => service.call('POST', `/entities/${id}/mediafiles`, { body, headers }))
    assert.equal(form.status, 201, form.text)
    const begun = await service.call('POST', `/mediafiles/${form.body.id}/uploads`, {
      headers: { ...tus, 'upload-length': '3' }
    })
    const last = await reads.after(() =>
      service.call('PATCH', String(begun.headers.location), {
        body: Buffer.from('abc'),
        headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      })
    )
    assert.equal(last.status, 204, last.text)
  })

  it('files that came before their production are counted later', async () => {
    const id = `P-${process.pid}-earlier`
    await create(
      aRecord(
        'mediafile',
        { mediafile_type: 'posters', external_url: 'https://example.org/a.png' },
        { refProductions: id }
      ),
      '?allow_dangling=1'
    )
    const countOf = async () =>
      (await get(`/entities/${id}`)).body.metadata.find((each: { key: string }) => each.key === 'posters_files')?.value
    const before = reads.failures()
    const made = await reads.after(() => service.post('/entities', aProduction({}, { id }), { isSentOnce: true }))

    assert.equal(made.status, 201, made.text)
    assert.ok(reads.failures() > before)
    assert.equal(await countOf(), undefined)
    await libretto.parts.followUps.retry()
    assert.equal(await countOf(), 1)
  })

  it('an act that could not be logged is logged later, with the time at which it happened', async () => {
    const started = await reads.after(() =>
      service.call('POST', '/imports', { body: marcFile(saltRoad), headers: marc })
    )
    assert.equal(started.status, 202, started.text)
    const logged = async () =>
      (await get('/audit?limit=10')).body.acts.some((each: { subject: string }) => each.subject === started.body.id)
    assert.equal(await logged(), false)
    await libretto.parts.followUps.retry()
    assert.equal(await logged(), true)
  })
})
