import assert from 'node:assert/strict'
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { createTestDatabase, testStore } from '../support/database.ts'
import { aPerson } from '../support/entities.ts'
import { aForm, aPng } from '../support/media.ts'
import { runCli, serve } from '../support/run-cli.ts'
import { startS3 } from '../support/s3-server.ts'
import { adminToken, start, temporaryFolder } from '../support/start.ts'

/* Mistakes that operators make, and that must not pass for success. */

/** The file of SQLite is tested once, with the tests on SQLite. */
const itWithFile = testStore === 'sqlite' ? it : () => {}

describe('a command without a database', () => {
  itWithFile('says where it looked, and creates none', async t => {
    const cwd = temporaryFolder(t)
    writeFileSync(join(cwd, 'in.ndjson'), `${JSON.stringify(aPerson())}\n`)
    for (const words of [
      ['token', 'create', '--name', 'kiosk', '--scope', 'read'],
      ['token', 'list'],
      ['import', 'in.ndjson'],
      ['import', 'in.ndjson', '--dry-run']
    ]) {
      const { code, out, err } = await runCli(words, { cwd })
      assert.deepEqual([code, out], [1, ''], words.join(' '))
      assert.ok(err.startsWith(`There is no database "${join(cwd, 'data/libretto.db')}". DATABASE_URL is `), err)
    }
    assert.ok(!existsSync(join(cwd, 'data')))
  })

  itWithFile('creates one where that is asked for', async t => {
    const cwd = temporaryFolder(t)
    const made = await runCli(['token', 'create', '--name', 'kiosk', '--scope', 'read', '--create-database'], { cwd })
    assert.equal(made.code, 0, made.err)
    assert.match((await runCli(['token', 'list'], { cwd })).out, /kiosk/)
  })
})

describe('a restore', () => {
  const isRoot = process.getuid?.() === 0

  itWithFile('leaves the database to its owner, also when root runs it', { skip: !isRoot && 'needs root' }, async t => {
    const folder = temporaryFolder(t)
    const database = join(folder, 'data/libretto.db')
    const env = { DATABASE_URL: `sqlite:${database}` }
    await runCli(['token', 'create', '--name', 'one', '--scope', 'read', '--create-database'], { env })
    assert.equal((await runCli(['backup', join(folder, 'backup.db')], { env })).code, 0)
    const ownerOf = (path: string) => [statSync(path).uid, statSync(path).gid]
    for (const path of [database, join(folder, 'data')]) chownSync(path, 1234, 2345)
    const restored = await runCli(['restore', join(folder, 'backup.db')], { env })
    assert.equal(restored.code, 0, restored.err)
    assert.deepEqual(ownerOf(database), [1234, 2345])

    // Without a file before, the owner of the folder has it.
    mkdirSync(join(folder, 'other'))
    chownSync(join(folder, 'other'), 1234, 2345)
    const other = { DATABASE_URL: `sqlite:${join(folder, 'other/libretto.db')}` }
    assert.equal((await runCli(['restore', join(folder, 'backup.db')], { env: other })).code, 0)
    assert.deepEqual(ownerOf(join(folder, 'other/libretto.db')), [1234, 2345])
    assert.equal(statSync(join(folder, 'other/libretto.db')).mode & 0o777, 0o600)
  })
})

describe('a move', () => {
  itWithFile('says which media files the new database does not reach', async t => {
    const folder = temporaryFolder(t)
    const from = `sqlite:${join(folder, 'from/libretto.db')}`
    const to = `sqlite:${join(folder, 'to/libretto.db')}`
    mkdirSync(join(folder, 'from'))
    const service = await start({ after: () => {} }, { DATABASE_URL: from, MEDIA_URL: `file:${folder}/from/media` })
    const production = await service.create({ type: 'production', metadata: [{ key: 'title', value: 'Hamlet' }] })
    const { body, headers } = aForm({ mediafile_type: 'poster' }, { filename: 'a.png', bytes: aPng(3, 3) })
    const added = await service.call('POST', `/entities/${production.id}/mediafiles`, { body, headers })
    assert.equal(added.status, 201, added.text)
    await service.app.close()
    await service.libretto[Symbol.asyncDispose]()

    const moved = await runCli(['move', '--from', from, '--to', to], {})
    assert.equal(moved.code, 0, moved.err)
    assert.match(
      moved.err,
      /Media files are not moved\. .*to\/media", where 1 of 1 are missing\. .*MEDIA_URL=file:.*from\/media/
    )
    const again = await runCli(['move', '--from', from, '--to', `sqlite:${join(folder, 'beside.db')}`, '--json'], {
      env: { MEDIA_URL: `file:${folder}/from/media` }
    })
    assert.deepEqual([again.code, again.err], [0, ''])
    assert.equal(JSON.parse(again.out).media.missing, 0)
  })
})

describe('a start', () => {
  it('is refused without the bucket of media files', async t => {
    const there = await startS3(t)
    await start(t, { MEDIA_URL: there })
    await assert.rejects(start(t, { MEDIA_URL: there.replace('/media', '/medai') }), {
      message: /^MEDIA_URL: there is no bucket "medai" at 127\.0\.0\.1:\d+; create it, or name another$/
    })
  })

  it('is refused with a model that no longer describes existing records', async t => {
    const file = join(temporaryFolder(t), 'model.json')
    const types = [{ type: 'festival', idPrefix: 'FEST', fields: { title: { kind: 'text' } }, nameField: 'title' }]
    writeFileSync(file, JSON.stringify({ types }))
    const DATABASE_URL = await createTestDatabase(t)
    const first = await start({ after: () => {} }, { DATABASE_URL, MODEL: file })
    const close = async ({ app, libretto }: typeof first) => {
      await app.close()
      await libretto[Symbol.asyncDispose]()
    }
    const { id } = await first.create({ type: 'festival', metadata: [{ key: 'title', value: 'Summer' }] })
    await close(first)
    await assert.rejects(start(t, { DATABASE_URL }), {
      message: /there are records of "festival", which the model does not describe\. Set MODEL/
    })
    const second = await start({ after: () => {} }, { DATABASE_URL, MODEL: file })
    assert.equal((await second.get(`/entities/${id}`)).status, 200)
    assert.equal((await second.delete(`/entities/${id}`)).status, 204)
    await close(second)
    await start(t, { DATABASE_URL })
  })

  itWithFile('prints no token', async t => {
    const cwd = temporaryFolder(t)
    const served = await serve(t, { cwd })
    const token = readFileSync(join(cwd, 'data/admin-token'), 'utf8').trim()
    assert.ok(token.length > 20)
    assert.ok(!served.welcome.includes(token))
    const other = temporaryFolder(t)
    const named = await serve(t, { cwd: other, env: { ADMIN_TOKEN: adminToken } })
    assert.ok(!named.welcome.includes(adminToken))
  })
})

describe('an export', () => {
  itWithFile('that is imported into the same catalogue finds every record again', async t => {
    const cwd = temporaryFolder(t)
    const served = await serve(t, { cwd, env: { SAMPLE_DATA: '1' } })
    await served.stop()
    assert.equal((await runCli(['export', 'all.ndjson'], { cwd })).code, 0)
    const again = await runCli(['import', 'all.ndjson', '--json'], { cwd })
    const { created, replaced, unchanged } = JSON.parse(again.out)
    assert.deepEqual([created, replaced, unchanged], [0, 0, 596])
  })
})
