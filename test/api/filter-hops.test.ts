import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aWork, anExpression, idsOf, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const author = await service.create(aPerson('Vondel, Joost van den', { identifiers: ['viaf:vondel'] }))
const other = await service.create(aPerson('Bredero, G.A.'))
const work = await service.create(aWork('Gijsbrecht', { relations: relations({ refAuthors: author.id }) }))
const otherWork = await service.create(aWork('Warenar', { relations: relations({ refAuthors: other.id }) }))
const expression = await service.create(anExpression(work.id))
const ofWork = await service.create(aProduction({}, { relations: relations({ refWorks: work.id }) }))
const ofExpression = await service.create(aProduction({}, { relations: relations({ refWorks: expression.id }) }))
const ofOther = await service.create(aProduction({}, { relations: relations({ refWorks: otherWork.id }) }))
const ofNone = await service.create(aProduction())

const direct = 'properties.ref_works.ref_authors.value'
const byExpression = 'properties.ref_works.ref_work.ref_authors.value'
const find = async (filter: Record<string, unknown>) =>
  idsOf((await service.filter([{ type: 'type', value: 'production' }, filter])).body)

describe('A filter over several relations', () => {
  it('finds all productions of works by an author in one call', async () => {
    for (const value of [author.id, author._id, 'viaf:vondel']) {
      const found = await find({ type: 'selection', key: [direct, byExpression], value: [value], match_exact: true })
      assert.deepEqual(found, [ofWork.id, ofExpression.id])
    }
    assert.deepEqual(
      await find({ type: 'selection', key: `catalog:1|${direct}`, value: [author.id], match_exact: true }),
      [ofWork.id]
    )
  })

  it('finds by the name at its end, and what has none', async () => {
    assert.deepEqual(await find({ type: 'text', key: 'properties.ref_works.ref_authors.name', value: 'brede*' }), [
      ofOther.id
    ])
    assert.deepEqual(await find({ type: 'text', key: direct, value: '*' }), [ofWork.id, ofOther.id])
    assert.deepEqual(await find({ type: 'text', key: direct, value: '' }), [ofExpression.id, ofNone.id])
    assert.deepEqual(
      await find({ type: 'selection', key: direct, value: [author.id], match_exact: true, match_not: true }),
      [ofExpression.id, ofOther.id, ofNone.id]
    )
  })

  it('does not lead through what the token may not read', async () => {
    const ask = async (...scopes: string[]) => {
      const token = await service.tokenWith(...scopes)
      const filters = [{ type: 'text', key: 'properties.ref_works.ref_authors.name', value: 'vondel*' }]
      return (await service.post('/entities/filter', filters, { token })).body.count
    }
    assert.equal(await ask('read'), 1)
    assert.equal(await ask('read:production', 'read:work', 'read:person'), 1)
    assert.equal(await ask('read:production', 'read:person'), 0)
    assert.equal(await ask('read:production', 'read:work'), 0)
  })

  it('has four relations at most', async () => {
    const key = `properties.${Array(5).fill('ref_works').join('.')}.value`
    assertProblem(await service.post('/entities/filter', [{ type: 'text', key, value: 'x' }]), 'invalid_filter')
  })
})
