import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'

import { maxOpenImports } from '#imports/import-queue.ts'
import { CatalogueError } from '#domain/errors.ts'
import { type ProblemCode, problemKinds, problemPath, toProblem } from '#http/reply/errors.ts'
import { testStore } from '../support/databases/database.ts'
import { aPerson, aProduction, aVenue, aWork, anExpression, metadata, relations } from '../support/records/entities.ts'
import { type Answer, start } from '../support/services/start.ts'
import {
  assertNothingOfTheInside,
  assertProblem,
  jsonPatch,
  nested,
  pointersOf
} from '../support/records/write-cases.ts'

const service = await start({ after }, { BODY_LIMIT: '20000' })
const { call, create, get, patch, post, put } = service

await create(aVenue('x', { id: 'VE-errors' }))
await create(aProduction({}, { id: 'PR-errors', relations: relations({ refVenues: 'VE-errors' }) }))
const reader = await service.tokenWith('read')

/** A request for every problem that can be provoked from outside. */
const provoked: Readonly<Partial<Record<ProblemCode, () => Promise<Answer>>>> = {
  invalid: () => post('/entities', { type: 'venue' }),
  description_too_long: () => post('/entities', aProduction({ description_short: 'x'.repeat(501) })),
  invalid_filter: () => post('/entities/filter', [{ type: 'text', key: '!', value: 'x' }]),
  unknown_filter_type: () => post('/entities/filter', [{ type: 'telepathy', value: 'x' }]),
  bad_request: () => get('/entities?limit=many'),
  malformed_json: () => post('/entities', '{"type":'),
  unauthenticated: () => get('/entities', { token: undefined }),
  forbidden: () => post('/entities', aVenue(), { token: reader }),
  not_found: () => get('/entities/unknown'),
  incomplete_wem: async () => {
    const work = await create(aWork())
    const expression = await create(anExpression(work.id))
    const given = { type: 'manifestation_word', metadata: metadata({ title: 'x' }) }
    await create(
      { ...given, id: 'M-incomplete', relations: relations({ refExpressions: 'E-lost' }) },
      '?allow_dangling=1'
    )
    assert.ok(expression)
    return get('/entities/wem/M-incomplete')
  },
  several_matches: async () => {
    const work = await create(aWork())
    const { id } = await create(anExpression(work.id))
    const given = { type: 'manifestation_word', metadata: metadata({ title: 'x', isbn: '9780306406157' }) }
    for (let count = 0; count < 2; count++) await create({ ...given, relations: relations({ refExpressions: id }) })
    return get('/entities/wem/9780306406157')
  },
  no_such_path: () => get('/nothing/here'),
  method_not_allowed: () => call('PATCH', '/entities'),
  not_acceptable: () => get('/entities', { headers: { accept: 'image/png' } }),
  identifier_taken: () => post('/entities', aVenue('x', { id: 'VE-errors' })),
  still_referenced: () => call('DELETE', '/entities/VE-errors'),
  patch_not_applicable: () => patch('/entities/VE-errors', [{ op: 'remove', path: '/nothing' }], jsonPatch),
  version_mismatch: () => put('/entities/VE-errors', aVenue(), { headers: { 'if-match': '"99"' } }),
  key_reused: async () => {
    const headers = { 'idempotency-key': 'errors-1' }
    await post('/entities', aVenue('first'), { headers })
    return post('/entities', aVenue('second'), { headers })
  },
  rate_limited: async () => {
    const busy = await start({ after }, { RATE_LIMIT: '1/60' })
    await busy.get('/entities')
    return busy.get('/entities')
  },
  too_many_imports: async () => {
    const other = await start({ after })
    for (let count = 0; count < maxOpenImports; count++) await other.post('/imports', aVenue())
    return other.post('/imports', aVenue())
  },
  cursor_expired: async () => {
    const other = await start({ after })
    await other.create(aVenue())
    return get(`/changes?since=${(await other.get('/changes')).body.cursor}`)
  },
  body_too_large: () => post('/entities', `"${'x'.repeat(20_000)}"`),
  uri_too_long: () => get(`/entities/${'x'.repeat(5000)}`),
  unsupported_media_type: () => post('/entities', 'a,b', { headers: { 'content-type': 'text/csv' } })
}

