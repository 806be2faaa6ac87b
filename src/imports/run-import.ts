import type { Parts } from '#catalogue/parts.ts'
import { idsInOrder } from '#domain/entity/ids.ts'
import type { ImportJob, ImportRemark } from '#domain/imports/job.ts'
import type { SourceEntity } from '#formats/source/source-item.ts'
import { findAuthority } from '#events/authority.ts'
import { collectContents, examiningContents } from './collect-contents.ts'
import {
  commitUnit,
  isConcurrency,
  maxTries,
  type EntityLine,
  jobWrites,
  readState,
  type StateWrite,
  findState,
  keys,
  restOf,
  stateWrite
} from './state/import-state.ts'
import { deleteOrphans } from './delete-orphans.ts'
import { findCycle, identifiersOf, type WaitingLine, writerOf } from './place/entities.ts'
import { type BatchOutcome, placeBatch } from './place/place-batch.ts'
import type { ImportItem } from './place/prepare-record.ts'
import { previewWrites } from './preview.ts'
import { createStaging, type Staging } from './state/staging.ts'
import { type BatchPass, type BatchSummary, countEntities, summariseBatch, maxRemarks } from './summarise-batch.ts'
import { attachContent } from '#catalogue/media/attach-content.ts'
import { CatalogueError } from '#domain/errors.ts'

export interface RunOptions {
  /** Called after every batch. */
  readonly onProgress?: (job: ImportJob) => void
  /** Called before every batch; true ends the run there, to be resumed later. */
  readonly isStopped?: () => boolean
  readonly now?: () => number
  /** Number of items of the file that are written together. */
  readonly batchSize?: number
}

/**
 * Items and bytes that are written together: enough for the disk, few enough not to delay other
 * writers.
 */
const defaultBatchSize = 400
const maxBytesInBatch = 2_000_000
/** Maximum number of items of a preview, which holds its writes in memory. */
export const maxInPreview = 20_000
/** Maximum number of waiting lines that are read together. */
const maxWaiting = 100_000

/**
 * Runs an import from its current position to its end. The items are those of the whole file; those
 * that were handled already are skipped. Each batch is written in one transaction together with the
 * progress of the import, so that a killed import can be resumed.
 */
export async function runImport(
  parts: Parts,
  job: ImportJob,
  items: AsyncIterable<ImportItem>,
  options: RunOptions = {}
): Promise<ImportJob> {
  return new ImportRun(parts, job, options).run(items)
}

class ImportRun {
  readonly #parts: Parts
  readonly #staging: Staging
  readonly #newIdFor: (prefix: string) => string
  readonly #options: Required<Pick<RunOptions, 'isStopped' | 'now' | 'batchSize'>> & Pick<RunOptions, 'onProgress'>
  #job: ImportJob
  #since: number
  /** Whether lines with sources have begun. */
  #hasSources = false
  /** Waiting lines, by their number in the file. */
  #waiting = new Map<number, WaitingLine>()
  /** The same lines, by the entities that they wait for. */
  readonly #waitedFor = new Map<string, WaitingLine[]>()
  /** Identifiers that lines of a preview would have created. */
  readonly #created = new Set<string>()

  constructor(parts: Parts, job: ImportJob, options: RunOptions) {
    const { isStopped = () => false, now = Date.now, batchSize = defaultBatchSize, onProgress } = options
    this.#parts = parts
    this.#staging = createStaging(parts.store, { isPreview: job.isPreview })
    this.#newIdFor = idsInOrder(parts.randomBelow)
    this.#options = { isStopped, now, batchSize, ...(onProgress === undefined ? {} : { onProgress }) }
    this.#job = { ...job, state: 'running', startedAt: job.startedAt ?? new Date(now()).toISOString() }
    this.#since = now()
  }

