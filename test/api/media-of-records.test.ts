import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import {
  aPerson,
  aProduction,
  aVenue,
  aWork,
  createBook,
  idsOf,
  metadata,
  relations
} from '../support/records/entities.ts'
import { aForm, aPng, createMediafile, fieldOf } from '../support/records/media.ts'
import { type Answer, start } from '../support/services/start.ts'
import { assertProblem, messagesOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { call, create, get, patch, post, put } = service

const addFile = async (id: string, category = 'framing', bytes = aPng()): Promise<string> => {
  const { body, headers } = aForm({ mediafile_type: category }, { filename: 'picture.png', bytes })
  const answer = await call('POST', `/entities/${id}/mediafiles`, { body, headers })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const targetsIn = (answer: Answer, type: string) =>
  (answer.body.relations as { type: string; key: string }[]).filter(each => each.type === type).map(({ key }) => key)

describe('Media files of any record', () => {
  it('are added to persons, venues, works and manifestations, which then name them in refMediafiles', async () => {
    const { manifestation } = await createBook(service)
    for (const { id } of [
      await create(aPerson('Portrayed')),
      await create(aVenue('Pictured')),
      await create(aWork('Illustrated')),
      { id: manifestation }
    ]) {
      const [first, second] = [await addFile(id), await addFile(id, 'posters')]
      assert.deepEqual(targetsIn(await get(`/entities/${id}`), 'refMediafiles'), [first, second])
      assert.deepEqual(idsOf((await get(`/entities/${id}/mediafiles`)).body), [first, second])
      assert.deepEqual(idsOf((await get(`/entities/${id}/mediafiles?category=posters`)).body), [second])
    }
  })

  it('are as before those of a production that refer to it', async () => {
    const { production, mediafile } = await createMediafile(service)
    assert.deepEqual(targetsIn(await get(`/entities/${production}`), 'refMediafiles'), [])
    assert.deepEqual(idsOf((await get(`/entities/${production}/mediafiles?order_by=id&asc=0`)).body), [mediafile])
  })

  it('need the right to write the record', async () => {
    const { id } = await create(aVenue('Guarded'))
    const token = await service.tokenWith('read', 'write:mediafile')
    const before = (await get('/mediafiles')).body.count
    assertProblem(await post(`/entities/${id}/mediafiles`, { filename: 'x.png' }, { token }), 'forbidden')
    assert.equal((await get('/mediafiles')).body.count, before)
  })

  it('are written with their record in one transaction, or not at all', async () => {
    const { body: before } = await get('/changes?limit=1000')
    const since = `/changes?limit=1000&since=${before.cursor}`
    const full = { ...aVenue('Full'), id: 'VE-FULL', relations: [] as object[] }
    for (let n = 0; n < 10_000; n++) full.relations.push({ type: 'seeAlso', key: `none-${n}` })
    const line = JSON.stringify({ op: 'create', entity: full })
    const created = await call('POST', '/entities/batch?allow_dangling=1', {
      body: line,
      headers: { 'content-type': 'application/x-ndjson' }
    })
    assert.equal(created.status, 200, created.text)
    assertProblem(await post('/entities/VE-FULL/mediafiles', { filename: 'x.png' }), 'invalid')
    const { body: changes } = await get(since)
    assert.deepEqual(
      changes.changes.map((each: { type: string; subject: string }) => [each.type, each.subject]),
      [['entity.created', 'VE-FULL']]
    )
  })

  it('are all named by their record when many are added at once', async () => {
    const { id } = await create(aVenue('Popular'))
    const files = await Promise.all(Array.from({ length: 12 }, () => addFile(id)))
    assert.deepEqual(new Set(targetsIn(await get(`/entities/${id}`), 'refMediafiles')), new Set(files))
    const { body } = await get(`/entities/${id}/history?limit=100`)
    assert.equal(body.count, 13)
  })

  it('are created once under an idempotency key, and named once', async () => {
    const { id } = await create(aVenue('Once'))
    const headers = { 'idempotency-key': 'picture-of-the-venue' }
    const first = await post(`/entities/${id}/mediafiles`, { filename: 'x.png' }, { headers })
    const again = await post(`/entities/${id}/mediafiles`, { filename: 'x.png' }, { headers })
    assert.deepEqual([first.status, again.status, again.body.id], [201, 201, first.body.id])
    assert.deepEqual(targetsIn(await get(`/entities/${id}`), 'refMediafiles'), [first.body.id])
  })

  it('are nothing else than media files', async () => {
    const person = await create(aPerson('Not a picture'))
    const refused = await post('/entities', aVenue('x', { relations: relations({ refMediafiles: person.id }) }))
    assertProblem(refused, 'invalid')
    assert.match(messagesOf(refused).join(), /refMediafiles/)
  })

  it('are checked without being written by dry_run', async () => {
    const { id } = await create(aVenue('Dry'))
    assert.equal((await post(`/entities/${id}/mediafiles?dry_run=1`, { filename: 'x.png' })).status, 200)
    assert.equal((await get(`/entities/${id}/mediafiles`)).body.count, 0)
  })
})

describe('PUT /entities/{id}/set_primary_mediafile/{mediafile_id}', () => {
  it('marks one media file as primary, and another as the thumbnail, each in place of an earlier one', async () => {
    const venue = await create(aVenue('Primary'))
    const [first, second] = [await addFile(venue.id), await addFile(venue.id)]
    for (const each of [first, second]) {
      assert.equal((await put(`/entities/${venue.id}/set_primary_mediafile/${each}`, undefined)).status, 200)
      const answer = await put(`/entities/${venue.id}/set_primary_thumbnail/${each}`, undefined)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(targetsIn(answer, 'refPrimaryMediafile'), [each])
      assert.deepEqual(targetsIn(answer, 'refPrimaryThumbnail'), [each])
    }
  })

  it('works for a production, whose media files refer to it', async () => {
    const { production, mediafile } = await createMediafile(service)
    const answer = await put(`/entities/${production}/set_primary_mediafile/${mediafile}`, undefined)
    assert.deepEqual(targetsIn(answer, 'refPrimaryMediafile'), [mediafile])
  })

  it('refuses a media file of another record, and what does not exist', async () => {
    const [one, other] = [await create(aVenue('One')), await create(aVenue('Other'))]
    const file = await addFile(other.id)
    assertProblem(await put(`/entities/${one.id}/set_primary_mediafile/${file}`, undefined), 'invalid')
    assertProblem(await put(`/entities/${one.id}/set_primary_mediafile/MF-NONE`, undefined), 'not_found')
    assertProblem(await put(`/entities/${one.id}/set_primary_mediafile/${other.id}`, undefined), 'not_found')
    assertProblem(await put(`/entities/NONE/set_primary_mediafile/${file}`, undefined), 'not_found')
    assert.deepEqual(targetsIn(await get(`/entities/${one.id}`), 'refPrimaryMediafile'), [])
  })

  it('answers "good" with soft=1 and writes nothing', async () => {
    const venue = await create(aVenue('Soft'))
    const file = await addFile(venue.id)
    assert.equal((await put(`/entities/${venue.id}/set_primary_mediafile/${file}?soft=1`, undefined)).body, 'good')
    assert.deepEqual(targetsIn(await get(`/entities/${venue.id}`), 'refPrimaryMediafile'), [])
  })
})

describe('Deleting', () => {
  it('a media file removes it from the record that has it', async () => {
    const venue = await create(aVenue('Emptied'))
    const file = await addFile(venue.id)
    await put(`/entities/${venue.id}/set_primary_mediafile/${file}`, undefined)
    assert.equal((await call('DELETE', `/mediafiles/${file}?delete_mediafiles=0`)).status, 204)
    assert.deepEqual((await get(`/entities/${venue.id}`)).body.relations, [])
  })

  it('a media file that a record refers to otherwise is refused', async () => {
    const venue = await create(aVenue('Holder'))
    const file = await addFile(venue.id)
    await create(aPerson('x', { relations: relations({ refSources: file }) }))
    assertProblem(await call('DELETE', `/mediafiles/${file}`), 'still_referenced')
  })

  it('a record leaves its media files, or takes those that no other has with delete_mediafiles=1', async () => {
    const [venue, other] = [await create(aVenue('Gone')), await create(aVenue('Stays'))]
    const [own, shared] = [await addFile(venue.id), await addFile(venue.id)]
    await patch(`/entities/${other.id}`, { relations: relations({ refMediafiles: shared }) })
    assert.equal((await call('DELETE', `/entities/${venue.id}?delete_mediafiles=1`)).status, 204)
    assert.equal((await get(`/mediafiles/${own}`)).status, 404)
    assert.equal((await get(`/mediafiles/${shared}`)).status, 200)

    assert.equal((await call('DELETE', `/entities/${other.id}?delete_mediafiles=0`)).status, 204)
    assert.equal((await get(`/mediafiles/${shared}`)).status, 200)
  })

  it('a production with delete_mediafiles=1 deletes its media files, and no performances', async () => {
    const { production, mediafile } = await createMediafile(service)
    const performance = await create({
      type: 'performance',
      metadata: metadata({ start: '2027-01-01T20:00:00Z' }),
      relations: relations({ refProduction: production })
    })
    assertProblem(await call('DELETE', `/entities/${production}?delete_mediafiles=1`), 'still_referenced')
    assert.equal((await get(`/mediafiles/${mediafile}`)).status, 200)
    assert.equal((await call('DELETE', `/entities/${performance.id}`)).status, 204)
    assert.equal((await call('DELETE', `/entities/${production}?delete_mediafiles=1`)).status, 204)
    assert.equal((await get(`/mediafiles/${mediafile}`)).status, 404)
  })
})

describe('Calls of existing clients on media files', () => {
  it('PATCH takes root members, and keeps what the bytes say', async () => {
    const { mediafile } = await createMediafile(service)
    const sent = {
      mimetype: 'image/jpeg',
      technical_origin: 'original',
      img_width: 640,
      metadata: metadata({ title: 'A' })
    }
    const answer = await patch(`/mediafiles/${mediafile}`, sent)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(
      ['mimetype', 'technical_origin', 'img_width', 'title'].map(key => fieldOf(answer.body, key)),
      ['image/png', 'original', 640, 'A']
    )
    const { body } = await get(`/mediafiles/${mediafile}`)
    const replaced = await put(`/mediafiles/${mediafile}`, { ...body, schema: {}, original_filename: 'a.png' })
    assert.equal(fieldOf(replaced.body, 'original_filename'), 'a.png')
    assertProblem(await patch(`/mediafiles/${mediafile}`, [1]), 'invalid')
  })

  it('POST /mediafiles/filter finds media files only', async () => {
    const { production, mediafile } = await createMediafile(service, aPng(), 'trailer')
    const filters = [{ type: 'id', value: [production, mediafile] }]
    const answer = await post('/mediafiles/filter?limit=5&skip=0&order_by=&asc=1', filters)
    assert.deepEqual([answer.body.count, idsOf(answer.body)], [1, [mediafile]])
    assert.equal((await post('/mediafiles/filter?soft=1', [])).body, 'good')
    const all = await post('/mediafiles/filter?limit=1', [])
    assert.equal((await post(all.body.next, [])).body.count, all.body.count)
    assertProblem(await post('/mediafiles/filter', [{ type: 'telepathy' }]), 'unknown_filter_type')
  })

  it('download-urls gives addresses that work without a bearer', async () => {
    const { mediafile } = await createMediafile(service)
    const { body } = await get(`/mediafiles/${mediafile}/download-urls`)
    for (const member of ['original_file_location', 'thumbnail_file_location']) {
      const { pathname, search } = new URL(body[member])
      assert.equal((await get(pathname + search, { token: undefined })).status, 200, member)
      assert.equal((await get(pathname, { token: undefined })).status, 401)
    }
    const elsewhere = await post('/mediafiles', { external_url: 'https://example.org/a.png' })
    assert.equal(
      (await get(`/mediafiles/${elsewhere.body.id}/download-urls`)).body.original_file_location,
      'https://example.org/a.png'
    )
    assertProblem(await get(`/mediafiles/${(await create(aProduction())).id}/download-urls`), 'not_found')
  })

  it('derivatives lists the thumbnails of an image, and none of anything else', async () => {
    const { mediafile } = await createMediafile(service)
    const { body } = await get(`/mediafiles/${mediafile}/derivatives`)
    assert.deepEqual([body.count, body.results[0].width], [body.results.length, 160])
    assert.deepEqual(
      body.results.flatMap(({ form }: { form?: string }) => form ?? []),
      ['card', 'poster', 'banner', 'square', 'social']
    )
    for (const { location } of body.results) {
      const { pathname, search } = new URL(location)
      assert.equal((await get(pathname + search, { token: undefined })).status, 200)
    }
    const text = await createMediafile(service, Buffer.from('A text'), 'review')
    assert.deepEqual((await get(`/mediafiles/${text.mediafile}/derivatives`)).body, { count: 0, results: [] })
  })

  it('GET /entities/{id}/mediafiles takes the parameters that those clients send', async () => {
    const { production, mediafile } = await createMediafile(service)
    const url = `/entities/${production}/mediafiles`
    for (const query of ['?non_public=1', '?limit=20&skip=0&order_by=date_updated&asc=1'])
      assert.deepEqual(idsOf((await get(url + query)).body), [mediafile])
    assertProblem(await get(`${url}?order_by=a,b,c,d,e,f,g,h,i`), 'invalid')
  })
})
