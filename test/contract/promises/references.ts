import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { relations } from '../../support/records/entities.ts'
import { aRecord, metadata, insert, changeOf, write, pointingTo, type Subject } from './contract-support.ts'

export function referencesPromises({ name, openNew }: Subject) {
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
        assert.deepEqual(await store.findReferenceTypes(id), ['refOther', 'refProduction'])
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

    it('lists their types, each once, of the records that are there', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('T', { otherIdentifiers: ['other-t'] })), insert(aRecord('NONE')))
      const types = ['refC', 'refA', 'refB', 'refA', 'REFZ', 'refÉ']
      for (const [at, type] of types.entries())
        await write(store, insert(aRecord(`R-${at}`, { relations: relations({ [type]: at % 2 ? 'T' : 'other-t' }) })))
      const found = async (id: string) => (await store.findReferenceTypes(id)).toSorted()
      assert.deepEqual(await found('T'), ['REFZ', 'refA', 'refB', 'refC', 'refÉ'])
      assert.deepEqual(await found('NONE'), [])
      assert.deepEqual(await found('NOBODY'), [])
      await write(store, await changeOf(store, 'R-0', { relations: [] }))
      assert.deepEqual(await found('T'), ['REFZ', 'refA', 'refB', 'refÉ'])
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

    it('says the same of few references and of many', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('T')))
      const referring = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, n) => {
          const [place, isOdd] = [from + n, (from + n) % 2 === 1]
          const type = isOdd ? 'performance' : 'production'
          return insert(aRecord(`R-${place}`, { type, relations: relations({ [isOdd ? 'refB' : 'refA']: 'T' }) }))
        })
      let written = 0
      for (const count of [49, 50, 51, 120]) {
        await write(store, ...referring(written, count))
        written = count
        const odd = Math.floor(count / 2)
        const found = await store.findReferences({ ...pointingTo('T'), skip: 2, limit: 3 })
        assert.deepEqual([found.count, found.countByType], [count, { refA: count - odd, refB: odd }])
        assert.deepEqual(
          found.references.map(each => ({ ...each })),
          [
            { id: 'R-2', type: 'production', relationType: 'refA' },
            { id: 'R-3', type: 'performance', relationType: 'refB' },
            { id: 'R-4', type: 'production', relationType: 'refA' }
          ]
        )
        const odds = await store.findReferences({ ...pointingTo('T'), relationTypes: ['refB'], skip: odd - 1 })
        const last = `R-${2 * odd - 1}`
        assert.deepEqual([odds.count, odds.references.map(({ id }) => id)], [odd, [last]])
      }
    })
  })
}
