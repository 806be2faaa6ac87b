import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, metadata } from '../support/records/entities.ts'
import { aForm, aPng, createMediafile, getBytes, putBytes, sha256, fieldOf } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after }, { MEDIA_LIMIT: '2000000' })

describe('POST /entities/{id}/mediafiles as a form', () => {
  it('keeps the fields and the bytes together, and tells type, size, hash and dimensions from the bytes', async () => {
    const production = await service.create(aProduction())
    const bytes = aPng(30, 20)
    const { body, headers } = aForm({ mediafile_type: 'poster', title: 'Affiche' }, { filename: 'a.exe', bytes })

    const answer = await service.call('POST', `/entities/${production.id}/mediafiles`, { body, headers })

    assert.equal(answer.status, 201, answer.text)
    const expected = {
      mediafile_type: 'posters',
      title: 'Affiche',
      filename: 'a.exe',
      mimetype: 'image/png',
      size: bytes.length,
      sha256: sha256(bytes),
      width: 30,
      height: 20
    }
    for (const [key, value] of Object.entries(expected)) assert.equal(fieldOf(answer.body, key), value, key)
    assert.deepEqual(answer.body.relations, [{ key: production.id, type: 'refProductions' }])
    const content = await getBytes(service, `${answer.headers.location}/content`)
    assert.deepEqual(content.bytes, bytes)
  })

  it('takes fields that come after the file', async () => {
    const production = await service.create(aProduction())
    const form = aForm({}, { filename: 'a.png', bytes: aPng() })
    const text = form.body.toString('latin1')
    const end = text.lastIndexOf('--', text.length - 5)
    const boundary = /boundary=(.+)$/.exec(form.headers['content-type'] ?? '')?.[1]
    const late = `--${boundary}\r\nContent-Disposition: form-data; name="mediafile_type"\r\n\r\nrider\r\n`
    const body = Buffer.from(
      [text.slice(0, text.lastIndexOf(`--${boundary}--`)), late, `--${boundary}--\r\n`].join(''),
      'latin1'
    )
    assert.ok(end > 0)

    const answer = await service.call('POST', `/entities/${production.id}/mediafiles`, { body, headers: form.headers })

    assert.equal(answer.status, 201, answer.text)
    assert.equal(fieldOf(answer.body, 'mediafile_type'), 'rider')
  })

  it('refuses what cannot be kept, and keeps nothing of it', async () => {
    const production = await service.create(aProduction())
    const send = async (fields: Record<string, string>, id = production.id, bytes = aPng()) => {
      const { body, headers } = aForm(fields, { filename: 'a.png', bytes })
      return service.call('POST', `/entities/${id}/mediafiles`, { body, headers })
    }

    assertProblem(await send({ mediafile_type: 'nonsense' }), 'invalid')
    assertProblem(await send({ metadata: '{' }), 'malformed_json')
    assertProblem(await send({ mediafile_type: 'posters' }, 'PR-NONE'), 'not_found')
    assertProblem(await send({ sha256: '0'.repeat(64) }), 'checksum_mismatch')
    assertProblem(await send({}, production.id, Buffer.alloc(2_000_001)), 'media_too_large')
    const noFile = aForm({ mediafile_type: 'posters' })
    const url = `/entities/${production.id}/mediafiles`
    assertProblem(await service.call('POST', url, noFile), 'bad_request')
    assertProblem(
      await service.call('POST', url, { body: 'x', headers: { 'content-type': 'multipart/form-data' } }),
      'bad_request'
    )
    const cut = aForm({}, { filename: 'a.png', bytes: aPng() })
    assertProblem(await service.call('POST', url, { ...cut, body: cut.body.subarray(0, -40) }), 'bad_request')
    assertProblem(await service.call('POST', '/entities', noFile), 'unsupported_media_type')
    assert.equal((await service.get(url)).body.count, 0)
  })
})

