import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import Ajv2020 from 'ajv/dist/2020.js'

import { aPerson, aProduction, aRecord, aVenue, aWork, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const publicUrl = 'https://catalogue.example.org'
const service = await start({ after }, { PUBLIC_URL: publicUrl })
const { create, get } = service

const shakespeare = await create(
  aRecord(
    'person',
    { name: 'Shakespeare, William', life_dates: '1564-1616' },
    {},
    { id: 'PERS-ws', identifiers: ['viaf:96994048'] }
  )
)
const elder = await create(
  aRecord('person', { name: 'Bruegel, Pieter', life_dates: '1525-1569' }, {}, { id: 'PERS-b1' })
)
const younger = await create(
  aRecord('person', { name: 'Bruegel, Pieter', life_dates: '1564-1638' }, {}, { id: 'PERS-b2' })
)
const hamlet = await create(aWork('Hamlet', { id: 'W-hamlet', relations: relations({ refAuthors: shakespeare.id }) }))
const other = await create(aWork('Hamlet', { id: 'W-other', relations: relations({ refAuthors: elder.id }) }))
const venue = await create(
  aRecord('venue', { name: 'De Linde', city: 'Haarlem', capacity: 694 }, {}, { id: 'VE-linde' })
)
await create(
  aProduction(
    { title: 'Hamlet', premiere_date: '2026-01-16' },
    { id: 'PR-hamlet', relations: relations({ refVenues: venue.id }) }
  )
)

const form = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' }
})
const post = (fields: Record<string, string>, options = {}) =>
  service.call('POST', '/reconcile', { ...form(fields), ...options })
interface Found {
  readonly id: string
  readonly score: number
  readonly match: boolean
}
const ask = async (query: object | string, options = {}): Promise<Found[]> => {
  const { status, body, text } = await post(
    { queries: JSON.stringify({ q0: typeof query === 'string' ? { query } : query }) },
    options
  )
  assert.equal(status, 200, text)
  return body.q0.result
}
const matchOf = async (query: object | string) => (await ask(query)).find(({ match }) => match)?.id

/** The rules of version 0.2 of the reconciliation API for answers. */
const ajv = new Ajv2020.Ajv2020({ strict: false, allErrors: true })
const named = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' } }
}
const service02 = {
  type: 'object',
  properties: { service_url: { type: 'string', pattern: '^https://' }, service_path: { type: 'string', pattern: '^/' } }
}
const shapes = {
  manifest: {
    type: 'object',
    required: ['versions', 'name', 'identifierSpace', 'schemaSpace'],
    properties: {
      versions: { type: 'array', contains: { const: '0.2' } },
      identifierSpace: { type: 'string', pattern: '^https://' },
      schemaSpace: { type: 'string', pattern: '^https://' },
      defaultTypes: { type: 'array', items: named, uniqueItems: true, minItems: 10 },
      view: { type: 'object', required: ['url'], properties: { url: { type: 'string', pattern: '\\{\\{id\\}\\}' } } },
      preview: {
        type: 'object',
        required: ['url', 'width', 'height'],
        properties: { url: { pattern: '\\{\\{id\\}\\}' }, width: { type: 'integer' } }
      },
      suggest: { type: 'object', properties: { entity: service02, type: service02, property: service02 } },
      extend: { type: 'object', properties: { propose_properties: service02, property_settings: { type: 'array' } } }
    }
  },
  results: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['result'],
      properties: {
        result: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'name', 'score', 'match', 'type'],
            additionalProperties: false,
            properties: {
              id: { type: 'string' },
              name: { type: 'string' },
              description: { type: 'string' },
              score: { type: 'number', minimum: 0, maximum: 100 },
              match: { type: 'boolean' },
              type: { type: 'array', items: named },
              features: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['id', 'value'],
                  properties: { value: { type: ['number', 'boolean'] } }
                }
              }
            }
          }
        }
      }
    }
  }
}
const assertShape = (name: keyof typeof shapes, value: unknown) => {
  const validate = ajv.compile(shapes[name])
  assert.ok(validate(value), ajv.errorsText(validate.errors))
}

