import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { aManifestation, anExpression, aWork, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

/* Lists with one entry for each work, over HTTP; test/index/index-oracle.test.ts has the rules. */

const search = (value: string) => ({ type: 'search', value })

const service = await start({ after })

describe('group_by=work', () => {
  before(async () => {
    const languages = { 'LANG-NL': { name: 'Nederlands', code: 'nld' }, 'LANG-EN': { name: 'Engels', code: 'eng' } }
    for (const [id, fields] of Object.entries(languages))
      await service.create({ id, type: 'language', metadata: metadata(fields) })
    await service.create(aWork('Hamlet', { id: 'W-H' }))
    await service.create({
      ...anExpression('W-H', 'Hamlet', { id: 'E-EN' }),
      relations: relations({ refWork: 'W-H', refLanguages: 'LANG-EN' })
    })
    await service.create({
      ...anExpression('W-H', 'Hamlet, prins', { id: 'E-NL' }),
      relations: relations({ refWork: 'W-H', refLanguages: 'LANG-NL' })
    })
    for (const number of [1, 2, 3]) await service.create(aManifestation('E-EN', 'Hamlet', { id: `M-EN${number}` }))
    await service.create(aManifestation('E-NL', 'Hamlet, prins van Denemarken', { id: 'M-NL' }))
    await service.create(aWork('Hamlet in Antwerpen', { id: 'W-A' }))
    await service.create({ id: 'PR-1', type: 'production', metadata: metadata({ title: 'Hamlet speelt' }) })
    await service.create({
      id: 'PF-1',
      type: 'performance',
      metadata: metadata({ start: '2026-12-01T20:00:00Z', url: 'https://example.org/hamlet' }),
      relations: relations({ refProduction: 'PR-1' })
    })
  })

  const grouped = (query: string, filters: readonly unknown[] = [search('hamlet')], token?: string) =>
    service.post(`/entities/filter?group_by=work${query}`, filters, token ? { token } : {})

  it('answers each work once, with its best expression and manifestation, their numbers and the languages', async () => {
    const { status, body } = await grouped('')
    assert.equal(status, 200)
    assert.equal(body.count, 3)
    assert.equal(body.count_records, 10)
    assert.deepEqual(body.results.map(head), ['W-H', 'PR-1', 'W-A'])
    const [first, show] = body.results
    assert.equal(first.work.metadata[0].value, 'Hamlet')
    assert.equal(first.expression.id, 'E-EN')
    assert.equal(first.manifestation.id, 'M-EN1')
    assert.deepEqual(first.matching, { expressions: 2, manifestations: 4, parts: 0 })
    assert.deepEqual(first.languages, [
      { id: 'LANG-NL', label: 'Nederlands' },
      { id: 'LANG-EN', label: 'Engels' }
    ])
    assert.equal(show.record.id, 'PR-1')
    assert.equal(show.part.id, 'PF-1')
    assert.equal(show.is_match, true)
  })

  it('names the work of a match that it does not match itself', async () => {
    const { body } = await grouped('', [search('denemarken')])
    assert.equal(body.count, 1)
    const [{ work, is_match, expression, manifestation, matching }] = body.results
    assert.deepEqual([work.id, is_match, expression, manifestation.id], ['W-H', false, undefined, 'M-NL'])
    assert.deepEqual(matching, { expressions: 0, manifestations: 1, parts: 0 })
  })

  it('is paged by cursors, in any order, which are of this list only', async () => {
    for (const order of ['', '&order_by=title', '&order_by=title&asc=0', '&order_by=date_updated&asc=0']) {
      const all = (await grouped(order)).body.results.map(head)
      const found: string[] = []
      let page = (await grouped(`${order}&limit=1`)).body
      for (;;) {
        found.push(...page.results.map(head))
        if (page.next === undefined) break
        page = (await service.post(page.next, [search('hamlet')])).body
      }
      assert.deepEqual(found, all)
      page = (await service.post(page.previous, [search('hamlet')])).body
      assert.deepEqual(page.results.map(head), all.slice(-2, -1))
    }
    const { next } = (await grouped('&limit=1')).body
    const other = await service.post(next.replace('group_by=work&', ''), [search('hamlet')])
    assert.equal(other.status, 400)
    assert.equal(other.body.errors[0].pointer, 'cursor')
  })

  it('counts facets by entry, or by record', async () => {
    const facets = '&limit=0&facets=relations.refWork.key,type'
    const byGroup = (await grouped(facets)).body.facets
    assert.deepEqual(byGroup['relations.refWork.key'], [{ value: 'W-H', label: 'Hamlet', count: 1 }])
    assert.equal(byGroup.type.find(({ value }: { value: string }) => value === 'manifestation_word').count, 1)
    const byRecord = (await grouped(`${facets}&facets_of=records`)).body.facets
    assert.deepEqual(byRecord['relations.refWork.key'], [{ value: 'W-H', label: 'Hamlet', count: 2 }])
    assert.equal(byRecord.type.find(({ value }: { value: string }) => value === 'manifestation_word').count, 4)
  })

  it('lists what a token may read: a hidden work heads nothing', async () => {
    const token = await service.tokenWith('read:manifestation', 'read:expression')
    const { body } = await grouped('', [search('hamlet')], token)
    assert.deepEqual(body.results.map(head), ['E-EN', 'E-NL'])
    assert.deepEqual(body.results[0].matching, { expressions: 0, manifestations: 3, parts: 0 })
    assert.deepEqual(body.results[0].languages, [])
    assert.ok(!JSON.stringify(body).includes('W-H'))
    const published = await service.tokenWith('read:production:published', 'read:performance')
    assert.equal((await grouped('', [search('hamlet')], published)).body.count, 0)
  })

  it('is possible for GET /entities, with and without its envelope', async () => {
    const list = await service.get('/entities?type=manifestation&group_by=work')
    assert.equal(Number(list.headers['x-total-count']), 1)
    assert.equal(list.body[0].work.id, 'W-H')
    const { body } = await service.get('/entities?type=manifestation&group_by=work&envelope=1')
    assert.deepEqual([body.count, body.count_records], [1, 4])
  })

  it('refuses other groups, tables, and facets_of without groups', async () => {
    const refused = async (query: string, headers = {}) => {
      const { status, body } = await service.post(`/entities/filter?${query}`, [], { headers })
      assert.equal(status, 400)
      return body.errors[0].pointer
    }
    assert.equal(await refused('group_by=author'), 'group_by')
    assert.equal(await refused('facets_of=records'), 'facets_of')
    assert.equal(await refused('group_by=work', { accept: 'text/csv' }), 'group_by')
  })

  it('puts works of the same name before other records, and those with more editions first', async () => {
    await service.create({ id: 'TIT-M', type: 'title', metadata: metadata({ title: 'Macbeth' }) })
    for (const [work, editions] of Object.entries({ 'W-M1': 1, 'W-M2': 2 })) {
      await service.create(aWork('Macbeth', { id: work }))
      await service.create(anExpression(work, 'Macbeth', { id: `E-${work}` }))
      for (let number = 0; number < editions; number++)
        await service.create(aManifestation(`E-${work}`, 'Macbeth', { id: `M-${work}-${number}` }))
    }
    const { body } = await grouped('', [search('macbeth')])
    assert.deepEqual(body.results.map(head), ['W-M2', 'W-M1', 'TIT-M'])
    const { next } = (await grouped('&limit=1', [search('macbeth')])).body
    assert.deepEqual((await service.post(next, [search('macbeth')])).body.results.map(head), ['W-M1'])
    const records = await service.post('/entities/filter?limit=4', [search('macbeth')])
    assert.deepEqual(
      records.body.results.map(({ id }: { id: string }) => id),
      ['W-M1', 'W-M2', 'TIT-M', 'E-W-M1']
    )
  })

  it('finds the largest of many works that fit alike, wherever it stands among them', async () => {
    for (let number = 0; number < 80; number++) await service.create(aWork('Orestes', { id: `W-O${number}` }))
    await service.create(anExpression('W-O79', 'Orestes', { id: 'E-O' }))
    const { body } = await grouped('&limit=2', [search('orestes')])
    assert.deepEqual(body.results.map(head), ['W-O79', 'W-O0'])
  })

  it('counts a publication with two expressions of a work once', async () => {
    for (const [work, expressions] of [
      ['W-Z1', ['E-Z1', 'E-Z2']],
      ['W-Z2', ['E-Z3']]
    ] as const) {
      await service.create(aWork('Zeepaard', { id: work }))
      for (const id of expressions) await service.create(anExpression(work, 'Zeepaard', { id }))
    }
    await service.create({
      ...aManifestation('E-Z1', 'Zeepaard', { id: 'M-Z1' }),
      relations: relations({ refExpressions: ['E-Z1', 'E-Z2'] })
    })
    for (const id of ['M-Z2', 'M-Z3', 'M-Z4']) await service.create(aManifestation('E-Z3', 'Zeepaard', { id }))
    // The works fit alike, so the one with more records comes first: five against four.
    const { body } = await grouped('', [search('zeepaard')])
    assert.deepEqual(body.results.map(head), ['W-Z2', 'W-Z1'])
  })

  it('shows one of the works of a publication before others that fit alike, and the rest after them', async () => {
    for (const piece of ['A', 'B', 'C', 'D']) {
      await service.create(aWork(`Piece ${piece}`, { id: `W-${piece}1` }))
      await service.create(anExpression(`W-${piece}1`, `Piece ${piece}`, { id: `E-${piece}1` }))
    }
    for (const [id, refExpressions] of [
      ['M-LONG', ['E-A1', 'E-B1', 'E-C1']],
      ['M-SHORT', ['E-D1']]
    ] as const)
      await service.create({
        ...aManifestation('E-A1', 'Live', { id }),
        metadata: metadata({ title: 'Live', note: 'Recorded in Knokke' }),
        relations: relations({ refExpressions })
      })
    const expected = ['W-A1', 'W-D1', 'W-B1', 'W-C1']
    const { body } = await grouped('', [search('knokke')])
    assert.deepEqual(body.results.map(head), expected)
    const found: string[] = []
    for (let next = '/entities/filter?group_by=work&limit=1'; next; ) {
      const { status, body: page } = await service.post(next, [search('knokke')])
      assert.equal(status, 200, JSON.stringify(page))
      found.push(...page.results.map(head))
      next = page.next
    }
    assert.deepEqual(found, expected)
  })
})

const head = ({ work, record }: { work?: { id: string }; record?: { id: string } }) => (work ?? record)?.id ?? ''
