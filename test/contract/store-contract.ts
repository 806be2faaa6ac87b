import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Entity, EntityContent } from '#domain/entity/entity.ts'
import { CatalogueError, type ErrorCode } from '#domain/errors.ts'
import { everything, type Filter } from '#domain/filter/filter.ts'
import type { Order, OrderItem } from '#domain/filter/order.ts'
import type {
  Answer,
  EntityWrite,
  Position,
  Question,
  Store,
  StoredToken,
  StoreSettings,
  Version,
  WriteUnit
} from '#store/store.ts'
import { moment } from '../support/changes.ts'
import { metadata as entries, relations } from '../support/entities.ts'
import type { Teardown } from '../support/start.ts'

/**
 * An empty place to keep entities in. It can be open more than once at a time; all of it is gone
 * when the test is over.
 */
export interface Database {
  open(settings?: Partial<StoreSettings>): Promise<Store>
  /** Changes it behind the back of the stores on it. */
  alter(statement: string): Promise<void>
}

/**
 * What every store promises (`src/store/store.ts`). Called once for each adapter, so a promise is
 * written once and kept by all.
 */
export function storeContract(name: string, newDatabase: (t: Teardown) => Database) {
  const openNew = (t: Teardown, settings?: Partial<StoreSettings>) => newDatabase(t).open(settings)

  describe(`${name} store: finding entities by identifier`, () => {
    it('finds an entity by its id, its uuid and any other identifier', async t => {
      const store = await openNew(t)
      const hamlet = aRecord('PR-HAMLET', { otherIdentifiers: ['urn:isbn:9789025701', 'Hamlet’s “other” name \\ %_'] })
      const [stored] = await write(store, insert(hamlet))
      for (const identifier of ['PR-HAMLET', hamlet.uuid, ...hamlet.otherIdentifiers])
        assert.deepEqual({ ...(await store.findEntity(identifier)) }, { ...stored })
    })

    it('finds nothing under a name that nobody has, however near', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('PR-HAMLET')))
      for (const identifier of [
        'PR-HAMLET2',
        'pr-hamlet',
        'PR-HAMLET ',
        '',
        'PR-%',
        'PR-HAMLET\0',
        '"',
        '[]',
        'null'
      ]) {
        assert.equal(await store.findEntity(identifier), undefined, JSON.stringify(identifier))
        assert.equal((await store.findEntities([identifier])).size, 0, JSON.stringify(identifier))
        assert.equal((await store.identify([identifier])).size, 0, JSON.stringify(identifier))
      }
    })

    it('finds many at once, each under the identifier asked for, and leaves out those that match nothing', async t => {
      const store = await openNew(t)
      const a = aRecord('A', { otherIdentifiers: ['other-a'] })
      await write(store, insert(a), insert(aRecord('B')))
      const found = await store.findEntities(['B', 'nobody', 'other-a', 'A', 'B', a.uuid])
      assert.deepEqual(
        [...found].map(([identifier, { id }]) => [identifier, id]).sort(),
        [
          ['A', 'A'],
          ['B', 'B'],
          ['other-a', 'A'],
          [a.uuid, 'A']
        ].sort()
      )
      assert.equal(found.get('B')?.json, (await store.findEntity('B'))?.json)
      assert.equal((await store.findEntities([])).size, 0)
    })

    it('climbs from an entity by its first relation of each type, by any name, and ends where there is nothing', async t => {
      const store = await openNew(t)
      const above = (types: Readonly<Record<string, string | readonly string[]>>) => ({ relations: relations(types) })
      const writes = [
        insert(aRecord('TOP', { otherIdentifiers: ['the top'] })),
        insert(aRecord('OTHER')),
        insert(aRecord('MIDDLE', above({ other: 'OTHER', second: ['the top', 'OTHER'] }))),
        insert(aRecord('LOW', above({ second: 'OTHER', first: ['MIDDLE', 'OTHER'] }))),
        insert(aRecord('LOST', above({ first: ['nobody', 'MIDDLE'] }))),
        insert(aRecord('SELF', above({ first: 'SELF', second: 'LOST' })))
      ]
      await store.write({ writes, by: 'tester', allowDangling: true })
      const climb = async (identifier: string) => {
        const climbed = await store.findClimbing(identifier, ['first', 'second'])
        for (const each of climbed) assert.deepEqual({ ...(await store.findEntity(each.id)) }, { ...each })
        return climbed.map(({ id }) => id)
      }
      const low = await store.findEntity('LOW')
      assert.deepEqual(await climb('LOW'), ['LOW', 'MIDDLE', 'TOP'])
      assert.deepEqual(await climb(String(low?.uuid)), ['LOW', 'MIDDLE', 'TOP'])
      assert.deepEqual(await climb('MIDDLE'), ['MIDDLE'])
      assert.deepEqual(await climb('the top'), ['TOP'])
      assert.deepEqual(await climb('LOST'), ['LOST'])
      assert.deepEqual(await climb('SELF'), ['SELF', 'SELF', 'LOST'])
      for (const nobody of ['nobody', 'low', 'LOW\0', '']) assert.deepEqual(await climb(nobody), [])
    })

    it('tells id and type of many at once, and leaves out those that match nothing', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A', { type: 'venue', otherIdentifiers: ['other-a'] })), insert(aRecord('B')))
      const found = await store.identify(['other-a', 'nobody', 'B', 'A'])
      assert.deepEqual(Object.fromEntries([...found].map(([identifier, { id, type }]) => [identifier, { id, type }])), {
        'other-a': { id: 'A', type: 'venue' },
        A: { id: 'A', type: 'venue' },
        B: { id: 'B', type: 'production' }
      })
      assert.equal((await store.identify([])).size, 0)
    })

    it('finds a thousand at once', async t => {
      const store = await openNew(t)
      const ids = Array.from({ length: 1000 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id))))
      assert.deepEqual([...(await store.findEntities(ids)).keys()].sort(), [...ids].sort())
      assert.equal((await store.identify(ids)).size, 1000)
    })
  })

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
      await store.changedSinceLastAsked()
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
      assert.deepEqual(await store.changedSinceLastAsked(), [])
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
      await store.changedSinceLastAsked()
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
      assert.deepEqual(await store.changedSinceLastAsked(), [])
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

  describe(`${name} store: what a write throws`, () => {
    const taken: readonly [what: string, make: (a: EntityContent) => EntityContent][] = [
      ['its id is another’s id', () => aRecord('A')],
      ['its uuid is another’s uuid', a => aRecord('B', { uuid: a.uuid })],
      ['its id is another’s identifier', () => aRecord('other-a')],
      ['its identifier is another’s id', () => aRecord('B', { otherIdentifiers: ['A'] })],
      ['its identifier is another’s uuid', a => aRecord('B', { otherIdentifiers: [a.uuid] })],
      ['its identifier is another’s identifier', () => aRecord('B', { otherIdentifiers: ['free', 'other-a'] })]
    ]
    for (const [what, make] of taken) {
      it(`throws identifier_taken when ${what}`, async t => {
        const store = await openNew(t)
        const a = aRecord('A', { otherIdentifiers: ['other-a'] })
        await write(store, insert(a))
        const error = await rejects(write(store, insert(make(a))), 'identifier_taken')
        assert.equal(error.about?.[0], 'identifier')
        assert.ok(['A', a.uuid, 'other-a'].includes(error.about?.[1] ?? ''))
        assert.deepEqual(await idsWhere(store, everything), ['A'])
        assert.equal(await store.findEntity('free'), undefined)
      })
    }

    it('throws identifier_taken when an update takes what another has, or two of one unit want the same', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')), insert(aRecord('B')))
      const b = await contentIn(store, 'B')
      await rejects(write(store, update(b, { otherIdentifiers: ['A'] })), 'identifier_taken')
      const wanting = ['X', 'Y'].map(id => insert(aRecord(id, { otherIdentifiers: ['same'] })))
      await rejects(write(store, ...wanting), 'identifier_taken')
      assert.equal((await readIn(store, 'B')).version, 1)
    })

    it('writes many in one unit in their order, and none of them when one name among them is taken', async t => {
      const store = await openNew(t)
      const many = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) =>
          aRecord(`M${from + index}`, { otherIdentifiers: [`other-${from + index}`] })
        )
      const first = many(0, 70)
      // One of them is changed in the middle: what follows is numbered after that change.
      const [early = aRecord('M0')] = first
      await write(
        store,
        ...first.slice(0, 40).map(insert),
        update(early, { metadata: metadata({ title: 'Changed' }) }),
        ...first.slice(40).map(insert)
      )
      const ids = first.map(each => each.id)
      assert.deepEqual(idsIn(await store.ask({ ...wholeList, limit: 100 })), ids)
      const { changes } = await store.readChanges({ after: 0, limit: 100, readableTypes: undefined })
      assert.deepEqual(
        changes.map(each => [each.sequence, each.id]),
        [...ids.slice(0, 40), 'M0', ...ids.slice(40)].map((id, index) => [index + 1, id])
      )
      const wanting = many(100, 150)
      wanting[37] = aRecord('M137', { otherIdentifiers: ['other-12'] })
      const error = await rejects(write(store, ...wanting.map(insert)), 'identifier_taken')
      assert.deepEqual(error.about, ['identifier', 'other-12'])
      assert.equal(await store.findEntity('M100'), undefined)
      assert.equal((await store.findEntity('other-12'))?.id, 'M12')
      await write(store, insert(aRecord('M100')))
      assert.equal(idsIn(await store.ask({ ...wholeList, limit: 100 })).at(-1), 'M100')
    })

    it('throws version_mismatch when an entity has another version than expected, and says which', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')))
      await write(store, await changeOf(store, 'A', { metadata: [] }))
      const a = await contentIn(store, 'A')
      for (const expected of [1, 3]) {
        const updating = await rejects(
          write(store, update(a, { metadata: metadata({ title: 'x' }) }, expected)),
          'version_mismatch'
        )
        assert.equal(updating.extra.current_version, 2)
        await rejects(write(store, remove('A', expected)), 'version_mismatch')
      }
      assert.equal((await readIn(store, 'A')).version, 2)
    })

    it('throws version_mismatch when the entity is gone', async t => {
      const store = await openNew(t)
      const content = aRecord('A')
      await write(store, insert(content))
      await write(store, remove('A', 1))
      await rejects(write(store, update(content, {}, 1)), 'version_mismatch')
      await rejects(write(store, remove('A', 1)), 'version_mismatch')
      await rejects(write(store, remove('NEVER', 1)), 'version_mismatch')
    })

    it('throws invalid when a new relation points to nothing, naming each', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')))
      const lost = aRecord('B', { relations: relations({ refOther: ['NOBODY', 'A', 'NO-ONE'] }) })
      const alone = await rejects(write(store, insert(lost)), 'invalid')
      assert.deepEqual(
        alone.faults.map(fault => fault.pointer),
        ['/relations/0/key', '/relations/2/key']
      )
      assert.match(alone.faults[0]?.message ?? '', /"NOBODY"/)
      const among = await rejects(write(store, insert(aRecord('C')), insert(lost)), 'invalid')
      assert.deepEqual(
        among.faults.map(fault => fault.pointer),
        ['/1/relations/0/key', '/1/relations/2/key']
      )
      const a = await contentIn(store, 'A')
      await rejects(write(store, update(a, { relations: relations({ refOther: 'NOBODY' }) })), 'invalid')
    })

    it('lets relations point to any identifier, to the entity itself, and to what the same unit creates, in any order', async t => {
      const store = await openNew(t)
      const a = aRecord('A', { otherIdentifiers: ['other-a'] })
      await write(store, insert(a))
      await write(
        store,
        insert(aRecord('B', { relations: relations({ refOther: ['C', 'B', 'other-a', a.uuid] }) })),
        insert(aRecord('C', { relations: relations({ refOther: 'B' }) }))
      )
      assert.equal((await readIn(store, 'B')).relations.length, 4)
    })

    it('lets a relation point to nothing when asked to, and stay so through later changes', async t => {
      const store = await openNew(t)
      const dangling = aRecord('A', { relations: relations({ refOther: 'LATER' }) })
      await store.write({ writes: [insert(dangling)], by: 'test', allowDangling: true })
      // It was there before, so an ordinary change may keep it …
      await write(store, await changeOf(store, 'A', { metadata: metadata({ title: 'x' }) }))
      await write(store, await changeOf(store, 'A', { relations: relations({ refElse: 'LATER' }) }))
      // … and what comes to exist is pointed to.
      await write(store, insert(aRecord('LATER')))
      assert.deepEqual(
        (await store.findReferences(pointingTo('LATER'))).references.map(each => [each.id, each.relationType]),
        [['A', 'refElse']]
      )
      await rejects(write(store, remove('LATER', 1)), 'still_referenced')
    })

    it('throws still_referenced when something points to a deleted entity, by whichever identifier, and says what', async t => {
      const store = await openNew(t)
      const a = aRecord('A', { type: 'venue', otherIdentifiers: ['other-a'] })
      await write(store, insert(a))
      await write(
        store,
        insert(aRecord('B', { relations: relations({ refVenues: 'other-a' }) })),
        insert(aRecord('C', { relations: relations({ refOther: a.uuid }) }))
      )
      const error = await rejects(write(store, remove('A', 1)), 'still_referenced')
      assert.deepEqual(error.about, ['id', 'A'])
      const references = error.extra.references as { id: string; type: string }[]
      assert.deepEqual(
        references.map(each => [each.id, each.type]),
        [
          ['B', 'production'],
          ['C', 'production']
        ]
      )
      assert.ok(await store.findEntity('A'))
    })

    it('looks at references after the whole unit: what lets go of the entity, or goes with it, does not hold it', async t => {
      const store = await openNew(t)
      const pointing = (id: string, key: string) => insert(aRecord(id, { relations: relations({ refOther: key }) }))
      await write(store, insert(aRecord('A')), pointing('B', 'A'), pointing('C', 'A'), pointing('SELF', 'SELF'))
      const letGo = await changeOf(store, 'B', { relations: [] })
      await rejects(write(store, remove('A', 1), letGo), 'still_referenced')
      await write(store, remove('A', 1), letGo, remove('C', 1), remove('SELF', 1))
      assert.deepEqual(await idsWhere(store, everything), ['B'])

      await write(store, insert(aRecord('D')))
      await rejects(write(store, remove('D', 1), pointing('E', 'D')), ['still_referenced', 'invalid'])
      assert.ok(await store.findEntity('D'))
    })

    it('moves identifiers from one entity to another in one unit', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A', { otherIdentifiers: ['shared', 'mine'] })), insert(aRecord('B')))
      await write(
        store,
        await changeOf(store, 'A', { otherIdentifiers: ['mine'] }),
        await changeOf(store, 'B', { otherIdentifiers: ['shared'] })
      )
      assert.equal((await store.findEntity('shared'))?.id, 'B')
      assert.equal((await store.findEntity('mine'))?.id, 'A')

      // All that a deleted entity answered to may go to another: so old names go on working after a
      // merge.
      const a = await contentIn(store, 'A')
      const b = await contentIn(store, 'B')
      await write(store, remove('A', 2), update(b, { otherIdentifiers: ['shared', 'mine', 'A', a.uuid] }, 2))
      for (const identifier of ['A', a.uuid, 'mine', 'shared', 'B'])
        assert.equal((await store.findEntity(identifier))?.id, 'B', identifier)
      assert.deepEqual(await problemsIn(store), [])
    })
  })

  describe(`${name} store: answering questions`, () => {
    it('gives the entities of a filter, how many there are in all, and whether more follow', async t => {
      const store = await openNew(t)
      await write(
        store,
        ...['A', 'B', 'C', 'D'].map(id => insert(aRecord(id, { metadata: metadata({ title: id < 'D' ? 'x' : 'y' }) })))
      )
      const answer = await store.ask({ ...wholeList, filter: titleIs('x'), limit: 2, counted: true })
      assert.deepEqual(idsIn(answer), ['A', 'B'])
      assert.equal(answer.count, 3)
      assert.equal(answer.hasMore, true)
      assert.deepEqual({ ...answer.entities[0] }, { ...(await store.findEntity('A')) })
      const rest = await store.ask({ ...wholeList, filter: titleIs('x'), skip: 2, limit: 2, counted: true })
      assert.deepEqual([idsIn(rest), rest.count, rest.hasMore], [['C'], 3, false])
      const uncounted = await store.ask({ ...wholeList, filter: titleIs('x'), limit: 2, counted: false })
      assert.equal(uncounted.count, 0)
    })

    it('gives only the count for a limit of 0, and nothing when nothing matches', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')), insert(aRecord('B')))
      const { count, entities, first, last } = await store.ask({ ...wholeList, limit: 0, counted: true })
      assert.deepEqual([count, entities.length, first, last], [2, 0, undefined, undefined])
      const none = await store.ask({ ...wholeList, filter: titleIs('nothing'), counted: true })
      assert.deepEqual(
        [none.count, none.entities.length, none.hasMore, none.first, none.last],
        [0, 0, false, undefined, undefined]
      )
    })

    it('looks only among the readable types', async t => {
      const store = await openNew(t)
      await write(
        store,
        insert(aRecord('A')),
        insert(aRecord('V', { type: 'venue' })),
        insert(aRecord('W', { type: 'work_word' }))
      )
      const among = async (readableTypes: string[]) => {
        const answer = await store.ask({ ...wholeList, readableTypes, counted: true })
        assert.equal(answer.count, answer.entities.length)
        return idsIn(answer)
      }
      assert.deepEqual(await among(['venue']), ['V'])
      assert.deepEqual(await among(['work_word', 'production']), ['A', 'W'])
      assert.deepEqual(await among([]), [])
      const notThis: Question = { ...wholeList, filter: { kind: 'not', of: titleIs('x') }, readableTypes: ['venue'] }
      assert.deepEqual(idsIn(await store.ask(notThis)), ['V'])
    })

    it('visits each record that stays exactly once, however others write meanwhile', async t => {
      const store = await openNew(t)
      const staying = Array.from({ length: 30 }, (_, n) => `S-${n}`)
      const title = (n: number) => metadata(n % 5 === 0 ? {} : { title: `t${n % 7}` })
      for (const [n, id] of staying.entries()) {
        await write(
          store,
          insert(aRecord(id, { metadata: title(n) })),
          insert(aRecord(`LEAVING-${n}`, { metadata: title(n) }))
        )
      }
      for (const items of [
        [{ by: 'created' }],
        [{ by: 'id' }],
        [{ by: 'metadata', key: 'title' }]
      ] satisfies OrderItem[][]) {
        const seen: string[] = []
        let position: Position | undefined
        for (let page = 0; ; page++) {
          const answer: Answer = await store.ask({
            ...wholeList,
            order: { items, ascending: true },
            limit: 7,
            ...(position ? { from: { position, backwards: false } } : {})
          })
          seen.push(...idsIn(answer).filter(id => id.startsWith('S-')))
          position = answer.last
          if (!answer.hasMore || !position) break
          // Somebody adds one at either end of the order, and takes one away that was just seen:
          // the place to go on from.
          await write(
            store,
            insert(aRecord(`${items[0]?.by}-${page}`, { metadata: metadata({ title: page % 2 ? 'a' : 'z' }) }))
          )
          const leaving = idsIn(answer).findLast(id => id.startsWith('LEAVING-'))
          if (leaving)
            await write(store, remove(leaving, 1), insert(aRecord(leaving, { metadata: metadata({ title: 'zz' }) })))
        }
        assert.equal(seen.length, staying.length)
        assert.deepEqual([...seen].sort(), [...staying].sort())
      }
    })

    it('stops a question that passes the deadline with query_timeout, and goes on answering', async t => {
      const database = newDatabase(t)
      const store = await database.open({ queryDeadline: 60, readers: 1, poolSize: 1 })
      const ids = Array.from({ length: 4000 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id, { metadata: [] }))))
      // No index helps to find what an id contains.
      const folded = Array.from({ length: 500 }, (_, n) => `no such text ${n}`)
      const costly: Question = {
        ...wholeList,
        filter: { kind: 'field', path: { kind: 'id' }, test: { kind: 'contains', folded } },
        counted: true
      }
      const onlyThird = { ...wholeList, filter: { kind: 'identifiers', identifiers: ['P-3'] }, limit: 1 } as const
      /**
       * What waits for a connection, or for a thread, has less time; on a busy machine that alone
       * may take too long.
       */
      const askThird = async (): Promise<string[]> => {
        for (let tries = 0; ; tries++) {
          const answer = await store.ask(onlyThird).catch(error => void (tries < 50 || assert.fail(error)))
          if (answer) return idsIn(answer)
          await sleep(20)
        }
      }
      await askThird()
      for (let times = 0; times < 3; times++) {
        const error = await rejects(store.ask(costly), 'query_timeout')
        assert.match(error.message, /60 ms/)
        assert.equal((await store.findEntity('P-7'))?.id, 'P-7')
        assert.deepEqual(await askThird(), ['P-3'])
        await write(store, insert(aRecord(`NEW-${times}`)))
      }
      // Of many at once, those whose turn does not come in time are told so: what they wait is part
      // of their deadline.
      const asked = Array.from({ length: 150 }, () => rejects(store.ask(costly), 'query_timeout'))
      const [first = '', ...others] = (await Promise.all(asked)).map(error => error.message)
      assert.match(first, /60 ms/)
      assert.doesNotMatch(first, /no turn/)
      assert.ok(others.some(message => /no turn came within 60 ms/.test(message)))
      assert.deepEqual(await askThird(), ['P-3'])
      const patient = await database.open({ queryDeadline: 60_000 })
      assert.equal((await patient.ask(costly)).count, 0)
    })

    it('holds queries to another deadline from the moment it is set', async t => {
      const store = await openNew(t, { queryDeadline: 600_000, readers: 1 })
      await write(store, insert(aRecord('P-1')))
      assert.deepEqual(idsIn(await store.ask(wholeList)), ['P-1'])
      // So short that nothing is answered in time.
      store.setQueryDeadline(0)
      await rejects(store.ask(wholeList), 'query_timeout')
      store.setQueryDeadline(600_000)
      assert.deepEqual(idsIn(await store.ask(wholeList)), ['P-1'])
    })

    it('answers many questions at once, each its own', async t => {
      const store = await openNew(t, { readers: 2 })
      const ids = Array.from({ length: 40 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id, { metadata: metadata({ title: id }) }))))
      const answers = await Promise.all(ids.map(id => idsWhere(store, titleIs(id))))
      assert.deepEqual(
        answers,
        ids.map(id => [id])
      )
    })
  })

  describe(`${name} store: orders`, () => {
    let store: Store
    const cleanUps: (() => void | Promise<void>)[] = []
    before(async () => {
      store = await openNew({ after: cleanUp => cleanUps.unshift(cleanUp) })
      await fillForOrders(store)
    })
    after(async () => {
      for (const cleanUp of cleanUps) await cleanUp()
    })

    for (const [title, items, ascending, expected] of orders) {
      it(`keeps the order by ${title}, forwards, backwards, and from any place`, async () => {
        const order: Order = { items, ascending }
        const whole = await store.ask({ ...wholeList, order, counted: true })
        assert.deepEqual(idsIn(whole), expected)
        for (const limit of [1, 3, 8]) {
          assert.deepEqual(await walk(store, order, limit, false), expected, `pages of ${limit}`)
          assert.deepEqual(await walk(store, order, limit, true), expected, `pages of ${limit}, backwards`)
        }
        for (let skip = 0; skip <= expected.length; skip++) {
          const answer = await store.ask({ ...wholeList, order, skip, limit: 3, counted: true })
          assert.deepEqual(idsIn(answer), expected.slice(skip, skip + 3), `skip ${skip}`)
          assert.equal(answer.count, expected.length)
          assert.equal(answer.hasMore, skip + 3 < expected.length)
        }
        for (const [index, id] of expected.entries()) {
          const { last } = await store.ask({ ...wholeList, order, skip: index, limit: 1 })
          if (!last) throw new Error(`${id} has no position`)
          const after = await store.ask({
            ...wholeList,
            order,
            limit: 3,
            from: { position: last, backwards: false },
            counted: true
          })
          assert.deepEqual(idsIn(after), expected.slice(index + 1, index + 4), `after ${id}`)
          assert.equal(after.count, expected.length)
          assert.equal(after.hasMore, index + 4 < expected.length)
          const before = await store.ask({ ...wholeList, order, limit: 3, from: { position: last, backwards: true } })
          assert.deepEqual(idsIn(before), expected.slice(Math.max(0, index - 3), index), `before ${id}`)
          assert.equal(before.hasMore, index > 3)
        }
      })
    }
  })

  describe(`${name} store: references`, () => {
    it('lists who points to an entity, by any of its identifiers, in the order of creation', async t => {
      const store = await openNew(t)
      const target = aRecord('T', { otherIdentifiers: ['other-t'] })
      await write(store, insert(target), insert(aRecord('ELSE')))
      await write(store, insert(aRecord('Z', { relations: relations({ refOther: ['ELSE', 'T'] }) })))
      await write(
        store,
        insert(aRecord('B', { type: 'performance', relations: relations({ refProduction: 'other-t', refOther: 'T' }) }))
      )
      await write(store, insert(aRecord('A', { relations: relations({ refOther: target.uuid }) })))
      // A later change does not move it.
      await write(store, await changeOf(store, 'Z', { metadata: metadata({ title: 'changed' }) }))

      for (const id of ['T', 'other-t', target.uuid]) {
        const { count, countByType, references } = await store.findReferences(pointingTo(id))
        assert.equal(count, 4)
        assert.deepEqual(countByType, { refOther: 3, refProduction: 1 })
        assert.deepEqual(
          references.map(each => ({ ...each })),
          [
            { id: 'Z', type: 'production', relationType: 'refOther' },
            { id: 'B', type: 'performance', relationType: 'refProduction' },
            { id: 'B', type: 'performance', relationType: 'refOther' },
            { id: 'A', type: 'production', relationType: 'refOther' }
          ]
        )
      }
      assert.deepEqual(await store.findReferences(pointingTo('NOBODY')), { count: 0, countByType: {}, references: [] })
    })

    it('narrows them by relation type and readable types, and gives a part with the whole count', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('T')))
      const types = ['production', 'performance', 'production', 'performance', 'production']
      await write(
        store,
        ...types.map((type, n) =>
          insert(aRecord(`R-${n}`, { type, relations: relations({ [n < 3 ? 'refA' : 'refB']: 'T' }) }))
        )
      )
      const find = async (given: object) => {
        const { count, references } = await store.findReferences({ ...pointingTo('T'), ...given })
        return [count, ...references.map(each => each.id)]
      }
      assert.deepEqual(await find({ relationTypes: ['refB'] }), [2, 'R-3', 'R-4'])
      assert.deepEqual(await find({ relationTypes: ['refB', 'refA'] }), [5, 'R-0', 'R-1', 'R-2', 'R-3', 'R-4'])
      assert.deepEqual(await find({ relationTypes: ['refNone'] }), [0])
      assert.deepEqual(await find({ readableTypes: ['performance'] }), [2, 'R-1', 'R-3'])
      assert.deepEqual(await find({ readableTypes: [] }), [0])
      assert.deepEqual(await find({ relationTypes: ['refA'], readableTypes: ['production'] }), [2, 'R-0', 'R-2'])
      assert.deepEqual(await find({ skip: 1, limit: 2 }), [5, 'R-1', 'R-2'])
      assert.deepEqual(await find({ skip: 4, limit: 2 }), [5, 'R-4'])
      assert.deepEqual(await find({ limit: 0 }), [5])
    })
  })

  describe(`${name} store: growth`, () => {
    it('counts what there is by month of creation and type, for whom it is counted', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      const records = [
        ['A', 'production', '2025-12-31T23:59:59.999Z'],
        ['B', 'production', '2026-01-01T00:00:00.000Z'],
        ['C', 'production', '2026-01-31T12:00:00.000Z'],
        ['D', 'venue', '2026-01-15T12:00:00.000Z'],
        ['E', 'venue', '2026-01-15T12:00:00.000Z']
      ] as const
      for (const [id, type] of records) await write(store, insert(aRecord(id, { type })))
      for (const [id, , at] of records)
        await database.alter(`UPDATE entities SET created_at = '${at}' WHERE id = '${id}'`)
      await write(store, remove('E', 1))
      const growth = (readableTypes?: readonly string[]) => store.countGrowth({ readableTypes })
      const production = [
        { month: '2025-12', type: 'production', count: 1 },
        { month: '2026-01', type: 'production', count: 2 }
      ]
      assert.deepEqual(await growth(), [...production, { month: '2026-01', type: 'venue', count: 1 }])
      assert.deepEqual(await growth(['production', 'person']), production)
      assert.deepEqual(await growth([]), [])
    })
  })

  describe(`${name} store: freshness`, () => {
    it('shows an answered write to every read that begins after the answer, here and in another store on the same database', async t => {
      const database = newDatabase(t)
      const stores = [await database.open(), await database.open()]
      const [writing] = stores
      if (!writing) throw new Error('There is no store to write to')
      await write(writing, insert(aRecord('T')))
      for (let round = 1; round <= 60; round++) {
        const id = `R-${round}`
        const content = aRecord(id, {
          metadata: metadata({ title: `r${round}` }),
          relations: relations({ refOther: 'T' })
        })
        await write(writing, insert(content))
        for (const store of stores) {
          assert.equal((await store.findEntity(id))?.version, 1)
          assert.equal((await store.findEntities([id, 'T'])).size, 2)
          assert.equal((await store.identify([content.uuid])).get(content.uuid)?.id, id)
          assert.deepEqual(await idsWhere(store, titleIs(`r${round}`)), [id])
          assert.equal((await store.findReferences(pointingTo('T'))).count, round)
          assert.equal(await store.isNew(), false)
        }
        await write(
          writing,
          update(content, { metadata: metadata({ title: `changed${round}` }), relations: content.relations }, 1)
        )
        for (const store of stores) {
          assert.equal((await store.findEntity(id))?.version, 2)
          assert.deepEqual(await idsWhere(store, titleIs(`r${round}`)), [])
          assert.deepEqual(await idsWhere(store, titleIs(`changed${round}`)), [id])
        }
      }
    })

    it('lets two stores on one database write at the same time', async t => {
      const database = newDatabase(t)
      const stores = [await database.open(), await database.open()]
      await Promise.all(
        stores.flatMap((store, which) =>
          Array.from({ length: 60 }, (_, n) => write(store, insert(aRecord(`S${which}-${n}`))))
        )
      )
      for (const store of stores) assert.equal((await store.ask({ ...wholeList, counted: true })).count, 120)
    })

    it('writes what is sound of units that come at once, wherever among them one is refused or only tried', async t => {
      const store = await newDatabase(t).open()
      await write(store, insert(aRecord('A')))
      const refused = () => store.write({ writes: [insert(aRecord('R')), insert(aRecord('A'))], by: 'test' })
      const tried = () => store.write({ writes: [insert(aRecord('T'))], by: 'test', dryRun: true })
      const sound = (id: string) => () => store.write({ writes: [insert(aRecord(id))], by: 'test' })
      const orders = [
        [refused, sound('B1'), tried, sound('B2')],
        [tried, sound('C1'), refused, sound('C2'), refused],
        [sound('D1'), refused, tried, sound('D2'), tried]
      ]
      for (const order of orders) {
        // Nobody waits for the first, so it is the first of a group.
        const outcomes = await Promise.allSettled(order.map(ask => ask()))
        assert.deepEqual(
          outcomes.map(each => each.status),
          order.map(ask => (ask === refused ? 'rejected' : 'fulfilled'))
        )
      }
      const there = (await store.ask({ ...wholeList, counted: true })).entities.map(each => each.id)
      assert.deepEqual(there.sort(), ['A', 'B1', 'B2', 'C1', 'C2', 'D1', 'D2'])
      assert.deepEqual(await store.check(), { ok: true, entities: 7, problems: [] })
    })

    it('tells which entities changed since it was last asked, by any process', async t => {
      const database = newDatabase(t)
      const here = await database.open()
      const there = await database.open()
      const changes = async (store: Store) => {
        const changed = await store.changedSinceLastAsked()
        return changed === 'all' ? changed : [...new Set(changed)].sort()
      }
      assert.deepEqual(await changes(here), [])
      await write(here, insert(aRecord('A')), insert(aRecord('B')))
      assert.deepEqual(await changes(here), ['A', 'B'])
      assert.deepEqual(await changes(here), [])
      await write(there, await changeOf(there, 'A', { metadata: [] }))
      await write(there, remove('B', 1))
      assert.deepEqual(await changes(here), ['A', 'B'])
      assert.deepEqual(await changes(here), [])
      assert.deepEqual(await changes(there), ['A', 'B'])
      await write(here, insert(aRecord('C')))
      assert.deepEqual(await changes(there), ['C'])
      assert.deepEqual(await changes(here), ['C'])
      // A refused write is no change, nor is a token.
      await rejects(write(there, insert(aRecord('C'))), 'identifier_taken')
      await there.insertToken(aToken())
      assert.deepEqual(await changes(here), [])
      const late = await database.open()
      assert.deepEqual(await changes(late), [])
    })

    it('tells every one of very many changes, or that they cannot be told', async t => {
      const store = await openNew(t)
      const ids = Array.from({ length: 10_050 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id, { metadata: [] }))))
      const changed = await store.changedSinceLastAsked()
      if (changed !== 'all') assert.deepEqual([...new Set(changed)].sort(), [...ids].sort())
      await write(store, remove('P-1', 1))
      assert.deepEqual(await store.changedSinceLastAsked(), ['P-1'])
    })

    it('is new until the first entity is written, and never again', async t => {
      const store = await openNew(t)
      assert.equal(await store.isNew(), true)
      await store.insertToken(aToken())
      await store.write({ writes: [insert(aRecord('A'))], by: 'test', dryRun: true })
      assert.equal(await store.isNew(), true)
      await write(store, insert(aRecord('A')))
      await write(store, remove('A', 1))
      assert.equal(await store.isNew(), false)
    })

    it('is not new, nor damaged, when its changes were forgotten', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      await write(store, insert(aRecord('A')), insert(aRecord('B')))
      await store.changedSinceLastAsked()
      assert.equal(await store.forgetChanges('9999-12-31T23:59:59.999Z'), 2)
      assert.equal(await store.isNew(), false)
      assert.deepEqual(await store.changedSinceLastAsked(), [])
      assert.deepEqual(await store.check(), { ok: true, entities: 2, problems: [] })
      const again = await database.open()
      assert.equal(await again.isNew(), false)
      await write(store, insert(aRecord('C')))
      assert.deepEqual(await again.changedSinceLastAsked(), ['C'])
      assert.deepEqual(await problemsIn(again), [])
    })

    it('keeps everything when it is closed and opened again', async t => {
      const database = newDatabase(t)
      let before: string[]
      {
        await using store = await database.open()
        await write(store, insert(aRecord('A', { otherIdentifiers: ['other-a'] })), insert(aRecord('B')))
        await write(store, remove('B', 1))
        await store.insertToken(aToken())
        before = await everythingIn(store)
      }
      const store = await database.open()
      assert.deepEqual(await everythingIn(store), before)
      assert.equal((await store.findEntity('other-a'))?.id, 'A')
      assert.equal((await store.listTokens()).length, 1)
      assert.deepEqual(await problemsIn(store), [])
    })

    it('still answers what was asked before it is closed', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      const writing = Array.from({ length: 50 }, (_, n) => write(store, insert(aRecord(`P-${n}`))))
      const asking = store.ask(wholeList)
      await store[Symbol.asyncDispose]()
      await Promise.all([...writing, asking])
      const again = await database.open()
      assert.equal((await again.ask({ ...wholeList, counted: true })).count, 50)
    })
  })

  describe(`${name} store: tokens`, () => {
    it('finds a token by its hash, as it was given', async t => {
      const store = await openNew(t)
      const tokens = [
        aToken({ scopes: ['read:manifestation', 'write'], expiresAt: '2030-01-01T00:00:00.000Z' }),
        aToken({ name: 'Kiosk “twee”', scopes: [] })
      ]
      for (const token of tokens) await store.insertToken(token)
      for (const token of tokens) assert.deepEqual({ ...(await store.findToken(token.hash)) }, token)
      assert.equal(await store.findToken('nobody'), undefined)
      const [first] = tokens
      assert.equal(await store.findToken(first?.hash.toUpperCase() ?? ''), undefined)
    })

    it('lists all of them, and says of a deletion whether there was one', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      const elsewhere = await database.open()
      assert.deepEqual(await store.listTokens(), [])
      const [a, b] = [
        aToken({ createdAt: '2026-01-02T00:00:00.000Z' }),
        aToken({ createdAt: '2026-01-01T00:00:00.000Z' })
      ]
      await store.insertToken(a)
      await store.insertToken(b)
      assert.deepEqual((await elsewhere.listTokens()).map(token => token.id).sort(), [a.id, b.id].sort())
      assert.equal(await store.deleteToken(a.id), true)
      assert.equal(await store.deleteToken(a.id), false)
      assert.equal(await elsewhere.findToken(a.hash), undefined)
      assert.deepEqual(
        (await elsewhere.listTokens()).map(token => token.id),
        [b.id]
      )
    })
  })

  describe(`${name} store: checking itself`, () => {
    it('finds nothing wrong after every kind of write, and counts the entities', async t => {
      const store = await openNew(t)
      assert.deepEqual(await store.check(), { ok: true, entities: 0, problems: [] })
      await fillForOrders(store)
      await write(
        store,
        insert(aRecord('T', { otherIdentifiers: ['t1', 't2'] })),
        insert(aRecord('R', { relations: relations({ refOther: ['T', 't1'] }) }))
      )
      await write(
        store,
        await changeOf(store, 'R', {
          relations: relations({ refElse: 't2' }),
          metadata: metadata({ isbn: ['9789025701', 'x'] })
        })
      )
      await store.write({
        writes: [insert(aRecord('LOST', { relations: relations({ refOther: 'NOBODY' }) }))],
        by: 'test',
        allowDangling: true
      })
      await write(store, remove('LOST', 1))
      assert.deepEqual(await store.check(), { ok: true, entities: 10, problems: [] })
    })
  })

  describe(`${name} store: the order of answers`, () => {
    it('gives what was asked for by identifiers in the order asked for', async t => {
      const store = await openNew(t)
      const ids = Array.from({ length: 300 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id))))
      const asked = [...ids].sort().reverse()
      assert.deepEqual([...(await store.findEntities(['none', ...asked, 'P-3'])).keys()], asked)
      assert.deepEqual([...(await store.identify([...asked, 'none'])).keys()], asked)
    })
  })

  describe(`${name} store: history`, () => {
    it('has every version of an entity, newest first, with who, when, and the change that made it', async t => {
      const store = await openNew(t)
      const a = aRecord('A', { otherIdentifiers: ['other-a'] })
      await write(store, insert(a))
      await store.write({ writes: [update(a, { metadata: metadata({ title: 'B' }) })], by: 'somebody' })
      await write(store, remove('A', 2))
      for (const identifier of ['A', a.uuid, 'other-a']) {
        const history = await store.findHistory(identifier, 0, 10)
        assert.deepEqual([history?.id, history?.uuid, history?.type, history?.count], ['A', a.uuid, 'production', 3])
        assert.deepEqual(
          history?.versions.map(each => [each.version, each.by, each.sequence, titleOf(each.json), each.mergedInto]),
          [
            [3, 'test', 3, undefined, null],
            [2, 'somebody', 2, 'B', null],
            [1, 'test', 1, 'A', null]
          ]
        )
      }
      assert.equal(await store.findHistory('nobody', 0, 10), undefined)
    })

    it('gives a page of it, and one version more to compare with', async t => {
      const store = await openNew(t)
      await writeVersions(store, 'A', 6)
      const page = async (skip: number, limit: number) =>
        (await store.findHistory('A', skip, limit))?.versions.map(each => each.version)
      assert.deepEqual(await page(0, 2), [6, 5, 4])
      assert.deepEqual(await page(4, 2), [2, 1])
      assert.deepEqual(await page(9, 2), [])
      assert.equal((await store.findHistory('A', 9, 2))?.count, 6)
    })

    it('finds one version by any identifier, deleted ones too, and by the uuid of a merged one', async t => {
      const store = await openNew(t)
      const [a, b] = await twoRecords(store)
      await merge(store, 'A', 'B')
      // The names of B lead to A now; its uuid alone still tells its own versions.
      assert.equal((await store.findVersion('B', 1))?.json, (await store.findVersion('A', 1))?.json)
      assert.equal(titleOf((await store.findVersionByUuid(b.uuid, 1))?.json), 'B')
      assert.deepEqual(pick(await store.findVersionByUuid(b.uuid, 2)), [2, null, 'A'])
      assert.equal(titleOf((await store.findVersionByUuid(a.uuid, 1))?.json), 'A')
      assert.equal(await store.findVersionByUuid(b.uuid, 3), undefined)
      assert.equal(await store.findVersion('A', 9), undefined)
      assert.equal(await store.findVersion('nobody', 1), undefined)
    })

    it('knows an id that was used again as what has it now, else as what had it last', async t => {
      const store = await openNew(t)
      const [first, second] = [aRecord('A'), aRecord('A', { type: 'venue', metadata: metadata({ name: 'x' }) })]
      await write(store, insert(first))
      await write(store, remove('A', 1))
      assert.deepEqual([...(await store.identifyDeleted(['A', 'B']))], [['A', { id: 'A', type: 'production' }]])
      await write(store, insert(second))
      assert.equal((await store.findHistory('A', 0, 9))?.uuid, second.uuid)
      await write(store, remove('A', 1))
      assert.equal((await store.findHistory('A', 0, 9))?.uuid, second.uuid)
      assert.equal((await store.findHistory(first.uuid, 0, 9))?.count, 2)
      assert.deepEqual((await store.identifyDeleted(['A'])).get('A'), { id: 'A', type: 'venue' })
    })

    it('goes on with the versions of an entity that is brought back, in its old place', async t => {
      const store = await openNew(t)
      const [a] = await twoRecords(store)
      const { audit } = await readIn(store, 'A')
      await write(store, remove('A', 1))
      const restore: EntityWrite = { kind: 'restore', content: a, expectedVersion: 2, created: audit.created }
      await write(store, restore)
      const back = await readIn(store, 'A')
      assert.deepEqual([back.version, back.audit.created], [3, audit.created])
      assert.deepEqual(idsIn(await store.ask(wholeList)), ['A', 'B'])
      await rejects(write(store, restore), ['version_mismatch', 'identifier_taken'])
    })

    it('tells which change was the last at a moment, also when changes were forgotten', async t => {
      const store = await openNew(t)
      const start = await moment()
      await write(store, insert(aRecord('A')), insert(aRecord('B')))
      const between = await moment()
      await write(store, insert(aRecord('C')))
      const end = await moment()
      const all = async () =>
        Promise.all([start, between, end, '9999-12-31T23:59:59.999Z'].map(at => store.sequenceAt(at)))
      assert.deepEqual(await all(), [0, 2, 3, 3])
      await store.forgetChanges(between)
      assert.deepEqual(await all(), [0, 2, 3, 3])
      await store.forgetChanges(end)
      assert.deepEqual(await all(), [0, 2, 3, 3])
    })

    it('finds entities as they were after a change, by the names they had then', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A', { otherIdentifiers: ['name'] })))
      await write(store, await changeOf(store, 'A', { metadata: metadata({ title: 'A2' }), otherIdentifiers: [] }))
      await write(store, insert(aRecord('B', { otherIdentifiers: ['name'] })))
      await write(store, remove('A', 2))
      await write(store, insert(aRecord('A', { metadata: metadata({ title: 'another A' }) })))
      const at = async (sequence: number) =>
        [...(await store.findEntitiesAt(['A', 'name', 'B', 'nobody'], sequence))].map(([asked, { id, json }]) => [
          asked,
          id,
          titleOf(json)
        ])
      assert.deepEqual(await at(0), [])
      assert.deepEqual(await at(1), [
        ['A', 'A', 'A'],
        ['name', 'A', 'A']
      ])
      assert.deepEqual(await at(2), [['A', 'A', 'A2']])
      assert.deepEqual((await at(3)).slice(1), [
        ['name', 'B', 'B'],
        ['B', 'B', 'B']
      ])
      assert.deepEqual((await at(4))[0], ['name', 'B', 'B'])
      assert.deepEqual((await at(5))[0], ['A', 'A', 'another A'])
    })
  })

  describe(`${name} store: merges`, () => {
    it('finds the newest merge into an entity, with what it wrote, until it is taken back', async t => {
      const store = await openNew(t)
      const [a, b] = await twoRecords(store)
      const c = aRecord('C', { otherIdentifiers: ['other-c'] })
      await write(store, insert(c))
      assert.equal(await store.findMerge('A'), undefined)
      await merge(store, 'A', 'B')
      await merge(store, 'A', 'C')
      const newest = await store.findMerge('A')
      assert.deepEqual([newest?.survivorId, newest?.victimId, newest?.undone], ['A', 'C', null])
      assert.deepEqual(newest?.written, [
        { id: 'C', uuid: c.uuid, version: 2 },
        { id: 'A', uuid: a.uuid, version: 3 }
      ])
      // A victim's name leads to the survivor, and so to its merges.
      assert.equal((await store.findMerge('C'))?.number, newest?.number)
      assert.equal((await store.findMerge('A', 'B'))?.victimId, 'B')
      assert.equal(await store.findMerge('A', 'nobody'), undefined)
      assert.deepEqual(await store.namesMergedInto(a.uuid), [b.uuid, 'B', c.uuid, 'C', 'other-c'])
      assert.deepEqual(await store.namesMergedInto(b.uuid), [])

      const back = await changeOf(store, 'A', { otherIdentifiers: ['B', b.uuid] })
      const number = newest?.number ?? 0
      await store.write({ writes: [back], by: 'test', unmerges: number })
      assert.equal((await store.findMerge('A'))?.victimId, 'B')
      assert.deepEqual(await store.namesMergedInto(a.uuid), [b.uuid, 'B'])
      await rejects(
        store.write({ writes: [await changeOf(store, 'A', {})], by: 'test', unmerges: number }),
        'version_mismatch'
      )
      assert.deepEqual(
        (await store.findMergesOf([c.uuid])).map(each => [each.number, each.undone]),
        [[number, 8]]
      )
      const both = (await store.findMergesOf([a.uuid, c.uuid])).map(each => each.victimId)
      assert.deepEqual(both, ['B', 'C'])
      assert.deepEqual(await store.findMergesOf([randomUUID()]), [])
    })

    it('keeps nothing of a merge that was refused, or only tried', async t => {
      const store = await openNew(t)
      await twoRecords(store)
      await merge(store, 'A', 'B', { dryRun: true })
      await write(store, insert(aRecord('R', { relations: relations({ refOther: 'B' }) })))
      await rejects(
        store.write({
          writes: [remove('B', 1)],
          by: 'test',
          merge: { survivorId: 'A', victimId: 'B' }
        }),
        'still_referenced'
      )
      assert.equal(await store.findMerge('A'), undefined)
    })
  })

  describe(`${name} store: units that happen once`, () => {
    const once = (key: string, fingerprint = 'f') => ({
      scope: 'somebody',
      key,
      fingerprint,
      note: { warnings: ['ü'] }
    })

    it('gives the first outcome again, and does nothing', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      const unit = { writes: [insert(aRecord('A')), insert(aRecord('B'))], by: 'test', once: once('k') }
      assert.equal(await here.findOutcome('somebody', 'k'), undefined)
      const first = await here.write(unit)
      await write(here, await changeOf(here, 'A', { metadata: [] }), remove('B', 1))
      assert.deepEqual(await there.write(unit), first)
      const found = await there.findOutcome('somebody', 'k')
      assert.deepEqual(found, { fingerprint: 'f', outcome: first, note: { warnings: ['ü'] } })
      assert.deepEqual(idsIn(await there.ask(wholeList)), ['A'])
      const removal = { writes: [remove('A', 2)], by: 'test', once: once('gone') }
      assert.deepEqual(await here.write(removal), [undefined])
      assert.deepEqual(await there.write(removal), [undefined])
    })

    it('refuses the key for another unit, and knows it only for whoever chose it', async t => {
      const store = await openNew(t)
      await store.write({ writes: [insert(aRecord('A'))], by: 'test', once: once('k') })
      await rejects(store.write({ writes: [insert(aRecord('B'))], by: 'test', once: once('k', 'other') }), 'key_reused')
      await store.write({ writes: [insert(aRecord('C'))], by: 'test', once: { ...once('k'), scope: 'another' } })
      assert.deepEqual(idsIn(await store.ask(wholeList)), ['A', 'C'])
    })

    it('remembers nothing of a unit that was refused, or only tried', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')))
      await rejects(store.write({ writes: [insert(aRecord('A'))], by: 'test', once: once('k') }), 'identifier_taken')
      await store.write({ writes: [insert(aRecord('B'))], by: 'test', once: once('k'), dryRun: true })
      assert.equal(await store.findOutcome('somebody', 'k'), undefined)
      await store.write({ writes: [insert(aRecord('B'))], by: 'test', once: once('k', 'other') })
      assert.ok(await store.findOutcome('somebody', 'k'))
    })

    it('lets one of many equal units happen that come at once, through two stores', async t => {
      const database = newDatabase(t)
      const stores = [await database.open(), await database.open()]
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, n) => {
          const content = aRecord('A')
          return (stores[n % 2] as Store).write({ writes: [insert(content)], by: 'test', once: once('k') })
        })
      )
      assert.equal(new Set(outcomes.map(([entity]) => entity?.uuid)).size, 1)
      assert.equal((await (stores[0] as Store).feedState()).newest, 1)
    })

    it('forgets a key after a day', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      await store.write({ writes: [insert(aRecord('A'))], by: 'test', once: once('k') })
      const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
      await database.alter(`UPDATE outcomes SET at = '${ago(23.9)}'`)
      assert.ok(await store.findOutcome('somebody', 'k'))
      await database.alter(`UPDATE outcomes SET at = '${ago(24.1)}'`)
      assert.equal(await store.findOutcome('somebody', 'k'), undefined)
      await store.write({ writes: [insert(aRecord('B'))], by: 'test', once: once('k', 'other') })
      assert.equal((await store.findOutcome('somebody', 'k'))?.fingerprint, 'other')
    })
  })

  describe(`${name} store: the change feed`, () => {
    const all = { after: 0, limit: 100, readableTypes: undefined }

    it('tells every change in the order of commits, with the document it left', async t => {
      const store = await openNew(t)
      const [a, b] = await twoRecords(store)
      await write(store, await changeOf(store, 'A', { metadata: metadata({ title: 'A2' }) }))
      await merge(store, 'A', 'B')
      await write(store, remove('A', 3))
      const { changes, upTo } = await store.readChanges(all)
      assert.equal(upTo, 6)
      assert.deepEqual(
        changes.map(each => [
          each.sequence,
          each.kind,
          each.id,
          each.uuid,
          each.version,
          titleOf(each.json),
          each.mergedInto
        ]),
        [
          [1, 'created', 'A', a.uuid, 1, 'A', null],
          [2, 'created', 'B', b.uuid, 1, 'B', null],
          [3, 'updated', 'A', a.uuid, 2, 'A2', null],
          [4, 'merged', 'B', b.uuid, 2, undefined, 'A'],
          [5, 'updated', 'A', a.uuid, 3, 'A2', null],
          [6, 'deleted', 'A', a.uuid, 4, undefined, null]
        ]
      )
      for (const { by, at, type } of changes) {
        assert.deepEqual([by, type], ['test', 'production'])
        assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      }
    })

    it('is read in pages, of some kinds, types and identifiers only, and always says how far it looked', async t => {
      const store = await openNew(t)
      await twoRecords(store)
      await write(store, insert(aRecord('V', { type: 'venue', otherIdentifiers: ['other-v'] })))
      await write(store, await changeOf(store, 'V', { otherIdentifiers: [] }))
      await write(store, remove('V', 2))
      const read = async (question: Partial<Parameters<Store['readChanges']>[0]>) => {
        const { changes, upTo } = await store.readChanges({ ...all, ...question })
        return [changes.map(each => each.sequence), upTo]
      }
      assert.deepEqual(await read({ limit: 2 }), [[1, 2], 2])
      assert.deepEqual(await read({ after: 2, limit: 2 }), [[3, 4], 4])
      assert.deepEqual(await read({ after: 4, limit: 2 }), [[5], 5])
      assert.deepEqual(await read({ after: 5 }), [[], 5])
      assert.deepEqual(await read({ kinds: ['deleted', 'updated'] }), [[4, 5], 5])
      assert.deepEqual(await read({ kinds: [] }), [[], 5])
      assert.deepEqual(await read({ types: ['venue'], limit: 1 }), [[3], 3])
      assert.deepEqual(await read({ types: ['production'] }), [[1, 2], 5])
      assert.deepEqual(await read({ readableTypes: ['production'] }), [[1, 2], 5])
      assert.deepEqual(await read({ readableTypes: [] }), [[], 5])
      // Also by names that it no longer has.
      for (const name of ['V', 'other-v']) assert.deepEqual(await read({ ids: [name] }), [[3, 4, 5], 5])
      assert.deepEqual(await read({ ids: ['A', 'V'], kinds: ['created'] }), [[1, 3], 5])
      assert.deepEqual(await read({ ids: ['nobody'] }), [[], 5])
    })

    it('knows its oldest and newest change, and is the same feed after closing', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      const { epoch, ...empty } = await store.feedState()
      assert.deepEqual(empty, { oldest: 1, newest: 0 })
      assert.match(epoch, /^[0-9a-f]{16}$/)
      await twoRecords(store)
      const between = await moment()
      await write(store, insert(aRecord('C')))
      assert.deepEqual(await store.feedState(), { epoch, oldest: 1, newest: 3 })
      assert.equal(await store.forgetChanges(between), 2)
      assert.equal(await store.forgetChanges(between), 0)
      assert.deepEqual(await store.feedState(), { epoch, oldest: 3, newest: 3 })
      assert.equal(await store.forgetChanges('9999'), 1)
      const again = await database.open()
      assert.deepEqual(await again.feedState(), { epoch, oldest: 4, newest: 3 })
      assert.deepEqual(await again.readChanges({ ...all, after: 3 }), { changes: [], upTo: 3 })
      await write(again, insert(aRecord('D')))
      assert.deepEqual(
        (await store.readChanges({ ...all, after: 3 })).changes.map(each => each.sequence),
        [4]
      )
      assert.equal((await again.findHistory('A', 0, 9))?.count, 1, 'versions stay')
      const other = await openNew(t)
      assert.notEqual((await other.feedState()).epoch, epoch)
    })

    it('shows no change later that a reader has passed, however many stores write', async t => {
      const database = newDatabase(t)
      const stores = await Promise.all([database.open(), database.open(), database.open()])
      const reading = await database.open()
      let isOver = false
      const seen: number[] = []
      const follow = async () => {
        for (let after = 0; ; ) {
          const wasOver = isOver
          const { changes, upTo } = await reading.readChanges({ ...all, after })
          seen.push(...changes.map(each => each.sequence))
          if (wasOver && changes.length === 0) return
          after = upTo
        }
      }
      const following = follow()
      await Promise.all(
        stores.flatMap((store, which) =>
          Array.from({ length: 60 }, async (_, n) => write(store, insert(aRecord(`S${which}-${n}`))))
        )
      )
      isOver = true
      await following
      assert.deepEqual(
        seen,
        Array.from({ length: 180 }, (_, n) => n + 1)
      )
    })

    it('tells a cache to begin anew when changes were forgotten before it heard of them', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      await write(there, insert(aRecord('A')), insert(aRecord('B')))
      await there.forgetChanges('9999')
      assert.equal(await here.changedSinceLastAsked(), 'all')
      assert.deepEqual(await here.changedSinceLastAsked(), [])
      await write(there, insert(aRecord('C')))
      assert.deepEqual(await here.changedSinceLastAsked(), ['C'])
    })

    it('tells a cache of a store that did not write of more than ten thousand changes', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      await write(there, ...Array.from({ length: 10_001 }, (_, n) => insert(aRecord(`P-${n}`, { metadata: [] }))))
      assert.equal(await here.changedSinceLastAsked(), 'all')
      await write(there, insert(aRecord('last')))
      assert.deepEqual(await here.changedSinceLastAsked(), ['last'])
    })
  })

  describe(`${name} store: papers`, () => {
    const put = (store: Store, ...papers: [kind: string, key: string, value: string | null][]) =>
      store.write({ writes: [], by: 'test', state: papers.map(([kind, key, value]) => ({ kind, key, value })) })

    it('keeps a text under a kind and a key, until another takes its place or it is taken away', async t => {
      const store = await openNew(t)
      await put(store, ['a', 'one', '1'], ['a', 'two', '“2” \\ \u{1f3ad}'], ['b', 'one', 'other'])
      assert.deepEqual([...(await store.findState('a', ['one', 'two', 'three', 'one\0']))].sort(), [
        ['one', '1'],
        ['two', '“2” \\ \u{1f3ad}']
      ])
      await put(store, ['a', 'one', 'first'], ['a', 'one', 'new'], ['a', 'two', null], ['a', 'two', null])
      assert.deepEqual([...(await store.findState('a', ['one', 'two']))], [['one', 'new']])
      assert.deepEqual([...(await store.findState('b', ['one', 'two']))], [['one', 'other']])
      assert.equal((await store.findState('a', [])).size, 0)
    })

    it('finds what stands under a heading, and nothing of those beside it', async t => {
      const store = await openNew(t)
      const keys = ['x', 'x\n', 'x\na', 'x\nb', 'x\né', 'x\n\u{1f3ad}', 'x a', 'xa\nb', 'x\u000bc', 'y\na', 'X\na']
      await put(store, ...keys.map((key): [string, string, string] => ['a', key, key.toUpperCase()]))
      await put(store, ['b', 'x\na', 'not this'])
      assert.deepEqual([...(await store.listStateKeys('a', ['x', 'y', 'z']))].sort(), [
        'x\na',
        'x\nb',
        'x\né',
        'x\n\u{1f3ad}',
        'y\na'
      ])
      const first = await store.readState('a', { heading: 'x', limit: 2 })
      assert.deepEqual(first, [
        { key: 'x\na', value: 'X\nA' },
        { key: 'x\nb', value: 'X\nB' }
      ])
      const rest = await store.readState('a', { heading: 'x', after: 'x\nb', limit: 10 })
      assert.deepEqual(
        rest.map(each => each.key),
        ['x\né', 'x\n\u{1f3ad}']
      )
    })

    it('writes them with the entities of the unit, or not at all', async t => {
      const store = await openNew(t)
      const papers = [{ kind: 'a', key: 'one', value: '1' }]
      const inserted = aRecord('PR-A')
      await store.write({ writes: [insert(inserted)], by: 'test', state: papers, dryRun: true })
      assert.equal((await store.findState('a', ['one'])).size, 0)
      await store.write({ writes: [insert(inserted)], by: 'test' })
      await assert.rejects(async () => store.write({ writes: [insert(inserted)], by: 'test', state: papers }))
      assert.equal((await store.findState('a', ['one'])).size, 0)
      await store.write({ writes: [insert(aRecord('PR-B'))], by: 'test', state: papers })
      assert.deepEqual([...(await store.findState('a', ['one']))], [['one', '1']])
    })
  })

  describe(`${name} store: leases`, () => {
    it('gives a task to one holder at a time, who may keep it or give it back', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      assert.equal(await here.findLeaseHolder('task'), undefined)
      assert.equal(await here.holdLease('task', 'one', 60_000), true)
      assert.equal(await here.holdLease('task', 'one', 60_000), true)
      assert.equal(await there.holdLease('task', 'two', 60_000), false)
      assert.equal(await there.holdLease('another task', 'two', 60_000), true)
      assert.equal(await there.findLeaseHolder('task'), 'one')
      await there.releaseLease('task', 'two')
      assert.equal(await there.findLeaseHolder('task'), 'one')
      await there.releaseLease('task', 'one')
      assert.equal(await here.findLeaseHolder('task'), undefined)
      assert.equal(await there.holdLease('task', 'two', 60_000), true)
      assert.equal(await here.holdLease('task', 'one', 60_000), false)
    })

    it('lets another take it when its time is over, and keeping it counts from then', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      await here.holdLease('task', 'one', 60_000)
      // Whoever keeps a task may also shorten it.
      assert.equal(await here.holdLease('task', 'one', 100), true)
      await sleep(150)
      assert.equal(await there.findLeaseHolder('task'), 'one', 'nobody took it yet')
      assert.equal(await there.holdLease('task', 'two', 60_000), true)
      assert.equal(await here.holdLease('task', 'one', 60_000), false)
      await here.releaseLease('task', 'one')
      assert.equal(await here.findLeaseHolder('task'), 'two')
    })

    it('gives it to one of many who ask at once', async t => {
      const database = newDatabase(t)
      const stores = await Promise.all([database.open(), database.open(), database.open()])
      const got = await Promise.all(
        Array.from({ length: 30 }, (_, n) => (stores[n % 3] as Store).holdLease('task', `holder ${n}`, 60_000))
      )
      assert.equal(got.filter(Boolean).length, 1)
      assert.equal(await stores[0]?.findLeaseHolder('task'), `holder ${got.indexOf(true)}`)
    })
  })

  describe(`${name} store: names that cannot be`, () => {
    it('finds nothing under them, whichever way it is asked', async t => {
      const store = await openNew(t)
      const [a] = await twoRecords(store)
      for (const odd of ['A\0', '\0', '\ud800', 'A\udc00', '']) {
        const said = JSON.stringify(odd)
        assert.equal(await store.findEntity(odd), undefined, said)
        assert.deepEqual([...(await store.findEntities([odd, 'A'])).keys()], ['A'], said)
        assert.deepEqual([...(await store.identify([odd, 'A'])).keys()], ['A'], said)
        assert.equal(await store.findHistory(odd, 0, 9), undefined, said)
        assert.equal(await store.findVersion(odd, 1), undefined, said)
        assert.equal(await store.findVersionByUuid(odd, 1), undefined, said)
        assert.equal((await store.identifyDeleted([odd])).size, 0, said)
        assert.deepEqual([...(await store.findEntitiesAt([odd, 'A'], 2)).keys()], ['A'], said)
        assert.equal(await store.findMerge(odd), undefined, said)
        assert.deepEqual(await store.findMergesOf([odd, a.uuid]), [], said)
        assert.deepEqual(await store.namesMergedInto(odd), [], said)
        assert.equal((await store.findReferences(pointingTo(odd))).count, 0, said)
        assert.deepEqual(
          (await store.readChanges({ after: 0, limit: 9, readableTypes: undefined, ids: [odd] })).changes,
          [],
          said
        )
        assert.equal(await store.findOutcome(odd, odd), undefined, said)
        assert.equal(await store.findToken(odd), undefined, said)
      }
    })
  })
}

