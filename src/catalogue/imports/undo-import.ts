import { mentionId } from '#domain/clustering/evidence.ts'
import { CatalogueError } from '#domain/errors.ts'
import { deriveTarget } from '#domain/imports/derive.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import { createDesk, type Desk, type ImportPapers } from './desk.ts'
import { jobPapers } from './jobs.ts'
import { placeRecords } from './place-records.ts'
import type { RecordChange } from './placing.ts'
import { planEntities } from './plan-entities.ts'
import { countEntities, findDeletedIn, type ImportParts, isPassing, placingWith, writeUnit } from './run-import.ts'
import { sweepLoose } from './sweep.ts'
import { type EntityUndo, takeEntityBack } from './write-entities.ts'

export interface UndoOptions {
  readonly onProgress?: (job: ImportJob) => void
  readonly isStopped?: () => boolean
  readonly now?: () => number
  readonly batchSize?: number
}

type Undo = ImportPapers['import undo']
type RecordUndo = Extract<Undo, { of: 'record' }>
type TargetUndo = Extract<Undo, { of: 'target' }>

const usualBatchSize = 100
const pageSize = 1000
const mostTries = 8

/**
 * Takes an import back: its records go, those that it changed are again what they were, and works and expressions are found anew without it. What
 * later imports or people have made of them stays. Can be killed at any moment and gone on with.
 */
export async function undoImport(parts: ImportParts, given: ImportJob, options: UndoOptions = {}): Promise<ImportJob> {
  const { onProgress, isStopped = () => false, now = Date.now, batchSize = usualBatchSize } = options
  const { store } = parts
  const desk = createDesk(store)
  const { records, targets, hints, entities } = await readUndo(parts, given.id)
  let job: ImportJob = { ...given, state: 'undoing' }

  const attempt = async (prepare: () => Promise<ImportJob>) => {
    for (let tries = 1; ; tries++) {
      desk.clear()
      try {
        const next = await prepare()
        job = { ...countEntities(next, desk.laidDown()), attempts: 0 }
        const { writes, papers } = desk.handIn()
        await writeUnit(parts, job, writes, [...papers, ...jobPapers(job)])
        onProgress?.(job)
        return
      } catch (error) {
        if (tries === mostTries || !isPassing(error)) throw error
      }
    }
  }
  const pending = new Set(records.keys())
  const placing = {
    ...placingWith(parts, given.id),
    hints,
    isPending: (record: string) => pending.has(record),
    findDeleted: findDeletedIn(desk, store)
  }

  const all = [...records.values()]
  for (let at = 0; at < all.length; at += batchSize) {
    if (isStopped()) return job
    const batch = all.slice(at, at + batchSize)
    for (const each of batch) pending.delete(each.name)
    await attempt(async () => {
      const changes = await changesBack(desk, batch, given.id)
      const placed = changes.length === 0 ? [] : await placeRecords(desk, changes, placing)
      const kept = placed.filter(each => each.outcome === 'kept').length
      return {
        ...job,
        handled: Math.max(0, job.handled - batch.length),
        counts: { ...job.counts, kept: job.counts.kept + kept }
      }
    })
  }
  // Only now is every id free again that a record had taken along to another work; and some only when others are back in their place.
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const astray = await findAstray(desk, hints)
    if (astray.length === 0 || astray.length >= before) break
    before = astray.length
    for (let at = 0; at < astray.length; at += batchSize) {
      if (isStopped()) return job
      await attempt(async () => {
        await placeRecords(desk, [], placing, astray.slice(at, at + batchSize))
        return job
      })
    }
  }
  for (let at = 0; at < targets.length; at += batchSize) {
    if (isStopped()) return job
    await attempt(async () => {
      await targetsBack(desk, targets.slice(at, at + batchSize), placing)
      return job
    })
  }
  for (let left = entities, before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
    before = left.length
    const still: EntityUndo[] = []
    for (const each of left) {
      if (isStopped()) return job
      if (!(await takeEntityBack(parts, job, each))) still.push(each)
    }
    left = still
    job = { ...job, counts: { ...job.counts, kept: left.length } }
  }
  for (;;) {
    const page = await store.readPapers('import passed', { heading: job.id, limit: batchSize })
    if (page.length === 0) break
    await attempt(async () => {
      await dropPassedNames(desk, page, placing)
      return job
    })
  }
  await sweepLoose(store, desk, job.id, async swept => {
    const next = countEntities(job, swept)
    await writeUnit(parts, job, swept.writes, [...swept.papers, ...jobPapers(next)])
    job = next
  })
  await forgetUndo(parts, job.id)
  job = { ...job, state: 'undone', endedAt: new Date(now()).toISOString() }
  await writeUnit(parts, job, [], jobPapers(job))
  return job
}

