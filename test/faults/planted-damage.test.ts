import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createStateInspector } from '#imports/check-state.ts'
import { rulesText } from '#domain/search/index-rules.ts'
import { workOnImport } from '#imports/work-on-import.ts'
import { createContentInspector } from '#media/check-contents.ts'
import { openStore } from '#store/open-store.ts'
import type { IntegrityReport } from '#store/ports/administration.ts'
import { openLink, readServers } from '#store/postgres/connection.ts'
import { database as onServer } from '#store/postgres/check.ts'
import { postgresDialect } from '#store/postgres/dialect.ts'
import { checkRows } from '#store/query/check.ts'
import { checksOf } from '#store/query/checks.ts'
import { Findings } from '#store/query/findings.ts'
import type { Run } from '#store/query/dialect.ts'
import { cacheStatements } from '#store/sqlite/connection.ts'
import { database as inFile } from '#store/sqlite/check.ts'
import { sqliteDialect } from '#store/sqlite/dialect.ts'
import { tableNames } from '#store/tables.ts'
import { checkCatalogue } from '../../src/cli/check.ts'
import { moment } from '../support/records/changes.ts'
import { createTestDatabase, runStatement, testStore } from '../support/databases/database.ts'
import { aPerson, aVenue, aWork, relations } from '../support/records/entities.ts'
import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { aPng, putBytes } from '../support/records/media.ts'
import { allowLoopback, startReceiver } from '../support/services/receiver.ts'
import { runCli } from '../support/services/run-cli.ts'
import { startS3 } from '../support/services/s3-server.ts'
import { adminToken, secretKey, start, temporaryFolder, type TestService } from '../support/services/start.ts'
import { snapshotBytes } from '../support/records/snapshot-bytes.ts'
import { damages } from './planted-damage.ts'

/* A catalogue with everything in it has no problems; every kind of damage to it is one. */

const media = temporaryFolder({ after })
const receiver = await startReceiver({ after })
const service = await start({ after }, { MEDIA_URL: `file:${media}`, ...allowLoopback })
const { libretto } = service
const { databaseUrl } = libretto.config
await fill(service)

describe('check', () => {
  it('finds no problem where everything happened that can: merges, purges, undos, clean-up', async () => {
    const report = await checkCatalogue(libretto, { readsBytes: true })
    assert.deepEqual(report.problems, [])
    assert.match(report.notices.join(), /1 relations to records that never existed, such as Entity "WAITING"/)
  })

  it('has checks, and planted damage, for every table', () => {
    for (const table of tableNames) {
      const { rows = [], page } = checksOf[table]
      assert.ok(rows.length > 0 || page, table)
      assert.ok(
        damages.some(each => each.of === table),
        table
      )
    }
    const kinds = damages.filter(({ on = testStore }) => on === testStore)
    assert.ok(kinds.length >= 53, `${kinds.length} kinds`)
  })

  for (const { name, plant, says, on } of damages.filter(({ on = testStore }) => on === testStore))
    it(`finds that ${name}${on ? ` (${on})` : ''}`, async () => {
      const { ok, problems } = await checkWithDamage(plant)
      assert.equal(ok, false)
      assert.ok(
        problems.some(each => says.test(each)),
        problems.join('\n')
      )
    })

  it('lists the first of each kind, and counts the others', async () => {
    const { problems } = await checkWithDamage(
      Array.from(
        { length: 30 },
        (_, number) => `INSERT INTO identifiers VALUES ('stray ${number}', 88888${number})`
      ).join(';')
    )
    assert.equal(problems.length, 21)
    assert.match(problems.at(-1) ?? '', /… and 10 more of this kind \(rows of identifiers without an entity\)/)
  })
})