/** An entity's content; what a test does not name is the least there can be. */
export function aRecord(id: string, given: Partial<EntityContent> = {}): EntityContent {
  return {
    id,
    uuid: randomUUID(),
    type: 'production',
    metadata: metadata({ title: id }),
    relations: [],
    otherIdentifiers: [],
    ...given
  }
}

export const metadata = (fields: Readonly<Record<string, unknown>>) => entries(fields) as EntityContent['metadata']

export const insert = (content: EntityContent): EntityWrite => ({ kind: 'insert', content })

export const remove = (id: string, expectedVersion: number): EntityWrite => ({ kind: 'delete', id, expectedVersion })

/** A change of some parts of a content; of version 1, unless it says otherwise. */
export const update = (content: EntityContent, given: Partial<EntityContent>, expectedVersion = 1): EntityWrite => ({
  kind: 'update',
  content: { ...content, ...given },
  expectedVersion
})

/** A and B, of version 1. */
async function twoRecords(store: Store): Promise<[EntityContent, EntityContent]> {
  const [a, b] = [aRecord('A'), aRecord('B')]
  await write(store, insert(a), insert(b))
  return [a, b]
}

async function writeVersions(store: Store, id: string, versions: number) {
  await write(store, insert(aRecord(id)))
  for (let version = 2; version <= versions; version++)
    await write(store, await changeOf(store, id, { metadata: metadata({ title: `${id}${version}` }) }))
}

