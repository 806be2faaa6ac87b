import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, metadata } from '../support/records/entities.ts'
import { until } from '../support/services/receiver.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const secret = 'Nachtegaal'
const { id } = await service.create(aPerson(`Secret ${secret}`))
await service.patch(`/entities/${id}`, { metadata: metadata({ note: secret }) })
const token = await service.tokenWith('write:person')

describe('A token that writes but does not read', () => {
  const answers: Readonly<Record<string, () => Promise<{ status: number; text: string }>>> = {
    'PATCH with nothing': () => service.patch(`/entities/${id}?dry_run=1`, {}, { token }),
    'PATCH with something': () => service.patch(`/entities/${id}`, { metadata: metadata({ a: 'x' }) }, { token }),
    'a version before': () => service.post(`/entities/${id}/revert?dry_run=1`, { version: 1 }, { token }),
    'its metadata': () => service.post(`/entities/${id}/metadata`, metadata({ b: 'x' }), { token }),
    'its relations': () => service.patch(`/entities/${id}/relations`, [], { token }),
    'a batch': () => service.post('/entities/batch', [{ op: 'patch', id, entity: {} }], { token }),
    'an atomic batch': () => service.post('/entities/batch?atomic=1', [{ op: 'patch', id, entity: {} }], { token }),
    'many at once': () => service.put('/entities', [{ id, type: 'person' }], { token }),
    'a change of an old version': () =>
      service.patch(
        `/entities/${id}`,
        { metadata: metadata({ note: 'other' }) },
        { token, headers: { 'if-match': '"1"', prefer: 'merge' } }
      )
  }
  for (const [what, send] of Object.entries(answers))
    it(`is told nothing of the record by ${what}`, async () => {
      const { status, text } = await send()

      assert.ok([200, 201, 403, 412].includes(status), text)
      assert.doesNotMatch(text, new RegExp(secret))
    })

  it('is told the id and the version of what it wrote', async () => {
    const answer = await service.patch(`/entities/${id}`, { metadata: metadata({ c: 'x' }) }, { token })

    assert.deepEqual(Object.keys(answer.body), ['id', 'version', 'warnings'])
    assert.equal(answer.headers.etag, `"${answer.body.version}"`)
    // The warning is the same when the record has the key already.
    const again = await service.patch(`/entities/${id}`, { metadata: metadata({ c: 'y' }) }, { token })
    assert.deepEqual(again.body.warnings, answer.body.warnings)
    const created = await service.post('/entities', aPerson('New'), { token })
    assert.deepEqual(Object.keys(created.body), ['id', 'version'])
  })
})

describe('An import of a file that says that records are deleted', () => {
  const marc = (status: string) =>
    [
      `=LDR  00000${status}am a2200000 i 4500`,
      '=001  del-1',
      '=003  NL-Test',
      '=100  1\\$aAuthor, Some',
      '=245  10$aA book that goes',
      '=264  \\1$bPublisher$c2001',
      ''
    ].join('\n')
  const importAs = async (scopes: string[], status: string) => {
    const { token: sender } = await service.libretto.tokens.create({ name: 'importer', scopes }, 'test')
    const headers = { 'content-type': 'text/plain' }
    const { body } = await service.post('/imports?format=mrk', marc(status), { token: sender, headers })
    await until(
      async () => ['done', 'failed'].includes((await service.get(`/imports/${body.id}`)).body.state),
      60_000,
      () => `the import ends: ${JSON.stringify(body)}`
    )
    return (await service.get(`/imports/${body.id}`)).body
  }

  it('deletes them only for a token that may delete', async () => {
    service.libretto.startBackground(() => {})
    assert.equal((await importAs(['read', 'write'], 'n')).state, 'done')
    const kept = await importAs(['read', 'write'], 'd')
    assert.deepEqual([kept.state, kept.counts.deleted], ['done', 0])
    const remarks = (await service.get(`/imports/${kept.id}/remarks`)).text
    assert.match(remarks, /no scope `delete`/)

    const deleted = await importAs(['read', 'write', 'delete'], 'd')
    assert.ok(deleted.counts.deleted > 0, JSON.stringify(deleted))
  })
})
