import { missingTargetsIn } from '#domain/errors.ts'
import type { ImportedEntity } from '#domain/imports/item.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import { createPrincipal } from '#domain/permissions.ts'
import type { PaperWrite } from '#store/store.ts'
import type { Parts } from '../parts.ts'
import { revertEntity } from '../revert-entity.ts'
import { deleteEntity } from '../delete-entity.ts'
import { writeBatch } from '../write-batch.ts'

/** How an entity was before an import wrote it. */
export interface EntityUndo {
  readonly of: 'entity'
  readonly id: string
  /** Null when there was none. */
  readonly version: number | null
}

export interface WrittenEntity {
  readonly item: ImportedEntity
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused' | 'waiting'
  readonly id: string | undefined
  readonly type: string
  readonly message: string | undefined
}

/** Imports write in their own name, so that one can tell what they wrote. */
const writerOf = ({ model }: Parts, job: Pick<ImportJob, 'id'>) => createPrincipal(model, `import:${job.id}`, ['admin'])

/**
 * Writes entities as they are: one that exists is replaced, any other is created. What was before is noted first, in a transaction of its own: an
 * import that is killed in between writes the same once more, which changes nothing. One that lacks what it points to waits for it.
 */
export async function writeEntities(
  parts: Parts,
  job: ImportJob,
  items: readonly ImportedEntity[],
  noteUndo: (undo: EntityUndo) => void,
  keepNotes: () => Promise<void>
): Promise<WrittenEntity[]> {
  if (items.length === 0) return []
  const ids = items.flatMap(({ entity: { id } }) => (typeof id === 'string' ? [id] : []))
  const known = await parts.store.findEntities(ids)
  for (const id of new Set(ids)) noteUndo({ of: 'entity', id, version: known.get(id)?.version ?? null })
  await keepNotes()
  const written: WrittenEntity[] = []
  const lines = items.map(({ entity }) => ({ op: 'upsert', entity }))
  for await (const { index, outcome, entity, error } of writeBatch(parts, writerOf(parts, job), lines, {
    dryRun: job.isPreview
  })) {
    const item = items[index]
    if (item === undefined) continue
    const type = entity?.type ?? String(item.entity.type)
    const isMade = outcome === 'created' || outcome === 'unchanged'
    const became = isMade
      ? outcome
      : outcome === 'replaced'
        ? 'updated'
        : missingTargetsIn(error)
          ? 'waiting'
          : 'refused'
    written.push({ item, outcome: became, id: entity?.id, type, message: error?.message })
  }
  // An id that the server chose is known only now.
  for (const { item, id, outcome } of written)
    if (id !== undefined && outcome === 'created' && item.entity.id === undefined)
      noteUndo({ of: 'entity', id, version: null })
  return written
}

/** Lines that wait for what they point to, by their place in the file. */
export const waitingKind = 'import waiting'
export const waitingPaper = (job: string, item: ImportedEntity, isOver: boolean): PaperWrite => ({
  kind: waitingKind,
  key: `${job}\n${String(item.position.number).padStart(10, '0')}`,
  value: isOver ? null : JSON.stringify(item)
})

/** Makes an entity what it was, unless somebody changed it since. Gives whether it did. */
export async function takeEntityBack(
  parts: Parts,
  job: Pick<ImportJob, 'id'>,
  { id, version }: EntityUndo
): Promise<boolean> {
  const principal = writerOf(parts, job)
  const standing = await parts.store.findEntity(id)
  const updatedBy = standing && (JSON.parse(standing.json) as { audit: { updated: { by: string } } }).audit.updated.by
  if (standing === undefined || standing.version === version) return true
  if (updatedBy !== principal.name) return false
  if (version !== null) {
    await revertEntity(parts, principal, id, version)
    return true
  }
  const { count } = await parts.store.findReferences({ id, readableTypes: undefined, skip: 0, limit: 1 })
  if (count > 0) return false
  await deleteEntity(parts, principal, id)
  return true
}
