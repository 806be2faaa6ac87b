import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import {
  aPerson,
  aProduction,
  aVenue,
  aWork,
  createBook,
  idsOf,
  metadata,
  relations
} from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import {
  assertProblem,
  fieldOf,
  jsonPatch,
  keysOf,
  mergePatch,
  messagesOf,
  pointersOf
} from '../support/records/write-cases.ts'

/*
 * A type that a token may not read does not exist for it. In these tests, venues and persons are
 * hidden.
 */

const service = await start({ after })
const { call, create, get, patch, post, put } = service

const venue = await create(aVenue('Secret house', { id: 'VE-hidden', identifiers: ['urn:hidden'] }))
const person = await create(aPerson('Hidden, Author', { id: 'PERS-hidden' }))
const company = await create({ type: 'company', id: 'CO-shown', metadata: metadata({ name: 'Shown company' }) })
const production = await create(
  aProduction(
    {},
    { id: 'PR-shown', relations: relations({ refVenues: venue.id, refCompanies: company.id, refAuthors: person.id }) }
  )
)
const book = await createBook(service, {
  work: { relations: relations({ refAuthors: person.id }) },
  manifestation: { relations: relations({ refAuthors: person.id }) }
})

const narrowed = await service.tokenWith(
  ...['read:production', 'read:company', 'read:work', 'read:expression', 'read:manifestation'],
  ...['write:production', 'delete:production', 'delete:company']
)
const as = { token: narrowed }
const find = async (filter: unknown, token = narrowed) => (await post('/entities/filter', [filter], { token })).body