/**
 * These come from a socket (limits.test.ts), from a query that takes too long
 * (filter-errors.test.ts), or from what goes wrong around the service.
 */
const fromWithin: readonly ProblemCode[] = [
  'request_timeout',
  'headers_too_large',
  'internal',
  'query_timeout',
  'unavailable',
  'storage_full'
]

/** These are about files: media-content.test.ts and uploads.test.ts provoke them. */
const fromFiles: readonly ProblemCode[] = [
  'checksum_mismatch',
  'media_too_large',
  'offset_mismatch',
  'range_not_satisfiable',
  'unsupported_tus_version'
]

/** This needs an issuer: oidc.test.ts has one. */
const fromIssuers: readonly ProblemCode[] = ['sign_in_failed']

describe('Problems', () => {
  it('are each provoked by some request here, or by a fault', () => {
    const all = [...Object.keys(provoked), ...fromWithin, ...fromFiles, ...fromIssuers]
    assert.deepEqual(all.sort(), Object.keys(problemKinds).sort())
  })

  for (const [code, provoke] of Object.entries(provoked) as [ProblemCode, () => Promise<Answer>][]) {
    const { status, clientCode } = problemKinds[code]

    it(`${code} is ${status} as application/problem+json, with every member of a problem and ${clientCode} in its message`, async () => {
      const answer = await provoke()

      assertProblem(answer, code)
      assert.ok(typeof answer.body.instance === 'string' && answer.body.instance.startsWith('/'))
      assert.equal(answer.headers['api-version'], '1')
    })
  }

  it('unavailable is 503 with Retry-After, when the database is away; internal is 500, and its words stay in the log', async t => {
    const away = await start(t)
    await away.libretto.store[Symbol.asyncDispose]()

    const unavailable = await away.post('/entities', aVenue())
    assertProblem(unavailable, 'unavailable')
    assert.match(String(unavailable.headers['retry-after']), /^\d+$/)
    const broken = await away.get('/entities/x')
    // A server that is away is nothing out of the ordinary; a file that is closed is.
    assertProblem(broken, testStore === 'postgres' ? 'unavailable' : 'internal')
    if (testStore === 'sqlite') assert.equal(broken.body.detail, 'Internal server error')
  })

  it('storage_full is 507, and says that nothing was written', () => {
    const body = toProblem(new CatalogueError('storage_full', 'The disk is full; nothing was written'), '/entities')
    const headers = { 'content-type': 'application/problem+json' }

    assertProblem({ status: 507, headers, body, text: JSON.stringify(body) }, 'storage_full')
  })

  it('have the codes that existing clients know', () => {
    const known = {
      not_found: 'R0004',
      unauthenticated: 'R1013',
      forbidden: 'R1008',
      identifier_taken: 'W2004',
      invalid: 'W5011',
      description_too_long: 'W13000',
      unknown_filter_type: 'R6002'
    }
    for (const [code, clientCode] of Object.entries(known))
      assert.equal(problemKinds[code as ProblemCode].clientCode, clientCode)
  })

  it('have the statuses that the interface lists', () => {
    const statuses = new Set(Object.values(problemKinds).map(kind => kind.status))
    for (const status of [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 429, 503])
      assert.ok((statuses as Set<number>).has(status), String(status))
  })

  it('name the path of the request, without its query, as instance', async () => {
    assert.equal((await get('/entities/unknown?secret=1')).body.instance, '/entities/unknown')
  })

  it('carry what they are about in the message that clients parse', async () => {
    assert.equal((await get('/entities/some-id')).body.message, 'R0004 | id:some-id - No entity with id "some-id"')
    assert.match(
      (await post('/entities/filter', [{ type: 'magic', value: 1 }])).body.message,
      /^R6002 \| type:magic - /
    )
  })
})

