import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { createBook, metadata, relations } from '../support/records/entities.ts'
import { holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, fieldOf } from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { get, patch, post } = service
const { expression } = await createBook(service)

const anEdition = (...isbn: unknown[]) => ({
  type: 'manifestation_word',
  metadata: metadata({ title: 'x', isbn }),
  relations: relations({ refExpressions: expression })
})

const countWith = async (value: string, filter: Record<string, unknown> = {}) =>
  (await service.filter([{ type: 'selection', key: 'properties.isbn.value', value, match_exact: true, ...filter }]))
    .body.count

/** Warnings but those of other editions with the same ISBN, which this file has many of. */
const warningsOf = (body: { warnings?: { pointer: string; message: string; code?: string }[] }) =>
  (body.warnings ?? []).filter(({ code }) => code !== 'duplicate')

describe('ISBN', () => {
  const right = [
    '9789025363888',
    '978-90-253-6388-8',
    '978 90 253 6388 8',
    '90-253-6388-1',
    '0-8044-2957-X',
    '080442957x',
    'ISBN 9789025363888',
    'ISBN-13: 978-90-253-6388-8'
  ]
  for (const isbn of right) {
    it(`${isbn} is stored as typed, without a warning`, async () => {
      const { body } = await post('/entities', anEdition(isbn))

      assert.equal(fieldOf(body, 'isbn'), isbn)
      assert.deepEqual(warningsOf(body), [])
    })
  }

  for (const [isbn, what] of [
    ['9789025363889', 'a wrong check digit'],
    ['978-90-253-6388-0', 'a wrong check digit'],
    ['9025363882', 'a wrong check digit'],
    ['12345', 'the form of an ISBN'],
    ['978902536388', 'the form of an ISBN'],
    ['97890253638881', 'the form of an ISBN'],
    ['not an isbn', 'the form of an ISBN'],
    ['90253638X8', 'the form of an ISBN'],
    ['٩٧٨٩٠٢٥٣٦٣٨٨٨', 'the form of an ISBN']
  ] as const) {
    it(`${isbn} is stored as typed, with a warning about ${what}`, async () => {
      const { status, body } = await post('/entities', anEdition(isbn))

      assert.equal(status, 201)
      assert.equal(fieldOf(body, 'isbn'), isbn)
      const [warning, ...others] = warningsOf(body)
      assert.deepEqual(others, [])
      assert.equal(warning?.pointer, '/metadata/1/value')
      assert.ok(warning.message.includes(what), warning.message)
    })
  }

  it('is refused when it is no text', async () => {
    assertProblem(await post('/entities', anEdition(9789025363888)), 'invalid')
  })

  it('may be repeated, each looked at by itself', async () => {
    const { body } = await post('/entities', anEdition('9789025363888', '123', '978-0-306-40615-7'))

    assert.deepEqual(
      warningsOf(body).map(warning => warning.pointer),
      ['/metadata/2/value']
    )
  })

  it('is found whatever the hyphens and whichever form was typed or asked for', async () => {
    const forms = ['978-0-14-243723-0', '9780142437230', '0-14-243723-9', '0142437239', '978 0 14 243723 0']
    for (const typed of forms) await post('/entities', anEdition(typed))

    for (const asked of forms) assert.equal(await countWith(asked), forms.length, asked)
    for (const asked of forms) {
      const contains = await service.filter([{ type: 'text', key: 'properties.isbn.value', value: asked }])
      assert.equal(contains.body.count, forms.length, asked)
    }
  })

  it('with a wrong check digit is found as it was typed', async () => {
    await post('/entities', anEdition('978-1-111-11111-1'))

    assert.equal(await countWith('978-1-111-11111-1'), 1)
  })

  it('is warned about on changes too', async () => {
    const { body } = await post('/entities', anEdition('9789025363888'))
    const answer = await patch(`/entities/${body.id}`, { metadata: metadata({ isbn: '9789025363880' }) })

    assert.equal(answer.status, 200)
    assert.equal(warningsOf(answer.body).length, 1)
    assert.ok(!('warnings' in (await get(`/entities/${body.id}`)).body))
  })
})
