import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, metadata } from '../support/records/entities.ts'
import { holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { fieldOf, jsonPatch, mergePatch } from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { create, get, patch, post, put } = service

const unsafe = '<p onclick="steal()">Een <b>avond</b><script>steal()</script></p>'
const safe = '<p>Een <b>avond</b></p>'

describe('HTML fields', () => {
  for (const key of ['description', 'description_short', 'credits']) {
    it(`${key} keeps only safe markup, and the answer says in warnings what was removed`, async () => {
      const answer = await post('/entities', aProduction({ [key]: unsafe }))

      assert.equal(answer.status, 201)
      assert.equal(fieldOf(answer.body, key), safe)
      assert.deepEqual(answer.body.warnings, [
        {
          pointer: '/metadata/1/value',
          message: `Unsafe markup was removed from "${key}": p onclick, <script>`,
          ...{ code: 'unsafe_markup', key, value: 'p onclick, <script>' }
        }
      ])
      assert.equal(fieldOf((await get(`/entities/${answer.body.id}`)).body, key), safe)
    })
  }

  it('are kept exactly as typed where nothing is unsafe, and the answer has no warnings', async () => {
    const html = '<P>Een <em lang=\'en\'>evening</em> &amp; more<br/>\n<a href="https://example.org/?a=1">x</a>'
    const { body } = await post('/entities', aProduction({ description: html }))

    assert.equal(fieldOf(body, 'description'), html)
    assert.ok(!('warnings' in body))
  })

  it('are made safe by every way to write', async () => {
    const { id } = await create(aProduction())
    const given = metadata({ description: unsafe })
    const answers = [
      await put(`/entities/${id}`, aProduction({ description: unsafe })),
      await patch(`/entities/${id}`, { metadata: metadata({ description: `${unsafe}2` }) }),
      await patch(`/entities/${id}`, { metadata: metadata({ title: 'x', description: `${unsafe}3` }) }, mergePatch),
      await patch(
        `/entities/${id}`,
        [{ op: 'add', path: '/metadata/-', value: { key: 'credits', value: unsafe } }],
        jsonPatch
      )
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 200)
      assert.equal(answer.body.warnings.length, 1)
    }
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const body = method === 'POST' ? [{ ...given[0], lang: 'nl' }] : [...metadata({ title: 'x' }), ...given]
      const answer = await service.call(method, `/entities/${id}/metadata`, { body })
      assert.ok(answer.status < 300)
    }
    assert.doesNotMatch((await get(`/entities/${id}`)).text, /<script|onclick/)
  })

  it('are made safe in every language and every repeated value', async () => {
    const { body } = await post('/entities', {
      type: 'production',
      metadata: [
        { key: 'title', value: 'x' },
        { key: 'description', value: unsafe, lang: 'nl' },
        { key: 'description', value: unsafe, lang: 'en' }
      ]
    })

    assert.deepEqual(
      body.warnings.map((warning: { pointer: string }) => warning.pointer),
      ['/metadata/1/value', '/metadata/2/value']
    )
    assert.doesNotMatch(JSON.stringify(body.metadata), /<script|onclick/)
  })

  it('stay the same when the stored record is put back: no second warning, no version', async () => {
    const first = await post('/entities', aProduction({ description: unsafe }))
    const again = await put(`/entities/${first.body.id}`, (await get(`/entities/${first.body.id}`)).body)

    assert.equal(again.body.version, 1)
    assert.ok(!('warnings' in again.body))
  })

  it('are the only ones that are looked into: other text is kept as given', async () => {
    const text = '<script>alert(1)</script>'
    const { body } = await post('/entities', aProduction({ title: text, subtitle: text, own_note: text }))

    assert.equal(fieldOf(body, 'title'), text)
    assert.equal(fieldOf(body, 'own_note'), text)
    assert.ok(!JSON.stringify(body.warnings).includes('HTML'), JSON.stringify(body.warnings))
  })

  it('warnings are told and not stored', async () => {
    const { body } = await post('/entities', aProduction({ description: unsafe }))

    assert.ok(!('warnings' in (await get(`/entities/${body.id}`)).body))
  })

  it('that are too long, or become too much when they are read, are refused with their place', async () => {
    const formatting = Array.from({ length: 3_600 }, (_, index) => `<b title=${index}>`).join('')
    for (const [description, message] of [
      ['<div>'.repeat(100_000), /at most 100000 characters/],
      [`<p>${formatting}${'<p>x'.repeat(3_600)}`, /at most 5000 elements/]
    ] as const) {
      const refused = await post('/entities', aProduction({ description }))
      assert.equal(refused.status, 400)
      assert.deepEqual(refused.body.errors.length, 1)
      assert.match(refused.body.errors[0].pointer, /^\/metadata\/\d+\/value$/)
      assert.match(refused.body.errors[0].message, message)
    }
    assert.equal((await get('/health/live', { token: undefined })).status, 200)
  })
})
