import { mentionId } from '#domain/clustering/evidence.ts'
import { CatalogueError, missingTargetsIn } from '#domain/errors.ts'
import { deriveAuthority } from '#domain/imports/derive.ts'
import { type ImportJob, maxListedRetained, type RetainedEntity } from '#domain/imports/job.ts'
import type { ExistingEntity } from '#domain/imports/decide-entities.ts'
import { isSameJson } from '#domain/json.ts'
import type { Parts } from '#catalogue/parts.ts'
import type { EntityWrite } from '#store/ports/entities.ts'
import { commitUnit, isConcurrency, maxTries } from './commit.ts'
import { deleteOrphans, isNewReference } from './delete-orphans.ts'
import { findDeletedIn, placingFor } from './place/catalogue-access.ts'
import { type HoldingsChange, placeHoldings } from './place/place-holdings.ts'
import { placeRecords } from './place/place-records.ts'
import { noAuthorities, type RecordChange } from './place/placing.ts'
import { stageEntities } from './place/stage-entities.ts'
import { digestOfValue } from './place/take-carried.ts'
import {
  type EntityUndo,
  type ImportState,
  jobWrites,
  keys,
  readState,
  type StateUndo,
  stateWrite,
  type Undo
} from './state/import-state.ts'
import { createStaging, type Flushed, type Staging } from './state/staging.ts'
import { countEntities } from './summarise-batch.ts'
import { undoCycles, undoLine } from './write-lines.ts'

export interface UndoOptions {
  readonly onProgress?: (job: ImportJob) => void
  readonly isStopped?: () => boolean
  readonly now?: () => number
  readonly batchSize?: number
}

type RecordUndo = Extract<Undo, { of: 'record' }>
type HoldingsUndo = Extract<Undo, { of: 'holdings' }>
type RowUndo = Extract<Undo, { of: 'row' }>
type TargetUndo = Extract<Undo, { of: 'target' }>

const defaultBatchSize = 100
const pageSize = 1000

/**
 * Undoes an import: its records are deleted, those that it changed get back their earlier state,
 * and works and expressions are found again without it. Changes by later imports or by people stay,
 * and so do entities that somebody refers to by now; the job lists them. A killed undo can be
 * resumed.
 */
