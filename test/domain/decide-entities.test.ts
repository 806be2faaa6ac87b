import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { decideEntities, type EntityFacts, type ExistingEntity } from '#domain/imports/decide-entities.ts'

const derived = (title: string, ...targets: string[]) => ({
  type: 'work_word',
  metadata: [{ key: 'title', value: title }],
  relations: targets.map(key => ({ key, type: 'refSubjects' }))
})

const existing = (
  id: string,
  title: string,
  { by = 'import:1', targets = [] as string[], names = [] as string[] } = {}
) =>
  [
    id,
    {
      content: { id, uuid: `uuid-${id}`, ...derived(title, ...targets), otherIdentifiers: names },
      version: 3,
      createdBy: 'import:1',
      updatedBy: by
    } satisfies ExistingEntity
  ] as const

const facts = (given: Partial<EntityFacts>): EntityFacts => ({
  job: '1',
  plans: [],
  existing: new Map(),
  toDelete: new Map(),
  restored: new Map(),
  freeIdentifiers: new Map(),
  missingAuthorities: new Map(),
  authorityKeys: new Map([['S-1', 'key of S-1']]),
  newUuid: () => 'new',
  fitting: content => content,
  ...given
})

describe('deciding how entities change', () => {
  it('creates an entity with what it refers to, each target once', () => {
    const { changes, createdAuthorities } = decideEntities(
      facts({
        plans: ['W-1', 'W-2'].map(id => ({ id, base: undefined, next: derived('A', 'S-1') })),
        freeIdentifiers: new Map([['W-1', ['n1']]]),
        missingAuthorities: new Map([['S-1', { key: 'salt', content: derived('S-1'), deleted: undefined }]])
      })
    )
    assert.deepEqual(
      changes.map(each => [each.kind, each.kind === 'insert' ? each.content.id : '']),
      [
        ['insert', 'W-1'],
        ['insert', 'S-1'],
        ['insert', 'W-2']
      ]
    )
    assert.deepEqual(createdAuthorities, ['salt'])
  })

  it('leaves an entity that is as it should be, and notes what it refers to no more', () => {
    const unchanged = decideEntities(
      facts({
        plans: [{ id: 'W-1', base: derived('A', 'S-1'), next: derived('A', 'S-1') }],
        existing: new Map([existing('W-1', 'A', { targets: ['S-1'] })])
      })
    )
    assert.deepEqual([unchanged.changes, [...unchanged.edited]], [[], []])
    const { changes, orphans } = decideEntities(
      facts({
        plans: [{ id: 'W-1', base: derived('A', 'S-1'), next: derived('B') }],
        existing: new Map([existing('W-1', 'A', { targets: ['S-1'] })])
      })
    )
    assert.deepEqual(
      changes.map(each => each.kind),
      ['update']
    )
    assert.deepEqual([...orphans], [['S-1', 'key of S-1']])
  })

  it('merges one into another: identifiers, edits and references go along, and it is deleted first', () => {
    const [, gone] = existing('W-2', 'B', { names: ['old'] })
    const plan = { id: 'W-2', base: derived('B'), next: undefined, into: 'W-1' }
    const { changes, deleted, merged } = decideEntities(
      facts({
        plans: [{ id: 'W-1', base: derived('A'), next: derived('A') }, plan],
        existing: new Map([existing('W-1', 'A'), ['W-2', gone], existing('P-1', 'P', { targets: ['W-2', 'W-1'] })]),
        toDelete: new Map([['W-2', { plan, entity: gone, referrers: ['P-1'] }]])
      })
    )
    assert.deepEqual(
      changes.map(each => each.kind),
      ['delete', 'update', 'update']
    )
    const [remove, update, referrer] = changes
    assert.ok(remove?.kind === 'delete' && remove.mergedInto === 'W-1')
    assert.ok(update?.kind === 'update')
    assert.deepEqual(update.content.otherIdentifiers, ['W-2', 'uuid-W-2', 'old'])
    assert.ok(referrer?.kind === 'update')
    assert.deepEqual(
      referrer.content.relations.map(each => each.key),
      ['W-1']
    )
    assert.deepEqual(deleted.get('W-2'), { uuid: 'uuid-W-2', version: 4 })
    assert.deepEqual(merged.get('W-2'), ['W-2', 'uuid-W-2'])
  })

  it('gives an entity that takes the place of one of another type the edits of people', () => {
    const [, gone] = existing('W-2', 'By hand', { by: 'user:1', targets: ['S-2'] })
    const plan = { id: 'W-2', base: derived('A', 'S-1'), next: undefined, into: 'W-1' }
    const { changes, edited } = decideEntities(
      facts({
        plans: [{ id: 'W-1', base: undefined, next: { ...derived('A', 'S-1'), type: 'work_image' } }, plan],
        existing: new Map([['W-2', gone]]),
        toDelete: new Map([['W-2', { plan, entity: gone, referrers: [] }]]),
        fitting: content => ({ ...content, relations: [] })
      })
    )
    const insert = changes.find(each => each.kind === 'insert')
    assert.equal(insert?.content.type, 'work_image')
    assert.deepEqual(insert.content.metadata, [{ key: 'title', value: 'By hand' }])
    assert.deepEqual(insert.content.relations, [])
    assert.deepEqual(insert.content.otherIdentifiers, ['W-2', 'uuid-W-2'])
    assert.deepEqual(edited.get('W-1'), ['title', 'refSubjects'])
  })
})