/** Merges as the catalogue does: the victim goes, and its names become the survivor's. */
async function merge(store: Store, survivorId: string, victimId: string, more: Partial<WriteUnit> = {}) {
  const [survivor, victim] = [await contentIn(store, survivorId), await contentIn(store, victimId)]
  const { version } = await readIn(store, victimId)
  const names = [victim.uuid, victim.id, ...victim.otherIdentifiers]
  return store.write({
    writes: [
      { kind: 'delete', id: victimId, expectedVersion: version, mergedInto: survivorId },
      await changeOf(store, survivorId, { otherIdentifiers: [...survivor.otherIdentifiers, ...names] })
    ],
    by: 'test',
    merge: { survivorId, victimId },
    ...more
  })
}

/** The title in a document, where there is one. */
function titleOf(json: string | null | undefined): unknown {
  return json ? (JSON.parse(json) as Entity).metadata.find(each => each.key === 'title')?.value : undefined
}

const pick = (version: Version | undefined) => [version?.version, version?.json, version?.mergedInto]

/** A change of some parts of an entity as it is now. */
async function changeOf(store: Store, id: string, given: Partial<EntityContent>): Promise<EntityWrite> {
  const content = await contentIn(store, id)
  return update(content, given, (await readIn(store, id)).version)
}

