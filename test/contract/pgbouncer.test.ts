import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import { runStatement } from '../support/databases/database.ts'
import { findPostgres } from '../support/databases/postgres-binaries.ts'
import { freePort } from '../support/databases/postgres-process.ts'
import { newDatabase, serverUrl, whyNoServer } from '../support/databases/postgres-server.ts'
import { needDebian } from '../support/machines/debian.ts'
import { type Teardown, temporaryFolder } from '../support/machines/temporary-folder.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { assertNoneLost, changeShared, createShared } from '../support/records/shared-records.ts'
import { until } from '../support/services/receiver.ts'
import { startServer } from '../support/services/server-process.ts'
import { assertWrittenOnce, createSender, writeSteadily } from '../support/services/steady-clients.ts'
import { storeContract } from './store-contract.ts'

/*
 * The store's promises through PgBouncer in transaction mode, where each transaction may get
 * another connection of a few, and two processes that write through it while it is killed.
 */

const program = '/usr/sbin/pgbouncer'
const writes = howMany({ short: 500, long: 20_000, onPostgres: 500 })
const kills = howMany({ short: 3, long: 50, onPostgres: 3 })

let reason: string | false = whyNoServer()
if (reason === false)
  needDebian(
    {
      skip(words = '') {
        reason = words
      }
    },
    ['pgbouncer']
  )

const skipped = reason
if (skipped !== false) {
  it('keeps the promises of the store', t => t.skip(skipped))
} else {
  const model = createModel(builtInRecordTypes)
  let bouncer: Bouncer

  describe('PgBouncer in transaction mode', () => {
    const cleanUps: (() => void | Promise<void>)[] = []
    before(async () => {
      bouncer = await startBouncer({ after: cleanUp => cleanUps.unshift(cleanUp) })
    })
    after(async () => {
      for (const cleanUp of cleanUps) await cleanUp()
    })
    storeContract('PostgreSQL behind PgBouncer', t => {
      const made = newDatabase()
      return {
        async alter(statement) {
          await runStatement((await made).url, statement)
        },
        async open(settings) {
          const { url, drop } = await made
          const store = await openStore(through(bouncer, url), model, { queryDeadline: 60_000, ...settings })
          t.after(async () => {
            await store[Symbol.asyncDispose]()
            await drop()
          })
          return store
        }
      }
    })

    it(`loses no write of two processes, killed ${kills} times (seed ${seed})`, async t => {
      const { url, drop } = await newDatabase()
      t.after(drop)
      const environment = { SAMPLE_DATA: '0', READERS: '1', DATABASE_POOL: '5' }
      const services = [
        await startServer(t, through(bouncer, url), environment),
        await startServer(t, through(bouncer, url), environment)
      ]
      const senders = services.map(({ port }) => createSender(port, 6))
      t.after(() => {
        for (const each of senders) each.close()
      })
      const [sender = assert.fail(), other = assert.fail()] = senders
      const shared = await createShared(sender, 3)
      let isOver = false
      let done = 0
      const options = { isOver: () => isOver, onSuccess: () => done++ }
      const working = Promise.all([
        Promise.all(
          [0, 1, 2, 3].map(number =>
            writeSteadily(number % 2 ? sender : other, `W${number}`, { ...options, withKeys: number < 2 })
          )
        ),
        Promise.all(
          [0, 1].map(number =>
            changeShared(senders, shared, `S${number}`, { ...options, chance: createChance(seed + number) })
          )
        )
      ])
      working.catch(() => {})
      const wait = (isSo: () => boolean) => Promise.race([until(isSo), working])
      for (let kill = 1; kill <= kills; kill++) {
        await wait(() => done > (kill * writes) / (kills + 1))
        await bouncer.restart()
      }
      await wait(() => done > writes)
      isOver = true
      const [ledgers, told] = await working
      t.diagnostic(`SEED=${seed} ${senders.map(({ statuses }) => JSON.stringify([...statuses])).join(' ')}`)
      for (const { statuses } of senders)
        assert.deepEqual(
          [...statuses.keys()].filter(status => status >= 500 && status !== 503),
          []
        )
      await assertWrittenOnce(other, ledgers)
      await assertNoneLost(other, told.flat())
      for (const service of services) assert.equal(await service.stop(), 0, service.complaints())
      await using store = await openStore(url, model)
      assert.deepEqual((await store.check()).problems, [])
    })
  })

  interface Bouncer {
    readonly port: number
    /** Kills it, and starts another. */
    restart(): Promise<void>
  }

  /** The address of a database behind it. */
  function through({ port }: Bouncer, url: string): string {
    const address = new URL(url)
    address.host = `127.0.0.1:${port}`
    // This one is too old to know prepared statements.
    address.searchParams.set('prepare', 'false')
    return address.href
  }

  /** Starts it in front of the server of the tests, with few connections for many clients. */
  async function startBouncer(t: Teardown): Promise<Bouncer> {
    const folder = temporaryFolder(t)
    const server = new URL(await serverUrl())
    const { owner } = findPostgres(folder)
    const listens = await freePort()
    const users = join(folder, 'users')
    const settings = join(folder, 'settings')
    writeFileSync(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`)
    writeFileSync(
      settings,
      [
        `[databases]\n* = host=${server.hostname} port=${server.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1`,
        `listen_port = ${listens}\nauth_type = plain\nauth_file = ${users}\npool_mode = transaction`,
        'default_pool_size = 4\nmax_client_conn = 1000\nunix_socket_dir =\n'
      ].join('\n')
    )
    for (const file of [folder, users, settings]) {
      chmodSync(file, file === folder ? 0o700 : 0o600)
      if (owner) chownSync(file, owner.uid, owner.gid)
    }
    let child: ChildProcess
    const start = async () => {
      child = spawn(program, [settings], { ...owner, stdio: 'ignore' })
      await until(() => isListening(listens))
    }
    await start()
    t.after(() => void child.kill('SIGKILL'))
    return {
      port: listens,
      async restart() {
        child.kill('SIGKILL')
        await once(child, 'exit')
        await start()
      }
    }
  }

  function isListening(at: number): Promise<boolean> {
    return new Promise(resolve => {
      const socket = connect(at, '127.0.0.1')
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
  }
}