describe('check of the snapshot of the index', () => {
  it('finds one that is damaged, or ahead of the database, and leaves one of another program', async t => {
    const folder = temporaryFolder(t)
    const file = testStore === 'sqlite' ? join(folder, 'catalogue.db.index') : join(folder, 'index')
    const url = testStore === 'sqlite' ? `sqlite:${join(folder, 'catalogue.db')}` : await createTestDatabase(t)
    await using store = await openStore(url, libretto.model, { indexSnapshot: file })
    const [row] = await runStatement(url, `SELECT value FROM properties WHERE name = 'epoch'`)
    const bytes = snapshotBytes(
      { change: 9, recent: [] } as unknown as Parameters<typeof snapshotBytes>[0],
      JSON.stringify([row?.value, rulesText(libretto.model)])
    )
    const problemsWith = async (content: Uint8Array) => {
      writeFileSync(file, content)
      return (await store.check()).problems.join()
    }
    assert.match(await problemsWith(bytes), /snapshot of the index, ".+", has changes up to 9, the database up to 0/)
    assert.match(await problemsWith(bytes.subarray(0, 10)), /snapshot of the index, ".+", is damaged. Delete the file/)
    bytes[bytes.length - 9] = 1
    assert.match(await problemsWith(bytes), /is damaged/)
    assert.equal(await problemsWith(Buffer.from('LIBIDX00 of another program')), '')
  })
})

describe('check of media files', () => {
  it('finds bytes that are lost or cut in a folder, and damaged ones where it reads them', async t => {
    const folder = temporaryFolder(t)
    const own = await start(t, { MEDIA_URL: `file:${folder}` })
    const [lost, cut, damaged] = await threePictures(own)
    const fileOf = (hash: string) => join(folder, 'content', hash.slice(0, 2), hash.slice(2))
    assert.ok(readdirSync(join(folder, 'content')).length > 0)
    rmSync(fileOf(lost.hash))
    writeFileSync(fileOf(cut.hash), 'short')
    writeFileSync(fileOf(damaged.hash), Buffer.alloc(damaged.size))
    await assertLost(own, lost.id, cut.id, damaged.id)
  })

  it('finds the same in a bucket', async t => {
    const own = await start(t, { MEDIA_URL: await startS3(t) })
    const [lost, cut, damaged] = await threePictures(own)
    const { contents } = own.libretto.media
    const [short, wrong] = ['short', 'wrong'].map(name => join(temporaryFolder(t), name)) as [string, string]
    writeFileSync(short, 'short')
    writeFileSync(wrong, Buffer.alloc(damaged.size))
    await contents.remove(lost.hash)
    await contents.remove(cut.hash)
    await contents.put(cut.hash, short, 5)
    await contents.remove(damaged.hash)
    await contents.put(damaged.hash, wrong, damaged.size)
    await assertLost(own, lost.id, cut.id, damaged.id)
  })
})

describe('npx libretto check', () => {
  const env = { DATABASE_URL: databaseUrl, MEDIA_URL: `file:${media}`, SECRET_KEY: secretKey }

  it('removes relations to deleted records with --repair, in a new version, and no others', async () => {
    await runStatement(
      databaseUrl,
      `UPDATE relations SET target = 'GONE' WHERE entity_pk = (SELECT pk FROM entities WHERE id = 'REPAIRED')`
    )
    await runStatement(
      databaseUrl,
      `UPDATE entities SET document = replace(document, '"AUTHOR"', '"GONE"') WHERE id = 'REPAIRED'`
    )
    const found = await runCli(['check'], { env })
    assert.equal(found.code, 1)
    assert.match(
      found.err,
      /1 problems in \d+ records:\n {2}Entity "REPAIRED": the relation refAuthors leads to "GONE"/
    )

    const repaired = await runCli(['check', '--repair'], { env })

    assert.equal(repaired.code, 0, repaired.err)
    assert.match(repaired.out, /Entity "REPAIRED": the relation refAuthors to "GONE" was removed/)
    assert.match(repaired.out, /records, no problems/)
    const { body } = await service.get('/entities/REPAIRED')
    assert.deepEqual([body.relations, body.version, body.audit.updated.by], [[], 2, 'operator'])
    assert.equal((await service.get('/entities/WAITING')).body.relations.length, 1)
  })

  it('says which tables are gone from a database that cannot be opened', async t => {
    const url = await createTestDatabase(t)
    await using _prepared = await openStore(url, libretto.model)
    await runStatement(url, 'DROP TABLE versions')
    const { code, err } = await runCli(['check'], { env: { ...env, DATABASE_URL: url } })
    assert.equal(code, 1)
    assert.match(err, /The table "versions" is gone. Restore a backup/)
  })
})

