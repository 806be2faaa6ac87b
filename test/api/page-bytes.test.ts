import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aVenue, idsOf, metadata } from '../support/entities.ts'
import { start } from '../support/start.ts'

/* Pages end by bytes as well as by count, and go on by their cursor. */

const service = await start({ after }, { QUERY_DEADLINE: '60000' })
const records = 30
const size = 700_000
const maxPage = 17_000_000
const ids: string[] = []
for (let index = 0; index < records; index++) {
  const text = `woord ${'x'.repeat(size)}`
  ids.push(
    (await service.create(aVenue(`Zaal ${index}`, { metadata: metadata({ name: `Zaal ${index}`, long_text: text }) })))
      .id
  )
}

describe('A page', () => {
  for (const [what, ask] of Object.entries({
    'of a list': (cursor: string) => service.get(`/entities?type=venue&limit=1000&envelope=1${cursor}`),
    'of a list, by change': (cursor: string) =>
      service.get(`/entities?type=venue&limit=1000&envelope=1&order_by=date_updated&asc=1${cursor}`),
    'of a list, by name': (cursor: string) =>
      service.get(`/entities?type=venue&limit=1000&envelope=1&order_by=name${cursor}`),
    'of a filter': (cursor: string) =>
      service.post(`/entities/filter?limit=1000${cursor}`, [{ type: 'type', value: 'venue' }]),
    'of a search, by relevance': (cursor: string) =>
      service.post(`/entities/filter?limit=1000${cursor}`, [{ type: 'search', value: 'zaal' }])
  }))
    it(`${what} ends by bytes, and the next goes on where it ended`, async () => {
      const seen: string[] = []
      let pages = 0
      for (let cursor = ''; ; ) {
        const answer = await ask(cursor)
        assert.equal(answer.status, 200, answer.text.slice(0, 500))
        assert.ok(answer.text.length < maxPage, String(answer.text.length))
        assert.equal(answer.body.count, records)
        seen.push(...idsOf(answer.body.results))
        pages++
        const next = /[?&](cursor=[^&]+)/.exec(answer.body.next ?? '')?.[1]
        if (next === undefined) break
        cursor = `&${next}`
      }

      assert.equal(pages, 2)
      assert.deepEqual(seen.toSorted(), ids.toSorted())
    })

  it('of the feed ends by bytes, and nothing is left out', async () => {
    const seen: string[] = []
    let pages = 0
    for (let since = '', more = true; more; pages++) {
      const { body, text } = await service.get(`/changes?limit=1000&since=${since}`)
      assert.ok(text.length < maxPage, String(text.length))
      seen.push(...body.changes.map((each: { subject: string }) => each.subject))
      since = body.cursor
      more = body.more
    }

    assert.equal(pages, 2)
    assert.deepEqual(seen, ids)
  })

  it('is nothing that an export shows: it holds every record', async () => {
    const { text } = await service.get('/export?format=ndjson')
    const lines = text.trim().split('\n')

    assert.deepEqual(
      lines.map(line => JSON.parse(line).id),
      ids
    )
  })
})
