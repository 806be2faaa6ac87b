import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

import { readTables, testStore } from '../support/databases/database.ts'
import { aPerson, aVenue } from '../support/records/entities.ts'
import { adminToken, start } from '../support/services/start.ts'
import { assertProblem, databaseFile, pointersOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post } = service
const remove = service.delete

const aToken = async (body: Record<string, unknown> = {}) => {
  const answer = await post('/tokens', { name: 'kiosk', scopes: ['read'], ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body as { id: string; token: string; expires_at: string | null }
}

describe('POST /tokens', () => {
  it('answers 201 with the token and its description, and its Location', async () => {
    const answer = await post('/tokens', { name: 'kiosk', scopes: ['read', 'write:production'] })

    assert.equal(answer.status, 201)
    const { token, ...description } = answer.body
    assert.equal(answer.headers.location, `/tokens/${description.id}`)
    assert.match(token, /^libretto_[0-9a-f]{12}_[\w-]{43}$/)
    assert.deepEqual(
      { ...description, id: '', created_at: '' },
      {
        id: '',
        name: 'kiosk',
        scopes: ['read', 'write:production'],
        created_at: '',
        created_by: 'token:admin',
        expires_at: null
      }
    )
    assert.ok(Math.abs(Date.parse(description.created_at) - Date.now()) < 60_000)
  })

  it('makes a token that works at once', async () => {
    const { token } = await aToken()

    assert.equal((await get('/entities', { token })).status, 200)
  })

  it('makes a different token each time', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => aToken()))

    assert.equal(new Set(tokens.map(each => each.token)).size, 10)
  })

  it('names the token in the audit of what it writes', async () => {
    const { token } = await aToken({ name: 'front desk', scopes: ['read', 'write'] })

    assert.equal((await post('/entities', aVenue(), { token })).body.audit.created.by, 'token:front desk')
  })

  it('takes every scope alone, and narrowed to a type or an umbrella', async () => {
    const scopes = ['read', 'write', 'delete', 'admin'].flatMap(action => [
      action,
      `${action}:production`,
      `${action}:manifestation`,
      `${action}:work_word`
    ])

    assert.equal((await post('/tokens', { name: 'all', scopes })).status, 201)
  })

  it('refuses a member that it does not know, at its place and in words that say so', async () => {
    const { status, body } = await post('/tokens', { name: 'x', scopes: ['read'], colour: 'red' })
    assert.equal(status, 400)
    assert.deepEqual(body.errors, [{ pointer: '/colour', message: '"/colour" is not allowed' }])
  })

  it('refuses unknown scopes, each by its place', async () => {
    const scopes = [
      'read',
      'Read',
      'read:',
      'read:nothing',
      'fly',
      '',
      'read:production:x',
      'read production',
      '*',
      'constructor',
      'read:__proto__'
    ]
    const answer = await post('/tokens', { name: 'x', scopes })

    assertProblem(answer, 'invalid')
    assert.deepEqual(
      pointersOf(answer),
      scopes.slice(1).map((_, index) => `/scopes/${index + 1}`)
    )
  })

  it('refuses bodies of another form, and tells every fault', async () => {
    const bodies: readonly unknown[] = [
      {},
      [],
      { name: 'x' },
      { scopes: ['read'] },
      { name: '', scopes: ['read'] },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: 'read' },
      { name: 5, scopes: ['read'] },
      { name: 'x', scopes: ['read'], extra: 1 },
      { name: 'x'.repeat(101), scopes: ['read'] },
      { name: 'x', scopes: Array.from({ length: 101 }, () => 'read') },
      { name: 'x', scopes: ['read'], expires_at: 5 }
    ]
    for (const body of bodies) {
      const answer = await post('/tokens', body)
      assertProblem(answer, 'bad_request')
      assert.ok(answer.body.errors.length > 0)
    }
    assertProblem(await post('/tokens', { name: 'a\nb', scopes: ['read'] }), 'invalid')
    assertProblem(await post('/tokens', { name: '<b>', scopes: ['read'] }), 'invalid')
  })

  it('takes an expiry as a moment or as a day, which counts to its end', async () => {
    assert.equal((await aToken({ expires_at: '2030-06-01T12:00:00+02:00' })).expires_at, '2030-06-01T10:00:00.000Z')
    assert.equal((await aToken({ expires_at: '2030-06-01' })).expires_at, '2030-06-01T23:59:59.999Z')
    for (const expires_at of ['soon', '2030-13-01', '01-06-2030', '']) {
      const answer = await post('/tokens', { name: 'x', scopes: ['read'], expires_at })
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['/expires_at'])
    }
  })
})

