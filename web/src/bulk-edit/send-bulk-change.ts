import type { BatchLine, BatchLineResult, Client, Entity, MergeOutcome } from '../../../client/index.ts'

type Content = Pick<Entity, 'metadata' | 'relations'>

/** A record before and after the change. */
export interface PlannedChange {
  readonly entity: Entity
  readonly next: Content
}

/** A written record: its versions before and after. */
interface DoneEdit {
  readonly id: string
  readonly before: number
  readonly after: number
}

/** A merge into a record. */
interface DoneMerge {
  readonly id: string
  readonly victim: string
}

/** A change that was made to a record, and can be undone. */
export type DoneChange = DoneEdit | DoneMerge

export interface Refusal {
  readonly id: string
  readonly messages: readonly string[]
}

export interface ManyOutcome {
  readonly done: readonly DoneChange[]
  readonly refused: readonly Refusal[]
  /** The merges among what was done, in a preview too. */
  readonly merges: readonly MergeOutcome[]
}

interface SendOptions {
  readonly isDry: boolean
  readonly signal: AbortSignal
  /** Called after each request with the results so far. */
  readonly onProgress: (handled: number, outcome: ManyOutcome) => void
}

/** A line of a batch, and the record that a refusal is about. */
interface PlannedLine {
  readonly id: string
  readonly line: BatchLine
}

/**
 * Maximum number of changes and of characters per request: bodies are limited, and progress is
 * visible.
 */
const maxAtOnce = 100
const maxCharacters = 400_000

/**
 * Checks or writes changes of many records, each on its own: a refused one does not affect the
 * others. Each names the version it was made from, so no concurrent change is overwritten.
 */
export const sendMany = (client: Client, changes: readonly PlannedChange[], options: SendOptions) =>
  sendLines(
    client,
    changes.map(({ entity, next }) => ({
      id: entity.id,
      line: { op: 'replace', id: entity.id, entity: next, if_match: entity.version }
    })),
    options
  )

/** A record, and another that is merged into it. */
export interface PlannedMerge {
  readonly survivor: string
  readonly victim: string
}

/** Checks or makes merges, one after the other, each whole. The values of both records are kept. */
export const sendMerges = (client: Client, merges: readonly PlannedMerge[], options: SendOptions) =>
  sendLines(
    client,
    merges.map(({ survivor, victim }) => ({
      id: victim,
      line: { op: 'merge', id: survivor, victim_id: victim, keep: 'both' }
    })),
    options
  )

async function sendLines(
  client: Client,
  lines: readonly PlannedLine[],
  { isDry, signal, onProgress }: SendOptions
): Promise<ManyOutcome> {
  const done: DoneChange[] = []
  const refused: Refusal[] = []
  const merges: MergeOutcome[] = []
  let handled = 0
  for (const piece of piecesOf(lines)) {
    if (signal.aborted) break
    const { data } = await client.send('POST /entities/batch', {
      query: isDry ? { dry_run: 1 } : {},
      body: piece.map(({ line }) => line),
      // The key makes the request idempotent.
      headers: { 'idempotency-key': crypto.randomUUID() }
    })
    for (const [index, { id, line }] of piece.entries()) {
      const { problem, merge, unmerge, version } = data[index] ?? {}
      const pair = merge ?? unmerge
      if (problem) refused.push({ id, messages: messagesOf(problem) })
      else if (pair) done.push({ id: pair.survivor_id, victim: pair.victim_id })
      else if (version !== undefined) done.push({ id, before: line.if_match ?? version, after: version })
      if (merge) merges.push(merge)
    }
    handled += piece.length
    onProgress(handled, { done, refused, merges })
  }
  return { done, refused, merges }
}

function messagesOf({ detail, errors = [] }: NonNullable<BatchLineResult['problem']>): string[] {
  return errors.length > 0 ? errors.map(({ message }) => message) : [detail]
}

function* piecesOf(lines: readonly PlannedLine[]): Generator<readonly PlannedLine[]> {
  let piece: PlannedLine[] = []
  let characters = 0
  for (const each of lines) {
    const length = JSON.stringify(each.line).length
    if (piece.length > 0 && (piece.length === maxAtOnce || characters + length > maxCharacters)) {
      yield piece
      piece = []
      characters = 0
    }
    piece.push(each)
    characters += length
  }
  if (piece.length > 0) yield piece
}

/** Maximum number of records undone at the same time. */
const hands = 6

/**
 * Undoes changes: records are reverted, except those that were changed since, which are reported;
 * merges are undone, the last one first.
 */
export async function undoMany(
  client: Client,
  changes: readonly DoneChange[],
  onProgress: (handled: number) => void
): Promise<ManyOutcome> {
  const merges = changes.filter(each => 'victim' in each).toReversed()
  const unmerged = await sendLines(
    client,
    merges.map(({ id, victim }) => ({ id: victim, line: { op: 'unmerge', id, victim_id: victim } })),
    { isDry: false, signal: new AbortController().signal, onProgress }
  )
  const done = [...unmerged.done]
  const refused = [...unmerged.refused]
  const waiting = changes.filter(each => 'after' in each)
  let handled = merges.length
  const work = async () => {
    for (let change = waiting.shift(); change !== undefined; change = waiting.shift()) {
      const { id, before, after } = change
      try {
        const { version } = await client.entities.revert(id, before, { ifMatch: after })
        done.push({ id, before: after, after: version })
      } catch (error) {
        refused.push({ id, messages: [(error as Error).message] })
      }
      onProgress(++handled)
    }
  }
  await Promise.all(Array.from({ length: hands }, work))
  return { done, refused, merges: [] }
}
