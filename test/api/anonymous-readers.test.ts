import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { createBook } from '../support/entities.ts'
import { start } from '../support/start.ts'

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read' })
const { manifestation } = await createBook(service)
const prefix = String(/oai:[^:<]+:/.exec((await service.get('/oai?verb=Identify')).text))

describe('A reader without a bearer', () => {
  for (const url of [
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
    '/export?format=ndjson&raw=1'
  ])
    it(`is not told who wrote a record by ${url.replace(prefix, '')}`, async () => {
      assert.match((await service.get(url)).text, /token:admin/)
      const answer = await service.get(url, { token: undefined })

      assert.equal(answer.status, 200)
      assert.match(answer.text, new RegExp(manifestation))
      assert.doesNotMatch(answer.text, /token:/)
    })

  it('is told of no version of a record that is not there', async () => {
    for (const url of ['/entities/NONE-1/history', '/entities/NONE-1?version=1'])
      assert.equal((await service.get(url, { token: undefined })).status, 404, url)
  })
})
