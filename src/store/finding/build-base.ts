import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'

import type { Model } from '#domain/record-types/model.ts'
import { type Base, type BaseBuilder, buildBase } from '#index/base.ts'
import { mergeBases } from '#index/merge.ts'
import { rulesText } from '../index-progress.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'
import type { Dialect, Row } from '../query/dialect.ts'
import { type BuilderMessage, type BuilderOptions, minUnsaved, type RecordRange } from './builder.ts'
import {
  isSameHistory,
  selectForgotten,
  selectLastChange,
  selectMarks,
  selectRecentChanges,
  toChangeMark,
  toDocumentRow
} from './find-in-index.ts'
import { toDocument } from './index-host.ts'
import { loadSnapshot, saveSnapshot } from './snapshot-file.ts'

/*
 * Makes the base of the index, in a thread of its own: from the last base of the process, or from a
 * stored one, with the records that changed since; where there is neither, from all records, which
 * several threads index.
 */

/** A connection of a thread, in a transaction that sees one moment. */
export interface BuilderConnection {
  readonly dialect: Dialect
  run(statement: string, parameters?: readonly (string | number)[]): MaybePromise<Row[]>
  close(): MaybePromise<void>
}

export interface BuilderThread {
  readonly model: Model
  readonly options: BuilderOptions
  open(): MaybePromise<BuilderConnection>
  /** Starts a thread like this one that builds parts of a base. */
  startPart(range: RecordRange): Worker
  send(message: BuilderMessage): void
}

/** The number of records that are read at once. */
const rowsEach = 1000
/** Maximum number of parts. */
const maxParts = 200
/** Maximum number of threads that build parts. */
const maxThreads = 8
/** A stored base that lacks at most this many changes is used at once. */
const maxLacking = 1000

export async function runBuilder(thread: BuilderThread) {
  const { options, send } = thread
  if (options.range) return buildRange(thread, options.range)
  const { base, database, isFromSnapshot, storedChange } = await makeBase(thread)
  const { snapshot, mayWriteSnapshot } = options
  const isToBeStored = snapshot !== undefined && mayWriteSnapshot && base.change - storedChange >= minUnsaved
  const isStored = snapshot === undefined || isToBeStored
  send({ kind: 'built', base, isFromSnapshot, savedChange: isStored ? base.change : storedChange })
  if (isToBeStored) saveSnapshot(snapshot, base, database)
}

async function makeBase(thread: BuilderThread) {
  const { model, options } = thread
  const connection = await thread.open()
  try {
    const moment = await readMoment(connection)
    const [epoch] = await connection.run(`SELECT value FROM properties WHERE name = 'epoch'`)
    // The same documents give another index by other rules.
    const database = JSON.stringify([epoch?.value, rulesText(model)])
    const { previous, snapshot, savedChange, mayReadSnapshot } = options
    if (previous && (await isOfSameHistory(connection, previous, moment.change))) {
      const base = await mergeChanges(thread, connection, [previous], moment)
      return { base, database, isFromSnapshot: options.isFromSnapshot, storedChange: savedChange }
    }
    const stored = snapshot !== undefined && mayReadSnapshot ? loadSnapshot(snapshot, database) : undefined
    if (stored && (await isOfSameHistory(connection, stored, moment.change))) {
      const isRecent = moment.change - stored.change <= maxLacking
      const base = isRecent ? stored : await mergeChanges(thread, connection, [stored], moment)
      return { base, database, isFromSnapshot: true, storedChange: stored.change }
    }
    const built = await buildFromAll(thread, connection, moment)
    return { base: built, database, isFromSnapshot: false, storedChange: Number.NEGATIVE_INFINITY }
  } finally {
    await connection.close()
  }
}

/** The last changes at the moment of a transaction. */
type Moment = Pick<Base, 'change' | 'recent'>

async function readMoment({ run, dialect }: BuilderConnection): Promise<Moment> {
  const [last] = await run(selectLastChange(dialect.newestChange))
  return { change: Number(last?.change), recent: (await run(selectRecentChanges)).map(toChangeMark) }
}

async function isOfSameHistory({ run, dialect }: BuilderConnection, { change, recent }: Moment, last: number) {
  const marks = await run(selectMarks(dialect), [JSON.stringify(recent.map(each => each.change))])
  const [forgotten] = await run(selectForgotten)
  return change <= last && isSameHistory({ change, recent }, marks, Number(forgotten?.value ?? 0))
}

/** A new base of some that were built at a moment or after it, and of what changed since. */
async function mergeChanges(
  { model, send, options }: BuilderThread,
  { run, dialect }: BuilderConnection,
  bases: readonly [Base, ...Base[]],
  { change, recent }: Moment,
  since = bases[0].change
): Promise<Base> {
  if (bases.length === 1 && change === since) return bases[0]
  const changes = 'SELECT uuid FROM changes WHERE sequence > ? AND sequence <= ?'
  const changed = (await run(changes, [since, change])).map(row => String(row.uuid))
  const numbers = (
    await run(
      `SELECT e.pk FROM ${dialect.entitiesByUuid} WHERE ${dialect.uuidOfEntity} ${dialect.inSelect(changes)} ORDER BY e.pk`,
      [since, change]
    )
  ).map(row => Number(row.pk))
  const parts = new PartsBuilder(options.recordsOfPart, change)
  for (let at = 0; at < numbers.length; at += rowsEach) {
    const rows = await run(
      `SELECT e.pk, e.changed, e.document FROM ${dialect.listedNumbers} w ${dialect.join} entities e ON e.pk = w.value
        ORDER BY e.pk`,
      [JSON.stringify(numbers.slice(at, at + rowsEach))]
    )
    for (const row of rows) parts.add(toDocument(model, toDocumentRow(row)))
    send({ kind: 'progress', done: at + rows.length, of: numbers.length })
  }
  return mergeBases(bases, { bases: parts.done(), changed: new Set(changed) }, change, recent)
}