describe('GET /problems/{name}', () => {
  for (const code of Object.keys(problemKinds) as ProblemCode[]) {
    it(`${problemPath(code)} explains ${code}, to anybody`, async () => {
      const answer = await get(problemPath(code), { token: undefined })

      assert.equal(answer.status, 200)
      assert.match(String(answer.headers['content-type']), /^text\/html; charset=utf-8/)
      assert.ok(answer.text.includes(problemKinds[code].title))
      assert.ok(answer.text.includes(problemKinds[code].clientCode))
      assert.doesNotMatch(answer.text, /<script|https?:\/\//)
    })
  }

  it('answers 404 for a problem that there is not', async () => {
    for (const name of ['nothing', '%3Cscript%3E', 'constructor', 'not_found']) {
      assertProblem(await get(`/problems/${name}`, { token: undefined }), 'no_such_path')
    }
  })
})

describe('404 and 405', () => {
  it('404 for paths that do not exist, whatever the method', async () => {
    for (const url of [
      '/nothing',
      '/entities/a/b/c',
      '/entity',
      '/elody/v1/nothing',
      '/elody/v2/entities',
      '/elody/v1entities',
      '//entities',
      '/%2e%2e/etc/passwd'
    ]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await call(method, url)
        assertProblem(answer, 'no_such_path')
      }
    }
  })

  const allowed: Readonly<Record<string, string>> = {
    '/entities': 'DELETE, GET, HEAD, POST, PUT',
    '/entities/VE-errors': 'DELETE, GET, HEAD, PATCH, PUT',
    '/entities/VE-errors/metadata': 'DELETE, GET, HEAD, PATCH, POST, PUT',
    '/entities/VE-errors/relations': 'DELETE, GET, HEAD, PATCH, POST, PUT',
    '/entities/VE-errors/parts': 'GET, HEAD',
    '/entities/VE-errors/tree': 'GET, HEAD',
    '/entities/VE-errors/references': 'GET, HEAD',
    '/entities/wem/x': 'GET, HEAD',
    '/tokens': 'GET, HEAD, POST',
    '/tokens/x': 'DELETE',
    '/health/live': 'GET, HEAD',
    '/openapi.json': 'GET, HEAD',
    '/docs': 'GET, HEAD'
  }
  for (const [url, allow] of Object.entries(allowed)) {
    it(`405 with Allow: ${allow} for ${url}`, async () => {
      const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'].filter(
        method => !allow.split(', ').includes(method)
      )
      for (const path of [url, `/elody/v1${url}`]) {
        for (const method of methods) {
          const answer = await call(method, path)
          assertProblem(answer, 'method_not_allowed')
          assert.equal(answer.headers.allow, allow, method)
        }
      }
    })
  }
})

describe('406', () => {
  it('JSON is given for no Accept, for any form, and for JSON among others', async () => {
    for (const accept of [
      '',
      '*/*',
      'application/json',
      'application/*',
      'text/html, application/json;q=0.9',
      'Application/JSON',
      'application/problem+json',
      'text/html,*/*;q=0.1'
    ]) {
      assert.equal((await get('/entities', { headers: { accept } })).status, 200, accept)
    }
  })

  it('other forms are refused', async () => {
    for (const accept of ['text/html', 'application/xml', 'text/*', 'image/png, text/csv', 'nonsense']) {
      assertProblem(await get('/entities/VE-errors/history', { headers: { accept } }), 'not_acceptable')
      assertProblem(await post('/entities', aVenue(), { headers: { accept } }), 'not_acceptable')
    }
    assertProblem(await get('/docs', { headers: { accept: 'application/json' } }), 'not_acceptable')
    assert.equal(
      (await get('/entities/VE-errors', { headers: { accept: 'text/html' } })).headers.vary,
      'Accept, Accept-Encoding, Accept-Language'
    )
  })
})

describe('413', () => {
  it('a body of the limit is taken, one byte more is not, declared or not', async () => {
    const fill = (bytes: number) => {
      const around = JSON.stringify(aPerson('x', { metadata: metadata({ name: 'x', note: '' }) }))
      return around.replace('"note","value":""', `"note","value":"${'x'.repeat(bytes - around.length)}"`)
    }
    const exact = fill(20_000)
    assert.equal(Buffer.byteLength(exact), 20_000)

    assert.equal((await post('/entities', exact)).status, 201)
    const answer = await post('/entities', fill(20_001))
    assertProblem(answer, 'body_too_large')
    assert.match(answer.body.detail, /20000 bytes/)
  })
})

