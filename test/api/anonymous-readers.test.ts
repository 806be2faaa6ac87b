import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { createBook } from '../support/records/entities.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start } from '../support/services/start.ts'

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read' })
const { manifestation } = await createBook(service)
const url = `http://127.0.0.1:${await listen(service)}`
const prefix = String(/oai:[^:<]+:/.exec((await service.get('/oai?verb=Identify')).text))

describe('A reader without a bearer', () => {
  for (const path of [
    `/oai?verb=GetRecord&metadataPrefix=libretto&identifier=${prefix}${manifestation}`,
    '/oai?verb=ListRecords&metadataPrefix=libretto',
    '/sru/all?query=cql.allRecords%3D1&recordSchema=libretto',
    '/sru/all?query=cql.allRecords%3D1&recordSchema=json',
    `/entities/${manifestation}`,
    `/entities/${manifestation}?version=1`,
    `/entities/${manifestation}?at=2040-01-01T00:00:00Z`,
    `/entities/${manifestation}/history`,
    `/history/entities/${manifestation}?all=1`,
    `/entities?ids=${manifestation}`,
    '/export?format=ndjson&raw=1',
    '/export?format=ndjson&include=history'
  ])
    it(`is not told who wrote a record by ${path.replace(prefix, '')}`, async () => {
      assert.match((await service.get(path)).text, /token:admin/)
      const answer = await service.get(path, { token: undefined })

      assert.equal(answer.status, 200)
      assert.match(answer.text, new RegExp(manifestation))
      assert.doesNotMatch(answer.text, /token:/)
    })

  it('may send a body of 64 kB, declared or in chunks, and a token more', async () => {
    const filterOf = (bytes: number) => {
      const body = JSON.stringify([{ type: 'id', value: ['x'.repeat(500)] }])
      return `${body}${' '.repeat(bytes - body.length)}`
    }
    const send = async (bytes: number, headers: Record<string, string>, isInChunks: boolean) => {
      const text = filterOf(bytes)
      const body = isInChunks ? ReadableStream.from([Buffer.from(text)]) : text
      const answer = await fetch(`${url}/entities/filter`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        duplex: 'half'
      })
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    for (const isInChunks of [false, true]) {
      assert.deepEqual(await send(65_536, {}, isInChunks), [200, undefined])
      assert.deepEqual(await send(65_537, {}, isInChunks), [413, 'body_too_large'])
      assert.deepEqual(await send(65_537, { authorization: `Bearer ${adminToken}` }, isInChunks), [200, undefined])
    }
  })

  /** Every name of the two fields, in filters of either kind of client. */
  const namesOfFields = [
    'audit.created.by',
    'audit.updated.by',
    'catalog:1|audit.created.by',
    'created_by',
    'last_editor',
    'computed_values.created_by',
    'computed_values.modified_by'
  ]
  const filtersBy = (key: string, value: string) => [
    { type: 'text', key, value },
    { type: 'text', key, value, match_exact: true },
    { type: 'text', key, value: `${value.slice(0, 3)}*` },
    { type: 'text', key, value, regex: true },
    { type: 'text', key, value, match_not: true },
    { type: 'selection', key: [key], value: [value], match_exact: true },
    { type: 'selection', key: ['id', key], value: [value] },
    { type: 'type', value: 'work', or: [{ type: 'text', key, value }] },
    // Of the work that a record leads to, and of the records that lead to it.
    {
      type: 'text',
      key: `work.${key}`,
      value,
      lookup: { from: 'entities', local_field: 'properties.ref_work.value', foreign_field: 'id', as: 'work' }
    }
  ]

  it('learns nothing about who wrote a record by filters, counts, exports and facets of lists', async () => {
    const asked = async (url: string, body: unknown) => {
      const { status, text } = await service.post(url, body, { token: undefined })
      return `${status} ${text.replaceAll('token:admin', 'token:other')}`
    }
    for (const key of namesOfFields) {
      for (const [at, filter] of filtersBy(key, 'token:admin').entries()) {
        const other = filtersBy(key, 'token:other')[at]
        for (const url of ['/entities/filter', '/entities/filter?group_by=work', '/export'])
          assert.equal(await asked(url, [filter]), await asked(url, [other]), `${url} ${JSON.stringify(filter)}`)
      }
      for (const value of ['*', '']) {
        const { body } = await service.post('/entities/filter', [{ type: 'text', key, value }], { token: undefined })
        assert.equal(body.count > 0, value === '', `${key} ${value}`)
      }
      const options = [{ type: 'text', key, value: '*', provide_value_options_for_key: true }]
      assert.deepEqual((await service.post('/entities/filter', options, { token: undefined })).body.results, [], key)
      const facets = [{ type: 'type', value: 'work', facets: [{ key }] }]
      assert.doesNotMatch((await service.post('/entities/filter', facets, { token: undefined })).text, /token:/)
    }
    for (const query of ['', '&group_by=work', '&group_by=work&facets_of=records']) {
      const url = `/entities?envelope=1&limit=0&facets=type,audit.created.by,id,audit.updated.by${query}`
      const { facets } = (await service.get(url, { token: undefined })).body
      const whole = (await service.get(url)).body.facets
      assert.deepEqual(facets, { ...whole, 'audit.created.by': [], 'audit.updated.by': [] })
      assert.equal(whole['audit.created.by'][0].value, 'token:admin')
    }
  })

  it('is told of no version of a record that is not there', async () => {
    for (const path of ['/entities/NONE-1/history', '/entities/NONE-1?version=1'])
      assert.equal((await service.get(path, { token: undefined })).status, 404, path)
  })
})
