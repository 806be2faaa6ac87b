import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { aManifestation, anExpression, aPerson, aWork, metadata, relations } from '../support/records/entities.ts'
import { start, type Teardown, type TestService } from '../support/services/start.ts'

/* Publications and expressions are found by everything that stands above them. */

/** An original and a translation of one work, and another author's book. */
async function fill(t: Teardown, environment: Record<string, string> = {}) {
  const service = await start(t, environment)
  await service.create(aPerson('Couperus, Louis', { id: 'P-LC' }))
  await service.create(aPerson('Teixeira de Mattos, Alexander', { id: 'P-AT' }))
  await service.create(aPerson('Hermans, Willem Frederik', { id: 'P-WH' }))
  await service.create({ type: 'subject', id: 'S-1', metadata: metadata({ name: 'Java' }) })
  await service.create({
    ...aWork('De stille kracht', { id: 'W-1' }),
    metadata: metadata({ title: 'De stille kracht', original_title: 'Gunung Lawu' }),
    relations: relations({ refAuthors: 'P-LC', refSubjects: 'S-1' })
  })
  await service.create(anExpression('W-1', 'De stille kracht', { id: 'E-1' }))
  await service.create({
    ...anExpression('W-1', 'The Hidden Force', { id: 'E-2' }),
    relations: relations({ refWork: 'W-1', refAuthors: 'P-AT' })
  })
  await service.create(aManifestation('E-1', 'Stille kracht', { id: 'M-1' }))
  await service.create(aManifestation('E-2', 'Hidden force', { id: 'M-2' }))
  await service.create({ ...aWork('Nooit meer slapen', { id: 'W-2' }), relations: relations({ refAuthors: 'P-WH' }) })
  await service.create(anExpression('W-2', 'Nooit meer slapen', { id: 'E-3' }))
  await service.create(aManifestation('E-3', 'Nooit meer slapen', { id: 'M-3' }))
  return service
}

const search = (value: string) => ({ type: 'search', value })
const manifestations = { type: 'type', value: 'manifestation' }

async function found(service: TestService, text: string, token?: string): Promise<string[]> {
  const answer = await service.post(
    '/entities/filter?limit=100',
    [search(text), manifestations],
    token ? { token } : {}
  )
  assert.equal(answer.status, 200, answer.text)
  const ids = answer.body.results.map(({ id }: { id: string }) => id)
  assert.equal(answer.body.count, ids.length)
  return ids.sort()
}

