import type { Parts } from '#catalogue/parts.ts'
import { revertEntity } from '#catalogue/history/revert-entity.ts'
import { deleteEntity } from '#catalogue/entities/delete-entity.ts'
import { writeAtomicBatch } from '#catalogue/batches/write-atomic-batch.ts'
import { type BatchOptions, type BatchResult, writeBatch } from '#catalogue/batches/write-batch.ts'
import { CatalogueError, missingTargetsIn } from '#domain/errors.ts'
import { type Json, type MetadataEntry, valuesOf } from '#domain/entity/entity.ts'
import { type ContentFacts, contentHashField, contentHashOf } from '#domain/entity/server-fields.ts'
import { isJsonObject } from '#domain/json.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import { createPrincipal, type Principal } from '#domain/permissions.ts'
import type { SourceEntity } from '#formats/source/source-item.ts'
import { isConcurrency, type EntityLine, type EntityUndo, keys } from '../state/import-state.ts'
import { type Batch, type ImportKind, type NotedState, notesOf, type Undoing } from './import-kind.ts'

/*
 * Entities of our own, one on each line of NDJSON, are written as they are: one that exists is
 * replaced, any other is created. The command and the service both use this file.
 */

interface WrittenLine {
  readonly item: SourceEntity
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused' | 'waiting'
  readonly id: string | undefined
  readonly type: string
  readonly message: string | undefined
  /** Ids of missing entities that a waiting line refers to. */
  readonly missing: readonly string[]
  /** The hash of bytes that the entity names and that are not stored. */
  readonly missingContent: string | undefined
}

export const entities: ImportKind<SourceEntity, WrittenLine> = {
  refuse: () => undefined,

  place: writeLines,

  summarise({ item, outcome, type, message = '', missing }) {
    if (outcome === 'waiting') return { item, counted: [], waitsFor: missing, refusal: [message] }
    if (outcome === 'refused') return { item, counted: [], refusal: [message] }
    return { item, counted: [outcome], written: outcome === 'unchanged' ? [] : [{ type, outcome }] }
  },

  undo: { of: ['entity'], restore: restoreEntities }
}

/** Imports write under their own name, so that their writes can be recognised. */
export const writerOf = ({ model }: Parts, job: Pick<ImportJob, 'id'>) =>
  createPrincipal(model, `import:${job.id}`, ['admin'])

/**
 * Writes lines. The earlier state of their entities is noted first, in a transaction of its own: an
 * import that is killed in between writes the same again, which changes nothing. A line that refers
 * to a missing entity waits for it.
 */
async function writeLines(
  items: readonly SourceEntity[],
  { parts, staging, job, allowDangling, undoNotes, commitNotes }: Batch
): Promise<WrittenLine[]> {
  const ids = items.flatMap(({ entity: { id } }) => (typeof id === 'string' ? [id] : []))
  const known = await parts.store.findEntities(ids)
  for (const id of new Set(ids)) undoNotes.add({ of: 'entity', id, version: known.get(id)?.version ?? null })
  await commitNotes()
  const written: WrittenLine[] = []
  const lines = items.map(({ entity }) => ({ op: 'upsert', entity }))
  const contents = await findContents(parts, items)
  const factsOf = (entity: object) => contents.get(entity)?.facts
  const options = { dryRun: job.isPreview, allowDangling, factsOf }
  for await (const { index, outcome, entity, error } of await writeTogether(
    parts,
    writerOf(parts, job),
    lines,
    options
  )) {
    const item = items[index]
    if (item === undefined) continue
    const missing = missingTargetsIn(error)
    const isMade = outcome === 'created' || outcome === 'unchanged'
    const became = isMade ? outcome : outcome === 'replaced' ? 'updated' : missing ? 'waiting' : 'refused'
    const type = entity?.type ?? String(item.entity.type)
    written.push({
      item,
      outcome: became,
      id: entity?.id,
      type,
      message: error?.message,
      missing: missing ?? [],
      missingContent: contents.get(item.entity)?.missing
    })
  }
  for (const { item, id, outcome, missingContent: sha256 } of written) {
    // An id that the service chose is known only now.
    if (id !== undefined && outcome === 'created' && item.entity.id === undefined)
      undoNotes.add({ of: 'entity', id, version: null })
    // A record that a file of our own changes is no longer as its source record.
    if (id !== undefined && outcome === 'updated') staging.put('edited', id, true)
    if (id !== undefined && sha256 !== undefined) {
      const { number, offset } = item.position
      staging.put('missing content', keys.missingContent(job.id, number), { id, sha256, offset })
    }
  }
  return written
}

/**
 * The bytes that entities name by their hash: the facts about stored bytes, or else those that the
 * line states, until the bytes come.
 */
async function findContents({ model, contents }: Parts, items: readonly SourceEntity[]) {
  const found = new Map<object, { readonly facts: ContentFacts; readonly missing: string | undefined }>()
  for (const { entity } of items) {
    const { type, metadata } = entity
    if (typeof type !== 'string' || model.fieldOf(type, contentHashField)?.ofContent !== true) continue
    const named = {
      metadata: (Array.isArray(metadata) ? metadata : []).filter(isJsonObject) as unknown as MetadataEntry[]
    }
    const sha256 = contentHashOf(named)
    if (sha256 === undefined) continue
    const facts = await contents.describe(sha256)
    found.set(entity, { facts: facts ?? { ...statedFacts(named), sha256 }, missing: facts ? undefined : sha256 })
  }
  return found
}