describe('GET /reconcile', () => {
  it('without arguments says what the service can do', async () => {
    const { status, body, headers } = await get('/reconcile')

    assert.equal(status, 200)
    assertShape('manifest', body)
    assert.ok(body.defaultTypes.some(({ id }: { id: string }) => id === 'work'))
    // The page of a record where the web page was built, else the record.
    assert.match(body.view.url, /^https:\/\/catalogue\.example\.org\/(?:record|entities)\/\{\{id\}\}$/)
    assert.equal(headers['access-control-allow-origin'], '*')
  })

  it('answers queries in its address as in a body, and a single one by its text', async () => {
    const queries = { one: { query: 'William Shakespeare', type: 'person' }, two: { query: 'De Linde' } }
    const byBody = await post({ queries: JSON.stringify(queries) })
    const byAddress = await get(`/reconcile?queries=${encodeURIComponent(JSON.stringify(queries))}`)

    assertShape('results', byBody.body)
    assert.deepEqual(Object.keys(byBody.body), ['one', 'two'])
    assert.deepEqual(byAddress.body, byBody.body)
    assert.equal((await get('/reconcile?query=De%20Linde')).body.result[0].id, venue.id)
    assert.equal(
      (await get(`/reconcile?query=${encodeURIComponent('{"query":"De Linde","type":"venue"}')}`)).body.result[0].id,
      venue.id
    )
  })
})

