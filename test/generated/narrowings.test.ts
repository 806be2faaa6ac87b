import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { type DefaultTreeAdapterTypes, parse } from 'parse5'

import type { Entity } from '#domain/entity/entity.ts'
import { filtersOf } from '#domain/find/find-filters.ts'
import { findModelOf } from '#domain/find/find-model.ts'
import { emptySearch, type FindState, findAddress, isGrouped, readFindState } from '#domain/find/find-state.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { createRecordModel } from '../../web/src/data/record-model.ts'
import {
  countValuesOfGroups,
  evaluate,
  evaluateGroups,
  type FilterObject,
  type Kept
} from '../support/oracles/naive-evaluator.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { start } from '../support/services/start.ts'

/*
 * One address of a search finds the same for everybody: the page of the staff sends the filters
 * that `filtersOf` makes, and the public page, the feed and exports read the address on the server.
 * A second evaluator, written from the documents, says what it should find.
 */

const nobody = { token: undefined }
const service = await start({ after }, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: 'https://catalogue.example.org' })
await loadSample(service.libretto)
const { body: all } = await service.post('/entities/filter?limit=1000&order_by=date_created', [])
const catalogue = (all.results as Entity[]).map((entity, at): Kept => ({ entity, created: at, changed: at }))
const model = findModelOf(service.libretto.model)
const { body: types } = await service.get('/record-types')
const staffModel = createRecordModel(types.record_types, 'Europe/Brussels')

/** A search as the address gives it. */
const searchAt = (address: string) => readFindState(new URL(address, 'http://localhost').searchParams, model)

/** The records that the evaluator finds by an address: works and productions, or records. */
function expectedAt(address: string): string[] {
  const state = searchAt(address)
  const filters = filtersOf(state, model) as readonly FilterObject[]
  const found = isGrouped(state)
    ? evaluateGroups(catalogue, filters, 'id').map(({ head }) => head)
    : evaluate(catalogue, filters, 'id')
  return found.sort()
}

/** The records that the page of the staff finds. */
async function foundByStaff(address: string): Promise<string[]> {
  const state = readFindState(new URL(address, 'http://localhost').searchParams, staffModel)
  const query = `?limit=1000${isGrouped(state) ? '&group_by=work' : ''}`
  const { status, body, text } = await service.filter(filtersOf(state, staffModel), query)
  assert.equal(status, 200, text)
  const results = body.results as (Entity & { readonly work?: Entity; readonly record?: Entity })[]
  return results.map(each => (each.work ?? each.record ?? each).id).sort()
}