describe('A type that a token may not read', () => {
  it('is 404 when fetched, in the very words of an unknown id', async () => {
    for (const id of [venue.id, venue._id, 'urn:hidden']) {
      const hidden = await get(`/entities/${id}`, as)
      assertProblem(hidden, 'not_found')
      const unknown = await get('/entities/VE-unknown', as)
      assert.equal(hidden.text.replaceAll(id, 'X'), unknown.text.replaceAll('VE-unknown', 'X'))
    }
  })

  it('is 404 with what belongs to it: lists, references, tree, resolve', async () => {
    for (const path of ['/metadata', '/relations', '/references', '/tree', '/parts', '?resolve=1']) {
      assertProblem(await get(`/entities/${venue.id}${path}`, as), 'not_found')
    }
  })

  it('is 404 also when the answer is kept ready for those who may read it', async () => {
    for (let times = 0; times < 3; times++) {
      assert.equal((await get(`/entities/${venue.id}`)).status, 200)
      assertProblem(await get(`/entities/${venue.id}`, as), 'not_found')
    }
  })

  it('is in no list and in no count', async () => {
    const all = await get('/entities?limit=1000', as)
    assert.ok(all.body.every((entity: { type: string }) => !['venue', 'person'].includes(entity.type)))
    assert.equal(all.headers['x-total-count'], String(all.body.length))

    for (const path of ['type=venue', 'type=venue,person', `ids=${venue.id},urn:hidden`]) {
      const answer = await get(`/entities?${path}`, as)
      assert.deepEqual(answer.body, [])
      assert.equal(answer.headers['x-total-count'], '0')
    }
    assert.equal((await get('/entities?envelope=1&limit=0', as)).body.count, all.body.length)
    assert.equal((await get('/entities?envelope=1&limit=0')).body.count, all.body.length + 2)
  })

  it('is found by no filter', async () => {
    const filters = [
      { type: 'type', value: 'venue' },
      { type: 'id', value: venue.id },
      { type: 'id', value: ['urn:hidden', venue._id] },
      { type: 'text', key: 'properties.name.value', value: 'secret' },
      { type: 'selection', key: 'type', value: 'venue', match_exact: true },
      { type: 'selection', key: 'id', value: venue.id },
      { type: 'selection', key: 'identifiers', value: 'urn:hidden' },
      { type: 'type', value: 'production', or: [{ type: 'type', value: 'venue' }], match_not: false }
    ]
    for (const filter of filters) {
      const { results, count } = await find(filter)
      assert.ok(!idsOf(results).includes(venue.id), JSON.stringify(filter))
      assert.equal(count, results.length)
    }
    const others = await find({ type: 'type', value: 'production', match_not: true })
    assert.ok(!idsOf(others.results).includes(venue.id))
  })

  it('is not shown as the target of a relation, wherever relations are shown', async () => {
    const shown = { refVenues: [] as string[], refAuthors: [] as string[], refCompanies: [company.id] }
    const seen = (entity: typeof production) =>
      Object.fromEntries(Object.keys(shown).map(type => [type, keysOf(entity, type)]))

    assert.deepEqual(seen((await get(`/entities/${production.id}`, as)).body), shown)
    assert.deepEqual(seen((await get(`/entities/${production.id}?resolve=1`, as)).body), shown)
    assert.deepEqual(
      (await get(`/entities/${production.id}/relations`, as)).body,
      relations({ refCompanies: company.id })
    )
    assert.deepEqual(seen((await get('/entities?ids=PR-shown', as)).body[0]), shown)
    assert.deepEqual(seen((await find({ type: 'id', value: production.id })).results[0]), shown)
    for (const text of [
      (await get(`/entities/${production.id}`, as)).text,
      (await get('/entities?limit=1000', as)).text,
      (await get(`/entities/${production.id}?resolve=1`, as)).text
    ]) {
      assert.doesNotMatch(text, /hidden|Secret/i)
    }
  })

  it('cannot be found by the relations to it: by key, by name, by their being there', async () => {
    const keys = ['properties.ref_venues.value', 'relations.refVenues.key', 'catalog:1|properties.ref_venues.value']
    for (const key of keys) {
      for (const filter of [
        { type: 'selection', key, value: venue.id, match_exact: true },
        { type: 'selection', key, value: 'urn:hidden', match_exact: true },
        { type: 'selection', key, value: 'VE-' },
        { type: 'text', key, value: 'VE-hid*' },
        { type: 'text', key, value: '*' }
      ]) {
        assert.equal((await find(filter)).count, 0, JSON.stringify(filter))
      }
      // Hidden values count as empty, and no record is excluded because it does not match a hidden
      // value.
      assert.equal((await find({ type: 'text', key, value: '', or: [], match_not: false })).count > 0, true)
      const absent = await find({ type: 'text', key, value: '' })
      assert.ok(idsOf(absent.results).includes(production.id))
      const not = await find({ type: 'selection', key, value: venue.id, match_exact: true, match_not: true })
      assert.ok(idsOf(not.results).includes(production.id))
    }
    for (const value of ['Secret house', 'secret', '*', 'Sec*']) {
      assert.equal((await find({ type: 'text', key: 'properties.ref_venues.name', value })).count, 0, value)
    }
    assert.equal((await find({ type: 'text', key: 'properties.ref_companies.name', value: 'shown' })).count, 1)
  })

  it('is not among those who point to an entity, nor in their count', async () => {
    const shown = await create(aWork())
    await create(aVenue('x', { relations: relations({ refHome: shown.id }) }))
    const whole = (await get(`/entities/${shown.id}/references`)).body
    const seen = (await get(`/entities/${shown.id}/references`, as)).body

    assert.equal(whole.count, 1)
    assert.deepEqual(seen, { count: 0, count_by_relation: {}, results: [], skip: 0, limit: 20 })
  })

  it('is not in a WEM answer, and a WEM answer of others is not changed by that', async () => {
    const before = (await get(`/entities/wem/${book.manifestation}`)).body
    const seen = await get(`/entities/wem/${book.manifestation}`, as)

    assert.equal(seen.status, 200)
    assert.deepEqual(seen.body.work.relations, {})
    assert.deepEqual(seen.body.manifestation.relations, {})
    assert.doesNotMatch(seen.text, /Hidden/i)
    assert.ok(person.id in before.work.relations)
    assert.deepEqual((await get(`/entities/wem/${book.manifestation}`)).body, before)
  })

  it('makes a WEM that needs it incomplete, and one that begins with it unknown', async () => {
    const withoutWork = await service.tokenWith('read:manifestation', 'read:expression')
    const withoutManifestation = await service.tokenWith('read:work', 'read:expression')

    const incomplete = await get(`/entities/wem/${book.manifestation}`, { token: withoutWork })
    assertProblem(incomplete, 'incomplete_wem')
    assert.equal(incomplete.body.missing_level, 'work')
    assertProblem(await get(`/entities/wem/${book.manifestation}`, { token: withoutManifestation }), 'not_found')
    const batch = await post('/entities/wem', { ids: [book.manifestation] }, { token: withoutManifestation })
    assert.equal(batch.body.results[0].problem.code, 'not_found')
  })

  it('is not in a tree, level by level', async () => {
    assert.doesNotMatch((await get(`/entities/${book.work}/tree`, as)).text, /Hidden/i)
    const worksOnly = await service.tokenWith('read:work')
    const tree = await get(`/entities/${book.work}/tree`, { token: worksOnly })
    assert.equal(tree.status, 200)
    assert.deepEqual(tree.body.expressions, [])
    assert.equal(tree.body.count, 0)
  })
})

