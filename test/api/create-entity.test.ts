import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aVenue, aWork, metadata, relations } from '../support/records/entities.ts'
import { changesOf, holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import {
  assertProblem,
  countRows,
  countWrites,
  messagesOf,
  nested,
  pointersOf,
  fieldOf,
  membersOfEntity
} from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { create, get, post } = service

describe('POST /entities', () => {
  it('answers 201 with the entity, its Location and its ETag', async () => {
    const answer = await post('/entities', aVenue('De Schouwburg', { id: 'VE-first' }))

    assert.equal(answer.status, 201)
    assert.equal(answer.headers.location, '/entities/VE-first')
    assert.equal(answer.headers.etag, '"1"')
    assert.equal(answer.headers['api-version'], '1')
    assert.deepEqual(answer.body, (await get('/entities/VE-first')).body)
  })

  it('gives every member of an entity, in this order', async () => {
    const entity = await create(aVenue())

    assert.equal(Object.keys(entity).join(' '), membersOfEntity)
    assert.equal(entity.version, 1)
    assert.equal(entity._key, entity.id)
    assert.deepEqual(entity.identifiers, [entity._id, entity.id])
  })

  it('makes an id of the prefix of the type, a hyphen, and nine of A–Z 0–9', async () => {
    const { id } = await create(aProduction())

    assert.match(id, /^PR-[A-Z0-9]{9}$/)
  })

  it('makes a UUID of version 7, so that later ones sort later', async () => {
    const first = await create(aVenue())
    const second = await create(aVenue())

    for (const { _id } of [first, second]) {
      assert.match(_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    assert.ok(first._id < second._id)
  })

  it('stamps who created it and when, in UTC', async () => {
    const token = await service.tokenWith('read', 'write')
    const before = new Date().toISOString()
    const { audit } = (await post('/entities', aVenue(), { token })).body
    const later = new Date().toISOString()

    assert.match(audit.created.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(audit.created.at >= before && audit.created.at <= later)
    assert.equal(audit.created.by, 'token:test')
    assert.deepEqual(audit.updated, audit.created)
  })

  it('writes one change and no older version', async () => {
    let id = ''
    const produced = await changesOf(service, async () => {
      const writes = await countWrites(service, async () => {
        id = (await create(aVenue())).id
      })
      assert.deepEqual(writes, { changes: 1, versions: 0 })
    })

    assert.deepEqual(produced, [['entity.created', id, 1]])
  })

  it('is also found under /elody/v1, whatever X-tenant-id says', async () => {
    const answer = await post('/elody/v1/entities', aVenue('Alias', { id: 'VE-alias' }), {
      headers: { 'x-tenant-id': 'podium' }
    })

    assert.equal(answer.status, 201)
    assert.equal((await get('/elody/v1/entities/VE-alias')).body.id, 'VE-alias')
    assert.equal((await get('/entities/VE-alias')).body.id, 'VE-alias')
  })

  it('takes ?query parameters it does not know, since existing clients send some', async () => {
    assert.equal((await post('/entities?exact_count=1&history=0', aVenue())).status, 201)
  })
})

describe('POST /entities: identifiers', () => {
  it('keeps an id that the client gives', async () => {
    assert.equal((await create(aVenue('x', { id: 'my.own_id:1~2@3-4' }))).id, 'my.own_id:1~2@3-4')
  })

  it('takes an id of 200 characters and refuses one of 201', async () => {
    assert.equal((await post('/entities', aVenue('x', { id: 'a'.repeat(200) }))).status, 201)

    const answer = await post('/entities', aVenue('x', { id: 'a'.repeat(201) }))
    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer), ['/id'])
  })

  for (const id of [
    '',
    ' ',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'é',
    'a\n',
    '<b>',
    'a%20b',
    'a,b',
    '"',
    "'; DROP TABLE entities --"
  ]) {
    it(`refuses the id ${JSON.stringify(id)}`, async () => {
      const answer = await post('/entities', aVenue('x', { id }))

      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['/id'])
    })
  }

  it('refuses an id that is no string', async () => {
    for (const id of [1, true, {}, [], null]) {
      const answer = await post('/entities', { ...aVenue(), id })
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['/id'])
    }
  })

  it('keeps a UUID that the client gives as _id, in lower case', async () => {
    const entity = await create({ ...aVenue(), _id: '0192F0C1-0000-7000-8000-00000000000A' })

    assert.equal(entity._id, '0192f0c1-0000-7000-8000-00000000000a')
    assert.equal(entity.identifiers[0], entity._id)
  })

  it('refuses an _id that is no UUID', async () => {
    for (const _id of ['abc', '0192f0c1-0000-7000-8000-00000000000', 7, {}]) {
      const answer = await post('/entities', { ...aVenue(), _id })
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['/_id'])
    }
  })

  it('puts _id and id first among the identifiers, then those of the client, each once', async () => {
    const entity = await create(aVenue('x', { id: 'VE-named', identifiers: ['urn:a', 'VE-named', 'urn:b', 'urn:a'] }))

    assert.deepEqual(entity.identifiers, [entity._id, 'VE-named', 'urn:a', 'urn:b'])
  })

  it('resolves every identifier wherever an id is taken', async () => {
    const identifiers = [
      'urn:isbn:9789025363888',
      'https://example.org/venue/1?x=1#y',
      'Zaal 1 – het «grote» huis',
      '文',
      '100%'
    ]
    const { id, _id } = await create(aVenue('x', { identifiers }))

    for (const identifier of [id, _id, ...identifiers]) {
      const path = `/entities/${encodeURIComponent(identifier)}`
      assert.equal((await get(path)).body.id, id, identifier)
      assert.equal((await get(`${path}/metadata`)).status, 200, identifier)
      assert.equal((await get(`${path}/references`)).body.count, 0, identifier)
      assert.equal((await service.patch(path, {})).body.id, id, identifier)
      assert.equal(
        (await post('/entities?dry_run=1', aProduction({}, { relations: relations({ refVenues: identifier }) }))).body
          .relations[0].key,
        id
      )
    }
  })

  it('takes an identifier of 512 characters and resolves it', async () => {
    for (const identifier of ['文'.repeat(512), '😀'.repeat(512)]) {
      const { id } = await create(aVenue('x', { identifiers: [identifier] }))

      assert.equal((await get(`/entities/${encodeURIComponent(identifier)}`)).body.id, id)
    }
  })

  it('takes a relation whose type and key are as long as they may be, in any script', async () => {
    const some = (count: number) => String.fromCodePoint(...Array.from({ length: count }, (_, at) => 0x1f300 + at))
    const relation = { key: some(512), type: some(128) }
    const { id } = await create(aVenue('x', { relations: [relation] }), '?allow_dangling=1')

    assert.deepEqual((await get(`/entities/${id}`)).body.relations, [relation])
    const tooLong = await post(
      '/entities?allow_dangling=1',
      aVenue('x', { relations: [{ key: 'a', type: some(129) }] })
    )
    assert.deepEqual(pointersOf(tooLong), ['/relations/0/type'])
  })

  it('refuses identifiers that are empty, too long, hold control characters or are no text', async () => {
    for (const identifier of [
      '',
      'a'.repeat(513),
      '😀'.repeat(513),
      'a\nb',
      'a\u0000b',
      '\u0085',
      '\u007f',
      1,
      null,
      {}
    ]) {
      const answer = await post('/entities', { ...aVenue(), identifiers: ['good', identifier] })
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['/identifiers/1'])
    }
    assertProblem(await post('/entities', { ...aVenue(), identifiers: 'urn:a' }), 'invalid')
  })

  it('answers 409 when an identifier is taken, whichever kind it has on either side', async () => {
    const taken = await create(aVenue('x', { id: 'VE-taken', identifiers: ['urn:taken'] }))
    const before = await countRows(service, 'entities')

    for (const name of [taken.id, 'urn:taken', taken._id]) {
      const asIdentifier = await post('/entities', aVenue('y', { identifiers: [name] }))
      assertProblem(asIdentifier, 'identifier_taken')
      assert.match(asIdentifier.body.message, new RegExp(`^W2004 \\| identifier:${name} - `))
      assertProblem(await post('/entities', aVenue('y', { id: name })), 'identifier_taken')
    }
    assertProblem(await post('/entities', { ...aVenue(), _id: taken._id }), 'identifier_taken')
    assert.equal(await countRows(service, 'entities'), before)
  })
})

