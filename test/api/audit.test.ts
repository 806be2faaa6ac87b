import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { readConfig } from '../../src/config.ts'
import { openLibretto } from '../../src/main.ts'
import { createTestDatabase, runStatement, testStore } from '../support/databases/database.ts'
import { startServer } from '../support/services/server-process.ts'
import { type Answer, secretKey, start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const databaseUrl = await createTestDatabase({ after })
const service = await start({ after }, { DATABASE_URL: databaseUrl, WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' })
const { get, post } = service
const remove = service.delete

interface Act {
  readonly number: number
  readonly at: string
  readonly by: string
  readonly act: string
  readonly subject: string | null
  readonly address: string | null
  readonly details: Record<string, unknown>
}

const newest = async (count: number): Promise<Act[]> => (await get(`/audit?limit=${count}`)).body.acts

describe('GET /audit', () => {
  it('tells who created and revoked a token, when, and from where, but not the token', async () => {
    const { id, token } = (await post('/tokens', { name: 'desk', scopes: ['read'] })).body
    await remove(`/tokens/${id}`)

    const [revoked, created] = await newest(2)
    assert.deepEqual(
      [created, revoked].map(each => ({ ...each, number: 0, at: '' })),
      [
        {
          number: 0,
          at: '',
          by: 'token:admin',
          act: 'token.create',
          subject: id,
          address: '127.0.0.1',
          details: { name: 'desk', scopes: ['read'], expires_at: null }
        },
        {
          number: 0,
          at: '',
          by: 'token:admin',
          act: 'token.revoke',
          subject: id,
          address: '127.0.0.1',
          details: {}
        }
      ]
    )
    assert.ok(Math.abs(Date.parse(created?.at ?? '') - Date.now()) < 60_000)
    assert.ok(!(await get('/audit')).text.includes(token))
  })

  it('leaves out what was refused', async () => {
    const [last] = await newest(1)
    assert.equal((await post('/tokens', { name: 'x', scopes: ['fly'] })).status, 400)
    assert.equal((await remove('/tokens/unknown')).status, 404)
    assert.equal((await post('/webhooks/unknown/resume', undefined)).status, 404)
    const token = await service.tokenWith('read')
    assertProblem(await post('/tokens', { name: 'x', scopes: ['read'] }, { token }), 'forbidden')

    assert.deepEqual(await newest(1), last ? [last] : [])
  })

  it('has every act on a webhook, without its secrets and without the path of its address', async () => {
    const created = await post('/webhooks', { url: 'http://127.0.0.1:8999/hooks/hidden-part', from: 'now' })
    assert.equal(created.status, 201, created.text)
    const { id, secret } = created.body
    await service.patch(`/webhooks/${id}`, { state: 'paused' })
    const rotated = await post(`/webhooks/${id}/rotate-secret`, undefined)
    await post(`/webhooks/${id}/resume`, undefined)
    await remove(`/webhooks/${id}`)

    const acts = await newest(5)
    assert.deepEqual(
      acts.map(({ act, subject }) => [act, subject]),
      ['delete', 'resume', 'rotate_secret', 'update', 'create'].map(name => [`webhook.${name}`, id])
    )
    assert.deepEqual(acts.at(-1)?.details, { from: 'now', host: '127.0.0.1:8999' })
    const { text } = await get('/audit')
    for (const hidden of [secret, rotated.body.secret, 'hidden-part']) assert.ok(!text.includes(hidden))
  })

  it('has imports: their start, stop and undo', async () => {
    const started = await post('/imports?name=few.ndjson&format=ndjson&preview=1', '{}\n', {
      headers: { 'content-type': 'application/x-ndjson' }
    })
    assert.equal(started.status, 202, started.text)

    const [act] = await newest(1)
    assert.deepEqual(
      [act?.act, act?.subject, act?.details],
      ['import.start', started.body.id, { name: 'few.ndjson', format: 'ndjson', preview: true }]
    )
  })

  it('is read page by page, each act once', async () => {
    for (let count = 0; count < 5; count++) await post('/tokens', { name: `t${count}`, scopes: ['read'] })
    const all: Act[] = (await get('/audit?limit=1000')).body.acts
    const read: Act[] = []
    for (let url = '/audit?limit=3'; url !== ''; ) {
      const { body }: Answer = await get(url)
      assert.ok(body.acts.length <= 3)
      read.push(...body.acts)
      url = body.next ?? ''
    }
    assert.deepEqual(read, all)
    assert.ok(all.every((each, index) => index === 0 || each.number < (all[index - 1]?.number ?? 0)))
  })

  it('is exported whole as NDJSON and as a table', async () => {
    const all: Act[] = (await get('/audit?limit=1000')).body.acts
    const lines = await get('/audit/export')
    assert.match(String(lines.headers['content-type']), /^application\/x-ndjson/)
    assert.deepEqual(
      lines.text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
      all
    )
    const table = await get('/audit/export?format=csv')
    assert.match(String(table.headers['content-type']), /^text\/csv/)
    const rows = table.text.trimEnd().split('\r\n')
    assert.equal(rows[0], 'number,at,by,act,subject,address,details')
    assert.equal(rows.length, all.length + 1)
    assert.ok(rows[1]?.startsWith(`${all[0]?.number},${all[0]?.at},token:admin,token.create,`))
  })

  it('is for admins only', async () => {
    const token = await service.tokenWith('read', 'write', 'delete')
    for (const url of ['/audit', '/audit/export']) {
      assertProblem(await get(url, { token }), 'forbidden')
      assertProblem(await get(url, { token: undefined }), 'unauthenticated')
    }
    assertProblem(await get('/audit?before=0'), 'bad_request')
    assertProblem(await get('/audit?limit=1001'), 'bad_request')
  })
})

describe('An act that cannot be logged', () => {
  const [refuse, accept] =
    testStore === 'postgres'
      ? [
          'ALTER TABLE acts ADD CONSTRAINT refused CHECK (FALSE) NOT VALID',
          'ALTER TABLE acts DROP CONSTRAINT IF EXISTS refused'
        ]
      : [
          `CREATE TRIGGER refused BEFORE INSERT ON acts BEGIN SELECT RAISE(ABORT, 'refused'); END`,
          'DROP TRIGGER IF EXISTS refused'
        ]

  it('is not carried out', async t => {
    const token = (await post('/tokens', { name: 'stays', scopes: ['read'] })).body
    const hook = (await post('/webhooks', { url: 'http://127.0.0.1:8999/', from: 'now' })).body
    await post('/entities', { id: 'GEN-STAYS', type: 'genre', metadata: [{ key: 'name', value: 'stays' }] })
    const state = async () => ({
      tokens: (await get('/tokens')).body,
      webhooks: (await get('/webhooks')).body.map(({ lag, ...rest }: Record<string, unknown>) => rest),
      secrets: await runStatement(databaseUrl, 'SELECT secret, previous_secret FROM webhooks'),
      versions: (await get('/entities/GEN-STAYS/history')).body.count > 0,
      acts: await newest(1)
    })
    const before = await state()
    t.after(() => runStatement(databaseUrl, accept))
    await runStatement(databaseUrl, refuse)
    const answers = [
      await post('/tokens', { name: 'new', scopes: ['read'] }),
      await remove(`/tokens/${token.id}`),
      await post('/webhooks', { url: 'http://127.0.0.1:8999/new', from: 'now' }),
      await service.patch(`/webhooks/${hook.id}`, { description: 'changed' }),
      await post(`/webhooks/${hook.id}/rotate-secret`, undefined),
      await post(`/webhooks/${hook.id}/resume`, undefined),
      await remove(`/webhooks/${hook.id}`),
      await remove('/entities/GEN-STAYS?purge=1')
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 500)
    )
    assert.deepEqual(await state(), before)
    assert.equal((await get('/me', { token: token.token })).status, 200)

    await runStatement(databaseUrl, accept)
    assert.equal((await remove('/entities/GEN-STAYS?purge=1')).status, 204)
    assert.equal((await remove(`/tokens/${token.id}`)).status, 204)
    assert.deepEqual(
      (await newest(2)).map(({ act, subject }) => [act, subject]),
      [
        ['token.revoke', token.id],
        ['record.purge', 'GEN-STAYS']
      ]
    )
  })
})

const settingsOf = (act: { readonly details: unknown } | undefined) =>
  ((act?.details ?? {}) as { settings: Record<string, unknown> }).settings

describe('A start of the service', () => {
  it('is logged when version, settings or model differ from those of the last start, without secrets', async t => {
    const url = await createTestDatabase(t)
    const settings = async (environment: Record<string, string>) => {
      const server = await startServer(t, url, environment)
      assert.equal(await server.stop(), 0)
      const config = readConfig({ DATABASE_URL: url, SECRET_KEY: secretKey })
      await using libretto = await openLibretto(config)
      const acts = await libretto.audit.list(100)
      assert.ok(!JSON.stringify(acts).includes(secretKey))
      return acts.filter(({ act }) => act === 'settings.change')
    }
    const issuers = '[{"issuer":"https://id.example.org","audience":"a","clientId":"c","clientSecret":"planted"}]'
    const [first, ...none] = await settings({ OIDC_ISSUERS: issuers })
    assert.deepEqual(none, [])
    assert.equal(first?.by, 'operator')
    const described = settingsOf(first)
    assert.deepEqual([described.OIDC_ISSUERS, described.SECRET_KEY, described.PORT], ['set', 'set', 0])
    assert.equal((await settings({ OIDC_ISSUERS: issuers })).length, 1)
    const [changed] = await settings({ OIDC_ISSUERS: issuers, BODY_LIMIT: '2048' })
    assert.equal(settingsOf(changed).BODY_LIMIT, 2048)
  })
})