/** Checks the catalogue with damage, in a transaction that is rolled back. */
async function checkWithDamage(plant: string): Promise<IntegrityReport> {
  const statements = plant.split(';').map(each => each.trim())
  const findings = new Findings()
  const inspectors = [
    createStateInspector(),
    createContentInspector(libretto.model, libretto.media.contents, { readsBytes: false })
  ]
  const inspector = {
    entities: async (page: never) => (await Promise.all(inspectors.map(each => each.entities?.(page) ?? []))).flat(),
    state: async (page: never, find: never) => inspectors[0]?.state?.(page, find) ?? [],
    finish: () => inspectors[0]?.finish?.() ?? []
  }
  const { model } = libretto
  if (testStore === 'sqlite') {
    using db = new DatabaseSync(databaseUrl.slice('sqlite:'.length), {
      timeout: 5000,
      enableForeignKeyConstraints: false
    })
    db.exec('BEGIN IMMEDIATE')
    for (const each of statements) db.exec(each)
    const run: Run = cacheStatements(db)
    await checkRows({ session: { dialect: sqliteDialect, model, run }, findings, options: { inspector } }, inFile)
    db.exec('ROLLBACK')
    return findings.report
  }
  const link = await openLink(readServers(databaseUrl, 'primary'))
  try {
    await link.run('BEGIN')
    for (const each of statements) await link.run(each)
    const run: Run = ({ text, parameters }) => link.run(text, parameters)
    await checkRows({ session: { dialect: postgresDialect, model, run }, findings, options: { inspector } }, onServer)
    await link.run('ROLLBACK')
    return findings.report
  } finally {
    await link.close()
  }
}

