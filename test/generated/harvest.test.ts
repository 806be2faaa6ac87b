import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { ChangeEvent } from '#domain/events/change-event.ts'
import { changesAfter, endOfFeed } from '../support/records/changes.ts'
import { howMany, isLong, repeatable, seed } from '../support/records/chance.ts'
import { type Harvested, harvest } from '../support/services/harvest.ts'
import { listen } from '../support/services/listen.ts'
import { runWriters } from '../support/records/random-writers.ts'
import { adminToken, start, type TestService } from '../support/services/start.ts'

/*
 * A catalogue that is harvested while eight writers change it: they create, patch, replace, delete,
 * merge, take merges back and revert at random.
 */

const records = howMany({ short: 300, long: 50_000, onPostgres: 300 })
const operations = howMany({ short: 300, long: 60_000, onPostgres: 300 })
const writers = 8
const types = ['person', 'venue', 'work_word', 'production'] as const

describe('A harvest while eight writers work', () => {
  it(`gives each of ${records.toLocaleString('en')} records that was there throughout once, and those that were deleted as deleted`, () =>
    repeatable(async after => {
      const service = await start({ after }, { OAI_PAGE_SIZE: isLong ? '200' : '100' })
      await load(service)
      const port = await listen(service)
      const url = `http://127.0.0.1:${port}`
      const fetchPage = async (query: string) => {
        const response = await fetch(`${url}/oai?${query}`, { headers: { authorization: `Bearer ${adminToken}` } })
        assert.equal(response.status, 200)
        return response.text()
      }

      let isWriting = true
      const writing = runWriters({ url, writers, operations, seed }).finally(() => {
        isWriting = false
      })
      let harvests = 0
      try {
        // The first begins among the first writes; the last is over when all is quiet.
        while (isWriting || harvests === 0) {
          await checkHarvest(service, fetchPage)
          harvests++
        }
      } finally {
        await writing
      }
      const quiet = await harvest(fetchPage, 'verb=ListIdentifiers&metadataPrefix=oai_dc')
      const total = Number((await service.get('/entities?limit=0')).headers['x-total-count'])
      assert.equal(quiet.records.filter(({ isDeleted }) => !isDeleted).length, total)
      assert.ok(quiet.records.some(({ isDeleted }) => isDeleted))
    }))
})

/** Harvests everything, and holds it against what the feed says has happened meanwhile. */
async function checkHarvest(service: TestService, fetchPage: (query: string) => Promise<string>) {
  const before = await endOfFeed(service)
  const existing = new Map(
    (await harvest(fetchPage, 'verb=ListIdentifiers&metadataPrefix=oai_dc')).records.map(each => [each.id, each])
  )
  const listed = await endOfFeed(service)
  const found: Harvested = await harvest(fetchPage, 'verb=ListRecords&metadataPrefix=oai_dc')
  const meanwhile = await changesAfter(service, before)
  const during = await changesAfter(service, listed)
  const touched = (events: readonly ChangeEvent[], ...kinds: readonly string[]) =>
    new Set(events.filter(({ type }) => kinds.includes(type)).map(({ data }) => data.id))
  const came = touched(meanwhile, 'entity.created')
  const went = touched(meanwhile, 'entity.deleted', 'entity.merged')
  const wentDuring = touched(during, 'entity.deleted', 'entity.merged', 'entity.created')

  const times = new Map<string, number>()
  for (const { id } of found.records) times.set(id, (times.get(id) ?? 0) + 1)
  const twice = [...times].filter(([, count]) => count > 1).map(([id]) => id)
  assert.deepEqual(twice, [], 'given more than once')
  const byId = new Map(found.records.map(each => [each.id, each]))
  for (const [id, header] of existing) {
    if (came.has(id)) continue
    const given = byId.get(id)
    assert.ok(given, `${id} is missing`)
    if (!went.has(id))
      assert.equal(given.isDeleted, header.isDeleted, `${id} is given as ${given.isDeleted ? 'deleted' : 'there'}`)
    else if (!wentDuring.has(id)) assert.ok(given.isDeleted, `${id} was deleted before, and is given as there`)
  }
  for (const { id, isDeleted, metadata } of found.records) assert.equal(metadata === '', isDeleted, id)
}

/** Under the names that the writers choose, so that these are the records they change. */
async function load(service: TestService) {
  const lines: string[] = []
  for (let created = 0; lines.length < records; created++)
    for (let writer = 0; writer < writers; writer++)
      for (const type of types) {
        const key = type === 'person' || type === 'venue' ? 'name' : 'title'
        const metadata = [{ key, value: `${type} ${writer} ${created}` }]
        const author = type === 'work_word' ? [{ key: `person-${writer}-${created}`, type: 'refAuthors' }] : []
        lines.push(
          JSON.stringify({ op: 'create', id: `${type}-${writer}-${created}`, type, metadata, relations: author })
        )
      }
  const answer = await service.call('POST', '/entities/batch', {
    body: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' }
  })
  assert.equal(answer.status, 200)
  const results = answer.text.trim().split('\n')
  assert.ok(
    results.length >= records && results.every(line => line.includes('"status":201')),
    results.find(line => !line.includes(':201')) ?? 'too few'
  )
}
