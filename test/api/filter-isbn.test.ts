import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { createBook, idsOf } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { filter, get } = service

const withIsbn = async (isbn: string | string[]) =>
  (await createBook(service, { manifestation: { fields: { isbn } } })).manifestation

const found = async (value: unknown, members: Record<string, unknown> = { match_exact: true }) =>
  idsOf((await filter([{ type: 'selection', key: ['catalog:1|properties.isbn.value'], value, ...members }])).body)
const foundByText = async (value: string) =>
  idsOf((await filter([{ type: 'text', key: 'properties.isbn.value', value }])).body)

/** One ISBN in every form people type it. */
const forms = [
  '978-0-306-40615-7',
  '9780306406157',
  '978 0 306 40615 7',
  '0-306-40615-2',
  '0306406152',
  'ISBN 0-306-40615-2',
  '978\u20110\u2011306\u201140615\u20117'
]

describe('An ISBN', () => {
  for (const stored of forms) {
    it(`stored as ${stored} is found by every form of it`, async () => {
      const id = await withIsbn(stored)

      for (const asked of forms) {
        assert.ok((await found(asked)).includes(id), `selection, exact: ${asked}`)
        assert.ok((await found([asked, 'another'])).includes(id), `selection of several: ${asked}`)
        assert.ok((await found(asked, {})).includes(id), `selection: ${asked}`)
        assert.ok((await foundByText(asked)).includes(id), `text: ${asked}`)
      }
      assert.equal((await service.delete(`/entities/${id}`)).status, 204)
    })
  }

  it('is stored and answered as typed', async () => {
    const id = await withIsbn('0-306-40615-2')

    const { metadata } = (await get(`/entities/${id}`)).body
    assert.deepEqual(
      metadata.filter((entry: { key: string }) => entry.key === 'isbn'),
      [{ key: 'isbn', value: '0-306-40615-2' }]
    )
    await service.delete(`/entities/${id}`)
  })

  it('with an X is found by its thirteen digits', async () => {
    const id = await withIsbn('0-8044-2957-X')

    assert.deepEqual(await found('9780804429573'), [id])
    assert.deepEqual(await found('080442957x'), [id])
  })

  it('is found by a beginning of its digits', async () => {
    const id = await withIsbn('978-1-4028-9462-6')

    assert.deepEqual(await foundByText('97814028*'), [id])
    assert.deepEqual(await foundByText('978-1-40*'), [id])
  })

  it('that is repeated is found by each', async () => {
    const id = await withIsbn(['978-3-16-148410-0', '0-19-852663-6'])

    assert.deepEqual(await found('9783161484100'), [id])
    assert.deepEqual(await found('9780198526636'), [id])
  })

  it('with a wrong check digit is found as it was typed, whatever the hyphens', async () => {
    const id = await withIsbn('978-3-16-148410-9')

    assert.deepEqual(await found('978-3-16-148410-9'), [id])
    assert.deepEqual(await found('9783161484109'), [id])
    assert.equal((await found('9783161484100')).includes(id), false)
  })

  it('is not found by another', async () => {
    assert.deepEqual(await found('9780306406164'), [])
  })

  it('of a changed record is found by the new one only', async () => {
    const id = await withIsbn('978-90-253-6316-1')
    await service.patch(`/entities/${id}`, { metadata: [{ key: 'isbn', value: '978-0-14-044926-6' }] })

    assert.deepEqual(await found('9789025363161'), [])
    assert.deepEqual(await found('0140449264'), [id])
  })
})