describe('PUT /mediafiles/{id}/content', () => {
  it('gives a media file its bytes, and new ones later', async () => {
    const production = await service.create(aProduction())
    const { body: created } = await service.post(`/entities/${production.id}/mediafiles`, {
      filename: 'x.png',
      mediafile_type: 'posters'
    })
    const url = `/mediafiles/${created.id}/content`
    assertProblem(await service.get(url), 'not_found')

    const first = await putBytes(service, url, aPng(1, 1))
    const second = await putBytes(service, url, Buffer.from('%PDF-1.7 rider'))

    assert.equal(first.status, 200, first.text)
    assert.equal(fieldOf(first.body, 'width'), 1)
    assert.equal(fieldOf(second.body, 'mimetype'), 'application/pdf')
    assert.equal(fieldOf(second.body, 'width'), undefined)
    const { bytes } = await getBytes(service, url)
    assert.equal(bytes.toString(), '%PDF-1.7 rider')
  })

  it('takes any type of body as bytes, JSON too', async () => {
    const { mediafile } = await createMediafile(service)
    for (const type of ['application/json', 'multipart/form-data', 'text/plain']) {
      const answer = await putBytes(service, `/mediafiles/${mediafile}/content`, Buffer.from('{"a":1'), {
        'content-type': type
      })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(fieldOf(answer.body, 'size'), 6)
    }
  })

  it('checks the digest that is sent with the bytes', async () => {
    const { mediafile } = await createMediafile(service)
    const url = `/mediafiles/${mediafile}/content`
    const bytes = Buffer.from('some text')
    const digest = (of: Buffer) => ({ 'repr-digest': `sha-256=:${Buffer.from(sha256(of), 'hex').toString('base64')}:` })

    assert.equal((await putBytes(service, url, bytes, digest(bytes))).status, 200)
    assertProblem(await putBytes(service, url, Buffer.from('some test'), digest(bytes)), 'checksum_mismatch')
    assertProblem(await putBytes(service, url, bytes, { 'content-digest': 'sha-256=:AAAA:' }), 'bad_request')
    assert.equal((await getBytes(service, url)).bytes.toString(), 'some text')
  })

  it('refuses more bytes than the setting allows, a part of a file, and none', async () => {
    const { mediafile } = await createMediafile(service)
    const url = `/mediafiles/${mediafile}/content`
    assertProblem(await putBytes(service, url, Buffer.alloc(2_000_001)), 'media_too_large')
    assertProblem(await putBytes(service, url, Buffer.from('x'), { 'content-range': 'bytes 0-0/2' }), 'bad_request')
    assertProblem(await service.call('PUT', url), 'bad_request')
  })

  it('is for media files only', async () => {
    const production = await service.create(aProduction())
    assertProblem(await putBytes(service, `/mediafiles/${production.id}/content`, aPng()), 'not_found')
    assertProblem(await service.get(`/mediafiles/${production.id}/content`), 'not_found')
    assertProblem(await service.get(`/mediafiles/${production.id}`), 'not_found')
  })
})

