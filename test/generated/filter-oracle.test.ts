import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'

import type { Entity } from '#domain/entity/entity.ts'
import { namesIn } from '#domain/filter/field-names.ts'
import { type FilterPath, readFacetPath } from '#domain/filter/filter-path.ts'
import { howMany, isLong, repeatable, seed } from '../support/records/chance.ts'
import { testStore } from '../support/databases/database.ts'
import {
  aCataloguePlan,
  aFilter,
  aQuestion,
  type CataloguePlan,
  type GeneratedQuestion,
  referringFacets,
  someFacets,
  toBody
} from '../support/records/generators.ts'
import { countValues, evaluate, type FilterObject, type Kept } from '../support/oracles/naive-evaluator.ts'
import { type Answer, start, type Teardown, type TestService } from '../support/services/start.ts'

/*
 * Random filter lists over random catalogues, compared with an evaluator that was written from
 * docs/interface/ alone. A failure shows the seed, the query in its smallest form, and the
 * records on which the two differ. `SEED=… LONG=1 node --test <this file>`.
 */

const catalogues = howMany({ quick: 2, short: 5, long: 400, onPostgres: 2 })
const questionsEach = isLong ? 500 : testStore === 'postgres' ? 50 : 80

describe('POST /entities/filter', () => {
  it('finds, counts and orders as a naive evaluator does', async () => {
    for (let number = 0; number < catalogues; number++) {
      await repeatable(async after => {
        const [plan] = fc.sample(aCataloguePlan, { seed: seed + number, numRuns: 1 })
        assert.ok(plan)
        const service = await start({ after })
        const catalogue = await fill(service, plan)
        const question = aQuestion(catalogue.map(kept => kept.entity))
        await fc.assert(
          fc.asyncProperty(question, async given => checkQuestion(service, catalogue, given)),
          { seed: seed + number, numRuns: questionsEach, includeErrorInReport: true }
        )
      })
    }
    console.log(`${catalogues} catalogues, ${catalogues * questionsEach} filter lists (SEED=${seed})`)
  })
})

describe('facets', () => {
  it('count as a naive evaluator does', () =>
    repeatable(async after => {
      const { service, catalogue } = await aService(after, seed + 4_000_000)
      const question = aQuestion(catalogue.map(kept => kept.entity))
      await fc.assert(
        fc.asyncProperty(question, someFacets, fc.integer({ min: 1, max: 9 }), async ({ filters }, paths, most) => {
          const referring = referringFacets.filter((_, at) => at % 5 === most % 5)
          const wanted = [...paths, ...referring]
          const ask = (of: readonly string[]) => {
            const query = new URLSearchParams({ limit: '0', facets: of.join(), facet_limit: String(most) })
            return service.post(`/entities/filter?${query}`, filters)
          }
          const refused = unknownNames(catalogue, await ask(wanted))
          const all = wanted.filter(
            path => !namesIn(readFacetPath(path) as FilterPath).some(({ name }) => refused.has(name))
          )
          const { status, body, text } = await ask(all)
          assert.equal(status, 200, text)
          for (const path of all) {
            const found = (body.facets[path] as { value: string; count: number }[]).map(({ value, count }) => ({
              value,
              count
            }))
            assert.deepEqual(found, countValues(catalogue, filters, path, most), path)
          }
        }),
        { seed, numRuns: howMany({ quick: 15, short: 50, long: 10_000, onPostgres: 30 }), includeErrorInReport: true }
      )
    }))
})

describe('filters combine as sets do', () => {
  it('gives the intersection for AND, the complement for match_not, whatever their order', () =>
    repeatable(async after => {
      const { service, catalogue } = await aService(after, seed + 1_000_000)
      const all = evaluate(catalogue, [])
      const filter = aFilter(
        catalogue.map(kept => kept.entity),
        2
      ).map(({ operator, ...rest }) => rest)
      await fc.assert(
        fc.asyncProperty(filter, filter, async (one, other) => {
          const [first, second, both, turned] = await Promise.all([
            idsOf(service, [one]),
            idsOf(service, [other]),
            idsOf(service, [one, other]),
            idsOf(service, [other, one])
          ])
          assert.deepEqual(
            both,
            first.filter(id => second.includes(id)),
            'AND is not the intersection'
          )
          assert.deepEqual(turned, both, 'the order of filters matters')

          const { or, ...plain } = one
          const [yes, no] = await Promise.all([
            idsOf(service, [{ ...plain, match_not: false }]),
            idsOf(service, [{ ...plain, match_not: true }])
          ])
          assert.deepEqual(
            all.filter(id => !yes.includes(id)),
            no,
            'match_not is not the complement'
          )
        }),
        { seed, numRuns: howMany({ quick: 25, short: 100, long: 10_000, onPostgres: 50 }), includeErrorInReport: true }
      )
    }))
})

