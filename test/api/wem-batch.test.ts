import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aRecord, createBook, metadata } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { create, get, post } = service

describe('POST /entities/wem', () => {
  it('answers many at once, in the order asked for, each with its id and the same WEM as one by one', async () => {
    const ids: string[] = []
    for (const title of ['Hamlet', 'Macbeth', 'Othello']) {
      ids.push((await createBook(service, { manifestation: { fields: { title } } })).manifestation)
    }
    const asked = [ids[2], ids[0], ids[1]]

    const answer = await post('/entities/wem', { ids: asked })

    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    const expected = []
    for (const id of asked) expected.push({ id, wem: (await get(`/entities/wem/${id}`)).body })
    assert.deepEqual(answer.body, { results: expected })
  })

  it('answers with the problem in its place for one that does not exist', async () => {
    const { work, manifestation } = await createBook(service)

    const { status, body } = await post('/entities/wem', { ids: ['M-NOWHERE', manifestation, work] })

    assert.equal(status, 200)
    const [unknown, good, noManifestation] = body.results
    assert.deepEqual(Object.keys(unknown).sort(), ['id', 'problem'])
    assert.equal(unknown.id, 'M-NOWHERE')
    assert.equal(unknown.problem.status, 404)
    assert.equal(unknown.problem.type, '/problems/not-found')
    assert.deepEqual(Object.keys(good).sort(), ['id', 'wem'])
    assert.equal(noManifestation.problem.status, 404)
  })

  it('answers with the problem of its own for one whose work is missing', async () => {
    const expression = await create(
      aRecord('expression_word', { title: 'Alone' }, { refWork: 'W-NONE' }),
      '?allow_dangling=1'
    )
    const { id } = await create(aRecord('manifestation_word', { title: 'Alone' }, { refExpressions: expression.id }))

    const { body } = await post('/entities/wem', { ids: [id] })

    assert.equal(body.results[0].problem.type, '/problems/incomplete-wem')
    assert.equal(body.results[0].problem.missing_level, 'work')
  })

  it('takes any identifier, and gives back the one asked with', async () => {
    const { manifestation } = await createBook(service, { manifestation: { identifiers: ['urn:shelf:7'] } })
    const { _id: uuid } = (await get(`/entities/${manifestation}`)).body

    const { body } = await post('/entities/wem', { ids: ['urn:shelf:7', uuid, manifestation] })

    const [byName, byUuid, byId] = body.results
    assert.deepEqual([byName.id, byUuid.id, byId.id], ['urn:shelf:7', uuid, manifestation])
    assert.deepEqual(byName.wem, byId.wem)
    assert.deepEqual(byUuid.wem, byId.wem)
  })

  it('answers one asked for twice twice', async () => {
    const { manifestation } = await createBook(service)

    const { body } = await post('/entities/wem', { ids: [manifestation, manifestation] })

    assert.equal(body.results.length, 2)
    assert.deepEqual(body.results[0], body.results[1])
  })

  it('shows what was written a moment ago', async () => {
    const { work, manifestation } = await createBook(service)
    await post('/entities/wem', { ids: [manifestation] })

    await service.patch(`/entities/${work}`, { metadata: metadata({ title: 'Renamed' }) })

    const { body } = await post('/entities/wem', { ids: [manifestation] })
    assert.equal(body.results[0].wem.work.metadata.title.value, 'Renamed')
  })

  it('takes 100 ids, and answers an empty list with an empty list', async () => {
    const { manifestation } = await createBook(service)

    const answer = await post('/entities/wem', { ids: Array.from({ length: 100 }, () => manifestation) })

    assert.equal(answer.body.results.length, 100)
    assert.deepEqual((await post('/entities/wem', { ids: [] })).body, { results: [] })
  })

  it('answers 400 to 101 ids', async () => {
    const answer = await post('/entities/wem', { ids: Array.from({ length: 101 }, (_, index) => `M-${index}`) })

    assert.equal(answer.status, 400)
    assert.equal(answer.body.errors[0].pointer, '/ids')
  })

  for (const [what, body, pointer] of [
    ['without ids', {}, ''],
    ['whose ids are no array', { ids: 'M-1' }, '/ids'],
    ['with an id that is no string', { ids: ['M-1', 2] }, '/ids/1'],
    ['with an empty id', { ids: [''] }, '/ids/0'],
    ['that is an array', ['M-1'], '']
  ] as const) {
    it(`answers 400 to a body ${what}`, async () => {
      const answer = await post('/entities/wem', body)

      assert.equal(answer.status, 400)
      assert.equal(answer.body.status, 400)
      assert.ok(
        answer.body.errors.some((error: { pointer: string }) => error.pointer === pointer),
        JSON.stringify(answer.body.errors)
      )
    })
  }

  it('answers 401 without a token', async () => {
    assert.equal((await post('/entities/wem', { ids: [] }, { token: undefined })).status, 401)
  })
})