/** The facts about its bytes that an entity states. */
function statedFacts(entity: Parameters<typeof valuesOf>[0]): Omit<ContentFacts, 'sha256'> {
  const [[size], [mimetype], [width], [height]] = ['size', 'mimetype', 'width', 'height'].map(key =>
    valuesOf(entity, key)
  ) as [Json[], Json[], Json[], Json[]]
  return {
    size: typeof size === 'number' && size > 0 ? size : 1,
    mimetype: typeof mimetype === 'string' ? mimetype : 'application/octet-stream',
    ...(typeof width === 'number' ? { width } : {}),
    ...(typeof height === 'number' ? { height } : {})
  }
}

/**
 * Writes lines in one transaction, so that they are created in the order of the file whatever they
 * refer to. If one of them cannot be written, all are written one by one.
 */
async function writeTogether(
  parts: Parts,
  principal: Principal,
  lines: readonly object[],
  options: BatchOptions
): Promise<Iterable<BatchResult> | AsyncIterable<BatchResult>> {
  try {
    return await writeAtomicBatch(parts, principal, lines, options)
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.code === 'unavailable') throw error
    return writeBatch(parts, principal, lines, options)
  }
}

/** A line that waits for entities that do not exist yet. */
export interface WaitingLine {
  readonly line: EntityLine
  readonly missing: readonly string[]
}

/**
 * Finds the lines that refer to each other in cycles: everything that they lack is in other lines
 * of the result, or in `created`.
 */
export function findCycle(waiting: readonly WaitingLine[], created: ReadonlySet<string>): readonly WaitingLine[] {
  let cycle = waiting
  for (let before = -1; cycle.length !== before; ) {
    before = cycle.length
    const names = new Set(cycle.flatMap(({ line }) => identifiersOf(line)))
    cycle = cycle.filter(({ missing }) => missing.every(name => names.has(name) || created.has(name)))
  }
  return cycle
}

/** All identifiers that an entity will have. */
export function identifiersOf({ entity: { id, _id, identifiers } }: EntityLine): string[] {
  return [id, _id, ...(Array.isArray(identifiers) ? identifiers : [])].filter(name => typeof name === 'string')
}

// Undo

/** Restores entities. Those that somebody changed since, or refers to, stay and are counted. */
async function restoreEntities(notes: readonly NotedState[], undoing: Undoing): Promise<void> {
  // Later entities refer to earlier ones.
  let left: readonly EntityUndo[] = notesOf(notes, 'entity').reverse()
  for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
    before = left.length
    const still: EntityUndo[] = []
    for (const each of left) {
      undoing.endIfStopped()
      if (!(await undoLine(each, undoing))) still.push(each)
    }
    // The rest may refer to each other in a cycle, and to nothing else.
    left = still.length < before ? still : await undoCycles(still, undoing)
  }
  for (const { id } of left) undoing.retain(id)
  undoing.count(job => ({ ...job, counts: { ...job.counts, kept: job.counts.kept + left.length } }))
}

const updatedBy = ({ json }: { readonly json: string }) =>
  (JSON.parse(json) as { audit: { updated: { by: string } } }).audit.updated.by

/**
 * Restores an entity, unless somebody changed it since, or refers to it. Returns whether it did.
 */
async function undoLine({ id, version }: EntityUndo, { parts, job, retain }: Undoing): Promise<boolean> {
  const principal = writerOf(parts, { id: job })
  const existing = await parts.store.findEntity(id)
  if (existing === undefined || existing.version === version) return true
  if (updatedBy(existing) !== principal.name) return false
  const { count } =
    version === null
      ? await parts.store.findReferences({ id, readableTypes: undefined, skip: 0, limit: 1 })
      : { count: 0 }
  if (count > 0) return false
  const expected = new Set([existing.version])
  try {
    if (version === null) await deleteEntity(parts, principal, id, { expected })
    else
      for (const { message } of (await revertEntity(parts, principal, id, version, { expected })).warnings)
        retain(id, message)
    return true
  } catch (error) {
    if (!isConcurrency(error)) throw error
    return false
  }
}

/**
 * Deletes lines that only other lines of the list refer to, in one transaction. Returns the rest:
 * lines that somebody changed, or that others refer to.
 */
async function undoCycles(lines: readonly EntityUndo[], { parts, job }: Undoing): Promise<EntityUndo[]> {
  const { name } = writerOf(parts, { id: job })
  const referrers = new Map<string, readonly string[]>()
  const versions = new Map<string, number>()
  for (const { id, version } of lines) {
    const existing = version === null ? await parts.store.findEntity(id) : undefined
    if (existing === undefined || updatedBy(existing) !== name) continue
    versions.set(id, existing.version)
    const { references } = await parts.store.findReferences({ id, readableTypes: undefined, skip: 0, limit: 1000 })
    referrers.set(
      id,
      references.map(each => each.id)
    )
  }
  for (;;) {
    for (let before = -1; referrers.size !== before; ) {
      before = referrers.size
      for (const [id, own] of referrers) if (!own.every(each => referrers.has(each))) referrers.delete(id)
    }
    const writes = [...referrers.keys()].map(id => {
      return { kind: 'delete' as const, id, expectedVersion: versions.get(id) ?? 0 }
    })
    try {
      if (writes.length > 0) await parts.store.write({ writes, by: name })
      return lines.filter(({ id }) => !referrers.has(id))
    } catch (error) {
      // Somebody changed one of them, or referred to it, just now: it stays with all it needs.
      const [, id] = error instanceof CatalogueError && isConcurrency(error) ? (error.about ?? []) : []
      if (id === undefined || !referrers.delete(id)) throw error
    }
  }
}
