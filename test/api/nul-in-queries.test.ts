import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aVenue } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
await service.create(aVenue('House', { id: 'VE-1' }))

/*
 * The places in a request where a text goes to the database: no character in them may make an
 * answer a 500.
 */
const requests = [
  'GET /entities/X',
  'GET /entities/X/history',
  'GET /entities/X/references',
  'GET /entities/X/parts',
  'GET /entities/X/tree',
  'GET /entities?ids=X',
  'GET /entities?order_by=X',
  'GET /entities?after=X',
  'GET /changes?since=X',
  'GET /suggest?q=X',
  'GET /sru?query=X',
  'GET /sru?query=title%3DX',
  'GET /sru?operation=scan&scanClause=X',
  'GET /reconcile?query=X',
  'GET /oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=X',
  'GET /export?format=csv&columns=X',
  'GET /imports/X',
  'GET /imports/X/review',
  'GET /imports/X/preview',
  'DELETE /imports/X',
  'GET /webhooks/X',
  'DELETE /webhooks/X',
  'GET /webhooks/X/deliveries',
  'DELETE /tokens/X',
  'DELETE /entities/X',
  'GET /uploads/X',
  'GET /mediafiles/X'
]

describe('a text that no record can have', () => {
  for (const request of requests)
    it(`is no fault of the service: ${request}`, async () => {
      const [method = '', path = ''] = request.split(' ')
      for (const text of ['%00', 'a%00b', '%22a%00b%22', 'a%EF%BF%BF'])
        assert.ok((await service.call(method, path.replace('X', text))).status < 500, text)
    })
})
