import assert from 'node:assert/strict'

import type { TestService } from './start.ts'

/** Creates many records, 500 in a request. */
export async function createMany(service: TestService, records: readonly object[]) {
  for (let at = 0; at < records.length; at += 500) {
    const made = await service.post(
      '/entities/batch?atomic=1',
      records.slice(at, at + 500).map(each => ({ op: 'create', ...each }))
    )
    assert.equal(made.status, 200, made.text.slice(0, 300))
  }
}
