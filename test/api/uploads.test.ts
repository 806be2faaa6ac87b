import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, describe, it } from 'node:test'

import { runStatement } from '../support/databases/database.ts'
import { aRecord } from '../support/records/entities.ts'
import { fieldOf, getBytes, sha256 } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

/*
 * Resumable uploads by tus 1.0.0. How they end when a connection or a process is cut is in
 * test/faults/media.test.ts.
 */

const service = await start({ after }, { MEDIA_LIMIT: '1000' })
const tus = { 'tus-resumable': '1.0.0' }
const bytes = Buffer.from('All the world is a stage, and all the men and women merely players')

async function begin(headers: Readonly<Record<string, string>> = {}, body?: Buffer) {
  const mediafile = await service.create(aRecord('mediafile', { mediafile_type: 'trailer' }))
  const answer = await service.call('POST', `/mediafiles/${mediafile.id}/uploads`, {
    headers: { ...tus, 'upload-length': String(bytes.length), ...headers },
    ...(body ? { body } : {})
  })
  return { mediafile: mediafile.id, answer, url: String(answer.headers.location) }
}

const piece = (url: string, offset: number, part: Buffer, headers: Readonly<Record<string, string>> = {}) =>
  service.call('PATCH', url, {
    body: part,
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...headers }
  })

const offsetOf = async (url: string) => (await service.call('HEAD', url, { headers: tus })).headers['upload-offset']

