import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readClientFilters as readFilters } from '#compat/filter/client-filter-reader.ts'
import { readFilterPath } from '#domain/filter/filter-path.ts'
import { readOrder } from '#domain/filter/order.ts'
import { type Base, buildBase } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { toIndexedDocument } from '#index/document.ts'
import { find } from '#index/find.ts'
import { mergeBases } from '#index/merge.ts'
import { readSnapshot } from '#index/snapshot.ts'
import { isLong } from '../support/records/chance.ts'
import { model } from '../support/records/described-publications.ts'
import { entitiesOf, hostileShapes } from '../support/records/hostile-shapes.ts'
import { growthOf } from '../support/oracles/measure-growth.ts'
import { snapshotBytes, snapshotIn } from '../support/records/snapshot-bytes.ts'

/*
 * For all records that a client may store, the index is built, sent to a thread, read at the next
 * start and queried in time and memory in proportion to their bytes. Each shape has records of one
 * size, and of four times that size.
 */

const maxGrowth = 6
const size = isLong ? 2_500 : 400

/** Shapes that differ little from others for the index: the long tier measures them. */
const similar = [
  'values in a list',
  'equal values of one key',
  'languages of one key',
  'letters in a word',
  'long values with a common beginning',
  'levels in values',
  'numbers and moments'
]

const documentsOf = (shape: string, of: number) =>
  entitiesOf(hostileShapes[shape]?.(of) ?? []).map((entity, at) => toIndexedDocument(model, entity, at + 1, at + 1))

type Documents = ReturnType<typeof documentsOf>

function baseOf(documents: Documents, change = documents.length): Base {
  const builder = buildBase()
  for (const document of documents) builder.add(document)
  return builder.done(change)
}

const questions = [
  [{ type: 'search', value: 'record' }],
  [{ type: 'search', value: '"record 1"' }],
  [{ type: 'text', key: 'properties.note.value', value: 'value' }],
  [{ type: 'selection', key: 'properties.ref_others.value', value: ['PR-S0'] }],
  [{ type: 'selection', key: 'properties.ref_other.value', value: ['PR-CENTRE'] }],
  [{ type: 'selection', key: 'properties.ref_type1.value', value: ['PR-CENTRE'] }]
]
const facets = ['note', 'ref_others', 'ref_other', 'ref_type1'].flatMap(key => {
  const path = readFilterPath(`properties.${key}.value`)
  return path ? [path] : []
})

function ask(index: CatalogueIndex) {
  for (const filters of questions) {
    const { filter } = readFilters(model, filters)
    const order = readOrder('title', true, filter)
    assert.ok(order)
    const question = { filter, order, skip: 0, limit: 10, readableTypes: undefined, counted: true }
    const none = () => []
    find(index, { ...question, facets: { paths: facets, limit: 10 } }, () => new Map(), none)
  }
}

/** The steps of a record, from the first write to the next start. */
const works: Readonly<Record<string, (documents: Documents) => () => unknown>> = {
  built: documents => () => baseOf(documents),
  merged: documents => {
    const bases = [documents.filter((_, at) => at % 2 === 0), documents.filter((_, at) => at % 2 === 1)]
    const [one, other] = bases.map(each => baseOf(each)) as [Base, Base]
    return () => mergeBases([one, other], { changed: [], bases: [] }, 9, [])
  },
  'sent to a thread': documents => {
    const base = baseOf(documents)
    return () => structuredClone(base)
  },
  'read at the next start': documents => {
    const base = baseOf(documents)
    return () => new CatalogueIndex(model, readSnapshot(snapshotIn(snapshotBytes(base, 'test')), 'test') as Base)
  },
  'written twice': documents => () => {
    const index = new CatalogueIndex(model, baseOf([]))
    for (const change of [1, 2]) index.apply({ change, written: documents, removed: [] })
  },
  'asked for': documents => {
    const index = new CatalogueIndex(model, baseOf(documents))
    return () => ask(index)
  },
  'asked for as changes': documents => {
    const index = new CatalogueIndex(model, baseOf([]))
    index.apply({ change: 1, written: documents, removed: [] })
    return () => ask(index)
  }
}

describe('Records of a hostile shape', () => {
  for (const shape of Object.keys(hostileShapes).filter(each => isLong || !similar.includes(each)))
    it(`are indexed in proportion to their bytes: ${shape}`, async t => {
      const failures: string[] = []
      const documents = new Map([size, 2 * size, 4 * size].map(of => [of, documentsOf(shape, of)]))
      for (const [name, work] of Object.entries(works)) {
        const growth = await growthOf(of => work(documents.get(of) ?? []), size)
        t.diagnostic(`${name}: ${growth.toFixed(1)} times`)
        if (growth > maxGrowth) failures.push(`${name}: ${growth.toFixed(1)} times`)
      }
      assert.deepEqual(failures, [])
    })
})
