import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createPrincipal, faultOfScope, isLimited, type Principal } from '#domain/permissions.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'

const model = createModel(builtInRecordTypes)
const types = model.recordTypes.map(each => each.type)
const withScopes = (...scopes: string[]) => createPrincipal(model, 'token:desk', scopes)

/** The types of each right, and the summaries that must agree with them. */
function rightsOf(principal: Principal) {
  const read = types.filter(principal.mayRead)
  const write = types.filter(principal.mayWrite)
  const remove = types.filter(principal.mayDelete)
  assert.deepEqual(principal.readableTypes, read)
  assert.equal(principal.readsAnything, read.length > 0)
  assert.equal(principal.writesAnything, write.length > 0)
  assert.equal(principal.deletesAnything, remove.length > 0)
  assert.equal(principal.writesEverything, write.length === types.length)
  assert.equal(principal.deletesEverything, remove.length === types.length)
  return { read, write, remove }
}

const works = types.filter(each => each.startsWith('work_'))
const nothing: string[] = []

describe('The rights of scopes', () => {
  it('are none without a scope, and none for scopes of other services', () => {
    for (const principal of [withScopes(), withScopes('openid', 'reads', 'read:', 'read:nonsense', 'write:a:b:c')]) {
      assert.deepEqual(rightsOf(principal), { read: nothing, write: nothing, remove: nothing })
      assert.equal(principal.readsEverything, false)
      assert.equal(principal.isAdmin, false)
    }
  })

  it('are one action on all types, or on the named types only', () => {
    assert.deepEqual(rightsOf(withScopes('read')), { read: types, write: nothing, remove: nothing })
    assert.deepEqual(rightsOf(withScopes('write')), { read: nothing, write: types, remove: nothing })
    assert.deepEqual(rightsOf(withScopes('delete')), { read: nothing, write: nothing, remove: types })
    assert.deepEqual(rightsOf(withScopes('read:venue', 'read:person', 'write:venue')), {
      read: types.filter(each => each === 'venue' || each === 'person'),
      write: ['venue'],
      remove: nothing
    })
    assert.equal(withScopes('read').readsEverything, true)
    assert.equal(withScopes('write').readsEverything, false)
    assert.equal(withScopes('read:venue').readsEverything, false)
  })

  it('take all types of an umbrella, and all types when one of the scopes has no type', () => {
    assert.ok(works.length > 1)
    assert.deepEqual(rightsOf(withScopes('read:work')).read, works)
    for (const scopes of [
      ['read', 'read:venue'],
      ['read:venue', 'read']
    ])
      assert.deepEqual(rightsOf(withScopes(...scopes)).read, types)
  })

  it('of an administrator are all; of one for a type, all on that type', () => {
    const admin = withScopes('admin')
    assert.deepEqual(rightsOf(admin), { read: types, write: types, remove: types })
    assert.equal(admin.isAdmin, true)
    assert.equal(admin.readsEverything, true)
    const ofVenues = withScopes('admin:venue')
    assert.deepEqual(rightsOf(ofVenues), { read: ['venue'], write: ['venue'], remove: ['venue'] })
    assert.equal(ofVenues.isAdmin, false)
    assert.equal(ofVenues.readsEverything, false)
  })

  it('are limited by a status: the type may be read, nothing may be written', () => {
    const limited = withScopes('read:production:published', 'read:venue', 'write', 'delete')
    assert.deepEqual(rightsOf(limited), {
      read: types.filter(each => each === 'production' || each === 'venue'),
      write: nothing,
      remove: nothing
    })
    assert.equal(limited.readsEverything, false)
    assert.equal(limited.readLimits.length, 1)
    const [limit] = limited.readLimits
    assert.equal(limit?.type, 'production')
    assert.deepEqual(limit?.status?.values, ['published'])
    const parts = limit?.parts.map(each => each.type) ?? []
    assert.ok(parts.includes('performance'))
    for (const { type, relation } of limit?.parts ?? []) {
      const recordType = model.findType(type)
      assert.equal(recordType?.partOf, relation)
      assert.ok(recordType?.relations[relation]?.to.includes('production'))
    }
    assert.ok(!parts.includes('item'))
  })

  it('join several statuses of a type, and forget them for a token that reads the type anyway', () => {
    const [limit] = withScopes('read:production:published', 'read:production:concept').readLimits
    assert.deepEqual(limit?.status?.values, ['published', 'concept'])
    for (const other of ['read', 'read:production', 'admin']) {
      const principal = withScopes('read:production:published', other, 'write:venue')
      assert.deepEqual(principal.readLimits, [])
      assert.ok(principal.mayWrite('venue'))
    }
  })

  it('ignore a status of another action, of a type without one, and of no type', () => {
    for (const scope of ['write:production:published', 'read:venue:published', 'read:production:unheard_of']) {
      const principal = withScopes(scope)
      assert.deepEqual(rightsOf(principal), { read: nothing, write: nothing, remove: nothing })
      assert.deepEqual(principal.readLimits, [])
    }
  })
})

describe('A scope', () => {
  it('is one of this catalogue or not', () => {
    for (const scope of ['read', 'write:venue', 'delete:work', 'admin', 'read:production:published'])
      assert.equal(faultOfScope(model, scope), undefined, scope)
    for (const scope of [
      '',
      'reads',
      'read:',
      'read:nonsense',
      'write:production:published',
      'read:venue:published',
      'read:production:unheard_of',
      'read:a:b:c'
    ])
      assert.notEqual(faultOfScope(model, scope), undefined, scope)
  })

  it('is limited when it names a status', () => {
    assert.equal(isLimited('read:production:published'), true)
    assert.equal(isLimited('read:production'), false)
    assert.equal(isLimited('nonsense'), false)
  })
})
