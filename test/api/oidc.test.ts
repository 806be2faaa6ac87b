import assert from 'node:assert/strict'
import { createHmac, createPublicKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

import { decodeJwt, decodeProtectedHeader } from 'jose'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'

import { aProduction, aVenue } from '../support/records/entities.ts'
import { audience, startIssuer } from '../support/services/oidc-issuer.ts'
import { secretClient, startPeopleIssuer } from '../support/services/people-issuer.ts'
import { type Answer, start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const issuer = await startIssuer({ after })
const listed = await startIssuer(
  { after },
  { algorithm: 'ES256', claims: { permissions: ['read:venue', 'write:venue', 5, null] } }
)
const stranger = await startIssuer({ after })
const service = await start(
  { after },
  {
    OIDC_ISSUERS: JSON.stringify([
      { issuer: issuer.url, audience },
      { issuer: listed.url, audience, scopesClaim: 'permissions' }
    ])
  }
)
const { create, get, post } = service
const venue = await create(aVenue())
const production = await create(aProduction())

const now = () => Math.floor(Date.now() / 1000)
/** Claims of a good token. */
const claims = () => ({ iss: issuer.url, aud: audience, sub: 'somebody', scope: 'read', exp: now() + 300, iat: now() })
const signed = async (changes: Record<string, unknown> = {}, header: Record<string, unknown> = {}) => {
  const all = Object.entries({ ...claims(), ...changes }).filter(([, value]) => value !== undefined)
  return issuer.sign(Object.fromEntries(all), header)
}
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

function assertRefused(answer: Answer) {
  assertProblem(answer, 'unauthenticated')
  assert.match(answer.body.message, /^R1013 \| /)
  assert.match(String(answer.headers['www-authenticate']), /^Bearer/)
}

describe('An access token of a configured OpenID Connect issuer', () => {
  it('with scope read reads, and does not write', async () => {
    const token = await issuer.token('read')

    assert.equal((await get(`/entities/${venue.id}`, { token })).status, 200)
    assert.equal((await get('/entities', { token })).body.length, 2)
    assertProblem(await post('/entities', aVenue(), { token }), 'forbidden')
  })

  it('with scope write:production writes productions, and nothing else', async () => {
    const token = await issuer.token('read write:production')

    assert.equal((await post('/entities', aProduction(), { token })).status, 201)
    assertProblem(await post('/entities', aVenue(), { token }), 'forbidden')
  })

  it('with scope read:production sees only productions', async () => {
    const token = await issuer.token('read:production')
    const { body } = await get('/entities', { token })

    assert.ok(body.length > 0 && body.every((entity: { type: string }) => entity.type === 'production'))
    assertProblem(await get(`/entities/${venue.id}`, { token }), 'not_found')
    assert.equal((await get(`/entities/${production.id}`, { token })).status, 200)
  })

  it('with scope admin looks after tokens', async () => {
    assert.equal((await get('/tokens', { token: await issuer.token('admin') })).status, 200)
    assertProblem(await get('/tokens', { token: await issuer.token('read write') }), 'forbidden')
  })

  it('stands in the audit as its subject', async () => {
    const { body } = await post('/entities', aVenue(), { token: await issuer.token('read write') })

    assert.equal(body.audit.created.by, 'oidc:kiosk')
  })

  it('may carry scopes that are meant for others, and gets nothing for them', async () => {
    assert.equal((await get('/entities', { token: await issuer.token('read other') })).status, 200)
    assertProblem(await get('/entities', { token: await issuer.token('other') }), 'forbidden')
  })

  it('without scopes is known but may do nothing', async () => {
    for (const scope of [undefined, '', 5, {}, ['read', 5].slice(1)]) {
      assertProblem(await get('/entities', { token: await signed({ scope }) }), 'forbidden')
    }
  })

  it('may list its scopes in another claim, as the settings say, and be signed by another kind of key', async () => {
    const token = await listed.token('read')
    assert.equal(decodeProtectedHeader(token).alg, 'ES256')

    assert.equal((await get(`/entities/${venue.id}`, { token })).status, 200)
    assert.equal((await post('/entities', aVenue(), { token })).status, 201)
    assertProblem(await get(`/entities/${production.id}`, { token }), 'not_found')
  })

  it('is accepted beside the API tokens made here', async () => {
    assert.equal((await get('/entities', { token: await service.tokenWith('read') })).status, 200)
    assert.equal((await get('/entities', { token: await issuer.token('read') })).status, 200)
  })

  it('may have several audiences, and a clock that is a few seconds off', async () => {
    const good = [
      { aud: ['https://other.example.org', audience] },
      { exp: now() - 2 },
      { nbf: now() + 3 },
      { exp: now() + 1_000_000 }
    ]
    for (const changes of good)
      assert.equal((await get('/entities', { token: await signed(changes) })).status, 200, JSON.stringify(changes))
  })

  it('is verified with keys that are fetched once', async () => {
    const before = issuer.fetches()
    for (let times = 0; times < 5; times++) await get('/entities', { token: await issuer.token('read') })

    assert.ok(issuer.fetches() - before <= 1)
  })
})

describe('Two JWTs without a subject', () => {
  const write = async (changes: Record<string, unknown>) => {
    const token = await signed({ sub: undefined, scope: 'read write', ...changes })
    const answer = await post('/entities', aVenue(), { token, headers: { 'idempotency-key': 'one-key' } })
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }

  it('share nothing that is kept for a subject', async () => {
    const [one, other] = [await write({ jti: '1' }), await write({ jti: '2' })]
    assert.notEqual(one.id, other.id)
  })

  it('share it when they are for one client', async () => {
    const [one, other] = [await write({ client_id: 'harvester' }), await write({ client_id: 'harvester', jti: '3' })]
    assert.equal(one.id, other.id)
    assert.equal(one.audit.created.by, 'oidc:harvester')
    assert.notEqual((await write({ azp: 'another' })).id, one.id)
  })
})

describe('A JWT is refused with 401', () => {
  const refused: Readonly<Record<string, () => Promise<string>>> = {
    'for another audience, from the issuer itself': () => issuer.token('read', 'https://other.example.org'),
    'for an audience that only begins the same': () => signed({ aud: `${audience}.evil.example` }),
    'without an audience': () => signed({ aud: undefined }),
    'from an issuer that is not configured': () => stranger.token('admin'),
    'signed by a stranger in the name of the issuer': () => stranger.sign({ ...claims(), scope: 'admin' }),
    'signed by a stranger with the key id of the issuer': () =>
      stranger.sign(claims(), { kid: issuer.publicKey().kid }),
    'signed by one trusted issuer in the name of the other': () => listed.sign(claims()),
    'whose issuer has a slash more': () => signed({ iss: `${issuer.url}/` }),
    'whose issuer differs in case': () => signed({ iss: issuer.url.replace('http', 'HTTP') }),
    'without an issuer': () => signed({ iss: undefined }),
    'whose issuer is a list': () => signed({ iss: [issuer.url] }),
    'that has expired': () => signed({ exp: now() - 60 }),
    'without an expiry': () => signed({ exp: undefined }),
    'whose expiry is no number': () => signed({ exp: 'tomorrow' }),
    'that is not valid yet': () => signed({ nbf: now() + 60 }),
    'with an unknown key id': () => signed({}, { kid: 'unknown' }),
    'with a critical header that nobody knows': () => signed({}, { crit: ['x'], x: 1 }),
    'of another type: for a logout': () => signed({}, { typ: 'logout+jwt' }),
    'of another type: a proof of possession': () => signed({}, { typ: 'dpop+jwt' }),
    'with alg none': async () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims())}.`,
    'with alg none in other letters': async () => `${encode({ alg: 'nOnE', typ: 'JWT' })}.${encode(claims())}.x`,
    'with alg none and the signature of a good token': async () =>
      `${encode({ alg: 'none' })}.${encode(claims())}.${(await issuer.token('read')).split('.')[2]}`,
    'signed with HS256 and the public key as secret, as PEM': async () => hs256(publicPem()),
    'signed with HS256 and the public key as secret, as JWK': async () => hs256(JSON.stringify(issuer.publicKey())),
    'signed with HS256 and no secret': async () => hs256(''),
    'whose claims were changed': async () => {
      const [head = '', payload = '', signature = ''] = (await issuer.token('read')).split('.')
      const more = { ...decodeJwt(`${head}.${payload}.${signature}`), scope: 'admin' }
      return `${head}.${encode(more)}.${signature}`
    },
    'whose header was changed': async () => {
      const [head = '', payload, signature] = (await issuer.token('read')).split('.')
      return `${encode({ ...JSON.parse(Buffer.from(head, 'base64url').toString()), typ: 'x' })}.${payload}.${signature}`
    },
    'whose signature was changed': async () => (await issuer.token('read')).replace(/.{4}$/, 'AAAA'),
    'whose signature is cut off': async () => (await issuer.token('read')).replace(/[^.]+$/, ''),
    'that brings its own key': () => stranger.sign(claims(), { jwk: stranger.publicKey() }),
    'that names where its key is': () => stranger.sign(claims(), { jku: `${stranger.url}/jwks` }),
    'whose claims are no object': async () => `${encode({ alg: 'RS256' })}.${encode('[]')}.${encode('x')}`,
    'that is no JSON': async () => 'aaaa.bbbb.cccc',
    encrypted: async () =>
      `${encode({ alg: 'dir', enc: 'A256GCM' })}..${encode('iv')}.${encode('text')}.${encode('tag')}`
  }
  const idTokens: Readonly<Record<string, Record<string, unknown>>> = {
    'a nonce': { nonce: 'n' },
    'a hash of the access token': { at_hash: 'h' },
    'a hash of the code': { c_hash: 'h' },
    'the type of Keycloak': { typ: 'ID' },
    'the use of Cognito': { token_use: 'id' }
  }
  for (const [what, claim] of Object.entries(idTokens)) {
    it(`as an ID token, known by ${what}, with a sentence that says so`, async () => {
      for (const typ of ['JWT', undefined]) {
        const answer = await get('/entities', { token: await signed(claim, { typ }) })
        assertRefused(answer)
        assert.match(answer.body.message, /is an ID token of .* Send the access token/)
      }
      assert.equal((await get('/entities', { token: await signed(claim) })).status, 200, 'at+jwt')
    })
  }

  it('but an access token that says so may have a nonce, and ID tokens are accepted where a setting says so', async t => {
    const header = { typ: 'JWT' }
    for (const claim of [{ typ: 'Bearer' }, { token_use: 'access' }])
      assert.equal((await get('/entities', { token: await signed({ nonce: 'n', ...claim }, header) })).status, 200)
    const OIDC_ISSUERS = JSON.stringify([{ issuer: issuer.url, audience, acceptsIdTokens: true }])
    const lenient = await start(t, { OIDC_ISSUERS })
    assert.equal((await lenient.get('/entities', { token: await signed({ nonce: 'n' }, header) })).status, 200)
  })

  for (const [what, make] of Object.entries(refused)) {
    it(what, async () => {
      assertRefused(await get('/entities', { token: await make() }))
    })
  }

  const publicPem = () =>
    createPublicKey({ key: issuer.publicKey() as never, format: 'jwk' })
      .export({ type: 'spki', format: 'pem' })
      .toString()
  const hs256 = (secret: string) => {
    const text = `${encode({ alg: 'HS256', kid: issuer.publicKey().kid })}.${encode({ ...claims(), scope: 'admin' })}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
})

describe('When the issuer changes its key', () => {
  it('tokens of the new key are accepted soon, and those of the old one as long as it is published', async t => {
    const rotating = await startIssuer(t)
    const other = await start(t, { OIDC_ISSUERS: JSON.stringify([{ issuer: rotating.url, audience }]) })
    const statusOf = async (token: string) => (await other.get('/entities', { token })).status
    const old = await rotating.token('read')
    assert.equal(await statusOf(old), 200)

    await rotating.rotate()
    await wait(3100)
    const first = await rotating.token('read')
    assert.notEqual(decodeProtectedHeader(first).kid, decodeProtectedHeader(old).kid)
    assert.equal(await statusOf(first), 200)
    assert.equal(await statusOf(old), 200)

    // A key that leaked is withdrawn: what it signed is worth nothing once the keys have been
    // fetched again.
    await rotating.rotate({ withdraw: true })
    await wait(3100)
    assert.equal(await statusOf(await rotating.token('read')), 200)
    assert.equal(await statusOf(first), 401)
    assert.equal(await statusOf(old), 401)
  })

  it('unknown keys do not make the service ask the issuer again and again', async () => {
    const before = issuer.fetches()
    for (let times = 0; times < 20; times++)
      assertRefused(await get('/entities', { token: await signed({}, { kid: `unknown-${times}` }) }))

    assert.ok(issuer.fetches() - before <= 1, String(issuer.fetches() - before))
  })
})

describe('When the issuer cannot be asked', () => {
  it('its tokens get 503 with Retry-After, those of others work, and it is asked again at the next request', async t => {
    const flaky = await startIssuer(t)
    const token = await flaky.token('read')
    let isUp = false
    // Stands between: away at first, back later, at the same address.
    const front = createServer((request, response) => {
      if (!isUp) return void response.destroy()
      fetch(`${flaky.url}${request.url}`).then(async answer => {
        const text = (await answer.text()).replaceAll(flaky.url, frontUrl)
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
      })
    })
    await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
    t.after(() => new Promise(resolve => front.close(resolve)))
    const frontUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
    const mine = await flaky.sign({ ...decodeJwt(token), iss: frontUrl })
    const other = await start(t, { OIDC_ISSUERS: JSON.stringify([{ issuer: frontUrl, audience }]) })

    const answer = await other.get('/entities', { token: mine })
    assertProblem(answer, 'unavailable')
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    assert.equal((await other.get('/entities', { token: await other.tokenWith('read') })).status, 200)
    assertRefused(await other.get('/entities', { token }))
    isUp = true
    assert.equal((await other.get('/entities', { token: mine })).status, 200)
    front.closeAllConnections()
  })

  it('a port where nobody listens is 503 too', async t => {
    const gone = await startIssuer(t)
    const token = await gone.token('read')
    const other = await start(t, { OIDC_ISSUERS: JSON.stringify([{ issuer: gone.url, audience }]) })
    await gone.close()

    assertProblem(await other.get('/entities', { token }), 'unavailable')
  })

  it('an issuer that answers nonsense, or speaks for another, is not believed', async t => {
    const documents: readonly string[] = [
      'not json',
      '{}',
      '[]',
      '{"issuer":"https://other.example.org","jwks_uri":"https://other.example.org/jwks"}',
      '{"issuer":"URL"}',
      '{"issuer":"URL","jwks_uri":5}',
      '{"issuer":"URL","jwks_uri":"URL/nonsense"}'
    ]
    for (const document of documents) {
      const odd = createServer((request, response) => {
        const body = request.url?.includes('openid-configuration') ? document.replaceAll('URL', url) : 'nonsense'
        response.writeHead(200, { 'content-type': 'application/json' }).end(body)
      })
      await new Promise<void>(resolve => odd.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`
      const other = await start(t, { OIDC_ISSUERS: JSON.stringify([{ issuer: url, audience }]) })
      const answer = await other.get('/entities', { token: await stranger.sign({ ...claims(), iss: url }) })
      assert.ok(answer.status === 401 || answer.status === 503, `${document}: ${answer.status}`)
      odd.closeAllConnections()
      await new Promise(resolve => odd.close(resolve))
    }
  })
})

describe('Without OIDC_ISSUERS', () => {
  it('no JWT is accepted', async t => {
    const other = await start(t)

    assertRefused(await other.get('/entities', { token: await issuer.token('admin') }))
  })
})

describe('Signing in with an issuer', () => {
  const origin = 'https://page.example.org'
  const redirect_uri = `${origin}/sign-in`
  const signIn = async (t: Parameters<typeof start>[0], changes: Record<string, unknown> = {}) => {
    const people = await startPeopleIssuer(t)
    people.admit(origin)
    const setting = { ...people.setting, ...changes }
    const { post: send, ...other } = await start(t, { OIDC_ISSUERS: JSON.stringify([setting]) })
    const ask = (path: string, body: object) =>
      send(`/sign-in/${path}`, { issuer: people.url, ...body }, { token: undefined })
    /** Goes to the issuer and back: what the browser has in its hands then. */
    const returned = async (choice?: 'refuse') => {
      const code_verifier = generateRandomCodeVerifier()
      const [state, nonce] = [generateRandomState(), generateRandomState()]
      const code_challenge = await calculatePKCECodeChallenge(code_verifier)
      const { status, body, text } = await ask('start', { redirect_uri, state, nonce, code_challenge })
      assert.equal(status, 200, text)
      const back = await people.visit(body.address, choice)
      return { redirect_uri, state, nonce, code_verifier, query: back.search }
    }
    return { people, ask, returned, ...other }
  }
  const assertFailed = (answer: Answer, reason: string) => {
    assertProblem(answer, 'sign_in_failed')
    assert.equal(answer.body.reason, reason)
  }

  it('gives a bearer for a code, a fresh one for a refresh token, and takes it back at the end', async t => {
    const { people, ask, returned, get: read } = await signIn(t)
    assert.deepEqual((await read('/sign-in/issuers', { token: undefined })).body, {
      issuers: [{ issuer: people.url, name: 'House of Readers' }]
    })
    const { body: first } = await ask('finish', await returned())
    assert.equal(first.name, 'mira the Reader')
    assert.ok(first.expires_in > 3500 && first.expires_in <= 3600)
    assert.equal((await read('/me', { token: first.access_token })).body.name, 'oidc:mira')

    const { body: second } = await ask('refresh', { refresh_token: first.refresh_token })
    assert.equal((await read('/me', { token: second.access_token })).body.name, 'oidc:mira')
    assert.notEqual(second.refresh_token, first.refresh_token)

    const { refresh_token, id_token } = second
    const { body: ended } = await ask('end', { redirect_uri, refresh_token, id_token })
    const address = new URL(ended.address)
    assert.equal(address.origin, people.url)
    assert.equal(address.searchParams.get('id_token_hint'), id_token)
    assert.equal(address.searchParams.get('post_logout_redirect_uri'), redirect_uri)
    assertFailed(await ask('refresh', { refresh_token }), 'expired')
  })

  it('works for a client with a secret too, which nobody is told', async t => {
    const { ask, returned, get: read } = await signIn(t, secretClient)
    const back = await returned()
    const { status, text } = await ask('finish', back)
    assert.equal(status, 200, text)
    for (const path of ['/sign-in/issuers', '/openapi.json'])
      assert.ok(!(await read(path)).text.includes(secretClient.clientSecret))
  })

  it('fails with a reason where the answer is not the one that was asked for', async t => {
    const { ask, returned } = await signIn(t)
    const back = await returned()
    const state = generateRandomState()
    assertFailed(await ask('finish', { ...back, state }), 'mismatch')
    assertFailed(
      await ask('finish', { ...back, query: back.query.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fx') }),
      'mismatch'
    )
    assertFailed(await ask('finish', { ...back, query: '?state=x' }), 'mismatch')
    assertFailed(await ask('finish', { ...(await returned()), nonce: state }), 'mismatch')
    assertFailed(await ask('finish', { ...(await returned()), code_verifier: generateRandomCodeVerifier() }), 'expired')
    assertFailed(await ask('finish', { ...(await returned()), redirect_uri: `${origin}/` }), 'expired')
    assertFailed(await ask('finish', await returned('refuse')), 'denied')
    // None of these spent the first one; used twice, it is.
    assert.equal((await ask('finish', back)).status, 200)
    assertFailed(await ask('finish', back), 'expired')
  })

  it('fails where the issuer gives a token that is not for this service', async t => {
    const { people, ask, returned } = await signIn(t)
    people.giving.audience = 'https://elsewhere.example.org'

    assertFailed(await ask('finish', await returned()), 'unusable')
  })

  it('fails with the words of the issuer where it does not know the client', async t => {
    const { ask, returned } = await signIn(t, { ...secretClient, clientSecret: 'another' })
    const answer = await ask('finish', await returned())

    assertFailed(answer, 'refused')
    assert.ok(!answer.text.includes('another'))
  })

  it('asks no other issuer than those in the settings, and says what is wrong with what it is sent', async t => {
    const { people, ask } = await signIn(t)
    for (const issuer of ['http://127.0.0.1:1', `${people.url}/`, 'ftp://issuer.example.org', '']) {
      const answer = await ask('refresh', { issuer, refresh_token: 'x' })
      assertProblem(answer, 'invalid')
      assert.equal(answer.body.errors[0].pointer, '/issuer')
    }
    assertProblem(await ask('start', { redirect_uri, state: 'short', nonce: 'x', code_challenge: 'y' }), 'bad_request')
    assertProblem(await ask('refresh', { refresh_token: '' }), 'bad_request')
  })

  it('gets 503 while the issuer is away', async t => {
    const { people, ask } = await signIn(t)
    await people.close()

    assertProblem(await ask('refresh', { refresh_token: 'x' }), 'unavailable')
    assertProblem(await ask('end', { redirect_uri }), 'unavailable')
  })

  it('is not offered where the settings name no client', async () => {
    assert.deepEqual((await get('/sign-in/issuers', { token: undefined })).body, { issuers: [] })
    const answer = await post('/sign-in/refresh', { issuer: issuer.url, refresh_token: 'x' }, { token: undefined })
    assertProblem(answer, 'invalid')
  })
})

describe('OIDC_ISSUERS', () => {
  it('stops the start with a sentence where the sign-in of the page is not described well', async t => {
    const good = { issuer: 'https://issuer.example.org', audience, clientId: 'page' }
    const cases: readonly (readonly [Record<string, unknown>, RegExp])[] = [
      [{ clientID: 'page' }, /has the unknown member "clientID"/],
      [{ clientId: undefined, scope: 'openid' }, /has "scope", which needs "clientId"/],
      [{ acceptsIdTokens: 'yes' }, /must have true or false as "acceptsIdTokens"/],
      [{ clientId: 5 }, /must have a text as "clientId"/],
      [{ clientSecret: 5 }, /must have a text as "clientSecret"/],
      [{ name: '' }, /must have a text as "name"/],
      [{ scope: 'read' }, /must have a "scope" with "openid" in it/],
      [{ parameters: ['x'] }, /must have an object of texts as "parameters"/],
      [{ parameters: { state: 'x' } }, /must not set the parameter "state"/],
      [{ parameters: { code_challenge_method: 'plain' } }, /must not set the parameter "code_challenge_method"/]
    ]
    for (const [changes, message] of cases)
      await assert.rejects(start(t, { OIDC_ISSUERS: JSON.stringify([{ ...good, ...changes }]) }), message)
  })
})
