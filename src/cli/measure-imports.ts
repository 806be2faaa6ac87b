import { setImmediate as nextTurn } from 'node:timers/promises'

import type { MetricFamily } from '#http/observe/metric-text.ts'
import { gauge, one } from './metric-families.ts'
import type { Libretto } from '../main.ts'

/** Number of imports that are read at once. */
const pageSize = 200

/**
 * Milliseconds that a count is used. A catalogue has thousands of imports after some years, and
 * each is read.
 */
const maxAge = 15_000

interface ImportCount {
  readonly states: ReadonlyMap<string, number>
  /** Of running imports. */
  readonly handled: number
  readonly bytes: number
  readonly size: number
}

/** Returns a function that measures imports, for Prometheus. */
export function createImportMeasurement(imports: Libretto['imports']): () => Promise<MetricFamily[]> {
  let last: { readonly at: number; readonly count: ImportCount } | undefined
  return async () => {
    const now = performance.now()
    if (!last || now - last.at > maxAge) last = { at: now, count: await countImports(imports) }
    const { states, handled, bytes, size } = last.count
    return [
      gauge(
        'libretto_imports',
        'Imports by state.',
        [...states].map(([state, value]) => ({ labels: { state }, value }))
      ),
      gauge('libretto_import_handled_records', 'Records that running imports have handled.', one(handled)),
      gauge('libretto_import_handled_bytes', 'Bytes that running imports have read.', one(bytes)),
      gauge('libretto_import_total_bytes', 'Size of the files of running imports.', one(size))
    ]
  }
}

async function countImports(imports: Libretto['imports']): Promise<ImportCount> {
  const states = new Map<string, number>()
  let [handled, bytes, size] = [0, 0, 0]
  for (let after: string | undefined; ; ) {
    const page = await imports.list(pageSize, after)
    for (const job of page) {
      states.set(job.state, (states.get(job.state) ?? 0) + 1)
      if (job.startedAt === null || job.endedAt !== null) continue
      handled += job.handled
      bytes += job.bytes
      size += job.size ?? 0
    }
    if (page.length < pageSize) return { states, handled, bytes, size }
    after = page.at(-1)?.id
    // Requests are answered in between.
    await nextTurn()
  }
}