describe('Candidates for a name', () => {
  it('are found whatever the order, case and marks of the name, and are sure when only one is called so', async () => {
    for (const query of ['Shakespeare, William', 'William Shakespeare', 'shakespeare william', 'WILLIAM SHAKESPEARE'])
      assert.equal((await ask({ query, type: 'person' }))[0]?.id, shakespeare.id, query)
    assert.equal(await matchOf({ query: 'William Shakespeare', type: 'person' }), shakespeare.id)
    assert.equal(await matchOf({ query: 'de linde' }), venue.id)
  })

  it('are found by another form of the name, and by initials however they are written', async () => {
    const made = await create(
      aRecord('person', { name: 'Vondel, J. v. d.', non_preferred_name: 'Zeepoort, Anna' }, {}, { id: 'PERS-jvd' })
    )
    for (const query of ['Anna Zeepoort', 'J.v.d. Vondel', 'JVD Vondel', 'Vondel, JVD'])
      assert.equal(await matchOf({ query, type: 'person' }), made.id, query)
  })

  it('are found by a part of the name, with a lower score, and are not sure then', async () => {
    const [found] = await ask({ query: 'Shakespeare', type: 'person' })

    assert.equal(found?.id, shakespeare.id)
    assert.ok((found?.score ?? 100) < 95)
    assert.equal(found?.match, false)
    for (const query of ['Wiliam Shakespeare', 'Shakespere', 'W. Shakespeare'])
      assert.equal((await ask({ query, type: 'person' }))[0]?.id, shakespeare.id, query)
    assert.deepEqual(await ask({ query: '…', type: 'person' }), [])
  })

  it('are not sure when two are called so, unless a property tells them apart', async () => {
    const twins = await ask({ query: 'Pieter Bruegel', type: 'person' })
    assert.deepEqual(
      twins.map(({ id, score, match }) => [id, score, match]),
      [
        [elder.id, 100, false],
        [younger.id, 100, false]
      ]
    )
    const properties = [{ pid: 'life_dates', v: '1564-1638' }]
    assert.equal(await matchOf({ query: 'Pieter Bruegel', type: 'person', properties }), younger.id)
    assert.equal(
      await matchOf({ query: 'Pieter Bruegel', type: 'person', properties: [{ pid: 'life_dates', v: '1700-1750' }] }),
      undefined
    )
  })

  it('are told apart by what they are related to: by its name, or its id when that was matched before', async () => {
    for (const v of ['William Shakespeare', { id: shakespeare.id }, ['nobody', 'Shakespeare, William']])
      assert.equal(await matchOf({ query: 'Hamlet', type: 'work', properties: [{ pid: 'refAuthors', v }] }), hamlet.id)
    assert.equal(await matchOf({ query: 'Hamlet', type: 'work' }), undefined)
    const scores = await ask({
      query: 'Hamlet',
      type: 'work',
      properties: [{ pid: 'refAuthors', v: { id: elder.id } }]
    })
    assert.deepEqual(
      scores.map(({ id }) => id),
      [other.id, hamlet.id]
    )
  })

  it('are found by properties alone', async () => {
    assert.equal(
      await matchOf({
        type: 'venue',
        properties: [
          { pid: 'city', v: 'haarlem' },
          { pid: 'capacity', v: 694 }
        ]
      }),
      venue.id
    )
    assert.equal(
      await matchOf({ type: 'work', properties: [{ pid: 'refAuthors', v: 'Shakespeare, William' }] }),
      hamlet.id
    )
  })

  it('are of the types asked for: a type, an umbrella, several, or any', async () => {
    const typesFor = async (type: unknown) =>
      (await ask({ query: 'Hamlet', ...(type === undefined ? {} : { type }) })).map(({ id }) => id).sort()
    assert.deepEqual(await typesFor('production'), ['PR-hamlet'])
    assert.deepEqual(await typesFor('work'), ['W-hamlet', 'W-other'])
    assert.deepEqual(await typesFor(['production', 'work_word']), ['PR-hamlet', 'W-hamlet', 'W-other'])
    assert.deepEqual(await typesFor(undefined), ['PR-hamlet', 'W-hamlet', 'W-other'])
    assert.deepEqual(await typesFor('unheard_of'), [])
  })

  it('are found by any identifier, and there are no more than asked for', async () => {
    assert.equal(await matchOf('viaf:96994048'), shakespeare.id)
    assert.equal((await ask({ query: 'Hamlet', limit: 1 })).length, 1)
  })

  it('are the same each time', async () => {
    const first = await ask({ query: 'Bruegel Hamlet Linde' })
    for (let times = 0; times < 3; times++) assert.deepEqual(await ask({ query: 'Bruegel Hamlet Linde' }), first)
  })

  it('are refused with every fault when the query is malformed', async () => {
    const cases: readonly (readonly [string, string])[] = [
      ['not json', 'queries'],
      ['[]', 'queries'],
      ['{"q":5}', 'queries/q'],
      ['{"q":{}}', 'queries/q'],
      ['{"q":{"query":5}}', 'queries/q/query'],
      ['{"q":{"query":"x","type":[5]}}', 'queries/q/type'],
      ['{"q":{"query":"x","limit":0}}', 'queries/q/limit'],
      ['{"q":{"query":"x","properties":[{"v":"y"}]}}', 'queries/q/properties/0'],
      [JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [at, { query: 'x' }]))), 'queries']
    ]
    for (const [queries, pointer] of cases) {
      const answer = await post({ queries })
      assertProblem(answer, 'invalid')
      assert.ok(
        answer.body.errors.some((each: { pointer: string }) => each.pointer === pointer),
        `${queries}: ${answer.text}`
      )
    }
    assertProblem(await service.call('POST', '/reconcile', { body: { queries: '{}' } }), 'unsupported_media_type')
    assert.equal((await post({ queries: '{"__proto__":{"query":"x"}}' })).status, 200)
  })
})