describe('415', () => {
  it('bodies in other media types are refused on every route that takes one', async () => {
    const routes = [
      ['POST', '/entities'],
      ['PUT', '/entities/VE-errors'],
      ['PATCH', '/entities/VE-errors'],
      ['POST', '/entities/filter'],
      ['POST', '/entities/wem'],
      ['PATCH', '/entities/VE-errors/metadata'],
      ['POST', '/tokens']
    ] as const
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonx',
      'json',
      'application/json x',
      ' ',
      'application',
      'text/json'
    ]
    for (const [method, url] of routes) {
      for (const type of types) {
        const answer = await call(method, url, { body: '{}', headers: { 'content-type': type } })
        assertProblem(answer, 'unsupported_media_type')
        assert.equal('accept-patch' in answer.headers, method === 'PATCH')
        assert.match(answer.body.detail, /send (application\/json|JSON)/)
      }
    }
  })

  it('lines of JSON are refused where no lines are read, also where bodies are streamed', async () => {
    const routes = ['/entities', '/entities/VE-errors/mediafiles', '/mediafiles']
    for (const type of ['application/x-ndjson', 'application/ndjson', 'application/jsonl'])
      for (const url of routes)
        assertProblem(await post(url, '{}', { headers: { 'content-type': type } }), 'unsupported_media_type')
  })

  it('patches are refused where nothing is patched by them', async () => {
    for (const type of ['application/merge-patch+json', 'application/json-patch+json']) {
      const headers = { 'content-type': type }
      assertProblem(await post('/entities', aVenue(), { headers }), 'unsupported_media_type')
      assertProblem(await put('/entities/VE-errors', aVenue(), { headers }), 'unsupported_media_type')
      assertProblem(await post('/entities/filter', [], { headers }), 'unsupported_media_type')
    }
  })

  it('compressed bodies are refused as such, with what can be read', async () => {
    const body = gzipSync(JSON.stringify(aVenue()))
    for (const [method, url, type] of [
      ['POST', '/entities', 'application/json'],
      ['PATCH', '/entities/VE-errors', 'application/json'],
      ['POST', '/entities/batch', 'application/x-ndjson']
    ] as const) {
      const headers = { 'content-type': type, 'content-encoding': 'gzip' }
      const answer = await call(method, url, { body, headers })
      assertProblem(answer, 'unsupported_media_type')
      assert.match(answer.body.detail, /Content-Encoding: gzip/)
      assert.equal(answer.headers['accept-encoding'], 'identity')
    }
    const plain = { 'content-encoding': 'identity' }
    assert.equal((await post('/entities', aVenue(), { headers: plain })).status, 201)
  })

  it('JSON is taken with any parameter', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'APPLICATION/JSON']) {
      assert.equal(
        (await post('/entities', JSON.stringify(aVenue()), { headers: { 'content-type': type } })).status,
        201,
        type
      )
    }
  })
})

