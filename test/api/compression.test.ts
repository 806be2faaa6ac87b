import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { aPerson, aVenue, createBook, metadata } from '../support/records/entities.ts'
import { aPng, createMediafile, getBytes } from '../support/records/media.ts'
import { adminToken, start } from '../support/services/start.ts'

const service = await start({ after })
const { create } = service
const long = await create(aVenue('Long', { metadata: metadata({ name: 'Long', note: 'a note '.repeat(300) }) }))
const short = await create(aVenue('Short'))

const ask = (url: string, encoding: string | undefined, headers: Record<string, string> = {}, app = service.app) =>
  app.inject({
    url,
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      ...headers
    }
  })

describe('An answer of 1 kB or more', () => {
  it('is compressed with Brotli or gzip where the client accepts it, and says the same', async () => {
    const plain = await ask(`/entities/${long.id}`, undefined)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.ok(plain.rawPayload.length > 1024)
    for (const [accepted, encoding] of [
      ['gzip, deflate', 'gzip'],
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0.5, gzip;q=0.9', 'gzip'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip']
    ] as const) {
      const answer = await ask(`/entities/${long.id}`, accepted)
      assert.equal(answer.headers['content-encoding'], encoding, accepted)
      assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length)
      assert.ok(answer.rawPayload.length < 600)
      const bytes = encoding === 'br' ? brotliDecompressSync(answer.rawPayload) : gunzipSync(answer.rawPayload)
      assert.equal(bytes.toString(), plain.body)
    }
    for (const accepted of ['identity', 'deflate', 'br;q=0, gzip;q=0', ''])
      assert.equal((await ask(`/entities/${long.id}`, accepted)).headers['content-encoding'], undefined, accepted)
  })

  it('is sent once where another thread compresses it', async () => {
    const notes = Array.from({ length: 3 }, (_, index) => ({ key: `note_${index}`, value: `${index} `.repeat(30_000) }))
    const { id } = await create(aVenue('Large', { metadata: [...metadata({ name: 'Large' }), ...notes] }))
    const sent: string[] = []
    const note = (error: Error) => sent.push(error.message)
    process.on('uncaughtExceptionMonitor', note)
    try {
      const plain = await ask(`/entities/${id}`, undefined)
      assert.ok(plain.rawPayload.length > 150_000)
      const answer = await ask(`/entities/${id}`, 'br')
      assert.equal(answer.headers['content-encoding'], 'br')
      assert.equal(brotliDecompressSync(answer.rawPayload).toString(), plain.body)
      await new Promise(resolve => setTimeout(resolve, 100))
    } finally {
      process.off('uncaughtExceptionMonitor', note)
    }
    assert.deepEqual(sent, [])
  })

  it('is compressed again after a change', async () => {
    const { id } = await create(aVenue('x', { metadata: metadata({ name: 'x', note: 'a '.repeat(1000) }) }))
    await ask(`/entities/${id}`, 'gzip')
    await service.patch(`/entities/${id}`, { metadata: metadata({ name: 'Changed' }) })
    assert.match(gunzipSync((await ask(`/entities/${id}`, 'gzip')).rawPayload).toString(), /Changed/)
  })

  it('is compressed whatever it is: lists, WEM, MARC, tables, streams, problems', async () => {
    const book = await createBook(service, {
      manifestation: { fields: { title: 'Hamlet', responsibility: 'x '.repeat(800) } }
    })
    for (const path of [
      '/entities?limit=100',
      `/entities/wem/${book.manifestation}`,
      `/entities/${book.manifestation}?format=marcxml`,
      `/entities/${book.manifestation}?format=turtle`,
      '/export?format=ndjson',
      '/export?format=csv',
      '/openapi.json'
    ]) {
      const [plain, answer] = [await ask(path, undefined), await ask(path, 'gzip')]
      assert.equal(answer.headers['content-encoding'], 'gzip', path)
      assert.equal(gunzipSync(answer.rawPayload).toString(), plain.body, path)
      assert.match(String(answer.headers.vary), /Accept-Encoding/, path)
    }
  })

  it('has a tag of its own, which is known again, and by which a record can be changed', async () => {
    const plain = await ask(`/entities/${long.id}`, undefined)
    const answer = await ask(`/entities/${long.id}`, 'br')
    const etag = String(answer.headers.etag)
    assert.equal(etag, String(plain.headers.etag).replace(/"$/, '-br"'))
    const known = await ask(`/entities/${long.id}`, 'br', { 'if-none-match': etag })
    assert.deepEqual([known.statusCode, known.headers.etag, known.rawPayload.length], [304, etag, 0])
    assert.equal((await ask(`/entities/${long.id}`, undefined, { 'if-none-match': etag })).statusCode, 304)
    const patch = { metadata: metadata({ city: 'Gent' }) }
    const refused = await service.patch(`/entities/${long.id}`, patch, { headers: { 'if-match': '"99-br"' } })
    assert.equal(refused.status, 412)
    const changed = await service.patch(`/entities/${long.id}`, patch, { headers: { 'if-match': etag } })
    assert.equal(changed.status, 200, changed.text)
  })
})

describe('An answer is sent as it is', () => {
  it('where it is short', async () => {
    assert.equal((await ask(`/entities/${short.id}`, 'gzip')).headers['content-encoding'], undefined)
  })

  it('where compression is switched off', async t => {
    const plain = await start(t, { COMPRESS_FROM: '0' })
    await plain.create(aPerson('x', { metadata: metadata({ name: 'x', note: 'y'.repeat(2000) }) }))
    assert.equal((await ask('/entities', 'gzip', {}, plain.app)).headers['content-encoding'], undefined)
  })

  it('where it is the bytes of a media file, whose ranges and digest are of those bytes', async () => {
    const { mediafile } = await createMediafile(service, aPng(300, 300))
    const { headers } = await getBytes(service, `/mediafiles/${mediafile}/content`, {
      headers: { 'accept-encoding': 'gzip' }
    })
    assert.equal(headers['content-encoding'], undefined)
  })

  it('where it holds a secret', async () => {
    const token = await service.app.inject({
      method: 'POST',
      url: '/tokens',
      headers: {
        authorization: `Bearer ${adminToken}`,
        'content-type': 'application/json',
        'accept-encoding': 'gzip'
      },
      payload: JSON.stringify({ name: 'x', scopes: Array.from({ length: 100 }, () => 'read:manifestation_word') })
    })
    assert.equal(token.statusCode, 201, token.body)
    assert.ok(token.rawPayload.length > 1024)
    assert.equal(token.headers['content-encoding'], undefined)
  })
})
