import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, chown, copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import postgres from 'postgres'

import {
  freePort,
  give,
  initialise,
  makePostgresHome,
  type PostgresHome,
  type PostgresProcess,
  startPostgres,
  superuser
} from './postgres-process.ts'
import type { Teardown } from '../machines/temporary-folder.ts'
import { hangLimit } from '../machines/hang-limit.ts'

/*
 * A primary and a standby that follows it, as an operator sets them up: what the primary says is
 * committed is on the disk of both. When the primary dies the standby can take its place, and what
 * was the primary comes back as its standby.
 *
 *   start → [primary + standby] → killPrimary → [standby] → promote → [primary alone]
 *     → rebuild → [primary + standby] → …
 */

export interface PostgresCluster {
  /** The server that takes writes, or took them last. */
  readonly primary: ClusterNode
  readonly standby: ClusterNode
  /** Follows the primary too, but nothing waits for it. */
  readonly replica: ClusterNode | undefined
  /**
   * Of the primary and the standby, in an order that never changes:
   * `postgres://…@host:port,host:port/…?target_session_attrs=read-write`.
   */
  readonly url: string
  /** Runs a statement on the server that takes writes, beside whatever is tested. */
  run(statement: string): Promise<Record<string, unknown>[]>
  /** `kill -9`, for all processes of the primary at once. */
  killPrimary(): Promise<void>
  /**
   * Makes the standby the primary. Resolves when it takes writes; until `rebuild` nobody has a copy
   * of them.
   */
  promote(): Promise<void>
  /**
   * Makes what was the primary the standby, from a fresh copy. Resolves when commits wait for it
   * again.
   */
  rebuild(): Promise<void>
  /** Ends the primary in order; no one takes its place. */
  stopPrimary(): Promise<void>
  startPrimary(): Promise<void>
  /** Cuts all connections of clients to the primary, and gives how many there were. */
  cutConnections(): Promise<number>
  /** Ends all of it, as the end of the test does. */
  stop(): Promise<void>
}

export interface ClusterNode {
  readonly name: string
  readonly port: number
  readonly url: string
  /** To freeze it, for example. Another one after each start. */
  readonly process: PostgresProcess
}

export interface ClusterOptions {
  /** Adds a replica for reading that nothing waits for. */
  readonly replica?: boolean
  /** `false` waits for no standby: what was committed last may be lost with the primary. */
  readonly isSynchronous?: boolean
  /** `on` waits until the standby has it on its disk, `remote_apply` until it can be read there. */
  readonly synchronousCommit?: 'on' | 'remote_apply'
  readonly settings?: Readonly<Record<string, string | number>>
}

/** Nothing takes longer, in milliseconds. */
const patience = hangLimit

export async function startCluster(t: Teardown, options: ClusterOptions = {}): Promise<PostgresCluster> {
  const { isSynchronous = true } = options
  const home = makePostgresHome()
  t.after(() => home.remove())
  const nodes = { a: await aNode(home, 'a', options), b: await aNode(home, 'b', options) }
  let primary: Node = nodes.a
  let standby: Node = nodes.b
  const replica = options.replica ? await aNode(home, 'replica', options) : undefined

  await initialise(home, primary.data)
  appendFileSync(join(primary.data, 'postgresql.conf'), "include 'cluster.conf'\n")
  await primary.start(asPrimary())
  await standby.copy(primary)
  await standby.start(asStandbyOf(primary, standby))
  await replica?.copy(primary)
  await replica?.start(asStandbyOf(primary, replica))
  await waitForStandby()

  /** Commits wait for the standby from now on. */
  async function waitForStandby() {
    primary.configure(asPrimary(standby))
    primary.process.reload()
    const wanted = isSynchronous ? 'sync' : 'async'
    await until(`${standby.name} to follow ${primary.name}`, async () => {
      const [row] = await primary.run(
        `SELECT sync_state FROM pg_stat_replication WHERE application_name = '${standby.name}'`
      )
      return row?.sync_state === wanted
    })
  }

  return {
    get primary() {
      return primary
    },
    get standby() {
      return standby
    },
    replica,
    url: `postgres://${superuser}:${home.password}@127.0.0.1:${nodes.a.port},127.0.0.1:${nodes.b.port}/postgres?target_session_attrs=read-write`,
    run: statement => primary.run(statement),
    killPrimary: () => primary.process.kill(),
    promote: async () => {
      const [row] = await standby.run(`SELECT pg_promote(true, ${patience / 1000}) AS is_promoted`)
      if (row?.is_promoted !== true) throw new Error(`${standby.name} was not promoted:\n${standby.process.log()}`)
      ;[primary, standby] = [standby, primary]
      replica?.configure(asStandbyOf(primary, replica))
      replica?.process.reload()
    },
    rebuild: async () => {
      await standby.process.stop()
      await standby.copy(primary)
      await standby.start(asStandbyOf(primary, standby))
      await waitForStandby()
      if (replica !== undefined && !(await follows(primary, replica))) {
        // It had heard of commits that the standby had not, and that no longer are.
        await replica.process.stop()
        await replica.copy(primary)
        await replica.start(asStandbyOf(primary, replica))
      }
    },
    stopPrimary: () => primary.process.stop(),
    startPrimary: () => primary.start(asPrimary(standby)),
    cutConnections: async () => {
      const rows = await primary.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
      )
      return rows.length
    },
    stop: () => home.remove()
  }

  /**
   * Returns the configuration of a primary. A promoted server has no standby yet, so it waits for
   * none.
   */
  function asPrimary(follower?: Node): Configuration {
    return { synchronous_standby_names: (isSynchronous && follower?.name) || '', primary_conninfo: '' }
  }

  function asStandbyOf(leader: Node, follower: Node): Configuration {
    const conninfo = `host=127.0.0.1 port=${leader.port} user=${superuser} password=${home.password} application_name=${follower.name}`
    return { synchronous_standby_names: '', primary_conninfo: conninfo }
  }
}

