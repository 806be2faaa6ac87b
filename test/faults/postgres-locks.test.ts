import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'

import postgres, { type Sql } from 'postgres'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { openStore } from '#store/open-store.ts'
import { startPostgresServer, whyNoServer } from '../support/databases/postgres-server.ts'
import { watchStalls } from '../support/machines/machine-stalls.ts'
import { type Chance, createChance, howMany, seed } from '../support/records/chance.ts'
import { assertNoneLost, changeShared, createShared } from '../support/records/shared-records.ts'
import { until } from '../support/services/receiver.ts'
import { pause, startServer } from '../support/services/server-process.ts'
import {
  assertWrittenOnce,
  createSender,
  type SteadySender,
  writeSteadily
} from '../support/services/steady-clients.ts'

/*
 * Two processes on a PostgreSQL server that others use too. These lock the tables of the catalogue
 * in another order and for long, take all connections, and limit the time of statements and
 * transactions. An acknowledged write must stay, and a refused client must be told to come again.
 */

const rounds = howMany({ short: 7, long: 2000, onPostgres: 7 })
/** Nobody waits longer for an answer, in milliseconds. */
const maxAnswerTime = 5000
const serverSettings = { deadlock_timeout: '30ms', max_connections: 40, superuser_reserved_connections: 0 }

/** Things that others do on the server. */
const disturbances = {
  /** The writer locks `counters` first, and then rows of the others. */
  'rows in another order': async (sql, chance) => {
    await sql.begin(async each => {
      await each`SELECT 1 FROM entities WHERE id = ${`SHARED-${chance.below(3)}`} FOR UPDATE`
      await pause(chance.below(50))
      await each`SELECT 1 FROM counters FOR UPDATE`
    })
  },
  'tables in another order': async (sql, chance) => {
    await sql.begin(async each => {
      await each.unsafe(`LOCK TABLE ${chance.pick(['changes', 'versions', 'identifiers'])} IN SHARE MODE`)
      await pause(chance.below(50))
      await each`SELECT 1 FROM counters FOR UPDATE`
    })
  },
  'a table for longer than writers wait': async (sql, chance) => {
    await sql.begin(async each => {
      await each.unsafe(`LOCK TABLE ${chance.pick(['entities', 'changes', 'counters'])} IN ACCESS EXCLUSIVE MODE`)
      await pause(2800 + chance.below(1000))
    })
  },
  'statements that may take a millisecond': (sql, chance) => limit(sql, chance, 'statement_timeout'),
  'transactions that may take a millisecond': (sql, chance) => limit(sql, chance, 'transaction_timeout'),
  'transactions that may be idle for a millisecond': (sql, chance) =>
    limit(sql, chance, 'idle_in_transaction_session_timeout'),
  'all connections': async (sql, chance) => {
    const taken: Sql[] = []
    try {
      for (;;) {
        const one = postgres(urlOf(sql), { max: 1, connect_timeout: 30 })
        taken.push(one)
        await one`SELECT 1`
      }
    } catch (error) {
      assert.equal((error as { code?: string }).code, '53300', String(error))
    }
    await cutOthers(sql, 'libretto')
    await pause(chance.below(1500))
    await Promise.all(taken.map(each => each.end({ timeout: 1 })))
  }
} as const satisfies Readonly<Record<string, (sql: Sql, chance: Chance) => Promise<unknown>>>

type Disturbance = keyof typeof disturbances
const names = Object.keys(disturbances) as [Disturbance, ...Disturbance[]]

const urlOf = ({ options: { host, port, user, pass, database } }: Sql) =>
  `postgres://${user}:${pass}@${host[0]}:${port[0]}/${database}`

/** For the connections of the catalogue that are opened meanwhile: all, since others are cut. */
async function limit(sql: Sql, chance: Chance, setting: string) {
  for (const [value, wait] of [
    ['1ms', 200 + chance.below(300)],
    ['0', 0]
  ] as const) {
    await sql.unsafe(`ALTER DATABASE postgres SET ${setting} = '${value}'`)
    await cutOthers(sql, 'libretto')
    await pause(wait)
  }
}

