import { checkRelationCounts } from '#domain/editing/check-fields.ts'
import { contentOf, type Entity, type EntityContent, type Json, toEntity } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, identifierTaken, invalidWith, notFound } from '#domain/errors.ts'
import { isJsonObject } from '#domain/json.ts'
import { newId } from '#domain/entity/ids.ts'
import type { Principal } from '#domain/permissions.ts'
import { readDraft, type WantedContent } from '#domain/editing/read-draft.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import type { EntityWrite, Identified, StoredEntity } from '#store/ports/entities.ts'
import { type BatchOperation, isMerging, readBatchOperation } from './batch-operation.ts'
import { applyEdit, isSameContent, refuseOtherVersion } from '../entities/change-entity.ts'
import { checkGivenUuid, readNewType } from '../entities/create-entity.ts'
import { detachReferences, withReadableReferences } from '../entities/delete-entity.ts'
import { findDeletable, findWritable } from '../entities/find-permitted.ts'
import { happensOnce, onceOf } from '../entities/once.ts'
import type { Parts } from '../parts.ts'
import { patching } from '../entities/patch-entity.ts'
import { type CreatedTogether, prepareContent } from '../entities/prepare-content.ts'
import { replacing } from '../entities/replace-entity.ts'
import type { BatchOptions, BatchOutcome, BatchResult } from './write-batch.ts'
import { viewOfWritten } from '../guarded/visibility.ts'
import { createTurns, mapInTurns } from '../take-turns.ts'
import { weigh } from './weighed-line.ts'

/**
 * Maximum number of operations of an atomic batch, which is held in memory and delays other
 * writers.
 */
export const maxAtomicBatch = 10_000

/** Maximum memory of an atomic batch, in estimated bytes. */
const maxAtomicWeight = 64 * 1_048_576

const maxTries = 20

/** The plan for one entity: several operations on it become one write. */
interface Planned {
  readonly stored: StoredEntity | undefined
  content: EntityContent
  isDeleted: boolean
}

/** One operation, and the plan for its entity. */
interface Planning {
  readonly index: number
  readonly outcome: BatchOutcome
  readonly planned: Planned
  readonly warnings: readonly Fault[]
}

/**
 * The note that is stored for each line under a key, to return the same result again. A line
 * without a write has no stored outcome, so its entity is here.
 */
interface Note {
  readonly index: number
  readonly outcome: BatchOutcome
  readonly warnings: readonly Fault[]
  /** The write that it became part of. */
  readonly position: number
  readonly unchanged?: StoredEntity
}

/**
 * Writes all operations or none, in one transaction. New records may refer to each other in any
 * order. Throws the first error, with the faults of every line (`/<line>/…`).
 */
export async function writeAtomicBatch(
  parts: Parts,
  principal: Principal,
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  options: BatchOptions = {}
): Promise<BatchResult[]> {
  const all: unknown[] = []
  let total = 0
  const takeTurns = createTurns()
  for await (const line of lines) {
    await takeTurns()
    const { value, weight } = weigh(line)
    all.push(value)
    total += weight
    if (total > maxAtomicWeight)
      throw invalidWith([
        {
          pointer: `/${all.length - 1}`,
          message: `An atomic batch may take at most ${maxAtomicWeight} bytes of memory; send it in parts`
        }
      ])
    if (all.length > maxAtomicBatch) {
      throw invalidWith([
        { pointer: `/${maxAtomicBatch}`, message: `An atomic batch may have at most ${maxAtomicBatch} operations` }
      ])
    }
  }
  return writeLines(parts, principal, all, options)
}

const writeLines = happensOnce(writeLinesNow, {
  keyOf: (_lines, options) => options.once,
  repeat: async (parts, principal, { note, outcome }) => {
    const results = toResults(note as unknown as Note[], outcome)
    const entities = results.flatMap(({ entity }) => entity ?? [])
    const contents = principal.readsEverything
      ? []
      : await mapInTurns(entities, async each => JSON.parse(each.json) as Entity)
    return showing(results, await viewOfWritten(parts.store, principal, contents))
  }
})

async function writeLinesNow(
  parts: Parts,
  principal: Principal,
  all: readonly unknown[],
  options: BatchOptions
): Promise<BatchResult[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await writeAll(parts, principal, all, options)
    } catch (error) {
      const isRace =
        error instanceof CatalogueError && error.code === 'version_mismatch' && error.extra.given === undefined
      if (isRace && tries < maxTries) continue
      throw error instanceof CatalogueError ? await withReadableReferences(parts, principal, error) : error
    }
  }
}