/** The records that the public page lists, with those of the pages after it. */
async function foundByReaders(address: string): Promise<string[]> {
  const found: string[] = []
  for (let path: string | undefined = address; path !== undefined; ) {
    const { status, text } = await service.get(path, nobody)
    assert.equal(status, 200, text)
    found.push(...entriesIn(parse(text)))
    const counted = Number(/role="status">([\d,]+) results?</.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
    const next: string | undefined = /<a rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    if (next === undefined) assert.equal(found.length, counted, address)
    path = next
  }
  return found.sort()
}

/** The record of each entry of the list of results: of its first link to a record. */
function entriesIn(node: DefaultTreeAdapterTypes.Node, isInList = false): string[] {
  const attribute = (name: string) =>
    'attrs' in node ? (node.attrs.find(each => each.name === name)?.value ?? '') : ''
  if (isInList && node.nodeName === 'li') return recordsIn(node).slice(0, 1)
  const isList = isInList || (node.nodeName === 'ol' && attribute('class') === 'results')
  return 'childNodes' in node ? node.childNodes.flatMap(each => entriesIn(each, isList)) : []
}

function recordsIn(node: DefaultTreeAdapterTypes.Node): string[] {
  const link = 'attrs' in node ? node.attrs.find(({ name }) => name === 'href')?.value : undefined
  const id = /\/record\/([^/]+)$/.exec(link ?? '')?.[1]
  const inner = 'childNodes' in node ? node.childNodes.flatMap(recordsIn) : []
  return id === undefined ? inner : [decodeURIComponent(id), ...inner]
}

/** The records of the feed of a search. */
async function foundInFeed(address: string): Promise<string[]> {
  const { status, text } = await service.get(address.replace('/find', '/feed.atom'), nobody)
  assert.equal(status, 200, text)
  const links = [...text.matchAll(/<entry>.*?href="[^"]*\/record\/([^"]+)"/gs)]
  return links.map(([, id = '']) => decodeURIComponent(id)).sort()
}

/** The records of the export of a search, each by itself. */
async function foundInExport(address: string): Promise<string[]> {
  const { status, text } = await service.get(`/export?sources=0&search=${encodeURIComponent(address)}`)
  assert.equal(status, 200, text)
  const lines = text.split('\n').filter(Boolean)
  return lines.map(line => (JSON.parse(line) as Entity).id).sort()
}

/** The number of entries that a feed has at most. */
const maxInFeed = 50

async function assertSame(address: string) {
  const expected = expectedAt(address)
  assert.deepEqual(await foundByStaff(address), expected, `staff at ${address}`)
  assert.deepEqual(await foundByReaders(address), expected, `readers at ${address}`)
  const inFeed = await foundInFeed(address)
  if (expected.length <= maxInFeed) assert.deepEqual(inFeed, expected, `feed of ${address}`)
  else assert.ok(inFeed.length === maxInFeed && inFeed.every(id => expected.includes(id)), `feed of ${address}`)
  const records = evaluate(catalogue, filtersOf(searchAt(address), model) as readonly FilterObject[], 'id')
  assert.deepEqual(await foundInExport(address), records.sort(), `export of ${address}`)
}

const works = (address: string) => foundByStaff(address).then(({ length }) => length)

describe('A narrowing at several levels', () => {
  it('finds the works whose levels meet it together, for staff and readers', async () => {
    const shakespeare = 'authors=PERS-SHAKESPEARE'
    assert.equal(await works(`/find?${shakespeare}&publishers=PUB-STRANDPALE`), 2)
    assert.equal(await works(`/find?${shakespeare}&languages=LANG-NLD`), 4)
    assert.equal(await works('/find?genres=GEN-TRAGEDIE&languages=LANG-NLD'), 5)
    for (const address of [
      `/find?${shakespeare}&publishers=PUB-STRANDPALE`,
      `/find?${shakespeare}&languages=LANG-NLD`,
      `/find?${shakespeare}&from=1980`,
      '/find?genres=GEN-TRAGEDIE&languages=LANG-NLD',
      '/find?genres=GEN-TRAGEDIE&from=1980&to=2020',
      '/find?type=work&from=2019&to=2019'
    ]) {
      assert.ok((await works(address)) > 0, address)
      await assertSame(address)
    }
  })

  it('is met by one edition, not by one edition here and another there', async () => {
    const editions = (all.results as Entity[]).filter(({ type }) => type.startsWith('manifestation'))
    const year = (each: Entity) => String(each.metadata.find(({ key }) => key === 'year_of_publication')?.value)
    const languagesOf = (each: Entity) => {
      const texts = each.relations.filter(({ type }) => type === 'refExpressions').map(({ key }) => key)
      return (all.results as Entity[])
        .filter(({ id }) => texts.includes(id))
        .flatMap(({ relations }) => relations.filter(({ type }) => type === 'refLanguages').map(({ key }) => key))
    }
    const dutch = new Set(editions.filter(each => languagesOf(each).includes('LANG-NLD')).map(year))
    const other = editions.find(each => languagesOf(each).includes('LANG-ENG') && !dutch.has(year(each)))
    assert.ok(other)
    const [from, to] = [`from=${year(other)}`, `to=${year(other)}`]
    assert.ok((await works(`/find?languages=LANG-ENG&${from}&${to}`)) > 0)
    assert.equal(await works(`/find?languages=LANG-NLD&${from}&${to}`), 0)
    const filters = filtersOf(searchAt(`/find?languages=LANG-NLD&${from}&${to}`), model)
    const ofWork = filters.map(each => ({ ...each, key: 'work' }))
    const { body } = await service.filter(ofWork, '?group_by=work')
    const kept = evaluateGroups(catalogue, ofWork as readonly FilterObject[], 'id')
    assert.equal(body.count, kept.length)
  })
})

describe('An address of a search', () => {
  for (const address of [
    '/find?by=refAuthors:PERS-SHAKESPEARE',
    '/find?languages=LANG-NLD&from=2019&to=2019',
    '/find?related=refAuthors:PERS-SHAKESPEARE',
    '/find?q=hamlet&type=work,production',
    '/find?q=hamlet&type=all',
    '/find?by=refAuthors:PERS-SHAKESPEARE,refGenres:GEN-TRAGEDIE',
    '/find?view=records&languages=LANG-FRA',
    '/find'
  ])
    it(`finds the same for everybody: ${address}`, () => assertSame(address))

  it('that is not understood in part says so, and finds by the rest', async () => {
    const address = '/find?q=hamlet&colour=red&from=soon&type=work,wrok&sort=size'
    const state = searchAt(address)
    assert.deepEqual(
      state.unknown,
      ['type=wrok', 'from=soon', 'sort=size', 'colour=red'].toSorted(byPlace(state.unknown))
    )
    const { text } = await service.get(address, nobody)
    for (const each of state.unknown) assert.ok(text.includes(each), each)
    assert.deepEqual(await foundByReaders(address), await foundByReaders('/find?q=hamlet&type=work'))
    const refused = await service.get(`/export?search=${encodeURIComponent(address)}`)
    assert.equal(refused.status, 400, refused.text)
    assert.ok(
      state.unknown.some(each => refused.text.includes(each)),
      refused.text
    )
    assert.equal((await service.get('/export?search=/works')).status, 400)
  })

  it('is the same after it was read and written again', () => {
    for (const each of randomSearches(300)) {
      const address = findAddress(each)
      assert.equal(findAddress(searchAt(address)), address)
      assert.deepEqual(searchAt(address), { ...each, facets: searchAt(address).facets })
    }
  })
})

const byPlace = (order: readonly string[]) => (one: string, other: string) => order.indexOf(one) - order.indexOf(other)

describe('Random searches', () => {
  it('find for the page of the staff what the evaluator finds', async () => {
    for (const each of randomSearches(howMany({ quick: 60, short: 1000, long: 20_000, onPostgres: 250 }))) {
      const address = findAddress(each)
      assert.deepEqual(await foundByStaff(address), expectedAt(address), address)
    }
  })

  it('find the same on the public page, in the feed and in exports', async () => {
    for (const each of randomSearches(howMany({ quick: 16, short: 1000, long: 10_000, onPostgres: 250 })))
      await assertSame(findAddress(each))
  })

  it('are counted by facet as they are shown', async () => {
    for (const each of randomSearches(howMany({ quick: 4, short: 20, long: 1000, onPostgres: 20 }))) {
      const state = { ...each, types: [], view: '' } as const
      const filters = filtersOf(state, model)
      const paths = model.facets.map(({ path }) => path)
      const query = `?limit=0&group_by=work&facet_limit=1000&facets=${paths.join()}`
      const { body } = await service.filter(filters, query)
      for (const path of paths) {
        const found = (body.facets[path] as { value: string; count: number }[]).map(({ value, count }) => ({
          value,
          count
        }))
        const expected = countValuesOfGroups(catalogue, filters as readonly FilterObject[], path, 1000)
        assert.deepEqual(found, expected, `${path} at ${findAddress(state)}`)
      }
    }
  })
})

const records = all.results as Entity[]
const byId = new Map(records.map(each => [each.id, each]))
const referring = Map.groupBy(
  records.flatMap(from => from.relations.map(({ key }) => ({ from, key }))),
  ({ key }) => key
)
const near = (entity: Entity): Entity[] => [
  entity,
  ...(referring.get(entity.id) ?? []).slice(0, 20).map(({ from }) => from),
  ...entity.relations.flatMap(({ key }) => byId.get(key) ?? [])
]

const valuesIn = (from: readonly Entity[], name: string) =>
  from.flatMap(({ relations, metadata }) => [
    ...relations.filter(({ type }) => type === name).map(({ key }) => key),
    ...metadata.filter(({ key }) => key === name).map(({ value }) => String(value))
  ])
const choicesIn = (from: readonly Entity[]) =>
  model.facets.flatMap(({ name }) => valuesIn(from, name).map(value => ({ name, value })))
const allChoices = choicesIn(records)

/** Searches of which about half find something: most values are of records near each other. */
function randomSearches(count: number): FindState[] {
  const chance = createChance(seed)
  const oneOf = <T>(from: readonly T[]): T | undefined => from[chance.below(Math.max(1, from.length))]
  return Array.from({ length: count }, () => {
    const around = near(records[chance.below(records.length)] as Entity).flatMap(near)
    const facets: Record<string, string[]> = {}
    for (let at = chance.below(4); at > 0; at--) {
      const one = oneOf(chance.oneIn(3) ? allChoices : choicesIn(around))
      if (one) facets[one.name] = [...new Set([...(facets[one.name] ?? []), one.value])]
    }
    const year = oneOf([...valuesIn(around, 'year_of_publication'), ...valuesIn(around, 'year')]) ?? '1900'
    const [title = ''] = valuesIn(around, 'title')
    const isYears = chance.oneIn(4)
    return {
      ...emptySearch,
      text: chance.oneIn(8) ? (oneOf(title.split(/[^\p{L}]+/u).filter(Boolean)) ?? '') : '',
      types: chance.oneIn(4) ? [chance.pick(['work', 'expression', 'manifestation', 'production', 'performance'])] : [],
      facets,
      from: isYears && chance.oneIn(2) ? year : '',
      to: isYears && chance.oneIn(2) ? year : '',
      view: chance.oneIn(6) ? 'records' : ''
    }
  })
}
