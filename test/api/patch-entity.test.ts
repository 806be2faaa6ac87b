import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aVenue, aWork, metadata, relations } from '../support/records/entities.ts'
import { changesOf, holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import {
  assertProblem,
  countWrites,
  fieldOf,
  jsonPatch,
  keysOf,
  mergePatch,
  nested,
  pointersOf
} from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { create, get, patch } = service

describe('PATCH /entities/{id} as application/json', () => {
  it('replaces metadata of the same key in its place, adds new keys at the end and keeps the rest', async () => {
    const { id } = await create(aVenue('A', { metadata: metadata({ name: 'A', city: 'Gent', capacity: 10 }) }))
    const answer = await patch(`/entities/${id}`, {
      metadata: metadata({ city: 'Brugge', website: 'https://example.org' })
    })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers.etag, '"2"')
    assert.deepEqual(
      answer.body.metadata,
      metadata({ name: 'A', city: 'Brugge', capacity: 10, website: 'https://example.org' })
    )
    assert.deepEqual(answer.body, (await get(`/entities/${id}`)).body)
  })

  it('replaces by key and language: other languages of the key are kept', async () => {
    const entries = [
      { key: 'name', value: 'Huis', lang: 'nl' },
      { key: 'name', value: 'House', lang: 'en' },
      { key: 'name', value: 'no language' }
    ]
    const { id } = await create({ type: 'venue', metadata: entries })
    const { body } = await patch(`/entities/${id}`, { metadata: [{ key: 'name', value: 'Home', lang: 'en' }] })

    assert.deepEqual(body.metadata, [entries[0], { key: 'name', value: 'Home', lang: 'en' }, entries[2]])
  })

  it('replaces all values of a repeated key by those given', async () => {
    const { id } = await create({ type: 'venue', metadata: metadata({ name: 'x', note: ['a', 'b', 'c'], z: 1 }) })
    const { body } = await patch(`/entities/${id}`, { metadata: metadata({ note: ['d', 'e'] }) })

    assert.deepEqual(body.metadata, metadata({ name: 'x', note: ['d', 'e'], z: 1 }))
  })

  it('replaces relations by (type, key), adds new ones and keeps the rest', async () => {
    const [a, b, c] = [await create(aVenue('a')), await create(aVenue('b')), await create(aVenue('c'))]
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: [a.id, b.id], refOther: a.id }) }))
    const { body } = await patch(`/entities/${id}`, {
      relations: [
        { key: c.id, type: 'refVenues' },
        { key: a._id, type: 'refVenues', metadata: [{ key: 'room', value: 1 }] }
      ]
    })

    assert.deepEqual(body.relations, [
      { key: a.id, type: 'refVenues', metadata: [{ key: 'room', value: 1 }] },
      { key: b.id, type: 'refVenues' },
      { key: a.id, type: 'refOther' },
      { key: c.id, type: 'refVenues' }
    ])
  })

  it('adds identifiers and takes none away', async () => {
    const { id, _id } = await create(aPerson('A', { identifiers: ['urn:p1'] }))
    const { body } = await patch(`/entities/${id}`, { identifiers: ['urn:p2', 'urn:p1'] })

    assert.deepEqual(body.identifiers, [_id, id, 'urn:p1', 'urn:p2'])
  })

  it('takes one entry or one relation for a list of one', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aProduction())
    const { body } = await patch(`/entities/${id}`, {
      metadata: { key: 'subtitle', value: 's' },
      relations: { key: venue.id, type: 'refVenues' }
    })

    assert.equal(fieldOf(body, 'subtitle'), 's')
    assert.deepEqual(keysOf(body, 'refVenues'), [venue.id])
  })

  it('holds the outcome to the rules of the type: a required field cannot be emptied', async () => {
    const { id } = await create(aPerson())
    for (const value of ['', null]) {
      const answer = await patch(`/entities/${id}`, { metadata: [{ key: 'name', value }] })
      assertProblem(answer, 'invalid')
      assert.match(answer.body.detail, /"name" is required/)
    }
  })

  it('tells every error at once, with pointers into what was sent', async () => {
    const { id: venue } = await create(aVenue())
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue, refOther: venue }) }))
    const answer = await patch(`/entities/${id}`, {
      metadata: [{ value: 'no key' }, { key: 'note', value: 'fine' }, { key: 'title', value: 5 }],
      relations: relations({ refVenues: [venue, 'VE-nowhere'] }),
      id: 'other',
      hue: 1
    })

    assertProblem(answer, 'invalid')
    const pointers = ['/hue', '/id', '/metadata/0/key', '/metadata/2/value', '/relations/1/key']
    assert.deepEqual(pointersOf(answer).sort(), pointers)
  })

  it('lets two changes of different fields at the same time both last', async () => {
    const { id } = await create(aVenue())
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        patch(`/entities/${id}`, { metadata: metadata({ [`field_${index}`]: index }) })
      )
    )
    const { body } = await get(`/entities/${id}`)

    for (let index = 0; index < 20; index++) assert.equal(fieldOf(body, `field_${index}`), index)
    assert.equal(body.version, 21)
  })

  it('writes one change and keeps the version that was replaced', async () => {
    const { id } = await create(aPerson())
    const produced = await changesOf(service, async () => {
      const writes = await countWrites(service, () => patch(`/entities/${id}`, { metadata: metadata({ name: 'B' }) }))
      assert.deepEqual(writes, { changes: 1, versions: 1 })
    })

    assert.deepEqual(produced, [['entity.updated', id, 2]])
  })

  it('answers 404 for an unknown id', async () => {
    assertProblem(await patch('/entities/unknown', {}), 'not_found')
  })

  it('answers 415 for another media type, and says in Accept-Patch what it takes', async () => {
    const { id } = await create(aPerson())
    const answer = await patch(`/entities/${id}`, '{}', { headers: { 'content-type': 'text/plain' } })

    assertProblem(answer, 'unsupported_media_type')
    assert.equal(
      answer.headers['accept-patch'],
      'application/json, application/merge-patch+json, application/json-patch+json'
    )
  })

  it('reads the media type whatever its case and its parameters', async () => {
    const { id } = await create(aPerson())
    const plain = await patch(`/entities/${id}`, '{"metadata":{"key":"name","value":"B"}}', {
      headers: { 'content-type': 'Application/JSON; charset=utf-8' }
    })
    assert.equal(fieldOf(plain.body, 'name'), 'B')

    const merged = await patch(`/entities/${id}`, '{"metadata":[{"key":"name","value":"C"}]}', {
      headers: { 'content-type': 'APPLICATION/Merge-Patch+JSON;charset=utf-8' }
    })
    assert.deepEqual(merged.body.metadata, metadata({ name: 'C' }))
  })
})

