import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { CatalogueError, ErrorCode } from '#domain/errors.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { EntityWrite } from '#store/ports/entities.ts'
import { relations } from '../../support/records/entities.ts'
import {
  aRecord,
  changeOf,
  contentIn,
  everythingIn,
  idsWhere,
  insert,
  metadata,
  pointingTo,
  problemsIn,
  readIn,
  rejects,
  remove,
  type Subject,
  titleIs,
  update,
  write
} from './contract-support.ts'

export function writingPromises({ name, openNew }: Subject) {
  describe(`${name} store: writing`, () => {
    it('gives back the entities as stored, in order, and undefined for a deletion', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('OLD')), insert(aRecord('GONE')))
      const given = [aRecord('NEW', { metadata: metadata({ title: 'Nieuw' }) }), aRecord('LAST')] as const
      const old = await contentIn(store, 'OLD')
      const stored = await store.write({
        writes: [insert(given[0]), update(old, { metadata: [] }), remove('GONE', 1), insert(given[1])],
        by: 'token:test'
      })
      assert.deepEqual(
        stored.map(each => each && [each.id, each.uuid, each.type, each.version]),
        [
          ['NEW', given[0].uuid, 'production', 1],
          ['OLD', old.uuid, 'production', 2],
          undefined,
          ['LAST', given[1].uuid, 'production', 1]
        ]
      )
      for (const each of stored) {
        if (each) assert.deepEqual({ ...(await store.findEntity(each.id)) }, { ...each })
      }
      assert.equal(await store.findEntity('GONE'), undefined)
    })

    it('keeps every part of an entity as it was given, with its version and audit', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('VE-1', { type: 'venue' })))
      const content = aRecord('PR-1', {
        metadata: [
          { key: 'title', value: 'Hamlet “é” \u{1f3ad}', lang: 'nl' },
          { key: 'title', value: '', lang: 'en' },
          { key: 'anything', value: { deep: [1, -0.5, true, null, { x: '\n\\"' }] } },
          { key: '__proto__', value: 'plain' }
        ],
        relations: [
          { key: 'VE-1', type: 'refVenues', metadata: [{ key: 'role', value: 'first' }] },
          { key: 'VE-1', type: 'refOther' }
        ],
        otherIdentifiers: ['b', 'a']
      })
      const before = new Date().toISOString()
      const [stored] = await store.write({ writes: [insert(content)], by: 'token:één' })
      const entity = JSON.parse(stored?.json ?? '') as Entity
      const { audit, ...rest } = entity
      assert.deepEqual(rest, {
        id: 'PR-1',
        _id: content.uuid,
        _key: 'PR-1',
        type: 'production',
        version: 1,
        metadata: content.metadata,
        relations: content.relations,
        identifiers: [content.uuid, 'PR-1', 'b', 'a']
      })
      assert.deepEqual(audit.created, audit.updated)
      assert.equal(audit.created.by, 'token:één')
      assert.ok(audit.created.at >= before && audit.created.at <= new Date().toISOString())
    })

    it('counts versions, keeps who created an entity, and says who changed it last', async t => {
      const store = await openNew(t)
      await store.write({ writes: [insert(aRecord('A'))], by: 'anna' })
      const first = await readIn(store, 'A')
      await store.write({
        writes: [await changeOf(store, 'A', { metadata: metadata({ title: '2' }) })],
        by: 'ben'
      })
      await store.write({
        writes: [await changeOf(store, 'A', { metadata: metadata({ title: '3' }) })],
        by: 'cleo'
      })
      const third = await readIn(store, 'A')
      assert.equal(third.version, 3)
      assert.deepEqual(third.audit.created, first.audit.created)
      assert.equal(third.audit.updated.by, 'cleo')
      assert.ok(third.audit.updated.at >= first.audit.updated.at)
    })

    it('does all writes of a unit or none', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')), insert(aRecord('B')), insert(aRecord('TAKEN')))
      const before = await everythingIn(store)
      await store.changedSinceLastCall()
      const unit = [
        insert(aRecord('NEW', { otherIdentifiers: ['new-other'], relations: relations({ refOther: 'A' }) })),
        await changeOf(store, 'A', {
          metadata: metadata({ title: 'changed' }),
          otherIdentifiers: ['a-other']
        }),
        remove('B', 1),
        insert(aRecord('TAKEN'))
      ]
      await rejects(store.write({ writes: unit, by: 'test' }), 'identifier_taken')
      assert.deepEqual(await everythingIn(store), before)
      assert.deepEqual(await store.changedSinceLastCall(), [])
      for (const identifier of ['NEW', 'new-other', 'a-other'])
        assert.equal(await store.findEntity(identifier), undefined)
      assert.equal((await store.findReferences(pointingTo('A'))).count, 0)
      assert.deepEqual(await idsWhere(store, titleIs('changed')), [])
      assert.deepEqual(await problemsIn(store), [])
    })

    it('lets no unit harm another that comes at the same moment', async t => {
      const store = await openNew(t)
      await write(
        store,
        insert(aRecord('TAKEN')),
        insert(aRecord('USED')),
        insert(aRecord('USER', { relations: relations({ refOther: 'USED' }) }))
      )
      const bad: readonly [EntityWrite, ErrorCode][] = [
        [insert(aRecord('TAKEN')), 'identifier_taken'],
        [remove('TAKEN', 7), 'version_mismatch'],
        [insert(aRecord('LOST', { relations: relations({ refOther: 'NOBODY' }) })), 'invalid'],
        [remove('USED', 1), 'still_referenced']
      ]
      const outcomes = await Promise.allSettled(
        Array.from({ length: 120 }, (_, n) => {
          // Each bad unit begins with a write that is good by itself, so that there is something to
          // take back.
          const [wrong] = n % 3 === 0 ? (bad[(n / 3) % bad.length] ?? []) : []
          const writes = [insert(aRecord(`G-${n}`)), ...(wrong ? [wrong] : [])]
          return store.write({ writes, by: 'test' })
        })
      )
      for (const [n, outcome] of outcomes.entries()) {
        const stored = await store.findEntity(`G-${n}`)
        if (n % 3 === 0) {
          const expected = bad[(n / 3) % bad.length]?.[1]
          assert.equal(outcome.status === 'rejected' && (outcome.reason as CatalogueError).code, expected)
          assert.equal(stored, undefined)
        } else {
          assert.equal(outcome.status, 'fulfilled')
          assert.equal(stored?.version, 1)
        }
      }
      assert.deepEqual(await problemsIn(store), [])
    })

    it('gives one of many writers of the same version way, and tells the others', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')))
      const content = await contentIn(store, 'A')
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) =>
          store.write({ writes: [update(content, { metadata: metadata({ title: `${n}` }) })], by: `writer-${n}` })
        )
      )
      const winners = outcomes.flatMap((outcome, n) => (outcome.status === 'fulfilled' ? [n] : []))
      assert.equal(winners.length, 1)
      const entity = await readIn(store, 'A')
      assert.equal(entity.version, 2)
      assert.equal(entity.audit.updated.by, `writer-${winners[0]}`)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') assert.equal((outcome.reason as CatalogueError).code, 'version_mismatch')
    })

    it('does everything in a dry run, answers, and takes it back', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')), insert(aRecord('B')))
      const before = await everythingIn(store)
      await store.changedSinceLastCall()
      const stored = await store.write({
        writes: [
          insert(aRecord('NEW')),
          await changeOf(store, 'A', { metadata: metadata({ title: 'changed' }) }),
          remove('B', 1)
        ],
        by: 'test',
        dryRun: true
      })
      assert.deepEqual(
        stored.map(each => each && [each.id, each.version]),
        [['NEW', 1], ['A', 2], undefined]
      )
      assert.deepEqual(await everythingIn(store), before)
      assert.deepEqual(await store.changedSinceLastCall(), [])
      await rejects(store.write({ writes: [remove('A', 9)], by: 'test', dryRun: true }), 'version_mismatch')
      assert.deepEqual(await problemsIn(store), [])
    })

    it('writes an entity twice in one unit', async t => {
      const store = await openNew(t)
      const content = aRecord('A')
      const stored = await store.write({
        writes: [insert(content), update(content, { metadata: metadata({ title: 'second' }) }, 1)],
        by: 'test'
      })
      assert.deepEqual(
        stored.map(each => each?.version),
        [1, 2]
      )
      assert.deepEqual(await idsWhere(store, titleIs('second')), ['A'])
      assert.deepEqual(await problemsIn(store), [])
    })

    it('finds an entity by what it was last in a unit, however often the unit changes it', async t => {
      const store = await openNew(t)
      const content = aRecord('A', {
        metadata: metadata({ title: 'first' }),
        relations: relations({ refOther: ['B'] })
      })
      const other = aRecord('B', { metadata: metadata({ title: 'first' }) })
      const second = { ...content, metadata: metadata({ title: 'second' }), relations: relations({ refElse: ['B'] }) }
      await store.write({
        writes: [
          insert(content),
          insert(other),
          insert(aRecord('GONE', { metadata: metadata({ title: 'first' }) })),
          update(content, second, 1),
          update(second, { metadata: metadata({ title: 'third and last' }) }, 2),
          remove('GONE', 1)
        ],
        by: 'test'
      })
      assert.deepEqual(await idsWhere(store, titleIs('first')), ['B'])
      assert.deepEqual(await idsWhere(store, titleIs('third and last')), ['A'])
      assert.deepEqual(await problemsIn(store), [])
    })

    it('answers nothing to a unit that asks for no answer, and does all of it', async t => {
      const store = await openNew(t)
      const stored = await store.write({ writes: [insert(aRecord('A'))], by: 'test', isSilent: true })
      assert.deepEqual(stored, [])
      assert.equal((await store.findEntity('A'))?.version, 1)
      await rejects(store.write({ writes: [remove('A', 9)], by: 'test', isSilent: true }), 'version_mismatch')
    })

    it('has every word of an entity, also when units with the same words were refused or only tried', async t => {
      const store = await openNew(t)
      const content = aRecord('A', { metadata: metadata({ title: 'quibbling vintners' }) })
      const refused = { ...content, relations: relations({ refOther: ['NOBODY'] }) }
      await rejects(write(store, insert(refused)), 'invalid')
      await store.write({ writes: [insert(content)], by: 'test', dryRun: true })
      await Promise.allSettled([
        store.write({ writes: [insert(refused)], by: 'test' }),
        store.write({ writes: [insert(content)], by: 'test' })
      ])
      assert.deepEqual(await problemsIn(store), [])
      assert.equal((await store.check()).entities, 1)
    })

    it('lets an id be used again after a deletion, without what the old entity had', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A', { metadata: metadata({ title: 'first' }), otherIdentifiers: ['old'] })))
      await write(store, remove('A', 1))
      const [stored] = await write(store, insert(aRecord('A', { metadata: metadata({ title: 'second' }) })))
      assert.equal(stored?.version, 1)
      assert.equal(await store.findEntity('old'), undefined)
      assert.deepEqual(await idsWhere(store, titleIs('first')), [])
      assert.deepEqual(await idsWhere(store, titleIs('second')), ['A'])
      assert.deepEqual(await problemsIn(store), [])
    })
  })
}