export async function undoImport(parts: Parts, given: ImportJob, options: UndoOptions = {}): Promise<ImportJob> {
  const { onProgress, isStopped = () => false, now = Date.now, batchSize = defaultBatchSize } = options
  const { store } = parts
  const staging = createStaging(store)
  const { records, holdings, authorities, hints, entities, rows, states } = await readUndo(parts, given.id)
  let job: ImportJob = { ...given, state: 'undoing' }
  const retain = (id: string, reason: string) => {
    job = withRetained(job, { id, reason })
  }
  const onRetained = ({ content: { id }, createdBy }: ExistingEntity) => {
    if (createdBy === `import:${given.id}`) job = withRetained(job, notDeleted(id))
  }
  /** Entities that somebody referred to while they were deleted, and targets that do not exist. */
  const referredTo = new Set<string>()
  const missing = new Set<string>()

  const attempt = async (prepare: () => Promise<ImportJob>) => {
    const before = job
    for (let tries = 1; ; ) {
      staging.clear()
      job = before
      try {
        const next = await prepare()
        job = { ...countEntities(next, staging.pending()), attempts: 0 }
        const { writes, state } = staging.flush()
        const sound = writes.map(each => withoutRelationsTo(each, missing, retain))
        await commitUnit(parts, job, sound, [...state, ...jobWrites(job)])
        onProgress?.(job)
        return
      } catch (error) {
        if (isNewReference(error, referredTo) || areNewTargets(error, missing)) continue
        if (tries++ === maxTries || !isConcurrency(error)) throw error
      }
    }
  }
  const pending = new Set(records.keys())
  const known = placingFor(parts, given.id)
  const placing = {
    ...known,
    onRetained,
    // The referrer may be gone again; the entity stays all the same.
    findReferrers: async (id: string) => [...(await known.findReferrers(id)), ...(referredTo.has(id) ? [''] : [])],
    hints,
    yields: (record: string) => pending.has(record),
    findDeleted: findDeletedIn(staging, store),
    undoNotes: {
      // While records are still to be put back, a mention that the import did not move may lose its
      // place to one that it did move.
      add: (undo: Undo) => {
        if (undo.of !== 'mention') return
        const hint = hints.get(undo.mention) ?? undo
        hints.set(undo.mention, hint)
        staging.put('undo', keys.moved(given.id, undo.mention), { ...undo, ...hint })
      }
    }
  }

  // A publication with items cannot be deleted, so they come first.
  for (let at = 0; at < holdings.length; at += batchSize) {
    if (isStopped()) return job
    await attempt(async () => {
      await placeHoldings(
        staging,
        await restoringHoldings(staging, holdings.slice(at, at + batchSize), given.id),
        placing
      )
      return job
    })
  }
  const all = [...records.values()]
  for (let at = 0; at < all.length; at += batchSize) {
    if (isStopped()) return job
    const batch = all.slice(at, at + batchSize)
    for (const each of batch) pending.delete(each.name)
    await attempt(async () => {
      const changes = await restoringChanges(staging, batch, given.id)
      const placed = changes.length === 0 ? [] : await placeRecords(staging, changes, placing)
      const retained = placed.filter(each => each.outcome === 'kept')
      return retained.reduce(
        (sum, { name, manifestationId = name }) => withRetained(sum, notDeleted(manifestationId)),
        {
          ...job,
          handled: Math.max(0, job.handled - batch.length),
          counts: { ...job.counts, kept: job.counts.kept + retained.length }
        }
      )
    })
  }
  // Only now is every id free again that a record had taken along to another work; and some only
  // after other mentions have moved back.
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const moved = await findMoved(staging, hints)
    if (moved.length === 0 || moved.length >= before) break
    before = moved.length
    for (let at = 0; at < moved.length; at += batchSize) {
      if (isStopped()) return job
      await attempt(async () => {
        await placeRecords(staging, [], placing, moved.slice(at, at + batchSize))
        return job
      })
    }
  }
  for (let at = 0; at < authorities.length; at += batchSize) {
    if (isStopped()) return job
    await attempt(async () => {
      await restoreAuthorities(staging, authorities.slice(at, at + batchSize), placing)
      return job
    })
  }
  for (let at = 0; at < states.length; at += batchSize) {
    if (isStopped()) return job
    await attempt(async () => {
      await restoreState(staging, states.slice(at, at + batchSize))
      return job
    })
  }
  for (let at = 0; at < rows.length; at += batchSize) {
    if (isStopped()) return job
    await attempt(async () => {
      for (const { key, before } of rows.slice(at, at + batchSize)) staging.put('row', key, before)
      return job
    })
  }
  let left: readonly EntityUndo[] = entities
  for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
    before = left.length
    const still: EntityUndo[] = []
    for (const each of left) {
      if (isStopped()) return job
      if (!(await undoLine(parts, job, each, warning => retain(each.id, warning)))) still.push(each)
    }
    // The rest may refer to each other in a cycle, and to nothing else.
    left = still.length < before ? still : await undoCycles(parts, job, still)
  }
  job = left.reduce((sum, { id }) => withRetained(sum, notDeleted(id)), {
    ...job,
    counts: { ...job.counts, kept: job.counts.kept + left.length }
  })
  for (;;) {
    const page = await readState(store, 'merged', job.id, { limit: batchSize })
    if (page.length === 0) break
    await attempt(async () => {
      await dropMergedIdentifiers(staging, page, placing)
      return job
    })
  }
  const writeOrphans = async (page: Flushed) => {
    const next = countEntities(job, page)
    await commitUnit(parts, job, page.writes, [...page.state, ...jobWrites(next)])
    job = next
  }
  await deleteOrphans(store, staging, job.id, writeOrphans, onRetained)
  await deleteUndoNotes(parts, job.id)
  job = { ...job, state: 'undone', endedAt: new Date(now()).toISOString() }
  await commitUnit(parts, job, [], jobWrites(job))
  return job
}

