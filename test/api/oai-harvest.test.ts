import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'

import { limitedStore } from '#catalogue/guarded/limited-store.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { createPrincipal } from '#domain/permissions.ts'
import { createHarvestReader } from '#store/query/harvest.ts'
import type { Sql } from '#store/query/sql.ts'
import { sqliteDialect } from '#store/sqlite/dialect.ts'
import { runStatement, testStore } from '../support/databases/database.ts'
import {
  aManifestation,
  anExpression,
  aPerson,
  aVenue,
  aWork,
  metadata,
  relations
} from '../support/records/entities.ts'
import { createChance, howMany, repeatable, seed } from '../support/records/chance.ts'
import { harvest, headersIn, oaiDomain, tokenIn } from '../support/services/harvest.ts'
import { start, type Teardown, type TestService } from '../support/services/start.ts'

/* Lists that are read while others write, and the times that harvesters go by. */

/** Runs a test on SQLite only: the statements have the same form on PostgreSQL. */
const itOnSqlite = testStore === 'sqlite' ? it : () => {}

const before = '2020-02-02T02:02:02.002Z'

async function startSmall(t: Teardown, pageSize = '3') {
  const service = await start(t, { OAI_PAGE_SIZE: pageSize })
  const ask = async (query: string) => (await service.get(`/oai?${query}`)).text
  const idsOf = async (query: string) =>
    (await harvest(ask, `verb=ListIdentifiers&metadataPrefix=oai_dc${query}`)).records.map(({ id, isDeleted }) =>
      isDeleted ? `-${id}` : id
    )
  return { service, ask, idsOf }
}

/** Lets everything that was written so far have happened long ago. */
async function makeOld({ libretto }: TestService) {
  const url = libretto.config.databaseUrl
  await runStatement(url, 'UPDATE entities SET updated_at = $1', before)
  await runStatement(url, 'UPDATE versions SET at = $1', before)
  await runStatement(url, "UPDATE papers SET value = $1 || substr(value, 25) WHERE kind LIKE 'parted %'", before)
}

/** Two books by two authors, in one language, and a venue that has nothing to do with them. */
async function fill(service: TestService) {
  await service.create(aPerson('One', { id: 'P1' }))
  await service.create(aPerson('Two', { id: 'P2' }))
  await service.create({ type: 'language', id: 'L', metadata: metadata({ name: 'Dutch', code: 'nld' }) })
  for (const n of ['1', '2']) {
    await service.create(aWork(`Work ${n}`, { id: `W${n}`, relations: relations({ refAuthors: `P${n}` }) }))
    await service.create({
      ...anExpression(`W${n}`, `Expression ${n}`, { id: `E${n}` }),
      relations: relations({ refWork: `W${n}`, refLanguages: 'L' })
    })
    await service.create(aManifestation(`E${n}`, `Manifestation ${n}`, { id: `M${n}` }))
  }
  await service.create(aVenue('Elsewhere', { id: 'V' }))
}
const filled = ['P1', 'P2', 'L', 'W1', 'E1', 'M1', 'W2', 'E2', 'M2', 'V']

