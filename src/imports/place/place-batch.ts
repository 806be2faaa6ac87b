import type { Parts } from '#catalogue/parts.ts'
import { evidenceVersion } from '#domain/clustering/evidence.ts'
import type { ImportJob, NumberCollision } from '#domain/imports/job.ts'
import { isSameJson } from '#domain/json.ts'
import { descriptionVersion } from '#formats/description/description.ts'
import type {
  SourceAuthority,
  SourceCarried,
  SourceEntity,
  SourceHoldings,
  SourceItem,
  SourceRow
} from '#formats/source/source-item.ts'
import { commitUnit } from '../commit.ts'
import { jobWrites } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import { UndoNotes } from '../state/undo-notes.ts'
import { type WrittenLine, writeLines } from '../write-lines.ts'
import { placingFor } from './catalogue-access.ts'
import { digestOf, identifyRecords, type NamedItem, type RecordIdentity } from './identify-records.ts'
import { toNextRecord } from './next-record.ts'
import { findOwnRecords, type OwnState } from './own-records.ts'
import { placeAuthorities } from './place-authorities.ts'
import { placeRecords } from './place-records.ts'
import { type PlacedRow, placeRows } from './place-rows.ts'
import type { Placed, RecordChange } from './placing.ts'
import { refusalOf } from './refuse-item.ts'
import { type TakenLine, takeCarried } from './take-carried.ts'
import { findHoldings, placeHoldings } from './place-holdings.ts'
import { toStoredItem } from './stored-item.ts'

/** The outcome of a batch. */
export interface BatchOutcome {
  readonly items: readonly SourceItem[]
  /** Items that cannot be imported, with the reasons beyond their own remarks. */
  readonly refused: ReadonlyMap<SourceItem, readonly string[]>
  readonly identities: ReadonlyMap<SourceItem, RecordIdentity>
  readonly changes: readonly RecordChange[]
  /** The outcome of each change. */
  readonly placed: readonly Placed[]
  readonly unchanged: number
  readonly undoNotes: number
  readonly lines: readonly WrittenLine[]
  readonly rows: readonly PlacedRow[]
  readonly taken: readonly TakenLine[]
  readonly collisions: ReadonlyMap<SourceItem, NumberCollision>
  /** Deletions that fit several records. */
  readonly unclear: ReadonlySet<SourceItem>
  /** Records of this catalogue, which are not imported. */
  readonly own: ReadonlyMap<SourceItem, OwnState>
}

export interface BatchOptions {
  /** Whether authorities are looked up again before they are used: an earlier attempt failed. */
  readonly verifies: boolean
  readonly newIdFor: (prefix: string) => string
  readonly allowDangling: boolean
}

/** Stages the records of a batch, and writes its entities of our own. */
export async function placeBatch(
  parts: Parts,
  staging: Staging,
  job: ImportJob,
  items: readonly SourceItem[],
  { verifies, newIdFor, allowDangling }: BatchOptions
): Promise<BatchOutcome> {
  const refused = new Map<SourceItem, readonly string[]>()
  for (const item of items) {
    const refusal = refusalOf(item, job, parts)
    if (refusal !== undefined) refused.set(item, refusal)
  }
  const named = items.filter(
    (each): each is NamedItem => !refused.has(each) && (each.outcome === 'record' || each.outcome === 'deletion')
  )
  const records = named.filter(each => each.outcome === 'record')
  const own: ReadonlyMap<SourceItem, OwnState> = await findOwnRecords(parts, staging, records)
  const { identities, collisions, unclear } = await identifyRecords(
    staging,
    named.filter(each => !own.has(each))
  )
  const clear = named.filter(each => !unclear.has(each) && !own.has(each))
  const changes = await findChanges(staging, clear, identities, job.id)
  const undoNotes = new UndoNotes(staging, job.id, job.undoNotes)
  const entities = items.filter((each): each is SourceEntity => each.outcome === 'entity')
  const commitNotes = async () => {
    if (job.isPreview) return
    const next = { ...job, undoNotes: undoNotes.count }
    await commitUnit(parts, job, [], [...staging.flush().state, ...jobWrites(next)])
  }
  const lines = await writeLines(parts, job, entities, { allowDangling, undoNotes, commitNotes })
  // A record that a file of our own changes is no longer as its source record.
  for (const { outcome, id } of lines) if (outcome === 'updated' && id !== undefined) staging.put('edited', id, true)
  const carried = items.filter((each): each is SourceCarried => !refused.has(each) && each.outcome === 'carried')
  const taken = await takeCarried(parts, staging, carried, { job: job.id, isPreview: job.isPreview, undoNotes })
  const placing = { ...placingFor(parts, job.id, { isPreview: job.isPreview, newIdFor }), verifies, undoNotes }
  const rows = items.filter((each): each is SourceRow => each.outcome === 'row')
  const placedRows = await placeRows(parts, staging, job, rows, { newId: placing.newId, undoNotes, commitNotes })
  const files = items.filter((each): each is SourceAuthority => !refused.has(each) && each.outcome === 'authority')
  const authorities = await placeAuthorities(staging, files, placing)
  const placedRecords = changes.length === 0 ? [] : await placeRecords(staging, changes, placing)
  const held = items.filter((each): each is SourceHoldings => !refused.has(each) && each.outcome === 'holdings')
  const { changes: holdings, refused: withoutPublication } = await findHoldings(staging, held)
  for (const [item, reasons] of withoutPublication) refused.set(item, reasons)
  // The records come first: a preview finds them by their place.
  const placed = [...placedRecords, ...authorities, ...(await placeHoldings(staging, holdings, placing))]
  const unchanged = named.length - changes.length
  return {
    items,
    refused,
    identities,
    changes,
    placed,
    unchanged,
    undoNotes: undoNotes.count,
    lines,
    rows: placedRows,
    taken,
    collisions,
    unclear,
    own
  }
}

/** Finds the records that differ from their last import. */
async function findChanges(
  staging: Staging,
  items: readonly NamedItem[],
  identities: ReadonlyMap<NamedItem, RecordIdentity>,
  job: string
): Promise<RecordChange[]> {
  const identityOf = (item: NamedItem) => identities.get(item) ?? { name: item.name }
  const known = await staging.find(
    'record',
    items.map(each => identityOf(each).name)
  )
  return items.flatMap((item): RecordChange[] => {
    const identity = identityOf(item)
    const { name } = identity
    if (item.outcome === 'deletion') return [{ name, next: undefined }]
    const record = known.get(name)
    const isUnchanged =
      record?.evidenceVersion === evidenceVersion &&
      record.descriptionVersion === descriptionVersion &&
      record.digest === digestOf(item) &&
      // The same record with another mapping of items.
      isSameJson(
        record.items?.map(({ draft }) => draft) ?? [],
        item.description.items?.map(each => toStoredItem(each).draft) ?? []
      )
    return isUnchanged ? [] : [{ name, next: toNextRecord(item, identity, job) }]
  })
}
