import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import {
  aManifestation,
  anExpression,
  aProduction,
  aVenue,
  aWork,
  idsOf,
  longTexts,
  metadata
} from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

/* Pages end by bytes as well as by count, and go on by their cursor. */

const service = await start({ after }, { QUERY_DEADLINE: '60000' })
const records = 30
const size = 700_000
const maxPage = 17_000_000
const ids: string[] = []
for (let index = 0; index < records; index++) {
  const text = ['woord', ...longTexts(size)]
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

  it('of the history of a record ends by bytes, and each version has its changes', async () => {
    const fields = { title: 'Large', status: 'published', description_short: 'Large', long_text: longTexts(size) }
    const { id } = await service.create(aProduction(fields))
    for (let version = 2; version <= records; version++)
      await service.patch(`/entities/${id}`, { metadata: [{ key: 'subtitle', value: `Version ${version}` }] })
    const limited = await service.tokenWith('read:production:published')
    for (const options of [{}, { headers: { authorization: `Bearer ${limited}` } }]) {
      const seen: number[] = []
      let pages = 0
      for (let next = `/entities/${id}/history?limit=1000`; ; pages++) {
        const { body, status } = await service.get(next, options)
        assert.equal(status, 200)
        assert.equal(body.count, records)
        for (const { version, changes } of body.results as { version: number; changes: { key: string }[] }[]) {
          seen.push(version)
          if (version > 1)
            assert.deepEqual(
              changes.map(({ key }) => key),
              ['subtitle'],
              `version ${version}`
            )
        }
        if (body.next === undefined) break
        next = body.next
      }
      assert.equal(pages, 1)
      assert.deepEqual(
        seen,
        Array.from({ length: records }, (_, at) => records - at)
      )
    }
    const { text } = await service.get(`/history/entities/${id}?all=1`)
    assert.ok(text.length < maxPage, String(text.length))
    assert.equal((await service.delete(`/entities/${id}?purge=1`)).status, 204)
  })

  it('of a tree and of parts ends by bytes', async () => {
    const large = { key: 'long_text', value: longTexts(size) }
    const work = await service.create(aWork('Large work'))
    const expression = await service.create(anExpression(work.id))
    const series = await service.create({ type: 'series', metadata: [{ key: 'name', value: 'Large series' }] })
    const made: string[] = []
    for (let index = 0; index < records; index++) {
      const { metadata: fields, relations, ...rest } = aManifestation(expression.id, `Large ${index}`)
      const inSeries = { type: 'refSeries', key: series.id, metadata: [{ key: 'number', value: String(index + 1) }] }
      const given = { ...rest, metadata: [...fields, large], relations: [...relations, inSeries] }
      made.push((await service.create(given)).id)
    }
    for (const [path, found] of [
      [
        `/entities/${work.id}/tree`,
        (body: { expressions: { manifestations: { id: string }[] }[] }) =>
          body.expressions.flatMap(each => each.manifestations)
      ],
      [`/entities/${series.id}/parts`, (body: { results: { id: string }[] }) => body.results]
    ] as const) {
      const seen: string[] = []
      let pages = 1
      for (let next = `${path}?limit=1000`; ; pages++) {
        const { body, text } = await service.get(next)
        assert.ok(text.length < maxPage, `${path}: ${text.length}`)
        seen.push(...found(body).map(({ id }: { id: string }) => id))
        if (body.next === undefined) break
        next = body.next
      }
      assert.equal(pages, 2)
      assert.deepEqual(seen, made)
    }
  })

  it('of WEM answers is refused where they are too long together', async () => {
    const long = { key: 'long_text', value: longTexts(size) }
    const work = await service.create(aWork('Long', { metadata: [...metadata({ title: 'Long' }), long] }))
    const expression = await service.create(anExpression(work.id))
    const { id } = await service.create(aManifestation(expression.id))
    const ask = (count: number) => service.post('/entities/wem', { ids: new Array<string>(count).fill(id) })
    assert.equal((await ask(90)).status, 200)
    assertProblem(await ask(100), 'invalid')
  })
})
