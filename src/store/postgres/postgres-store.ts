import type { Model } from '#domain/record-types/model.ts'
import { moveMarkName, unfinishedMove } from '../archive.ts'
import { toDelivery, toMerge, toToken, toWebhook } from '../rows.ts'
import type { Identified, Store, StoredEntity, StoreSettings } from '../store.ts'
import { checkDatabase } from './check.ts'
import { deleteOldMarkers } from './commit-marker.ts'
import {
  isStorable,
  type Link,
  openLink,
  type Parameter,
  readServers,
  type Row,
  storableList,
  translate
} from './connection.ts'
import { fillSearchWords } from './fill-search-words.ts'
import { followModel, noteRules } from './follow-model.ts'
import { createGroupWriter } from './group-writer.ts'
import { migrate } from './migrations.ts'
import { selectOutcomes, toOutcome } from './outcomes.ts'
import { headingRanges, readState, selectStateKeys, selectStateEntries } from './state-entries.ts'
import { createLeased, createShared } from './pool.ts'
import { createReader } from './reader.ts'
import { createReplicas } from './replicas.ts'
import { deleteToken, insertToken, selectToken, selectTokens } from './tokens.ts'
import * as webhooks from './webhooks.ts'

/** So many changes are told one by one to a cache; after more it is quicker to begin anew. */
const mostToldChanges = 10_000

/**
 * Opens a catalogue in a PostgreSQL database, which any number of processes may share.
 *
 * Of the connections one writes; short reads share a few, a statement behind the other; the rest
 * are for questions, one at a time each, so that no read by id waits behind a scan.
 */
