import type { Model } from '#domain/record-types/model.ts'
import { maxRecordsAtOnce } from '#finding/find-in-index.ts'
import { buildInThread } from '#finding/build-in-thread.ts'
import { createIndexThreads } from '#finding/index-threads.ts'
import { deleteAbandoned, deleteSnapshot } from '#finding/snapshot-file.ts'
import { createActReads } from '../administration/acts.ts'
import { promise, type Steps } from '../administration/steps.ts'
import { createTokenReads } from '../administration/tokens.ts'
import { createTransactions } from '../administration/transactions.ts'
import { createWebhookReads } from '../administration/webhooks.ts'
import type { StoreSettings } from '../ports/administration.ts'
import type { Store } from '../store.ts'
import type { Reader } from '../query/reader.ts'
import { checkDatabase } from './check.ts'
import { openLink, readServers } from './connection.ts'
import { postgresDialect } from './dialect.ts'
import { Feed } from './feed.ts'
import { createGroupWriter } from './group-writer.ts'
import { createPointReads } from './point-reads.ts'
import { createLeased, createShared } from './pool.ts'
import { prepareDatabase } from './prepare-database.ts'
import { createPostgresReader } from './reader.ts'
import { createRepeatedNumber, noRepeatedNumber } from './repeated-number.ts'
import { createReplicas } from './replicas.ts'
import { createStateReads } from './state-entries.ts'
import { createStatements, type Statements } from './statements.ts'
import type { LeaseStore } from '../ports/leases.ts'

/**
 * Opens a catalogue in a PostgreSQL database, which any number of processes may share.
 *
 * One of the connections writes, and one reads the number of the last change; short reads share a
 * few, a statement behind the other; the rest run queries, one at a time each, so that no read by
 * id waits behind a scan.
 */
export async function openPostgresStore(databaseUrl: string, model: Model, settings: StoreSettings): Promise<Store> {
  const servers = readServers(databaseUrl, 'primary')
  const { change, entity } = await prepareDatabase(servers, model, settings)
  const { forReads, forQueries, forChanges } = divide(settings.poolSize)
  const shared = createShared(servers, forReads, settings.maxWait)
  const writing = createLeased(servers, 1, settings.maxWait)
  const querying = createLeased(servers, forQueries, settings.maxWait)
  // The first query finds an open connection: opening one takes long on a busy machine, and its
  // deadline would count that.
  await querying.use(async () => {}).catch(() => {})
  const writer = createGroupWriter(writing, model, settings.maxWait)
  let { queryDeadline } = settings
  const currentDeadline = () => queryDeadline
  const { recordsOfPart, indexSnapshot: snapshot } = settings
  if (settings.followsModel) deleteAbandoned(snapshot)
  const build = buildInThread(new URL('./postgres-index-thread.ts', import.meta.url), {
    ...{ databaseUrl, recordTypes: model.recordTypes, recordsOfPart, snapshot }
  })
  const index = createIndexThreads(model, build, settings, currentDeadline)
  // A command runs few queries, and many none.
  if (entity > maxRecordsAtOnce && settings.followsModel) index.bases.start()
  const readerParts = { model, currentDeadline, index }
  const primary: Reader = createPostgresReader(querying, readerParts)
  const statements = createStatements(shared, querying)
  const readLastChange = async () => Number((await statements.first(newestChange))?.change)
  const readFollowed = async () => {
    const row = await statements.first(
      `SELECT change, (SELECT value FROM properties WHERE name = 'purged') AS purged FROM counters`
    )
    return { change: Number(row?.change), purged: Number(row?.purged ?? 0) }
  }
  if (settings.followsModel) index.bases.follow(readFollowed)
  const transactions = createTransactions(postgresDialect)
  const written = promise(transactions, (name, given) => {
    const begin = transactions[name] as (...given: readonly unknown[]) => Steps<unknown>
    return statements.transact(begin(...given))
  })
  const replicas = createReplicas(primary, readLastChange, readerParts, settings)
  const newest = forChanges === 0 ? noRepeatedNumber : createRepeatedNumber(servers, newestChange)
  const feed = new Feed(statements, newest, settings.staleness, change)
  const { feedState, changedSinceLastCall } = feed
  // Writes are decided by what these find, so they read where writes happen.
  const { findVersion, findVersionByUuid, identifyDeleted, sequenceAt, findEntitiesAt } = primary
  const { identifiersMergedInto, findMergesOf } = primary

  return {
    measure: () => ({ reads: shared.measure(), queries: querying.measure(), writes: writing.measure() }),
    measureReplicas: replicas.measure,
    findingState: () => ({ ...index.bases.state, isBlocked: index.isBlocked }),
    ...createPointReads(statements),
    ...replicas.reader,
    ...{ findVersion, findVersionByUuid, identifyDeleted, sequenceAt, findEntitiesAt },
    ...{ identifiersMergedInto, findMergesOf },
    ...{ feedState, changedSinceLastCall },
    ...createStateReads(statements),
    ...createTokenReads(statements.find, postgresDialect),
    ...createWebhookReads(statements.find),
    ...createActReads(statements.find),
    ...createLeases(statements),
    ...written,
    async purge(purge) {
      try {
        return await written.purge(purge)
      } finally {
        // The snapshot of the index may still have the record.
        deleteSnapshot(snapshot)
        feed.expire()
        replicas.expire()
      }
    },

    async write(unit) {
      try {
        return await writer.write(unit)
      } finally {
        // A client reads its own writes, whatever delay is allowed for writes of others.
        feed.expire()
        replicas.expire()
      }
    },

    setQueryDeadline(milliseconds) {
      queryDeadline = milliseconds
    },
    isNew: async () => (await readLastChange()) === 0,
    async check(options = {}) {
      const link = await openLink(servers)
      try {
        return await checkDatabase(link, model, options, settings.indexSnapshot)
      } finally {
        await link.close()
      }
    },
    async [Symbol.asyncDispose]() {
      await writer.finish()
      await index.close()
      newest.close()
      await Promise.all([shared.close(), writing.close(), querying.close(), replicas.close()])
    }
  }
}

const newestChange = 'SELECT change FROM counters'

/**
 * Divides the connections among short reads, queries and the number of the last change; one more
 * writes.
 */
function divide(poolSize: number) {
  const short = Math.max(1, Math.min(5, Math.floor(poolSize / 3)))
  const forChanges = short > 1 ? 1 : 0
  return { forReads: short - forChanges, forQueries: Math.max(1, poolSize - 1 - short), forChanges }
}

const createLeases = ({ first, read }: Statements): LeaseStore => ({
  async holdLease(task, holder, milliseconds) {
    // Most callers find that another has it. They only read: a write, even of nothing, would lock
    // the row and write to the log.
    const other = await first(
      'SELECT 1 AS is_held FROM leases WHERE task = ? AND holder <> ? AND until >= clock_timestamp()',
      task,
      holder
    )
    if (other) return false
    // On a shared connection, so that it does not wait behind queries; a retry does no harm.
    const taken = await read(
      `INSERT INTO leases (task, holder, until) VALUES (?, ?, clock_timestamp() + ? * interval '1 millisecond')
       ON CONFLICT (task) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
       WHERE leases.holder = EXCLUDED.holder OR leases.until < clock_timestamp() RETURNING task`,
      [task, holder, milliseconds]
    )
    return taken.length > 0
  },
  async findLeaseHolder(task) {
    const row = await first('SELECT holder FROM leases WHERE task = ?', task)
    return row && String(row.holder)
  },
  async releaseLease(task, holder) {
    await read('DELETE FROM leases WHERE task = ? AND holder = ?', [task, holder])
  }
})