const notDeleted = (id: string): RetainedEntity => ({
  id,
  reason: 'Not deleted, or not restored: it was edited here or other records refer to it'
})

/** Adds to the entities that an undo retained; each is listed once. */
function withRetained(job: ImportJob, entity: RetainedEntity): ImportJob {
  const { retained = [] } = job
  const isListed = retained.some(each => isSameJson(each, entity)) || retained.length >= maxListedRetained
  return isListed ? job : { ...job, retained: [...retained, entity] }
}

/** Whether relations lead to entities that were deleted, other than those that were known. */
function areNewTargets(error: unknown, missing: Set<string>): boolean {
  const found = missingTargetsIn(error)?.filter(key => !missing.has(key)) ?? []
  for (const key of found) missing.add(key)
  return found.length > 0
}

/** A write without relations to entities that do not exist: they were deleted since. */
function withoutRelationsTo(
  write: EntityWrite,
  missing: ReadonlySet<string>,
  retain: (id: string, reason: string) => void
): EntityWrite {
  if (write.kind === 'delete' || missing.size === 0) return write
  const { content } = write
  for (const { key, type } of content.relations)
    if (missing.has(key)) retain(content.id, `Restored without the relation ${type} to "${key}": it does not exist`)
  return { ...write, content: { ...content, relations: content.relations.filter(({ key }) => !missing.has(key)) } }
}

/** Reads the state of everything before the import first changed it. */
async function readUndo({ store }: Parts, job: string) {
  const records = new Map<string, RecordUndo>()
  const authorities = new Map<string, { first: TargetUndo; last: TargetUndo }>()
  const entities = new Map<string, EntityUndo>()
  const rows = new Map<string, RowUndo>()
  const holdings = new Map<string, HoldingsUndo>()
  const states: StateUndo[] = []
  const hints = new Map<string, { workId: string; expressionId: string }>()
  const hint = (mention: string, { workId, expressionId }: { workId: string; expressionId: string }) => {
    if (!hints.has(mention)) hints.set(mention, { workId, expressionId })
  }
  for (let after: string | undefined; ; ) {
    const page = await readState(store, 'undo', job, { limit: pageSize, after })
    for (const { value: undo } of page) {
      if (undo.of === 'record' && !records.has(undo.name)) {
        records.set(undo.name, undo)
        for (const [place, mention] of undo.before?.mentions.entries() ?? []) hint(mentionId(undo.name, place), mention)
      }
      if (undo.of === 'holdings' && !holdings.has(undo.name)) holdings.set(undo.name, undo)
      if (undo.of === 'row' && !rows.has(undo.key)) rows.set(undo.key, undo)
      if (undo.of === 'state') states.push(undo)
      if (undo.of === 'mention') hint(undo.mention, undo)
      if (undo.of === 'entity' && !entities.has(undo.id)) entities.set(undo.id, undo)
      if (undo.of === 'target')
        authorities.set(undo.key, { first: authorities.get(undo.key)?.first ?? undo, last: undo })
    }
    after = page.at(-1)?.key
    if (page.length < pageSize) break
  }
  return {
    records,
    holdings: [...holdings.values()],
    authorities: [...authorities].map(([key, each]) => ({ key, ...each })),
    hints,
    rows: [...rows.values()],
    states: states.reverse(),
    // Later entities refer to earlier ones.
    entities: [...entities.values()].reverse()
  }
}

/** Finds mentions that are not in their earlier work and expression. */
async function findMoved(staging: Staging, hints: ReadonlyMap<string, { workId: string; expressionId: string }>) {
  const now = await staging.find('mention', hints.keys())
  return [...now].flatMap(([id, { workId, expressionId }]) => {
    const hint = hints.get(id)
    return hint !== undefined && (hint.workId !== workId || hint.expressionId !== expressionId) ? [id] : []
  })
}

/**
 * Makes changes that restore records. A record that a later import has changed is left unchanged.
 */
