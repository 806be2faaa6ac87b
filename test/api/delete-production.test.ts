import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aRecord, relations } from '../support/records/entities.ts'
import { createMediafile, getBytes } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })

async function createShow() {
  const { production, mediafile } = await createMediafile(service, Buffer.from('poster'))
  const other = (await service.create(aProduction({ title: 'Other' }))).id
  const shared = await service.create(
    aRecord(
      'mediafile',
      { mediafile_type: 'rider', external_url: 'https://example.org/r' },
      { refProductions: [production, other] }
    )
  )
  const performance = await service.create(
    aRecord('performance', { start: '2026-12-01T20:00:00Z' }, { refProduction: production })
  )
  const person = await service.create(aPerson('Regisseur', { relations: relations({ refDirected: production }) }))
  return { production, other, mediafile, shared: shared.id, performance: performance.id, person: person.id }
}

describe('Deleting a production', () => {
  it('is refused while it has parts, and names them', async () => {
    const show = await createShow()
    const answer = await service.delete(`/entities/${show.production}`)
    assertProblem(answer, 'still_referenced')
    assert.deepEqual(
      answer.body.references.map((each: { id: string }) => each.id).sort(),
      [show.mediafile, show.shared, show.performance, show.person].sort()
    )
  })

  it('with its parts says what became of each: its own are deleted, what others have too stays', async () => {
    const show = await createShow()
    const answer = await service.delete(`/entities/${show.production}?references=delete_parts`)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.deleted.sort(), [show.mediafile, show.performance].sort())
    assert.deepEqual(answer.body.detached.sort(), [show.shared, show.person].sort())
    for (const id of [show.production, show.mediafile, show.performance])
      assert.equal((await service.get(`/entities/${id}`)).status, 404)
    assert.deepEqual(
      (await service.get(`/entities/${show.shared}`)).body.relations,
      relations({ refProductions: show.other })
    )
    assert.equal((await service.post(`/entities/${show.production}/revert`, { version: 1 })).status, 200)
    assert.equal((await service.post(`/entities/${show.mediafile}/revert`, { version: 1 })).status, 200)
    assert.equal((await getBytes(service, `/mediafiles/${show.mediafile}/content`)).bytes.toString(), 'poster')
  })

  it('with its parts changes nothing on a dry run, or where one may not be deleted', async () => {
    const show = await createShow()
    const dry = await service.delete(`/entities/${show.production}?references=delete_parts&dry_run=1`)
    assert.equal(dry.body.deleted.length, 2)
    const token = await service.tokenWith('read', 'write', 'delete:production')
    assertProblem(await service.delete(`/entities/${show.production}?references=delete_parts`, { token }), 'forbidden')
    for (const id of Object.values(show)) assert.equal((await service.get(`/entities/${id}`)).status, 200)
  })
})
