import type { Catalogue } from '#catalogue/catalogue.ts'
import { CatalogueError, missingTargetsIn } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'

export interface ImportOutcome {
  readonly lines: number
  readonly created: number
  readonly replaced: number
  readonly unchanged: number
  readonly failures: readonly { readonly line: number; readonly message: string }[]
}

export interface ImportOptions {
  readonly allowDangling?: boolean
  readonly dryRun?: boolean
  /** Told every hundred lines. */
  readonly onProgress?: (lines: number) => void
}

const mostFailures = 1000

/**
 * Writes NDJSON records as a batch: one that has an id which exists is replaced, any other is created. A line that cannot be written is reported
 * with its number, and the rest goes on. Sending the same file again changes nothing.
 *
 * A record may come before what it points to: lines that fail for want of a target are tried again at the end. Those that point to each other in
 * a ring, where none can come first, are then let point to what the others are about to be.
 */
export async function importRecords(
  catalogue: Catalogue,
  principal: Principal,
  lines: AsyncIterable<string | Buffer>,
  { allowDangling = false, dryRun = false, onProgress }: ImportOptions
): Promise<ImportOutcome> {
  const counts = { lines: 0, created: 0, replaced: 0, unchanged: 0 }
  const failures: { line: number; message: string }[] = []
  /** What a dry run would have made, for lines that point to it. */
  const made = new Set<string>()

  /** Writes lines through a batch. Gives those that wait for a target. */
  const write = async (
    source: AsyncIterable<Line> | Iterable<Line>,
    dangling = allowDangling
  ): Promise<WaitingLine[]> => {
    const sent: Line[] = []
    const waiting: WaitingLine[] = []
    const operations = (async function* () {
      for await (const each of source) {
        sent.push(each)
        yield each.body instanceof CatalogueError ? each.body : { op: 'upsert', entity: each.body }
      }
    })()
    for await (const { outcome, error } of catalogue.writeBatch(principal, operations, {
      allowDangling: dangling,
      dryRun
    })) {
      const entry = sent.shift()
      if (!entry) continue
      const missing = missingTargetsIn(error)
      if (missing) waiting.push({ ...entry, missing })
      else if (error && failures.length < mostFailures) failures.push({ line: entry.line, message: error.message })
      else if (outcome === 'created' || outcome === 'replaced' || outcome === 'unchanged') counts[outcome]++
      if (dryRun && !error) for (const name of namesOf(entry)) made.add(name)
    }
    return waiting
  }

  let waiting = await write(
    (async function* () {
      for await (const text of lines) {
        counts.lines++
        const body = parseLine(text)
        if (body) yield { line: counts.lines, body }
        if (counts.lines % 100 === 0) onProgress?.(counts.lines)
      }
    })()
  )
  // Each round can only make more targets exist; when one makes none, the rest point to each other or to nothing.
  for (let before = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length
    waiting = await write(waiting)
  }
  const ring = findRing(waiting, made)
  const inRing = new Set(ring)
  await write(ring, true)
  // Now that all of the ring is there, it is held to the same rules as the rest.
  if (!dryRun && !allowDangling) {
    const { created, replaced, unchanged } = counts
    await write(ring)
    Object.assign(counts, { created, replaced, unchanged })
  }
  for (const { line, missing } of waiting.filter(each => !inRing.has(each)).slice(0, mostFailures)) {
    failures.push({ line, message: `No entity with id "${missing.join('", "')}"` })
  }
  return { ...counts, failures: failures.sort((one, other) => one.line - other.line) }
}

interface Line {
  readonly line: number
  readonly body: Record<string, unknown> | CatalogueError
}

interface WaitingLine extends Line {
  readonly missing: readonly string[]
}

/** Those of the lines whose missing targets are all brought by others of them, or were made. */
function findRing(waiting: readonly WaitingLine[], made: ReadonlySet<string>): readonly WaitingLine[] {
  let ring = waiting
  for (let before = -1; ring.length !== before; ) {
    before = ring.length
    const names = new Set(ring.flatMap(namesOf))
    ring = ring.filter(({ missing }) => missing.every(name => names.has(name) || made.has(name)))
  }
  return ring
}

function namesOf({ body }: Line): string[] {
  if (body instanceof CatalogueError) return []
  const { id, _id, identifiers } = body
  return [id, _id, ...(Array.isArray(identifiers) ? identifiers : [])].filter(name => typeof name === 'string')
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** A line as the record it holds, or as what is wrong with it. Gives undefined for an empty line. */
function parseLine(line: string | Buffer): Record<string, unknown> | CatalogueError | undefined {
  let text: string
  try {
    text = typeof line === 'string' ? line : decoder.decode(line)
  } catch (cause) {
    return new CatalogueError('invalid', 'Not valid UTF-8', { cause })
  }
  if (text.trim() === '') return undefined
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
    return new CatalogueError('invalid', 'A line must be a JSON object')
  } catch (cause) {
    return new CatalogueError('invalid', `Not JSON: ${(cause as Error).message}`, { cause })
  }
}