describe('An upload', () => {
  it('says what it can do', async () => {
    const { mediafile } = await begin()
    const { status, headers } = await service.call('OPTIONS', `/mediafiles/${mediafile}/uploads`)
    assert.equal(status, 204)
    assert.equal(headers['tus-version'], '1.0.0')
    assert.equal(headers['tus-extension'], 'creation,creation-with-upload,checksum,termination')
    assert.equal(headers['tus-max-size'], '1000')
    assert.equal(headers['tus-checksum-algorithm'], 'sha1,sha256')
  })

  it('is sent piece by piece, and kept with the last', async () => {
    const { mediafile, answer, url } = await begin()
    assert.equal(answer.status, 201, answer.text)
    assert.equal(await offsetOf(url), '0')

    const first = await piece(url, 0, bytes.subarray(0, 20))
    assert.deepEqual([first.status, first.headers['upload-offset']], [204, '20'])
    assertProblem(await service.get(`/mediafiles/${mediafile}/content`), 'not_found')
    const last = await piece(url, 20, bytes.subarray(20))

    assert.deepEqual([last.status, last.headers['upload-offset']], [204, String(bytes.length)])
    const content = await getBytes(service, `/mediafiles/${mediafile}/content`)
    assert.deepEqual(content.bytes, bytes)
    assert.equal(fieldOf((await service.get(`/mediafiles/${mediafile}`)).body, 'sha256'), sha256(bytes))
    assert.equal(await offsetOf(url), String(bytes.length))
    assertProblem(await piece(url, bytes.length, bytes), 'offset_mismatch')
  })

  it('takes the first piece with its beginning', async () => {
    const { mediafile, answer } = await begin({ 'content-type': 'application/offset+octet-stream' }, bytes)
    assert.deepEqual([answer.status, answer.headers['upload-offset']], [201, String(bytes.length)])
    assert.deepEqual((await getBytes(service, `/mediafiles/${mediafile}/content`)).bytes, bytes)
  })

  it('of no bytes at all is refused: an empty file says nothing', async () => {
    const { answer } = await begin({ 'upload-length': '0' })
    assertProblem(answer, 'invalid')
  })

  it('refuses a piece that begins elsewhere, and says where it is', async () => {
    const { url } = await begin()
    const answer = await piece(url, 5, bytes)
    assertProblem(answer, 'offset_mismatch')
    assert.equal(answer.body.offset, 0)
    assert.equal(await offsetOf(url), '0')
  })

  it('drops a piece whose checksum is another', async () => {
    const { url } = await begin()
    const checksum = (part: Buffer, algorithm: string) => ({
      'upload-checksum': `${algorithm} ${Buffer.from(hash(algorithm, part), 'hex').toString('base64')}`
    })
    const [one, other] = [bytes.subarray(0, 10), bytes.subarray(10)]

    const refused = await piece(url, 0, one, checksum(other, 'sha1'))
    assertProblem(refused, 'checksum_mismatch')
    assert.equal(refused.status, 460)
    assert.equal(await offsetOf(url), '0')
    assert.equal((await piece(url, 0, one, checksum(one, 'sha1'))).status, 204)
    assert.equal((await piece(url, 10, other, checksum(other, 'sha256'))).status, 204)
    assertProblem(await piece((await begin()).url, 0, one, { 'upload-checksum': 'md5 AAAA' }), 'bad_request')
  })

  it('is dropped when the whole has another SHA-256 than was said', async () => {
    const said = (of: Buffer) => ({ 'upload-metadata': `filename ${btoa('x.txt')},sha256 ${btoa(sha256(of))}` })
    const good = await begin(said(bytes))
    assert.equal((await piece(good.url, 0, bytes)).status, 204)
    const bad = await begin(said(Buffer.from('other')))
    assertProblem(await piece(bad.url, 0, bytes), 'checksum_mismatch')
    assertProblem(await service.get(`/mediafiles/${bad.mediafile}/content`), 'not_found')
    assert.equal((await service.call('HEAD', bad.url)).status, 404)
  })

  it('refuses more than it was said to have, and more than the setting allows', async () => {
    const { url } = await begin()
    assertProblem(await piece(url, 0, Buffer.concat([bytes, bytes])), 'media_too_large')
    assert.equal(await offsetOf(url), '0')
    assertProblem((await begin({ 'upload-length': '1001' })).answer, 'media_too_large')
  })

  it('refuses headers that it does not understand', async () => {
    for (const length of ['', '-1', '1e3', 'x', '1.5'])
      assertProblem((await begin({ 'upload-length': length })).answer, 'bad_request')
    assertProblem((await begin({ 'upload-metadata': `sha256 ${btoa('xyz')}` })).answer, 'bad_request')
    assertProblem((await begin({ 'tus-resumable': '0.2.2' })).answer, 'unsupported_tus_version')
    const { url } = await begin()
    assertProblem(await piece(url, 0, bytes, { 'content-type': 'application/json' }), 'unsupported_media_type')
    assertProblem(await piece(url, 0, bytes, { 'upload-offset': 'x' }), 'bad_request')
  })

  it('can be given up', async () => {
    const { url } = await begin()
    assert.equal((await service.delete(url, { headers: tus })).status, 204)
    assert.equal((await service.call('HEAD', url)).status, 404)
    assertProblem(await piece(url, 0, bytes), 'not_found')
  })

  it('is only for whoever began it', async () => {
    const { url } = await begin()
    const token = await service.tokenWith('admin')
    assert.equal((await service.call('HEAD', url, { token })).status, 404)
    assertProblem(await service.delete(url, { token }), 'not_found')
    assertProblem(
      await service.call('PATCH', url, {
        token,
        body: bytes,
        headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      }),
      'not_found'
    )
  })

  it('is not found under names that are paths', async () => {
    for (const name of ['..%2f..%2fetc%2fpasswd', 'x'.repeat(32), '0'.repeat(32)])
      assert.equal((await service.call('HEAD', `/uploads/${name}`)).status, 404, name)
  })
})

