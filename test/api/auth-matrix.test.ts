import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aVenue, createBook, metadata } from '../support/records/entities.ts'
import { createMediafile } from '../support/records/media.ts'
import { type Answer, adminToken, start, type TestService } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

/*
 * Every route that is registered, by every kind of caller. The routes come from the service; the
 * table of what each caller gets stands here. A route without a row fails, so a new one cannot be
 * forgotten.
 */

const callers = ['nobody', 'garbage', 'wrong scheme', 'expired', 'revoked', 'read', 'write', 'delete', 'admin'] as const
type Caller = (typeof callers)[number]

/** Callers that are nobody to the service: 401 wherever a bearer is needed. */
const strangers: readonly Caller[] = ['nobody', 'garbage', 'wrong scheme', 'expired', 'revoked']

/** The statuses for tokens with the scope `read`, `write`, `delete` or `admin` alone. */
type Row = readonly [read: number, write: number, remove: number, admin: number]

const open: Row = [200, 200, 200, 200]
/**
 * Needs no bearer either, and fits nothing here: nobody can sign in with an issuer that is none.
 */
const openInVain: Row = [400, 400, 400, 400]
const readers: Row = [200, 403, 403, 200]
const writers: Row = [403, 200, 403, 200]
const creators: Row = [403, 201, 403, 201]

/**
 * Answers that are the same for everybody: any cache may store them, and pages of other sites may
 * read them.
 */
const keptByAnybody = ['GET /context.jsonld']
/** Answers with tokens, secrets or the audit log: no cache stores them. */
const isSecret = (name: string) => /^\w+ \/(?:tokens|audit|webhooks|sign-in|me|user\/permissions)(?:\/|$)/.test(name)
const readByAnyPage = (name: string) => name === 'GET /context.jsonld' || name.includes('/reconcile')