async function writeAll(
  parts: Parts,
  principal: Principal,
  lines: readonly unknown[],
  options: BatchOptions
): Promise<BatchResult[]> {
  const { allowDangling = false, factsOf } = options
  const { errors, attempt } = createAttempts()
  const outside = await identifyAll(parts, lines)
  // First the identifiers of the new records, so that each record may refer to any other.
  const readable: NamedOperation[] = []
  const together = new Map<string, CreatedTogether>()
  const deletedIds = new Set<string>()
  for (const [index, line] of lines.entries()) {
    await attempt(index, async () => {
      const read = readBatchOperation(line)
      if (isMerging(read))
        throw invalidWith([
          { pointer: '/op', message: `Each ${read.op} is a transaction of its own: leave out "atomic"` }
        ])
      const id = idOf(read.id)
      const exists = id !== undefined && !deletedIds.has(id)
      const operation: BatchOperation = read.op === 'upsert' ? { ...read, op: exists ? 'replace' : 'create' } : read
      if (operation.op === 'delete' && id !== undefined) deletedIds.add(id)
      if (operation.op !== 'create') {
        readable.push({ index, operation })
        return
      }
      const created = readNew(parts, principal, operation)
      const { content } = created
      deletedIds.delete(content.id)
      for (const name of [content.uuid, content.id, ...content.otherIdentifiers]) together.set(name, content)
      readable.push({ index, operation, created })
    })
  }

  const plan: Planned[] = []
  const byId = new Map<string, Planned>()
  const add = (planned: Planned) => {
    plan.push(planned)
    byId.set(planned.content.id, planned)
    return planned
  }
  const done: Planning[] = []
  for (const { index, operation, created } of readable) {
    await attempt(index, async () => {
      if (created) {
        const { content, warnings } = await prepareContent(parts, principal, created.recordType, created.content, {
          ...{ allowDangling, together, faults: created.faults },
          content: factsOf?.(operation.body)
        })
        if (byId.get(content.id)?.isDeleted === false) throw identifierTaken(content.id)
        const planned = add({ stored: undefined, content, isDeleted: false })
        done.push({ index, outcome: 'created', planned, warnings })
        return
      }
      const identifier = operation.id ?? ''
      const id = idOf(identifier)
      const known = id === undefined ? undefined : byId.get(id)
      if (id === undefined || known?.isDeleted) throw notFound('entity', identifier)
      if (operation.op === 'delete') {
        done.push({ index, outcome: 'deleted', planned: await planDeletion(operation, known), warnings: [] })
        return
      }
      const stored = known ? known.stored : await findWritable(parts, principal, identifier)
      if (stored) refuseOtherVersion(stored, operation.expected)
      const current = known ? asEntity(known) : stored ? (JSON.parse(stored.json) as Entity) : undefined
      if (!current) throw notFound('entity', identifier)
      const edit =
        operation.op === 'replace'
          ? replacing(operation.body)
          : patching(parts, principal, { form: 'lists', body: operation.body })
      const { content, warnings } = await applyEdit(parts, principal, current, edit, {
        allowDangling,
        together,
        content: factsOf?.(operation.body)
      })
      const planned = known ?? add({ stored, content, isDeleted: false })
      planned.content = content
      const isSame = isSameContent(contentOf(current), content)
      const outcome = isSame ? 'unchanged' : operation.op === 'replace' ? 'replaced' : 'patched'
      done.push({ index, outcome, planned, warnings })
    })
  }
  if (errors.length > 0) throw joinErrors(errors)

  return writePlan(parts, principal, { plan, done, together }, options)

  /** The id of the entity with an identifier, inside the batch or outside. */
  function idOf(identifier: string | undefined): string | undefined {
    if (identifier === undefined) return undefined
    return together.get(identifier)?.id ?? outside.get(identifier)?.id
  }

  async function planDeletion(operation: BatchOperation, known: Planned | undefined): Promise<Planned> {
    if (known && !known.stored) throw invalidWith([{ pointer: '', message: 'A batch cannot delete what it creates' }])
    const stored = await findDeletable(parts, principal, known?.content.id ?? operation.id ?? '')
    refuseOtherVersion(stored, operation.expected)
    if (operation.detach) {
      const names = new Set((JSON.parse(stored.json) as Entity).identifiers)
      for (const each of plan.filter(other => !other.isDeleted && other.content.id !== stored.id)) {
        const relations = each.content.relations.filter(relation => !names.has(relation.key))
        const faults: Fault[] = []
        const recordType = parts.model.findType(each.content.type)
        if (recordType) checkRelationCounts(recordType, relations, faults)
        if (faults.length > 0) throw invalidWith(faults)
        each.content = { ...each.content, relations }
      }
      for (const { content } of await detachReferences(parts, principal, stored, id => byId.has(id)))
        add({ stored: await parts.store.findEntity(content.id), content, isDeleted: false })
    }
    const planned = known ?? add({ stored, content: contentOf(JSON.parse(stored.json) as Entity), isDeleted: false })
    planned.isDeleted = true
    return planned
  }
}

/** The writes of a batch, none of which was refused. */
interface Plan {
  readonly plan: readonly Planned[]
  readonly done: readonly Planning[]
  readonly together: ReadonlyMap<string, CreatedTogether>
}