describe('A publication', () => {
  it('is found by the author of its work, its translator, its subjects, and the texts of its expression and work', async t => {
    const service = await fill(t)
    assert.deepEqual(await found(service, 'couperus'), ['M-1', 'M-2'])
    assert.deepEqual(await found(service, 'louis couperus stille'), ['M-1', 'M-2'])
    assert.deepEqual(await found(service, 'teixeira'), ['M-2'])
    assert.deepEqual(await found(service, 'teixeira couperus'), ['M-2'])
    assert.deepEqual(await found(service, 'java'), ['M-1', 'M-2'])
    assert.deepEqual(await found(service, 'gunung lawu'), ['M-1', 'M-2'])
    assert.deepEqual(await found(service, 'hidden gunung'), ['M-2'])
    assert.deepEqual(await found(service, 'couperus slapen'), [])
    assert.deepEqual(await found(service, 'kouperus'), ['M-1', 'M-2'])
    // More words than have a step of their own.
    assert.deepEqual(await found(service, 'couperus louis gunung lawu java hidden force the de stille kracht'), ['M-2'])
  })

  it('is found with its expression, and after the work and what is called so', async t => {
    const service = await fill(t)
    const { body } = await service.filter([search('couperus')], '?limit=100')
    const ids = body.results.map(({ id }: { id: string }) => id)
    assert.equal(ids[0], 'P-LC')
    assert.deepEqual([...ids].sort(), ['E-1', 'E-2', 'M-1', 'M-2', 'P-LC', 'W-1'])
    const { body: titled } = await service.filter([search('stille kracht'), manifestations])
    assert.deepEqual(
      titled.results.map(({ id }: { id: string }) => id),
      ['M-1', 'M-2']
    )
  })

  it('is found by another name of the author, and by initials however they are written', async t => {
    const service = await fill(t)
    await service.create(
      aPerson('Clemens, Samuel', {
        id: 'P-MT',
        metadata: metadata({ name: 'Clemens, Samuel', non_preferred_name: 'Twain, Mark' })
      })
    )
    await service.create(aPerson('Tolkien, J. R. R.', { id: 'P-JT' }))
    await service.create(aPerson('Ballard, JG', { id: 'P-JB' }))
    for (const [work, author] of Object.entries({ Sawyer: 'P-MT', Hobbit: 'P-JT', Crash: 'P-JB' })) {
      await service.create({ ...aWork(work, { id: `W-${work}` }), relations: relations({ refAuthors: author }) })
      await service.create(anExpression(`W-${work}`, work, { id: `E-${work}` }))
      await service.create(aManifestation(`E-${work}`, work, { id: `M-${work}` }))
    }
    for (const name of ['mark twain', 'Twain', 'samuel clemens sawyer'])
      assert.deepEqual(await found(service, name), ['M-Sawyer'], name)
    for (const name of ['JRR Tolkien', 'J.R.R. Tolkien', 'J. R. R. Tolkien', 'tolkien jrr'])
      assert.deepEqual(await found(service, name), ['M-Hobbit'], name)
    for (const name of ['JG Ballard', 'J.G. Ballard', 'J. G. Ballard'])
      assert.deepEqual(await found(service, name), ['M-Crash'], name)
    const { body } = await service.get('/suggest?q=mark%20tw')
    assert.ok(JSON.stringify(body).includes('P-MT'), JSON.stringify(body))
  })

  it('is found by a new name of the author in the answer after the change', async t => {
    const service = await fill(t)
    await service.patch('/entities/P-LC', { metadata: [{ key: 'name', value: 'Ricus, Maurits' }] })
    assert.deepEqual(await found(service, 'couperus'), [])
    assert.deepEqual(await found(service, 'ricus'), ['M-1', 'M-2'])
    await service.patch('/entities/W-2', { relations: relations({ refAuthors: 'P-LC' }) })
    assert.deepEqual(await found(service, 'ricus'), ['M-1', 'M-2', 'M-3'])
  })

  it('is not found through what the token may not read', async t => {
    const service = await fill(t)
    const reading = (...types: string[]) => service.tokenWith(...types.map(type => `read:${type}`))
    const all = await reading('manifestation', 'expression', 'work', 'person')
    assert.deepEqual(await found(service, 'couperus', all), ['M-1', 'M-2'])
    assert.deepEqual(await found(service, 'couperus hidden', all), ['M-2'])
    assert.deepEqual(await found(service, 'java', all), [])
    for (const types of [
      ['manifestation', 'expression', 'work'],
      ['manifestation', 'expression', 'person'],
      ['manifestation', 'work', 'person']
    ]) {
      const token = await reading(...types)
      for (const text of ['couperus', 'couperus stille', 'stille couperus kracht'])
        assert.deepEqual(await found(service, text, token), [], `${text} with ${types}`)
    }
    assert.deepEqual(await found(service, 'gunung', await reading('manifestation', 'expression')), [])
    assert.deepEqual(await found(service, 'force gunung', await reading('manifestation', 'expression')), [])
  })

  it('is counted in facets and pages as it is found', async t => {
    const service = await fill(t)
    const { body } = await service.filter([search('couperus')], '?facets=type&limit=2')
    assert.equal(body.count, 6)
    assert.deepEqual(
      Object.fromEntries(body.facets.type.map(({ value, count }: { value: string; count: number }) => [value, count])),
      { person: 1, work_word: 1, expression_word: 2, manifestation_word: 2 }
    )
    const ids = body.results.map(({ id }: { id: string }) => id)
    for (let next = body.next; next; ) {
      const page = (await service.post(next, [search('couperus')])).body
      ids.push(...page.results.map(({ id }: { id: string }) => id))
      next = page.next
    }
    assert.deepEqual(ids.sort(), ['E-1', 'E-2', 'M-1', 'M-2', 'P-LC', 'W-1'])
  })
})
