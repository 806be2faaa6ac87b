import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read:production,read:performance' })

const production = (id: string) => service.create({ ...aProduction({ title: `Order ${id}` }), id })
const perform = (id: string, start: string, ...of: string[]) =>
  service.create({
    id,
    type: 'performance',
    metadata: metadata({ start }),
    relations: relations({ refProduction: of })
  })

// Their order by creation, by title and by any performance is another.
for (const id of ['PR-PAST', 'PR-LATE', 'PR-NONE', 'PR-SOON', 'PR-NEXT']) await production(id)
await perform('PF-1', '2001-01-01T20:00:00Z', 'PR-PAST')
await perform('PF-2', '2002-01-01T20:00:00Z', 'PR-LATE')
await perform('PF-3', '2902-01-01T20:00:00Z', 'PR-LATE')
await perform('PF-4', '2901-01-01T20:00:00Z', 'PR-SOON')
await perform('PF-5', '2950-01-01T20:00:00Z', 'PR-NEXT')
await perform('PF-6', '2900-01-01T20:00:00Z', 'PR-NEXT')

const productions = [{ type: 'type', value: 'production' }]
const ids = async (query: string, filters: unknown = productions) =>
  ((await service.filter(filters, `?order_by=next_performance&${query}`)).body.results as { id: string }[]).map(
    each => each.id
  )
const coming = ['PR-NEXT', 'PR-SOON', 'PR-LATE']

describe('The order next_performance', () => {
  it('has productions by the first performance to come, and those without one at the end', async () => {
    assert.deepEqual(await ids(''), [...coming, 'PR-PAST', 'PR-NONE'])
    assert.deepEqual(await ids('asc=0'), [...coming.toReversed(), 'PR-PAST', 'PR-NONE'])
  })

  it('has performances to come by their own start', async () => {
    assert.deepEqual(await ids('', [{ type: 'type', value: 'performance' }]), [
      ...['PF-6', 'PF-4', 'PF-3', 'PF-5'],
      ...['PF-1', 'PF-2']
    ])
  })

  it('follows changes, and goes on from page to page', async () => {
    await perform('PF-7', '2899-01-01T20:00:00Z', 'PR-NONE')
    const found: string[] = []
    for (let address: string | undefined = '/entities/filter?order_by=next_performance&limit=2'; address; ) {
      const { body } = await service.post(address, productions)
      found.push(...body.results.map((each: { id: string }) => each.id))
      address = body.next
    }
    assert.deepEqual(found, ['PR-NONE', ...coming, 'PR-PAST'])
    await service.delete('/entities/PF-7')
    assert.deepEqual((await ids('limit=1'))[0], 'PR-NEXT')
  })

  it('counts no performance that the token may not read', async () => {
    const token = await service.tokenWith('read:production')
    const { body } = await service.post('/entities/filter?order_by=next_performance', productions, { token })
    assert.deepEqual(
      body.results.map((each: { id: string }) => each.id),
      ['PR-PAST', 'PR-LATE', 'PR-NONE', 'PR-SOON', 'PR-NEXT']
    )
  })

  it('is the order of results by work, and of the page for readers', async () => {
    const { body } = await service.filter([], '?order_by=next_performance&group_by=work')
    const heads = (body.results as { record: { id: string } }[]).map(({ record }) => record.id)
    assert.deepEqual(heads.slice(0, 3), coming)
    const { text } = await service.get('/find?sort=next', { token: undefined })
    const shown = [...text.matchAll(/href="\/record\/(PR-[A-Z]+)"/g)].map(([, id]) => id)
    assert.deepEqual([...new Set(shown)].slice(0, 3), coming)
    assert.match(text, /<option value="next" selected>/)
  })
})