describe('PATCH /entities/{id} as application/merge-patch+json', () => {
  it('replaces a list as a whole and keeps the members that it does not name', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aWork('A', { relations: relations({ refHome: venue.id }), identifiers: ['urn:merge'] }))
    const answer = await patch(`/entities/${id}`, { metadata: metadata({ title: 'B' }) }, mergePatch)

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.metadata, metadata({ title: 'B' }))
    assert.deepEqual(keysOf(answer.body, 'refHome'), [venue.id])
    assert.ok(answer.body.identifiers.includes('urn:merge'))
  })

  it('removes a member that is null', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aWork('A', { relations: relations({ refHome: venue.id }) }))
    const { body } = await patch(`/entities/${id}`, { relations: null }, mergePatch)

    assert.deepEqual(body.relations, [])
    assert.equal(fieldOf(body, 'title'), 'A')
  })

  it('holds the outcome to the rules: removing what is required is refused', async () => {
    const { id } = await create(aPerson())

    assertProblem(await patch(`/entities/${id}`, { metadata: null }, mergePatch), 'invalid')
    assertProblem(await patch(`/entities/${id}`, { metadata: [] }, mergePatch), 'invalid')
  })

  it('refuses to change id or type, and ignores what the server owns', async () => {
    const before = await create(aPerson())
    const answer = await patch(`/entities/${before.id}`, { id: 'other', type: 'venue' }, mergePatch)
    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer), ['/id', '/type'])

    const { body } = await patch(
      `/entities/${before.id}`,
      { version: 9, _id: null, audit: { created: null } },
      mergePatch
    )
    assert.deepEqual(body, before)
  })

  it('refuses unknown members and a patch that is no object', async () => {
    const { id } = await create(aPerson())

    assert.deepEqual(pointersOf(await patch(`/entities/${id}`, { colour: { a: 1 } }, mergePatch)), ['/colour'])
    for (const body of ['[]', '5', '"x"', 'null'])
      assertProblem(await patch(`/entities/${id}`, body, mergePatch), 'invalid')
  })

  it('changes nothing when it is empty', async () => {
    const before = await create(aPerson())

    assert.deepEqual((await patch(`/entities/${before.id}`, {}, mergePatch)).body, before)
  })
})

