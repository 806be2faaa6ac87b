import {
  addEntityCounts,
  addNotMapped,
  type ImportCounts,
  type ImportJob,
  type ImportRemark,
  maxListedCollisions,
  noCounts,
  type NumberCollision
} from '#domain/imports/job.ts'
import { controlNumberOf, remarksOn } from '#formats/source/source-item.ts'
import type { WaitingLine } from './place/entities.ts'
import type { ItemSummary } from './place/import-kind.ts'
import type { BatchOutcome } from './place/place-batch.ts'
import { keys, type StateWrite, stateWrite } from './state/import-state.ts'
import type { Flushed } from './state/staging.ts'

/** Maximum number of remarks that are stored for one import. */
export const maxRemarks = 10_000

/** A pass over a batch. */
export interface BatchPass {
  /** Milliseconds that it took. */
  readonly worked: number
  /**
   * `first` for items of the file; `again` for lines that waited; `last` when there is nothing more
   * to wait for.
   */
  readonly pass: 'first' | 'again' | 'last'
}

export interface BatchSummary {
  readonly next: ImportJob
  readonly remarks: readonly StateWrite[]
  /** Lines that wait from now on, or do not wait any more. */
  readonly lines: readonly StateWrite[]
  readonly waiting: readonly WaitingLine[]
}

/** Counts the outcomes of a batch, and lists its remarks. */
export function summariseBatch(
  job: ImportJob,
  { summaries, undoNotes }: BatchOutcome,
  pending: Pick<Flushed, 'writes' | 'types'>,
  { worked, pass }: BatchPass
): BatchSummary {
  const isWaiting = ({ waitsFor }: ItemSummary) => waitsFor !== undefined && pass !== 'last'
  const counts: Record<keyof ImportCounts, number> = { ...noCounts, ...job.counts }
  let { entities } = countEntities(job, pending)
  for (const summary of summaries) {
    for (const each of summary.counted) counts[each]++
    for (const { type, outcome } of summary.written ?? []) entities = addEntityCounts(entities, type, outcome)
    if (summary.refusal !== undefined && !isWaiting(summary)) counts.unreadable++
  }
  const lines: StateWrite[] = []
  const waiting: WaitingLine[] = []
  for (const summary of summaries) {
    const { item, waitsFor = [] } = summary
    if (item.outcome !== 'entity') continue
    const line = isWaiting(summary) ? { position: item.position, entity: item.entity } : null
    if (line !== null) waiting.push({ line, missing: waitsFor })
    if (line !== null || pass !== 'first')
      lines.push(stateWrite('waiting', keys.waiting(job.id, item.position.number), line))
  }
  const notMapped = addNotMapped(
    job.notMapped,
    pass === 'first' ? summaries.flatMap(({ item }) => item.unmapped ?? []) : []
  )
  const remarks = summaries.flatMap(each => remarkOn(each, isWaiting(each)) ?? [])
  const collisions = summaries.flatMap(({ collision }) => collision ?? [])
  const last = summaries.at(-1)?.item.position
  const next: ImportJob = {
    ...job,
    entities,
    handled: job.handled + (pass === 'first' ? summaries.length : 0),
    bytes: last === undefined ? job.bytes : Math.max(job.bytes, last.offset + last.length),
    worked: job.worked + worked,
    counts,
    remarks: job.remarks + remarks.length,
    undoNotes,
    ...(notMapped === undefined ? {} : { notMapped }),
    ...(collisions.length === 0 ? {} : { collisions: addCollisions(job, collisions) })
  }
  const room = Math.max(0, maxRemarks - job.remarks)
  return {
    next,
    remarks: remarks.slice(0, room).map(each => stateWrite('remark', keys.remark(job.id, each.number), each)),
    lines,
    waiting
  }
}

/** The remark on an item, if there is one. A line that waits is not refused yet. */
function remarkOn(summary: ItemSummary, isWaiting: boolean): ImportRemark | undefined {
  const { item, isRetained } = summary
  const refusal = isWaiting ? undefined : summary.refusal
  const remarks = [...(summary.remarks ?? remarksOn(item)), ...(refusal ?? [])]
  if (remarks.length === 0) return undefined
  const { number, offset } = item.position
  const controlNumber = controlNumberOf(item)
  const outcome = refusal !== undefined ? 'unreadable' : isRetained ? 'kept' : 'noticed'
  return { number, offset, ...(controlNumber === undefined ? {} : { controlNumber }), outcome, remarks }
}

function addCollisions({ collisions }: ImportJob, more: readonly NumberCollision[]): ImportJob['collisions'] {
  const { count = 0, first = [] } = collisions ?? {}
  return { count: count + more.length, first: [...first, ...more].slice(0, maxListedCollisions) }
}

/** Adds entity writes to the counts of an import, by type. */
export function countEntities(job: ImportJob, { writes, types }: Pick<Flushed, 'writes' | 'types'>): ImportJob {
  const whats = { insert: 'created', restore: 'created', update: 'updated', delete: 'deleted' } as const
  const kinds = Map.groupBy(writes.keys(), index => `${writes[index]?.kind} ${types[index]}`)
  let entities = job.entities
  for (const [first = 0, ...others] of kinds.values()) {
    const kind = writes[first]?.kind ?? 'update'
    entities = addEntityCounts(entities, types[first] ?? '', whats[kind], others.length + 1)
  }
  return { ...job, entities }
}