describe('pages', () => {
  it('joined by following next are the whole, and previous leads back', () =>
    repeatable(async after => {
      const { service, catalogue } = await aService(after, seed + 2_000_000)
      const question = aQuestion(catalogue.map(kept => kept.entity))
      await fc.assert(
        fc.asyncProperty(question, fc.integer({ min: 1, max: 15 }), async (given, limit) => {
          await checkPages(service, catalogue, { ...given, limit })
        }),
        { seed, numRuns: howMany({ quick: 25, short: 100, long: 10_000, onPostgres: 50 }), includeErrorInReport: true }
      )
    }))

  it('are those of GET /entities too', () =>
    repeatable(async after => {
      const { service, catalogue } = await aService(after, seed + 3_000_000)
      const order = aQuestion(catalogue.map(kept => kept.entity)).map(({ orderBy, asc }) => ({ orderBy, asc }))
      await fc.assert(
        fc.asyncProperty(order, fc.integer({ min: 1, max: 15 }), async ({ orderBy, asc }, limit) => {
          const found: string[] = []
          let url: string | undefined =
            `/entities?${new URLSearchParams({ order_by: orderBy, asc: String(asc), limit: String(limit) })}`
          for (let page = 0; url !== undefined; page++) {
            assert.ok(page <= catalogue.length, 'next never ends')
            const answer = await service.get(url)
            if (unknownNames(catalogue, answer).size > 0) return
            assert.equal(answer.status, 200, answer.text)
            assert.equal(Number(answer.headers['x-total-count']), catalogue.length)
            found.push(...(answer.body as Entity[]).map(entity => entity.id))
            url = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
          }
          assert.deepEqual(found, evaluate(catalogue, [], orderBy, asc === 1))
        }),
        { seed, numRuns: howMany({ quick: 15, short: 50, long: 2000, onPostgres: 30 }), includeErrorInReport: true }
      )
    }))
})

/** The names that an answer refuses as unknown; none of them may be in the catalogue. */
function unknownNames(catalogue: readonly Kept[], { status, body }: Answer): ReadonlySet<string> {
  const messages = status === 400 ? (body.errors as { message: string }[]).map(each => each.message) : []
  const refused = new Set(messages.flatMap(each => /^No record has the [a-z ]+ "([^"]+)"/.exec(each)?.[1] ?? []))
  for (const { entity } of catalogue) {
    assert.ok(!entity.metadata.some(({ key }) => refused.has(key)), JSON.stringify([...refused]))
    assert.ok(!entity.relations.some(({ type }) => refused.has(type)), JSON.stringify([...refused]))
  }
  return refused
}

async function checkQuestion(service: TestService, catalogue: readonly Kept[], question: GeneratedQuestion) {
  const { filters, orderBy, asc, skip, limit } = question
  const query = new URLSearchParams({ skip: String(skip), limit: String(limit), asc: String(asc) })
  if (orderBy !== '') query.set('order_by', orderBy)
  const answer = await service.post(`/entities/filter?${query}`, filters)
  if (unknownNames(catalogue, answer).size > 0) return
  assert.equal(answer.status, 200, answer.text)

  const expected = evaluate(catalogue, filters, orderBy, asc === 1)
  const page = expected.slice(skip, skip + limit)
  const found = (answer.body.results as Entity[]).map(entity => entity.id)
  const explain = () => differences(catalogue, page, found)
  assert.equal(
    answer.body.count,
    expected.length,
    `count ${answer.body.count}, expected ${expected.length}\n${explain()}`
  )
  assert.deepEqual(found, page, explain())
  assert.equal(answer.body.skip, skip)
  assert.equal(answer.body.limit, limit)
  assert.equal('next' in answer.body, limit > 0 && skip + limit < expected.length, 'next is there when there is more')
}