describe('Bodies that cannot be read', () => {
  const bodies: Readonly<Record<string, string | Buffer>> = {
    'no JSON': 'hello',
    'half an object': '{"type":"venue"',
    'a trailing comma': '{"type":"venue",}',
    'single quotes': "{'type':'venue'}",
    'two values': '{} {}',
    'a comment': '{} // x',
    NaN: '{"a":NaN}',
    Infinity: '[Infinity]',
    'a bare control character in a text': '{"a":"\u0001"}',
    'bytes that are not UTF-8': Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    'an overlong form in UTF-8': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
    'half a surrogate pair in UTF-8': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    'Latin-1': Buffer.from('{"type":"Brontë"}', 'latin1'),
    'UTF-16': Buffer.from('{"type":"venue"}', 'utf16le'),
    'depth of 33': JSON.stringify(nested(33)),
    'depth of many thousands': '['.repeat(9000),
    'objects as deep': '{"a":'.repeat(3000),
    'a member __proto__': '{"type":"venue","__proto__":{"isAdmin":true}}',
    'a member __proto__ deep inside': '{"type":"venue","metadata":[{"key":"a","value":{"b":[{"__proto__":1}]}}]}',
    'a member __proto__ in escapes': '{"type":"venue","\\u005f_proto__":{"x":1}}',
    nothing: ' ',
    'only a byte order mark': '\ufeff'
  }
  for (const [what, body] of Object.entries(bodies)) {
    it(`${what} is 400 malformed_json everywhere`, async () => {
      for (const [method, url] of [
        ['POST', '/entities'],
        ['PUT', '/entities/VE-errors'],
        ['POST', '/entities/filter'],
        ['POST', '/entities/wem'],
        ['POST', '/tokens'],
        ['PATCH', '/entities/VE-errors/metadata']
      ] as const) {
        assertProblem(await call(method, url, { body }), 'malformed_json')
      }
      assert.equal('isAdmin' in {}, false)
    })
  }

  it('an empty body that is declared as JSON is one of them', async () => {
    assertProblem(
      await call('POST', '/entities', { headers: { 'content-type': 'application/json' } }),
      'malformed_json'
    )
  })

  it('a byte order mark before JSON is passed over', async () => {
    assert.equal((await post('/entities', `\ufeff${JSON.stringify(aVenue())}`)).status, 201)
  })

  it('the text __proto__ as a value, or as a metadata key, is taken', async () => {
    const { body } = await post('/entities', { type: 'venue', metadata: metadata({ name: '__proto__' }) })
    assert.equal(body.metadata[0].value, '__proto__')
    const kept = await post(
      '/entities',
      '{"type":"venue","metadata":[{"key":"name","value":"x"},{"key":"__proto__","value":1}]}'
    )
    assert.deepEqual(kept.body.metadata[1], { key: '__proto__', value: 1 })
  })

  it('members called constructor or prototype are plain data', async () => {
    const { status } = await post(
      '/entities',
      '{"type":"venue","metadata":[{"key":"name","value":"x"},{"key":"a","value":{"constructor":{"prototype":{"x":1}}}}]}'
    )

    assert.equal(status, 201)
    assert.equal('x' in {}, false)
  })

  it('text and numbers that cannot be kept are refused on every route', async () => {
    const values = ['"\\u0000"', '"\\ud800"', '"\\udfff"', '1e400', '-1e400']
    for (const value of values) {
      assertProblem(await post('/entities', `{"type":"venue","metadata":[{"key":"name","value":${value}}]}`), 'invalid')
      assertProblem(await put('/entities/VE-errors', `{"metadata":[{"key":"name","value":${value}}]}`), 'invalid')
      assertProblem(await patch('/entities/VE-errors', `{"metadata":[{"key":"name","value":${value}}]}`), 'invalid')
      assertProblem(
        await patch('/entities/VE-errors', `[{"op":"add","path":"/metadata/-","value":${value}}]`, jsonPatch),
        'invalid'
      )
      assertProblem(await post('/entities/VE-errors/metadata', `[{"key":"a","value":${value}}]`), 'invalid')
      assert.equal(
        (await post('/entities/filter', `[{"type":"text","key":"properties.title.value","value":${value}}]`)).status,
        400
      )
      assert.equal((await post('/tokens', `{"name":${value},"scopes":["read"]}`)).status, 400)
    }
    for (const value of ['"\\u0000"', '"\\ud800"']) {
      assert.ok((await post('/entities/wem', `{"ids":[${value}]}`)).status < 500)
    }
  })
})