describe('An incremental harvest', () => {
  it('gives what was changed and everything that shows it, each with the time of that change', async t => {
    const { service, ask, idsOf } = await startSmall(t)
    await fill(service)
    await makeOld(service)
    const since = '&from=2020-02-02T02:02:03Z'
    assert.deepEqual(await idsOf('&until=2020-02-02T02:02:01Z'), [])
    assert.deepEqual(await idsOf(''), filled)

    await service.patch('/entities/P1', { metadata: metadata({ name: 'Renamed' }) })
    assert.deepEqual(await idsOf(since), ['P1', 'W1', 'E1', 'M1'])
    const shown = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:${oaiDomain}:M1`)
    assert.match(shown, /<dc:creator>Renamed</)
    const stamps = await harvest(ask, `verb=ListRecords&metadataPrefix=libretto${since}`)
    const [person] = stamps.records
    assert.ok(stamps.records.every(({ datestamp }) => datestamp === person?.datestamp && datestamp > '2026'))

    await service.patch('/entities/L', { metadata: metadata({ name: 'Nederlands' }) })
    assert.deepEqual(await idsOf(since), ['P1', 'L', 'W1', 'E1', 'M1', 'E2', 'M2'])
    assert.deepEqual(await idsOf('&until=2020-02-02T02:02:02Z'), ['P2', 'W2', 'V'])
    assert.deepEqual(await idsOf(`${since}&set=bibliographic:manifestation`), ['M1', 'M2'])
    assert.deepEqual(
      (await harvest(ask, `verb=ListRecords&metadataPrefix=marcxml${since}`)).records.map(({ id }) => id),
      ['M1', 'M2']
    )
  })

  it('keeps a mirror equal to the catalogue, in every format, with deletions', async t => {
    const { service, ask } = await startSmall(t)
    await fill(service)
    await service.create(aPerson('Three', { id: 'P3', relations: relations({ refPseudonymOf: 'P1' }) }))
    await service.create({ id: 'G', type: 'genre', metadata: metadata({ name: 'Plays' }) })
    await service.create({
      id: 'S',
      type: 'genre',
      metadata: metadata({ name: 'Farces' }),
      relations: relations({ refBroader: 'G' })
    })
    await service.create({
      id: 'IT',
      type: 'item',
      metadata: metadata({ shelf_mark: 'A 1' }),
      relations: relations({ refManifestation: 'M1' })
    })
    await makeOld(service)
    const formats = await ask('verb=ListMetadataFormats')
    const prefixes = [...formats.matchAll(/<metadataPrefix>(\w+)</g)].map(([, prefix = '']) => prefix)
    const read = async (prefix: string, since = '') =>
      (await harvest(ask, `verb=ListRecords&metadataPrefix=${prefix}${since}`)).records
    const mirrors = new Map<string, Map<string, string>>()
    for (const prefix of prefixes)
      mirrors.set(prefix, new Map((await read(prefix)).map(({ id, metadata: content }) => [id, content])))

    await service.patch('/entities/P1', { metadata: metadata({ name: 'Renamed' }) })
    await service.patch('/entities/IT', { metadata: metadata({ shelf_mark: 'B 2' }) })
    await service.patch('/entities/G', { metadata: metadata({ name: 'Drama' }) })
    await service.post('/entities/P3/merge', { victim_id: 'P2' })
    await service.delete('/entities/M2')
    await service.create(aManifestation('E2', 'Another edition', { id: 'M3' }))
    await service.delete('/entities/S')

    assert.deepEqual(prefixes.length, 7)
    for (const prefix of prefixes) {
      const mirror = mirrors.get(prefix) ?? new Map()
      for (const { id, isDeleted, metadata: content } of await read(prefix, '&from=2020-02-02T02:02:03Z'))
        if (isDeleted) mirror.delete(id)
        else mirror.set(id, content)
      const now = (await read(prefix)).filter(each => !each.isDeleted)
      assert.ok(now.length > 1, prefix)
      assert.deepEqual(
        Object.fromEntries(mirror),
        Object.fromEntries(now.map(({ id, metadata: content }) => [id, content])),
        prefix
      )
    }
  })

  it('gives publications whose items are created, changed, moved and deleted', async t => {
    const { service, idsOf } = await startSmall(t)
    await fill(service)
    const library = await service.create({ id: 'LIB', type: 'library', metadata: metadata({ name: 'North' }) })
    const anItem = (id: string, of: string) => ({
      id,
      type: 'item',
      metadata: metadata({ shelf_mark: `Mark ${id}` }),
      relations: relations({ refManifestation: of, refLibrary: library.id })
    })
    await service.create(anItem('IT', 'M1'))
    const since = '&set=bibliographic&from=2020-02-02T02:02:03Z'
    const given = async () => {
      const ids = await idsOf(since)
      await makeOld(service)
      return ids
    }
    await makeOld(service)
    assert.deepEqual(await given(), [])
    await service.patch('/entities/IT', { metadata: metadata({ shelf_mark: 'Elsewhere' }) })
    assert.deepEqual(await given(), ['M1'])
    await service.create(anItem('IT2', 'M2'))
    assert.deepEqual(await given(), ['M2'])
    await service.patch('/entities/LIB', { metadata: metadata({ name: 'South' }) })
    assert.deepEqual(await given(), ['M1', 'M2'])
    await service.put('/entities/IT', anItem('IT', 'M2'))
    assert.deepEqual(await given(), ['M1', 'M2'])
    await service.delete('/entities/IT2')
    assert.ok(!(await idsOf('&set=bibliographic&until=2020-02-02T02:02:02Z')).includes('M2'))
    assert.deepEqual(await given(), ['M2'])
  })

  it('gives deleted records as deleted, merged ones too, and those that came back as they are', async t => {
    const { service, ask, idsOf } = await startSmall(t)
    await fill(service)
    await service.create(aVenue('Gone for long', { id: 'V0' }))
    await service.delete('/entities/V0')
    await makeOld(service)
    const since = '&from=2020-02-02T02:02:03Z'
    await service.delete('/entities/V')
    await service.post('/entities/P1/merge', { victim_id: 'P2' })
    assert.deepEqual(await idsOf(since), ['P1', '-P2', 'W1', 'E1', 'M1', 'W2', 'E2', 'M2', '-V'])
    assert.deepEqual(await idsOf('&until=2020-02-02T02:02:02Z'), ['L', '-V0'])
    const gone = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:${oaiDomain}:P2`)
    assert.deepEqual(
      headersIn(gone).map(({ id, isDeleted, metadata }) => [id, isDeleted, metadata]),
      [['P2', true, '']]
    )
    await service.post('/entities/P1/unmerge', {})
    await service.post('/entities/V/revert', { version: 1 })
    assert.deepEqual(await idsOf(since), ['P1', 'P2', 'W1', 'E1', 'M1', 'W2', 'E2', 'M2', 'V'])
    // Another record under the name of one that was deleted: there is one record of that name.
    await service.create(aVenue('New', { id: 'V0' }))
    assert.deepEqual(await idsOf(''), [...filled, 'V0'])
  })
})

