import type { BatchLineResult, Client, Entity } from '../../../client/index.ts'

type Content = Pick<Entity, 'metadata' | 'relations'>

/** A record as it is and as it is to be. */
export interface PlannedChange {
  readonly entity: Entity
  readonly next: Content
}

/** One that was written: the versions before and behind it. */
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
  /** Told after each piece; what was done so far is kept by whoever listens. */
  readonly onProgress: (handled: number, outcome: ManyOutcome) => void
}

/** So many go in one request, or so many characters: a body has a limit, and people want to see that it moves. */
const mostAtOnce = 100
const mostCharacters = 400_000

/**
 * Has the service check or write changes of many records, each for itself: one that is refused hinders no other. Each names the version it was made
 * from, so nobody is overwritten. Stops between two requests when it is called off.
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
      // Sent twice, it happens once.
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
    if (piece.length > 0 && (piece.length === mostAtOnce || characters + length > mostCharacters)) {
      yield piece
      piece = []
      characters = 0
    }
    piece.push(change)
    characters += length
  }
  if (piece.length > 0) yield piece
}

/** So many are taken back at the same time. */
const hands = 6

/** Makes records again what they were, unless somebody has changed them since: those are told. */
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