describe('Suggestions', () => {
  it('are records whose name begins so, before those that only have it', async () => {
    const { body } = await get('/reconcile/suggest/entity?prefix=shak')
    assert.equal(body.result[0].id, shakespeare.id)
    assert.ok(body.result[0].notable.some(({ id }: { id: string }) => id === 'person'))
    assert.equal((await get('/reconcile/suggest/entity?prefix=linde')).body.result[0].id, venue.id)
    assert.equal((await get(`/reconcile/suggest/entity?prefix=${venue.id}`)).body.result[0].id, venue.id)
    assert.deepEqual(
      (await get('/reconcile/suggest/entity?prefix=ham&type=production')).body.result.map(
        ({ id }: { id: string }) => id
      ),
      ['PR-hamlet']
    )
    assert.deepEqual((await get('/reconcile/suggest/entity?prefix=')).body.result, [])
  })

  it('are types and properties by their names', async () => {
    const idsOf = async (path: string) => (await get(path)).body.result.map(({ id }: { id: string }) => id)
    assert.ok((await idsOf('/reconcile/suggest/type?prefix=wor')).includes('work'))
    assert.deepEqual(await idsOf('/reconcile/suggest/type?prefix=ven'), ['venue'])
    assert.deepEqual(await idsOf('/reconcile/suggest/property?prefix=life'), ['life_dates'])
    assert.ok((await idsOf('/reconcile/suggest/property?prefix=auth')).includes('refAuthors'))
  })
})

describe('Extending', () => {
  it('gives the values of properties: texts, numbers, dates and related records', async () => {
    const { body } = await post({
      extend: JSON.stringify({
        ids: [venue.id, 'PR-hamlet', 'nowhere'],
        properties: [{ id: 'capacity' }, { id: 'city' }, { id: 'premiere_date' }, { id: 'refVenues', settings: {} }]
      })
    })

    assert.deepEqual(body.meta[3], { id: 'refVenues', name: 'venues' })
    assert.deepEqual(body.rows[venue.id], {
      capacity: [{ float: 694 }],
      city: [{ str: 'Haarlem' }],
      premiere_date: [],
      refVenues: []
    })
    assert.deepEqual(body.rows['PR-hamlet'], {
      capacity: [],
      city: [],
      premiere_date: [{ date: '2026-01-16T00:00:00Z' }],
      refVenues: [{ id: venue.id, name: 'De Linde' }]
    })
    assert.deepEqual(body.rows.nowhere, { capacity: [], city: [], premiere_date: [], refVenues: [] })
    for (const wrong of ['x', '{}', '{"ids":[5],"properties":[]}', '{"ids":[],"properties":[{}]}'])
      assertProblem(await post({ extend: wrong }), 'invalid')
  })

  it('fetches each record once, and refuses an answer with too many values', async () => {
    const others = Array.from({ length: 30 }, (_, at) => `many-names-${at}`)
    const names = Array.from({ length: 1_900 }, (_, at) => ({ key: 'alternative_name', value: `Name ${at}` }))
    await create({
      type: 'venue',
      metadata: [{ key: 'name', value: 'Manynames' }, ...names],
      identifiers: others
    })
    const ask = (ids: readonly string[]) =>
      post({ extend: JSON.stringify({ ids, properties: [{ id: 'alternative_name' }, { id: 'alternative_name' }] }) })
    const { body } = await ask(new Array<string>(1_000).fill('many-names-0'))
    assert.equal(body.rows['many-names-0'].alternative_name.length, 1_900)
    assert.equal((await ask(others.slice(0, 26))).status, 200)
    const refused = await ask(others)
    assertProblem(refused, 'invalid')
    assert.match(refused.body.detail ?? JSON.stringify(refused.body), /more than 50000 values/)
  })

  it('proposes the properties of a type', async () => {
    const { body } = await get('/reconcile/properties?type=venue')

    assert.equal(body.type, 'venue')
    assert.ok(body.properties.some(({ id }: { id: string }) => id === 'capacity'))
    assert.deepEqual((await get('/reconcile/properties?type=unheard_of')).body.properties, [])
  })
})

describe('The preview of a record', () => {
  it('is a page that may be framed, and nothing in a record becomes markup', async () => {
    await create(aVenue('<script>alert(1)</script> & Co', { id: 'VE-script' }))
    const { status, text, headers } = await get('/reconcile/preview?id=VE-script')

    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*base-uri 'none'; frame-ancestors \*/)
    assert.doesNotMatch(text, /<script/)
    assert.match((await get(`/reconcile/preview?id=${hamlet.id}`)).text, /Shakespeare, William/)
    assertProblem(await get('/reconcile/preview?id=nowhere'), 'not_found')
    assertProblem(await get('/reconcile/preview'), 'bad_request')
  })
})

