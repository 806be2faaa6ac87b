import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import type { Summary } from '../../client/index.ts'
import { aPerson, aProduction, createBook, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read' })
const { catalogue, operator } = service.libretto

const year = 2000
const plain = await createBook(service, {
  work: { fields: { title: 'Summary plain' } },
  manifestation: { fields: { title: 'Summary plain', year_of_publication: '1623' } }
})
const large = await createBook(service, {
  work: { fields: { title: 'Summary large' } },
  manifestation: { fields: { title: 'Summary large', year_of_publication: '1455' } }
})
const editions = Array.from({ length: 2399 }, (_, at) => ({
  op: 'create',
  entity: {
    type: 'manifestation_word',
    metadata: metadata({ title: `Edition ${at}`, year_of_publication: String(1500 + (at % 500)) }),
    relations: relations({ refExpressions: large.expression })
  }
}))
await catalogue.batches.writeAtomic(operator, editions)
const author = await service.create(aPerson('Summary, Nobody'))

const [running, rare] = await Promise.all(
  ['Summary running', 'Summary rare'].map(title => service.create(aProduction({ title })))
)
assert.ok(running && rare)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const performance = (production: string, days: number) => ({
  op: 'create',
  entity: {
    type: 'performance',
    metadata: metadata({ start: inDays(days) }),
    relations: relations({ refProduction: production })
  }
})
await catalogue.batches.writeAtomic(operator, [
  ...Array.from({ length: 300 }, (_, at) => performance(running.id, at - 100.5)),
  performance(rare.id, 400)
])

const filters = [{ type: 'search', value: 'summary' }]
const summariesOf = async (query: string): Promise<Record<string, Summary>> => {
  const { status, body, text } = await service.filter(filters, `?include=summary${query}`)
  assert.equal(status, 200, text)
  return body.summaries
}

describe('Summaries', () => {
  for (const [what, query] of [
    ['a list', ''],
    ['a list by work', '&group_by=work']
  ])
    it(`of ${what} are exact, however much the neighbours of a record have`, async () => {
      const summaries = await summariesOf(query ?? '')
      assert.deepEqual(summaries[plain.work]?.years, ['1623'])
      assert.equal(summaries[plain.work]?.editions, 1)
      assert.deepEqual(
        summaries[plain.work]?.newest?.map(({ id }) => id),
        [plain.manifestation]
      )
      assert.equal(summaries[large.work]?.editions, 2400)
      assert.deepEqual(summaries[large.work]?.years, ['1455', String(year - 1)])
      assert.equal(summaries[large.work]?.newest?.length, 10)
      const starts = [running, rare].map(({ id }) =>
        String(summaries[id]?.next_performance?.metadata.find(({ key }) => key === 'start')?.value)
      )
      const days = starts.map(each => Math.round((Date.parse(each) - Date.now()) / 43_200_000) / 2)
      assert.deepEqual(days, [0.5, 400])
      assert.equal(summaries[author.id], undefined)
    })

  it('tell the first, the last and the next night of each show, also of one without others', async () => {
    const lone = await service.create(aProduction({ title: 'Lone' }))
    const shows = [running, rare, lone]
    const found = await catalogue.lists.summarise(operator, shows, { now: Date.now() })
    const dayOf = (night: Entity | undefined) => {
      const start = night?.metadata.find(({ key }) => key === 'start')?.value
      return start === undefined ? undefined : Math.round((Date.parse(String(start)) - Date.now()) / 43_200_000) / 2
    }
    const days = shows.map(({ id }) => {
      const { premiere, last_night, next_performance } = found.get(id) ?? {}
      return [premiere, last_night, next_performance].map(dayOf)
    })
    assert.deepEqual(days, [
      [-100.5, 198.5, 0.5],
      [400, 400, 400],
      [undefined, undefined, undefined]
    ])
    const run = await catalogue.lists.summarise(operator, [rare], { now: Date.now(), nights: ['last_night'] })
    assert.deepEqual(Object.keys(run.get(rare.id) ?? {}), ['last_night'])
    await service.delete(`/entities/${lone.id}`)
  })

  it('are shown on the public page', async () => {
    const { text } = await service.get('/find?q=summary', { token: undefined })
    assert.match(text, /2,400 editions/)
    assert.match(text, /1455–1999/)
    assert.match(text, /1623/)
  })

  it('are only of what the token may read', async () => {
    const { body: made } = await service.post('/tokens', { name: 'works', scopes: ['read:work', 'read:production'] })
    const { body } = await service.post('/entities/filter?include=summary', filters, { token: made.token })
    assert.equal(body.summaries[large.work].editions, 0)
    assert.deepEqual(body.summaries[running.id], {})
  })

  it('are refused for more records than one answer resolves', async () => {
    const { status, body } = await service.post('/entities/filter?include=summary&limit=201', filters)
    assert.equal(status, 400)
    assert.match(body.detail, /at most 200 with include=summary/)
  })

  it('belong to the next page too', async () => {
    const { body } = await service.filter(filters, '?include=summary&limit=1')
    assert.match(body.next, /include=summary/)
  })
})
