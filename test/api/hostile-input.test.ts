import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readFields } from '#http/form-body.ts'
import { createChance, seed } from '../support/chance.ts'
import { start, type TestService } from '../support/start.ts'

/* Bodies that once stopped the service or held its main thread. Each is answered at once, with what is wrong. */

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

describe('A body with very many faults', () => {
  it('is refused with the first thousand of them', async t => {
    const service = await start(t)
    const values = `[${'9e999,'.repeat(150_000)}1]`
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
