import { prepareCatalogue } from './support/catalogue-file.ts'
import { adminToken, ownCheckout, startLibretto, usageOf } from './support/processes.ts'
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
      const measured = await measureExport(database, format, size)
      if (!measured) throw new Error(`The export in ${format} was refused`)
      const { perSecond, perProcessorSecond, bytes, before, most } = measured
      plain ??= perProcessorSecond
      rows.push([
        size.toLocaleString('en'),
        format,
        perSecond.toFixed(0),
        (plain / perProcessorSecond).toFixed(1),
        (bytes / 1e6).toFixed(0),
        before.toFixed(0),
        most.toFixed(0)
      ])
    }
  }
  printTable(
    ['manifestations', 'format', 'records/s', 'processor, × ndjson', 'MB sent', 'MB before', 'MB at most'],
    rows
  )
}

/**
 * Records a second by the clock and by processor time, and the memory before and at most. A process
 * for each format, so that the memory of one is not that of the one before. Undefined for a format
 * that is not offered.
 */
export async function measureExport(
  database: string,
  format: (typeof formats)[number],
  size: number,
  checkout = ownCheckout
) {
  await using libretto = await startLibretto(database, {}, { checkout })
  // Once to warm up, on the same records.
  if (!(await take(libretto, `${format}&type=manifestation_map`))) return undefined
  const before = usageOf(libretto.pid)
  const taken = await take(libretto, `${format}&type=manifestation`)
  if (!taken) return undefined
  const { seconds, bytes, most } = taken
  const used = (usageOf(libretto.pid).processor - before.processor) / 1000
  return { perSecond: size / seconds, perProcessorSecond: size / used, bytes, before: before.memory, most }
}

/**
 * Reads an export to its end and lets go of it, looking at the server's memory on the way;
 * undefined if it is refused.
 */
async function take({ port, pid }: { readonly port: number; readonly pid: number }, query: string) {
  const started = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/export?format=${query}`, {
    headers: { authorization: `Bearer ${adminToken}` }
  })
  if (response.status !== 200 || response.body === null) return undefined
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
