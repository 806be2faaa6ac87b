import type { Model } from '#domain/model.ts'
import type { Base } from '#index/base.ts'
import type { FindAnswer } from '#index/find.ts'
import { createBaseKeeper, type FinderState } from '../finding.ts'
import { createReaderTurns } from '../reader-turns.ts'
import type { Answer, Question, StoredEntity, SuggestionQuestion } from '../store.ts'
import { linkWorker, type WorkerLink } from '../worker-link.ts'
import type { Row, Statement } from './connection.ts'
import type { DocumentRow, IndexReply, IndexRequest, IndexWorkerData, KeepingUp } from './index-worker.ts'

type All = (statement: Statement) => Promise<Row[]>

/** What a transaction hands to whoever finds in it. */
export interface FindingWithin {
  readonly all: All
  /** The last change that the transaction knows of. */
  readonly change: number
  /** In milliseconds; throws when there is none. */
  readonly timeLeft: () => number
}

/** Runs some work in a transaction that sees one moment. */
export type Within = <T>(work: (within: FindingWithin) => Promise<T>) => Promise<T>

/** Finds by an index that threads of this process have. Undefined where the database has to answer. */
export interface Finder {
  ask(within: Within, question: Question): Promise<Answer | undefined>
  suggest(within: Within, question: SuggestionQuestion): Promise<readonly StoredEntity[] | undefined>
  close(): Promise<void>
}

/** A thread, and what its index is taken to know of. */
interface IndexThread {
  readonly link: WorkerLink<IndexRequest>
  /** The last change it took in; -1 when it has no index. */
  change: number
  base: number
  /** What the last change was, so that another history with the same numbers is told from it. */
  mark: string
}

/** A base, with what its last change was. */
interface MarkedBase {
  readonly base: Base
  readonly mark: string
}

/**
 * A thread that is further behind than this does not catch up within a question: reading the documents is part of its deadline, and where
 * they did not all come in time, the next question would begin anew.
 */
const maxChangesBehind = 500

/** How many documents are read at once for a new base. */
const rowsEach = 500

export function createFinder(model: Model, count: number, currentDeadline: () => number, reading: Within): Finder {
  const data: IndexWorkerData = { recordTypes: model.recordTypes }
  const startLink = () => linkWorker<IndexRequest>(new URL('./index-worker.ts', import.meta.url), data)
  const threads = Array.from(
    { length: count },
    (): IndexThread => ({ link: startLink(), change: -1, base: -1, mark: '' })
  )
  const turns = createReaderTurns(threads, currentDeadline, undefined, {
    readyAtStart: 1,
    prepare: ({ link }) => link.untilUp()
  })
  const marks = new WeakMap<Base, string>()
  const keeper = createBaseKeeper(async signal => {
    const { base, mark } = await buildBase(startLink(), reading, signal)
    marks.set(base, mark)
    return base
  })
  let isClosed = false
  let isFirstUp = false

  const behind = (thread: IndexThread): undefined => {
    keeper.note({ base: thread.base, delta: 0, size: 0, isBehind: true })
    return undefined
  }

  /** What a thread must be told before it can answer in a transaction; undefined where that is too much. */
  const keepUpWith = async (
    thread: IndexThread,
    { all, change, timeLeft }: FindingWithin
  ): Promise<{ readonly keepingUp: KeepingUp; readonly mark: string } | undefined> => {
    const newer = keeper.base && keeper.base.change > thread.base ? keeper.base : undefined
    const isNew = newer !== undefined || thread.change < 0
    const from = newer?.change ?? Math.max(0, thread.change)
    const known = newer ? (marks.get(newer) ?? '') : thread.change < 0 ? '' : thread.mark
    if (change < from || change - from > maxChangesBehind) return behind(thread)
    // Documents of an older database may have no change of their own, so an index that begins with nothing reads them all.
    const isFirst = isNew && newer === undefined
    const [rows, marked] = await Promise.all([
      isFirst
        ? all({
            text: 'SELECT 1 AS n, uuid, pk, changed, document FROM entities ORDER BY pk LIMIT ?',
            parameters: [maxChangesBehind + 1]
          })
        : all({
            text: `SELECT c.n, c.uuid, e.pk, e.changed, e.document FROM (
                SELECT uuid, count(*) AS n FROM changes WHERE sequence > ? AND sequence <= ? GROUP BY uuid
              ) c LEFT JOIN entities e ON e.uuid = c.uuid`,
            parameters: [from, change]
          }),
      all({ text: markOf, parameters: [change, from, from] })
    ])
    const markAt = (sequence: number) => String(marked.find(row => Number(row.sequence) === sequence)?.mark ?? '')
    // Where the last change that the index knows of was another one, another server has taken over.
    if (from > 0 && known !== '' && markAt(from) !== known && !marked.some(row => Number(row.forgotten) >= from)) {
      thread.change = -1
      thread.base = -1
      keeper.discard()
      return behind(thread)
    }
    // Numbers have no gaps: where some are missing, they were forgotten.
    const isWhole = isFirst
      ? rows.length <= maxChangesBehind
      : rows.reduce((sum, row) => sum + Number(row.n), 0) === change - from
    if (!isWhole) return behind(thread)
    const written = rows.filter(row => row.pk !== null).map(toDocumentRow)
    const removed = rows.filter(row => row.pk === null).map(row => String(row.uuid))
    const base = newer ?? (isNew ? 'none' : undefined)
    return {
      keepingUp: { base, from, change, written, removed, timeLeft: timeLeft() },
      mark: change === from && markAt(change) === '' ? known : markAt(change)
    }
  }

  /** Sends a question to a thread, after what it must be told. */
  const send = async (
    thread: IndexThread,
    within: FindingWithin,
    toRequest: (keepingUp: KeepingUp) => IndexRequest
  ): Promise<Exclude<IndexReply, { kind: 'lost' }> | undefined> => {
    const told = await keepUpWith(thread, within)
    if (!told) return undefined
    // Until it answers, nobody knows what it knows.
    thread.change = -1
    thread.base = -1
    const reply = (await thread.link.ask(toRequest(told.keepingUp))) as IndexReply
    if (reply.kind === 'lost') return undefined
    thread.change = told.keepingUp.change
    thread.mark = told.mark
    thread.base = reply.state.base
    keeper.note(reply.state satisfies FinderState)
    return reply
  }

  const answerBy = async (
    thread: IndexThread,
    within: FindingWithin,
    question: Question
  ): Promise<FindAnswer | undefined> => {
    const reply = await send(thread, within, keepingUp => ({ kind: 'find', keepingUp, question }))
    if (reply?.kind === 'found') return reply.answer
    if (reply?.kind === 'late') within.timeLeft()
    if (reply?.kind !== 'needs') return undefined
    const rows = await within.all({
      text: `SELECT e.pk, v.changed FROM entities e JOIN versions v ON v.uuid = e.uuid AND v.document IS NOT NULL
        AND v.changed = (SELECT max(o.changed) FROM versions o WHERE o.uuid = e.uuid AND o.changed <= ?)
        WHERE e.pk = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)::bigint))`,
      parameters: [reply.change, JSON.stringify(reply.numbers)]
    })
    const before = rows.map(row => [Number(row.pk), Number(row.changed)] as const)
    const again = await send(thread, within, keepingUp => ({ kind: 'find', keepingUp, question, before }))
    return again?.kind === 'found' ? again.answer : undefined
  }

  /** The first question starts a thread; until it is up, the database answers. */
  const isUp = (): boolean => {
    if (!isFirstUp)
      threads[0]?.link.untilUp().then(
        () => {
          isFirstUp = true
        },
        () => {}
      )
    return isFirstUp
  }

  const take = <T>(work: (thread: IndexThread) => Promise<T>): Promise<T> | Promise<undefined> =>
    isClosed || !isUp()
      ? Promise.resolve(undefined)
      : turns.take(async thread => {
          await thread.link.untilUp()
          return work(thread)
        }, false)

  return {
    ask: (within, question) =>
      take(thread =>
        within(async inside => {
          const found = await answerBy(thread, inside, question)
          if (!found) return undefined
          const { numbers, ...rest } = found
          return { ...rest, entities: await readDocuments(inside.all, numbers) }
        })
      ),
    suggest: (within, question) =>
      take(thread =>
        within(async inside => {
          const reply = await send(thread, inside, keepingUp => ({ kind: 'suggest', keepingUp, question }))
          if (reply?.kind === 'late') inside.timeLeft()
          return reply?.kind === 'suggested' ? readDocuments(inside.all, reply.numbers) : undefined
        })
      ),
    async close() {
      isClosed = true
      // What was asked is still answered.
      while (!turns.isIdle) await new Promise(resolve => setTimeout(resolve, 2))
      await keeper.close()
      await Promise.all(threads.map(({ link }) => link.close()))
    }
  }
}

