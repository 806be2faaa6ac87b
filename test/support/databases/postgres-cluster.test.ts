import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import postgres from 'postgres'

import { whyNoPostgres } from './postgres-binaries.ts'
import { startCluster } from './postgres-cluster.ts'

describe('a PostgreSQL cluster', { skip: whyNoPostgres() ?? false }, () => {
  it('loses nothing that was committed when its primary is killed and the standby takes over, twice', async t => {
    const started = performance.now()
    const cluster = await startCluster(t)
    t.diagnostic(`start: ${since(started)}`)
    await cluster.run('CREATE TABLE written (number integer PRIMARY KEY)')
    const committed: number[] = []
    let next = 0
    for (let cycle = 1; cycle <= 2; cycle++) {
      const writing = writeUntilItFails(cluster.primary.url, () => next++, committed)
      const before = committed.length
      while (committed.length < before + 200) await delay(5)
      const times = [performance.now()]
      await cluster.killPrimary()
      times.push(performance.now())
      await writing
      await cluster.promote()
      times.push(performance.now())
      const rows = await cluster.run('SELECT number FROM written ORDER BY number')
      const found = new Set(rows.map(row => Number(row.number)))
      assert.deepEqual(
        committed.filter(number => !found.has(number)),
        [],
        'committed, and lost'
      )
      // Nobody follows the new primary yet, and it does not wait for anybody.
      await cluster.run(`INSERT INTO written VALUES (${-cycle})`)
      times.push(performance.now())
      await cluster.rebuild()
      times.push(performance.now())
      const [kill, promote, write, rebuild] = times
        .slice(1)
        .map((time, index) => Math.round(time - (times[index] ?? 0)))
      t.diagnostic(
        `kill ${kill} ms, promote ${promote} ms, first write ${write} ms, rebuild ${rebuild} ms; ${committed.length} commits`
      )
    }
  })

  it('does lose something when commits wait for no standby: the test above would see it', async t => {
    const cluster = await startCluster(t, { isSynchronous: false })
    await cluster.run('CREATE TABLE written (number integer PRIMARY KEY)')
    const committed: number[] = []
    await cluster.run('INSERT INTO written VALUES (-1)')
    let next = 0
    cluster.standby.process.freeze()
    // More than the system keeps for a process that does not read: what follows stays with the
    // primary.
    await cluster.run("SELECT pg_logical_emit_message(true, 'filler', repeat('x', 16 * 1024 * 1024))")
    const writing = writeUntilItFails(cluster.primary.url, () => next++, committed)
    while (committed.length < 100) await delay(5)
    await cluster.killPrimary()
    await writing
    cluster.standby.process.thaw()
    await cluster.promote()
    const rows = await cluster.run('SELECT number FROM written')
    assert.ok(rows.length < committed.length, `${rows.length} rows of ${committed.length}`)
  })

  it('commits nothing while the standby stands still, and goes on with it', async t => {
    const cluster = await startCluster(t)
    await cluster.run('CREATE TABLE written (number integer)')
    cluster.standby.process.freeze()
    const commit = cluster.run('INSERT INTO written VALUES (1)')
    assert.equal(await Promise.race([commit, delay(500, 'nothing')]), 'nothing')
    cluster.standby.process.thaw()
    await commit
  })

  it('gives back its primary after a stop, cuts connections, and has a replica that follows through a failover', async t => {
    const cluster = await startCluster(t, { replica: true })
    await cluster.run('CREATE TABLE written (number integer)')
    const client = postgres(cluster.primary.url, { max: 1, fetch_types: false, onnotice: () => {} })
    await client`SELECT 1`
    assert.ok((await cluster.cutConnections()) >= 1)
    await client.end({ timeout: 0 })
    await cluster.stopPrimary()
    await assert.rejects(cluster.run('SELECT 1'))
    await cluster.startPrimary()
    await cluster.run('INSERT INTO written VALUES (1)')
    await cluster.killPrimary()
    await cluster.promote()
    await cluster.rebuild()
    await cluster.run('INSERT INTO written VALUES (2)')

    const { replica } = cluster
    assert.ok(replica)
    const sql = postgres(replica.url, { max: 1, fetch_types: false, onnotice: () => {} })
    t.after(() => sql.end({ timeout: 0 }))
    for (let count = 0; count < 2; await delay(20)) count = Number((await sql`SELECT count(*) AS n FROM written`)[0]?.n)
    await assert.rejects(sql`INSERT INTO written VALUES (3)`, /read-only/)
  })

  it('names both servers in its address, which a driver that looks for the primary can use', async t => {
    const cluster = await startCluster(t)
    for (let turn = 0; turn < 2; turn++) {
      const sql = postgres(cluster.url, { max: 1, fetch_types: false })
      const [row] = await sql`SELECT inet_server_port() AS port, pg_is_in_recovery() AS is_standby`
      await sql.end({ timeout: 1 })
      assert.deepEqual({ ...row }, { port: cluster.primary.port, is_standby: false })
      if (turn > 0) return
      await cluster.killPrimary()
      await cluster.promote()
    }
  })
})

/** Commits one number after the other, and notes those that were acknowledged. */
async function writeUntilItFails(url: string, next: () => number, committed: number[]) {
  const sql = postgres(url, { max: 4, fetch_types: false, onnotice: () => {} })
  const writer = async () => {
    try {
      for (;;) {
        const number = next()
        await sql`INSERT INTO written VALUES (${number})`
        committed.push(number)
      }
    } catch {
      // The primary is gone.
    }
  }
  await Promise.all(Array.from({ length: 4 }, writer))
  await sql.end({ timeout: 0 })
}

const since = (started: number) => `${Math.round(performance.now() - started)} ms`