/** Goes forward to the end, then back from every page. */
async function checkPages(service: TestService, catalogue: readonly Kept[], question: GeneratedQuestion) {
  const { filters, orderBy, asc, skip, limit } = question
  const whole = evaluate(catalogue, filters, orderBy, asc === 1)
  const query = new URLSearchParams({ skip: String(skip), limit: String(limit), asc: String(asc), order_by: orderBy })
  let url: string | undefined = `/entities/filter?${query}`
  for (let at = skip; url !== undefined; at += limit) {
    assert.ok(at <= skip + whole.length + limit, 'next never ends')
    const answer = await service.post(url, filters)
    if (unknownNames(catalogue, answer).size > 0) return
    const { status, body } = answer
    assert.equal(status, 200, answer.text)
    assert.deepEqual(idsIn(body), whole.slice(at, at + limit), `the page at ${at}`)
    assert.equal(body.count, whole.length)
    assert.equal(body.skip, at)
    assert.equal(body.next !== undefined, at + limit < whole.length, `next of the page at ${at}`)
    if (at > 0 && at < whole.length) {
      assert.ok(body.previous, `the page at ${at} has no previous`)
      const before = await service.filter(filters, body.previous.slice(body.previous.indexOf('?')))
      assert.deepEqual(idsIn(before.body), whole.slice(Math.max(0, at - limit), at), `previous of the page at ${at}`)
      assert.equal(before.body.skip, Math.max(0, at - limit))
      const forth = await service.filter(filters, before.body.next.slice(before.body.next.indexOf('?')))
      assert.deepEqual(idsIn(forth.body), idsIn(body), `there and back from the page at ${at}`)
    } else if (at === 0) assert.equal(body.previous, undefined, 'the first page has no previous')
    url = body.next
  }
}

async function aService(after: Teardown['after'], from: number) {
  const plans = fc.sample(aCataloguePlan, { seed: from, numRuns: 20 })
  const plan = plans.reduce((most, each) => (each.entities.length > most.entities.length ? each : most))
  const service = await start({ after })
  return { service, catalogue: await fill(service, plan) }
}

/**
 * Makes the records of a plan one after the other, then changes some, and gives what is there in
 * the end.
 */
async function fill(service: TestService, plan: CataloguePlan): Promise<Kept[]> {
  const { catalogue, operator } = service.libretto
  const kept = new Map<string, { created: number; changed: number }>()
  const entities: Entity[] = []
  let clock = 0
  for (const planned of plan.entities) {
    const taken = new Set(entities.flatMap(entity => entity.identifiers))
    const body = toBody(planned, entities)
    const { id, ...rest } = body
    const free = {
      ...rest,
      ...(id === undefined || taken.has(id) ? {} : { id }),
      identifiers: body.identifiers.filter(each => !taken.has(each) && each !== id)
    }
    const { entity } = await catalogue.entities.create(operator, free, { allowDangling: true })
    kept.set(entity.id, { created: ++clock, changed: clock })
    entities.push(JSON.parse(entity.json) as Entity)
  }
  for (const change of plan.changes) {
    const entity = entities[change.at % Math.max(1, entities.length)]
    if (!entity) continue
    if (change.kind === 'delete') {
      const answer = await service.delete(`/entities/${entity._id}`)
      assert.ok(answer.status === 204 || answer.status === 409, answer.text)
      if (answer.status === 409) continue
      kept.delete(entity.id)
      entities.splice(entities.indexOf(entity), 1)
      continue
    }
    const patch = { metadata: [{ key: change.key, value: change.value }] }
    const { changed } = await catalogue.entities.patch(operator, entity._id, { form: 'lists', body: patch }, {})
    const stamps = kept.get(entity.id)
    if (changed && stamps) stamps.changed = ++clock
  }
  const current = await Promise.all(entities.map(entity => service.get(`/entities/${entity._id}`)))
  return current.flatMap(({ body }) => {
    const stamps = kept.get(body.id)
    return stamps ? [{ entity: body as Entity, ...stamps }] : []
  })
}

const idsIn = (body: { results: Entity[] }) => body.results.map(entity => entity.id)

async function idsOf(service: TestService, filters: readonly FilterObject[]): Promise<string[]> {
  const { body } = await service.filter(filters, '?limit=1000&order_by=date_created')
  return idsIn(body)
}

/** The records that only one of the two has, in short. */
function differences(catalogue: readonly Kept[], expected: readonly string[], found: readonly string[]): string {
  const show = (ids: readonly string[]) =>
    ids
      .slice(0, 3)
      .map(id => {
        const entity = catalogue.find(kept => kept.entity.id === id)?.entity
        return `  ${id} ${entity?.type} ${JSON.stringify(entity?.metadata)} ${JSON.stringify(entity?.relations)}`
      })
      .join('\n')
  const missing = expected.filter(id => !found.includes(id))
  const extra = found.filter(id => !expected.includes(id))
  const order =
    missing.length + extra.length === 0 ? `\nexpected order ${expected.join()}\nfound order ${found.join()}` : ''
  return `missing from the answer:\n${show(missing)}\nshould not be there:\n${show(extra)}${order}`
}