describe('POST /entities: members', () => {
  it('ignores what the server owns', async () => {
    const entity = await create({
      ...aVenue(),
      _key: 'other',
      version: 99,
      audit: { created: { at: '1999-01-01T00:00:00Z', by: 'me' } },
      schema: { type: 'elody', version: 1 },
      document_version: 3,
      date_created: '1999-01-01',
      date_updated: '1999-01-01'
    })

    assert.equal(entity._key, entity.id)
    assert.equal(entity.version, 1)
    assert.equal(entity.audit.created.by, 'token:admin')
    assert.ok(!('schema' in entity) && !('document_version' in entity) && !('date_created' in entity))
  })

  it('refuses any other member and names it', async () => {
    const answer = await post('/entities', { ...aVenue(), titel: 'x', 'a/b': 1, properties: {} })

    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer), ['/titel', '/a~1b', '/properties'])
    assert.match(messagesOf(answer)[0] ?? '', /"titel"/)
  })

  it('refuses a body that is no object', async () => {
    for (const body of [[], 'text', 5, null, true]) {
      const answer = await post('/entities', JSON.stringify(body))
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), [''])
    }
  })

  it('refuses a request without a body', async () => {
    const answer = await service.call('POST', '/entities')

    assert.equal(answer.status, 400)
  })

  it('refuses an entity without a type, with an unknown one, and with one that is no text', async () => {
    for (const type of [undefined, 'venues', 'VENUE', '', 'constructor', '__proto__', 5, null]) {
      const answer = await post('/entities', { ...aVenue(), type })
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['/type'])
    }
  })

  it('needs neither relations nor identifiers', async () => {
    assert.deepEqual((await create({ type: 'venue', metadata: metadata({ name: 'x' }) })).relations, [])
  })

  it('tells every error at once, each with its JSON pointer', async () => {
    const answer = await post('/entities', {
      type: 'production',
      nonsense: 1,
      metadata: [
        { key: 'duration', value: -1 },
        { key: 'age_category', value: 'old' },
        { value: 'no key' },
        { key: 'status', value: 'finished' }
      ],
      relations: [{ key: 'nowhere', type: 'refVenues' }, { type: 'refVenues' }]
    })

    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer).sort(), [
      '/metadata',
      '/metadata/0/value',
      '/metadata/1/value',
      '/metadata/2/key',
      '/metadata/3/value',
      '/nonsense',
      '/relations/0/key',
      '/relations/1/key'
    ])
  })
})

