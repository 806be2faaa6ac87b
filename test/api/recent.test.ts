import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { anExpression, aPerson, aWork, idsOf } from '../support/records/entities.ts'
import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { importPayload } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'

interface Change {
  readonly by: string
  readonly import?: string
  readonly kind?: string
  readonly created: boolean
  readonly count: number
  readonly more: boolean
  readonly records: readonly { readonly id: string; readonly metadata: readonly { readonly key: string }[] }[]
}

const service = await start({ after })
const read = async (options: { readonly token?: string } = {}, query = '') => {
  const { body } = await service.get(`/recent${query}`, options)
  return body.results as readonly Change[]
}

describe('GET /recent', () => {
  it('answers an empty catalogue with nothing', async () => {
    assert.deepEqual(await read(), [])
  })

  it('groups the records of one kind that one author created, and names the latest three', async () => {
    const made: string[] = []
    for (const title of ['Hamlet', 'Macbeth', 'Othello', 'Cymbeline', 'Pericles'])
      made.push((await service.create(aWork(title))).id)
    const author = await service.create(aPerson('Shakespeare, William'))

    const [person, works, ...others] = await read()

    assert.deepEqual(others, [])
    assert.deepEqual([person?.kind, person?.count, person?.created, person?.more], ['person', 1, true, false])
    assert.deepEqual(idsOf(person?.records ?? []), [author.id])
    assert.deepEqual([works?.kind, works?.count, works?.created], ['work', 5, true])
    assert.deepEqual(idsOf(works?.records ?? []), made.toReversed().slice(0, 3))
    for (const { metadata } of works?.records ?? [])
      assert.deepEqual([...new Set(metadata.map(({ key }) => key))], ['title'])
  })

  it('tells changes from creations, and one author from another', async () => {
    const token = await service.tokenWith('read', 'write')
    const work = await service.create(aWork('King Lear'))
    const edit = { metadata: [{ key: 'title', value: 'King Lear!' }] }
    assert.equal((await service.patch(`/entities/${work.id}`, edit, { token })).status, 200)

    const [changed, ...others] = await read()

    assert.deepEqual([changed?.kind, changed?.count, changed?.created], ['work', 1, false])
    assert.notEqual(changed?.by, others[0]?.by)
    assert.deepEqual(await read({}, '?limit=1'), [changed])
  })

  it('shows only what the token may read', async () => {
    const [only, ...others] = await read({ token: await service.tokenWith('read:person') })
    assert.equal(only?.kind, 'person')
    assert.deepEqual(others, [])
  })

  it('reads on behind many records of one kind', async () => {
    const work = await service.create(aWork('Tales'))
    for (let index = 0; index < 60; index++) await service.create(anExpression(work.id))

    const [expressions, works] = await read()

    assert.deepEqual([expressions?.kind, expressions?.count, expressions?.more], ['expression', 40, true])
    assert.equal(works?.kind, 'work')
    assert.deepEqual(idsOf(works?.records ?? []), [work.id])
  })

  it('makes one group of an import, whatever its records are', async t => {
    const importing = await start(t)
    const author = await importing.create(aPerson('Shakespeare, William'))
    const done = await importPayload(importing, marcFile(saltRoad))

    const [first, other, ...others] = (await importing.get('/recent')).body.results as readonly Change[]

    assert.deepEqual([first?.import, first?.kind, first?.created], [done.id, undefined, true])
    assert.ok((first?.count ?? 0) > 9, `${first?.count} records`)
    assert.deepEqual(idsOf(other?.records ?? []), [author.id])
    assert.deepEqual([other?.import, others.length], [undefined, 0])
  })
})
