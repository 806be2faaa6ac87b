import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { MarcRecord } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { recordsForEveryRow } from '../support/records/table-records.ts'
import { importPayload } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'
import { type Edit, editModel, editSource, everyDoor, unexplained } from '../support/oracles/round-trips.ts'

/*
 * Generated records with a field for every row of the mapping tables go in. One field is edited in
 * the model and one in the source record, in both orders. The records come out of every door, and
 * only those fields differ.
 */

const service = await start({ after })

const fileOf = (records: readonly MarcRecord[]) => {
  const { head, tail, write } = writers.iso2709
  return Buffer.concat([head, ...records.map(write), tail].map(each => Buffer.from(each as string)))
}

/** Fails with every difference between two states at a door that its edit does not explain. */
function compare(
  before: ReadonlyMap<string, MarcRecord>,
  doors: Awaited<ReturnType<typeof everyDoor>>,
  edits: ReadonlyMap<string, Edit>
) {
  const found = [...doors].flatMap(([door, records]) =>
    [...records].flatMap(([number, record]) => {
      const was = before.get(number)
      const left = was === undefined ? ['+ the record'] : unexplained(was, record, edits.get(number))
      return left.length === 0 ? [] : [`${number} by ${door} after ${edits.get(number)?.says ?? 'nothing'}`, ...left]
    })
  )
  assert.equal(found.slice(0, 60).join('\n'), '')
  for (const [door, records] of doors)
    if (!door.endsWith('of one'))
      assert.deepEqual(
        [...before.keys()].filter(each => !records.has(each)),
        [],
        door
      )
}

describe('MARC 21 records with a field for every row of the table', () => {
  it('differ by the edited fields only, at every door', async () => {
    const chance = createChance(seed)
    const made = recordsForEveryRow('marc21', howMany({ short: 60, long: 2000, onPostgres: 40 }), chance)
    const done = await importPayload(service, fileOf(made.map(each => each.record)))
    assert.equal(done.counts.created, made.length)
    const sources = new Map(made.map(({ number, record }) => [number, record]))
    const idOf = new Map<string, string>()
    for (const { number } of made)
      idOf.set(number, (await service.get(`/entities/${encodeURIComponent(`(XX-Xx)${number}`)}`)).body.id)
    const sample = [...idOf.values()].filter((_, index) => index % 20 === 0)
    compare(sources, await everyDoor(service, sample), new Map())

    /** One field of the manifestation, its text or its work. */
    async function inModel(number: string) {
      const id = idOf.get(number) ?? ''
      const levels = [id]
      for (const relation of ['refExpressions', 'refWork']) {
        const { relations } = (await service.get(`/entities/${levels.at(-1)}`)).body
        const next = relations.find((each: { type: string }) => each.type === relation)?.key
        if (next !== undefined) levels.push(next)
      }
      return editModel(service, chance.pickOr(levels, id), chance, () => true)
    }

    let shown: ReadonlyMap<string, MarcRecord> = sources
    for (const turn of [0, 1]) {
      const edits = new Map<string, Edit>()
      for (const [index, { number }] of made.entries()) {
        const record = shown.get(number)
        assert.ok(record)
        const edit =
          index % 2 === turn ? await inModel(number) : await editSource(service, idOf.get(number) ?? '', record, chance)
        if (edit !== undefined) edits.set(number, edit)
      }
      const doors = await everyDoor(service, sample)
      compare(shown, doors, edits)
      shown = doors.get('export of marcjson') ?? assert.fail()
    }
  })
})
