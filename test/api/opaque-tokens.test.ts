import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aVenue } from '../support/records/entities.ts'
import { tokenIn } from '../support/services/harvest.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

/* Cursors and resumption tokens contain places among all records, hidden ones included. */

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read:venue', OAI_PAGE_SIZE: '2' })
for (let number = 0; number < 7; number++) {
  await service.create(aProduction({ title: `Hidden ${number}` }))
  await service.create(aVenue(`Zaal ${number}`))
}
const visitor = { token: undefined }
const oai = async (query: string) => (await service.get(`/oai?verb=ListRecords&${query}`, visitor)).text

/** The text that somebody sees who decodes a token. */
const decoded = (token: string) => token.split('.').map(part => Buffer.from(part, 'base64url').toString('latin1'))

describe('A text that clients carry from page to page', () => {
  it('cannot be read, so that the places of hidden records are not told', async () => {
    const token = tokenIn(await oai('metadataPrefix=oai_dc')) ?? ''
    const { body } = await service.get('/entities?envelope=1&limit=2', visitor)
    const cursor = new URL(body.next, 'http://localhost').searchParams.get('cursor') ?? ''
    const { next } = (await service.get('/duplicates?limit=1')).body
    for (const text of [token, cursor, ...(next ? [next] : [])]) {
      assert.ok(text.length > 20, text)
      for (const part of decoded(text)) {
        assert.throws(() => JSON.parse(part), text)
        assert.doesNotMatch(part, /oai_dc/)
      }
    }
  })

  it('leads to every page, and is the same for the same page', async () => {
    const first = await oai('metadataPrefix=oai_dc')
    assert.equal(tokenIn(await oai('metadataPrefix=oai_dc')), tokenIn(first))
    let pages = 1
    for (let token = tokenIn(first); token; pages++)
      token = tokenIn(await oai(`resumptionToken=${encodeURIComponent(token)}`))
    assert.equal(pages, 4)
  })

  it('is refused when it was changed or is of another list', async () => {
    const { body } = await service.get('/entities?envelope=1&limit=2', visitor)
    const cursor = new URL(body.next, 'http://localhost').searchParams.get('cursor') ?? ''
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`
    for (const text of [changed, cursor.slice(0, -4), 'x', ''.padEnd(60, 'A')])
      assertProblem(await service.get(`/entities?limit=2&cursor=${text}`, visitor), 'invalid')
    assertProblem(await service.get(`/entities?limit=2&asc=0&cursor=${cursor}`, visitor), 'invalid')
    assert.match(await oai(`resumptionToken=${cursor}`), /badResumptionToken/)
  })
})
