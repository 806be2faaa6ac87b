import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'

import Fastify from 'fastify'

import type { MetadataEntry } from '#domain/entity/entity.ts'
import { readFields } from '#http/body/form-body.ts'
import { serviceRoutes } from '#http/routes/service.ts'
import type { App } from '#http/openapi/typebox-provider.ts'
import { createChance, seed } from '../support/records/chance.ts'
import { aPerson, aProduction, metadata } from '../support/records/entities.ts'
import { aForm, aPng } from '../support/records/media.ts'
import { adminToken, start, type TestService } from '../support/services/start.ts'

/*
 * Bodies that once stopped the service or held its main thread. Each is answered at once, with what
 * is wrong.
 */

describe('PUT /entities as CSV', () => {
  it('ends when a byte order mark stands before a quotation mark', async t => {
    const service = await start(t)
    const body = Buffer.from('69642c747970650aefbbbf226162630a', 'hex')
    const answer = await service.call('PUT', '/entities', { body, headers: { 'content-type': 'text/csv' } })
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(
      answer.body.errors.map((each: { pointer: string }) => each.pointer),
      ['/0/type']
    )
  })
})

describe('A table with very many columns', () => {
  it('is refused before its columns are looked at', async t => {
    const service = await start(t)
    const head = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(',')
    const answer = await service.call('PUT', '/entities', {
      body: `id,${head}\n`,
      headers: { 'content-type': 'text/csv' }
    })
    assert.equal(answer.status, 400)
    assert.match(answer.body.detail, /at most 200 columns, not 100001/)
  })
})

describe('A request about many records', () => {
  it('names at most as many as an atomic batch holds, and is refused before each is looked at', async t => {
    const service = await start(t)
    const many = 10_001
    const bodies = [
      ['PUT', '/entities', `[${Array.from({ length: many }, () => '{}').join()}]`, 'application/json'],
      ['PUT', '/entities?soft=1', `[${Array.from({ length: many }, () => '{}').join()}]`, 'application/json'],
      ['PUT', '/entities', `type,name\n${'person,x\n'.repeat(many)}`, 'text/csv'],
      [
        'DELETE',
        '/entities',
        JSON.stringify(Array.from({ length: many }, (_, index) => `X-${index}`)),
        'application/json'
      ]
    ] as const
    for (const [method, url, body, type] of bodies) {
      const answer = await service.call(method, url, { body, headers: { 'content-type': type } })
      assert.equal(answer.status, 400, answer.text.slice(0, 300))
      assert.match(answer.body.errors[0].message, /at most 10000/)
      assert.equal(answer.body.errors.length, 1)
    }
  })
})

describe('A body with very many faults', () => {
  it('is refused with the first thousand of them', async t => {
    const service = await start(t)
    const values = `[${'9e999,'.repeat(149_000)}1]`
    const body = `{"type":"production","metadata":[{"key":"title","value":${values}}]}`
    const answer = await service.call('POST', '/entities', { body })
    assert.equal(answer.status, 400, answer.text.slice(0, 300))
    assert.equal(answer.body.errors.length, 1000)
    const filter = await service.call('POST', '/entities/filter', { body: `[{"type":"type","value":${values}}]` })
    assert.equal(filter.status, 400, filter.text.slice(0, 300))
  })
})

describe('A form', () => {
  const send = (service: TestService, path: string, body: string) =>
    service.call('POST', path, { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })

  it('has at most 64 kB and 100 fields', async t => {
    const service = await start(t)
    for (const path of ['/reconcile', '/sru', '/oai']) {
      const long = await send(service, path, 'a&'.repeat(500_000))
      assert.deepEqual([path, long.status, long.body.code], [path, 413, 'body_too_large'])
      const most = await send(service, path, 'a&'.repeat(100))
      assert.ok(most.status < 500, `${path}: ${most.text}`)
      assert.doesNotMatch(most.text, /at most 100/i)
    }
    for (const path of ['/reconcile', '/sru']) {
      const many = await send(service, path, 'a&'.repeat(101))
      assert.equal(many.status, 400)
      assert.match(many.body.detail, /at most 100 fields/)
    }
  })

  it('of OAI-PMH with many unknown arguments is an error of the protocol', async t => {
    const service = await start(t)
    const names = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join('&')
    for (const count of [50, 101, 5_000]) {
      const answer = await send(service, '/oai', `verb=Identify&${names(count)}`)
      assert.equal(answer.status, 200)
      assert.match(answer.text, /<error code="badArgument">/)
    }
  })

  it('is read as URLSearchParams reads it', () => {
    const chance = createChance(seed)
    const pieces = ['a', '=', '&', '+', '%20', '%', '%zz', '%c3%a9', '%c3', '%2B', '#', '?', ';'] as const
    for (let run = 0; run < 2_000; run++) {
      const text = Array.from({ length: chance.below(12) }, () => chance.pick(pieces)).join('')
      assert.deepEqual(readFields(text), [...new URLSearchParams(`&${text}`)], JSON.stringify(text))
    }
    // Node's own makes U+FFFD of the letter here.
    assert.deepEqual(readFields('é%20%=1'), [['é %', '1']])
  })
})