describe('GET /tokens', () => {
  it('lists every token without showing it or its hash', async () => {
    const { id, token } = await aToken({ name: 'listed' })
    const answer = await get('/tokens')

    assert.equal(answer.status, 200)
    const found = answer.body.find((each: { id: string }) => each.id === id)
    assert.deepEqual(Object.keys(found), ['id', 'name', 'scopes', 'created_at', 'created_by', 'expires_at'])
    assert.ok(!answer.text.includes(token))
    assert.ok(!answer.text.includes(createHash('sha256').update(token).digest('hex')))
  })
})

describe('DELETE /tokens/{id}', () => {
  it('answers 204, and the token is refused from then on', async () => {
    const { id, token } = await aToken()
    assert.equal((await get('/entities', { token })).status, 200)

    assert.equal((await remove(`/tokens/${id}`)).status, 204)
    assertProblem(await get('/entities', { token }), 'unauthenticated')
    assert.ok(!(await get('/tokens')).body.some((each: { id: string }) => each.id === id))
  })

  it('leaves other tokens alone', async () => {
    const [gone, other] = [await aToken(), await aToken()]
    await remove(`/tokens/${gone.id}`)

    assert.equal((await get('/entities', { token: other.token })).status, 200)
  })

  it('answers 404 for an unknown one, and for the second time', async () => {
    const { id } = await aToken()
    await remove(`/tokens/${id}`)

    assertProblem(await remove(`/tokens/${id}`), 'not_found')
    assertProblem(await remove('/tokens/unknown'), 'not_found')
  })

  it('lets an admin token end itself', async () => {
    const { id, token } = await aToken({ scopes: ['admin'] })

    assert.equal((await remove(`/tokens/${id}`, { token })).status, 204)
    assertProblem(await get('/tokens', { token }), 'unauthenticated')
  })

  it('made by another process is effective within a second', async () => {
    const { id, token } = await aToken()
    assert.equal((await get('/entities', { token })).status, 200)
    // As another process would do it: the row is deleted, and this process is not notified.
    await service.libretto.tokens.revoke(id)

    await wait(1100)
    assertProblem(await get('/entities', { token }), 'unauthenticated')
  })
})

