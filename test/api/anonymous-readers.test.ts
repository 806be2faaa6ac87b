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
    '/sru/all?query=cql.allRecords%3D1&recordSchema=json'
  ])
    it(`is not told who wrote a record by ${url.replace(prefix, '')}`, async () => {
      assert.match((await service.get(url)).text, /token:admin/)
      const answer = await service.get(url, { token: undefined })

      assert.equal(answer.status, 200)
      assert.match(answer.text, new RegExp(manifestation))
      assert.doesNotMatch(answer.text, /token:/)
    })
})