describe('POST /entities: metadata', () => {
  it('keeps undeclared keys and values of any JSON kind as they are', async () => {
    const values = ['text', '', 0, -1.5, 1e21, true, false, null, [], [1, ['a']], {}, { a: { b: [null] } }]
    const given = [...metadata({ name: 'x' }), ...values.map((value, index) => ({ key: `own_${index}`, value }))]
    const { id } = await create({ type: 'venue', metadata: given })

    assert.deepEqual((await get(`/entities/${id}`)).body.metadata, given)
  })

  it('keeps text exactly as given', async () => {
    const texts = [
      '  spaces  ',
      'e\u0301 and é',
      '\ufeffmark',
      'tab\tline\nreturn\r',
      '\u202ertl',
      '𝄞 😀',
      '\u2028\u2029',
      '\\u0000 "quoted"',
      '\ufffd',
      'ﬁ'
    ]
    const { id } = await create({ type: 'venue', metadata: metadata({ name: 'x', note: texts }) })

    const kept = (await get(`/entities/${id}`)).body.metadata.slice(1).map((entry: { value: string }) => entry.value)
    assert.deepEqual(kept, texts)
  })

  it('keeps repeated keys, languages, further members, and the order', async () => {
    const given = [
      { key: 'note', value: 'b' },
      { key: 'name', value: 'Huis', lang: 'nl' },
      { key: 'note', value: 'a' },
      { key: 'name', value: 'House', lang: 'en', source: 'me' },
      { key: 'note', value: 'b' }
    ]

    assert.deepEqual((await create({ type: 'venue', metadata: given })).metadata, given)
  })

  it('takes one entry for a list of one', async () => {
    assert.deepEqual(
      (await create({ type: 'venue', metadata: { key: 'name', value: 'x' } })).metadata,
      metadata({ name: 'x' })
    )
  })

  it('keeps keys that mean something to JavaScript', async () => {
    const given = [
      ...metadata({ name: 'x' }),
      ...['constructor', 'toString', 'hasOwnProperty', 'length', 'then'].map(key => ({ key, value: key }))
    ]

    assert.deepEqual((await create({ type: 'venue', metadata: given })).metadata, given)
  })

  it('refuses entries without key or value, and keys and languages that are no good', async () => {
    const bad: readonly (readonly [unknown, string])[] = [
      [{ key: 'a' }, '/metadata/1/value'],
      [{ value: 1 }, '/metadata/1/key'],
      [{ key: '', value: 1 }, '/metadata/1/key'],
      [{ key: 5, value: 1 }, '/metadata/1/key'],
      [{ key: 'k'.repeat(513), value: 1 }, '/metadata/1/key'],
      [{ key: 'a', value: 1, lang: 5 }, '/metadata/1/lang'],
      [{ key: 'a', value: 1, lang: 'x'.repeat(65) }, '/metadata/1/lang'],
      ['text', '/metadata/1'],
      [null, '/metadata/1'],
      [[], '/metadata/1']
    ]
    for (const [entry, pointer] of bad) {
      const answer = await post('/entities', { type: 'venue', metadata: [{ key: 'name', value: 'x' }, entry] })
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), [pointer], JSON.stringify(entry))
    }
    for (const list of ['text', 5, null]) {
      const answer = await post('/entities', { type: 'venue', metadata: list })
      assertProblem(answer, 'invalid')
      assert.ok(pointersOf(answer).includes('/metadata'))
    }
  })

  it('takes JSON 32 levels deep and refuses 33', async () => {
    // The entity, its metadata and the entry are three levels.
    const good = await post('/entities', {
      type: 'venue',
      metadata: [...metadata({ name: 'x' }), { key: 'deep', value: nested(29) }]
    })
    assert.equal(good.status, 201)
    assert.equal((await service.put(`/entities/${good.body.id}`, good.body)).status, 200)

    const bad = await post('/entities', {
      type: 'venue',
      metadata: [...metadata({ name: 'x' }), { key: 'deep', value: nested(30) }]
    })
    assertProblem(bad, 'malformed_json')
  })

  it('refuses NUL, half a surrogate pair and numbers without end, with their place', async () => {
    const bodies = [
      '{"type":"venue","metadata":[{"key":"name","value":"a\\u0000b"}]}',
      '{"type":"venue","metadata":[{"key":"name","value":"\\ud800"}]}',
      '{"type":"venue","metadata":[{"key":"name","value":"\\udc00\\ud800"}]}',
      '{"type":"venue","metadata":[{"key":"name","value":1e400}]}',
      '{"type":"venue","metadata":[{"key":"name","value":-1e400}]}'
    ]
    for (const body of bodies) {
      const answer = await post('/entities', body)
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['/metadata/0/value'])
    }
    assertProblem(await post('/entities', '{"type":"venue","metadata":[{"key":"a\\u0000","value":1}]}'), 'invalid')
    assertProblem(await post('/entities', '{"type":"venue","metadata":[{"key":"a","value":{"\\ud800":1}}]}'), 'invalid')
  })
})