const expected: Readonly<Record<string, Row>> = {
  'GET /health/live': open,
  'GET /health/ready': open,
  'GET /openapi.json': open,
  'GET /docs': open,
  'GET /problems/{name}': open,
  'GET /context.jsonld': open,
  'GET /oai/libretto.xsd': open,
  'GET /sign-in/issuers': open,
  'POST /sign-in/start': openInVain,
  'POST /sign-in/finish': openInVain,
  'POST /sign-in/refresh': openInVain,
  'POST /sign-in/end': openInVain,

  'GET /entities': readers,
  'DELETE /entities': [403, 403, 200, 200],
  'POST /entities/filter': readers,
  'POST /entities/filter_v2': readers,
  'GET /suggest': readers,
  'GET /saved_searches': readers,
  // No such search exists here.
  'POST /saved_searches': [400, 403, 403, 400],
  'GET /saved_searches/{id}': [404, 403, 403, 404],
  'PATCH /saved_searches/{id}': [404, 403, 403, 404],
  'DELETE /saved_searches/{id}': [404, 403, 403, 404],
  'GET /recent': readers,
  'GET /growth': readers,
  'GET /duplicates': readers,
  'GET /entities/{id}': readers,
  'GET /entities/{id}/metadata': readers,
  'GET /entities/{id}/relations': readers,
  'GET /entities/{id}/references': readers,
  'GET /entities/{id}/parts': readers,
  'GET /entities/{id}/tree': readers,
  'GET /entities/{id}/calendar.ics': readers,
  'GET /entities/{id}/press-kit.zip': readers,
  'GET /entities/{id}/programme.csv': readers,
  'GET /entities/{id}/programme.html': readers,
  'GET /entities/{id}/programme.rss': readers,
  'GET /entities/{id}/uitdatabank.json': readers,
  'GET /entities/wem/{manifestation_id}': readers,
  'POST /entities/wem': readers,

  'POST /entities': creators,
  'PUT /entities/{id}': writers,
  'PATCH /entities/{id}': writers,
  'POST /entities/{id}/metadata': creators,
  'PUT /entities/{id}/metadata': writers,
  'PATCH /entities/{id}/metadata': writers,
  'DELETE /entities/{id}/metadata': writers,
  'POST /entities/{id}/relations': creators,
  'PUT /entities/{id}/relations': writers,
  'PATCH /entities/{id}/relations': writers,
  'DELETE /entities/{id}/relations': writers,
  'DELETE /entities/{id}': [403, 403, 204, 204],

  'GET /entities/{id}/history': readers,
  'POST /history/filter': readers,
  'POST /entities/{id}/revert': writers,
  // Merging takes one record away: it needs the scopes to write and to delete.
  'POST /entities/{id}/merge': [403, 403, 403, 200],
  'POST /entities/{id}/unmerge': writers,
  // Each line is answered for itself, but for a token that can neither write nor delete.
  'POST /entities/batch': [403, 200, 200, 200],
  'GET /export': readers,
  'POST /export': readers,
  'GET /changes': readers,
  'GET /oai': readers,
  'POST /oai': readers,
  'GET /sru': readers,
  'POST /sru': readers,
  'GET /sru/{database}': readers,

  // A token without the right to read gets empty answers.
  'GET /reconcile': [200, 200, 200, 200],
  'POST /reconcile': readers,
  'GET /reconcile/suggest/entity': [200, 200, 200, 200],
  'GET /reconcile/suggest/type': [200, 200, 200, 200],
  'GET /reconcile/suggest/property': [200, 200, 200, 200],
  'GET /reconcile/properties': [200, 200, 200, 200],
  // It wants an id, which is not asked for here.
  'GET /reconcile/preview': [400, 400, 400, 400],

  // Every token may read its own rights.
  'GET /record-types': [200, 200, 200, 200],
  'GET /me': [200, 200, 200, 200],

  'GET /user/permissions': [200, 200, 200, 200],

  'PUT /entities': writers,
  'POST /batch': writers,
  'GET /entities/{id}/mediafiles': readers,
  'POST /entities/{id}/mediafiles': creators,
  'GET /entities/{id}/readiness': readers,
  'GET /entities/{id}/due': readers,
  'GET /mediafiles': readers,
  'POST /mediafiles/filter': readers,
  'PUT /entities/{id}/set_primary_mediafile/{mediafile_id}': writers,
  'PUT /entities/{id}/set_primary_thumbnail/{mediafile_id}': writers,
  'GET /mediafiles/{id}/download-urls': readers,
  'GET /mediafiles/{id}/derivatives': readers,
  'POST /mediafiles': creators,
  'GET /mediafiles/{id}': readers,
  'PUT /mediafiles/{id}': writers,
  'PATCH /mediafiles/{id}': writers,
  'DELETE /mediafiles': [403, 403, 200, 200],
  'DELETE /mediafiles/{id}': [403, 403, 204, 204],
  'GET /mediafiles/{id}/content': readers,
  'PUT /mediafiles/{id}/content': writers,
  'POST /mediafiles/{id}/content': writers,
  'GET /mediafiles/{id}/metadata': readers,
  'POST /mediafiles/{id}/metadata': creators,
  'PUT /mediafiles/{id}/metadata': writers,
  'PATCH /mediafiles/{id}/metadata': writers,
  'DELETE /mediafiles/{id}/metadata': writers,
  'GET /mediafiles/{id}/relations': readers,
  'POST /mediafiles/{id}/relations': creators,
  'PUT /mediafiles/{id}/relations': writers,
  'PATCH /mediafiles/{id}/relations': writers,
  'DELETE /mediafiles/{id}/relations': writers,
  'GET /mediafiles/{id}/thumbnail': readers,
  'OPTIONS /mediafiles/{id}/uploads': [204, 204, 204, 204],
  'POST /mediafiles/{id}/uploads': creators,
  // An upload exists only for the token that began it.
  'PATCH /uploads/{upload_id}': [403, 204, 403, 204],
  'DELETE /uploads/{upload_id}': [403, 204, 403, 204],
  'POST /tickets': [201, 403, 403, 201],
  'GET /tenants': readers,
  'GET /config': readers,
  'GET /filter/matchers': readers,
  'GET /entities/{id}/permissions': readers,
  'GET /mediafiles/{id}/permissions': readers,
  'GET /mediafiles/{id}/assets': readers,
  'GET /history/{collection}/{id}': readers,

  // An import reads and writes records of every type; what it waits for here is not run.
  'POST /imports': [403, 403, 403, 202],
  'POST /imports/mapping': [403, 403, 403, 200],
  'GET /imports': [403, 403, 403, 200],
  'GET /catalogues': [403, 403, 403, 200],
  'GET /templates': [403, 403, 403, 200],
  // It wants a search, which is not asked for here.
  'GET /catalogues/records': [403, 403, 403, 400],
  'GET /imports/{id}': [403, 403, 403, 200],
  'GET /jobs': [403, 403, 403, 200],
  'GET /jobs/{id}': [403, 403, 403, 200],
  'GET /imports/{id}/remarks': [403, 403, 403, 200],
  'GET /imports/{id}/preview': [403, 403, 403, 200],
  'GET /imports/{id}/review': [403, 403, 403, 200],
  // There is no such question.
  'POST /imports/{id}/review': [403, 403, 403, 404],
  // It is not finished.
  'POST /imports/{id}/undo': [403, 403, 403, 400],
  'POST /imports/{id}/stop': [403, 403, 403, 202],
  'POST /imports/{id}/resume': [403, 403, 403, 202],
  // No import made it.
  'GET /entities/{id}/origin': [403, 403, 403, 404],
  'GET /entities/{id}/source': [403, 403, 403, 404],
  'POST /entities/{id}/split': [403, 403, 403, 404],
  'POST /entities/{id}/unsplit': [403, 403, 403, 404],
  'GET /entities/{id}/like-cases': [403, 403, 403, 404],
  'POST /entities/{id}/like-cases': [403, 403, 403, 404],

  'GET /webhooks': [403, 403, 403, 200],
  'POST /webhooks': [403, 403, 403, 201],
  'GET /webhooks/{id}': [403, 403, 403, 200],
  'PATCH /webhooks/{id}': [403, 403, 403, 200],
  'DELETE /webhooks/{id}': [403, 403, 403, 204],
  'POST /webhooks/{id}/rotate-secret': [403, 403, 403, 200],
  'POST /webhooks/{id}/resume': [403, 403, 403, 200],
  'POST /webhooks/{id}/test': [403, 403, 403, 200],
  'GET /webhooks/{id}/deliveries': [403, 403, 403, 200],
  'POST /webhooks/{id}/deliveries/{delivery_id}/replay': [403, 403, 403, 200],

  'GET /site': [403, 403, 403, 200],
  // A record is no settings.
  'PUT /site': [403, 403, 403, 400],
  'DELETE /site': [403, 403, 403, 200],
  'GET /audit': [403, 403, 403, 200],
  'GET /audit/export': [403, 403, 403, 200],
  'GET /tokens': [403, 403, 403, 200],
  'POST /tokens': [403, 403, 403, 201],
  'DELETE /tokens/{id}': [403, 403, 403, 204]
}