describe('A harvest while others write', () => {
  it('gives each record once, as it is when its page is read, and leaves new ones for the next harvest', async t => {
    const { service, ask } = await startSmall(t)
    await fill(service)
    const acts = [
      () => service.patch('/entities/P1', { metadata: metadata({ name: 'Already given' }) }),
      async () => {
        await service.patch('/entities/M2', { metadata: metadata({ title: 'Changed' }) })
        await service.delete('/entities/M1')
        await service.create(aVenue('New', { id: 'V-NEW' }))
      },
      () => service.delete('/entities/V')
    ]
    const { records } = await harvest(ask, 'verb=ListRecords&metadataPrefix=oai_dc', page => acts[page - 1]?.())
    assert.deepEqual(
      records.map(({ id, isDeleted }) => (isDeleted ? `-${id}` : id)),
      ['P1', 'P2', 'L', 'W1', 'E1', 'M1', 'W2', 'E2', 'M2', '-V']
    )
    assert.match(records.find(({ id }) => id === 'M2')?.metadata ?? '', /Changed/)
  })

  it('goes on after a restart, and where until has passed, also with what was changed since it began', async t => {
    const { service, ask } = await startSmall(t)
    await fill(service)
    await makeOld(service)
    const first = await ask('verb=ListIdentifiers&metadataPrefix=oai_dc&until=2020-02-02')
    await service.patch('/entities/V', { metadata: metadata({ name: 'Changed meanwhile' }) })
    const again = await start(t, { OAI_PAGE_SIZE: '3', DATABASE_URL: service.libretto.config.databaseUrl })
    const rest = await harvest(
      async query => (await again.get(`/oai?${query}`)).text,
      `verb=ListIdentifiers&resumptionToken=${tokenIn(first)}`
    )
    assert.deepEqual(
      [...headersIn(first), ...rest.records].map(({ id }) => id),
      filled
    )
  })

  it('refuses the token of another catalogue', async t => {
    const [one, other] = [await startSmall(t), await startSmall(t)]
    await fill(one.service)
    await fill(other.service)
    const token = tokenIn(await one.ask('verb=ListIdentifiers&metadataPrefix=oai_dc'))
    assert.match(await other.ask(`verb=ListIdentifiers&resumptionToken=${token}`), /badResumptionToken/)
  })

  it('gives, after whatever was written, what a naive reading of all records finds', () =>
    repeatable(async after => {
      const { service, ask, idsOf } = await startSmall({ after }, '7')
      const chance = createChance(seed)
      const known: string[] = []
      for (let round = 0; round < howMany({ short: 4, long: 60, onPostgres: 2 }); round++) {
        await writeAtRandom(service, chance, known, 30)
        await makeOld(service)
        const old = await readAll(service)
        const already = new Set((await idsOf('')).map(id => id.replace(/^-/, '')))
        await writeAtRandom(service, chance, known, 6)
        const entities = await readAll(service)
        const live = new Set(entities.map(({ id }) => id))
        const deleted = [...already].filter(id => !live.has(id) && old.some(each => each.id === id))
        const touched = entities.filter(entity => naiveStamp(entity, entities) > '2021').map(({ id }) => id)
        const found = await idsOf('&from=2021-01-01')
        assert.deepEqual(found.filter(id => !id.startsWith('-')).sort(), touched.sort())
        for (const id of deleted) assert.ok(found.includes(`-${id}`), id)
        assert.equal(new Set(found).size, found.length)
        const { records } = await harvest(ask, 'verb=ListIdentifiers&metadataPrefix=oai_dc')
        for (const { id, isDeleted, datestamp } of records) {
          const entity = entities.find(each => each.id === id)
          assert.equal(isDeleted, entity === undefined)
          if (entity) assert.equal(datestamp, `${naiveStamp(entity, entities).slice(0, 19)}Z`)
        }
        assert.deepEqual(
          records.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id),
          entities.map(({ id }) => id)
        )
      }
    }))

  itOnSqlite('finds the same where there is too much to gather', async t => {
    const { service } = await startSmall(t)
    const chance = createChance(seed)
    await writeAtRandom(service, chance, [], 200)
    await makeOld(service)
    await writeAtRandom(service, chance, [], 100)
    const { config, model } = service.libretto
    using db = new DatabaseSync(config.databaseUrl.slice('sqlite:'.length), { readOnly: true })
    const session = {
      dialect: sqliteDialect,
      model,
      run: ({ text, parameters }: Sql) => db.prepare(text).all(...parameters),
      lastEntity: () => 0
    }
    const read = async (limits: { maxGathered: number; maxInspected: number }) => {
      const reader = createHarvestReader(session, limits)
      const { last } = await reader.harvestState()
      const found: string[] = []
      for (let after = 0; after < last; ) {
        const answer = await reader.harvest({
          types: model.recordTypes.map(({ type }) => type),
          readableTypes: undefined,
          climbs: ['refExpressions', 'refWork'],
          parts: [],
          from: '2021',
          began: 0,
          after,
          last,
          limit: 5
        })
        assert.ok(answer.readUpTo > after)
        found.push(...answer.records.map(({ id, stamp }) => `${id} ${stamp}`))
        after = answer.readUpTo
      }
      return found
    }
    const gathered = await read({ maxGathered: 10_000, maxInspected: 10 })
    assert.ok(gathered.length > 10)
    assert.deepEqual(await read({ maxGathered: 1, maxInspected: 10 }), gathered)
    assert.deepEqual(await read({ maxGathered: 1, maxInspected: 1 }), gathered)
  })

  it('reads one page for a reader with limits, if only early records belong to the period', async t => {
    const { service } = await startSmall(t)
    await service.create(aPerson('Early', { id: 'EARLY' }))
    await makeOld(service)
    const later = Array.from({ length: 1100 }, (_, index) => ({ op: 'create', ...aPerson(`Later ${index}`) }))
    assert.equal((await service.post('/entities/batch', later)).status, 200)
    const { store, model } = service.libretto
    const { readLimits } = createPrincipal(model, 'limited', ['read:person', 'read:production:published'])
    const { newest: began } = await store.feedState()
    const { last } = await store.harvestState()
    const { records, readUpTo } = await limitedStore(store, readLimits).harvest({
      types: ['person'],
      readableTypes: ['person', 'production'],
      climbs: ['refExpressions', 'refWork'],
      parts: [],
      until: '2021',
      began,
      after: 0,
      last,
      limit: 3
    })
    assert.equal(last, 1101)
    assert.deepEqual([records.map(({ id }) => id), readUpTo], [['EARLY'], last])
  })
})

