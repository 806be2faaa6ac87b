import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { readConfig } from '../../src/config.ts'
import { openLibretto } from '../../src/main.ts'
import { createTestDatabase, readTables, runStatement, testStore } from '../support/databases/database.ts'
import { createMediafile } from '../support/records/media.ts'
import { runCli, serve } from '../support/services/run-cli.ts'
import { secretsIn } from '../support/services/service-output.ts'
import { adminToken, secretKey, start, temporaryFolder } from '../support/services/start.ts'

/** Of PostgreSQL the files are its own. */
const itWithFile: typeof it = testStore === 'sqlite' ? it : (((): void => {}) as unknown as typeof it)
const url = 'https://hooks.example.org/x'
const [oneKey, otherKey] = ['one-secret-key-0123456789-0123456789', 'other-secret-key-0123456789-0123456789']

describe('A copy of the database', () => {
  it('signs no ticket that is accepted', async t => {
    const service = await start(t)
    const { mediafile } = await createMediafile(service)
    const { id } = (await service.post('/tokens', { name: 'x', scopes: ['admin'] })).body
    const [{ hash } = {}] = (await service.libretto.store.listTokens()).filter(each => each.id === id)
    const claims = { by: `token:${id}`, action: 'download', id: mediafile, until: Math.floor(Date.now() / 1000) + 300 }
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
    for (const key of [`libretto ticket ${hash}`, String(hash)]) {
      const ticket = `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
      const answer = await service.get(`/mediafiles/${mediafile}/content?ticket=${ticket}`, { token: undefined })
      assert.equal(answer.status, 401)
    }
  })

  it('holds no secret of a webhook', async t => {
    const databaseUrl = await createTestDatabase(t)
    const service = await start(t, { DATABASE_URL: databaseUrl })
    const { secret, id } = (await service.post('/webhooks', { url })).body
    const rotated = (await service.post(`/webhooks/${id}/rotate-secret`, {})).body.secret
    const held = JSON.stringify(await readTables(databaseUrl))

    for (const each of [secret, rotated]) assert.ok(!held.includes(each.slice('whsec_'.length)))
    const [webhook] = await service.libretto.store.listWebhooks()
    assert.deepEqual([webhook?.secret, webhook?.previousSecret], [rotated, secret])
  })
})

describe('Secrets of webhooks', () => {
  const secretsIn = async (databaseUrl: string) =>
    (await runStatement(databaseUrl, 'SELECT secret FROM webhooks')).map(({ secret }) => String(secret))
  const open = async (databaseUrl: string, environment: Record<string, string>) => {
    await using libretto = await openLibretto(
      readConfig({ DATABASE_URL: databaseUrl, ADMIN_TOKEN: adminToken, READERS: '1', ...environment }),
      { followsModel: true }
    )
    return { warnings: libretto.warnings }
  }
  const prepared = async (t: Parameters<typeof createTestDatabase>[0]) => {
    const databaseUrl = await createTestDatabase(t)
    const service = await start(t, { DATABASE_URL: databaseUrl, SECRET_KEY: oneKey })
    const { secret, id } = (await service.post('/webhooks', { url })).body
    return { databaseUrl, secret: secret as string, id: id as string, service }
  }

  it('that were stored in clear are encrypted at the next start', async t => {
    const { databaseUrl, secret, service } = await prepared(t)
    await runStatement(databaseUrl, 'UPDATE webhooks SET secret = $1', secret)
    assert.deepEqual(await secretsIn(databaseUrl), [secret])
    await open(databaseUrl, { SECRET_KEY: oneKey })

    assert.match(String(await secretsIn(databaseUrl)), /^sealed\.v1\./)
    assert.equal((await service.libretto.store.listWebhooks())[0]?.secret, secret)
  })

  it('outlive a change of the key that names the one before', async t => {
    const { databaseUrl, secret } = await prepared(t)
    await open(databaseUrl, { SECRET_KEY: otherKey, SECRET_KEY_PREVIOUS: oneKey })
    const service = await start(t, { DATABASE_URL: databaseUrl, SECRET_KEY: otherKey })

    assert.equal((await service.libretto.store.listWebhooks())[0]?.secret, secret)
  })

  it('that no key opens pause their webhook, which can be given a new one', async t => {
    const { databaseUrl, id } = await prepared(t)
    const { warnings } = await open(databaseUrl, { SECRET_KEY: otherKey, SECRET_KEY_PREVIOUS: 'none' })
    assert.match(warnings.join('\n'), new RegExp(`Webhooks are paused.*${id}`))
    const service = await start(t, { DATABASE_URL: databaseUrl, SECRET_KEY: otherKey })
    assert.equal((await service.get(`/webhooks/${id}`)).body.state, 'paused')
    const rotated = await service.post(`/webhooks/${id}/rotate-secret`, {})

    assert.equal(rotated.status, 200, rotated.text)
    assert.equal((await service.libretto.store.listWebhooks())[0]?.secret, rotated.body.secret)
  })

  it('keep a process with another key from the database, with a sentence; a file without webhooks is opened with a warning', async t => {
    const { databaseUrl, id, service } = await prepared(t)
    await assert.rejects(open(databaseUrl, { SECRET_KEY: otherKey }), /used with another secret key/)
    assert.equal((await service.get(`/webhooks/${id}`)).body.state, 'active')
    if (testStore === 'sqlite') {
      await service.delete(`/webhooks/${id}`)
      const { warnings } = await open(databaseUrl, { SECRET_KEY: otherKey })
      assert.match(warnings.join('\n'), /differs from the previous one of this database/)
    }
  })
})

describe('The data folder', () => {
  itWithFile('and every file in it are for their owner only, also where they were not', async t => {
    const cwd = temporaryFolder(t)
    const env = { SECRET_KEY: '', SAMPLE_DATA: '0' }
    const first = await serve(t, { cwd, env })
    const data = join(cwd, 'data')
    assert.equal(statSync(data).mode & 0o777, 0o700)
    assertPrivate(data, ['libretto.db', 'libretto.db-wal', 'libretto.db-shm', 'admin-token', 'secret-key'])
    const token = readFileSync(join(data, 'admin-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const made = await fetch(`${first.url}/mediafiles`, { method: 'POST', headers, body: '{"filename":"a.txt"}' })
    const { id } = (await made.json()) as { id: string }
    const put = await fetch(`${first.url}/mediafiles/${id}/content`, { method: 'PUT', headers, body: 'abc' })
    assert.equal(put.status, 200, await put.text())
    await first.stop()
    chmodSync(join(data, 'libretto.db'), 0o644)
    writeFileSync(join(data, 'libretto.db-wal'), '', { mode: 0o644 })
    await serve(t, { cwd, env })

    for (const entry of readdirSync(data, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) assert.equal(statSync(join(entry.parentPath, entry.name)).mode & 0o777, 0o600, entry.name)
  })

  itWithFile('gets no new admin token at a later start without tokens', async t => {
    const cwd = temporaryFolder(t)
    const first = await serve(t, { cwd, env: { SAMPLE_DATA: '0' } })
    const [{ id } = { id: '' }] = JSON.parse((await runCli(['token', 'list', '--json'], { cwd })).out)
    assert.equal((await runCli(['token', 'revoke', id], { cwd })).code, 0)
    await first.stop()
    rmSync(join(cwd, 'data', 'admin-token'))
    const second = await serve(t, { cwd, env: { SAMPLE_DATA: '0' } })

    assert.match(second.welcome, /There is no API token\. Create one/)
    assert.ok(!existsSync(join(cwd, 'data', 'admin-token')))
    assert.deepEqual(JSON.parse((await runCli(['token', 'list', '--json'], { cwd })).out), [])
  })
})

function assertPrivate(folder: string, names: readonly string[]) {
  for (const name of names) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name)
}

describe('The search for secrets in what services say', () => {
  it('finds the planted ones anywhere, and others by their form in logs and on standard error', () => {
    const token = `libretto_0123456789ab_${'x'.repeat(43)}`
    assert.equal(secretsIn({ out: `hello\n${adminToken}\n`, err: '' }).length, 1)
    assert.equal(secretsIn({ out: '', err: `no: ${secretKey}` }).length, 1)
    assert.equal(secretsIn({ out: `{"level":30,"msg":"${token}"}\n`, err: '' }).length, 1)
    assert.equal(secretsIn({ out: '', err: `refused ${token}` }).length, 1)
    assert.ok(!secretsIn({ out: '', err: `refused ${token}` })[0]?.includes('xxx'))
    // A command prints the token that it was asked to make.
    assert.deepEqual(secretsIn({ out: `${token}\n`, err: '' }), [])
  })
})