describe('Writing with a token that does not see everything', () => {
  it('PUT keeps the relations it cannot see', async () => {
    const { id } = await create(
      aProduction(
        {},
        { relations: relations({ refVenues: venue.id, refCompanies: company.id, refAuthors: person.id }) }
      )
    )
    const seen = (await get(`/entities/${id}`, as)).body
    const answer = await put(
      `/entities/${id}`,
      { ...seen, metadata: metadata({ title: 'Changed' }), relations: [] },
      as
    )

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.relations, [])
    const whole = (await get(`/entities/${id}`)).body
    assert.deepEqual(whole.relations, relations({ refVenues: venue.id, refAuthors: person.id }))
    assert.equal(fieldOf(whole, 'title'), 'Changed')
  })

  it('every other way to write keeps them too', async () => {
    const { id } = await create(
      aProduction({}, { relations: relations({ refVenues: venue.id, refCompanies: company.id }) })
    )
    const ways: readonly (readonly [string, string, unknown, Record<string, string>?])[] = [
      ['PATCH', '', { metadata: metadata({ title: '1' }) }],
      ['PATCH', '', { relations: null }, mergePatch.headers],
      ['PATCH', '', [{ op: 'replace', path: '/relations', value: [] }], jsonPatch.headers],
      ['PUT', '/relations', []],
      ['DELETE', '/relations', relations({ refVenues: venue.id })],
      ['POST', '/relations', relations({ refCompanies: company.id })],
      ['PATCH', '/metadata', metadata({ title: '2' })]
    ]
    for (const [method, path, body, headers] of ways) {
      const answer = await call(method, `/entities/${id}${path}`, {
        body,
        token: narrowed,
        ...(headers ? { headers } : {})
      })
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
      assert.doesNotMatch(answer.text, /hidden/i)
      assert.deepEqual(keysOf((await get(`/entities/${id}`)).body, 'refVenues'), [venue.id], `${method} ${path}`)
    }
  })

  it('leaves the relations it cannot see in their places', async () => {
    const other = await create({ type: 'company', metadata: metadata({ name: 'x' }) })
    const { id } = await create(
      aProduction(
        {},
        { relations: relations({ refVenues: venue.id, refCompanies: company.id, refAuthors: person.id }) }
      )
    )
    await patch(`/entities/${id}`, { relations: relations({ refCompanies: other.id }) }, as)

    assert.deepEqual(
      (await get(`/entities/${id}`)).body.relations,
      relations({ refVenues: venue.id, refCompanies: company.id, refAuthors: person.id }).concat(
        relations({ refCompanies: other.id })
      )
    )
  })

  it('is told the place of a fault in what it sent, whatever else is there', async () => {
    const answer = await put(
      `/entities/${production.id}`,
      aProduction({}, { relations: relations({ refCompanies: 'CO-nowhere' }) }),
      as
    )

    assert.deepEqual(pointersOf(answer), ['/relations/0/key'])
  })

  it('puts what it fetched back without a change', async () => {
    const seen = (await get(`/entities/${production.id}`, as)).body

    assert.equal((await put(`/entities/${production.id}`, seen, as)).body.version, seen.version)
  })

  it('cannot point to what it can neither read nor write: that is told like an unknown id', async () => {
    const { id } = await create(aProduction())
    const wrong = { refVenues: venue.id, refCompanies: venue.id, refOwn: 'urn:hidden' }
    for (const [type, key] of Object.entries(wrong)) {
      const given = relations({ [type]: key })
      for (const answer of [
        await post('/entities', aProduction({}, { relations: given }), as),
        await put(`/entities/${id}`, aProduction({}, { relations: given }), as),
        await patch(`/entities/${id}`, { relations: given }, as),
        await post(`/entities/${id}/relations`, given, as)
      ]) {
        assertProblem(answer, 'invalid')
        assert.deepEqual(messagesOf(answer), [`No entity with id "${key}"`])
        // Into what was sent, which is an entity or a list.
        assert.match(pointersOf(answer).join(), /^(\/relations)?\/0\/key$/)
      }
    }
  })

  it('is told the same of a relation that is there already and that it cannot see', async () => {
    const answer = await put(
      `/entities/${production.id}`,
      aProduction({}, { relations: relations({ refVenues: venue.id }) }),
      as
    )

    assertProblem(answer, 'invalid')
    assert.deepEqual(messagesOf(answer), [`No entity with id "${venue.id}"`])
  })

  it('may write without reading: what it names is replaced, what it does not name stays', async () => {
    const token = await service.tokenWith('write')
    const other = await create(aVenue())
    const body = aProduction({}, { relations: relations({ refVenues: venue.id }) })
    const { id } = (await post('/entities', body, { token })).body

    for (const title of ['1', '2']) {
      const answer = await put(
        `/entities/${id}`,
        aProduction({ title }, { relations: relations({ refVenues: [venue._id, other.id] }) }),
        { token }
      )
      assert.equal(answer.status, 200, answer.text)
    }
    assert.deepEqual(keysOf((await get(`/entities/${id}`)).body, 'refVenues'), [venue.id, other.id])
    assertProblem(await get(`/entities/${id}`, { token }), 'forbidden')
  })

  it('gets 403 for what it may read but not write, and 404 for what it may not see', async () => {
    const ways: readonly (readonly [string, string, unknown])[] = [
      ['PUT', '', {}],
      ['PATCH', '', {}],
      ['POST', '/metadata', []],
      ['PUT', '/relations', []]
    ]
    for (const [method, path, body] of ways) {
      assertProblem(await call(method, `/entities/${company.id}${path}`, { body, ...as }), 'forbidden')
      assertProblem(await call(method, `/entities/${venue.id}${path}`, { body, ...as }), 'not_found')
    }
    assertProblem(await call('DELETE', `/entities/${book.work}`, as), 'forbidden')
    assertProblem(await call('DELETE', `/entities/${venue.id}`, as), 'not_found')
  })

  it('is told of a taken identifier without being told by whom', async () => {
    const answer = await post('/entities', aProduction({}, { identifiers: ['urn:hidden'] }), as)

    assertProblem(answer, 'identifier_taken')
    assert.doesNotMatch(answer.text, /VE-|venue|Secret/)
  })

  it('is shown only those references that stand in the way of a deletion which it may read', async () => {
    const shared = await create({ type: 'company', metadata: metadata({ name: 'x' }) })
    await create(aVenue('x', { relations: relations({ refHome: shared.id }) }))
    const seen = await create(aProduction({}, { relations: relations({ refCompanies: shared.id }) }))
    const answer = await call('DELETE', `/entities/${shared.id}`, as)

    assertProblem(answer, 'still_referenced')
    assert.deepEqual(idsOf(answer.body.references), [seen.id])
    assertProblem(await call('DELETE', `/entities/${shared.id}?references=detach`, as), 'forbidden')
    const batch = await post('/entities/batch?atomic=1', [{ op: 'delete', id: shared.id }], as)
    assert.equal(batch.status, 409, batch.text)
    assert.deepEqual(idsOf(batch.body.references), [seen.id])
    assert.equal((await get(`/entities/${shared.id}`)).status, 200)
  })

  it('is shown as many of them, however many others it may not read', async () => {
    const shared = await create({ type: 'company', metadata: metadata({ name: 'x' }) })
    for (let count = 0; count < 21; count++)
      await create(aVenue(`x${count}`, { relations: relations({ refHome: shared.id }) }))
    const seen = await create(aProduction({}, { relations: relations({ refCompanies: shared.id }) }))
    const answer = await call('DELETE', `/entities/${shared.id}`, as)

    assertProblem(answer, 'still_referenced')
    assert.deepEqual(idsOf(answer.body.references), [seen.id])
  })

  it('does not tell by If-Match or dry_run that something is there', async () => {
    assertProblem(await put(`/entities/${venue.id}`, {}, { ...as, headers: { 'if-match': '"9"' } }), 'not_found')
    assertProblem(await put(`/entities/${venue.id}?dry_run=1`, {}, as), 'not_found')
    assertProblem(await call('DELETE', `/entities/${venue.id}?dry_run=1&references=detach`, as), 'not_found')
  })
})

describe('A token that may read nothing', () => {
  it('is told so with 403, rather than that nothing exists', async () => {
    const token = await service.tokenWith('write:production')
    for (const url of [
      '/entities',
      `/entities/${production.id}`,
      `/entities/wem/${book.manifestation}`,
      `/entities/${book.work}/tree`
    ]) {
      assertProblem(await get(url, { token }), 'forbidden')
    }
    assertProblem(await post('/entities/filter', [], { token }), 'forbidden')
  })
})

describe('A token narrowed to an umbrella', () => {
  it('reads each of its types and nothing else', async () => {
    const token = await service.tokenWith('read:manifestation')
    const { body } = await get('/entities?limit=1000', { token })

    assert.deepEqual([...new Set(body.map((entity: { type: string }) => entity.type))], ['manifestation_word'])
    assert.deepEqual((await get(`/entities/${book.manifestation}`, { token })).body.relations, [])
  })
})
