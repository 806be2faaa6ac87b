import type { Entity } from '#domain/entity.ts'
import { CatalogueError } from '#domain/errors.ts'
import { everything, type Filter } from '#domain/filter.ts'
import { idsInOrder } from '#domain/ids.ts'
import { evidenceVersion } from '#domain/clustering/evidence.ts'
import { addEntityCounts, type ImportCounts, type ImportJob, type ImportRemark } from '#domain/imports/job.ts'
import type { ImportedDeletion, ImportedEntity, ImportedRecord, ImportItem } from '#domain/imports/item.ts'
import type { EntityWrite, PaperWrite } from '#store/store.ts'
import type { Parts } from '../parts.ts'
import { createDesk, type Desk, type HandedIn, type ImportPapers } from './desk.ts'
import { jobPapers, remarkKind, remarkPaper } from './jobs.ts'
import { digestOf, toNextRecord } from './next-record.ts'
import { placeRecords } from './place-records.ts'
import type { DeletedEntity, Placed, Placing, RecordChange } from './placing.ts'
import { refuseExcess } from './refuse-excess.ts'
import { sweepLoose } from './sweep.ts'
import { waitingKind, waitingPaper, writeEntities, type WrittenEntity } from './write-entities.ts'

export type ImportParts = Parts

export interface RunOptions {
  /** Told after every batch. */
  readonly onProgress?: (job: ImportJob) => void
  /** What became of each record, for whoever shows it. */
  readonly onPlaced?: (placed: readonly Placed[], items: readonly ImportItem[]) => void
  /** Asked before every batch; true ends it there, to be gone on with later. */
  readonly isStopped?: () => boolean
  readonly now?: () => number
  /** How many things of the file are written together. */
  readonly batchSize?: number
}

/** So many things of the file, or bytes, are written together: enough for the disk, few enough for others who want to write. */
const usualBatchSize = 400
const mostBytesInBatch = 2_000_000
/** A preview holds what would be written in memory. */
export const mostInPreview = 20_000
const keptRemarks = 10_000
const mostWaiting = 100_000
const mostTries = 8

/**
 * Runs an import from where it is to its end. The items are those of the whole file: what was handled already is passed over. Each batch is written
 * in one transaction together with how far the import came, so it can be killed at any moment and gone on with.
 */
export async function runImport(
  parts: ImportParts,
  given: ImportJob,
  items: AsyncIterable<ImportItem>,
  options: RunOptions = {}
): Promise<ImportJob> {
  const { onProgress, onPlaced, isStopped = () => false, now = Date.now, batchSize = usualBatchSize } = options
  const desk = createDesk(parts.store, { keeps: given.isPreview })
  const newIdFor = idsInOrder(parts.randomBelow)
  let job: ImportJob = { ...given, state: 'running', startedAt: given.startedAt ?? new Date(now()).toISOString() }
  const finish = (state: ImportJob['state']) => commit({ ...job, state, endedAt: new Date(now()).toISOString() }, [])
  let since = now()

  const commit = async (next: ImportJob, papers: readonly PaperWrite[]) => {
    job = { ...next, attempts: 0 }
    const handed = desk.handIn()
    // Of a preview only what it says is kept.
    const said = papers.filter(each => each.kind === remarkKind)
    if (job.isPreview) await writeUnit(parts, job, [], [...said, ...jobPapers(job)])
    else await writeUnit(parts, job, handed.writes, [...handed.papers, ...papers, ...jobPapers(job)])
  }

  /** `meanwhile` is called when the batch is on its way to the disk. */
  const place = async (
    batch: readonly ImportItem[],
    { isLast = false, isAgain = false, meanwhile = () => {} } = {}
  ) => {
    for (let tries = 1; ; tries++) {
      desk.clear()
      try {
        const outcome = await placeBatch(parts, desk, job, batch, { verifies: tries > 1, newIdFor })
        const time = now()
        const { papers, next } = summarise(job, batch, outcome, desk, { worked: time - since, isLast, isAgain })
        const committing = commit(next, papers)
        meanwhile()
        await committing
        since = time
        onPlaced?.(outcome.placed, batch)
        onProgress?.(job)
        return
      } catch (error) {
        if (tries === mostTries || !isPassing(error)) throw error
      }
    }
  }

  /** Lines that waited for what they point to: each round can only make more of it exist. */
  const writeWaiting = async () => {
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const waiting = (await parts.store.readPapers(waitingKind, { heading: job.id, limit: mostWaiting })).map(
        ({ value }) => JSON.parse(value) as ImportedEntity
      )
      if (waiting.length === 0) return
      const isLast = waiting.length >= before
      before = waiting.length
      for (let at = 0; at < waiting.length; at += batchSize)
        await place(waiting.slice(at, at + batchSize), { isLast, isAgain: true })
    }
  }

  const batches = batchesOf(refuseExcess(parts, items), job.handled, batchSize)
  const read = () => {
    const reading = batches.next()
    // Looked at when its turn has come.
    reading.catch(() => {})
    return reading
  }
  try {
    // While a batch is written, the next one is read.
    for (let reading = read(); ; ) {
      const { value: batch, done } = await reading
      if (isStopped()) return job
      if (done || (job.isPreview && job.handled >= mostInPreview)) break
      let ahead: typeof reading | undefined
      await place(batch, {
        meanwhile: () => {
          ahead ??= read()
        }
      })
      reading = ahead ?? read()
    }
  } finally {
    await batches.return(undefined)
  }
  if (isStopped()) return job
  await writeWaiting()
  if (!job.isPreview) {
    await sweepLoose(parts.store, desk, job.id, async swept => {
      const next = countEntities(job, swept)
      await writeUnit(parts, job, swept.writes, [...swept.papers, ...jobPapers(next)])
      job = next
    })
  }
  await finish('done')
  return job
}