const service = await start({ after }, { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8' })
const book = await createBook(service)
const routes = await listRoutes(service)
const authorization = await makeCallers(service)

describe('Who may do what', () => {
  it('is decided for every route, and for no other', () => {
    assert.deepEqual(Object.keys(expected).sort(), routes.map(({ name }) => name).sort())
  })

  for (const { name } of routes) {
    const row = expected[name]
    const isOpen = row === open || row === openInVain
    const statusFor = (caller: Caller) =>
      strangers.includes(caller) ? (isOpen ? row[0] : 401) : row?.[callers.indexOf(caller) - strangers.length]

    it(`${name}: ${callers.map(caller => `${statusFor(caller)} for ${caller}`).join(', ')}`, async () => {
      // A request that was refused uses nothing up: the next caller sends it, too.
      let unused: Prepared | undefined
      for (const caller of callers) {
        const status = statusFor(caller)
        const request = unused ?? (await prepare(name, caller))
        const answer = await sendAs(caller, request)
        const isRefused = [401, 403].includes(answer.status)
        unused = isRefused && !request.url.startsWith('/uploads/') ? request : undefined
        assert.equal(answer.status, status, `${caller}: ${answer.text}`)
        if (status === 401) assertStranger(answer)
        if (status === 403) assertProblem(answer, 'forbidden')
        assertCommonHeaders(name, answer)
      }
    })
  }
})

/** Asserts the headers that every answer has. */
function assertCommonHeaders(name: string, { headers }: Answer) {
  assert.equal(headers['api-version'], '1')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(
    headers['cache-control'],
    keptByAnybody.includes(name) ? 'public, max-age=86400' : isSecret(name) ? 'no-store' : 'private, no-cache'
  )
  assert.match(
    String(headers['content-security-policy']),
    /default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/
  )
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['access-control-allow-origin'], readByAnyPage(name) ? '*' : undefined)
  assert.equal(headers['x-powered-by'], undefined)
}

describe('A request without a valid bearer', () => {
  const headers: readonly string[] = [
    '',
    'Bearer',
    'Bearer ',
    `Bearer${adminToken}`,
    `Basic ${adminToken}`,
    `Basic ${Buffer.from(`admin:${adminToken}`).toString('base64')}`,
    `Token ${adminToken}`,
    adminToken,
    `Bearer ${adminToken} extra`,
    `Bearer ${adminToken},Bearer x`,
    `Bearer "${adminToken}"`,
    `Bearer ${adminToken}x`,
    `Bearer ${adminToken.toUpperCase()}`,
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIiwic2NvcGUiOiJhZG1pbiJ9.',
    'Bearer a.b.c',
    'Bearer ..',
    'Bearer é',
    `Bearer ${'x'.repeat(20_000)}`,
    'Bearer null',
    'Bearer undefined',
    "Bearer ' OR 1=1 --"
  ]
  for (const header of headers) {
    it(`gets 401 with ${JSON.stringify(header.slice(0, 70))}`, async () => {
      const answer = await service.get('/entities', { token: undefined, headers: { authorization: header } })

      assertStranger(answer)
    })
  }

  it('gets the same words whatever was wrong with it, so that nothing can be learnt', async () => {
    const texts = await Promise.all(
      strangers.map(async caller => (await send('GET /entities/{id}', caller)).text.replace(/VE-\w+/g, 'X'))
    )

    assert.equal(new Set(texts).size, 1)
  })

  it('is refused before its body is read', async () => {
    for (const body of ['not json', 'x'.repeat(2_000_000)]) {
      assertStranger(await service.post('/entities', body, { token: undefined }))
    }
  })

  it('is refused for ids that exist and for those that do not alike', async () => {
    assertStranger(await service.get('/entities/unknown', { token: undefined }))
    assertStranger(await service.get(`/entities/${book.work}`, { token: undefined }))
  })

  it('gets 404 for a path that does not exist and 405 for a method that a path does not have', async () => {
    assertProblem(await service.get('/nothing', { token: undefined }), 'no_such_path')
    assertProblem(await service.call('PUT', '/tokens', { token: undefined }), 'method_not_allowed')
  })
})

describe('HEAD', () => {
  it('needs what GET needs', async () => {
    const { id } = await service.create(aVenue())
    for (const [url, open] of [
      [`/entities/${id}`, false],
      ['/tokens', false],
      ['/health/live', true]
    ] as const) {
      assert.equal((await service.call('HEAD', url, { token: undefined })).status, open ? 200 : 401)
      const answer = await service.call('HEAD', url)
      assert.equal(answer.status, 200)
      assert.equal(answer.text, '')
    }
  })
})

function assertStranger(answer: Answer) {
  assertProblem(answer, 'unauthenticated')
  assert.match(String(answer.headers['www-authenticate']), /^Bearer\b/)
  assert.match(answer.body.message, /^R1013 \| /)
}

async function listRoutes({ get }: TestService) {
  const { paths } = (await get('/openapi.json')).body as { paths: Record<string, Record<string, unknown>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => ({ name: `${method.toUpperCase()} ${path}` }))
  )
}