/** What a change was, by its number; and up to which number changes were forgotten. */
const markOf = `SELECT c.sequence, concat_ws(' ', c.uuid, c.version, c.at) AS mark,
    (SELECT value::bigint FROM properties WHERE name = 'forgotten') AS forgotten
  FROM changes c WHERE c.sequence IN (?, ?)
  UNION ALL SELECT NULL, NULL, value::bigint FROM properties WHERE name = 'forgotten' AND value::bigint >= ?`

const toDocumentRow = (row: Row): DocumentRow => ({
  number: Number(row.pk),
  changed: Number(row.changed),
  document: String(row.document)
})

async function readDocuments(all: All, numbers: readonly number[]): Promise<StoredEntity[]> {
  if (numbers.length === 0) return []
  const rows = await all({
    text: `SELECT e.pk, e.id, e.uuid, e.type, e.version, e.document FROM entities e
      WHERE e.pk = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)::bigint))`,
    parameters: [JSON.stringify(numbers)]
  })
  const byNumber = new Map(rows.map(row => [Number(row.pk), row]))
  return numbers.map(number => {
    const row = byNumber.get(number)
    if (!row) throw new Error(`The index has a document ${number} that the database has not`)
    return {
      id: String(row.id),
      uuid: String(row.uuid),
      type: String(row.type),
      version: Number(row.version),
      json: String(row.document)
    }
  })
}

/** Reads all documents as of one moment and hands them to a thread, which makes a base of them. */
async function buildBase(link: WorkerLink<IndexRequest>, reading: Within, signal: AbortSignal): Promise<MarkedBase> {
  try {
    return await reading(async ({ all, change }) => {
      let last = -1
      for (;;) {
        signal.throwIfAborted()
        const rows = await all({
          text: 'SELECT pk, changed, document FROM entities WHERE pk > ? ORDER BY pk LIMIT ?',
          parameters: [last, rowsEach]
        })
        if (rows.length === 0) break
        last = Number(rows.at(-1)?.pk)
        await link.ask({ kind: 'add', rows: rows.map(toDocumentRow) })
      }
      const [marked] = await all({ text: markOf, parameters: [change, change, change] })
      const base = (await link.ask({ kind: 'build', change })) as Base
      return { base, mark: String(marked?.mark ?? '') }
    })
  } finally {
    await link.close()
  }
}