export const write = (store: Store, ...writes: EntityWrite[]) => store.write({ writes, by: 'test' })

/** Everything, in the order of creation. */
export const wholeList: Question = {
  filter: everything,
  readableTypes: undefined,
  order: { items: [{ by: 'created' }], ascending: true },
  skip: 0,
  limit: 1000,
  counted: false
}

export const idsIn = (answer: Answer) => answer.entities.map(entity => entity.id)

export const titleIs = (value: string): Filter => ({
  kind: 'field',
  path: { kind: 'metadata', key: 'title' },
  test: { kind: 'equals', values: [value] }
})

export const idsWhere = async (store: Store, filter: Filter) => idsIn(await store.ask({ ...wholeList, filter }))

const pointingTo = (id: string) => ({ id, readableTypes: undefined, skip: 0, limit: 100 })

const everythingIn = async (store: Store) => (await store.ask(wholeList)).entities.map(entity => entity.json)

export const problemsIn = async (store: Store) => (await store.check()).problems

export async function readIn(store: Store, id: string): Promise<Entity> {
  const stored = await store.findEntity(id)
  if (!stored) throw new Error(`There is no ${id}`)
  return JSON.parse(stored.json) as Entity
}

async function contentIn(store: Store, id: string): Promise<EntityContent> {
  const { _id, type, metadata, relations, identifiers } = await readIn(store, id)
  return { id, uuid: _id, type, metadata, relations, otherIdentifiers: identifiers.slice(2) }
}

