import type { BatchLineResult, Client, Entity } from '../../../client/index.ts'

type Content = Pick<Entity, 'metadata' | 'relations'>

/** A record before and after the change. */
export interface PlannedChange {
  readonly entity: Entity
  readonly next: Content
}

/** A written record: its versions before and after. */
export interface DoneChange {
  readonly id: string
  readonly before: number
  readonly after: number
}

export interface Refusal {
  readonly id: string
  readonly messages: readonly string[]
}

export interface ManyOutcome {
  readonly done: readonly DoneChange[]
  readonly refused: readonly Refusal[]
}

interface SendOptions {
  readonly isDry: boolean
  readonly signal: AbortSignal
  /** Called after each request with the results so far. */
  readonly onProgress: (handled: number, outcome: ManyOutcome) => void
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
export async function sendMany(
  client: Client,
  changes: readonly PlannedChange[],
  { isDry, signal, onProgress }: SendOptions
): Promise<ManyOutcome> {
  const done: DoneChange[] = []
  const refused: Refusal[] = []
  let handled = 0
  for (const piece of piecesOf(changes)) {
    if (signal.aborted) break
    const { data } = await client.send('POST /entities/batch', {
      query: isDry ? { dry_run: 1 } : {},
      body: piece.map(({ entity, next }) => ({
        op: 'replace',
        id: entity.id,
        entity: next,
        if_match: entity.version
      })),
      // The key makes the request idempotent.
      headers: { 'idempotency-key': crypto.randomUUID() }
    })
    for (const [index, { entity }] of piece.entries()) {
      const result = data[index]
      if (result?.problem) refused.push({ id: entity.id, messages: messagesOf(result.problem) })
      else if (result?.version !== undefined)
        done.push({ id: entity.id, before: entity.version, after: result.version })
    }
    handled += piece.length
    onProgress(handled, { done, refused })
  }
  return { done, refused }
}

function messagesOf({ detail, errors = [] }: NonNullable<BatchLineResult['problem']>): string[] {
  return errors.length > 0 ? errors.map(({ message }) => message) : [detail]
}

function* piecesOf(changes: readonly PlannedChange[]): Generator<readonly PlannedChange[]> {
  let piece: PlannedChange[] = []
  let characters = 0
  for (const change of changes) {
    const length = JSON.stringify(change.next).length
    if (piece.length > 0 && (piece.length === maxAtOnce || characters + length > maxCharacters)) {
      yield piece
      piece = []
      characters = 0
    }
    piece.push(change)
    characters += length
  }
  if (piece.length > 0) yield piece
}

/** Maximum number of records undone at the same time. */
const hands = 6

/** Reverts records, except those that were changed since, which are reported. */
export async function undoMany(
  client: Client,
  changes: readonly DoneChange[],
  onProgress: (handled: number) => void
): Promise<ManyOutcome> {
  const done: DoneChange[] = []
  const refused: Refusal[] = []
  const waiting = [...changes]
  let handled = 0
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
  return { done, refused }
}
