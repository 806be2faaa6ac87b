import { missingTargetsIn } from '#domain/errors.ts'
import { type ImportJob, maxListedRetained, type RetainedEntity } from '#domain/imports/job.ts'
import type { ExistingEntity } from '#domain/imports/decide-entities.ts'
import { isSameJson } from '#domain/json.ts'
import type { Parts } from '#catalogue/parts.ts'
import type { EntityWrite } from '#store/ports/entities.ts'
import {
  commitUnit,
  isConcurrency,
  maxTries,
  type ImportState,
  jobWrites,
  readState,
  stateWrite,
  type Undo
} from './state/import-state.ts'
import { deleteOrphans, isNewReference } from './delete-orphans.ts'
import { findDeletedIn, placingFor } from './place/catalogue-access.ts'
import type { NotedState, Undoing } from './place/import-kind.ts'
import { kinds } from './place/kinds.ts'
import type { Placing } from './place/placing.ts'
import type { RunOptions } from './run-import.ts'
import { createStaging, type Flushed, type Staging } from './state/staging.ts'
import { countEntities } from './summarise-batch.ts'

const defaultBatchSize = 100
const pageSize = 1000

/**
 * Undoes an import: its records are deleted, those that it changed get back their earlier state,
 * and works and expressions are found again without it. Changes by later imports or by people stay,
 * and so do entities that somebody refers to by now; the job lists them. A killed undo can be
 * resumed.
 */
export async function undoImport(parts: Parts, given: ImportJob, options: RunOptions = {}): Promise<ImportJob> {
  const undo = new UndoRun(parts, given, options)
  try {
    return await undo.run()
  } catch (error) {
    if (error instanceof UndoStopped) return undo.job
    throw error
  }
}

/** Ends an undo that was asked to stop. */
class UndoStopped extends Error {}

class UndoRun {
  job: ImportJob
  readonly #parts: Parts
  readonly #staging: Staging
  readonly #placing: Placing
  readonly #options: Required<Omit<RunOptions, 'onProgress'>> & Pick<RunOptions, 'onProgress'>
  /** Entities that somebody referred to while they were deleted. */
  readonly #referredTo = new Set<string>()
  /** Entities that relations lead to and that do not exist. */
  readonly #missing = new Set<string>()

  constructor(parts: Parts, given: ImportJob, options: RunOptions) {
    this.job = { ...given, state: 'undoing' }
    this.#parts = parts
    this.#staging = createStaging(parts.store)
    this.#options = { isStopped: () => false, now: Date.now, batchSize: defaultBatchSize, ...options }
    const known = placingFor(parts, given.id)
    this.#placing = {
      ...known,
      onRetained: this.#onRetained,
      // The referrer may be gone again; the entity stays all the same.
      findReferrers: async id => [...(await known.findReferrers(id)), ...(this.#referredTo.has(id) ? [''] : [])],
      findDeleted: findDeletedIn(this.#staging, parts.store)
    }
  }

  async run(): Promise<ImportJob> {
    const { id } = this.job
    const undoing: Undoing = {
      parts: this.#parts,
      staging: this.#staging,
      job: id,
      placing: this.#placing,
      inBatches: this.#inBatches,
      endIfStopped: this.#endIfStopped,
      count: change => {
        this.job = change(this.job)
      },
      retain: this.#retain
    }
    const notes = await readNotes(this.#parts, id)
    // A publication with items cannot be deleted, so kinds come in the reverse order.
    for (const { undo } of kinds.toReversed())
      await undo.restore(
        notes.filter(({ first }) => undo.of.includes(first.of)),
        undoing
      )
    await this.#dropMerged()
    await deleteOrphans(this.#parts.store, this.#staging, id, this.#writeOrphans, this.#onRetained)
    await deleteUndoNotes(this.#parts, id)
    this.job = { ...this.job, state: 'undone', endedAt: new Date(this.#options.now()).toISOString() }
    await commitUnit(this.#parts, this.job, [], jobWrites(this.job))
    return this.job
  }

  readonly #retain = (id: string, reason = notDeleted) => {
    this.job = withRetained(this.job, { id, reason })
  }

  readonly #onRetained = ({ content: { id }, createdBy }: ExistingEntity) => {
    if (createdBy === `import:${this.job.id}`) this.#retain(id)
  }

  readonly #endIfStopped = () => {
    if (this.#options.isStopped()) throw new UndoStopped()
  }

  readonly #inBatches: Undoing['inBatches'] = async (all, stage) => {
    const { batchSize } = this.#options
    for (let at = 0; at < all.length; at += batchSize) {
      this.#endIfStopped()
      await this.#commit(() => stage(all.slice(at, at + batchSize)))
    }
  }

  /** Commits the changes that `stage` stages; after a concurrent change, it stages them again. */
  async #commit(stage: () => Promise<void>): Promise<void> {
    const before = this.job
    for (let tries = 1; ; ) {
      this.#staging.clear()
      this.job = before
      try {
        await stage()
        this.job = { ...countEntities(this.job, this.#staging.pending()), attempts: 0 }
        const { writes, state } = this.#staging.flush()
        const sound = writes.map(each => withoutRelationsTo(each, this.#missing, this.#retain))
        await commitUnit(this.#parts, this.job, sound, [...state, ...jobWrites(this.job)])
        this.#options.onProgress?.(this.job)
        return
      } catch (error) {
        if (isNewReference(error, this.#referredTo) || areNewTargets(error, this.#missing)) continue
        if (tries++ === maxTries || !isConcurrency(error)) throw error
      }
    }
  }

  async #dropMerged(): Promise<void> {
    for (;;) {
      const page = await readState(this.#parts.store, 'merged', this.job.id, { limit: this.#options.batchSize })
      if (page.length === 0) return
      await this.#commit(() => dropMergedIdentifiers(this.#staging, page, this.#placing))
    }
  }

  readonly #writeOrphans = async (page: Flushed) => {
    const next = countEntities(this.job, page)
    await commitUnit(this.#parts, this.job, page.writes, [...page.state, ...jobWrites(next)])
    this.job = next
  }
}

const notDeleted = 'Not deleted, or not restored: it was edited here or other records refer to it'

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

/** Reads the notes of an import, in the order of the first note about each thing. */
async function readNotes({ store }: Parts, job: string): Promise<NotedState[]> {
  const noted = new Map<string, { readonly first: Undo; last: Undo }>()
  for (let after: string | undefined; ; ) {
    const page = await readState(store, 'undo', job, { limit: pageSize, after })
    for (const { key, value: undo } of page) {
      const subject = `${undo.of}\n${subjectOf(undo) ?? key}`
      const known = noted.get(subject)
      if (known === undefined) noted.set(subject, { first: undo, last: undo })
      else known.last = undo
    }
    if (page.length < pageSize) return [...noted.values()]
    after = page.at(-1)?.key
  }
}

/** The thing that a note is about; undefined when each note is about something else. */
function subjectOf(undo: Undo): string | undefined {
  switch (undo.of) {
    case 'record':
    case 'holdings':
      return undo.name
    case 'row':
    case 'target':
      return undo.key
    case 'entity':
      return undo.id
    case 'mention':
      return undo.mention
    case 'state':
      return undefined
  }
}

/**
 * Removes identifiers of entities that would not exist without the import, from the entities that
 * they were merged into.
 */
async function dropMergedIdentifiers(
  staging: Staging,
  page: readonly { readonly key: string; readonly value: ImportState['merged'] }[],
  { findOwners }: Placing
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