async function makeCallers(started: TestService): Promise<Record<Caller, string | undefined>> {
  const { tokens } = started.libretto
  const expired = await tokens.create({ name: 'expired', scopes: ['admin'], expiresAt: '2020-01-01' }, 'test')
  const revoked = await tokens.create({ name: 'revoked', scopes: ['admin'] }, 'test')
  // Used once, so that the service would know it.
  assert.equal((await started.get('/tokens', { token: revoked.token })).status, 200)
  assert.equal((await started.delete(`/tokens/${revoked.id}`)).status, 204)
  const bearer = async (scope: string) => `Bearer ${await started.tokenWith(scope)}`
  return {
    nobody: undefined,
    garbage: 'Bearer garbage',
    'wrong scheme': `Token ${adminToken}`,
    expired: `Bearer ${expired.token}`,
    revoked: `Bearer ${revoked.token}`,
    read: await bearer('read'),
    write: await bearer('write'),
    delete: await bearer('delete'),
    admin: await bearer('admin')
  }
}

let lastImport = ''

/** Creates an import, and stops the one before: only some of a token may wait. */
async function createImport(): Promise<string> {
  if (lastImport !== '') await service.post(`/imports/${lastImport}/stop`, {})
  lastImport = (await service.post('/imports', aVenue())).body.id
  return lastImport
}

