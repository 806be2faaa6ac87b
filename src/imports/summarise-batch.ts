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
import { controlNumberOf, remarksOn, type SourceItem } from '#formats/source/source-item.ts'
import type { BatchOutcome } from './place/place-batch.ts'
import { keys, type StateWrite, stateWrite } from './state/import-state.ts'
import type { Flushed } from './state/staging.ts'
import type { WaitingLine } from './write-lines.ts'

/** Maximum number of remarks that are stored for one import. */
const maxRemarks = 10_000

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
  outcome: BatchOutcome,
  pending: Pick<Flushed, 'writes' | 'types'>,
  { worked, pass }: BatchPass
): BatchSummary {
  const counts: Record<keyof ImportCounts, number> = { ...noCounts, ...job.counts }
  counts.unchanged += outcome.unchanged
  for (const { outcome: became, works } of outcome.placed) {
    if (became === 'unknown') counts.unchanged++
    else counts[became]++
    if (became === 'created') counts.joinedWorks += works.filter(each => !each.isNewWork).length
  }
  let entities = countEntities(job, pending).entities
  const lines: StateWrite[] = []
  const waiting: WaitingLine[] = []
  const refused = new Map(outcome.refused)
  for (const { item, outcome: became, type, message = '', missing } of outcome.lines) {
    const isWaiting = became === 'waiting' && pass !== 'last'
    const line = { position: item.position, entity: item.entity }
    if (isWaiting) waiting.push({ line, missing })
    if (isWaiting || pass !== 'first')
      lines.push(stateWrite('waiting', keys.waiting(job.id, item.position.number), isWaiting ? line : null))
    if (isWaiting) continue
    if (became === 'refused' || became === 'waiting') {
      refused.set(item, [message])
    } else {
      counts[became]++
      if (became !== 'unchanged') entities = addEntityCounts(entities, type, became)
    }
  }
  for (const { item, records, refusals } of outcome.rows) {
    if (refusals.length > 0) refused.set(item, refusals)
    for (const { type, outcome: became } of records) {
      if (became === 'refused') continue
      counts[became]++
      if (became !== 'unchanged') entities = addEntityCounts(entities, type, became)
    }
  }
  for (const { item, outcome: became, message = '' } of outcome.taken) {
    if (became === 'refused') refused.set(item, [message])
    else counts.sources++
  }
  const notMapped = addNotMapped(
    job.notMapped,
    pass === 'first' ? outcome.items.flatMap(each => each.unmapped ?? []) : []
  )
  const remarks = listRemarks(outcome, refused)
  const last = outcome.items.at(-1)?.position
  const next: ImportJob = {
    ...job,
    entities,
    handled: job.handled + (pass === 'first' ? outcome.items.length : 0),
    bytes: last === undefined ? job.bytes : Math.max(job.bytes, last.offset + last.length),
    worked: job.worked + worked,
    counts: { ...counts, unreadable: counts.unreadable + refused.size },
    remarks: job.remarks + remarks.length,
    undoNotes: outcome.undoNotes,
    ...(notMapped === undefined ? {} : { notMapped }),
    ...(outcome.collisions.size === 0 ? {} : { collisions: addCollisions(job, [...outcome.collisions.values()]) })
  }
  const room = Math.max(0, maxRemarks - job.remarks)
  return {
    next,
    remarks: remarks.slice(0, room).map(each => stateWrite('remark', keys.remark(job.id, each.number), each)),
    lines,
    waiting
  }
}

function listRemarks(
  { items, identities, placed, collisions, unclear, own, rows }: BatchOutcome,
  refused: ReadonlyMap<SourceItem, readonly string[]>
): ImportRemark[] {
  const retained = new Set(placed.filter(each => each.outcome === 'kept').map(each => each.name))
  const remarksOnRows = new Map<SourceItem, readonly string[]>(rows.map(each => [each.item, each.remarks]))
  return items.flatMap((item): ImportRemark[] => {
    const isRetained = retained.has(identities.get(item)?.name ?? '')
    const refusal = refused.get(item)
    const collision = collisions.get(item)
    const remarks = [
      ...(own.has(item) ? [] : remarksOn(item)),
      ...(remarksOnRows.get(item) ?? []),
      ...(isRetained ? [retainedRemark] : []),
      ...(collision === undefined ? [] : [collisionRemark(collision)]),
      ...(unclear.has(item) ? [unclearRemark] : []),
      ...(own.get(item) === 'other' ? [ownRemark] : []),
      ...(refusal ?? [])
    ]
    if (remarks.length === 0) return []
    const { number, offset } = item.position
    const controlNumber = controlNumberOf(item)
    const outcome = refusal !== undefined ? 'unreadable' : isRetained ? 'kept' : 'noticed'
    return [{ number, offset, ...(controlNumber === undefined ? {} : { controlNumber }), outcome, remarks }]
  })
}

const retainedRemark = 'Not deleted: people have changed it here, or other records refer to it'
const ownRemark =
  'Not imported: this is a record of this catalogue, and the file has other values. Change the record here instead'
const unclearRemark =
  'Not deleted: several records have this number, and the file does not name the agency. Import the file with its agency'
const collisionRemark = ({ controlNumber, otherTitle }: NumberCollision) =>
  `Another record has the number "${controlNumber}" (“${otherTitle}”), and neither names its agency: imported as a record of its own. Import the file with its agency to tell the numbers apart`

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
