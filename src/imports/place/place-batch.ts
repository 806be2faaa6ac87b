import type { Parts } from '#catalogue/parts.ts'
import type { ImportJob, PreviewLine } from '#domain/imports/job.ts'
import { commitUnit, jobWrites } from '../state/import-state.ts'
import { type Staging, UndoNotes } from '../state/staging.ts'
import { placingFor } from './catalogue-access.ts'
import type { Batch, ImportKind, ItemSummary } from './import-kind.ts'
import { kindByOutcome, kinds } from './kinds.ts'
import type { ImportItem } from './prepare-record.ts'

/** The outcome of a batch. */
export interface BatchOutcome {
  /** One for each item, in the order of the file. */
  readonly summaries: readonly ItemSummary[]
  readonly preview: readonly PreviewLine[]
  readonly undoNotes: number
}

export interface BatchOptions {
  /** Whether authorities are looked up again before they are used: an earlier attempt failed. */
  readonly verifies: boolean
  readonly newIdFor: (prefix: string) => string
  readonly allowDangling: boolean
}

/** Places the items of a batch, kind by kind. */
export async function placeBatch(
  parts: Parts,
  staging: Staging,
  job: ImportJob,
  items: readonly ImportItem[],
  { verifies, newIdFor, allowDangling }: BatchOptions
): Promise<BatchOutcome> {
  const { id, isPreview } = job
  const undoNotes = new UndoNotes(staging, id, job.undoNotes)
  const batch: Batch = {
    parts,
    staging,
    job,
    placing: { ...placingFor(parts, id, { isPreview, newIdFor }), verifies, undoNotes },
    undoNotes,
    allowDangling,
    commitNotes: async () => {
      if (isPreview) return
      const next = { ...job, undoNotes: undoNotes.count }
      await commitUnit(parts, job, [], [...staging.flush().state, ...jobWrites(next)])
    }
  }
  const { byKind, refused } = sortItems(items, parts, job)
  const summaries = new Map<ImportItem, ItemSummary>(refused)
  const preview: PreviewLine[] = []
  for (const kind of kinds) {
    const own = byKind.get(kind)
    if (own === undefined) continue
    const placed = await kind.place(own, batch)
    for (const each of placed) {
      const summary = kind.summarise(each)
      summaries.set(summary.item, summary)
    }
    if (isPreview) preview.push(...(kind.preview?.(placed, parts.model) ?? []))
  }
  return {
    summaries: items.map(item => summaries.get(item) ?? { item, counted: [] }),
    preview,
    undoNotes: undoNotes.count
  }
}

/** Sorts items by kind, without those that cannot be imported. */
function sortItems(items: readonly ImportItem[], { model, sanitizeHtml }: Parts, { mayDelete }: ImportJob) {
  const byKind = new Map<ImportKind, ImportItem[]>()
  const refused = new Map<ImportItem, ItemSummary>()
  for (const item of items) {
    const kind = item.outcome === 'unreadable' || item.outcome === 'piece' ? undefined : kindByOutcome[item.outcome]
    const refusal = kind === undefined ? [] : kind.refuse(item, { model, sanitizeHtml, mayDelete })
    if (refusal !== undefined) refused.set(item, { item, counted: [], refusal })
    else if (kind !== undefined) {
      const own = byKind.get(kind)
      if (own === undefined) byKind.set(kind, [item])
      else own.push(item)
    }
  }
  return { byKind, refused }
}