interface Prepared {
  readonly method: string
  readonly path: string
  readonly url: string
  readonly body: unknown
}

const send = async (name: string, caller: Caller) => sendAs(caller, await prepare(name, caller))

/** Makes a good request to a route: to a fresh record, with a body that would pass. */
async function prepare(name: string, caller: Caller): Promise<Prepared> {
  const [method = '', path = ''] = name.split(' ')
  const { id } = await service.create(aVenue())
  const tokenId =
    path === '/tokens/{id}' ? (await service.post('/tokens', { name: 'x', scopes: ['read'] })).body.id : ''
  const webhookId = path.startsWith('/webhooks/') ? (await service.post('/webhooks', aWebhook)).body.id : ''
  const importId = /^\/(?:imports|jobs)\//.test(path) ? await createImport() : ''
  const deliveryId = path.includes('{delivery_id}')
    ? (await service.post(`/webhooks/${webhookId}/test`, {})).body.id
    : ''
  if (path.endsWith('/unmerge'))
    await service.post(`/entities/${id}/merge`, { victim_id: (await service.create(aVenue())).id })
  const victim = path.endsWith('/merge') ? (await service.create(aVenue())).id : ''
  const mediafile = /mediafile|readiness|press-kit|^\/uploads/.test(path) ? await createMediafile(service) : undefined
  const upload = path.startsWith('/uploads') ? await beginUpload(mediafile?.mediafile ?? '', caller) : ''
  const url = path
    .replace('/mediafiles/{id}', `/mediafiles/${mediafile?.mediafile}`)
    .replace('{id}/mediafiles', `${mediafile?.production}/mediafiles`)
    .replace('{id}/set_primary', `${mediafile?.production}/set_primary`)
    .replace('{mediafile_id}', mediafile?.mediafile ?? '')
    .replace(/\{id\}\/(readiness|press-kit)/, `${mediafile?.production}/$1`)
    .replace('{upload_id}', upload)
    .replace('/webhooks/{id}', `/webhooks/${webhookId}`)
    .replace(/(?<=\/(?:imports|jobs)\/)\{id\}/, importId)
    .replace('{collection}', 'entities')
    .replace('{delivery_id}', deliveryId)
    .replace('{manifestation_id}', book.manifestation)
    .replace('/tokens/{id}', `/tokens/${tokenId}`)
    .replace('{id}/tree', `${book.work}/tree`)
    .replace('{id}', id)
    .replace('{database}', 'venue')
    .replace('{name}', 'not-found')
  const body =
    path === '/tickets'
      ? { mediafile_id: (await createMediafile(service)).mediafile }
      : name === 'DELETE /mediafiles'
        ? [mediafile?.mediafile]
        : bodyOf(method, path, path === '/history/filter' || name === 'DELETE /entities' ? id : victim)
  return { method, path, url, body }
}