const cutOthers = (sql: Sql, name: string) =>
  sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${name}`

describe('a server of PostgreSQL that others use', { skip: whyNoServer() }, () => {
  it(`and disturb ${rounds} times loses no acknowledged write, and answers in time (seed ${seed})`, async t => {
    using stalls = watchStalls()
    const { url, sql } = await startBusyServer(t)
    const environment = { SAMPLE_DATA: '0', QUERY_DEADLINE: '2000', DATABASE_POOL: '5' }
    const services = [await startServer(t, url, environment), await startServer(t, url, environment)]
    const senders = services.map(({ port }) => tellingWhen(createSender(port, 8)))
    const [sender = assert.fail(), other = assert.fail()] = senders
    t.after(() => {
      for (const each of senders) each.close()
    })
    const shared = await createShared(sender, 3)
    let isOver = false
    const working = Promise.all([
      Promise.all(
        [0, 1, 2, 3].map(number =>
          writeSteadily(number % 2 ? sender : other, `W${number}`, { isOver: () => isOver, withKeys: number < 2 })
        )
      ),
      Promise.all(
        [0, 1, 2, 3].map(number =>
          changeShared(senders, shared, `S${number}`, { isOver: () => isOver, chance: createChance(seed + number) })
        )
      )
    ])
    working.catch(() => {})
    const chance = createChance(seed)
    const done: Partial<Record<Disturbance, number>> = {}
    let deadlocks = 0
    for (let round = 0; round < rounds; round++) {
      // Each of them, and then at random.
      const name = names[round] ?? chance.pick(names)
      const disturb = async () => {
        try {
          await disturbances[name](sql, chance)
        } catch (error) {
          if ((error as { code?: string }).code !== '40P01') throw error
          deadlocks++
        }
      }
      // A deadlock is a matter of luck.
      const times = name.includes('order') ? 10 : 1
      for (let time = 0; time < times; time++) await Promise.race([disturb(), working])
      done[name] = (done[name] ?? 0) + 1
      await Promise.race([pause(chance.below(200)), working])
    }
    await until(async () => (await sender.send('GET', '/entities?limit=1')).status === 200, 30_000)
    isOver = true
    const [ledgers, told] = await working
    const acknowledged = told.flat()
    const [found] = await sql`SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'`
    const statuses = new Map(senders.flatMap(each => [...each.statuses]))
    t.diagnostic(
      `${JSON.stringify(done)}; deadlocks: ${found?.deadlocks}, ${deadlocks} of them others'; slowest ${senders
        .map(({ slowest }) => `${Math.round(slowest.milliseconds)} ms ${slowest.what.slice(0, 100)}`)
        .join('; ')}; ${senders.map(each => JSON.stringify([...each.statuses])).join(' ')}; SEED=${seed}`
    )
    assert.ok(Number(found?.deadlocks) > 0, 'no deadlock was provoked')
    assert.ok(statuses.has(503), 'nobody was refused')
    // 404: who was refused a creation looks whether it happened, and it had not.
    assert.deepEqual([...statuses.keys()].filter(status => ![200, 201, 404, 503].includes(status)).sort(), [])
    for (const { slowest } of senders) assert.ok(slowest.milliseconds < stalls.allow(maxAnswerTime), slowest.what)
    await assertNoneLost(other, acknowledged)
    await assertWrittenOnce(other, ledgers)
    for (const service of services) assert.equal(await service.stop(), 0, service.complaints())
    await using store = await openStore(url, createModel(builtInRecordTypes))
    assert.deepEqual((await store.check()).problems, [])
  })
})

/** Every refusal must say when to come again. */
const tellingWhen = (sender: SteadySender): SteadySender => ({
  ...sender,
  async send(...request) {
    const answer = await sender.send(...request)
    if (answer.status === 503) assert.match(String(answer.headers['retry-after']), /^\d+$/, answer.text)
    return answer
  }
})

async function startBusyServer(t: TestContext) {
  const server = await startPostgresServer({ settings: serverSettings })
  t.after(() => server.stop())
  const sql = postgres(server.url, { max: 3, onnotice: () => {}, connection: { application_name: 'others' } })
  t.after(() => sql.end({ timeout: 1 }))
  return { url: server.url, sql }
}