async function writePlan(
  parts: Parts,
  principal: Principal,
  { plan, done, together }: Plan,
  { allowDangling = false, dryRun = false, once, rights }: BatchOptions
): Promise<BatchResult[]> {
  const written = plan.filter(each => !isAsStored(each))
  const positions = new Map(written.map((each, position) => [each, position]))
  const note = done.map(({ planned, ...each }): Note => {
    const position = positions.get(planned) ?? -1
    return { ...each, position, ...(position < 0 && planned.stored ? { unchanged: planned.stored } : {}) }
  })
  const view = await viewOfWritten(
    parts.store,
    principal,
    plan.map(each => each.content),
    together
  )
  rights?.throwIfAborted()
  const entities = await parts.store.write({
    writes: written.map(toWrite),
    by: principal.name,
    dryRun,
    allowDangling,
    ...onceOf(principal, once, note as unknown as Json)
  })
  return showing(toResults(note, entities), view)
}

/** Collects the errors of the lines, so that all are reported. */
function createAttempts() {
  const errors: { index: number; error: CatalogueError }[] = []
  const takeTurns = createTurns()
  const attempt = async (index: number, work: () => Promise<void>) => {
    await takeTurns()
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error
      errors.push({ index, error })
    }
  }
  return { errors, attempt }
}

/** Identifiers that one question asks for. */
const identifiersAtOnce = 1000

/** The stored entities that the lines name: a question for each would take minutes. */
async function identifyAll(parts: Parts, lines: readonly unknown[]): Promise<ReadonlyMap<string, Identified>> {
  const names = new Set<string>()
  for (const line of lines)
    for (const each of isJsonObject(line) ? [line, line.entity] : [])
      for (const name of isJsonObject(each) ? [each.id, each._id] : []) if (typeof name === 'string') names.add(name)
  const known = new Map<string, Identified>()
  const all = [...names]
  for (let first = 0; first < all.length; first += identifiersAtOnce)
    for (const [name, each] of await parts.store.identify(all.slice(first, first + identifiersAtOnce)))
      known.set(name, each)
  return known
}

interface NamedOperation {
  readonly index: number
  readonly operation: BatchOperation
  readonly created?: { readonly recordType: RecordType; readonly content: WantedContent; readonly faults: Fault[] }
}

function readNew(parts: Parts, principal: Principal, { body }: BatchOperation) {
  const faults: Fault[] = []
  const draft = readDraft(body, faults)
  const recordType = readNewType(parts, principal, draft, faults)
  checkGivenUuid(body, faults)
  const id = draft.id ?? newId(recordType.idPrefix, parts.randomBelow)
  const uuid = draft.uuid ?? parts.newUuid()
  const otherIdentifiers = draft.identifiers.filter(each => each !== id && each !== uuid)
  const { metadata, relations, pointers } = draft
  const content = { id, uuid, type: recordType.type, metadata, relations, otherIdentifiers, pointers }
  return { recordType, content, faults }
}

/** An entity with the changes of the batch so far, for the next operation on it. */
function asEntity({ content, stored }: Planned): Entity {
  const stamp = { at: '', by: '' }
  return toEntity(content, stored?.version ?? 0, { created: stamp, updated: stamp })
}

/** Whether the batch leaves an entity unchanged: then it is not written. */
const isAsStored = ({ stored, content, isDeleted }: Planned) =>
  stored !== undefined && !isDeleted && isSameContent(contentOf(JSON.parse(stored.json) as Entity), content)

function toWrite({ stored, content, isDeleted }: Planned): EntityWrite {
  if (!stored) return { kind: 'insert', content }
  if (isDeleted) return { kind: 'delete', id: stored.id, expectedVersion: stored.version }
  return { kind: 'update', content, expectedVersion: stored.version }
}

const toResults = (note: readonly Note[], entities: readonly (StoredEntity | undefined)[]): BatchResult[] =>
  note.map(({ index, outcome, warnings, position, unchanged }) => ({
    index,
    outcome,
    warnings,
    entity: unchanged ?? entities[position]
  }))

/** The results with entities as their writer sees them. */
const showing = (results: readonly BatchResult[], view: (stored: StoredEntity) => StoredEntity) =>
  mapInTurns(results, async result => (result.entity ? { ...result, entity: view(result.entity) } : result))

/**
 * Makes one error for the whole batch: the kind of the first error, with every fault by its line.
 */
function joinErrors(errors: readonly { index: number; error: CatalogueError }[]): CatalogueError {
  const [first] = errors
  const faults = errors.flatMap(({ index, error }) =>
    error.faults.length > 0
      ? error.faults.map(fault => ({ pointer: `/${index}${fault.pointer}`, message: fault.message }))
      : [{ pointer: `/${index}`, message: error.message }]
  )
  const error = first?.error ?? invalidWith(faults)
  return new CatalogueError(
    error.code,
    `Nothing was written: ${faults.length === 1 ? 'one fault' : `${faults.length} faults, the first`}: ${faults[0]?.message} at ${faults[0]?.pointer}`,
    {
      faults,
      extra: { ...error.extra, ...(error.code === 'version_mismatch' ? { given: true } : {}) },
      ...(error.about ? { about: error.about } : {})
    }
  )
}