/** Somebody else was quicker; looking again helps. */
export const isPassing = (error: unknown) =>
  error instanceof CatalogueError &&
  ['version_mismatch', 'identifier_taken', 'still_referenced', 'invalid'].includes(error.code)

export async function writeUnit(
  { store }: Pick<ImportParts, 'store'>,
  job: Pick<ImportJob, 'id'>,
  writes: readonly EntityWrite[],
  papers: readonly PaperWrite[]
): Promise<void> {
  await store.write({ writes, by: `import:${job.id}`, papers, isSilent: true })
}

/** Items in order, those already handled passed over; a name comes once in a batch. */
async function* batchesOf(
  items: AsyncIterable<ImportItem>,
  handled: number,
  mostInBatch: number
): AsyncGenerator<ImportItem[], undefined> {
  let passed = 0
  let batch: ImportItem[] = []
  let bytes = 0
  const names = new Set<string>()
  for await (const item of items) {
    if (passed < handled) {
      passed++
      continue
    }
    const name = 'name' in item ? item.name : undefined
    const isAgain = name !== undefined && names.has(name)
    if (batch.length >= mostInBatch || bytes >= mostBytesInBatch || isAgain) {
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

interface BatchOutcome {
  readonly placed: readonly Placed[]
  readonly unchanged: number
  readonly undoNotes: number
  readonly entities: readonly WrittenEntity[]
}

async function placeBatch(
  parts: ImportParts,
  desk: Desk,
  job: ImportJob,
  batch: readonly ImportItem[],
  { verifies, newIdFor }: { readonly verifies: boolean; readonly newIdFor: (prefix: string) => string }
): Promise<BatchOutcome> {
  const named = batch.filter(
    (each): each is ImportedRecord | ImportedDeletion => each.kind === 'record' || each.kind === 'deletion'
  )
  const known = await desk.find(
    'import record',
    named.map(each => each.name)
  )
  const isUnchanged = (item: ImportedRecord | ImportedDeletion) => {
    const record = known.get(item.name)
    if (record === undefined || item.kind !== 'record') return false
    return record.evidenceVersion === evidenceVersion && record.digest === digestOf(item)
  }
  const changes = named
    .filter(each => !isUnchanged(each))
    .map(
      (item): RecordChange => ({
        name: item.name,
        next: item.kind === 'record' ? toNextRecord(item, job.id) : undefined
      })
    )
  let undoNotes = job.undoNotes
  const placing: Placing = {
    ...placingWith(parts, job.id, { isPreview: job.isPreview, newIdFor }),
    verifies,
    noteUndo: undo => desk.put('import undo', `${job.id}\n${String(undoNotes++).padStart(9, '0')}`, undo)
  }
  const natives = batch.filter(each => each.kind === 'entity')
  const entities = await writeEntities(
    parts,
    job,
    natives,
    undo => placing.noteUndo?.(undo),
    async () => {
      if (!job.isPreview)
        await writeUnit(parts, job, [], [...desk.handIn().papers, ...jobPapers({ ...job, undoNotes })])
    }
  )
  const placed = changes.length === 0 ? [] : await placeRecords(desk, changes, placing)
  return { placed, unchanged: named.length - changes.length, undoNotes, entities }
}

/** What placing needs of the catalogue. A preview asks nobody who points where: nothing is going to be deleted. */
export function placingWith(
  parts: ImportParts,
  job: string,
  { isPreview = false, newIdFor = idsInOrder(parts.randomBelow) } = {}
): Placing {
  const { store, model, sanitizeHtml, newUuid } = parts
  return {
    job,
    model,
    sanitizeHtml,
    newUuid,
    newId: type => newIdFor(model.findType(type)?.idPrefix ?? 'X'),
    findReferrers: async id => {
      if (isPreview) return []
      const { references } = await store.findReferences({ id, readableTypes: undefined, skip: 0, limit: 1000 })
      return [...new Set(references.map(each => each.id))]
    },
    ask: filter => askAll(store, filter),
    findLast: retired => findLastIn(store, retired),
    findOwners: async names => new Map([...(await store.identify(names))].map(([name, { id }]) => [name, id]))
  }
}

async function askAll(store: ImportParts['store'], filter: Filter = everything) {
  const { entities } = await store.ask({
    filter,
    readableTypes: undefined,
    order: { items: [{ by: 'created' }], ascending: true },
    skip: 0,
    limit: 1000,
    counted: false
  })
  return entities.map(each => JSON.parse(each.json) as Entity)
}

/** Finds an entity that an import deleted as it was last. Its id may lead to the one that it went over into by now. */
export const findDeletedIn =
  (desk: Desk, store: ImportParts['store']) =>
  async (id: string): Promise<DeletedEntity | undefined> => {
    const retired = (await desk.find('import retired', [id])).get(id)
    if (retired === undefined) return undefined
    const entity = await findLastIn(store, retired)
    return entity && { entity, version: retired.version }
  }

async function findLastIn(
  store: ImportParts['store'],
  { uuid, version }: ImportPapers['import retired']
): Promise<Entity | undefined> {
  const [mark, last] = [await store.findVersionByUuid(uuid, version), await store.findVersionByUuid(uuid, version - 1)]
  // Somebody may have brought it back and deleted it again.
  const isLast = mark?.json === null && (await store.findVersionByUuid(uuid, version + 1)) === undefined
  return isLast && last?.json != null ? (JSON.parse(last.json) as Entity) : undefined
}

interface BatchFacts {
  readonly worked: number
  /** Of lines that come again: whether nothing is to be waited for any more. */
  readonly isLast: boolean
  readonly isAgain: boolean
}

function summarise(
  job: ImportJob,
  batch: readonly ImportItem[],
  outcome: BatchOutcome,
  desk: Desk,
  { worked, isLast, isAgain }: BatchFacts
) {
  const counts: Record<keyof ImportCounts, number> = { ...job.counts }
  counts.unchanged += outcome.unchanged
  const placedByName = new Map(outcome.placed.map(each => [each.name, each]))
  for (const { outcome: became, works } of outcome.placed) {
    if (became === 'unknown') counts.unchanged++
    else counts[became]++
    if (became === 'created') counts.joinedWorks += works.filter(each => !each.isNewWork).length
  }
  const papers: PaperWrite[] = []
  let entities = countEntities(job, desk.laidDown()).entities
  const refusals = new Map<ImportItem, string>()
  for (const { item, outcome: became, type, message } of outcome.entities) {
    const isRefused = became === 'refused' || (became === 'waiting' && isLast)
    if (became === 'waiting' || isAgain) papers.push(waitingPaper(job.id, item, became !== 'waiting' || isLast))
    if (isRefused) {
      counts.unreadable++
      refusals.set(item, message ?? '')
    } else if (became !== 'waiting') {
      counts[became]++
      if (became !== 'unchanged') entities = addEntityCounts(entities, type, became)
    }
  }
  let remarks = job.remarks
  for (const item of batch) {
    if (item.kind === 'fault') counts.unreadable++
    const isKept = 'name' in item && placedByName.get(item.name)?.outcome === 'kept'
    const refusal = refusals.get(item)
    const all = [...item.remarks, ...(isKept ? [keptRemark] : []), ...(refusal === undefined ? [] : [refusal])]
    if (all.length === 0) continue
    const remark: ImportRemark = {
      number: item.position.number,
      offset: item.position.offset,
      ...(item.controlNumber === undefined ? {} : { controlNumber: item.controlNumber }),
      outcome: item.kind === 'fault' || refusal !== undefined ? 'unreadable' : isKept ? 'kept' : 'noticed',
      remarks: all
    }
    if (remarks < keptRemarks) papers.push(remarkPaper(job.id, remark))
    remarks++
  }
  const last = batch.at(-1)?.position
  const next: ImportJob = {
    ...job,
    entities,
    handled: job.handled + (isAgain ? 0 : batch.length),
    bytes: last === undefined ? job.bytes : Math.max(job.bytes, last.offset + last.length),
    worked: job.worked + worked,
    counts,
    remarks,
    undoNotes: outcome.undoNotes
  }
  return { papers, next }
}

const keptRemark = 'The record should go, but people have changed it here or point to it: it stays'

export function countEntities(job: ImportJob, { writes, types }: Pick<HandedIn, 'writes' | 'types'>): ImportJob {
  const whats = { insert: 'created', restore: 'created', update: 'updated', delete: 'deleted' } as const
  const kinds = Map.groupBy(writes.keys(), index => `${writes[index]?.kind} ${types[index]}`)
  let entities = job.entities
  for (const [first = 0, ...others] of kinds.values()) {
    const kind = writes[first]?.kind ?? 'update'
    entities = addEntityCounts(entities, types[first] ?? '', whats[kind], others.length + 1)
  }
  return { ...job, entities }
}
