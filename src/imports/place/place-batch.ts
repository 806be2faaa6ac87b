import type { Parts } from '#catalogue/parts.ts'
import { evidenceVersion } from '#domain/clustering/evidence.ts'
import type { ImportedDeletion, ImportedEntity, ImportedRecord, ImportItem } from '#domain/imports/item.ts'
import type { ImportJob, NumberCollision } from '#domain/imports/job.ts'
import { commitUnit } from '../commit.ts'
import { jobWrites, keys } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import { type WrittenLine, writeLines } from '../write-lines.ts'
import { placingFor } from './catalogue-access.ts'
import { nameRecords } from './name-records.ts'
import { digestOf, toNextRecord } from './next-record.ts'
import { placeRecords } from './place-records.ts'
import type { Placed, Placing, RecordChange } from './placing.ts'

/** What became of a batch. */
export interface BatchOutcome {
  /** The items of the batch, records under the names that they go by. */
  readonly items: readonly ImportItem[]
  readonly placed: readonly Placed[]
  readonly unchanged: number
  readonly undoNotes: number
  readonly lines: readonly WrittenLine[]
  readonly collisions: ReadonlyMap<ImportItem, NumberCollision>
  /** Deletions that could be of several records. */
  readonly unclear: ReadonlySet<ImportItem>
}

export interface BatchOptions {
  /** Whether targets are looked up although they should be there: an earlier attempt failed. */
  readonly verifies: boolean
  readonly newIdFor: (prefix: string) => string
  readonly allowDangling: boolean
}

type NamedItem = ImportedRecord | ImportedDeletion

/** Stages the records of a batch, and writes its entities of our own. */
export async function placeBatch(
  parts: Parts,
  staging: Staging,
  job: ImportJob,
  batch: readonly ImportItem[],
  { verifies, newIdFor, allowDangling }: BatchOptions
): Promise<BatchOutcome> {
  const given = batch.filter((each): each is NamedItem => each.kind === 'record' || each.kind === 'deletion')
  const { items: named, collisions, unclear } = await nameRecords(staging, given)
  const renamed = new Map<ImportItem, ImportItem>(given.map((each, place) => [each, named[place] ?? each]))
  const changes = await findChanges(
    staging,
    named.filter((_, place) => !unclear.has(place)),
    job.id
  )
  let undoNotes = job.undoNotes
  const noteUndo: Placing['noteUndo'] = undo => staging.put('undo', keys.undo(job.id, undoNotes++), undo)
  const entities = batch.filter((each): each is ImportedEntity => each.kind === 'entity')
  const lines = await writeLines(parts, job, entities, {
    allowDangling,
    noteUndo,
    keepNotes: async () => {
      if (!job.isPreview)
        await commitUnit(parts, job, [], [...staging.flush().state, ...jobWrites({ ...job, undoNotes })])
    }
  })
  const placing = { ...placingFor(parts, job.id, { isPreview: job.isPreview, newIdFor }), verifies, noteUndo }
  const placed = changes.length === 0 ? [] : await placeRecords(staging, changes, placing)
  const at = (place: number) => named[place] as ImportItem
  return {
    items: batch.map(each => renamed.get(each) ?? each),
    placed,
    unchanged: named.length - changes.length,
    undoNotes,
    lines,
    collisions: new Map([...collisions].map(([place, collision]) => [at(place), collision])),
    unclear: new Set([...unclear].map(at))
  }
}

/** The records that are other than they were when they were imported last. */
async function findChanges(staging: Staging, named: readonly NamedItem[], job: string): Promise<RecordChange[]> {
  const known = await staging.find(
    'record',
    named.map(each => each.name)
  )
  const isUnchanged = (item: NamedItem) => {
    const record = known.get(item.name)
    if (record === undefined || item.kind !== 'record') return false
    return record.evidenceVersion === evidenceVersion && record.digest === digestOf(item)
  }
  return named
    .filter(each => !isUnchanged(each))
    .map(item => ({ name: item.name, next: item.kind === 'record' ? toNextRecord(item, job) : undefined }))
}
