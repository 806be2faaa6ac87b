import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import { aProduction, aVenue, relations } from '../support/records/entities.ts'
import { temporaryFolder } from '../support/services/start.ts'
import { createChance, howMany } from '../support/records/chance.ts'
import { type Client, createClient, startServer, waitForEnd } from '../support/services/server-process.ts'

/*
 * The service is killed during its work again and again. Every acknowledged write must be there
 * afterwards, exactly; every other write took effect as a whole or not at all.
 */

const kills = howMany({ short: 8, long: 1000, onPostgres: 8 })
const writers = 8

/** The expected content of an entity; undefined if it must not exist. */
interface State {
  readonly version: number
  readonly title: string
  readonly venues: readonly string[]
  /** The very text of the answer, where there was one with text. */
  readonly json?: string
}

/** The entities a request changes, each with what becomes of it. */
type Effect = ReadonlyMap<string, State | undefined>

/**
 * The state that one client knows. No two clients write the same entity, so each knows exactly what
 * is expected.
 */
interface Writer {
  readonly name: string
  readonly known: Map<string, State | undefined>
  /** The entities that were changed since the last kill. */
  readonly touched: Set<string>
  /** A request that was sent and not answered. */
  unanswered: Effect | undefined
  acknowledged: number
  numbers: number
}

const newWriter = (name: string): Writer => ({
  name,
  known: new Map(),
  touched: new Set(),
  unanswered: undefined,
  acknowledged: 0,
  numbers: 0
})

describe('kill -9 during writes', () => {
  it(`loses no acknowledged write and leaves nothing half done in ${kills} kills`, {
    timeout: kills * 120_000
  }, async t => {
    const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
    const chance = createChance(seed).below
    const path = join(temporaryFolder(t), 'catalogue.db')
    const team = Array.from({ length: writers }, (_, n) => newWriter(`K${n}`))
    const problems: string[] = []
    let interrupted = 0
    // One that ends by itself leaves its program compiled, which makes every other start quicker.
    await (await startServer(t, `sqlite:${path}`)).stop()

    for (let kill = 1; kill <= kills && problems.length === 0; kill++) {
      const server = await startServer(t, `sqlite:${path}`, { READERS: '1' })
      problems.push(...(await verifyOverHttp(server.port, team)))
      // Mostly in full swing, after so many answers, however long they take; now and then before
      // the first.
      const isEarly = chance(8) === 0
      const wanted = isEarly ? 0 : 5 + chance(60)
      const patience = chance(isEarly ? 200 : 20)
      let answers = 0
      const countAnswer = () => {
        if (answers++ === wanted) setTimeout(() => server.child.kill('SIGKILL'), patience)
      }
      if (isEarly) countAnswer()
      await Promise.all([
        ...team.map(writer => keepWriting(server.port, writer, chance, countAnswer)),
        waitForEnd(server)
      ])
      interrupted += team.filter(writer => writer.unanswered).length
    }
    const server = await startServer(t, `sqlite:${path}`)
    problems.push(...(await verifyOverHttp(server.port, team)))
    server.child.kill('SIGTERM')
    await waitForEnd(server)
    problems.push(...(await verifyFile(path, team)))

    const acknowledged = team.reduce((sum, writer) => sum + writer.acknowledged, 0)
    t.diagnostic(`${acknowledged} acknowledged writes, ${interrupted} interrupted ones; SEED=${seed}`)
    assert.deepEqual(problems, [], `with SEED=${seed}`)
    // Otherwise nothing was killed in the middle of anything.
    assert.ok(acknowledged > kills * 10, `only ${acknowledged} writes were acknowledged`)
    assert.ok(interrupted > kills, `only ${interrupted} writes were interrupted`)
  })
})

