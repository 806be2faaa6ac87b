import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { buildBase } from '#index/base.ts'
import { toIndexedDocument } from '#index/document.ts'
import { isLong } from '../support/records/chance.ts'
import { createTestDatabase } from '../support/databases/database.ts'
import { model } from '../support/records/described-publications.ts'
import { aProduction } from '../support/records/entities.ts'
import { centre, entitiesOf, hostileShapes, type ShapeContent } from '../support/records/hostile-shapes.ts'
import { start, type TestService } from '../support/services/start.ts'
import { snapshotBytes } from '../support/records/snapshot-bytes.ts'

/*
 * Each shape is grown until a write is refused, and everything that was stored is indexed. How the
 * cost of the index grows is shown by test/index/hostile-shapes.test.ts.
 */

/** Sizes from which each shape is stored, as far as it is accepted. */
const sizes = isLong ? [100, 200, 500, 1_000, 2_000, 10_000, 20_000] : [100, 200, 500, 1_000, 20_000]
/** Records of one shape and size that are stored at most: no limit applies to their number. */
const maxRecords = isLong ? 500 : 25

/** Shapes that have no limit but the number of records. */
const unlimited = [
  'relations to one record',
  'relations of several types to one record',
  'long values with a common beginning'
]

/** Stores the records of a shape. Returns the refusals. */
async function store(service: TestService, contents: readonly ShapeContent[]): Promise<string[]> {
  const refusals: string[] = []
  for (const { metadata = [], relations = [], identifiers = [] } of contents.slice(0, maxRecords)) {
    const content = {
      metadata: [{ key: 'title', value: 'Shape' }, ...metadata],
      relations,
      // An identifier belongs to one record only.
      identifiers: identifiers.map(each => `${each}-${identifiers.length}`)
    }
    const answer = await service.post('/entities?allow_dangling=1', { type: 'production', ...content })
    assert.ok([201, 400].includes(answer.status), answer.text.slice(0, 500))
    if (answer.status === 400) refusals.push(answer.body.errors[0].message)
  }
  return refusals
}

async function assertSearched(service: TestService) {
  const { body } = await service.filter(
    [{ type: 'search', value: 'shape' }],
    '?limit=0&facets=properties.ref_other.value,properties.note.value'
  )
  assert.ok(body.count > 0)
  const toCentre = { type: 'selection', key: 'properties.ref_other.value', value: [centre] }
  assert.ok((await service.filter([toCentre], '?limit=1')).body.count > 0)
}

describe('Records that are as bad as possible for the index', () => {
  it('are refused from some size on, and what was stored is indexed and found, also at the next start', async t => {
    const DATABASE_URL = await createTestDatabase(t)
    const service = await start(t, { DATABASE_URL })
    await service.create(aProduction({}, { id: centre }))
    // Names that are in use are never too many.
    const used = ['refOther', 'refOthers'].map(type => ({ type, key: centre }))
    await service.create(aProduction({ note: 'x', codes: ['x'] }, { relations: used }))
    const accepted: string[] = []
    for (const [shape, make] of Object.entries(hostileShapes)) {
      const refusals: string[] = []
      for (const size of sizes) refusals.push(...(await store(service, make(size))))
      if (refusals.length === 0) accepted.push(shape)
      for (const refusal of refusals) assert.match(refusal, /at most \d+/)
    }
    assert.deepEqual(accepted.toSorted(), unlimited.toSorted())
    await assertSearched(service)
    await assertSearched(await start(t, { DATABASE_URL }))

    const { text } = await service.get('/export?format=ndjson')
    const builder = buildBase()
    const lines = text.trim().split('\n')
    for (const [at, line] of lines.entries())
      builder.add(toIndexedDocument(model, JSON.parse(line) as Entity, at + 1, at + 1))
    const bytes = snapshotBytes(builder.done(1), 'test').length
    t.diagnostic(`${lines.length} records of ${text.length} bytes have an index of ${bytes} bytes`)
    assert.ok(bytes < 3 * text.length, `${bytes} bytes for ${text.length}`)
  })

  it('are indexed and found where they were stored before there was a limit', async t => {
    const DATABASE_URL = await createTestDatabase(t)
    const first = await start(t, { DATABASE_URL })
    const types = isLong ? 9_900 : 1_500
    const contents = Array.from({ length: 8 }, (_, record) => ({
      relations: Array.from({ length: types }, (_, at) => ({ type: `refOther${record}x${at}`, key: centre }))
    }))
    const entities = entitiesOf([...contents, { relations: [{ type: 'refOther', key: centre }] }])
    for (const { id, _id: uuid, metadata, relations } of entities) {
      const named = metadata.map(entry => (entry.key === 'title' ? { ...entry, value: 'Shape' } : entry))
      const content = { id, uuid, type: 'production', metadata: named, relations, otherIdentifiers: [] }
      await first.libretto.store.write({ writes: [{ kind: 'insert', content }], by: 'test' })
    }
    await assertSearched(first)
    const next = await start(t, { DATABASE_URL })
    await assertSearched(next)
    const refused = await next.post('/entities', aProduction({}, { relations: [{ type: 'refNew', key: centre }] }))
    assert.match(refused.body.errors[0].message, /at most 2000 types of relations that no record type declares/)
    const { body } = await next.filter([{ type: 'selection', key: 'properties.ref_other3x7.value', value: [centre] }])
    assert.deepEqual(
      body.results.map(({ id }: Entity) => id),
      ['PR-S3']
    )
    for (let record = 0; record < 8; record++) assert.equal((await next.delete(`/entities/PR-S${record}`)).status, 204)
    await next.create(aProduction({}, { relations: [{ type: 'refNew', key: centre }] }))
  })
})
