import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { changesAfter, endOfFeed } from '../support/records/changes.ts'
import { aProduction, aVenue, valuesIn } from '../support/records/entities.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { type Answer, start, type TestService } from '../support/services/start.ts'

/*
 * Many people save the same few records at the same moment, each a field of their own. Nobody's
 * field may be lost, whether they say which version they saw or not, and the history must read as
 * if they had come one after the other.
 */

const editors = howMany({ quick: 100, short: 400, long: 10_000, onPostgres: 200 })
const records = howMany({ short: 10, long: 100, onPostgres: 10 })

/** How an editor says what they saw. */
const manners = {
  'without If-Match': (): Record<string, string> => ({}),
  'with If-Match and Prefer: merge': (version: number): Record<string, string> => ({
    'if-match': `"${version}"`,
    prefer: 'merge'
  })
} as const

type Manner = keyof typeof manners

describe(`${editors} editors at the same moment on ${records} records`, () => {
  for (const manner of Object.keys(manners) as Manner[]) {
    it(`lose no field, ${manner}, and make each version once`, async t => {
      const service = await start(t)
      const entities = await createRecords(service)
      const started = performance.now()
      const { answers, changes } = await edit(service, entities, () => manner)
      for (const { status, text } of answers) assert.equal(status, 200, text)
      await assertNothingLost(service, entities, answers, changes)
      t.diagnostic(`${editors} edits took ${Math.round(performance.now() - started)} ms`)
    })
  }

  it(`lose no field when each saves in a manner of their own (seed ${seed})`, async t => {
    const service = await start(t)
    const entities = await createRecords(service)
    const chance = createChance(seed)
    const names = Object.keys(manners) as [Manner, ...Manner[]]
    const { answers, changes } = await edit(service, entities, () => chance.pick(names))
    for (const { status, text } of answers) assert.equal(status, 200, text)
    await assertNothingLost(service, entities, answers, changes)
  })

  it('let only one through on each record where all insist on the version they saw', async t => {
    const service = await start(t)
    const entities = await createRecords(service)
    const since = await endOfFeed(service)
    const answers = await Promise.all(
      Array.from({ length: editors }, (_, number) =>
        service.patch(
          `/entities/${entities[number % records]?.id}`,
          { metadata: [{ key: keyOf(number), value: number }] },
          { headers: { 'if-match': '"1"' } }
        )
      )
    )
    const through = answers.filter(answer => answer.status === 200)
    assert.equal(through.length, records)
    assert.deepEqual(new Set(through.map(answer => answer.body.id)), new Set(entities.map(entity => entity.id)))
    assert.ok(answers.every(answer => answer.status === 200 || answer.body.code === 'version_mismatch'))
    const changes = await changesAfter(service, since)
    assert.deepEqual(
      changes.map(change => `${change.type} ${change.data.version}`),
      Array.from({ length: records }, () => 'entity.updated 2')
    )
  })
})

const keyOf = (number: number) => `field_of_editor_${number}`

async function createRecords(service: TestService): Promise<Entity[]> {
  return Promise.all(
    Array.from({ length: records }, (_, number) =>
      service.create(number % 2 === 0 ? aVenue(`Venue ${number}`) : aProduction({ title: `Production ${number}` }))
    )
  )
}

/**
 * Everybody saves at once, having seen the first version. Gives what each was answered, and the
 * changes that came of it all.
 */
async function edit(service: TestService, entities: readonly Entity[], manner: () => Manner) {
  const since = await endOfFeed(service)
  const answers = await Promise.all(
    Array.from({ length: editors }, (_, number) => {
      const entity = entities[number % records]
      return service.patch(
        `/entities/${entity?.id}`,
        { metadata: [{ key: keyOf(number), value: number }] },
        { headers: manners[manner()](entity?.version ?? 0) }
      )
    })
  )
  return { answers, changes: await changesAfter(service, since) }
}

async function assertNothingLost(
  service: TestService,
  entities: readonly Entity[],
  answers: readonly Answer[],
  changes: Awaited<ReturnType<typeof changesAfter>>
) {
  const each = editors / records
  assert.equal(changes.length, editors)
  for (const [index, { id, metadata }] of entities.entries()) {
    const mine = Array.from({ length: each }, (_, turn) => index + turn * records)
    const { body: now } = await service.get(`/entities/${id}`)
    assert.equal(now.version, 1 + each)
    assert.equal(now.metadata.length, metadata.length + each)
    for (const number of mine) assert.deepEqual(valuesIn([now], keyOf(number)), [number], 'a field was lost')

    // One after the other: each version adds the field of one editor to the version before, and
    // that editor was answered with it.
    const versions = Array.from({ length: each }, (_, turn) => turn + 2)
    const { body: history } = await service.get(`/entities/${id}/history?limit=1000`)
    assert.equal(history.count, 1 + each)
    const entries = history.results.toReversed().slice(1) as {
      version: number
      kind: string
      changes: { field: string; key: string; before: unknown[]; after: unknown[] }[]
    }[]
    assert.deepEqual(
      entries.map(entry => entry.version),
      versions
    )
    const added = entries.map(entry => {
      assert.equal(entry.kind, 'updated')
      assert.equal(entry.changes.length, 1)
      assert.deepEqual(entry.changes[0]?.before, [])
      return entry.changes[0]?.key
    })
    assert.deepEqual(added.toSorted(), mine.map(keyOf).sort())
    for (const number of mine) {
      const answer = answers[number]
      assert.equal(added[answer?.body.version - 2], keyOf(number), 'an editor was answered with the version of another')
      assert.deepEqual(valuesIn([answer?.body], keyOf(number)), [number])
    }
    assert.deepEqual(
      changes.filter(change => change.subject === id).map(change => [change.type, change.data.version]),
      versions.map(version => ['entity.updated', version])
    )
  }
}