describe('Finished uploads', () => {
  it('have a limited number of bytes a day for each token, however they are sent', async t => {
    const own = await start(t, { MAX_MEDIA_BYTES_PER_DAY: '10' })
    const { id } = await own.create(aRecord('mediafile', { mediafile_type: 'trailer' }))
    const [token, other] = [await own.tokenWith('read', 'write'), await own.tokenWith('read', 'write')]
    const put = (text: string, by = token) =>
      own.call('PUT', `/mediafiles/${id}/content`, {
        token: by,
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.from(text)
      })
    const begin = (bytes: number) =>
      own.call('POST', `/mediafiles/${id}/uploads`, { token, headers: { ...tus, 'upload-length': String(bytes) } })
    const finish = (address: string, text: string) => {
      const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      return own.call('PATCH', address, { token, headers, body: Buffer.from(text) })
    }
    const [first, second] = [await begin(6), await begin(6)]
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal((await finish(String(first.headers.location), 'abcdef')).status, 204)
    // Both were begun when there was room; the bytes count when they are stored.
    const late = await finish(String(second.headers.location), 'ghijkl')
    assertProblem(late, 'media_too_large')
    assert.match(late.body.detail, /at most 10 bytes of media files in a day/)
    assertProblem(await begin(5), 'media_too_large')
    assertProblem(await put('mnopq'), 'media_too_large')
    assert.equal((await put('rstu')).status, 200)
    assertProblem(await put('v'), 'media_too_large')
    assert.equal((await put('wxyzabcdef', other)).status, 200)

    // The next day it begins again.
    const url = own.libretto.config.databaseUrl
    const [row] = await runStatement(url, "SELECT value FROM papers WHERE kind = 'media bytes' LIMIT 1")
    assert.match(String(row?.value), /"bytes":10/)
    await runStatement(
      url,
      `UPDATE papers SET value = $1 WHERE kind = 'media bytes'`,
      '{"day":"2020-02-02","bytes":10}'
    )
    assert.equal((await put('abcdefghij')).status, 200)
  })
})

describe('Unfinished uploads', () => {
  it('are limited for each token, and count no more once they are finished or deleted', async t => {
    const own = await start(t, { MAX_UPLOADS_PER_TOKEN: '2' })
    const { id } = await own.create(aRecord('mediafile', { mediafile_type: 'trailer' }))
    const [token, other] = [await own.tokenWith('read', 'write'), await own.tokenWith('read', 'write')]
    const beginAs = (token: string) =>
      own.call('POST', `/mediafiles/${id}/uploads`, { token, headers: { ...tus, 'upload-length': '3' } })
    const first = await beginAs(token)
    const second = await beginAs(token)
    assert.deepEqual([first.status, second.status], [201, 201])
    assertProblem(await beginAs(token), 'media_too_large')
    assert.equal((await beginAs(other)).status, 201)

    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const done = await own.call('PATCH', String(first.headers.location), { token, headers, body: Buffer.from('abc') })
    assert.equal(done.status, 204, done.text)
    assert.equal((await beginAs(token)).status, 201)
    assertProblem(await beginAs(token), 'media_too_large')
    await own.call('DELETE', String(second.headers.location), { token, headers: tus })
    assert.equal((await beginAs(token)).status, 201)
  })

  it('have a limited number of bytes together for each token, as announced', async t => {
    const own = await start(t, { MAX_UPLOAD_BYTES_PER_TOKEN: '10' })
    const { id } = await own.create(aRecord('mediafile', { mediafile_type: 'trailer' }))
    const [token, other] = [await own.tokenWith('read', 'write'), await own.tokenWith('read', 'write')]
    const begin = (bytes: number, by = token) =>
      own.call('POST', `/mediafiles/${id}/uploads`, { token: by, headers: { ...tus, 'upload-length': String(bytes) } })
    const first = await begin(6)
    assert.equal(first.status, 201)
    const refused = await begin(5)
    assertProblem(refused, 'media_too_large')
    assert.match(refused.body.detail, /at most 10 bytes together/)
    assert.equal((await begin(4)).status, 201)
    assert.equal((await begin(10, other)).status, 201)
    await own.call('DELETE', String(first.headers.location), { token, headers: tus })
    assert.equal((await begin(6)).status, 201)
  })
})