describe('A JSON Patch whose copies nest', () => {
  it('is refused', async t => {
    const service = await start(t)
    const { id } = await service.create(aProduction())
    // Each copy puts the whole under its own deepest member, and so doubles its depth.
    const copies = Array.from({ length: 15 }, (_, times) => ({
      op: 'copy',
      from: '/a',
      path: '/a'.repeat(2 ** times + 1)
    }))
    const answer = await service.call('PATCH', `/entities/${id}`, {
      body: [{ op: 'add', path: '/a', value: {} }, ...copies],
      headers: { 'content-type': 'application/json-patch+json' }
    })
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.detail, /32 levels deep/)
  })
})

describe('A JSON body with very many values', () => {
  const valuesOf = (count: number) => `[${'1,'.repeat(count - 2)}1]`

  it('is refused before it is parsed, as a whole and as a line', async t => {
    const service = await start(t)
    for (const [contentType, path] of [
      ['application/json', '/entities'],
      ['application/x-ndjson', '/entities/batch?atomic=1']
    ] as const) {
      const detailOf = async (count: number) =>
        (await service.call('POST', path, { body: valuesOf(count), headers: { 'content-type': contentType } })).text
      assert.match(await detailOf(150_001), /JSON may have at most 150000 values/)
      assert.doesNotMatch(await detailOf(150_000), /values/)
    }
  })

  it('is refused with too many members in one object, and not with as many in several', async t => {
    const service = await start(t)
    const objectOf = (count: number) => `{${Array.from({ length: count }, (_, at) => `"m${at}":[1,2]`).join(',')}}`
    const detailOf = async (body: string) => (await service.call('POST', '/entities', { body })).body.detail
    assert.match(await detailOf(objectOf(10_001)), /A JSON object may have at most 10000 members/)
    assert.doesNotMatch(await detailOf(`[${objectOf(10_000)},${objectOf(10_000)}]`), /10000/)
  })

  it('may have commas and brackets in its texts', async t => {
    const service = await start(t)
    const value = ',[{'.repeat(30_000)
    const { id } = await service.create({ type: 'person', metadata: metadata({ name: 'x', note: value }) })
    const { body } = await service.get(`/entities/${id}`)
    assert.equal(body.metadata.find((each: MetadataEntry) => each.key === 'note').value, value)
  })

  it('that does not fit is refused without a search for every fault', async t => {
    const service = await start(t)
    const errorsOf = async (count: number) => {
      const body = Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 1]))
      const answer = await service.call('POST', '/tokens', { body })
      assert.equal(answer.status, 400, answer.text)
      return answer.body.errors as { pointer: string; message: string }[]
    }
    assert.ok((await errorsOf(3)).some(({ pointer }) => pointer === '/m2'))
    const [error, ...others] = await errorsOf(10_000)
    assert.deepEqual([error?.pointer, others], ['', []])
    assert.match(error?.message ?? '', /too many to say where/)
  })
})

describe('An address with very many unknown parameters', () => {
  it('is refused, with suggestions for the first', async t => {
    const service = await start(t)
    const names = ['limt', ...Array.from({ length: 3_000 }, (_, at) => `x${at}`)]
    const answer = await service.get(`/entities?${names.map(name => `${name}=1`).join('&')}`)
    assert.equal(answer.status, 400, answer.text)
    const messages = answer.body.errors.map((each: { message: string }) => each.message) as string[]
    assert.equal(messages.length, 1_000)
    assert.match(messages[0] ?? '', /did you mean "limit"/)
    assert.match(messages[9] ?? '', /allowed are /)
    assert.equal(messages[10], 'Unknown parameter "x9"')
  })
})