async function restoringChanges(staging: Staging, batch: readonly RecordUndo[], job: string): Promise<RecordChange[]> {
  const known = await staging.find(
    'record',
    batch.map(each => each.name)
  )
  return batch.flatMap(({ name, before }): RecordChange[] => {
    const record = known.get(name)
    if (record !== undefined && record.job !== job) return []
    if (before === null) return record === undefined ? [] : [{ name, next: undefined }]
    const { manifestationId, items = [], ...rest } = before.record
    return [
      {
        name,
        next: {
          record: rest,
          mentions: before.mentions,
          items,
          source: before.source,
          authorities: new Map(),
          identifier: undefined,
          manifestationId
        }
      }
    ]
  })
}

/** Makes changes that restore holdings records, unless a later import has changed them. */
async function restoringHoldings(
  staging: Staging,
  batch: readonly HoldingsUndo[],
  job: string
): Promise<HoldingsChange[]> {
  const known = await staging.find(
    'holdings',
    batch.map(each => each.name)
  )
  return batch.flatMap(({ name, before }): HoldingsChange[] => {
    const now = known.get(name)
    if (now !== undefined && now.job !== job) return []
    return [{ name, next: before === null ? undefined : { ...before, libraries: new Map() } }]
  })
}

/** Puts back values of the state, unless another import changed them since. */
async function restoreState(staging: Staging, batch: readonly StateUndo[]) {
  for (const { guard, before } of batch) {
    const now = (await staging.find(guard.kind, [guard.key])).get(guard.key)
    if (digestOfValue(now) !== guard.digest) continue
    for (const { kind, key, value } of before) staging.put(kind, key, value as never)
  }
}

/** Restores authorities that the import had changed, unless another import changed them since. */
async function restoreAuthorities(
  staging: Staging,
  authorities: readonly { readonly key: string; readonly first: TargetUndo; readonly last: TargetUndo }[],
  placing: ReturnType<typeof placingFor>
) {
  const known = await staging.find(
    'target',
    authorities.map(each => each.key)
  )
  const plans = authorities.flatMap(({ key, first, last }) => {
    const target = known.get(key)
    if (target === undefined || !isSameJson(deriveAuthority(target), deriveAuthority(last.after))) return []
    staging.put('target', key, { ...first.before, id: target.id, exists: target.exists })
    return target.exists ? [{ id: target.id, base: deriveAuthority(target), next: deriveAuthority(first.before) }] : []
  })
  await stageEntities(staging, plans, noAuthorities, { ...placing, findDeleted: async () => undefined })
}

/**
 * Removes identifiers of entities that would not exist without the import, from the entities that
 * they were merged into.
 */
async function dropMergedIdentifiers(
  staging: Staging,
  page: readonly { readonly key: string; readonly value: ImportState['merged'] }[],
  { findOwners }: ReturnType<typeof placingFor>
) {
  const names = new Set(page.flatMap(({ value }) => value))
  const owners = new Set((await findOwners([...names])).values())
  for (const { content, version } of (await staging.findEntities(owners)).values()) {
    const otherIdentifiers = content.otherIdentifiers.filter(each => !names.has(each))
    if (otherIdentifiers.length < content.otherIdentifiers.length)
      staging.write(
        { kind: 'update', content: { ...content, otherIdentifiers }, expectedVersion: version },
        content.type
      )
  }
  for (const { key } of page) staging.put('merged', key, null)
}

async function deleteUndoNotes(parts: Parts, job: string) {
  for (;;) {
    const page = await readState(parts.store, 'undo', job, { limit: pageSize })
    if (page.length === 0) return
    await commitUnit(
      parts,
      { id: job },
      [],
      page.map(({ key }) => stateWrite('undo', key, null))
    )
  }
}

/** Throws when an import cannot be undone. */
export function refuseUndo({ state, isPreview }: ImportJob) {
  if (isPreview) throw new CatalogueError('invalid', 'A preview has written nothing; there is nothing to undo')
  if (state === 'undone') throw new CatalogueError('invalid', 'This import was undone already')
  if (state === 'waiting' || state === 'running' || state === 'uploading')
    throw new CatalogueError('invalid', 'This import is not finished; stop it first')
}