describe('the verifier of kill -9', () => {
  /** Things that a store which loses writes would leave behind. */
  const losses: readonly [what: string, statements: string[], problem: RegExp][] = [
    [
      'an acknowledged creation that is gone',
      [
        'DELETE FROM entities WHERE id = $id',
        'DELETE FROM identifiers WHERE entity_pk NOT IN (SELECT pk FROM entities)'
      ],
      /is gone/
    ],
    [
      'an acknowledged change that is gone',
      [
        `UPDATE entities SET version = version - 1, document = replace(document, '"version":' || version, '"version":' || (version - 1)) WHERE id = $id`
      ],
      /is not as it was acknowledged/
    ],
    [
      'a text that is not the acknowledged one',
      [`UPDATE entities SET document = replace(document, '"title"', '"titel"') WHERE id = $id`],
      /is not as it was acknowledged/
    ],
    [
      'an acknowledged deletion that came back',
      [
        `INSERT INTO entities (id, uuid, type, umbrella, version, changed, created_at, created_by, updated_at, updated_by, document) SELECT $gone, 'x', type, umbrella, 1, -1, created_at, created_by, updated_at, updated_by, document FROM entities WHERE id = $id`,
        'INSERT INTO identifiers (identifier, entity_pk) SELECT id, pk FROM entities WHERE id = $gone'
      ],
      /should not be there/
    ],
    ['a write without its change', ['DELETE FROM changes WHERE id = $id'], /changes and versions differ/],
    [
      'a change without its write',
      [
        'INSERT INTO changes (kind, id, uuid, type, version, at, by) SELECT kind, id, uuid, type, version + 1, at, by FROM changes WHERE id = $id LIMIT 1'
      ],
      /changes and versions differ/
    ],
    [
      'a write without its lookups',
      ['DELETE FROM lookups WHERE entity_pk = (SELECT pk FROM entities WHERE id = $id)'],
      /lookups/
    ]
  ]

  it('finds nothing wrong with a sound file, and each kind of loss that is planted in one', async t => {
    const path = join(temporaryFolder(t), 'catalogue.db')
    const writer = newWriter('T')
    const server = await startServer(t, `sqlite:${path}`)
    const client = createClient(server.port)
    const chance = createChance(1).below
    while (![...writer.known.values()].includes(undefined) || writer.acknowledged < 40)
      await writeOnce(client, writer, chance)
    client.close()
    assert.deepEqual(await verifyOverHttp(server.port, [writer]), [])
    server.child.kill('SIGTERM')
    assert.equal((await waitForEnd(server)).code, 0)
    assert.deepEqual(await verifyFile(path, [writer]), [])

    const ids = [...writer.known]
    const id = ids.find(([, state]) => state && state.version > 1)?.[0] ?? ''
    const gone = ids.find(([, state]) => !state)?.[0] ?? ''
    for (const [what, statements, problem] of losses) {
      const copy = join(temporaryFolder(t), 'copy.db')
      {
        using db = new DatabaseSync(path)
        db.prepare('VACUUM INTO ?').run(copy)
      }
      {
        using db = new DatabaseSync(copy)
        for (const statement of statements) {
          const names = ['id', 'gone'].filter(name => statement.includes(`$${name}`))
          const { changes } = db
            .prepare(statement)
            .run(Object.fromEntries(names.map(name => [name, { id, gone }[name] ?? ''])))
          assert.ok(changes, `${what}: nothing was changed`)
        }
      }
      const problems = await verifyFile(copy, [writer])
      assert.ok(
        problems.some(each => problem.test(each)),
        `${what}: ${problems.join('; ') || 'not noticed'}`
      )
    }
  })

  it('finds a request that was done by half', async t => {
    const path = join(temporaryFolder(t), 'catalogue.db')
    const server = await startServer(t, `sqlite:${path}`)
    const client = createClient(server.port)
    for (const id of ['A', 'B']) await client.call('POST', '/entities', { id, ...aProduction({ title: 'old' }) })
    await client.call('PATCH', '/entities/A', aProduction({ title: 'new' }))
    const old: State = { version: 1, title: 'old', venues: [] }
    const wanted: State = { version: 2, title: 'new', venues: [] }
    const writer = { ...newWriter('H'), known: new Map(['A', 'B'].map(id => [id, old])) }
    writer.unanswered = new Map(['A', 'B'].map(id => [id, wanted]))
    assert.match((await verifyOverHttp(server.port, [writer])).join(), /done by half/)
    await client.call('PATCH', '/entities/B', aProduction({ title: 'new' }))
    writer.unanswered = new Map(['A', 'B'].map(id => [id, wanted]))
    assert.deepEqual(await verifyOverHttp(server.port, [writer]), [])
    client.close()
  })
})