describe('A Host that names no host', () => {
  it('is passed over', async t => {
    const service = await start(t)
    for (const host of ['[', '%', '']) {
      for (const path of ['/sru', '/oai?verb=Identify'])
        assert.equal((await service.get(path, { headers: { host } })).status, 200, `${path} for ${host}`)
    }
  })
})

describe('A media file elsewhere', () => {
  it('may have an address with any letters', async t => {
    const service = await start(t)
    const redirectOf = async (external_url: string) => {
      // Past the rules for new records: what was stored before they were made is there still.
      const content = {
        id: randomUUID(),
        uuid: randomUUID(),
        type: 'mediafile',
        metadata: metadata({ mediafile_type: 'trailer', external_url }) as MetadataEntry[],
        relations: [],
        otherIdentifiers: []
      }
      await service.libretto.store.write({ writes: [{ kind: 'insert', content }], by: 'test' })
      const { status, headers } = await service.get(`/mediafiles/${content.id}/content`)
      return [status, headers.location]
    }
    assert.deepEqual(await redirectOf('https://example.org/漢é'), [307, 'https://example.org/%E6%BC%A2%C3%A9'])
    assert.deepEqual(await redirectOf('https://example.org/a\r\nX: y'), [307, 'https://example.org/aX:%20y'])
    assert.equal((await redirectOf('https://['))[0], 404)
    assert.equal((await redirectOf('javascript:alert(1)//https://x'))[0], 404)
  })

  it('is not described by JSON that would poison a prototype', async t => {
    const service = await start(t)
    const { id } = await service.create(aProduction())
    const evil = '[{"key":"note","value":{"__proto__":{"x":1}}}]'
    const { body, headers } = aForm({ metadata: evil, mediafile_type: 'posters' }, { filename: 'x.png', bytes: aPng() })
    const answer = await service.call('POST', `/entities/${id}/mediafiles`, { body, headers })
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.code, 'malformed_json')
  })
})

describe('The review of an import', () => {
  it('after something that is no question is refused', async t => {
    const service = await start(t)
    const sent = await service.app.inject({
      method: 'POST',
      url: '/imports',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'text/csv' },
      payload: 'id,title\n1,x\n'
    })
    const { id } = sent.json() as { id: string }
    for (const after of ["';DROP TABLE entities;--", 'AAAA', '%00', 'x', '____'])
      for (const path of [
        `/imports/${id}/review?after=${encodeURIComponent(after)}`,
        `/imports/${id}/review?after=${after}`
      ])
        assert.equal((await service.get(path)).status, 400, path)
    const answered = await service.post(`/imports/${id}/review`, [{ question: 'AAAA', verdict: 'same' }])
    assert.equal(answered.status, 404, answered.text)
    const list = await service.get('/imports?after=%00')
    assert.ok(list.status < 500, list.text)
  })
})

describe('A scan of terms without records', () => {
  it('looks at a bounded number of them', async t => {
    const service = await start(t)
    const lines = Array.from({ length: 1_200 }, (_, index) =>
      JSON.stringify({ op: 'create', entity: aPerson(`Nobody ${String(index).padStart(5, '0')}`) })
    )
    const batch = await service.call('POST', '/entities/batch', {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' }
    })
    assert.equal(batch.status, 200)
    const scan = await service.get('/sru?scanClause=dc.creator%3Dnobody&maximumTerms=20')
    assert.equal(scan.status, 200)
    assert.match(scan.text, /None of the next 500 terms/)
  })
})

describe('The OpenAPI document and its page', () => {
  it('are made once, however often they are asked for', async t => {
    const service = await start(t)
    const { body: document, headers } = await service.get('/openapi.json', { token: undefined })
    assert.match(String(headers['content-type']), /^application\/json/)
    let made = 0
    const app = Fastify() as unknown as App
    t.after(() => app.close())
    serviceRoutes(app, { isReady: async () => true, indexing: () => undefined, page: undefined }, () => {
      made++
      return document
    })
    for (let round = 0; round < 3; round++)
      for (const url of ['/openapi.json', '/docs']) assert.equal((await app.inject({ url })).statusCode, 200)
    assert.equal(made, 2)
  })
})