export async function openPostgresStore(databaseUrl: string, model: Model, settings: StoreSettings): Promise<Store> {
  const servers = readServers(databaseUrl, 'primary')
  const epochAndChange = await prepareDatabase(servers, model, settings.followsModel)
  const [forShort, forQuestions] = shareOut(settings.poolSize)
  const shared = createShared(servers, forShort)
  const writing = createLeased(servers, 1)
  const asking = createLeased(servers, forQuestions)
  // The first query finds a connection open: to open one takes long on a busy machine, and its
  // deadline would count that.
  await asking.use(async () => {}).catch(() => {})
  const writer = createGroupWriter(writing, model)
  let { queryDeadline } = settings
  const currentDeadline = () => queryDeadline
  const reader = createReader(asking, model, currentDeadline)
  const replicas = createReplicas(settings.replicaUrls, reader, model, settings, currentDeadline, async () => {
    const [row] = await shared.read('SELECT change FROM counters')
    return Number(row?.change)
  })

  /** The first row; none where a parameter is a text that cannot be in the database. */
  const first = async (text: string, ...parameters: Parameter[]): Promise<Row | undefined> =>
    parameters.every(each => typeof each !== 'string' || isStorable(each))
      ? (await shared.read(text, parameters))[0]
      : undefined

  /** A transaction of a few statements that belong to no entity. */
  const within = <T>(work: (link: Link) => Promise<T>): Promise<T> =>
    asking
      .use(async link => {
        await link.run('BEGIN')
        try {
          const result = await work(link)
          await link.run('COMMIT')
          return result
        } catch (error) {
          await link.run('ROLLBACK').catch(() => {})
          throw error
        }
      })
      .catch(error => {
        throw translate(error)
      })

  const columns = 'e.id, e.uuid, e.type, e.version, e.document AS json'
  const named = 'FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier'
  // By key, each of them: in a database that was empty when the statement was first used, a join
  // would read all entities until the server has counted them. OFFSET 0 keeps it from being one.
  const eachNamed = `FROM identifiers i CROSS JOIN LATERAL (SELECT * FROM entities o WHERE o.pk = i.entity_pk OFFSET 0) e
    WHERE i.identifier`
  const anyOf = '= ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))'

  let seenChange = epochAndChange.change
  let askedAt = Number.NEGATIVE_INFINITY
  const nothing: readonly string[] = []

  return {
    measure: () => ({ reads: shared.measure(), queries: asking.measure(), writes: writing.measure() }),
    findEntity: async identifier =>
      (await first(`SELECT ${columns} ${named} = ?`, identifier)) as unknown as StoredEntity | undefined,
    findEntities: async identifiers =>
      byIdentifier<StoredEntity>(
        identifiers,
        await shared.read(`SELECT i.identifier, ${columns} ${eachNamed} ${anyOf}`, [storableList(identifiers)])
      ),
    findClimbing: async (identifier, links) =>
      isStorable(identifier)
        ? ((await shared.read(
            `WITH RECURSIVE climbed (step, pk) AS (
               SELECT 0, i.entity_pk FROM identifiers i WHERE i.identifier = ?
               UNION ALL SELECT c.step + 1, i.entity_pk FROM climbed c CROSS JOIN LATERAL (
                 SELECT r.target FROM relations r WHERE r.entity_pk = c.pk AND r.type = ?::text::jsonb ->> c.step ORDER BY r.position LIMIT 1
               ) t JOIN identifiers i ON i.identifier = t.target
             ) SELECT ${columns} FROM climbed c CROSS JOIN LATERAL (SELECT * FROM entities o WHERE o.pk = c.pk OFFSET 0) e ORDER BY c.step`,
            [identifier, JSON.stringify(links)]
          )) as unknown as readonly StoredEntity[])
        : [],
    identify: async identifiers =>
      byIdentifier<Identified>(
        identifiers,
        await shared.read(`SELECT i.identifier, e.id, e.type ${eachNamed} ${anyOf}`, [storableList(identifiers)])
      ),

    ask: question => replicas.read('ask', question),
    suggest: question => replicas.read('suggest', question),
    findReferences: question => replicas.read('findReferences', question),
    findHistory: (...asked) => replicas.read('findHistory', ...asked),
    readChanges: question => replicas.read('readChanges', question),
    harvest: question => replicas.read('harvest', question),
    findHarvested: (...asked) => replicas.read('findHarvested', ...asked),
    harvestState: () => replicas.read('harvestState'),
    listTerms: question => replicas.read('listTerms', question),
    countGrowth: question => replicas.read('countGrowth', question),
    // What a write is decided by is read where it is written.
    findVersion: reader.findVersion,
    findVersionByUuid: reader.findVersionByUuid,
    identifyDeleted: reader.identifyDeleted,
    sequenceAt: reader.sequenceAt,
    findEntitiesAt: reader.findEntitiesAt,
    namesMergedInto: reader.namesMergedInto,
    findMergesOf: reader.findMergesOf,

    async findOutcome(scope, key) {
      const row = await first(`${selectOutcomes} WHERE scope = ? AND key = ?`, scope, key)
      return row && toOutcome(row, Date.now())
    },
    async findMerge(survivorId, victimId = '') {
      const row = await first(
        `SELECT m.number, m.survivor_id, m.victim_id, m.written, m.undone FROM identifiers i JOIN entities e ON e.pk = i.entity_pk
         JOIN merges m ON m.survivor_uuid = e.uuid AND m.undone IS NULL
         WHERE i.identifier = ? AND (? = '' OR m.victim_id = ?) ORDER BY m.number DESC LIMIT 1`,
        survivorId,
        victimId,
        victimId
      )
      return row && toMerge(row)
    },
    async feedState() {
      const row = await first(
        `SELECT (SELECT value FROM properties WHERE name = 'epoch') AS epoch, (SELECT min(sequence) FROM changes) AS oldest,
           (SELECT change FROM counters) AS newest`
      )
      const newest = Number(row?.newest)
      return { epoch: String(row?.epoch), oldest: Number(row?.oldest ?? newest + 1), newest }
    },
    forgetChanges: before =>
      within(async link => {
        // How far was forgotten is kept, so that a change row that is missing can be told from one
        // that was forgotten.
        await link.run(
          `INSERT INTO properties SELECT 'forgotten', max(sequence)::text FROM changes WHERE at < ? HAVING max(sequence) IS NOT NULL
           ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
          [before]
        )
        const [row] = await link.run(
          'WITH gone AS (DELETE FROM changes WHERE at < ? RETURNING 1) SELECT count(*) AS n FROM gone',
          [before]
        )
        return Number(row?.n)
      }),

    async write(unit) {
      try {
        return await writer.write(unit)
      } finally {
        // Whoever writes reads what they wrote, whatever delay is allowed for the writes of others.
        askedAt = Number.NEGATIVE_INFINITY
        replicas.forgetTime()
      }
    },

    async changedSinceLastAsked() {
      const now = performance.now()
      if (now - askedAt < settings.staleness) return nothing
      const seen = seenChange
      const rows = await shared.read(
        `SELECT n.change AS newest, c.sequence, c.id FROM counters n LEFT JOIN LATERAL
           (SELECT sequence, id FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ${mostToldChanges + 1}) c ON TRUE`,
        [seen]
      )
      askedAt = Math.max(askedAt, now)
      const newest = Number(rows[0]?.newest)
      const told = rows.filter(row => row.sequence !== null)
      // Another server that knows less has taken over, changes were forgotten, or there are too
      // many of them.
      const isBroken = newest < seen || told.length !== newest - seen || told.length > mostToldChanges
      seenChange = newest < seen ? newest : Math.max(seenChange, newest)
      return isBroken ? 'all' : told.map(row => String(row.id))
    },

    async findState(kind, keys) {
      const rows = keys.length === 0 ? [] : await shared.read(selectStateEntries, [kind, storableList(keys)])
      return new Map(rows.map(row => [String(row.key), String(row.value)]))
    },
    async listStateKeys(kind, headings) {
      const asked = headings.filter(isStorable)
      const rows = asked.length === 0 ? [] : await shared.read(selectStateKeys, [headingRanges(asked), kind])
      return rows.map(row => String(row.key))
    },
    async readState(kind, range) {
      const { text, parameters } = readState(kind, range)
      return (await shared.read(text, parameters)).map(row => ({ key: String(row.key), value: String(row.value) }))
    },

    async insertToken(token) {
      const { text, parameters } = insertToken(token)
      await within(link => link.run(text, parameters))
    },
    async findToken(hash) {
      const row = await first(selectToken, hash)
      return row && toToken(row)
    },
    listTokens: async () => (await shared.read(selectTokens)).map(toToken),
    deleteToken: async id => (await within(link => link.run(deleteToken, [id]))).length > 0,

    insertWebhook: webhook => within(link => webhooks.insertWebhook(link, webhook)),
    async findWebhook(id) {
      const row = await first(webhooks.selectWebhook, id)
      return row && toWebhook(row)
    },
    listWebhooks: async () => (await shared.read(webhooks.selectWebhooks)).map(toWebhook),
    updateWebhook: (...asked) => within(link => webhooks.updateWebhook(link, ...asked)),
    deleteWebhook: async id => (await within(link => link.run(webhooks.deleteWebhook, [id]))).length > 0,
    advanceWebhook: progress => within(link => webhooks.advanceWebhook(link, progress)),
    logDelivery: (...asked) => within(link => webhooks.logDelivery(link, ...asked)),
    listDeliveries: async (webhookId, limit, before = Number.MAX_SAFE_INTEGER) =>
      (await shared.read(webhooks.selectDeliveries, [webhookId, before, limit])).map(toDelivery),
    async findDelivery(webhookId, number) {
      const row = await first(webhooks.selectDelivery, webhookId, number)
      return row && toDelivery(row)
    },

    async holdLease(task, holder, milliseconds) {
      // Most of those who ask find that another has it. They only read: to write, even nothing,
      // would lock the row and write to the log.
      const other = await first(
        'SELECT 1 AS is_held FROM leases WHERE task = ? AND holder <> ? AND until >= clock_timestamp()',
        task,
        holder
      )
      if (other) return false
      // Not behind questions, however many wait; twice is as good as once.
      const taken = await shared.read(
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
      await shared.read('DELETE FROM leases WHERE task = ? AND holder = ?', [task, holder])
    },

    setQueryDeadline(milliseconds) {
      queryDeadline = milliseconds
    },

    isNew: async () => Number((await first('SELECT change FROM counters'))?.change) === 0,

    async check() {
      const link = await openLink(servers)
      try {
        return await checkDatabase(link, model)
      } finally {
        await link.close()
      }
    },

    async [Symbol.asyncDispose]() {
      await writer.finish()
      await Promise.all([shared.close(), writing.close(), asking.close(), replicas.close()])
    }
  }
}

/** How many connections are for short reads and how many for questions; one more writes. */
function shareOut(poolSize: number): [forShort: number, forQuestions: number] {
  const forShort = Math.max(1, Math.min(4, Math.floor(poolSize / 3)))
  return [forShort, Math.max(1, poolSize - 1 - forShort)]
}

/**
 * How long a server may take to accept the first connection, in milliseconds: nobody waits for an
 * answer yet.
 */
const startTimeout = 10_000

/** Brings the schema up to date. What stands in the way is said in words, without the password. */
async function prepareDatabase(
  servers: ReturnType<typeof readServers>,
  model: Model,
  followsModel: boolean
): Promise<{ change: number }> {
  const { pathname } = servers.url
  const host = servers.hosts.map(each => `${each.host}:${each.port}`).join(',')
  try {
    const link = await openLink(servers, startTimeout)
    try {
      await migrate(link)
      await fillSearchWords(link, model)
      await noteRules(link, model)
      await deleteOldMarkers(link)
      if (followsModel) await followModel(link, model)
      const [moving] = await link.run('SELECT value FROM properties WHERE name = ?', [moveMarkName])
      if (moving) throw unfinishedMove()
      const [row] = await link.run('SELECT change FROM counters')
      return { change: Number(row?.change) }
    } finally {
      await link.close()
    }
  } catch (cause) {
    throw new Error(`The database "${pathname.slice(1)}" at ${host} cannot be used: ${reason(cause)}`, { cause })
  }
}

function reason(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const inner = cause instanceof AggregateError ? cause.errors : cause === undefined ? [] : [cause]
  return [message, ...inner.map(reason)].join(': ')
}

/** In the order asked for; the server gives rows in any. */
function byIdentifier<T>(identifiers: readonly string[], rows: readonly Row[]): ReadonlyMap<string, T> {
  const found = new Map(rows.map(row => [String(row.identifier), row as T]))
  const inOrder = new Map<string, T>()
  for (const identifier of identifiers) {
    const row = found.get(identifier)
    if (row !== undefined) inOrder.set(identifier, row)
  }
  return inOrder
}