/** Every record, in the order of creation, with the time at which its row says that it changed. */
async function readAll(service: TestService): Promise<(Entity & { readonly changedAt: string })[]> {
  const { body } = await service.get('/entities?limit=1000')
  const rows = await runStatement(service.libretto.config.databaseUrl, 'SELECT id, updated_at FROM entities')
  const changedAt = new Map(rows.map(row => [String(row.id), String(row.updated_at)]))
  return (body as Entity[]).map(entity => ({ ...entity, changedAt: changedAt.get(entity.id) ?? '' }))
}

/**
 * The last change of a record, of what it climbs to, and of what those are related to: by the words
 * of the promise.
 */
function naiveStamp(
  entity: Entity & { readonly changedAt: string },
  all: readonly (Entity & { readonly changedAt: string })[]
): string {
  const find = (key: string) => all.filter(each => each.identifiers.includes(key))
  const rungs = new Set([entity])
  for (const rung of rungs)
    for (const { type, key } of rung.relations)
      if (type === 'refExpressions' || type === 'refWork') for (const above of find(key)) rungs.add(above)
  const shown = [...rungs].flatMap(rung => [rung, ...rung.relations.flatMap(({ key }) => find(key))])
  return shown.map(({ changedAt }) => changedAt).reduce((one, other) => (one > other ? one : other))
}

