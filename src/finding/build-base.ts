import { availableParallelism } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'

import { createModel, type Model } from '#domain/record-types/model.ts'
import { type Base, type BaseBuilder, buildBase } from '#index/base.ts'
import { mergeBases } from '#index/merge.ts'
import { rulesText } from '#domain/search/index-rules.ts'
import { frugalThread } from '#threads/thread-limits.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
import {
  type BuilderData,
  type BuilderInput,
  type BuilderMessage,
  type BuilderOptions,
  minUnsaved,
  noSnapshot,
  type RecordRange
} from './builder.ts'
import { findRecent, type Moment, readMoment } from './history.ts'
import { toDocument } from './index-host.ts'
import type { Records } from './records.ts'
import { deleteSnapshot, findSnapshotChange, loadSnapshot, saveSnapshot } from './snapshot-file.ts'

/*
 * Makes the base of the index, in a thread of its own: from the last base of the process, or from a
 * stored one, with the records that changed since; where there is neither, from all records, which
 * several threads index.
 */

/** A connection of a thread, in a transaction that sees one moment. */
export interface BuilderConnection {
  readonly records: Records
  close(): MaybePromise<void>
}

interface BuilderThread {
  readonly model: Model
  readonly options: BuilderOptions
  open(): MaybePromise<BuilderConnection>
  /** Starts a thread like this one that builds parts of a base. */
  startParts(ranges: readonly RecordRange[]): Worker
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

/** Builds in the thread of a file, which opens connections to its database. */
export function runBuilder<Place extends object>(
  file: string,
  open: (data: BuilderData<Place>) => MaybePromise<BuilderConnection>
) {
  const data = workerData as BuilderData<Place> & BuilderInput
  return build({
    model: createModel(data.recordTypes),
    options: data,
    open: () => open(data),
    startParts: ranges =>
      new Worker(new URL(file), {
        workerData: { ...data, previous: undefined, ranges },
        resourceLimits: frugalThread(Number.POSITIVE_INFINITY)
      }),
    send: message => parentPort?.postMessage(message)
  })
}

async function build(thread: BuilderThread) {
  const { options, send } = thread
  if (options.ranges) return buildRanges(thread, options.ranges)
  const { base, database, isFromSnapshot, savedChange } = await makeBase(thread)
  const { snapshot, mayWriteSnapshot } = options
  const isSaving = snapshot !== undefined && mayWriteSnapshot && base.change - savedChange >= minUnsaved
  // Without a file there is nothing to save, ever.
  const known = snapshot === undefined ? Number.POSITIVE_INFINITY : savedChange
  send({ kind: 'built', base, isFromSnapshot, savedChange: known, isSaving })
  if (isSaving) send({ kind: 'saved', change: await save(thread, snapshot, base, database, savedChange) })
}

/** Saves a base, unless another process has saved one that is hardly older. Returns its change. */
async function save(thread: BuilderThread, file: string, base: Base, database: string, savedChange: number) {
  // A process that has not read or saved one found none that it could use.
  const stored = savedChange === noSnapshot ? undefined : findSnapshotChange(file, database)
  if (stored !== undefined && base.change - stored < minUnsaved) return stored
  const isPurged = async () => {
    const connection = await thread.open()
    try {
      return await isPurgedAfter(connection.records, base.change)
    } finally {
      await connection.close()
    }
  }
  return (await saveSnapshot(file, base, database, isPurged)) ? base.change : noSnapshot
}

/** The change of the snapshot, which is deleted where it may contain a record that was purged. */
async function withoutPurged(records: Records, file: string | undefined, database: string, known: number) {
  if (file === undefined || known === noSnapshot || !(await isPurgedAfter(records, known))) return known
  // Another process may have saved one since.
  const stored = findSnapshotChange(file, database)
  if (stored !== undefined && !(await isPurgedAfter(records, stored))) return stored
  deleteSnapshot(file)
  return noSnapshot
}

const isPurgedAfter = async (records: Records, change: number) =>
  Number((await records.findProperty('purged')) ?? 0) > change

async function makeBase(thread: BuilderThread) {
  const { model, options } = thread
  const connection = await thread.open()
  const { records } = connection
  try {
    const moment = await readMoment(records)
    // The same documents give another index by other rules.
    const database = JSON.stringify([await records.findProperty('epoch'), rulesText(model)])
    const { previous, snapshot, mayReadSnapshot } = options
    const findSaved = (known: number) => withoutPurged(records, snapshot, database, known)
    if (previous && (await isOfSameHistory(records, previous, moment.change))) {
      const base = await mergeChanges(thread, records, [previous], moment)
      return {
        base,
        database,
        isFromSnapshot: options.isFromSnapshot,
        savedChange: await findSaved(options.savedChange)
      }
    }
    const stored = snapshot !== undefined && mayReadSnapshot ? loadSnapshot(snapshot, database) : undefined
    if (stored && (await isOfSameHistory(records, stored, moment.change))) {
      const savedChange = await findSaved(stored.change)
      const isRecent = moment.change - stored.change <= maxLacking && savedChange === stored.change
      const base = isRecent ? stored : await mergeChanges(thread, records, [stored], moment)
      return { base, database, isFromSnapshot: true, savedChange }
    }
    const built = await buildFromAll(thread, records, moment)
    return { base: built, database, isFromSnapshot: false, savedChange: noSnapshot }
  } finally {
    await connection.close()
  }
}

const isAny = (bases: Base[]): bases is [Base, ...Base[]] => bases.length > 0

const isOfSameHistory = async (records: Records, moment: Moment, last: number) =>
  moment.change <= last && (await findRecent(records, moment)) !== undefined

/** A new base of some that were built at a moment or after it, and of what changed since. */
async function mergeChanges(
  { model, send, options }: BuilderThread,
  records: Records,
  bases: [Base, ...Base[]],
  { change, recent }: Moment,
  since = bases[0].change
): Promise<Base> {
  if (bases.length === 1 && change === since) return bases[0]
  const changed = (await records.changesBetween(since + 1, change)).map(({ uuid }) => uuid)
  const numbers = await records.changedNumbers(since, change)
  const parts = new PartsBuilder(options.recordsOfPart, change)
  for (let at = 0; at < numbers.length; at += rowsEach) {
    const rows = await records.documents(numbers.slice(at, at + rowsEach))
    for (const row of rows) parts.add(toDocument(model, row))
    send({ kind: 'progress', done: at + rows.length, of: numbers.length })
  }
  return mergeBases(bases, { bases: parts.done(), changed: new Set(changed) }, change, recent)
}

/** A base of all records: of one part where they are few, else of parts that threads build. */
async function buildFromAll(thread: BuilderThread, records: Records, before: Moment): Promise<Base> {
  const [all, of] = await Promise.all([records.lastNumber(), records.countRecords()])
  if (of <= thread.options.recordsOfPart) {
    const parts = new PartsBuilder(Number.POSITIVE_INFINITY, before.change, before.recent)
    await readRange(thread, records, { after: 0, upTo: all }, parts, done =>
      thread.send({ kind: 'progress', done, of })
    )
    return parts.done()[0] ?? buildBase().done(before.change, before.recent)
  }
  // Each thread sees a moment of its own, so records that changed since this one are read again.
  const bases = await buildParts(thread, all, of)
  const later = await thread.open()
  try {
    const moment = await readMoment(later.records)
    if (!isAny(bases) || !(await isOfSameHistory(later.records, before, moment.change)))
      throw new Error('The history of the database changed while the index was built')
    return await mergeChanges(thread, later.records, bases, moment, before.change)
  } finally {
    await later.close()
  }
}

/**
 * Builds parts of a base in several threads. They take the parts in turn: later records may cost
 * more than earlier ones, and the last thread decides how long it takes.
 */
async function buildParts({ options, startParts, send }: BuilderThread, all: number, of: number): Promise<Base[]> {
  const threads = Math.min(availableParallelism(), maxThreads)
  const partSize = Math.max(options.recordsOfPart, Math.ceil(all / maxParts))
  const read = new Array<number>(threads).fill(0)
  const build = (at: number): Promise<Map<number, Base>> => {
    const ranges: RecordRange[] = []
    for (let after = at * partSize; after < all; after += threads * partSize)
      ranges.push({ after, upTo: Math.min(after + partSize, all) })
    const bases = new Map<number, Base>()
    const { promise, resolve, reject } = Promise.withResolvers<Map<number, Base>>()
    const worker = startParts(ranges)
    worker.on('message', (message: BuilderMessage) => {
      if (message.kind === 'part') bases.set(message.range * threads + at, message.base)
      else if (message.kind === 'progress') {
        read[at] = message.done
        send({ kind: 'progress', done: read.reduce((sum, each) => sum + each, 0), of })
      }
    })
    worker.on('error', reject)
    worker.on('exit', code => (code === 0 ? resolve(bases) : reject(new Error(`A thread ended with ${code}`))))
    return promise
  }
  const built = await Promise.all(Array.from({ length: threads }, (_, at) => build(at)))
  return built
    .flatMap(bases => [...bases])
    .sort(([one], [other]) => one - other)
    .map(([, base]) => base)
}

/** Builds a part of a base from each range of records, and sends it. */
async function buildRanges(thread: BuilderThread, ranges: readonly RecordRange[]) {
  const connection = await thread.open()
  try {
    const { change } = await connection.records.lastChange()
    let read = 0
    for (const [place, range] of ranges.entries()) {
      const parts = new PartsBuilder(Number.POSITIVE_INFINITY, change)
      read += await readRange(thread, connection.records, range, parts, done =>
        thread.send({ kind: 'progress', done: read + done, of: 0 })
      )
      for (const base of parts.done()) thread.send({ kind: 'part', base, range: place })
    }
  } finally {
    await connection.close()
  }
}

/** Adds the records of a range to parts. Returns how many there are. */
async function readRange(
  { model }: BuilderThread,
  records: Records,
  { after, upTo }: RecordRange,
  parts: PartsBuilder,
  report: (done: number) => void
): Promise<number> {
  const read = (from: number) => records.documentsBetween(from, upTo, rowsEach)
  let done = 0
  let rows = await read(after)
  while (rows.length > 0) {
    // A server reads the next records while these are indexed.
    const next = read(rows.at(-1)?.number ?? upTo)
    for (const row of rows) parts.add(toDocument(model, row))
    done += rows.length
    report(done)
    rows = await next
  }
  return done
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
