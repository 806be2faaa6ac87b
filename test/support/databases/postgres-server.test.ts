import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import { runStatement } from './database.ts'
import { createDatabase, newDatabase, startPostgresServer, whyNoServer } from './postgres-server.ts'

describe('the PostgreSQL of the tests', { skip: whyNoServer() }, () => {
  it('gives every test an empty database that sorts as people do, unless a statement says otherwise', async t => {
    const [one, other] = await Promise.all([createDatabase(t), createDatabase(t)])
    assert.notEqual(one, other)
    for (const url of [one, other]) {
      await runStatement(
        url,
        'CREATE TABLE letters AS SELECT * FROM unnest(ARRAY[$1, $2, $3]) AS letter',
        'B',
        'a',
        'é'
      )
      const order = async (by: string) =>
        (await runStatement(url, `SELECT letter FROM letters ORDER BY ${by}`)).map(row => row.letter).join('')
      assert.equal(await order('letter'), 'aBé')
      assert.equal(await order('letter COLLATE "C"'), 'Baé')
    }
  })

  it('drops a database, also while somebody is connected', async () => {
    const { url, drop } = await newDatabase()
    const asleep = runStatement(url, 'SELECT pg_sleep(30)').then(
      () => 'it slept well',
      error => error.message
    )
    await delay(200)
    await drop()
    assert.match(await asleep, /terminat|CONNECTION_CLOSED/)
    await assert.rejects(runStatement(url, 'SELECT 1'), /does not exist/)
  })
})

describe('a PostgreSQL server of a test', { skip: whyNoServer() }, () => {
  it('waits for the disk only when it is asked to', async () => {
    for (const durable of [false, true]) {
      const server = await startPostgresServer({ durable })
      const [row] = await runStatement(server.url, 'SHOW fsync')
      await server.stop()
      assert.equal(row?.fsync, durable ? 'on' : 'off')
    }
  })

  it('stands still when it is frozen, and goes on as if nothing had been', async () => {
    const server = await startPostgresServer()
    server.process.freeze()
    const answer = runStatement(server.url, 'SELECT 1 AS one')
    assert.equal(await Promise.race([answer, delay(300, 'none')]), 'none')
    server.process.thaw()
    assert.equal((await answer)[0]?.one, 1)
    await server.stop()
  })

  it('ends with the process that started it, however that ends, and leaves nothing behind', async () => {
    for (const ending of ['process.exit(3)', 'throw new Error()', '', "process.kill(process.pid, 'SIGTERM')"]) {
      const program = `
        import { startPostgresServer } from ${JSON.stringify(import.meta.resolve('./postgres-server.ts'))}
        const server = await startPostgresServer()
        console.log(JSON.stringify([server.process.pid, server.folder]))
        ${ending}`
      const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
        stdio: ['ignore', 'pipe', 'ignore']
      })
      let words = ''
      child.stdout.on('data', chunk => {
        words += chunk
      })
      await once(child, 'close')
      const [pid, folder] = JSON.parse(words) as [number, string]
      assert.ok(!isRunning(pid), `The server runs on after "${ending}"`)
      assert.ok(!existsSync(folder), `Its folder is there after "${ending}"`)
    }
  })
})

/** A process that has ended may stay in the list until somebody has read how. */
const isRunning = (pid: number) =>
  !/^$|^Z/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim())
