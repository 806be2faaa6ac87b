import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, writeFileSync } from 'node:fs'
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
import { type Teardown, temporaryFolder } from '../support/machines/temporary-folder.ts'
import { storeContract } from './store-contract.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'

/*
 * The store's promises through PgBouncer in transaction mode, where each transaction may get
 * another connection of a few. Debian has it (`apt-get install pgbouncer`); `npm run test:long`
 * finds it there.
 */

const program = '/usr/sbin/pgbouncer'

const reason = existsSync(program) ? whyNoServer() : 'PgBouncer is not installed: apt-get install pgbouncer'

if (reason !== false) {
  it('keeps the promises of the store', t => t.skip(reason))
} else {
  const model = createModel(builtInRecordTypes)
  let port = 0

  describe('PgBouncer in transaction mode', () => {
    const cleanUps: (() => void | Promise<void>)[] = []
    before(async () => {
      port = await startBouncer({ after: cleanUp => cleanUps.unshift(cleanUp) })
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
          const through = new URL(url)
          through.host = `127.0.0.1:${port}`
          // This one is too old to know prepared statements.
          through.searchParams.set('prepare', 'false')
          const store = await openStore(through.href, model, { queryDeadline: 60_000, ...settings })
          t.after(async () => {
            await store[Symbol.asyncDispose]()
            await drop()
          })
          return store
        }
      }
    })
  })

  /**
   * Starts it in front of the server of the tests, with few connections for many clients, and gives
   * its port.
   */
  async function startBouncer(t: Teardown): Promise<number> {
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
    const child = spawn(program, [settings], { ...owner, stdio: 'ignore' })
    t.after(() => void child.kill('SIGKILL'))
    const giveUp = performance.now() + hangLimit
    while (!(await isListening(listens))) {
      if (performance.now() > giveUp) throw new Error('PgBouncer does not listen')
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    return listens
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