describe('Parameters that cannot be read', () => {
  const bad = [
    ...[
      'limit=0x10',
      'limit=1e2',
      'limit=-1',
      'limit=1001',
      'limit=1.5',
      'limit= 5',
      'limit=5%20',
      'limit=+5',
      'limit=five',
      'limit=NaN',
      'limit=Infinity',
      'limit=١٠',
      'limit=99999999999999999999'
    ],
    ...[
      'skip=-1',
      'skip=1e3',
      'skip=x',
      'skip=1.0',
      'asc=2',
      'asc=-1',
      'asc=true',
      'envelope=yes',
      'type=nothing',
      'type=venue,nothing'
    ],
    ...['limit=1&limit=2', 'type=venue&type=person', 'asc=0&asc=0', 'limit[]=1&limit[]=2&limit=3&limit=4'],
    ...[
      'order_by=a%00b',
      'type=%00',
      'type=%FF',
      'type=%ED%A0%80',
      'ids=a%00',
      'cursor=nonsense',
      'cursor=W10',
      'order_by=a&order_by=b'
    ]
  ]
  for (const query of bad) {
    it(`GET /entities?${query} is 400, and the parameter is named`, async () => {
      const answer = await get(`/entities?${query}`)

      assert.equal(answer.status, 400, answer.text)
      const [name = ''] = query.split(/[=[]/)
      assert.equal(pointersOf(answer)[0], name)
      assertProblem(answer, answer.body.code)
    })
  }

  it('tells every fault at once', async () => {
    assert.deepEqual(pointersOf(await get('/entities?limit=x&skip=y&asc=z')).sort(), ['asc', 'limit', 'skip'])
  })

  it('says what a flag can be, and how large a number', async () => {
    assert.match((await get('/entities?asc=true')).body.detail, /one of 0, 1, not "true"/)
    assert.match((await get('/entities?skip=9007199254740993')).body.detail, /from 0 to 999999999999999,/)
  })

  it('an empty number is the default', async () => {
    const answer = await get('/entities?limit=&skip=&asc=&order_by=&envelope=1')

    assert.deepEqual([answer.body.limit, answer.body.skip], [20, 0])
  })

  for (const path of ['%', '%zz', '%FF', '%C0%AF', 'a%00b', '%ED%A0%80']) {
    it(`GET /entities/${path} is 400 or 404, never more`, async () => {
      const answer = await get(`/entities/${path}`)

      assert.ok(answer.status === 400 || answer.status === 404, answer.text)
      assertProblem(answer, answer.body.code)
    })
  }

  it('5,000 parameters, 64 kB of query and a path of dots neither fail nor stop the service', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => `p${index}=1`).join('&')
    for (const url of [
      `/entities?${many}`,
      `/entities?type=${'x'.repeat(60_000)}`,
      `/entities/${'../'.repeat(500)}x`,
      `/${'a/'.repeat(3000)}`
    ]) {
      const answer = await get(url)
      assert.ok(answer.status < 500, url.slice(0, 40))
      assertNothingOfTheInside(answer.text)
    }
  })
})

describe('What a problem says', () => {
  it('quotes what was sent, and is JSON whatever that was', async () => {
    for (const id of ['"', '<script>', '\\', '{}', '𝄞', "' OR 1=1"]) {
      const answer = await get(`/entities/${encodeURIComponent(id)}`)
      assertProblem(answer, 'not_found')
      assert.ok(answer.body.detail.includes(id))
      assert.match(String(answer.headers['content-type']), /json/)
    }
  })

  it('never holds the token that was sent', async () => {
    const secret = 'very-secret-token-0123456789'
    for (const url of ['/entities', '/nothing', '/tokens']) {
      const answer = await get(url, { token: secret })
      assert.ok(!answer.text.includes(secret) && !JSON.stringify(answer.headers).includes(secret))
    }
  })
})

describe('A path of another method', () => {
  it('is 405 with Allow, also where the path would fit an entity', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/entities/filter', 'POST'],
      ['GET', '/entities/wem', 'POST'],
      ['DELETE', '/entities/batch', 'POST'],
      ['PATCH', '/mediafiles/filter', 'POST'],
      ['PATCH', '/entities', 'DELETE, GET, HEAD, POST, PUT']
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
      const answer = await call(method, path, body)
      assertProblem(answer, 'method_not_allowed')
      assert.equal(answer.headers.allow, allow, `${method} ${path}`)
    }
    await create(aVenue('Odd', { id: 'wem' }))
    assert.equal((await get('/entities/wem')).body.id, 'wem')
    assertProblem(await post('/tickets', { mediafile_id: 'MF-NONE' }), 'not_found')
  })
})

describe('WWW-Authenticate', () => {
  it('names the error of a bearer that was sent (RFC 6750)', async () => {
    const challenge = async (options: object) => (await get('/tokens', options)).headers['www-authenticate']
    assert.equal(await challenge({ token: undefined }), 'Bearer realm="libretto"')
    assert.equal(await challenge({ token: 'wrong' }), 'Bearer realm="libretto", error="invalid_token"')
    assert.equal(await challenge({ token: reader }), 'Bearer realm="libretto", error="insufficient_scope"')
  })
})
