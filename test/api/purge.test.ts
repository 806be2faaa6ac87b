import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { readTables } from '../support/databases/database.ts'
import { aPerson, aProduction, relations } from '../support/records/entities.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { createMediafile, getBytes, sha256 } from '../support/records/media.ts'
import { importPayload } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, patch, post } = service
const { media, store } = service.libretto
const remove = service.delete

/** The rows of the database that contain a word, by table. */
async function rowsWith(word: string): Promise<string[]> {
  const tables = Object.entries(await readTables(service.libretto.config.databaseUrl))
  return tables.flatMap(([table, rows]) => rows.filter(row => row.includes(word)).map(row => `${table}: ${row}`))
}

const newestActs = async (count: number) => (await get(`/audit?limit=${count}`)).body.acts

describe('DELETE /entities/{id}?purge=1', () => {
  it('erases every trace of the content: versions, index, changes, outcomes, merges, former identifiers', async () => {
    const editor = await service.libretto.tokens.create({ name: 'Quaestrix', scopes: ['read', 'write'] }, 'test')
    const { cursor } = (await get('/changes?limit=1000')).body
    const made = await post('/entities', aPerson('Zyzanowska, Pia', { identifiers: ['zyz@example.org'] }), {
      token: editor.token,
      headers: { 'idempotency-key': 'k-zyz' }
    })
    assert.equal(made.status, 201, made.text)
    const { id, _id: uuid } = made.body
    await patch(`/entities/${id}`, { metadata: [{ key: 'name', value: 'Zyzanowska, Maria Pia' }] })
    const other = await create(aPerson('Zyzanowska, P.'))
    assert.equal((await post(`/entities/${id}/merge`, { victim_id: other.id })).status, 200)
    assert.ok((await rowsWith('yzanowska')).length > 5)

    assert.equal((await remove(`/entities/zyz@example.org?purge=1`)).status, 204)

    assert.deepEqual(await rowsWith('yzanowska'), [])
    assert.deepEqual(await rowsWith('zyz@example.org'), [])
    assert.deepEqual(
      (await rowsWith('Quaestrix')).filter(row => !row.startsWith('tokens: ')),
      []
    )
    // The tombstone: harvesters and readers of the feed learn that it is gone.
    assertProblem(await get(`/entities/${id}`), 'not_found')
    const { changes } = (await get(`/changes?ids=${id},${other.id}&since=${cursor}`)).body
    assert.deepEqual(
      changes.map((each: { type: string; subject: string; data: unknown }) => [each.type, each.subject, each.data]),
      [other, { id, _id: uuid }].map((each, index) => [
        'entity.purged',
        each.id,
        { id: each.id, _id: each._id, type: 'person', version: index === 0 ? 3 : 5, by: '' }
      ])
    )
    const harvested = await get(`/oai?verb=GetRecord&metadataPrefix=libretto&identifier=oai:libretto.invalid:${id}`)
    assert.match(harvested.text, /<header status="deleted">/)
    const history = (await get(`/entities/${id}/history`)).body
    assert.deepEqual(
      history.results.map((each: { version: number; kind: string; by: string }) => [each.version, each.kind, each.by]),
      [[5, 'deleted', '']]
    )
    assertProblem(await post(`/entities/${id}/revert`, { version: 1 }), 'not_found')
    // It is told who did it, and of which record.
    const [act] = await newestActs(1)
    assert.deepEqual([act.act, act.subject, act.by], ['record.purge', id, 'token:admin'])
    assert.deepEqual((await store.check()).problems, [])
  })

  it('works on a deleted record, and once more on a purged one', async () => {
    const { id } = await create(aPerson('Wexelblatt, Tom'))
    await remove(`/entities/${id}`)
    assert.ok((await rowsWith('Wexelblatt')).length > 0)

    assert.equal((await remove(`/entities/${id}?purge=1`)).status, 204)
    assert.deepEqual(await rowsWith('Wexelblatt'), [])
    assert.equal((await remove(`/entities/${id}?purge=1`)).status, 204)
    assertProblem(await remove('/entities/never-was?purge=1'), 'not_found')
    // The id is free again.
    assert.equal((await create(aPerson('Somebody else', { id }))).id, id)
    assert.deepEqual((await store.check()).problems, [])
  })

  it('refuses while other records refer to it, unless they are detached', async () => {
    const person = await create(aPerson('Refer, Ada'))
    const production = await create(aProduction({}, { relations: relations({ refDirected: person.id }) }))
    assertProblem(await remove(`/entities/${person.id}?purge=1`), 'still_referenced')
    assert.equal((await get(`/entities/${person.id}`)).status, 200)

    assert.equal((await remove(`/entities/${person.id}?purge=1&references=detach`)).status, 204)
    assert.deepEqual((await get(`/entities/${production.id}`)).body.relations, [])
    assert.deepEqual(await rowsWith('Refer, Ada'), [])
  })

  it('removes the bytes of media files at once, unless another media file has the same', async () => {
    const [own, shared] = [Buffer.from('own bytes'), Buffer.from('shared bytes')]
    const { production, mediafile } = await createMediafile(service, own)
    const second = await createMediafile(service, shared, 'posters', production)
    const elsewhere = await createMediafile(service, shared)
    assert.equal((await remove(`/entities/${mediafile}?purge=1`)).status, 204)
    assert.equal(await media.contents.find(sha256(own)), undefined)

    assert.equal((await remove(`/entities/${production}?purge=1&references=delete_parts`)).status, 204)
    assert.ok(await media.contents.find(sha256(shared)))
    assert.equal((await getBytes(service, `/mediafiles/${elsewhere.mediafile}/content`)).status, 200)
    const { purged } = (await newestActs(1))[0].details
    assert.deepEqual(purged, [production, second.mediafile])
    assert.deepEqual(await rowsWith(second.mediafile), (await rowsWith(second.mediafile)).filter(isTombstone))
  })

  it('removes no bytes for a record without content that names their hash, or no hash at all', async () => {
    const bytes = Buffer.from('bytes of a file that nobody purges')
    const { mediafile } = await createMediafile(service, bytes)
    const named = [sha256(bytes), 'not a hash', 42].map(value => ({ key: 'sha256', value }))
    const { id } = await create({ ...aPerson('Hash, Ada'), metadata: [{ key: 'name', value: 'Hash, Ada' }, ...named] })
    assert.equal((await remove(`/entities/${id}?purge=1`)).status, 204)
    assert.equal((await getBytes(service, `/mediafiles/${mediafile}/content`)).status, 200)
  })

  it('removes the source record of an import, and what was read from it', async () => {
    const shelf = {
      diary:
        '100 1# $aQuillfeather, Ida\n245 14 $aThe Brondesbury diary /$cIda Quillfeather.\n264 #1 $aGent :$bDe Kade,$c1951.'
    }
    await importPayload(service, marcFile(shelf), { query: '?name=diary.mrc' })
    const found = (await service.filter([{ type: 'search', value: 'Brondesbury' }])).body.results
    const idOf = (prefix: string) => found.find((each: { type: string }) => each.type.startsWith(prefix)).id
    for (const id of ['manifestation', 'expression', 'work'].map(idOf))
      assert.equal((await remove(`/entities/${id}?purge=1&references=detach`)).status, 204)
    assert.deepEqual(await rowsWith('Brondesbury'), [])
    const [person] = (await service.filter([{ type: 'search', value: 'Quillfeather' }])).body.results
    assert.equal((await remove(`/entities/${person.id}?purge=1`)).status, 204)
    assert.deepEqual(await rowsWith('uillfeather'), [])
  })

  it('is for admins only, and writes nothing with dry_run or soft', async () => {
    const { id } = await create(aPerson('Stays, Eva'))
    const token = await service.tokenWith('read', 'write', 'delete')
    assertProblem(await remove(`/entities/${id}?purge=1`, { token }), 'forbidden')
    assertProblem(await remove(`/entities/${id}?purge=1&soft=1`, { token }), 'forbidden')
    assert.equal((await remove(`/entities/${id}?purge=1&dry_run=1`)).status, 204)
    assert.equal((await remove(`/entities/${id}?purge=1&soft=1`)).status, 200)
    assert.equal((await get(`/entities/${id}`)).status, 200)
  })
})

describe('VERSIONS_KEPT_DAYS', () => {
  it('deletes versions that were replaced before, and their changes, and no others', async () => {
    const { id } = await create(aPerson('Version one'))
    await patch(`/entities/${id}`, { metadata: [{ key: 'name', value: 'Version two' }] })
    const moment = (await get(`/entities/${id}`)).body.audit.updated.at
    await patch(`/entities/${id}`, { metadata: [{ key: 'name', value: 'Version three' }] })
    const before = new Date(Date.parse(moment) + 1).toISOString()
    for (let next: string | undefined = ''; next !== undefined; ) next = (await store.deleteVersions(before, next)).next

    assert.deepEqual(await rowsWith('Version one'), [])
    const kinds = (await get(`/entities/${id}/history`)).body.results.map((each: { kind: string }) => each.kind)
    assert.deepEqual(kinds, ['updated', 'updated'])
    assertProblem(await get(`/entities/${id}?version=1`), 'not_found')
    assert.equal((await get(`/entities/${id}?version=2`)).status, 200)
    assert.deepEqual((await store.check()).problems, [])
  })
})

const isTombstone = (row: string) => /^(?:changes|versions|acts): /.test(row)