function aToken(given: Partial<StoredToken> = {}): StoredToken {
  const id = randomUUID()
  return {
    id,
    name: 'kiosk',
    hash: `hash-of-${id}`,
    scopes: ['read'],
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: 'test',
    expiresAt: null,
    ...given
  }
}

async function rejects(writing: Promise<unknown>, code: ErrorCode | readonly ErrorCode[]): Promise<CatalogueError> {
  try {
    await writing
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    assert.ok([code].flat().includes(error.code), `${error.code}: ${error.message}`)
    return error
  }
  return assert.fail(`It should have thrown ${[code].flat().join(' or ')}`)
}

/**
 * Reads the whole list page by page, each from the place where the last one ended; gives it in its
 * order.
 */
async function walk(store: Store, order: Order, limit: number, backwards: boolean): Promise<string[]> {
  const pages: string[][] = []
  let position: Position | undefined
  if (backwards) {
    // Begin behind the last: at its place, which a page before it does not hold.
    const { last } = await store.ask({ ...wholeList, order })
    if (!last) return []
    pages.push(idsIn(await store.ask({ ...wholeList, order })).slice(-1))
    position = last
  }
  for (;;) {
    const answer: Answer = await store.ask({
      ...wholeList,
      order,
      limit,
      ...(position ? { from: { position, backwards } } : {})
    })
    pages.push(idsIn(answer))
    position = backwards ? answer.first : answer.last
    if (!answer.hasMore || !position) return (backwards ? pages.reverse() : pages).flat()
    assert.equal(answer.entities.length, limit)
  }
}

