import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aVenue } from '../support/records/entities.ts'
import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { importWithRemarks } from '../support/services/import-file.ts'
import { type Answer, start } from '../support/services/start.ts'

const notes = (count: number) => Array.from({ length: count }, (_, index) => ({ key: 'note', value: `n${index}` }))
const named = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`)
const arrows = (count: number) => Array.from({ length: count }, (_, index) => ({ type: 'refX', key: `k${index}` }))
const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `key-${index}`, value: 'x' }))
const long = 'x'.repeat(100_001)
const title = { key: 'title', value: 'Hamlet' }

const service = await start({ after })
const { id } = await service.create(aProduction())
const kinds = (count: number) => Array.from({ length: count }, (_, index) => ({ type: `refX${index}`, key: id }))

/** Records above a limit, and the place that the refusal names. */
const excesses: Readonly<Record<string, readonly [Record<string, unknown>, string, RegExp]>> = {
  'metadata entries': [{ metadata: [title, ...notes(2_000)] }, '/metadata', /at most 2000 metadata entries/],
  'values in a list': [
    { metadata: [title, { key: 'codes', value: named(2_000) }] },
    '/metadata',
    /at most 2000 metadata entries/
  ],
  relations: [{ metadata: [title], relations: arrows(10_001) }, '/relations', /at most 10000 relations, not 10001/],
  identifiers: [{ metadata: [title], identifiers: named(501) }, '/identifiers', /at most 500 identifiers, not 501/],
  'types of relations': [
    { metadata: [title], relations: kinds(201) },
    '/relations',
    /at most 200 different types of relations, not 201/
  ],
  'metadata keys': [{ metadata: [title, ...keys(500)] }, '/metadata', /at most 500 different metadata keys, not 5\d\d/],
  'characters of a value': [
    { metadata: [title, { key: 'note', value: long }] },
    '/metadata/1/value',
    /"note" may have at most 100000 characters, not 100001/
  ],
  'characters of HTML': [
    { metadata: [title, { key: 'description', value: `<p>${long}</p>` }] },
    '/metadata/1/value',
    /"description" may have at most 100000 characters, not 100008/
  ],
  'characters of an element of a list': [
    { metadata: [title, { key: 'codes', value: ['x', long] }] },
    '/metadata/1/value/1',
    /"codes" may have at most 100000 characters, not 100001/
  ],
  'characters inside a value': [
    { metadata: [title, { key: 'note', value: { inner: long } }] },
    '/metadata/1/value',
    /"note" may have at most 100000 characters, not 100013/
  ],
  'characters of another member': [
    { metadata: [title, { key: 'note', value: 'x', remark: long }] },
    '/metadata/1/remark',
    /"remark" may have at most 100000 characters/
  ],
  'characters about a relation': [
    { metadata: [title], relations: [{ type: 'refX', key: id, metadata: [{ key: 'role', value: long }] }] },
    '/relations/0/metadata/0/value',
    /"role" may have at most 100000 characters/
  ],
  'characters of a name': [
    { metadata: [{ key: 'title', value: 'x'.repeat(1_001) }] },
    '/metadata/0/value',
    /"title" may have at most 1000 characters, not 1001/
  ]
}

const assertRefused = (answer: Answer, pointer: string, message: RegExp) => {
  assert.equal(answer.status, 400, answer.text.slice(0, 500))
  assert.equal(answer.body.code, 'invalid')
  assert.equal(answer.body.errors.length, 1)
  assert.equal(answer.body.errors[0].pointer, pointer)
  assert.match(answer.body.errors[0].message, message)
}

describe('A record', () => {
  for (const [what, [content, pointer, message]] of Object.entries(excesses)) {
    it(`with too many ${what} is refused, however it is written`, async () => {
      assertRefused(await service.post('/entities', { type: 'production', ...content }), pointer, message)
      assertRefused(await service.put(`/entities/${id}`, content), pointer, message)
      assertRefused(await service.patch(`/entities/${id}`, content), pointer, message)
      for (const atomic of [0, 1]) {
        const line = { op: 'patch', id, entity: content }
        const batch = await service.post(`/entities/batch?atomic=${atomic}`, [line])
        assert.match(JSON.stringify(batch.body).replaceAll('\\"', '"'), message)
      }
      const now = (await service.get(`/entities/${id}`)).body
      assert.equal(now.version, 1)
    })
  }

  it('that comes to too much by a list or a JSON Patch is refused', async () => {
    const full = await service.create(aProduction({}, { metadata: [title, ...notes(1_980)] }))
    assertRefused(
      await service.post(`/entities/${full.id}/metadata`, notes(20)),
      '/metadata',
      /at most 2000 metadata entries/
    )
    const patch = notes(20).map(value => ({ op: 'add', path: '/metadata/-', value }))
    const headers = { 'content-type': 'application/json-patch+json' }
    assertRefused(
      await service.call('PATCH', `/entities/${full.id}`, { body: patch, headers }),
      '/metadata',
      /at most 2000 metadata entries/
    )
    assert.equal((await service.post(`/entities/${full.id}/metadata`, notes(5))).status, 201)

    const relations = kinds(200)
    const related = await service.create(aProduction({}, { relations }))
    const more = { type: 'refMore', key: id }
    const tooMany = /at most 200 different types of relations, not 201/
    assertRefused(await service.post(`/entities/${related.id}/relations`, [more]), '/relations', tooMany)
    const one = [{ op: 'add', path: '/relations/-', value: more }]
    assertRefused(await service.call('PATCH', `/entities/${related.id}`, { body: one, headers }), '/relations', tooMany)
    assertRefused(
      await service.post(`/entities/${related.id}/metadata`, [{ key: 'note', value: long }]),
      '/0/value',
      /"note" may have at most 100000 characters/
    )
  })

  it('has at most 1 MiB in all', async () => {
    const { id: long } = await service.create(aProduction())
    const note = (key: string) => ({ metadata: [{ key, value: Array.from({ length: 6 }, () => 'x'.repeat(100_000)) }] })
    assert.equal((await service.patch(`/entities/${long}`, note('one'))).status, 200)
    assertRefused(await service.patch(`/entities/${long}`, note('two')), '', /at most 1048576 bytes/)
  })

  it('takes over at most 500 identifiers by a merge', async () => {
    const [one, other] = [
      await service.create(aPerson('A', { identifiers: named(300).map(each => `a-${each}`) })),
      await service.create(aPerson('B', { identifiers: named(300).map(each => `b-${each}`) }))
    ]
    assertRefused(
      await service.post(`/entities/${one.id}/merge`, { victim_id: other.id }),
      '/identifiers',
      /at most 500 identifiers/
    )
  })

  it('that was above a limit before there was one is read, and changed as long as nothing is added to it', async () => {
    const uuid = '0199a000-0000-7000-8000-000000000001'
    const longTitle = { key: 'title', value: 'x'.repeat(2_000) }
    const html = { key: 'description', value: `<p>${'y'.repeat(150_000)}</p>` }
    const content = { id: 'PR-OLD', uuid, type: 'production', relations: [], otherIdentifiers: named(600) }
    await service.libretto.store.write({
      writes: [{ kind: 'insert', content: { ...content, metadata: [longTitle, html, ...notes(2_500)] } }],
      by: 'test'
    })
    const stored = (await service.get('/entities/PR-OLD')).body
    assert.equal(stored.metadata.length, 2_502)
    const patched = await service.patch('/entities/PR-OLD', { metadata: [{ key: 'description', value: 'short' }] })
    assert.equal(patched.status, 200, patched.text.slice(0, 500))
    const back = await service.put('/entities/PR-OLD', { ...stored, metadata: stored.metadata.slice(0, 2_400) })
    assert.equal(back.status, 400, 'The long description is new again')
    const fewer = stored.metadata.filter((each: { key: string }) => each.key !== 'description').slice(0, 2_400)
    assert.equal((await service.put('/entities/PR-OLD', { metadata: fewer })).status, 200)
    assertRefused(
      await service.patch('/entities/PR-OLD', { metadata: [{ key: 'other', value: 1 }] }),
      '/metadata',
      /at most 2000 metadata entries/
    )
    const one = await service.patch('/entities/PR-OLD', { identifiers: ['one-more'] })
    assertRefused(one, '/identifiers', /at most 500 identifiers, not 601/)
  })
})

describe('A record that was above a limit before there was one', () => {
  it('can be repaired, and keeps its types of relations, keys and long texts as long as it gets no more', async () => {
    const content = {
      id: 'PR-WIDE',
      uuid: '0199a000-0000-7000-8000-000000000002',
      type: 'production',
      metadata: [title, { key: 'note', value: 'x'.repeat(300_000) }, ...keys(600)],
      relations: kinds(300),
      otherIdentifiers: []
    }
    await service.libretto.store.write({ writes: [{ kind: 'insert', content }], by: 'test' })
    const patch = (body: unknown) => service.patch('/entities/PR-WIDE', body)
    assert.equal((await patch({ metadata: [{ key: 'title', value: 'Macbeth' }] })).status, 200)
    const type = { relations: [{ type: 'refMore', key: id }] }
    assertRefused(await patch(type), '/relations', /at most 200 different types of relations, not 301/)
    const key = { metadata: [{ key: 'more', value: 1 }] }
    assertRefused(await patch(key), '/metadata', /at most 500 different metadata keys, not 6\d\d/)
    const longer = { metadata: [{ key: 'note', value: 'x'.repeat(300_001) }] }
    assertRefused(await patch(longer), '/metadata/0/value', /at most 100000 characters, not 300001/)
    assert.equal((await patch({ metadata: [{ key: 'note', value: 'x'.repeat(200_000) }] })).status, 200)
    const { body: now } = await service.get('/entities/PR-WIDE')
    assert.equal(now.relations.length, 300)
    const fewer = { ...now, relations: now.relations.slice(0, 250) }
    assert.equal((await service.put('/entities/PR-WIDE', fewer)).status, 200)
    const found = await service.post('/entities/filter', [
      { type: 'selection', key: 'properties.ref_x249.value', value: [id] }
    ])
    assert.equal(found.body.count, 1, found.text.slice(0, 300))
    assert.equal((await service.post('/entities/PR-WIDE/revert', { version: 1 })).status, 400)
    assert.equal((await service.call('DELETE', '/entities/PR-WIDE')).status, 204)
  })
})

describe('A catalogue', () => {
  it('has at most 2,000 undeclared types of relations, however they are written, and frees those of deleted records', async t => {
    const own = await start(t)
    const target = await own.create(aProduction())
    const typed = (record: number, count = 200) =>
      Array.from({ length: count }, (_, index) => ({ type: `refX${record}x${index}`, key: target.id }))
    const created: string[] = []
    for (let record = 0; record < 10; record++)
      created.push((await own.create(aProduction({}, { relations: typed(record) }))).id)
    const tooMany = /at most 2000 types of relations that no record type declares, and "refX10x0" would be one more/
    const content = aProduction({}, { relations: typed(10, 1) })
    assertRefused(await own.post('/entities', content), '/relations/0/type', tooMany)
    assertRefused(await own.patch(`/entities/${target.id}`, { relations: typed(10, 1) }), '/relations/0/type', tooMany)
    for (const atomic of [0, 1]) {
      const batch = await own.post(`/entities/batch?atomic=${atomic}`, [{ op: 'create', entity: content }])
      assert.match(JSON.stringify(batch.body).replaceAll('\\"', '"'), tooMany)
    }
    // Types that are in use or declared are no new ones.
    const known = [...typed(3, 1), { type: 'refVenues', key: (await own.create(aVenue())).id }]
    await own.create(aProduction({}, { relations: known }))
    assert.equal((await own.call('DELETE', `/entities/${created[0]}`)).status, 204)
    assert.equal((await own.post('/entities', content)).status, 201)
  })

  it('has at most 2,000 undeclared metadata keys', async t => {
    const own = await start(t)
    const keyed = (record: number, count = 499) =>
      Array.from({ length: count }, (_, index) => ({ key: `key-${record}-${index}`, value: 'x' }))
    for (let record = 0; record < 4; record++)
      await own.create(aProduction({}, { metadata: [title, ...keyed(record)] }))
    assertRefused(
      await own.post('/entities', aProduction({}, { metadata: [title, ...keyed(4, 5)] })),
      '/metadata/5/key',
      /at most 2000 metadata keys that no record type declares, and "key-4-4" would be one more/
    )
    await own.create(aProduction({}, { metadata: [title, ...keyed(4, 4)] }))
  })
})

describe('An import', () => {
  it('reports a record that holds too much, and imports the rest', async () => {
    const send = async (payload: Buffer | string, type: string) => {
      const { remarks, ...job } = await importWithRemarks(service, payload, { type })
      return { job, remarks: remarks.flatMap((each: { remarks: string[] }) => each.remarks).join('\n') }
    }
    const [[name, lines] = ['', '']] = Object.entries(saltRoad)
    assert.ok(typeof lines === 'string')
    const long = lines.replace(/^(245 .{2,3}\$a)[^$/]*/m, `$1${'x '.repeat(800)}`)
    assert.notEqual(long, lines)
    const marc = await send(marcFile({ ...saltRoad, [name]: long }), 'application/marc')
    assert.equal(marc.job.state, 'done', marc.job.failure)
    assert.deepEqual([marc.job.counts.unreadable, marc.job.counts.created], [1, 3])
    assert.match(marc.remarks, /"title" may have at most 1000 characters/)

    const field = (tag: string, text: string) =>
      `<datafield tag="${tag}" ind1="0" ind2="0"><subfield code="a">${text}</subfield></datafield>`
    const xml = `<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500</leader>
      <controlfield tag="001">long-note</controlfield>${field('245', 'Short')}${field('505', 'word '.repeat(20_001))}
      </record></collection>`
    const noted = await send(xml, 'application/marcxml+xml')
    assert.equal(noted.job.state, 'done', noted.job.failure)
    assert.match(noted.remarks, /"[a-z_]+" may have at most 100000 characters, not 100\d\d\d/)

    const entities = [aPerson('Good'), aPerson('y'.repeat(1_001)), aPerson('Better')]
    const own = await send(entities.map(each => JSON.stringify(each)).join('\n'), 'application/x-ndjson')
    assert.equal(own.job.state, 'done')
    assert.deepEqual([own.job.counts.unreadable, own.job.counts.created], [1, 2])
    assert.match(own.remarks, /"name" may have at most 1000 characters/)
  })
})
