import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, createBook, metadata } from '../support/records/entities.ts'
import { holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, countRows, countWrites, jsonPatch, mergePatch } from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { call, create, get, patch, put } = service

/** A person at version 3. */
const thrice = async () => {
  const { id } = await create(aPerson('1'))
  await put(`/entities/${id}`, aPerson('2'))
  await put(`/entities/${id}`, aPerson('3'))
  return id
}

describe('ETag', () => {
  it('is the version in quotes, on reads and writes alike', async () => {
    const id = await thrice()

    assert.equal((await get(`/entities/${id}`)).headers.etag, '"3"')
    assert.equal((await get(`/entities/${id}/metadata`)).headers.etag, '"3"')
    assert.equal((await put(`/entities/${id}`, aPerson('4'))).headers.etag, '"4"')
    assert.equal((await patch(`/entities/${id}`, { metadata: metadata({ name: '5' }) })).headers.etag, '"5"')
    assert.equal((await patch(`/entities/${id}/metadata`, metadata({ name: '6' }))).headers.etag, '"6"')
  })
})

describe('If-Match', () => {
  const good = ['"3"', '3', ' "3" ', '"1", "3"', '2,3', '"3","9"', '*', ' * ']
  const bad = ['"2"', '2', '"4"', '"1", "2"', 'W/"3"', '"abc"', 'abc', '""', '-3', '3.0', '"03x"', '3 4', '"*"']

  for (const header of good) {
    it(`lets a change of version 3 pass with ${header}`, async () => {
      const id = await thrice()

      assert.equal((await put(`/entities/${id}`, aPerson('4'), { headers: { 'if-match': header } })).status, 200)
    })
  }

  for (const header of bad) {
    it(`refuses a change of version 3 with ${header}: 412, and the version there is`, async () => {
      const id = await thrice()
      const before = await countRows(service, 'changes')
      const answer = await put(`/entities/${id}`, aPerson('4'), { headers: { 'if-match': header } })

      assertProblem(answer, 'version_mismatch')
      assert.equal(answer.body.current_version, 3)
      assert.match(answer.body.message, new RegExp(`^W2007 \\| id:${id} - `))
      assert.equal(await countRows(service, 'changes'), before)
    })
  }

  it('is held by every way to write', async () => {
    const ways: readonly (readonly [string, string, unknown, Record<string, string>?])[] = [
      ['PUT', '', aPerson('4')],
      ['PATCH', '', { metadata: metadata({ name: '4' }) }],
      ['PATCH', '', { metadata: metadata({ name: '4' }) }, mergePatch.headers],
      ['PATCH', '', [{ op: 'replace', path: '/metadata/0/value', value: '4' }], jsonPatch.headers],
      ['POST', '/metadata', metadata({ a: 1 })],
      ['PUT', '/metadata', metadata({ name: '4' })],
      ['PATCH', '/metadata', metadata({ name: '4' })],
      ['DELETE', '/metadata', ['a']],
      ['PUT', '/relations', []],
      ['DELETE', '', undefined]
    ]
    for (const [method, path, body, headers = {}] of ways) {
      const id = await thrice()
      const send = (tag: string) =>
        call(method, `/entities/${id}${path}`, { body, headers: { ...headers, 'if-match': tag } })
      assertProblem(await send('"2"'), 'version_mismatch')
      const passed = await send('"3"')
      assert.ok(passed.status < 300, `${method} ${path}: ${passed.text}`)
    }
  })

  it('refuses even a change that would change nothing', async () => {
    const id = await thrice()

    assertProblem(await put(`/entities/${id}`, aPerson('3'), { headers: { 'if-match': '"2"' } }), 'version_mismatch')
  })

  it('is told before what else is wrong with the body', async () => {
    const id = await thrice()

    assertProblem(await put(`/entities/${id}`, {}, { headers: { 'if-match': '"2"' } }), 'version_mismatch')
  })

  it('gives an unknown entity 404, not 412', async () => {
    assertProblem(await put('/entities/unknown', aPerson(), { headers: { 'if-match': '"1"' } }), 'not_found')
  })

  it('is refused when it is empty', async () => {
    const id = await thrice()

    assertProblem(await put(`/entities/${id}`, aPerson(), { headers: { 'if-match': '' } }), 'bad_request')
  })

  it('lets exactly one of many writers with the same version through', async () => {
    const id = await thrice()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        put(`/entities/${id}`, aPerson(`Name ${index}`), { headers: { 'if-match': '"3"' } })
      )
    )

    assert.equal(answers.filter(answer => answer.status === 200).length, 1)
    assert.equal(answers.filter(answer => answer.status === 412).length, 9)
    assert.equal((await get(`/entities/${id}`)).body.version, 4)
  })
})

