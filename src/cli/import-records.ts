import type { Catalogue } from '#catalogue/catalogue.ts'
import { CatalogueError } from '#domain/errors.ts'
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
  /** Told after every group of lines. */
  readonly onProgress?: (lines: number) => void
}

/** So many lines are on their way at once: enough to share each commit, few enough to keep memory small. */
const atOnce = 64
const mostFailures = 1000

/**
 * Writes NDJSON records: one that has an id which exists is replaced, any other is created. A line that cannot be written is reported with its
 * number, and the rest goes on. Sending the same file again changes nothing.
 *
 * A record may come before what it points to: lines that fail for want of a target are tried again at the end.
 */
export async function importRecords(
  catalogue: Catalogue,
  principal: Principal,
  lines: AsyncIterable<string>,
  { allowDangling = false, dryRun = false, onProgress }: ImportOptions
): Promise<ImportOutcome> {
  const counts = { lines: 0, created: 0, replaced: 0, unchanged: 0 }
  const failures: { line: number; message: string }[] = []
  const fail = (line: number, error: unknown) => {
    if (!(error instanceof CatalogueError)) throw error
    if (failures.length < mostFailures) failures.push({ line, message: error.message })
  }
  const write = async (body: Record<string, unknown>) => {
    const outcome = await writeRecord(catalogue, principal, body, { allowDangling, dryRun })
    counts[outcome]++
  }

  let waiting: { line: number; body: Record<string, unknown> }[] = []
  let group: { line: number; body: Record<string, unknown> }[] = []
  const flush = async () => {
    const outcomes = await Promise.allSettled(group.map(({ body }) => write(body)))
    outcomes.forEach((outcome, index) => {
      const entry = group[index]
      if (outcome.status === 'fulfilled' || !entry) return
      if (isMissingTarget(outcome.reason)) waiting.push(entry)
      else fail(entry.line, outcome.reason)
    })
    group = []
    onProgress?.(counts.lines)
  }

  for await (const text of lines) {
    counts.lines++
    if (text.trim() === '') continue
    try {
      group.push({ line: counts.lines, body: parseLine(text) })
    } catch (error) {
      fail(counts.lines, error)
    }
    if (group.length >= atOnce) await flush()
  }
  await flush()

  // Each round can only make more targets exist; when one makes none, the rest point to nothing.
  for (let before = -1; waiting.length > 0 && waiting.length !== before; ) {
    before = waiting.length
    const round = waiting
    waiting = []
    for (let at = 0; at < round.length; at += atOnce) {
      group = round.slice(at, at + atOnce)
      await flush()
    }
  }
  for (const { line, body } of waiting) await write(body).catch(error => fail(line, error))
  return { ...counts, failures: failures.sort((one, other) => one.line - other.line) }
}

async function writeRecord(
  catalogue: Catalogue,
  principal: Principal,
  body: Record<string, unknown>,
  options: { allowDangling: boolean; dryRun: boolean }
): Promise<'created' | 'replaced' | 'unchanged'> {
  const id = body.id ?? body._id
  if (typeof id === 'string') {
    try {
      const { changed } = await catalogue.replaceEntity(principal, id, body, options)
      return changed ? 'replaced' : 'unchanged'
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.code !== 'not_found') throw error
    }
  }
  await catalogue.createEntity(principal, body, options)
  return 'created'
}

function parseLine(text: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new CatalogueError('invalid', `Not JSON: ${(cause as Error).message}`, { cause })
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new CatalogueError('invalid', 'A line must be a JSON object')
  }
  return body as Record<string, unknown>
}

const isMissingTarget = (error: unknown) =>
  error instanceof CatalogueError &&
  error.code === 'invalid' &&
  error.faults.length > 0 &&
  error.faults.every(fault => fault.message.startsWith('No entity with id'))
