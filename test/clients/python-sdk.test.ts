import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aVenue } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { type RecordedCall, replay, valuesOf } from './recorded-calls.ts'

/*
 * Every method of the public Python SDK of the platform with this interface. It needs a 2xx with
 * JSON, except from deletions; 404 and 409 raise exceptions of their own, and every 400 must have a
 * JSON `message`.
 */

const service = await start({ after })
const headers = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate',
  'user-agent': 'python-requests/2.32.3',
  'x-tenant-id': 'podiumnet'
}

/** Whether a message has the form that clients take apart: `CODE | name:value - text`. */
const isMessage = (code: string) => (body: { message: string }) =>
  assert.match(body.message, new RegExp(`^${code} \\| \\w+:.* - `))

/** The calls in the order of a session; `n` keeps the two sessions apart. */
const calls = (n: number): readonly RecordedCall[] => [
  {
    call: 'add_object',
    ...{ method: 'POST', path: '/entities', status: 201 },
    body: { ...aVenue('De Zaal'), identifiers: [`test-${n}`] },
    needs: body => {
      assert.ok(body._id && body.id && body._key === body.id)
      assert.deepEqual(new Set(body.identifiers), new Set([body._id, body.id, `test-${n}`]))
    }
  },
  {
    call: 'add_object with an id of its own',
    ...{ method: 'POST', path: '/entities' },
    body: { ...aProduction({ subtitle: 'A' }), id: `PR-${n}` },
    needs: body => assert.equal(body.id, `PR-${n}`)
  },
  {
    call: 'add_object with parameters',
    ...{ method: 'POST', path: '/entities?soft=1' },
    body: aProduction(),
    needs: body => assert.equal(body, 'good')
  },
  {
    call: 'add_object of something that is there (NonUniqueException)',
    ...{ method: 'POST', path: '/entities', status: 409 },
    body: { ...aVenue(), identifiers: [`test-${n}`] },
    needs: isMessage('W2004')
  },
  {
    call: 'add_object that is not valid (Exception with the text)',
    ...{ method: 'POST', path: '/entities', status: 400 },
    body: { type: 'production', metadata: [] },
    needs: isMessage('W5011')
  },
  {
    call: 'get_object by any identifier',
    ...{ method: 'GET', path: `/entities/test-${n}` },
    needs: body => assert.equal(body.type, 'venue')
  },
  {
    call: 'get_object that is not there (NotFoundException)',
    ...{ method: 'GET', path: '/entities/nothing', status: 404 },
    needs: isMessage('R0004')
  },
  {
    call: 'get_all_objects of entities',
    ...{ method: 'GET', path: '/entities' },
    needs: body => assert.ok(Array.isArray(body) && body.every((each: { _key: string }) => each._key))
  },
  {
    call: 'get_all_objects of media files',
    ...{ method: 'GET', path: '/mediafiles' },
    needs: body => assert.ok(Array.isArray(body.results))
  },
  {
    call: 'update_object without overwrite',
    ...{ method: 'PATCH', path: `/entities/PR-${n}` },
    body: { metadata: [{ key: 'title', value: 'Other' }] },
    needs: body => assert.deepEqual([valuesOf(body, 'title'), valuesOf(body, 'subtitle')], [['Other'], ['A']])
  },
  {
    call: 'update_object',
    ...{ method: 'PUT', path: `/entities/PR-${n}` },
    body: {
      ...aProduction({ title: 'Whole' }),
      id: `PR-${n}`,
      schema: { type: 'podiumnet', version: 1 },
      date_created: 'x'
    },
    needs: body => assert.deepEqual([valuesOf(body, 'title'), valuesOf(body, 'subtitle')], [['Whole'], []])
  },
  {
    call: 'update_object_relations',
    ...{ method: 'PATCH', path: `/entities/PR-${n}/relations` },
    body: [{ key: `test-${n}`, type: 'refVenues', label: 'stage', metadata: [{ key: 'role', value: 'host' }] }],
    needs: body => assert.deepEqual([body.length, body[0].label, body[0].metadata[0].value], [1, 'stage', 'host'])
  },
  {
    call: 'add_object_metadata of one entry',
    ...{ method: 'PATCH', path: `/entities/PR-${n}/metadata` },
    body: [{ key: 'subtitle', value: 'Een', lang: 'nl' }],
    needs: body => assert.ok(body.some((each: { lang: string }) => each.lang === 'nl'))
  },
  {
    call: 'add_object_metadata of a list, with emptied fields',
    ...{ method: 'PATCH', path: `/entities/PR-${n}/metadata` },
    body: [
      { key: 'subtitle', value: 'Twee', lang: 'nl' },
      { key: 'duration', value: '' },
      { key: 'premiere_date', value: null }
    ],
    needs: body =>
      assert.deepEqual(
        body.filter((each: { key: string }) => ['subtitle', 'duration', 'premiere_date'].includes(each.key)),
        [{ key: 'subtitle', value: 'Twee', lang: 'nl' }]
      )
  },
  {
    call: 'add_object_metadata that is refused: it reads the message, to know whether to POST',
    ...{ method: 'PATCH', path: `/entities/PR-${n}/metadata`, status: 400 },
    body: [{ key: 'status', value: 'nonsense' }],
    needs: isMessage('W5011')
  },
  {
    call: 'add_object_metadata by POST',
    ...{ method: 'POST', path: `/entities/PR-${n}/metadata`, status: 201 },
    body: [{ key: 'age_category', value: '12+' }]
  },
  {
    call: 'add_entity_mediafiles',
    ...{ method: 'POST', path: `/entities/PR-${n}/mediafiles` },
    body: {
      id: `MF-${n}`,
      filename: 'a.png',
      type: 'mediafile',
      metadata: [{ key: 'mediafile_type', value: 'poster' }]
    },
    needs: body => assert.deepEqual(valuesOf(body, 'mediafile_type'), ['posters'])
  },
  {
    call: 'create_mediafile_with_filename',
    ...{ method: 'POST', path: '/mediafiles', status: 201 },
    body: {
      ...{ filename: `b-${n}.png`, original_filename: 'b.png', type: 'mediafile', technical_origin: 'original' },
      metadata: [{ key: 'institution', value: 'institution-1' }]
    },
    needs: body => {
      assert.ok(body._id)
      assert.deepEqual(valuesOf(body, 'technical_origin'), ['original'])
    }
  },
  {
    call: 'create_ticket',
    ...{ method: 'POST', path: '/tickets', status: 201, reads: 'text' },
    body: { filename: `b-${n}.png` },
    needs: (_, { text }) => assert.match(text.replaceAll('"', ''), /^[\w-]+\.[\w-]+$/)
  },
  {
    call: 'get_mediafiles_and_check_existence',
    ...{ method: 'GET', path: `/mediafiles/MF-${n}` },
    needs: body => assert.equal(body.id, `MF-${n}`)
  },
  {
    call: 'get_mediafiles_and_check_existence of one that is not there',
    ...{ method: 'GET', path: '/mediafiles/MF-NONE', status: 404 },
    needs: isMessage('R0004')
  },
  {
    call: 'update_object_relations of a media file',
    ...{ method: 'PATCH', path: `/mediafiles/MF-${n}/relations` },
    body: [{ key: `PR-${n}`, type: 'refProductions' }],
    needs: body => assert.deepEqual(body, [{ key: `PR-${n}`, type: 'refProductions' }])
  },
  {
    call: 'update_object of a media file by its root members',
    ...{ method: 'PATCH', path: `/mediafiles/MF-${n}` },
    body: { mimetype: 'image/jpeg', img_width: 400, technical_origin: 'original' },
    needs: body => assert.deepEqual(valuesOf(body, 'mimetype'), ['image/jpeg'])
  },
  {
    call: 'add_object_metadata of a media file',
    ...{ method: 'PATCH', path: `/mediafiles/MF-${n}` },
    body: { metadata: [{ key: 'title', value: 'A poster' }] },
    needs: body => assert.deepEqual(valuesOf(body, 'title'), ['A poster'])
  },
  {
    call: 'upload_file_from_url: the address for the bytes',
    ...{ method: 'POST', path: `/entities/PR-${n}/mediafiles`, reads: 'text' },
    headers: { accept: 'text/uri-list' },
    body: { filename: 'c.png', type: 'mediafile' },
    needs: (_, { text }) => assert.match(text.trim(), /^https?:\/\/.+[?&]id=[^&]+/)
  },
  {
    call: 'upload_file_from_url: the storage service, which is another program',
    ...{ method: 'POST', path: `/upload/init-stream?mediafile_id=MF-${n}`, status: 404 },
    body: {},
    needs: isMessage('R\\d+')
  },
  {
    call: 'delete_object of what others refer to (NonUniqueException)',
    ...{ method: 'DELETE', path: `/entities/test-${n}`, status: 409 }
  },
  { call: 'delete_object of a media file', method: 'DELETE', path: `/mediafiles/MF-${n}`, status: 204, reads: 'text' },
  {
    call: 'delete_object of a production with its media files',
    ...{ method: 'DELETE', path: `/entities/PR-${n}?delete_mediafiles=1`, reads: 'text' }
  },
  {
    call: 'get_object of what was deleted',
    ...{ method: 'GET', path: `/entities/PR-${n}`, status: 404 }
  },
  { call: 'delete_object', method: 'DELETE', path: `/entities/test-${n}`, status: 204, reads: 'text' }
]

describe('The Python SDK', () => {
  it('gets the answers that it needs', () => replay(service, calls(1), { headers }))
  it('gets them under /elody/v1 too', () => replay(service, calls(2), { base: '/elody/v1', headers }))
  it('hears of a token that is not known with 401 and R1013', () =>
    replay(
      service,
      [{ call: 'get_all_objects', method: 'GET', path: '/entities', status: 401, needs: isMessage('R1013') }],
      { headers: { ...headers, authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' } }
    ))
})