type Configuration = Readonly<Record<'synchronous_standby_names' | 'primary_conninfo', string>>

interface Node extends ClusterNode {
  readonly data: string
  /**
   * Writes the part of its configuration that says who follows whom; a server that runs has to
   * `reload` it.
   */
  configure(configuration: Configuration): void
  start(configuration: Configuration): Promise<void>
  /** Takes over the data of another server while that goes on, so that it can follow it. */
  copy(from: Node): Promise<void>
  run(statement: string): Promise<Record<string, unknown>[]>
}

async function aNode(home: PostgresHome, name: string, options: ClusterOptions): Promise<Node> {
  const data = join(home.folder, name)
  const port = await freePort()
  const url = `postgres://${superuser}:${home.password}@127.0.0.1:${port}/postgres`
  let running: PostgresProcess | undefined
  const node: Node = {
    name,
    port,
    url,
    data,
    get process() {
      if (running === undefined) throw new Error(`${name} has not been started`)
      return running
    },
    configure: configuration => {
      const file = join(data, 'cluster.conf')
      const lines = Object.entries(configuration).map(([key, value]) => `${key} = '${value}'`)
      writeFileSync(file, lines.join('\n'))
      give(file, home.binaries.owner)
    },
    start: async configuration => {
      node.configure(configuration)
      running = await startPostgres(
        home,
        data,
        {
          max_connections: 200,
          synchronous_commit: options.synchronousCommit ?? 'on',
          // The log that a standby has missed is still there; a gigabyte is more than any test
          // writes.
          wal_keep_size: '1GB',
          // A standby asks again at once, not after five seconds.
          wal_retrieve_retry_interval: '100ms',
          ...options.settings
        },
        port
      )
    },
    copy: async from => {
      // The folder itself stays: what a server that was killed left in the memory of the system is
      // found again by it, and cleared.
      for (const name of await readdir(data).catch(() => [])) rmSync(join(data, name), { recursive: true, force: true })
      await copyCluster(from, data, home)
    },
    run: async statement => {
      const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connect_timeout: 120 })
      try {
        return [...(await sql.unsafe(statement))]
      } finally {
        await sql.end({ timeout: 1 })
      }
    }
  }
  return node
}

/**
 * A base backup, as https://www.postgresql.org/docs/current/continuous-archiving.html tells to make
 * one without pg_basebackup, which npm's PostgreSQL does not have. Files may change while they are
 * copied: what a standby gets from the log makes them whole.
 */
async function copyCluster(from: Node, data: string, { binaries: { owner } }: PostgresHome) {
  const sql = postgres(from.url, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    await sql`SELECT pg_backup_start('copy', true)`
    await copyFolder(from.data, data, path => !notCopied.test(path.slice(from.data.length + 1)))
    const [backup] = await sql`SELECT labelfile FROM pg_backup_stop(false)`
    writeFileSync(join(data, 'backup_label'), String(backup?.labelfile))
    writeFileSync(join(data, 'standby.signal'), '')
    for (const name of ['backup_label', 'standby.signal']) give(join(data, name), owner)
  } finally {
    await sql.end({ timeout: 1 })
  }

  async function copyFolder(source: string, target: string, isWanted: (path: string) => boolean) {
    await mkdir(target, { recursive: true })
    await chmod(target, 0o700)
    if (owner) await chown(target, owner.uid, owner.gid)
    for (const name of await readdir(source)) {
      const [path, copy] = [join(source, name), join(target, name)]
      try {
        const status = await lstat(path)
        // The folders of what is left out have to be there.
        if (status.isDirectory()) await copyFolder(path, copy, isWanted)
        else if (status.isFile() && isWanted(path)) {
          await copyFile(path, copy)
          if (owner) await chown(copy, owner.uid, owner.gid)
        }
      } catch (error) {
        // Tables and temporary files come and go.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      }
    }
  }
}

/** Files that belong to a running server only, or come by replication. */
const notCopied =
  /^(postmaster\.(pid|opts)|standby\.signal|recovery\.signal|backup_label(\.old)?)$|^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//

const follows = async (leader: Node, follower: Node): Promise<boolean> => {
  for (let tries = 0; tries < 20; tries++) {
    const rows = await leader.run(
      `SELECT 1 FROM pg_stat_replication WHERE application_name = '${follower.name}' AND state = 'streaming'`
    )
    if (rows.length > 0) return true
    await delay(50)
  }
  return false
}

async function until(what: string, isSo: () => Promise<boolean>) {
  const giveUp = performance.now() + patience
  while (!(await isSo())) {
    if (performance.now() > giveUp) throw new Error(`Waited too long for ${what}`)
    await delay(10)
  }
}
