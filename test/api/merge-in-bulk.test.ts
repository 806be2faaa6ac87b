import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { aWork, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { fieldOf, keysOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post } = service

const read = async (id: string): Promise<Entity> => (await get(`/entities/${id}`)).body
const person = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
  create({ type: 'person', metadata: metadata({ name, ...more }) })
const merging = (survivor: { readonly id: string }, victim: { readonly id: string }, more: object = {}) => ({
  op: 'merge',
  id: survivor.id,
  victim_id: victim.id,
  keep: 'both',
  ...more
})
const unmerging = (survivor: { readonly id: string }, victim: { readonly id: string }) => ({
  op: 'unmerge',
  id: survivor.id,
  victim_id: victim.id
})
const heldBy = ({ version, audit, ...held }: Entity) => held

/** Two pairs of persons, each with a work of the second. */
async function twoPairs() {
  const pairs = [
    [await person('Hagerup, Inger'), await person('Hagerup, Inger', { life_dates: '1905-1985', note: 'Poet' })],
    [await person('Becker, Jurek', { note: 'Author' }), await person('Becker, Jurek', { life_dates: '1937-1997' })]
  ] as const
  const works: Entity[] = []
  for (const [, victim] of pairs)
    works.push(await create(aWork('Work', { relations: relations({ refAuthors: victim.id }) })))
  return { pairs, works }
}

describe('Merges in a batch', () => {
  it('tell in a dry run what is gained and dropped and who refers to it, and change nothing', async () => {
    const { pairs } = await twoPairs()
    const [[one, other]] = pairs
    const before = [await read(one.id), await read(other.id)]

    const answer = await post('/entities/batch?dry_run=1', [merging(one, other), merging(other, one)])

    assert.equal(answer.status, 200, answer.text)
    const { repointed_references, gained, dropped } = answer.body[0].merge
    assert.deepEqual(
      [answer.body[0].outcome, answer.body[0].status, answer.body[0].id, repointed_references],
      ['merged', 200, one.id, 1]
    )
    assert.deepEqual(gained, { metadata: metadata({ life_dates: '1905-1985', note: 'Poet' }), relations: [] })
    assert.deepEqual(dropped, { metadata: [], relations: [] })
    assert.deepEqual([await read(one.id), await read(other.id)], before)
  })

  it('keep the values of both, and the values of the survivor where there is room for one', async () => {
    const one = await person('Boon, L.P.', { life_dates: '1912', note: 'One' })
    const other = await person('Boon, L. P.', { life_dates: '1912-1979', note: 'Other' })

    const [result] = (await post('/entities/batch', [merging(one, other)])).body

    const merged = await read(one.id)
    assert.deepEqual(
      [fieldOf(merged, 'name'), fieldOf(merged, 'life_dates'), merged.metadata.filter(({ key }) => key === 'note')],
      ['Boon, L.P.', '1912', [...metadata({ note: 'One' }), ...metadata({ note: 'Other' })]]
    )
    assert.deepEqual(result.merge.dropped.metadata, metadata({ name: 'Boon, L. P.', life_dates: '1912-1979' }))
  })

  it('are undone by one batch, which brings back every record and reference', async () => {
    const { pairs, works } = await twoPairs()
    const all = [...pairs.flat(), ...works]
    const before = await Promise.all(all.map(async ({ id }) => heldBy(await read(id))))

    const merged = await post(
      '/entities/batch',
      pairs.map(([one, other]) => merging(one, other))
    )
    assert.deepEqual(
      merged.body.map(({ outcome }: { outcome: string }) => outcome),
      ['merged', 'merged']
    )
    assert.deepEqual(keysOf(await read(works[0]?.id ?? ''), 'refAuthors'), [pairs[0][0].id])

    const undone = await post('/entities/batch', pairs.map(([one, other]) => unmerging(one, other)).reverse())
    assert.deepEqual(
      undone.body.map(({ outcome }: { outcome: string }) => outcome),
      ['unmerged', 'unmerged']
    )
    assert.equal(undone.body[1].unmerge.restored_references, 1)
    assert.deepEqual(await Promise.all(all.map(async ({ id }) => heldBy(await read(id)))), before)
  })

  it('of several records into one, and of one that was merged just before, follow each other', async () => {
    const [a, b, c] = [await person('Becker'), await person('Becker'), await person('Becker')]
    const both = await create(aWork('Both', { relations: [b, c].map(({ id }) => ({ type: 'refAuthors', key: id })) }))

    const answer = await post('/entities/batch', [merging(a, b), merging(b, c)])

    assert.deepEqual(
      answer.body.map(({ merge }: { merge: object }) => merge),
      [
        { survivor_id: a.id, victim_id: b.id, repointed_references: 1, gained: empty, dropped: empty },
        { survivor_id: a.id, victim_id: c.id, repointed_references: 1, gained: empty, dropped: empty }
      ]
    )
    assert.deepEqual(keysOf(await read(both.id), 'refAuthors'), [a.id])
  })

  it('refuse a pair with its reason, and leave both of its records as they were', async () => {
    const [one, other] = [await person('One'), await person('Other')]
    const work = await create(aWork('Work'))
    const before = await read(other.id)

    const answer = await post('/entities/batch', [
      merging(one, work),
      merging(one, one),
      merging(one, other, { if_match: one.version + 1 }),
      merging(one, other, { keep: 'all' }),
      merging(one, { id: 'PERS-none' })
    ])

    assert.deepEqual(
      answer.body.map(({ problem }: { problem: { code: string } }) => problem.code),
      ['invalid', 'invalid', 'version_mismatch', 'invalid', 'not_found']
    )
    assert.deepEqual(await read(other.id), before)
  })

  it('happen once for a key: a request that is sent again gets the same answer', async () => {
    const { pairs } = await twoPairs()
    const lines = pairs.map(([one, other]) => merging(one, other))
    const options = { headers: { 'idempotency-key': crypto.randomUUID() } }

    const first = await post('/entities/batch', lines, options)
    const again = await post('/entities/batch', lines, options)

    assert.deepEqual(again.body, first.body)
    assert.deepEqual((await read(pairs[0][0].id)).version, 2)
  })

  it('are no part of an atomic batch', async () => {
    const [one, other] = [await person('One'), await person('Other')]

    const answer = await post('/entities/batch?atomic=1', [merging(one, other)])

    assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, '/0/op'])
  })

  it('need the right to delete what is merged', async () => {
    const { pairs } = await twoPairs()
    const [[one, other]] = pairs
    const token = await service.tokenWith('read', 'write')

    const answer = await post('/entities/batch', [merging(one, other)], { token })

    assert.equal(answer.body[0].problem.code, 'forbidden')
    assert.equal((await read(other.id)).id, other.id)
  })
})

const empty = { metadata: [], relations: [] }
