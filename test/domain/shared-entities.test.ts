import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { isShared, parseEntity } from '#domain/entity/shared-entities.ts'

const stored = (id: string, name: string, type = 'person') => ({
  id,
  type,
  json: JSON.stringify({ id, type, metadata: [{ key: 'name', value: name }], relations: [] })
})

describe('The object of a record that others refer to', () => {
  it('is the same for the same text, and another one for any other text of the record', () => {
    const first = parseEntity(stored('P-1', 'Anna'))
    assert.equal(parseEntity(stored('P-1', 'Anna')), first)
    assert.ok(isShared(first))

    const changed = parseEntity(stored('P-1', 'Bert'))
    assert.equal(changed.metadata[0]?.value, 'Bert')
    assert.equal(first.metadata[0]?.value, 'Anna')
    // As a reader sees it who may see less.
    const { json } = stored('P-1', 'Bert')
    assert.deepEqual(parseEntity({ ...stored('P-1', ''), json: json.replace('name', 'note') }).metadata, [
      { key: 'note', value: 'Bert' }
    ])
  })

  it('cannot be changed, at any depth', () => {
    const { metadata } = parseEntity(stored('P-2', 'Anna')) as unknown as { metadata: { value: unknown }[] }
    assert.throws(() => metadata.push({ value: 'Bert' }), TypeError)
    assert.throws(() => Object.assign(metadata[0] as object, { value: 'Bert' }), TypeError)
  })

  it('is not kept for publications, works and performances, nor when many others came after it', () => {
    for (const type of ['manifestation_word', 'work_word', 'performance', 'item']) {
      const first = parseEntity(stored('X-1', 'Anna', type))
      assert.ok(!isShared(first), type)
      assert.notEqual(parseEntity(stored('X-1', 'Anna', type)), first)
    }
    const first = parseEntity(stored('P-3', 'Anna'))
    for (let at = 0; at < 3000; at++) parseEntity(stored(`P-${at + 10}`, 'x'.repeat(1000)))
    const again = parseEntity(stored('P-3', 'Anna'))
    assert.notEqual(again, first)
    assert.deepEqual(again, first)
  })
})