  async run(items: AsyncIterable<ImportItem>): Promise<ImportJob> {
    const { isStopped, now } = this.#options
    await this.#placeFile(await this.#collected(items))
    if (isStopped()) return this.#job
    await this.#writeWaiting({ isEnd: true })
    if (!this.#job.isPreview) this.#job = await settleContents(this.#parts, this.#job)
    if (!this.#job.isPreview)
      await deleteOrphans(this.#parts.store, this.#staging, this.#job.id, async page => {
        const next = countEntities(this.#job, page)
        await commitUnit(this.#parts, next, page.writes, [...page.state, ...jobWrites(next)])
        this.#job = next
      })
    await this.#commit({ ...this.#job, state: 'done', endedAt: new Date(now()).toISOString() }, [], [])
    return this.#job
  }

  /** The items, with one for all pieces of a content. */
  async #collected(items: AsyncIterable<ImportItem>): Promise<AsyncIterable<ImportItem>> {
    const { contents, store } = this.#parts
    const { id, isPreview, by } = this.#job
    const owner = (await findAuthority(store, 'import', id))?.key ?? by
    return collectContents(items, isPreview ? examiningContents(contents) : contents, owner)
  }

  /** Places the items batch by batch. While a batch is written, the next one is read. */
  async #placeFile(items: AsyncIterable<ImportItem>): Promise<void> {
    const { isStopped, batchSize } = this.#options
    const batches = batchesOf(items, this.#job.handled, batchSize)
    const read = () => {
      const reading = batches.next()
      // A failure is handled when the batch is awaited.
      reading.catch(() => {})
      return reading
    }
    try {
      for (let reading = read(); ; ) {
        const { value: batch, done } = await reading
        if (isStopped() || done || (this.#job.isPreview && this.#job.handled >= maxInPreview)) return
        // Lines with sources are about entities, some of which may wait for others.
        if (batch.some(isCarried) && !this.#hasSources) await this.#writeWaiting({ isEnd: false })
        this.#hasSources ||= batch.some(isCarried)
        let ahead: typeof reading | undefined
        await this.#place(batch, 'first', {
          meanwhile: () => {
            ahead ??= read()
          }
        })
        reading = ahead ?? read()
      }
    } finally {
      await batches.return(undefined)
    }
  }

  /** Places one batch; `meanwhile` is called while the batch is on its way to the disk. */
  async #place(
    batch: readonly ImportItem[],
    pass: BatchPass['pass'],
    { allowDangling = this.#job.options.allowDangling ?? false, meanwhile = () => {} } = {}
  ): Promise<void> {
    const { now, onProgress } = this.#options
    for (let tries = 1; ; tries++) {
      this.#staging.clear()
      try {
        const options = { verifies: tries > 1, newIdFor: this.#newIdFor, allowDangling }
        const outcome = await placeBatch(this.#parts, this.#staging, this.#job, batch, options)
        const time = now()
        const summary = summariseBatch(this.#job, outcome, this.#staging.pending(), {
          worked: time - this.#since,
          pass
        })
        const preview = this.#job.isPreview ? previewWrites(this.#job.id, outcome.preview) : []
        const committing = this.#commit(summary.next, summary.lines, [...summary.remarks, ...preview])
        meanwhile()
        await committing
        this.#since = time
        const created = this.#noteWaiting(outcome, summary)
        onProgress?.(this.#job)
        if (pass !== 'last') await this.#placeReady(created)
        return
      } catch (error) {
        if (tries === maxTries || !isConcurrency(error)) throw error
      }
    }
  }

  /** Notes which lines wait. Returns the identifiers of the entities that lines have written. */
  #noteWaiting({ summaries }: BatchOutcome, { waiting }: BatchSummary): string[] {
    const written = summaries.flatMap(({ item, refusal }) => {
      if (item.outcome !== 'entity') return []
      this.#waiting.delete(item.position.number)
      return refusal === undefined ? identifiersOf(item) : []
    })
    for (const each of waiting) {
      this.#waiting.set(each.line.position.number, each)
      for (const id of each.missing) {
        const others = this.#waitedFor.get(id)
        if (others === undefined) this.#waitedFor.set(id, [each])
        else others.push(each)
      }
    }
    if (this.#job.isPreview) for (const each of written) this.#created.add(each)
    return written
  }

  /**
   * Places the lines that waited for entities which exist now, so that later lines, which refer to
   * them, need not wait.
   */
  async #placeReady(created: readonly string[]): Promise<void> {
    if (this.#waitedFor.size === 0 || this.#job.isPreview) return
    const now = new Set(created)
    const ready = new Map<number, WaitingLine>()
    for (const id of now) {
      for (const { line, missing } of this.#waitedFor.get(id) ?? []) {
        const known = this.#waiting.get(line.position.number)
        const left = (known?.missing ?? missing).filter(each => !now.has(each))
        if (known === undefined) continue
        this.#waiting.set(line.position.number, { line, missing: left })
        if (left.length === 0) ready.set(line.position.number, known)
      }
      this.#waitedFor.delete(id)
    }
    const inOrder = [...ready].sort(([one], [other]) => one - other).map(([, each]) => each)
    await this.#placeLines(inOrder, 'again')
  }

  /**
   * Commits a batch. A preview writes only `shown`: remarks, and the outcome that records would
   * have.
   */
  async #commit(job: ImportJob, state: readonly StateWrite[], shown: readonly StateWrite[]): Promise<void> {
    const next = { ...job, attempts: 0 }
    this.#job = next
    const { writes, state: staged } = this.#staging.flush()
    const written = next.isPreview ? { writes: [], state: [] } : { writes, state: [...staged, ...state] }
    await commitUnit(this.#parts, next, written.writes, [...written.state, ...shown, ...jobWrites(next)])
  }

  /**
   * Writes the lines that waited for others. Each round creates entities that other lines wait for;
   * after a round that creates none, the rest refer to each other in a cycle, or to nothing. Lines
   * of a cycle may refer to entities that the others are about to create. Before the end of the
   * file, the rest waits on.
   */
  async #writeWaiting({ isEnd }: { readonly isEnd: boolean }): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const waiting = await this.#readWaiting()
      if (waiting.length === 0) return
      if (waiting.length >= before) break
      before = waiting.length
      await this.#placeLines(waiting, 'again')
    }
    const waiting = await this.#readWaiting()
    const cycle = findCycle(waiting, this.#created)
    await this.#placeLines(cycle, 'last', { allowDangling: true })
    const inCycle = new Set(cycle)
    if (!isEnd) return
    await this.#placeLines(
      waiting.filter(each => !inCycle.has(each)),
      'last'
    )
  }

  async #placeLines(
    lines: readonly WaitingLine[],
    pass: BatchPass['pass'],
    options: { readonly allowDangling?: boolean } = {}
  ): Promise<void> {
    const { batchSize } = this.#options
    for (let at = 0; at < lines.length; at += batchSize)
      await this.#place(
        lines.slice(at, at + batchSize).map(each => toItem(each.line)),
        pass,
        options
      )
  }

  /** Reads the waiting lines. A resumed import finds those of its earlier run in the store. */
  async #readWaiting(): Promise<WaitingLine[]> {
    if (this.#job.isPreview) return [...this.#waiting.values()]
    const stored = await readState(this.#parts.store, 'waiting', this.#job.id, { limit: maxWaiting })
    return stored.map(({ value: line }) => this.#waiting.get(line.position.number) ?? { line, missing: [] })
  }
}

const toItem = (line: EntityLine): SourceEntity => ({
  outcome: 'entity',
  format: 'ndjson',
  ...line,
  defects: [],
  source: new Uint8Array()
})

const isCarried = (item: ImportItem) => item.outcome === 'carried'

/**
 * Groups items into batches, without those that were handled already; a name occurs once in a
 * batch, and lines with sources come after those with entities.
 */
async function* batchesOf(
  items: AsyncIterable<ImportItem>,
  handled: number,
  maxInBatch: number
): AsyncGenerator<ImportItem[], undefined> {
  let skipped = 0
  let batch: ImportItem[] = []
  let bytes = 0
  const names = new Set<string>()
  for await (const item of items) {
    if (skipped < handled) {
      skipped++
      continue
    }
    const name = item.outcome === 'record' || item.outcome === 'deletion' ? item.name : undefined
    const isRepeated = name !== undefined && names.has(name)
    const isOther = batch[0] !== undefined && isCarried(batch[0]) !== isCarried(item)
    if (batch.length >= maxInBatch || bytes >= maxBytesInBatch || isRepeated || isOther) {
      yield batch
      batch = []
      bytes = 0
      names.clear()
    }
    batch.push(item)
    bytes += item.position.length
    if (name !== undefined) names.add(name)
  }
  if (batch.length > 0) yield batch
  return undefined
}

/** Media files that are looked at together. */
const pageSize = 200

/**
 * Looks at the end of an import for the bytes that were missing when their records were written:
 * the file itself may have brought them. The records get the facts of bytes that are there; of the
 * others there is a remark. Returns the job with their number.
 */
async function settleContents(parts: Parts, given: ImportJob): Promise<ImportJob> {
  let job = given
  for (;;) {
    const page = await readState(parts.store, 'missing content', job.id, { limit: pageSize })
    if (page.length === 0) return job
    const missing: ImportRemark[] = []
    for (const { key, value } of page) {
      const facts = await parts.contents.describe(value.sha256)
      if (facts === undefined) missing.push(remarkOn(Number(restOf(key)), value))
      else await attach(parts, job, value.id, facts)
    }
    const remarks = await joinKnown(parts, job, missing)
    job = {
      ...job,
      remarks: job.remarks + remarks.filter(each => each.isNew).length,
      counts: { ...job.counts, missingContents: (job.counts.missingContents ?? 0) + missing.length }
    }
    await commitUnit(
      parts,
      job,
      [],
      [
        ...page.map(({ key }) => stateWrite('missing content', key, null)),
        ...remarks.slice(0, Math.max(0, maxRemarks - given.remarks)).map(each => each.write),
        ...jobWrites(job)
      ]
    )
  }
}

const remarkOn = (
  number: number,
  { id, sha256, offset }: { id: string; sha256: string; offset: number }
): ImportRemark => ({
  number,
  offset,
  outcome: 'noticed',
  remarks: [
    `The bytes of the media file "${id}" (sha256 ${sha256}) are not stored here: upload them, or import an export that includes the media`
  ]
})

/** Adds remarks to those on the same lines. */
async function joinKnown({ store }: Parts, { id: job }: ImportJob, remarks: readonly ImportRemark[]) {
  const known = await findState(
    store,
    'remark',
    remarks.map(each => keys.remark(job, each.number))
  )
  return remarks.map(each => {
    const key = keys.remark(job, each.number)
    const before = known.get(key)
    const joined = before === undefined ? each : { ...before, remarks: [...before.remarks, ...each.remarks] }
    return { isNew: before === undefined, write: stateWrite('remark', key, joined) }
  })
}

/** Writes the facts about bytes, which may differ from those that the file states. */
async function attach(parts: Parts, job: ImportJob, id: string, facts: Parameters<typeof attachContent>[3]) {
  try {
    await attachContent(parts, writerOf(parts, job), id, facts)
  } catch (error) {
    // Somebody deleted the record, or made it invalid, meanwhile.
    if (!(error instanceof CatalogueError) || error.code === 'unavailable') throw error
  }
}
