import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'

import type { Parts } from '#catalogue/parts.ts'
import type { EntityContent } from '#domain/entity/entity.ts'
import { type ImportJob, newImportJob } from '#domain/imports/job.ts'
import { undoImport } from '#imports/undo-import.ts'
import { aPerson, aWork, relations } from '../support/records/entities.ts'
import { entitiesIn } from '../support/records/import-content.ts'
import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { importPayload } from '../support/services/import-file.ts'
import { start, type TestService } from '../support/services/start.ts'

/* An undo while people work: what they refer to stays, and the undo ends and lists it. */

const cycle = Array.from({ length: 6 }, (_, number) =>
  aWork(`Cycle ${number}`, { id: `C-${number}`, relations: relations({ refRelatedWorks: `C-${(number + 1) % 6}` }) })
)
const lines = [...Array.from({ length: 24 }, (_, number) => aPerson(`P ${number}`, { id: `P-${number}` })), ...cycle]

const files = {
  'of entities': { type: 'application/x-ndjson', file: lines.map(each => `${JSON.stringify(each)}\n`).join('') },
  'of MARC records': { type: 'application/marc', file: marcFile(saltRoad) }
} as const

async function importInto(service: TestService, { type, file }: (typeof files)[keyof typeof files]) {
  const body = await importPayload(service, file, { type })
  assert.equal(body.state, 'done')
  const job = newImportJob({ ...body, isPreview: false, options: {}, by: 'test', createdAt: body.created_at })
  return { ...job, counts: { ...job.counts, kept: 0, joinedWorks: 0 } }
}

/** The content of a record of somebody that refers to another. */
const referringTo = (key: string): EntityContent => ({
  id: `R-${key}`,
  uuid: randomUUID(),
  type: 'venue',
  metadata: [{ key: 'name', value: `Refers to ${key}` }],
  relations: [{ type: 'seeAlso', key }],
  otherIdentifiers: []
})

/** The parts of somebody whose colleague refers to every third record just before it is deleted. */
function withColleague(parts: Parts, referred: Set<string>): Parts {
  let deletions = 0
  return {
    ...parts,
    store: {
      ...parts.store,
      async write(unit) {
        for (const each of unit.writes) {
          if (each.kind !== 'delete' || referred.has(each.id) || deletions++ % 3 > 0) continue
          referred.add(each.id)
          await parts.store.write({ writes: [{ kind: 'insert', content: referringTo(each.id) }], by: 'colleague' })
        }
        return parts.store.write(unit)
      }
    }
  }
}

async function assertUndone(service: TestService, undone: ImportJob, referred: ReadonlySet<string>) {
  assert.equal(undone.state, 'undone')
  const { store } = service.libretto
  const left = await entitiesIn(store)
  // A publication that stays is listed, and its expressions and works stay with it.
  const ofImport = [...left.values()].filter(({ id }) => !id.startsWith('R-'))
  const listed = new Set([
    ...(undone.retained ?? []).map(({ id }) => id),
    ...ofImport.flatMap(entity => entity.relations.map(({ key }) => key))
  ])
  assert.ok(undone.retained?.length)
  assert.ok(referred.size > 0)
  for (const id of referred) {
    assert.ok(left.has(id), `${id} is referred to, and is gone`)
    assert.ok(listed.has(id), `${id} stays, and is not listed`)
  }
  assert.deepEqual((await service.get(`/imports/${undone.id}`)).body.retained, undone.retained)
  assert.deepEqual((await store.check()).problems, [])
}

describe('an undo of an import', () => {
  for (const [name, file] of Object.entries(files)) {
    it(`${name} retains what somebody refers to at the last moment, ends, and lists it`, async t => {
      const service = await start(t)
      const job = await importInto(service, file)
      const referred = new Set<string>()
      const undone = await undoImport(withColleague(service.libretto.parts, referred), job)
      await assertUndone(service, undone, referred)
    })

    it(`${name} ends while people refer to its records all the time`, async t => {
      const service = await start(t)
      const job = await importInto(service, file)
      const ids = [...(await entitiesIn(service.libretto.store)).keys()].reverse()
      const referred = new Set<string>()
      let isOver = false
      const first = Promise.withResolvers<void>()
      const people = Array.from({ length: 4 }, async (_, person) => {
        for (let number = person; number < ids.length && !isOver; number += 8) {
          const key = ids[number] ?? ''
          const { id, type, metadata, relations: related } = referringTo(key)
          const { status } = await service.post('/entities', { id, type, metadata, relations: related })
          if (status !== 201) continue
          referred.add(key)
          first.resolve()
        }
      })
      // An undo that is quicker than any of them has nothing to retain.
      await first.promise
      const undone = await undoImport(service.libretto.parts, job)
      isOver = true
      await Promise.all(people)
      await assertUndone(service, undone, new Set([...referred].filter(id => undone.retained?.some(e => e.id === id))))
      const left = await entitiesIn(service.libretto.store)
      for (const id of referred) assert.ok(left.has(id), `${id} is referred to, and is gone`)
    })
  }

  it('restores a record without its relation to one that was deleted meanwhile, and says so', async t => {
    const service = await start(t)
    const author = await service.create(aPerson('Author'))
    const work = await service.create(aWork('Before', { id: 'W-1', relations: relations({ refAuthors: author.id }) }))
    const changed = { ...aWork('After', { id: work.id }), relations: [] }
    const job = await importInto(service, { type: 'application/x-ndjson', file: `${JSON.stringify(changed)}\n` })
    assert.equal((await service.delete(`/entities/${author.id}`)).status, 204)

    const undone = await undoImport(service.libretto.parts, job)

    const { body } = await service.get(`/entities/${work.id}`)
    assert.deepEqual([body.metadata, body.relations], [work.metadata, []])
    assert.equal(undone.state, 'undone')
    const [retained, ...others] = undone.retained ?? []
    assert.deepEqual([retained?.id, others], [work.id, []])
    assert.match(retained?.reason ?? '', new RegExp(author.id))
  })
})