/** A base of all records: of one part where they are few, else of parts that threads build. */
async function buildFromAll(thread: BuilderThread, connection: BuilderConnection, before: Moment): Promise<Base> {
  const [last] = await connection.run('SELECT max(pk) AS pk, count(*) AS n FROM entities')
  const [all, of] = [Number(last?.pk ?? 0), Number(last?.n)]
  if (of <= thread.options.recordsOfPart) {
    const parts = new PartsBuilder(Number.POSITIVE_INFINITY, before.change, before.recent)
    await readRange(thread, connection, { after: 0, upTo: all, partSize: 0 }, parts, done =>
      thread.send({ kind: 'progress', done, of })
    )
    return parts.done()[0] ?? buildBase().done(before.change, before.recent)
  }
  // Each thread sees a moment of its own, so records that changed since this one are read again.
  const bases = await buildParts(thread, all, of)
  const later = await thread.open()
  try {
    const moment = await readMoment(later)
    const [first, ...others] = bases
    if (!first || !(await isOfSameHistory(later, before, moment.change)))
      throw new Error('The history of the database changed while the index was built')
    return await mergeChanges(thread, later, [first, ...others], moment, before.change)
  } finally {
    await later.close()
  }
}

/** Builds parts of a base in several threads, each of a range of records. */
async function buildParts({ options, startPart, send }: BuilderThread, all: number, of: number): Promise<Base[]> {
  const threads = Math.min(availableParallelism(), maxThreads)
  const partSize = Math.max(options.recordsOfPart, Math.ceil(all / maxParts))
  const read = new Array<number>(threads).fill(0)
  const build = (at: number): Promise<Base[]> => {
    const range = { after: Math.floor((all * at) / threads), upTo: Math.floor((all * (at + 1)) / threads), partSize }
    const bases: Base[] = []
    const { promise, resolve, reject } = Promise.withResolvers<Base[]>()
    const worker = startPart(range)
    worker.on('message', (message: BuilderMessage) => {
      if (message.kind === 'part') bases.push(message.base)
      else if (message.kind === 'progress') {
        read[at] = message.done
        send({ kind: 'progress', done: read.reduce((sum, each) => sum + each, 0), of })
      }
    })
    worker.on('error', reject)
    worker.on('exit', code => (code === 0 ? resolve(bases) : reject(new Error(`A thread ended with ${code}`))))
    return promise
  }
  return (await Promise.all(Array.from({ length: threads }, (_, at) => build(at)))).flat()
}

/** Builds parts of a base from a range of records, and sends them. */
async function buildRange(thread: BuilderThread, range: RecordRange) {
  const connection = await thread.open()
  try {
    const { change } = await readMoment(connection)
    const parts = new PartsBuilder(range.partSize, change)
    await readRange(thread, connection, range, parts, done => thread.send({ kind: 'progress', done, of: 0 }))
    for (const base of parts.done()) thread.send({ kind: 'part', base })
  } finally {
    await connection.close()
  }
}

async function readRange(
  { model }: BuilderThread,
  { run }: BuilderConnection,
  { after, upTo }: RecordRange,
  parts: PartsBuilder,
  report: (done: number) => void
) {
  const read = (from: number) =>
    run(`SELECT pk, changed, document FROM entities WHERE pk > ? AND pk <= ? ORDER BY pk LIMIT ${rowsEach}`, [
      from,
      upTo
    ])
  let done = 0
  let rows = await read(after)
  while (rows.length > 0) {
    // A server reads the next records while these are indexed.
    const next = read(Number(rows.at(-1)?.pk))
    for (const row of rows) parts.add(toDocument(model, toDocumentRow(row)))
    done += rows.length
    report(done)
    rows = await next
  }
}

/** Builds bases of at most some records each. */
class PartsBuilder {
  readonly #size: number
  readonly #change: number
  readonly #recent: Base['recent']
  readonly #bases: Base[] = []
  #builder: BaseBuilder | undefined
  #count = 0

  constructor(size: number, change: number, recent: Base['recent'] = []) {
    this.#size = size
    this.#change = change
    this.#recent = recent
  }

  add(document: Parameters<BaseBuilder['add']>[0]) {
    this.#builder ??= buildBase()
    this.#builder.add(document)
    if (++this.#count === this.#size) this.#finish()
  }

  done(): readonly Base[] {
    this.#finish()
    return this.#bases
  }

  #finish() {
    if (this.#builder) this.#bases.push(this.#builder.done(this.#change, this.#recent))
    this.#builder = undefined
    this.#count = 0
  }
}
