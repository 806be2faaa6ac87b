import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readOrder } from '#domain/filter/order.ts'
import { readClientFilters as readFilters } from '#compat/filter/client-filter-reader.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { readSearch } from '#domain/search/search.ts'
import type { EntityQuery } from '#store/ports/queries.ts'
import { loadOf } from '#store/query/load.ts'

const model = createModel(builtInRecordTypes)

/** The lane of a filter. */
const laneOf = (filters: readonly unknown[], more: Partial<EntityQuery> = {}) => {
  const { filter } = readFilters(model, filters)
  const order = readOrder('', true, filter) ?? { items: [{ by: 'created' as const }], ascending: true }
  return loadOf('queryEntities', [
    { filter, order, skip: 0, limit: 20, counted: true, readableTypes: undefined, ...more }
  ]).lane
}
const values = (count: number) => Array.from({ length: count }, (_, at) => `value ${at}`)

describe('The load of a query', () => {
  it('is quick for plain lists, usual for what people search, and costly for filters of many values', () => {
    const title = 'properties.title.value'
    assert.equal(laneOf([{ type: 'type', value: 'person' }]), 'quick')
    assert.equal(laneOf([{ type: 'id', value: values(1000) }]), 'quick')
    assert.equal(laneOf([{ type: 'search', value: 'the taming of the shrew' }]), 'usual')
    assert.equal(laneOf([{ type: 'selection', key: title, value: values(100) }]), 'usual')
    assert.equal(laneOf([{ type: 'selection', key: title, value: values(1000), match_exact: true }]), 'usual')
    assert.equal(laneOf([{ type: 'selection', key: title, value: values(1000) }]), 'costly')
    const regular = { type: 'text', key: title, value: 'a.*b', regex: true }
    assert.equal(laneOf([regular]), 'usual')
    assert.equal(laneOf(Array.from({ length: 30 }, () => regular)), 'costly')
    const many = [{ type: 'selection', key: title, value: values(300) }]
    assert.equal(laneOf([{ type: 'text', key: title, value: 'x', or: many }]), 'costly')
    assert.equal(laneOf([{ ...many[0], match_not: true }]), 'costly')
  })

  it('names the caller, whatever it asks', () => {
    assert.equal(loadOf('suggest', [{ search: readSearch('x'), types: undefined, limit: 1, caller: 'a' }]).caller, 'a')
    assert.equal(loadOf('findHistory', ['id', 0, 10]).caller, '')
    assert.equal(loadOf('harvestState', []).caller, '')
  })
})