describe('If-None-Match', () => {
  it('gives 304 without a body, with the ETag, to whom has this version', async () => {
    const id = await thrice()
    for (const header of ['"3"', '3', 'W/"3"', '"1", "3"', '*']) {
      const answer = await get(`/entities/${id}`, { headers: { 'if-none-match': header } })
      assert.equal(answer.status, 304, header)
      assert.equal(answer.text, '')
      assert.equal(answer.headers.etag, '"3"')
    }
  })

  it('gives 200 to whom has another', async () => {
    const id = await thrice()
    for (const header of ['"2"', '"33"', 'abc', '']) {
      assert.equal((await get(`/entities/${id}`, { headers: { 'if-none-match': header } })).status, 200, header)
    }
  })

  it('with a star keeps a change from being made: there is something already', async () => {
    const id = await thrice()
    const headers = { 'if-none-match': '*' }
    for (const answer of [
      await put(`/entities/${id}`, aPerson('4'), { headers }),
      await patch(`/entities/${id}`, { metadata: metadata({ name: '4' }) }, { headers }),
      await call('DELETE', `/entities/${id}`, { headers })
    ])
      assertProblem(answer, 'version_mismatch')
    assert.equal((await get(`/entities/${id}`)).body.version, 3)
  })

  it('gives 200 again after a change', async () => {
    const { id } = await create(aPerson())
    await put(`/entities/${id}`, aPerson('2'))

    assert.equal((await get(`/entities/${id}`, { headers: { 'if-none-match': '"1"' } })).body.version, 2)
  })

  it('holds for WEM answers, whose tag changes with anything they show', async () => {
    const { work, manifestation } = await createBook(service)
    const first = await get(`/entities/wem/${manifestation}`)
    const headers = { 'if-none-match': String(first.headers.etag) }

    assert.equal((await get(`/entities/wem/${manifestation}`, { headers })).status, 304)
    await patch(`/entities/${work}`, { metadata: metadata({ title: 'renamed' }) })
    assert.equal((await get(`/entities/wem/${manifestation}`, { headers })).status, 200)
  })

  it('does not show a 304 of what the token may not read', async () => {
    const { id } = await create(aPerson())
    const token = await service.tokenWith('read:venue')

    assertProblem(await get(`/entities/${id}`, { token, headers: { 'if-none-match': '"1"' } }), 'not_found')
    assertProblem(await get(`/entities/${id}`, { token, headers: { 'if-none-match': '*' } }), 'not_found')
  })
})

describe('A change that changes nothing', () => {
  const ways: readonly (readonly [string, string, string, (name: string) => unknown, Record<string, string>?])[] = [
    ['the same again', 'PUT', '', name => aPerson(name)],
    ['no fields', 'PATCH', '', () => ({})],
    ['the same fields', 'PATCH', '', name => ({ metadata: metadata({ name }) })],
    ['an empty merge patch', 'PATCH', '', () => ({}), mergePatch.headers],
    [
      'a JSON Patch of tests',
      'PATCH',
      '',
      name => [{ op: 'test', path: '/metadata/0/value', value: name }],
      jsonPatch.headers
    ],
    ['a field replaced by the same value', 'PATCH', '/metadata', name => metadata({ name })],
    ['nothing to add', 'POST', '/metadata', () => []],
    ['nothing to remove', 'DELETE', '/relations', () => []]
  ]
  for (const [sentence, method, path, body, headers = {}] of ways) {
    it(`writes no version and no change: ${method} ${path || '/entities/{id}'} with ${sentence}`, async () => {
      const before = await create(aPerson('Same'))
      const writes = await countWrites(service, async () => {
        const answer = await call(method, `/entities/${before.id}${path}`, { body: body('Same'), headers })
        assert.ok(answer.status < 300, answer.text)
        assert.equal(answer.headers.etag, '"1"')
      })

      assert.deepEqual(writes, { changes: 0, versions: 0 })
      assert.deepEqual((await get(`/entities/${before.id}`)).body, before)
    })
  }
})