/** Does everything that a catalogue can: each kind of record, act, import and clean-up. */
async function fill({ create, post, patch, delete: remove, tokenWith }: TestService) {
  const { store, parts } = libretto
  await create(aPerson('Old', { id: 'OLD' }))
  await patch('/entities/OLD', { metadata: [{ key: 'name', value: 'Older' }] })
  await create(aVenue('Early', { id: 'EARLY' }))
  await remove('/entities/EARLY')
  await create(aVenue('Earlier', { id: 'EARLIER' }))
  await post('/entities/OLD/revert', { version: 1 })
  const then = await moment()
  for (let next: string | undefined = ''; next !== undefined; ) next = (await store.deleteVersions(then, next)).next
  await store.deleteChanges(then)

  await create(aPerson('Author', { id: 'AUTHOR' }))
  const live = aWork('Live', { id: 'LIVE', identifiers: ['urn:live'], relations: relations({ refAuthors: 'AUTHOR' }) })
  await create(live)
  for (const value of ['Two', 'Three']) await patch('/entities/LIVE', { metadata: [{ key: 'title', value }] })
  await create(aPerson('Alone', { id: 'ALONE' }))
  await create(aWork('Repaired', { id: 'REPAIRED', relations: relations({ refAuthors: 'AUTHOR' }) }))
  await create(aWork('Waiting', { id: 'WAITING', relations: relations({ refAuthors: 'NOBODY' }) }), '?allow_dangling=1')
  for (const id of ['GONE', 'PURGED', 'BACK']) await create(aVenue(id, { id }))
  for (const id of ['GONE', 'PURGED', 'BACK']) await remove(`/entities/${id}`)
  await remove('/entities/PURGED?purge=1')
  await post('/entities/BACK/revert', { version: 1 })

  for (const id of ['SURVIVOR', 'VICTIM', 'OTHER', 'PURGED-MERGE'])
    await create(aVenue(id, { id, identifiers: [`urn:${id}`] }))
  await create(aWork('Referring', { id: 'REFERRING', relations: relations({ seeAlso: 'VICTIM' }) }))
  for (const victim of ['VICTIM', 'OTHER', 'PURGED-MERGE'])
    assert.equal((await post('/entities/SURVIVOR/merge', { victim_id: victim })).status, 200)
  assert.equal((await post('/entities/SURVIVOR/unmerge', { victim_id: 'PURGED-MERGE' })).status, 200)
  assert.equal((await post('/entities/SURVIVOR/unmerge', { victim_id: 'OTHER' })).status, 200)
  await remove('/entities/PURGED-MERGE')
  await remove('/entities/PURGED-MERGE?purge=1')

  await post('/entities', aPerson('Once', { id: 'ONCE' }), { headers: { 'idempotency-key': 'once' } })
  await tokenWith('read')
  const { body: token } = await post('/tokens', { name: 'revoked', scopes: ['read'] })
  await remove(`/tokens/${token.id}`)
  await post('/tokens', { name: 'ending', scopes: ['read'], expires_at: '2999-01-01' })
  const hook = { url: receiver.url, from: 'now' }
  const [{ body: webhook }, { body: gone }] = [await post('/webhooks', hook), await post('/webhooks', hook)]
  assert.equal((await post(`/webhooks/${webhook.id}/test`, {})).status, 200)
  await remove(`/webhooks/${gone.id}`)
  await store.holdLease('a task', 'somebody', 60_000)
  await create({ type: 'mediafile', id: 'PICTURE', metadata: [{ key: 'mediafile_type', value: 'posters' }] })
  assert.equal((await putBytes(service, '/mediafiles/PICTURE/content', aPng())).status, 200)

  const file = Object.entries(saltRoad)
  for (const shelf of [file.slice(0, 2), file.slice(2)]) {
    const { statusCode, body } = await service.app.inject({
      method: 'POST',
      url: '/imports',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/marc' },
      payload: marcFile(Object.fromEntries(shelf))
    })
    assert.equal(statusCode, 202, body)
    const { id } = JSON.parse(body)
    await workOnImport(parts, id, () => false)
    // The second is undone.
    if (shelf[0] === file[0]) continue
    assert.equal((await post(`/imports/${id}/undo`, undefined)).status, 202)
    await workOnImport(parts, id, () => false)
    assert.equal((await service.get(`/imports/${id}`)).body.state, 'undone')
  }
}

async function threePictures(own: TestService) {
  const pictures: { id: string; hash: string; size: number }[] = []
  for (const width of [3, 4, 5]) {
    const { id } = await own.create({ type: 'mediafile', metadata: [{ key: 'mediafile_type', value: 'posters' }] })
    const bytes = aPng(width)
    const { body } = await putBytes(own, `/mediafiles/${id}/content`, bytes)
    const { value } = body.metadata.find((each: { key: string }) => each.key === 'sha256')
    pictures.push({ id, hash: value, size: bytes.length })
  }
  return pictures as [(typeof pictures)[0], (typeof pictures)[0], (typeof pictures)[0]]
}

async function assertLost(own: TestService, lost: string, cut: string, damaged: string) {
  const quick = (await checkCatalogue(own.libretto)).problems
  assert.match(
    quick.join('\n'),
    new RegExp(`Media file "${lost}": its bytes \\(sha256 \\w+\\) are not stored. Restore`)
  )
  assert.match(quick.join('\n'), new RegExp(`Media file "${cut}": its bytes \\(sha256 \\w+\\) are 5 in number`))
  assert.equal(quick.length, 2)
  const whole = (await checkCatalogue(own.libretto, { readsBytes: true })).problems
  assert.match(whole.join('\n'), new RegExp(`Media file "${damaged}": its bytes are damaged`))
  assert.equal(whole.length, 3)
}
