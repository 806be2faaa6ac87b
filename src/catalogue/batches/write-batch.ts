import { hash } from 'node:crypto'

import { atMost, CatalogueError, type Fault, missingTargetsIn } from '#domain/errors.ts'
import type { ContentFacts } from '#domain/entity/server-fields.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import {
  type BatchOperation,
  type BatchOperationName,
  identifiersOfOperation,
  readBatchOperation
} from './batch-operation.ts'
import { intoWaves } from './batch-waves.ts'
import { createEntity, type WriteOptions, type Written } from '../entities/create-entity.ts'
import { deleteEntity } from '../entities/delete-entity.ts'
import type { RequestKey } from '../entities/once.ts'
import type { Parts } from '../parts.ts'
import { patchEntity } from '../entities/patch-entity.ts'
import { replaceEntity } from '../entities/replace-entity.ts'
import { mergeEntities, type MergeOutcome } from '../merging/merge-entities.ts'
import { unmergeEntity, type UnmergeOutcome } from '../merging/unmerge-entity.ts'
import { createTurns } from '../take-turns.ts'
import { weigh } from './weighed-line.ts'

const batchOutcomes = [
  'created',
  'replaced',
  'patched',
  'deleted',
  'merged',
  'unmerged',
  'unchanged',
  'refused'
] as const
export type BatchOutcome = (typeof batchOutcomes)[number]

/** The result of one line. */
export interface BatchResult {
  readonly index: number
  readonly outcome: BatchOutcome
  readonly entity?: StoredEntity | undefined
  readonly merge?: MergeOutcome | UnmergeOutcome
  readonly warnings?: readonly Fault[]
  readonly error?: CatalogueError
}

export interface BatchOptions {
  readonly allowDangling?: boolean
  readonly dryRun?: boolean
  readonly once?: RequestKey | undefined
  /** Aborts when the sender of the batch has lost their rights: nothing more is written then. */
  readonly rights?: AbortSignal
  /** The bytes that a body names, which only imports may state. */
  readonly factsOf?: (body: object) => ContentFacts | undefined
}

/** Maximum number of lines by which a record may precede the records that it refers to. */
const batchWindow = 500
/** Number of lines that are read before they are written. */
const linesAtOnce = 250
/**
 * Maximum memory, in estimated bytes, of the lines that are read before they are written, and of
 * those that wait for a target.
 */
const maxWindowWeight = 16 * 1_048_576
/** Maximum number of faults that are reported for one line. */
const maxFaultsPerLine = 100
/** Number of concurrent writes, so that they share commits. */
const writesAtOnce = 64

interface Numbered {
  readonly index: number
  readonly weight: number
  readonly operation: BatchOperation
}

/** A batch that is being written, with the results of its lines so far. */
interface Batch {
  readonly parts: Parts
  readonly principal: Principal
  readonly options: BatchOptions
  readonly results: Map<number, BatchResult>
}

/**
 * Writes operations one by one as they arrive, with one result for each, in order; a failed line
 * does not affect the others. Memory does not grow with the length of the batch: a line that lacks
 * its target waits for it, but not for ever.
 */
export async function* writeBatch(
  parts: Parts,
  principal: Principal,
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  options: BatchOptions = {}
): AsyncGenerator<BatchResult> {
  const results = new Map<number, BatchResult>()
  const batch: Batch = { parts, principal, options, results }
  let waiting: Numbered[] = []
  let count = 0
  let yielded = 0
  function* tellInOrder() {
    for (let result = results.get(yielded); result; result = results.get(yielded)) {
      yield result
      results.delete(yielded++)
    }
  }
  const write = async (isEnd: boolean) => {
    const postponed = await writeRounds(batch, waiting)
    const isHeavy = weightOf(postponed) > maxWindowWeight
    const isOver = ({ index }: Numbered) => isEnd || isHeavy || index + batchWindow < count
    await writeRound(batch, postponed.filter(isOver), true)
    waiting = postponed.filter(each => !isOver(each))
  }

  let unwritten = 0
  const takeTurns = createTurns()
  for await (const line of lines) {
    await takeTurns()
    const { value, weight } = weigh(line)
    try {
      waiting.push({ index: count, weight, operation: readBatchOperation(value) })
    } catch (error) {
      results.set(count, refused(count, error))
    }
    count++
    unwritten += weight
    if (count % linesAtOnce > 0 && unwritten < maxWindowWeight) continue
    unwritten = 0
    await write(false)
    yield* tellInOrder()
  }
  await write(true)
  yield* tellInOrder()
}

const weightOf = (lines: readonly Numbered[]) => lines.reduce((sum, { weight }) => sum + weight, 0)