/** Writes until the connection breaks. */
async function keepWriting(port: number, writer: Writer, chance: (bound: number) => number, onAnswer: () => void) {
  const client = createClient(port)
  try {
    for (;;) {
      await writeOnce(client, writer, chance)
      onAnswer()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined && !(error as Error).message.includes('cut off'))
      throw error
  } finally {
    client.close()
  }
}

/**
 * Sends one write and notes what it should leave behind: for certain once it is acknowledged,
 * perhaps until then.
 */
async function writeOnce(client: Client, writer: Writer, chance: (bound: number) => number) {
  const { method, path, body, effect, status } = chooseWrite(writer, chance)
  writer.unanswered = effect
  const answer = await client.call(method, path, body)
  if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  writer.unanswered = undefined
  writer.acknowledged++
  for (const [id, state] of effect) {
    // A version too low here would mean that an earlier write of this entity is gone.
    if (state && answer.text !== '') assert.equal((JSON.parse(answer.text) as Entity).version, state.version, id)
    // Only the entity that was written is in the answer; of others that change with it only the
    // content is known.
    const json = effect.size === 1 && answer.text !== '' ? { json: answer.text } : {}
    note(writer, id, state && { ...state, ...json })
  }
}

function note(writer: Writer, id: string, state: State | undefined) {
  writer.known.set(id, state)
  // Taken out first, so that the last touched is last.
  writer.touched.delete(id)
  writer.touched.add(id)
}

interface Write {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly effect: Effect
  readonly status: number
}

/**
 * Creates, changes and deletes; now and then a deletion that takes relations out of several others:
 * one transaction, many records.
 */
function chooseWrite(writer: Writer, chance: (bound: number) => number): Write {
  const alive = [...writer.known].filter((entry): entry is [string, State] => entry[1] !== undefined)
  const venues = alive.filter(([id]) => id.includes('-V'))
  const shows = alive.filter(([id]) => id.includes('-P'))
  const pick = <T>(from: readonly T[]): T | undefined => from[chance(from.length)]
  const die = chance(100)
  const number = ++writer.numbers
  const title = `${writer.name} ${number} ${'x'.repeat(chance(400))}`

  if (venues.length === 0 || die < 5) {
    const id = `${writer.name}-V${number}`
    return {
      method: 'POST',
      path: '/entities',
      body: { id, ...aVenue(title) },
      effect: new Map([[id, { version: 1, title, venues: [] }]]),
      status: 201
    }
  }
  const show = pick(shows)
  if (!show || die < 45) {
    const id = `${writer.name}-P${number}`
    const [venue] = pick(venues) ?? []
    const at = venue !== undefined && chance(2) === 0 ? [venue] : []
    return {
      method: 'POST',
      path: '/entities',
      body: { id, ...aProduction({ title }), relations: relations({ refVenues: at }) },
      effect: new Map([[id, { version: 1, title, venues: at }]]),
      status: 201
    }
  }
  const [id, state] = show
  if (die < 85) {
    return {
      method: 'PUT',
      path: `/entities/${id}`,
      body: { ...aProduction({ title }), relations: relations({ refVenues: state.venues }) },
      effect: new Map([[id, { version: state.version + 1, title, venues: state.venues }]]),
      status: 200
    }
  }
  if (die < 96) return { method: 'DELETE', path: `/entities/${id}`, effect: new Map([[id, undefined]]), status: 204 }
  const [venue = ''] = pick(venues) ?? []
  const detached = shows
    .filter(([, each]) => each.venues.includes(venue))
    .map(([each, { version, title }]): [string, State] => [each, { version: version + 1, title, venues: [] }])
  return {
    method: 'DELETE',
    path: `/entities/${venue}?references=detach`,
    effect: new Map<string, State | undefined>([[venue, undefined], ...detached]),
    status: 204
  }
}

/**
 * Number of the last entities of a writer that are examined after each kill; at the end, all are.
 */
const lookedAt = 5