describe('Who may reconcile', () => {
  it('who may read nothing is told so, where records are asked for', async () => {
    const token = await service.tokenWith('write')
    const queries = encodeURIComponent(JSON.stringify({ q0: { query: 'Hamlet' } }))

    assertProblem(await get(`/reconcile?queries=${queries}`, { token }), 'forbidden')
    assert.equal((await get('/reconcile', { token })).status, 200)
  })

  it('is who has a bearer, unless anybody may', async t => {
    assertProblem(await get('/reconcile', { token: undefined }), 'unauthenticated')
    assert.equal((await get('/reconcile', { token: undefined })).headers['access-control-allow-origin'], '*')
    const open = await start(t, { PUBLIC_URL: publicUrl, ANONYMOUS_ACCESS: 'read:person' })
    await open.create(aPerson('Shakespeare, William', { id: 'PERS-ws' }))
    await open.create(aVenue('Shakespeare Theatre', { id: 'VE-st' }))
    const { body } = await open.call('POST', '/reconcile', {
      ...form({ queries: '{"q":{"query":"Shakespeare"}}' }),
      token: undefined
    })
    assert.deepEqual(
      body.q.result.map(({ id }: Found) => id),
      ['PERS-ws']
    )
    assert.equal((await open.get('/reconcile/preview?id=PERS-ws', { token: undefined })).status, 200)
  })

  it('is told to pages that ask before they send a bearer', async () => {
    const { status, headers } = await service.call('OPTIONS', '/reconcile', {
      token: undefined,
      headers: { origin: 'https://refine.example.org', 'access-control-request-method': 'POST' }
    })

    assert.equal(status, 204)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.match(String(headers['access-control-allow-headers']), /authorization/)
  })

  it('finds nothing of a type that the token may not read, by any of these paths', async () => {
    const token = await service.tokenWith('read:work')
    const as = { token }
    assert.deepEqual(await ask('William Shakespeare', as), [])
    assert.deepEqual(await ask('viaf:96994048', as), [])
    assert.deepEqual(await ask({ query: 'William Shakespeare', type: 'person' }, as), [])
    const byAuthor = { query: 'Hamlet', type: 'work', properties: [{ pid: 'refAuthors', v: 'William Shakespeare' }] }
    const scores = await ask(byAuthor, as)
    // Both fit alike: the author is not there to tell them apart.
    assert.equal(scores[0]?.score, scores[1]?.score)
    assert.deepEqual(
      await ask({ type: 'work', properties: [{ pid: 'refAuthors', v: 'Shakespeare, William' }] }, as),
      []
    )
    const { body } = await get('/reconcile', as)
    assert.ok(body.defaultTypes.every(({ id }: { id: string }) => id.startsWith('work')))
    assert.deepEqual((await get('/reconcile/suggest/entity?prefix=shak', as)).body.result, [])
    assert.deepEqual((await get(`/reconcile/suggest/entity?prefix=${venue.id}`, as)).body.result, [])
    assert.deepEqual((await get('/reconcile/suggest/type?prefix=person', as)).body.result, [])
    assert.deepEqual((await get('/reconcile/suggest/property?prefix=authors', as)).body.result, [])
    assert.deepEqual((await get('/reconcile/properties?type=person', as)).body.properties, [])
    const extended = await post(
      {
        extend: JSON.stringify({ ids: [shakespeare.id, hamlet.id], properties: [{ id: 'name' }, { id: 'refAuthors' }] })
      },
      as
    )
    assert.deepEqual(extended.body.rows, {
      [shakespeare.id]: { name: [], refAuthors: [] },
      [hamlet.id]: { name: [], refAuthors: [] }
    })
    assertProblem(await get(`/reconcile/preview?id=${shakespeare.id}`, as), 'not_found')
    assert.doesNotMatch((await get(`/reconcile/preview?id=${hamlet.id}`, as)).text, /Shakespeare/)
  })
})