/** How everything was before the import first touched it. */
async function readUndo({ store }: ImportParts, job: string) {
  const records = new Map<string, RecordUndo>()
  const targets = new Map<string, { first: TargetUndo; last: TargetUndo }>()
  const entities = new Map<string, EntityUndo>()
  const hints = new Map<string, { workId: string; expressionId: string }>()
  const hint = (mention: string, { workId, expressionId }: { workId: string; expressionId: string }) => {
    if (!hints.has(mention)) hints.set(mention, { workId, expressionId })
  }
  for (let after: string | undefined; ; ) {
    const range = { heading: job, limit: pageSize, ...(after === undefined ? {} : { after }) }
    const page = await store.readPapers('import undo', range)
    for (const { value } of page) {
      const undo = JSON.parse(value) as Undo
      if (undo.of === 'record' && !records.has(undo.name)) {
        records.set(undo.name, undo)
        for (const [place, mention] of undo.before?.mentions.entries() ?? []) hint(mentionId(undo.name, place), mention)
      }
      if (undo.of === 'mention') hint(undo.mention, undo)
      if (undo.of === 'entity' && !entities.has(undo.id)) entities.set(undo.id, undo)
      if (undo.of === 'target') targets.set(undo.key, { first: targets.get(undo.key)?.first ?? undo, last: undo })
    }
    after = page.at(-1)?.key
    if (page.length < pageSize) break
  }
  return {
    records,
    targets: [...targets].map(([key, each]) => ({ key, ...each })),
    hints,
    // What came later points to what came before.
    entities: [...entities.values()].reverse()
  }
}

/** Mentions that are not where they were. */
async function findAstray(desk: Desk, hints: ReadonlyMap<string, { workId: string; expressionId: string }>) {
  const now = await desk.find('import mention', hints.keys())
  return [...now].flatMap(([id, { workId, expressionId }]) => {
    const hint = hints.get(id)
    return hint !== undefined && (hint.workId !== workId || hint.expressionId !== expressionId) ? [id] : []
  })
}

/** Records as they were. One that a later import has changed is left as that made it. */
async function changesBack(desk: Desk, batch: readonly RecordUndo[], job: string): Promise<RecordChange[]> {
  const known = await desk.find(
    'import record',
    batch.map(each => each.name)
  )
  return batch.flatMap(({ name, before }): RecordChange[] => {
    const record = known.get(name)
    if (record !== undefined && record.job !== job) return []
    if (before === null) return record === undefined ? [] : [{ name, next: undefined }]
    const { manifestationId, ...rest } = before.record
    return [
      {
        name,
        next: {
          record: rest,
          mentions: before.mentions,
          source: before.source,
          targets: new Map(),
          identifier: undefined,
          manifestationId
        }
      }
    ]
  })
}

/** Names that it had written otherwise, as they were, unless another import wrote them since. */
async function targetsBack(
  desk: Desk,
  targets: readonly { readonly key: string; readonly first: TargetUndo; readonly last: TargetUndo }[],
  placing: ReturnType<typeof placingWith>
) {
  const known = await desk.find(
    'import target',
    targets.map(each => each.key)
  )
  const plans = targets.flatMap(({ key, first, last }) => {
    const target = known.get(key)
    if (target === undefined || !isSame(deriveTarget(target), deriveTarget(last.after))) return []
    desk.put('import target', key, { ...first.before, id: target.id, exists: target.exists })
    return target.exists ? [{ id: target.id, base: deriveTarget(target), next: deriveTarget(first.before) }] : []
  })
  const none = {
    find: () => undefined,
    findMissing: () => undefined,
    keyOf: () => undefined,
    retired: new Map(),
    changed: [],
    made: () => {}
  }
  await planEntities(desk, plans, none, { ...placing, findDeleted: async () => undefined })
}

/** Names of entities that there would not have been without the import, and that others have taken over. */
async function dropPassedNames(
  desk: Desk,
  page: readonly { readonly key: string; readonly value: string }[],
  { findOwners }: ReturnType<typeof placingWith>
) {
  const names = new Set(page.flatMap(({ value }) => JSON.parse(value) as string[]))
  const owners = new Set((await findOwners([...names])).values())
  for (const { content, version } of (await desk.findEntities(owners)).values()) {
    const otherIdentifiers = content.otherIdentifiers.filter(each => !names.has(each))
    if (otherIdentifiers.length < content.otherIdentifiers.length)
      desk.write({ kind: 'update', content: { ...content, otherIdentifiers }, expectedVersion: version }, content.type)
  }
  for (const { key } of page) desk.put('import passed', key, null)
}

async function forgetUndo(parts: ImportParts, job: string) {
  for (;;) {
    const page = await parts.store.readPapers('import undo', { heading: job, limit: pageSize })
    if (page.length === 0) return
    const papers = page.map(({ key }) => ({ kind: 'import undo', key, value: null }))
    await writeUnit(parts, { id: job }, [], papers)
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Why an import cannot be taken back, where it cannot. */
export function refuseUndo({ state, isPreview }: ImportJob) {
  if (isPreview) throw new CatalogueError('invalid', 'A preview has written nothing; there is nothing to take back')
  if (state === 'undone') throw new CatalogueError('invalid', 'This import was taken back already')
  if (state === 'waiting' || state === 'running' || state === 'uploading')
    throw new CatalogueError('invalid', 'This import is not finished; stop it first')
}