/**
 * Every operation of RFC 6902, on an entity with these values under `list`, and what they are
 * afterwards.
 */
const goodPatches: readonly (readonly [sentence: string, operations: readonly unknown[], after: unknown])[] = [
  ['add puts an element before the index', [{ op: 'add', path: '/metadata/1/value/1', value: 'x' }], ['a', 'x', 'b']],
  ['add at the length puts it at the end', [{ op: 'add', path: '/metadata/1/value/2', value: 'x' }], ['a', 'b', 'x']],
  ['add at - puts it at the end', [{ op: 'add', path: '/metadata/1/value/-', value: 'x' }], ['a', 'b', 'x']],
  ['add of a member replaces the one that is there', [{ op: 'add', path: '/metadata/1/value', value: 5 }], 5],
  [
    'add of a member within what was added',
    [
      { op: 'add', path: '/metadata/1/value', value: {} },
      { op: 'add', path: '/metadata/1/value/a~1b~0c', value: null }
    ],
    { 'a/b~c': null }
  ],
  [
    'add of an empty member name',
    [
      { op: 'replace', path: '/metadata/1/value', value: {} },
      { op: 'add', path: '/metadata/1/value/', value: 1 }
    ],
    { '': 1 }
  ],
  ['remove takes an element out', [{ op: 'remove', path: '/metadata/1/value/0' }], ['b']],
  ['replace changes an element', [{ op: 'replace', path: '/metadata/1/value/0', value: { x: 1 } }], [{ x: 1 }, 'b']],
  ['replace by null', [{ op: 'replace', path: '/metadata/1/value', value: null }], null],
  [
    'move goes by the places after the removal',
    [{ op: 'move', from: '/metadata/1/value/0', path: '/metadata/1/value/1' }],
    ['b', 'a']
  ],
  [
    'move to where it is changes nothing',
    [{ op: 'move', from: '/metadata/1/value', path: '/metadata/1/value' }],
    ['a', 'b']
  ],
  [
    'copy repeats an element',
    [{ op: 'copy', from: '/metadata/1/value/0', path: '/metadata/1/value/-' }],
    ['a', 'b', 'a']
  ],
  [
    'a copy is a copy: a change of one leaves the other',
    [
      { op: 'replace', path: '/metadata/1/value', value: [{ n: 1 }] },
      { op: 'copy', from: '/metadata/1/value/0', path: '/metadata/1/value/-' },
      { op: 'replace', path: '/metadata/1/value/0/n', value: 2 }
    ],
    [{ n: 2 }, { n: 1 }]
  ],
  [
    'test passes on equal values, whatever the order of members',
    [
      { op: 'replace', path: '/metadata/1/value', value: { a: [1, 'x'], b: null } },
      { op: 'test', path: '/metadata/1/value', value: { b: null, a: [1, 'x'] } },
      { op: 'test', path: '/type', value: 'venue' }
    ],
    { a: [1, 'x'], b: null }
  ],
  [
    'operations happen in order',
    [
      { op: 'add', path: '/metadata/1/value/0', value: '1' },
      { op: 'remove', path: '/metadata/1/value/1' },
      { op: 'add', path: '/metadata/1/value/0', value: '2' }
    ],
    ['2', '1', 'b']
  ],
  [
    'members beyond those of the operation are ignored',
    [{ op: 'remove', path: '/metadata/1/value/0', note: 'why' }],
    ['b']
  ],
  ['no operations change nothing', [], ['a', 'b']]
]

