import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { type Answer, clusterBlock, type WorkCluster } from '#domain/clustering/cluster-block.ts'
import { blockKeysOf } from '#domain/clustering/blocks.ts'
import { clusterRecords } from '../support/records/cluster-records.ts'
import { type Mention, mentionsOf, type RecordEvidence } from '#domain/clustering/evidence.ts'
import { howMany, seed } from '../support/records/chance.ts'
import { evidenceOf, worksIn } from '../support/records/marc-lines.ts'
import { shelves as shelvesOfRecords } from '../support/records/random-shelves.ts'

const shelves = shelvesOfRecords.map(evidenceOf)

const answersFor = (records: readonly RecordEvidence[]): fc.Arbitrary<Answer[]> => {
  const ids = fc.constantFrom(...records.flatMap(mentionsOf).map(each => each.id))
  return fc.array(
    fc
      .record({
        level: fc.constantFrom('work' as const, 'expression' as const),
        one: ids,
        other: ids,
        verdict: fc.constantFrom('same' as const, 'different' as const)
      })
      .filter(each => each.one !== each.other),
    { maxLength: 4 }
  )
}
const cases = shelves.chain(records =>
  fc.record({ records: fc.constant(records), answers: answersFor(records), order: shuffled(records) })
)
const shuffled = (records: readonly RecordEvidence[]) =>
  fc.shuffledSubarray([...records], { minLength: records.length, maxLength: records.length })

const settings = { seed, numRuns: howMany({ quick: 30, short: 150, long: 5_000, onPostgres: 150 }) }

describe('Clusters', () => {
  it('are the same in whatever order records and answers come, with their reasons and questions', () => {
    fc.assert(
      fc.property(cases, ({ records, answers, order }) => {
        assert.deepEqual(clusterRecords(order, answers.toReversed()), clusterRecords(records, answers))
      }),
      settings
    )
  })

  it('are the same when records come one by one, and only the blocks they touch are made again', () => {
    fc.assert(
      fc.property(cases, ({ records, answers, order }) => {
        const { works } = clusterOneByOne(order, answers)
        assert.deepEqual(worksIn({ works, questions: [] }), worksIn(clusterRecords(records, answers)))
      }),
      settings
    )
  })

  it('are the same when everything is one block: nothing outside a block has a say', () => {
    fc.assert(
      fc.property(cases, ({ records, answers }) => {
        const { works } = clusterBlock(records.flatMap(mentionsOf), answers)
        assert.deepEqual(worksIn({ works, questions: [] }), worksIn(clusterRecords(records, answers)))
      }),
      settings
    )
  })

  it('hold every mention once, at both levels', () => {
    fc.assert(
      fc.property(cases, ({ records, answers }) => {
        const { works } = clusterRecords(records, answers)
        const all = records.flatMap(mentionsOf).map(each => each.id)
        assert.deepEqual(works.flatMap(each => each.members.map(({ mention }) => mention)).sort(), all.sort())
        for (const { members, expressions } of works)
          assert.deepEqual(
            expressions.flatMap(each => each.members.map(({ mention }) => mention)).sort(),
            members.map(({ mention }) => mention).sort()
          )
      }),
      settings
    )
  })

  it('keep what a person said of any two', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom('same' as const, 'different' as const), ({ records, answers }, verdict) => {
        // Of answers that gainsay each other, none can be kept in full.
        const given = answers.map(each => ({ ...each, verdict }))
        const { works } = clusterRecords(records, given)
        const groupOf = (level: Answer['level'], id: string) =>
          works
            .flatMap((each): readonly { readonly members: WorkCluster['members'] }[] =>
              level === 'work' ? [each] : each.expressions
            )
            .findIndex(each => each.members.some(({ mention }) => mention === id))
        for (const { level, one, other } of given)
          assert.equal(groupOf(level, one) === groupOf(level, other), verdict === 'same', `${level} ${one} ${other}`)
      }),
      settings
    )
  })
})

/**
 * Repeats the steps of an import: keys lead to mentions, a new record loads the blocks that it
 * touches, and their clusters replace the old ones.
 */
function clusterOneByOne(records: readonly RecordEvidence[], answers: readonly Answer[]) {
  const stored = new Map<string, Mention>()
  const byKey = new Map<string, Set<string>>()
  const keysOf = (mention: Mention) => [
    ...blockKeysOf(mention),
    ...answers
      .filter(each => each.verdict === 'same' && (each.one === mention.id || each.other === mention.id))
      .map(({ one, other }) => `answer ${one} ${other}`)
  ]
  let works: WorkCluster[] = []
  for (const record of records)
    for (const added of mentionsOf(record)) {
      stored.set(added.id, added)
      for (const key of keysOf(added)) byKey.set(key, (byKey.get(key) ?? new Set()).add(added.id))
      const block = new Set([added.id])
      const seen = new Set<string>()
      for (const id of block)
        for (const key of keysOf(stored.get(id) ?? added)) {
          if (seen.has(key)) continue
          seen.add(key)
          for (const each of byKey.get(key) ?? []) block.add(each)
        }
      const mentions = [...block].flatMap(id => stored.get(id) ?? [])
      works = works.filter(each => !each.members.some(({ mention }) => block.has(mention)))
      works.push(...clusterBlock(mentions, answers).works)
    }
  return { works }
}