describe('POST /entities: relations', () => {
  it('keeps their order and their own metadata', async () => {
    const venue = await create(aVenue())
    const given = [
      { key: venue.id, type: 'refOwn', metadata: [{ key: 'role', value: 'host' }] },
      { key: venue.id, type: 'refVenues' },
      { key: venue.id, type: 'refAnother', note: 'kept too' }
    ]

    assert.deepEqual((await create(aProduction({}, { relations: given }))).relations, given)
  })

  it('lets the same entity be related under two types, and refuses the same (type, key) twice', async () => {
    const { id, _id } = await create(aVenue())
    const two = relations({ refVenues: id, refOther: id })

    assert.equal((await post('/entities', aProduction({}, { relations: two }))).status, 201)
    for (const same of [id, _id]) {
      const answer = await post('/entities', aProduction({}, { relations: relations({ refVenues: [id, same] }) }))
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['/relations/1'])
    }
  })

  it('stores the id of the target, whichever identifier named it', async () => {
    const { id, _id } = await create(aVenue('x', { identifiers: ['urn:named-by-urn'] }))
    for (const key of [_id, 'urn:named-by-urn']) {
      assert.deepEqual(
        (await create(aProduction({}, { relations: relations({ refVenues: key }) }))).relations,
        relations({ refVenues: id })
      )
    }
  })

  it('refuses a relation to what does not exist, and names it', async () => {
    const answer = await post(
      '/entities',
      aProduction({}, { relations: relations({ refVenues: ['VE-nowhere', 'VE-neither'] }) })
    )

    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer), ['/relations/0/key', '/relations/1/key'])
    assert.match(answer.body.detail, /"VE-nowhere"/)
    assert.match(messagesOf(answer)[1] ?? '', /"VE-neither"/)
  })

  it('lets a bulk load point to what does not exist yet with ?allow_dangling=1', async () => {
    const given = aProduction({}, { relations: relations({ refVenues: 'VE-later' }) })
    const { id } = await create(given, '?allow_dangling=1')
    await create(aVenue('later', { id: 'VE-later' }))

    assert.equal((await get('/entities/VE-later/references')).body.results[0].id, id)
  })

  it('keeps relation types of its own that no table declares', async () => {
    const { id } = await create(aWork())
    const { relations: kept } = await create(aVenue('x', { relations: relations({ refInspiredBy: id }) }))

    assert.deepEqual(kept, relations({ refInspiredBy: id }))
  })

  it('refuses relations without key or type, and bad metadata in one', async () => {
    const { id } = await create(aVenue())
    const bad: readonly (readonly [unknown, string])[] = [
      [{ key: id }, '/relations/0/type'],
      [{ type: 'refVenues' }, '/relations/0/key'],
      [{ key: '', type: 'refVenues' }, '/relations/0/key'],
      [{ key: 5, type: 'refVenues' }, '/relations/0/key'],
      [{ key: id, type: '' }, '/relations/0/type'],
      [{ key: id, type: 'refVenues', metadata: [{ key: 'role' }] }, '/relations/0/metadata/0/value'],
      [{ key: id, type: 'refVenues', metadata: 5 }, '/relations/0/metadata'],
      ['text', '/relations/0']
    ]
    for (const [relation, pointer] of bad) {
      const answer = await post('/entities', { ...aProduction(), relations: [relation] })
      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), [pointer], JSON.stringify(relation))
    }
  })

  it('leaves nothing behind of a refused entity', async () => {
    const writes = await countWrites(service, async () => {
      await post('/entities', aProduction({ status: 'finished' }, { id: 'PR-refused', identifiers: ['urn:refused'] }))
      await post('/entities', aProduction({}, { id: 'PR-refused', relations: relations({ refVenues: 'VE-nowhere' }) }))
    })

    assert.deepEqual(writes, { changes: 0, versions: 0 })
    assert.equal((await get('/entities/PR-refused')).status, 404)
    assert.equal((await get('/entities/urn:refused')).status, 404)
    assert.equal(fieldOf(await create(aProduction({}, { id: 'PR-refused' })), 'title'), 'Hamlet')
  })
})