/** Patches in good form that do not fit the entity. */
const misfits: readonly (readonly [sentence: string, operation: unknown])[] = [
  ['a test of another value', { op: 'test', path: '/metadata/1/value/0', value: 'z' }],
  ['a test of a text against a number', { op: 'test', path: '/version', value: '1' }],
  ['a test of another order of elements', { op: 'test', path: '/metadata/1/value', value: ['b', 'a'] }],
  ['a test of a member that is not there against null', { op: 'test', path: '/metadata/1/nothing', value: null }],
  ['a test of what every object inherits', { op: 'test', path: '/toString', value: 1 }],
  ['removing what is not there', { op: 'remove', path: '/nothing' }],
  ['removing an element past the end', { op: 'remove', path: '/metadata/1/value/2' }],
  ['removing the place after the last', { op: 'remove', path: '/metadata/1/value/-' }],
  ['removing everything', { op: 'remove', path: '' }],
  ['replacing what is not there', { op: 'replace', path: '/metadata/9', value: {} }],
  ['replacing the place after the last', { op: 'replace', path: '/metadata/1/value/-', value: 1 }],
  ['adding past the end', { op: 'add', path: '/metadata/1/value/3', value: 1 }],
  ['adding at an index with a leading zero', { op: 'add', path: '/metadata/1/value/01', value: 1 }],
  ['adding at an index in another notation', { op: 'add', path: '/metadata/1/value/1e0', value: 1 }],
  ['adding at a negative index', { op: 'add', path: '/metadata/1/value/-1', value: 1 }],
  ['adding the length of a list', { op: 'add', path: '/metadata/1/value/length', value: 0 }],
  ['adding below what does not exist', { op: 'add', path: '/nothing/a', value: 1 }],
  ['adding below a text', { op: 'add', path: '/type/a', value: 1 }],
  ['adding below what every object inherits', { op: 'add', path: '/metadata/0/hasOwnProperty/call', value: 1 }],
  ['adding below the constructor', { op: 'add', path: '/constructor/prototype/polluted', value: 1 }],
  ['adding a prototype', { op: 'add', path: '/metadata/0/__proto__', value: { polluted: 1 } }],
  ['adding below a prototype', { op: 'add', path: '/__proto__/polluted', value: 1 }],
  ['moving what is not there', { op: 'move', from: '/nothing', path: '/metadata/-' }],
  ['moving something into itself', { op: 'move', from: '/metadata', path: '/metadata/0' }],
  ['moving an element into itself', { op: 'move', from: '/metadata/0', path: '/metadata/0/note' }],
  ['copying what is not there', { op: 'copy', from: '/metadata/9', path: '/metadata/-' }],
  ['copying what every object inherits', { op: 'copy', from: '/toString', path: '/metadata/-' }]
]

const malformedOperations: readonly unknown[] = [
  {},
  [],
  'remove',
  null,
  { op: 'remove' },
  { op: 'delete', path: '/metadata' },
  { op: 'toString', path: '' },
  { op: ['add'], path: '/metadata/0', value: 1 },
  { op: 'add', path: '/metadata/0' },
  { op: 'replace', path: '/metadata/0' },
  { op: 'test', path: '/metadata/0' },
  { op: 'move', path: '/metadata/0' },
  { op: 'copy', path: '/metadata/0' },
  { op: 'remove', path: 'metadata' },
  { op: 'remove', path: 'metadata/0' },
  { op: 'remove', path: '/a~2b' },
  { op: 'remove', path: '/a~' },
  { op: 'remove', path: 5 },
  { op: 'copy', path: '/metadata/0', from: 'x' }
]