const title: OrderItem = { by: 'metadata', key: 'title' }
const duration: OrderItem = { by: 'metadata', key: 'duration' }
const premiere: OrderItem = { by: 'metadata', key: 'premiere_date' }

/**
 * Eight records, some alike, some without what is sorted by. In the order of creation: Q B Z a M K
 * c D. Folded, `Élan`, `elan` and `ELAN` are one title, so creation decides; who lacks a key comes
 * last in both directions.
 */
async function fillForOrders(store: Store) {
  const records: readonly [id: string, type: string, fields: Record<string, unknown>][] = [
    ['Q', 'production', { title: 'Élan', duration: 90, premiere_date: '2026-03-01' }],
    ['B', 'production', { title: 'elan', premiere_date: '2026-02-28' }],
    ['Z', 'person', { name: 'Zed' }],
    ['a', 'production', { title: 'Zebra', duration: 100, premiere_date: '2025-12-31' }],
    ['M', 'venue', { name: 'Hal' }],
    ['K', 'production', { title: 'aap', duration: 9 }],
    ['c', 'work_word', { title: ['ELAN', 'aaa'] }],
    ['D', 'production', { title: 'Bok', duration: 100, premiere_date: '2026-03-01' }]
  ]
  for (const [id, type, fields] of records)
    await write(store, insert(aRecord(id, { type, metadata: metadata(fields) })))
  for (const id of ['B', 'Q']) await write(store, await changeOf(store, id, { otherIdentifiers: [`${id}-changed`] }))
}