type Random = ReturnType<typeof createChance>

async function writeAtRandom(service: TestService, chance: Random, known: string[], writes: number) {
  const of = (letter: string) => known.filter(id => id.startsWith(letter))
  const some = (letter: string) => chance.pickOr(of(letter), '')
  const keep = async (entity: Record<string, unknown>) => {
    const { status, body } = await service.post('/entities', entity)
    if (status === 201) known.push(body.id)
  }
  for (let write = 0; write < writes; write++) {
    const draw = chance.below(10)
    const name = `${write} ${chance.below(1000)}`
    const id = `${known.length}-${chance.below(1_000_000)}`
    if (draw < 2 || known.length < 5) await keep(aPerson(name, { id: `p${id}` }))
    else if (draw < 3) {
      const author = some('p')
      await keep(aWork(name, { id: `w${id}`, relations: author === '' ? [] : relations({ refAuthors: author }) }))
    } else if (draw < 4) await keep(anExpression(some('w'), name, { id: `e${id}` }))
    else if (draw < 5) await keep(aManifestation(some('e'), name, { id: `m${id}` }))
    else if (draw < 7) {
      const one = chance.pickOr(known, '')
      await service.patch(`/entities/${one}`, {
        metadata: metadata({ [one.startsWith('p') ? 'name' : 'title']: name })
      })
    } else if (draw < 8) await service.delete(`/entities/${chance.pickOr(known, '')}?references=detach`)
    else if (draw < 9) await service.post(`/entities/${some('p')}/merge`, { victim_id: some('p') })
    else await service.post(`/entities/${chance.pickOr(known, '')}/revert`, { version: 1 })
  }
}