describe('PATCH /entities/{id} as application/json-patch+json', () => {
  const aList = () =>
    create({ type: 'venue', metadata: [...metadata({ name: 'x' }), { key: 'list', value: ['a', 'b'] }] })

  for (const [sentence, operations, expected] of goodPatches) {
    it(sentence, async () => {
      const { id } = await aList()
      const answer = await patch(`/entities/${id}`, operations, jsonPatch)

      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(fieldOf(answer.body, 'list'), expected)
      assert.deepEqual(answer.body, (await get(`/entities/${id}`)).body)
    })
  }

  it('replaces the whole entity at the empty path', async () => {
    for (const op of ['add', 'replace']) {
      const { id } = await aList()
      const value = { type: 'venue', metadata: metadata({ name: 'all new' }) }
      assert.deepEqual(
        (await patch(`/entities/${id}`, [{ op, path: '', value }], jsonPatch)).body.metadata,
        metadata({ name: 'all new' })
      )
    }
  })

  for (const [sentence, operation] of misfits) {
    it(`answers 409 for ${sentence}, and changes nothing`, async () => {
      const before = await aList()
      const first = { op: 'replace', path: '/metadata/0/value', value: 'changed' }
      const answer = await patch(`/entities/${before.id}`, [first, operation], jsonPatch)

      assertProblem(answer, 'patch_not_applicable')
      assert.deepEqual(pointersOf(answer), ['/1'])
      assert.deepEqual((await get(`/entities/${before.id}`)).body, before)
      assert.equal(Object.hasOwn(Object.prototype, 'polluted') || 'polluted' in {}, false)
      assert.equal(typeof Object.prototype.hasOwnProperty.call, 'function')
    })
  }

  it('refuses malformed operations, each by its place', async () => {
    const { id } = await aList()
    const answer = await patch(`/entities/${id}`, malformedOperations, jsonPatch)

    assertProblem(answer, 'invalid')
    assert.deepEqual(
      pointersOf(answer),
      malformedOperations.map((_, index) => `/${index}`)
    )
  })

  it('refuses a patch that is no array', async () => {
    const { id } = await aList()
    for (const body of ['{}', '5', 'null', '"x"'])
      assertProblem(await patch(`/entities/${id}`, body, jsonPatch), 'invalid')
  })

  it('holds the outcome to the rules of the type', async () => {
    const { id } = await aList()
    const refused = [
      { op: 'remove', path: '/metadata/0' },
      { op: 'replace', path: '/type', value: 'person' },
      { op: 'replace', path: '/id', value: 'other' },
      { op: 'add', path: '/colour', value: 1 },
      { op: 'add', path: '/relations/-', value: { key: 'nowhere', type: 'refX' } },
      { op: 'replace', path: '/metadata/1/value', value: nested(30) },
      { op: 'replace', path: '', value: 5 }
    ]
    assert.equal(
      (await patch(`/entities/${id}`, [{ op: 'replace', path: '/metadata/1/value', value: nested(29) }], jsonPatch))
        .status,
      200
    )
    for (const operation of refused) assertProblem(await patch(`/entities/${id}`, [operation], jsonPatch), 'invalid')
  })

  it('ignores changes of what the server owns', async () => {
    const before = await aList()
    const operations = [
      { op: 'replace', path: '/version', value: 99 },
      { op: 'remove', path: '/audit' },
      { op: 'replace', path: '/_id', value: 'x' }
    ]

    assert.deepEqual((await patch(`/entities/${before.id}`, operations, jsonPatch)).body, before)
  })

  it('refuses copies that double until no memory holds them', async () => {
    const { id } = await aList()
    const doubling = Array.from({ length: 60 }, () => ({
      op: 'copy',
      from: '/metadata/1/value',
      path: '/metadata/1/value/-'
    }))
    const answer = await patch(`/entities/${id}`, doubling, jsonPatch)

    assertProblem(answer, 'invalid')
  })
})