describe('API tokens', () => {
  it('are kept as a hash only: no table and no file beside the database holds one', async () => {
    const { token } = await aToken({ name: 'secret' })
    const secret = token.split('_').slice(2).join('_')
    await create(aPerson())

    const bytes = Object.values(await readTables(service.libretto.config.databaseUrl)).map(rows => rows.join('\n'))
    if (testStore === 'sqlite') {
      const folder = dirname(databaseFile(service))
      bytes.push(...readdirSync(folder).map(file => readFileSync(join(folder, file), 'latin1')))
    }
    assert.ok(
      bytes.some(each => each.includes(createHash('sha256').update(token).digest('hex'))),
      'the hash is there'
    )
    for (const each of bytes) {
      assert.ok(!each.includes(token))
      assert.ok(!each.includes(secret))
      assert.ok(!each.includes(adminToken))
    }
  })

  it('expire at their moment, also when they were just used', async () => {
    const end = Date.now() + 5000
    const { token } = await aToken({ expires_at: new Date(end).toISOString() })
    assert.equal((await get('/entities', { token })).status, 200)

    await wait(end - Date.now() + 50)
    assertProblem(await get('/entities', { token }), 'unauthenticated')
  })

  it('need their exact text', async () => {
    const { id, token } = await aToken()
    for (const other of [
      token.toUpperCase(),
      token.slice(0, -1),
      `${token}x`,
      id,
      token.replace('libretto_', ''),
      createHash('sha256').update(token).digest('hex')
    ]) {
      assertProblem(await get('/entities', { token: other }), 'unauthenticated')
    }
  })

  it('take the word Bearer in any case, and spaces after it', async () => {
    const { token } = await aToken()
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER ${token}`, `Bearer   ${token}`]) {
      assert.equal(
        (await get('/entities', { token: undefined, headers: { authorization } })).status,
        200,
        authorization
      )
    }
  })

  it('are taken from the header only, never from the address', async () => {
    const { token } = await aToken()

    for (const name of ['token', 'access_token', 'authorization']) {
      assertProblem(await get(`/entities?${name}=${token}`, { token: undefined }), 'unauthenticated')
    }
    assertProblem(
      await get('/entities', { token: undefined, headers: { cookie: `token=${token}`, 'x-api-key': token } }),
      'unauthenticated'
    )
  })

  it('and ADMIN_TOKEN work beside each other', async () => {
    assert.equal((await get('/tokens', { token: adminToken })).status, 200)
    assert.ok(!(await get('/tokens')).body.some((each: { name: string }) => each.name === 'admin'))
  })
})

describe('Scopes', () => {
  const sent = async (scopes: readonly string[]) => {
    const { token } = await aToken({ scopes })
    const { id } = await create(aVenue())
    return {
      read: (await get(`/entities/${id}`, { token })).status,
      write: (await service.put(`/entities/${id}`, aVenue('y'), { token })).status,
      create: (await post('/entities', aVenue(), { token })).status,
      delete: (await remove(`/entities/${id}`, { token })).status,
      tokens: (await get('/tokens', { token })).status
    }
  }

  const table: readonly (readonly [string[], Record<'read' | 'write' | 'create' | 'delete' | 'tokens', number>])[] = [
    [['read'], { read: 200, write: 403, create: 403, delete: 403, tokens: 403 }],
    [['write'], { read: 403, write: 200, create: 201, delete: 403, tokens: 403 }],
    [['delete'], { read: 403, write: 403, create: 403, delete: 204, tokens: 403 }],
    [['read', 'write'], { read: 200, write: 200, create: 201, delete: 403, tokens: 403 }],
    [['read', 'write', 'delete'], { read: 200, write: 200, create: 201, delete: 204, tokens: 403 }],
    [['admin'], { read: 200, write: 200, create: 201, delete: 204, tokens: 200 }],
    [['admin:venue'], { read: 200, write: 200, create: 201, delete: 204, tokens: 403 }],
    [['read:venue'], { read: 200, write: 403, create: 403, delete: 403, tokens: 403 }],
    [['read', 'write:venue'], { read: 200, write: 200, create: 201, delete: 403, tokens: 403 }],
    [['read', 'write:person'], { read: 200, write: 403, create: 403, delete: 403, tokens: 403 }],
    // It deletes nothing at all, so it is refused whether the record exists or not.
    [['read:person', 'write:person'], { read: 404, write: 404, create: 403, delete: 403, tokens: 403 }]
  ]
  for (const [scopes, expected] of table) {
    it(`${scopes.join(' ')}: ${Object.entries(expected)
      .map(([action, status]) => `${action} ${status}`)
      .join(', ')}`, async () => {
      assert.deepEqual(await sent(scopes), expected)
    })
  }

  it('of an umbrella hold for each of its types', async () => {
    const { token } = await aToken({ scopes: ['read:work', 'write:work'] })
    for (const type of ['work_word', 'work_music', 'work_computer_file']) {
      const answer = await post('/entities', { type, metadata: [{ key: 'title', value: 'x' }] }, { token })
      assert.equal(answer.status, 201, type)
    }
    assertProblem(await post('/entities', aPerson(), { token }), 'forbidden')
  })

  it('that are missing are told with 403 and R1008', async () => {
    const { token } = await aToken()
    const answer = await post('/entities', aVenue(), { token })

    assertProblem(answer, 'forbidden')
    assert.match(answer.body.message, /^R1008 \| /)
    assert.match(String(answer.headers['www-authenticate']), /error="insufficient_scope"$/)
  })
})
