import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { everything } from '#domain/filter/filter.ts'
import { aVenue } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })

describe('a walk through the catalogue, as exports make it', () => {
  it('ends although others create records as fast as it reads them', async () => {
    for (let number = 0; number < 6; number++) await service.create(aVenue(`House ${number}`, { id: `VE-${number}` }))
    const { catalogue, operator } = service.libretto
    const walked: string[] = []
    let created = 6
    for await (const page of catalogue.lists.walk(operator, { filter: everything }, 2)) {
      walked.push(...page.map(({ id }) => id))
      for (const _ of page) await service.create(aVenue('Another', { id: `VE-${created++}` }))
      assert.ok(walked.length <= 12, 'the walk goes on and on')
    }
    assert.deepEqual(
      walked.filter(id => Number(id.slice(3)) < 6),
      ['VE-0', 'VE-1', 'VE-2', 'VE-3', 'VE-4', 'VE-5']
    )
  })
})
