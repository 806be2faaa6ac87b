import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import postgres from 'postgres'

import { howMany } from '../support/records/chance.ts'
import { type PostgresCluster, startCluster } from '../support/databases/postgres-cluster.ts'
import { whyNoServer } from '../support/databases/postgres-server.ts'
import { until } from '../support/services/receiver.ts'
import { start, type TestService } from '../support/services/start.ts'

/*
 * Replicas answer what they may. Nobody sees less through them than the primary knew when they
 * asked, or more than it shows.
 */

const rounds = howMany({ short: 60, long: 200, onPostgres: 60 })

describe('a replica', { skip: whyNoServer() }, () => {
  it('answers lists, filters, history and the feed, and always knows of what was written before', async t => {
    const { service, replica } = await startWithReplica(t)
    for (let round = 0; round < rounds; round++) await writeAndRead(service, `VE-${round}`)
    const asked = await questionsTo(replica)
    assert.ok(asked > rounds, `the replica answered ${asked} questions only`)
    const stateOf = () => service.libretto.store.measureReplicas?.()[0] ?? assert.fail('there is no replica')
    assert.equal(stateOf().server, new URL(replica).host)
    assert.ok(stateOf().answered > rounds, JSON.stringify(stateOf()))
    // On a busy machine it may be a change behind when it is asked.
    await until(async () => {
      await service.get('/changes?limit=1')
      return stateOf().missingChanges === 0
    })
  })

  it('that is behind is left out, and asked again when it has caught up', async t => {
    const { service, replica } = await startWithReplica(t)
    await writeAndRead(service, 'VE-before')
    await runOn(replica, 'SELECT pg_wal_replay_pause()')
    for (let round = 0; round < 20; round++) await writeAndRead(service, `VE-paused-${round}`)
    const state = service.libretto.store.measureReplicas?.()[0] ?? assert.fail('there is no replica')
    assert.ok(state.missingChanges > 0 && state.passedOn > 0, JSON.stringify(state))

    await runOn(replica, 'SELECT pg_wal_replay_resume()')
    const { answered } = service.libretto.store.measureReplicas?.()[0] ?? assert.fail('there is no replica')
    let round = 0
    await until(async () => {
      await writeAndRead(service, `VE-after-${round++}`)
      return (service.libretto.store.measureReplicas?.()[0]?.answered ?? 0) > answered
    })
  })

  it('that is ahead of what the primary shows is left out, and the index stays', async t => {
    // Commits wait for the standby; the replica gets them at once.
    const cluster = await startCluster(t, { replica: true })
    const replica = cluster.replica?.url ?? assert.fail('there is no replica')
    const service = await start(t, {
      DATABASE_URL: cluster.primary.url,
      DATABASE_REPLICA_URLS: replica,
      DATABASE_WAIT: '60000',
      QUERY_DEADLINE: '20000'
    })
    const counts = async (id: string) => {
      const asked = [service.filter([{ type: 'id', value: [id] }]), service.get(`/changes?ids=${id}`)] as const
      const [found, changes] = await Promise.all(asked)
      return [found.body.count, changes.body.changes.length]
    }
    for (let round = 0; round < 3; round++) {
      await writeAndRead(service, `VE-${round}`)
      const { refused } = service.libretto.store.findingState()
      const id = `VE-waiting-${round}`
      cluster.standby.process.freeze()
      let isAcknowledged = false
      const writing = service.create({ id, type: 'venue', metadata: [{ key: 'name', value: id }] }).then(() => {
        isAcknowledged = true
      })
      try {
        await until(async () => (await runOn(replica, `SELECT 1 FROM entities WHERE id = '${id}'`)).length === 1)
        for (let times = 0; times < 6; times++) assert.deepEqual(await counts(id), [0, 0])
        assert.equal(isAcknowledged, false)
      } finally {
        cluster.standby.process.thaw()
      }
      await writing
      assert.deepEqual(await counts(id), [1, 1])
      const state = service.libretto.store.findingState()
      assert.deepEqual([state.refused, state.faults], [refused, 0])
    }
    const { passedOn } = service.libretto.store.measureReplicas?.()[0] ?? assert.fail('there is no replica')
    assert.ok(passedOn > 0)
  })

  it('that is gone is left out', async t => {
    const { service, cluster } = await startWithReplica(t)
    await writeAndRead(service, 'VE-before')
    await cluster.replica?.process.kill()
    for (let round = 0; round < 20; round++) await writeAndRead(service, `VE-gone-${round}`)
  })

  it('that never was there is left out too', async t => {
    const cluster = await startCluster(t, { isSynchronous: false })
    const service = await start(t, {
      DATABASE_URL: cluster.primary.url,
      DATABASE_REPLICA_URLS: 'postgres://nobody:nothing@127.0.0.1:1/none'
    })
    await writeAndRead(service, 'VE-1')
  })
})

type Teardown = Parameters<typeof start>[0]

async function startWithReplica(t: Teardown) {
  const cluster: PostgresCluster = await startCluster(t, { replica: true, isSynchronous: false })
  const replica = cluster.replica?.url ?? assert.fail('there is no replica')
  const service = await start(t, {
    DATABASE_URL: cluster.primary.url,
    DATABASE_REPLICA_URLS: replica,
    QUERY_DEADLINE: '20000'
  })
  return { service, cluster, replica }
}

/** Writes a record twice, and asks for it in every way that a replica may answer. */
async function writeAndRead(service: TestService, id: string) {
  await service.create({ id, type: 'venue', metadata: [{ key: 'name', value: id }] })
  assert.equal((await service.filter([{ type: 'id', value: [id] }])).body.count, 1)
  const patched = await service.patch(`/entities/${id}`, { metadata: [{ key: 'city', value: id }] })
  assert.equal(patched.status, 200, patched.text)
  const [found, listed, history, changes] = await Promise.all([
    service.filter([{ type: 'text', key: 'properties.city.value', value: id }]),
    service.get('/entities?limit=1&order_by=date_updated&asc=0'),
    service.get(`/entities/${id}/history`),
    service.get(`/changes?ids=${id}`)
  ])
  assert.deepEqual(
    found.body.results.map((each: { version: number }) => each.version),
    [2]
  )
  assert.equal(listed.body[0]?.id, id)
  assert.equal(history.body.count, 2, history.text)
  assert.equal(changes.body.changes.length, 2, changes.text)
}

async function runOn(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** How many transactions the server has answered. It tells so a moment later. */
async function questionsTo(url: string): Promise<number> {
  await new Promise(resolve => setTimeout(resolve, 1100))
  const [row] = await runOn(url, 'SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()')
  return Number(row?.n)
}
