import { prepareCatalogue } from './support/catalogue-file.ts'
import { adminToken, startLibretto, usageOf } from './support/processes.ts'
import { printTable, type RunOptions } from './support/report.ts'

const formats = ['ndjson', 'csv', 'marc21', 'marcxml'] as const
const small = 2_000

/**
 * `GET /export?type=manifestation` in each format, on a small catalogue and on a large one:
 * processor time for each record as a ratio to NDJSON, which is text that lies ready, and the
 * memory that the server has at most. Aim: no more memory for many records than for few.
 */
export async function run({ manifestations }: RunOptions) {
  const rows: string[][] = []
  for (const size of [small, manifestations]) {
    const database = await prepareCatalogue(size)
    let plain: number | undefined
    for (const format of formats) {
      // A process for each, so that the memory of one is not that of the one before.
      await using libretto = await startLibretto(database)
      // Once to warm up, on the same records.
      await take(libretto, `${format}&type=manifestation_map`)
      const before = usageOf(libretto.pid)
      const { seconds, bytes, most } = await take(libretto, `${format}&type=manifestation`)
      const each = (usageOf(libretto.pid).processor - before.processor) / size
      plain ??= each
      rows.push([
        size.toLocaleString('en'),
        format,
        (size / seconds).toFixed(0),
        (each / plain).toFixed(1),
        (bytes / 1e6).toFixed(0),
        before.memory.toFixed(0),
        most.toFixed(0)
      ])
    }
  }
  printTable(
    ['manifestations', 'format', 'records/s', 'processor, × ndjson', 'MB sent', 'MB before', 'MB at most'],
    rows
  )
}

/** Reads an export to its end and lets go of it, looking at the server's memory on the way. */
async function take({ port, pid }: { readonly port: number; readonly pid: number }, query: string) {
  const started = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/export?format=${query}`, {
    headers: { authorization: `Bearer ${adminToken}` }
  })
  if (response.status !== 200 || response.body === null) throw new Error(`The export was answered ${response.status}`)
  let bytes = 0
  let most = 0
  let looked = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (performance.now() - looked < 20) continue
    looked = performance.now()
    most = Math.max(most, usageOf(pid).memory)
  }
  return { seconds: (performance.now() - started) / 1000, bytes, most }
}