describe('GET /mediafiles/{id}/content', () => {
  it('gives parts of it', async () => {
    const { mediafile } = await createMediafile(service, Buffer.from('0123456789'))
    const url = `/mediafiles/${mediafile}/content`
    const cases: readonly (readonly [
      range: string,
      status: number,
      bytes: string,
      contentRange: string | undefined
    ])[] = [
      ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
      ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=9-99', 206, '9', 'bytes 9-9/10'],
      ['bytes=3-1', 200, '0123456789', undefined],
      ['bytes=0-1,3-4', 200, '0123456789', undefined],
      ['lines=1-2', 200, '0123456789', undefined],
      ['bytes=-', 200, '0123456789', undefined]
    ]
    for (const [range, status, bytes, contentRange] of cases) {
      const answer = await getBytes(service, url, { headers: { range } })
      assert.deepEqual(
        [answer.status, answer.bytes.toString(), answer.headers['content-range']],
        [status, bytes, contentRange],
        range
      )
      assert.equal(answer.headers['content-length'], String(bytes.length))
    }
    for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
      const answer = await service.get(url, { headers: { range } })
      assertProblem(answer, 'range_not_satisfiable')
      assert.equal(answer.headers['content-range'], 'bytes */10')
    }
  })

  it('gives a part only of the bytes that the client has the rest of', async () => {
    const { mediafile } = await createMediafile(service, Buffer.from('0123456789'))
    const url = `/mediafiles/${mediafile}/content`
    const etag = `"${sha256(Buffer.from('0123456789'))}"`
    const ask = (condition: string) => getBytes(service, url, { headers: { range: 'bytes=5-', 'if-range': condition } })

    assert.equal((await ask(etag)).status, 206)
    assert.equal((await ask('"other"')).status, 200)
    assert.equal((await ask(`W/${etag}`)).status, 200)
    assert.equal((await ask('Sun, 15 Nov 2026 09:00:00 GMT')).status, 200)
    const known = await getBytes(service, url, { headers: { 'if-none-match': etag } })
    assert.equal(known.status, 304)
    assert.equal(known.bytes.length, 0)
  })

  it('tells of it without it, on HEAD', async () => {
    const { mediafile } = await createMediafile(service, Buffer.from('0123456789'))
    const answer = await service.call('HEAD', `/mediafiles/${mediafile}/content`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-length'], '10')
    assert.equal(answer.headers['accept-ranges'], 'bytes')
    assert.equal(answer.text, '')
  })

  it('leads to what is elsewhere', async () => {
    const mediafile = await service.create({
      type: 'mediafile',
      metadata: metadata({ mediafile_type: 'trailer', external_url: 'https://video.example/1', mimetype: 'video/mp4' })
    })
    const answer = await service.get(`/mediafiles/${mediafile.id}/content`)
    assert.equal(answer.status, 307)
    assert.equal(answer.headers.location, 'https://video.example/1')
    assert.equal(fieldOf(mediafile, 'mimetype'), 'video/mp4')

    const mail = await service.create({
      type: 'mediafile',
      metadata: metadata({ mediafile_type: 'trailer', external_url: 'mailto:a@example.org' })
    })
    assertProblem(await service.get(`/mediafiles/${mail.id}/content`), 'not_found')
  })
})

describe('The facts of the content', () => {
  it('are not for a client to say', async () => {
    const { mediafile } = await createMediafile(service)
    const { body: before } = await service.get(`/entities/${mediafile}`)
    const other = sha256(Buffer.from('other'))

    const patched = await service.patch(`/entities/${mediafile}`, {
      metadata: metadata({ sha256: other, size: 1, mimetype: 'text/html', title: 'New' })
    })
    const replaced = await service.put(`/entities/${mediafile}`, { metadata: metadata({ mediafile_type: 'posters' }) })
    const listed = await service.call('DELETE', `/entities/${mediafile}/metadata`, { body: [{ key: 'sha256' }] })

    assert.equal(fieldOf(patched.body, 'title'), 'New')
    for (const key of ['sha256', 'size', 'mimetype', 'width', 'height']) {
      assert.equal(fieldOf(patched.body, key), fieldOf(before, key), key)
      assert.equal(fieldOf(replaced.body, key), fieldOf(before, key), key)
    }
    assert.equal(listed.status, 200, listed.text)
    assert.equal((await getBytes(service, `/mediafiles/${mediafile}/content`)).status, 200)
    const created = await service.create({
      type: 'mediafile',
      metadata: metadata({ mediafile_type: 'posters', sha256: fieldOf(before, 'sha256') })
    })
    assert.equal(fieldOf(created, 'sha256'), undefined)
    assertProblem(await service.get(`/mediafiles/${created.id}/content`), 'not_found')
  })

  it('come back with a media file that was deleted', async () => {
    const { mediafile } = await createMediafile(service)
    assert.equal((await service.delete(`/mediafiles/${mediafile}`)).status, 204)
    assertProblem(await service.get(`/mediafiles/${mediafile}/content`), 'not_found')
    assert.equal((await service.post(`/entities/${mediafile}/revert`, { version: 1 })).status, 200)
    assert.equal((await getBytes(service, `/mediafiles/${mediafile}/content`)).status, 200)
  })

  it('do not change when an entity is put back as it was fetched', async () => {
    const { mediafile } = await createMediafile(service)
    const { body } = await service.get(`/entities/${mediafile}`)
    const answer = await service.put(`/entities/${mediafile}`, body)
    assert.equal(answer.body.version, body.version)
  })
})