function sendAs(caller: Caller, { method, path, url, body }: Prepared): Promise<Answer> {
  const header = authorization[caller]
  return service.call(method, url, {
    token: undefined,
    headers: { ...headersOf(path), ...(header === undefined ? {} : { authorization: header }) },
    ...(body === undefined ? {} : { body })
  })
}

/** Begins an upload in the name of the caller, or of the admin where the caller may not. */
async function beginUpload(mediafile: string, caller: Caller): Promise<string> {
  const begin = (header: string) =>
    service.call('POST', `/mediafiles/${mediafile}/uploads`, {
      token: undefined,
      headers: { authorization: header, 'upload-length': '3' }
    })
  const own = await begin(authorization[caller] ?? 'none')
  const { headers } = own.status === 201 ? own : await begin(`Bearer ${adminToken}`)
  return String(headers.location).replace('/uploads/', '')
}

const headersOf = (path: string): Record<string, string> =>
  path === '/uploads/{upload_id}'
    ? { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    : path === '/mediafiles/{id}/uploads'
      ? { 'upload-length': '3' }
      : {}

/** Nobody listens there, so that a delivery fails at once. */
const aWebhook = { url: 'http://127.0.0.1:61999/hook' }

/** Good but for the issuer. */
const aSignIn = { issuer: 'https://issuer.example.org', redirect_uri: 'https://page.example.org/sign-in' }

const name = (method: string, path: string) => `${method} ${path}`

function bodyOf(method: string, path: string, record: string): unknown {
  if (method === 'GET' || path === '/oai' || path === '/sru' || path === '/reconcile') return undefined
  if (path === '/webhooks') return aWebhook
  if (path.startsWith('/sign-in/')) return aSignIn
  if (path === '/imports/{id}/review') return [{ question: 'x', verdict: 'same' }]
  if (path.startsWith('/imports/')) return undefined
  if (name(method, path) === 'PUT /entities' || path === '/batch') return [aVenue()]
  if (name(method, path) === 'DELETE /entities') return [record]
  if (path === '/history/filter') return [{ type: 'id', value: record }]
  if (path === '/mediafiles/filter') return []
  if (path.includes('/set_primary_')) return undefined
  if (path === '/uploads/{upload_id}' || path.endsWith('/content')) return method === 'DELETE' ? undefined : 'abc'
  if (path.endsWith('/relations')) return []
  if (path.endsWith('/metadata')) {
    if (method === 'DELETE') return ['note']
    if (method === 'POST') return [{ key: 'note', value: 'x' }]
    return metadata(path.startsWith('/mediafiles') ? { mediafile_type: 'rider' } : { name: 'x' })
  }
  if (path.includes('mediafiles'))
    return ['DELETE', 'OPTIONS'].includes(method) || path.endsWith('/uploads')
      ? undefined
      : { metadata: metadata({ mediafile_type: 'rider' }) }
  if (path.startsWith('/webhooks/'))
    return method === 'DELETE' ? undefined : method === 'PATCH' ? { description: 'x' } : {}
  if (path.endsWith('/revert')) return { version: 1 }
  if (path.endsWith('/merge')) return { victim_id: record }
  if (/\/(?:unmerge|split|unsplit)$/.test(path)) return {}
  if (path.endsWith('/like-cases')) return method === 'GET' ? undefined : { cases: ['x'] }
  if (path === '/entities/batch') return [{ op: 'create', entity: aVenue() }]
  if (path === '/tokens') return { name: 'x', scopes: ['read'] }
  if (path.startsWith('/entities/filter') || path === '/export') return []
  if (path === '/entities/wem') return { ids: [book.manifestation] }
  return method === 'DELETE' ? undefined : aVenue()
}