/** Settles what was not answered, and compares what was touched last with what the service says. */
async function verifyOverHttp(port: number, team: readonly Writer[]): Promise<string[]> {
  const verifying = team.map(async writer => {
    const client = createClient(port)
    const effect = writer.unanswered ?? new Map()
    const last = [...writer.touched].slice(-lookedAt)
    const found = await fetchAll(client, [...last, ...effect.keys()])
    client.close()
    const isDone = [...effect].every(([id, state]) => fits(found.get(id), state))
    const isUndone = [...effect.keys()].every(id => fits(found.get(id), writer.known.get(id)))
    if (isDone) for (const [id, state] of effect) note(writer, id, state)
    writer.unanswered = undefined
    writer.touched.clear()
    return [
      ...(isDone || isUndone ? [] : [`A request for ${[...effect.keys()].join(', ')} was done by half`]),
      ...last.flatMap(id => compare(id, found.get(id), writer.known.get(id)) ?? [])
    ]
  })
  return (await Promise.all(verifying)).flat()
}

async function fetchAll(client: Client, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const id of new Set(ids)) {
    const answer = await client.call('GET', `/entities/${id}`)
    if (answer.status === 200) found.set(id, answer.text)
    else if (answer.status !== 404) throw new Error(answer.text)
  }
  return found
}

/**
 * Compares the whole file with everything that was acknowledged, and looks for anything half done.
 */
async function verifyFile(path: string, team: readonly Writer[]): Promise<string[]> {
  const problems: string[] = []
  {
    using db = new DatabaseSync(path, { readOnly: true })
    const select = db.prepare('SELECT document FROM entities WHERE id = ?')
    for (const writer of team) {
      for (const [id, state] of writer.known) {
        const problem = compare(id, select.get(id)?.document as string | undefined, state)
        if (problem !== undefined) problems.push(problem)
      }
    }
    const expected = team.reduce((sum, { known }) => sum + [...known.values()].filter(Boolean).length, 0)
    const there = Number(db.prepare('SELECT count(*) AS n FROM entities').get()?.n)
    if (there !== expected) problems.push(`${there} entities are there, ${expected} should be`)
    const versions = 'SELECT uuid, version FROM versions UNION ALL SELECT uuid, version FROM entities'
    const changes = 'SELECT uuid, version FROM changes'
    const different = db
      .prepare(
        `SELECT (SELECT count(*) FROM (${changes})) - (SELECT count(*) FROM (${versions})) AS surplus,
           (SELECT count(*) FROM (SELECT * FROM (${changes}) EXCEPT SELECT * FROM (${versions}))) AS alone,
           (SELECT count(*) FROM (SELECT * FROM (${versions}) EXCEPT SELECT * FROM (${changes}))) AS untold`
      )
      .get()
    const { surplus, alone, untold } = different ?? {}
    if (surplus !== 0 || alone !== 0 || untold !== 0)
      problems.push(`changes and versions differ: ${JSON.stringify(different)}`)
  }
  const model = createModel(builtInRecordTypes)
  await using store = await openStore(`sqlite:${path}`, model, { queryDeadline: 60_000, readers: 1 })
  problems.push(...(await store.check()).problems)
  return problems
}

function compare(id: string, found: string | undefined, state: State | undefined): string | undefined {
  if (fits(found, state)) return undefined
  if (found === undefined) return `${id} is gone; it should have version ${state?.version}`
  if (!state) return `${id} should not be there: its deletion was acknowledged`
  return `${id} is not as it was acknowledged: ${found.slice(0, 200)} is not ${JSON.stringify(state).slice(0, 200)}`
}

/** Whether an entity is as it should be: to the letter, where its text was in an answer. */
function fits(found: string | undefined, state: State | undefined): boolean {
  if (found === undefined || state === undefined) return found === state
  if (state.json !== undefined) return found === state.json
  const entity = JSON.parse(found) as Entity
  const title = entity.metadata.find(each => each.key === 'title' || each.key === 'name')?.value
  return (
    entity.version === state.version &&
    title === state.title &&
    isSame(
      entity.relations.map(relation => relation.key),
      state.venues
    )
  )
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