const letters = (text: string) => text.split(' ')

const orders: readonly [title: string, items: readonly OrderItem[], ascending: boolean, expected: string[]][] = [
  ['creation', [{ by: 'created' }], true, letters('Q B Z a M K c D')],
  ['creation, newest first', [{ by: 'created' }], false, letters('D c K M a Z B Q')],
  ['last change', [{ by: 'updated' }], true, letters('Z a M K c D B Q')],
  ['last change, newest first', [{ by: 'updated' }], false, letters('Q B D c K M a Z')],
  ['id', [{ by: 'id' }], true, letters('B D K M Q Z a c')],
  ['id, descending', [{ by: 'id' }], false, letters('c a Z Q M K D B')],
  ['type', [{ by: 'type' }], true, letters('Z Q B a K D M c')],
  ['type, descending', [{ by: 'type' }], false, letters('c M Q B a K D Z')],
  ['a text', [title], true, letters('K D Q B c a Z M')],
  ['a text, descending', [title], false, letters('a Q B c D K Z M')],
  ['a number', [duration], true, letters('K Q a D B Z M c')],
  ['a number, descending', [duration], false, letters('a D Q K B Z M c')],
  ['a date', [premiere], true, letters('a B Q D Z M K c')],
  ['a date, descending', [premiere], false, letters('Q D B a Z M K c')],
  ['a key that nobody has', [{ by: 'metadata', key: 'none' }], true, letters('Q B Z a M K c D')],
  ['a key that nobody has, descending', [{ by: 'metadata', key: 'none' }], false, letters('Q B Z a M K c D')],
  ['type, then a text', [{ by: 'type' }, title], true, letters('Z K D Q B a M c')],
  ['type, then a text, descending', [{ by: 'type' }, title], false, letters('c M a Q B D K Z')],
  ['a number, then a text', [duration, title], true, letters('K Q D a B c Z M')],
  ['a number, then a text, descending', [duration, title], false, letters('a D Q K B c Z M')],
  ['a text, then last change', [title, { by: 'updated' }], true, letters('K D c B Q a Z M')],
  ['a text, then last change, descending', [title, { by: 'updated' }], false, letters('a Q B c D K M Z')],
  ['type, then creation', [{ by: 'type' }, { by: 'created' }], true, letters('Z Q B a K D M c')],
  ['type, then creation, descending', [{ by: 'type' }, { by: 'created' }], false, letters('c M D K a B Q Z')]
]