/**
 * Writes the lines that can be written. Returns those that still lack a target, and those that
 * follow them on the same record.
 */
async function writeRounds(batch: Batch, lines: readonly Numbered[]): Promise<Numbered[]> {
  for (let waiting = lines; ; ) {
    const postponed = await writeRound(batch, waiting)
    // Each round can only create more targets.
    if (postponed.length === 0 || postponed.length === waiting.length) return postponed
    waiting = postponed
  }
}

async function writeRound(
  { parts, principal, options, results }: Batch,
  lines: readonly Numbered[],
  isLast = false
): Promise<Numbered[]> {
  const postponed = new Set<Numbered>()
  const names = new Set<string>()
  const write = async (line: Numbered) => {
    const { index, operation } = line
    if (!identifiersOfOperation(operation).some(name => names.has(name))) {
      const result = await writeOne(parts, principal, operation, index, options)
      if (isLast || missingTargetsIn(result.error) === undefined) {
        results.set(index, result)
        return
      }
    }
    // A line that follows a waiting line on the same record waits with it.
    postponed.add(line)
    for (const name of identifiersOfOperation(operation)) names.add(name)
  }
  for (const wave of intoWaves(lines)) {
    for (let from = 0; from < wave.length; from += writesAtOnce)
      await Promise.all(wave.slice(from, from + writesAtOnce).map(write))
  }
  return lines.filter(line => postponed.has(line))
}

async function writeOne(
  parts: Parts,
  principal: Principal,
  operation: BatchOperation,
  index: number,
  { allowDangling = false, dryRun = false, once, rights, factsOf }: BatchOptions
): Promise<BatchResult> {
  rights?.throwIfAborted()
  const { op, id = '', body, expected, detach } = operation
  const options: WriteOptions = {
    allowDangling,
    dryRun,
    content: factsOf?.(body),
    // A search for each line would cost more than writing it; the list of duplicates has them.
    warnsOfDuplicates: false,
    // The key of a line includes its content, so a batch that is sent again may continue where it
    // was cut off.
    once: once && {
      key: `${once.key}:${index}`,
      fingerprint: hash(
        'sha256',
        `${once.fingerprint} ${JSON.stringify([op, operation.id ?? null, [...(expected ?? [])], detach, body])}`
      )
    }
  }
  try {
    if (op === 'merge')
      return {
        index,
        outcome: 'merged',
        merge: await mergeEntities(parts, principal, id, body, { ...options, expected })
      }
    if (op === 'unmerge') {
      const merge = await unmergeEntity(parts, principal, id, body, { ...options, expected })
      return { index, outcome: 'unmerged', merge }
    }
    const written = await perform(parts, principal, { ...operation, op }, options)
    if (!written) return { index, outcome: 'deleted' }
    const { entity, warnings, changed, isNew } = written
    const outcome = isNew ? 'created' : op === 'patch' ? 'patched' : 'replaced'
    return { index, outcome: changed ? outcome : 'unchanged', entity, warnings }
  } catch (error) {
    return refused(index, error)
  }
}

async function perform(
  parts: Parts,
  principal: Principal,
  {
    op,
    id = '',
    body,
    expected,
    detach
  }: BatchOperation & { readonly op: Exclude<BatchOperationName, 'merge' | 'unmerge'> },
  options: WriteOptions
): Promise<Written | undefined> {
  switch (op) {
    case 'create':
      return createEntity(parts, principal, body, options)
    case 'replace':
      return replaceEntity(parts, principal, id, body, { ...options, expected })
    case 'patch':
      return patchEntity(parts, principal, id, { form: 'lists', body }, { ...options, expected })
    case 'delete':
      await deleteEntity(parts, principal, id, { ...options, expected, detach })
      return undefined
    case 'upsert': {
      const exists = id !== '' && (await parts.store.identify([id])).has(id)
      return perform(parts, principal, { op: exists ? 'replace' : 'create', id, body, expected, detach }, options)
    }
  }
}

/**
 * Makes the result of a refused line. An internal error, or one of the database, ends the batch
 * instead.
 */
function refused(index: number, error: unknown): BatchResult {
  if (!(error instanceof CatalogueError) || error.code === 'unavailable' || error.code === 'storage_full') throw error
  return { index, outcome: 'refused', error: withFewerFaults(error, maxFaultsPerLine) }
}

/** Shortens the faults of an error. The last fault tells how many were left out. */
function withFewerFaults(error: CatalogueError, maxFaults: number): CatalogueError {
  const { faults } = error
  if (faults.length <= maxFaults) return error
  return new CatalogueError(error.code, error.message, {
    faults: atMost(maxFaults, faults),
    extra: error.extra,
    ...(error.about ? { about: error.about } : {})
  })
}
