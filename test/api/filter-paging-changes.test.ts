import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { aVenue } from '../support/records/entities.ts'
import { start, type TestService } from '../support/services/start.ts'

/** Walks a list to its end, doing something after each page. Gives the ids met, in order. */
async function walk(
  service: TestService,
  url: string,
  afterEachPage: (page: number) => Promise<void>
): Promise<string[]> {
  const met: string[] = []
  let next: string | undefined = url
  for (let page = 1; next !== undefined; page++) {
    const answer = await service.post(next, [])
    met.push(...answer.body.results.map((entity: { id: string }) => entity.id))
    await afterEachPage(page)
    next = answer.body.next
  }
  return met
}

describe('POST /entities/filter ordered by date_updated, while others write', () => {
  for (const asc of [1, 0]) {
    it(`meets every record exactly once with asc=${asc}, also those that are changed on the way`, async t => {
      const service = await start(t)
      const ids = Array.from({ length: 30 }, (_, index) => `VE-${String(index).padStart(2, '0')}`)
      for (const id of ids) await service.create(aVenue(id, { id }))
      const change = (id: string, value: string) =>
        service.patch(`/entities/${id}`, { metadata: [{ key: 'city', value }] })

      const met = await walk(service, `/entities/filter?limit=4&order_by=date_updated&asc=${asc}`, async page => {
        // One that was met, one that was not, and one that was changed before.
        const places = asc === 1 ? [page * 4 - 3, page * 4 + 5] : [30 - page * 4 + 2, 30 - page * 4 - 6]
        for (const place of [...places, 15]) if (ids[place]) await change(ids[place], `city ${page}`)
        await service.create(aVenue('new'))
      })

      const old = met.filter(id => ids.includes(id))
      assert.deepEqual(old.toSorted(), ids)
      assert.deepEqual(old, asc === 1 ? ids : ids.toReversed())
    })
  }
})

describe('POST /entities/filter past the end', () => {
  it('says where the last page is', async t => {
    const service = await start(t)
    for (let count = 0; count < 5; count++) await service.create(aVenue())
    const answer = await service.post('/entities/filter?skip=40&limit=2', [])

    assert.deepEqual(answer.body.results, [])
    const last = await service.post(answer.body.previous, [])
    assert.equal(last.body.results.length, 2)
    assert.equal(last.body.next, undefined)
  })
})
