import { createWriteStream, copyFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'

import { findSamples, manifestationIds, prepareCatalogue, scratchFolder } from './support/catalogue-file.ts'
import { generateCatalogue } from './support/generate-catalogue.ts'
import { getRequest, inTurn, type Load, type Measured, measure, postRequest } from './support/load.ts'
import { runLibretto, type ServerProcess, startLibretto } from './support/processes.ts'
import {
  type AskedQuestion,
  findDeepCursor,
  manifestations,
  questionsAbout,
  titled,
  tryOnce,
  stopWordWithFacets
} from './support/questions.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/**
 * Two things about `POST /entities/filter`: what each kind of question costs, beside a get by id in
 * the same run; and how long a get takes while others scan or import. Aim for the second: a 99th
 * percentile of at most 5 times the idle one.
 */
export async function run(options: RunOptions) {
  const database = await prepareCatalogue(options.manifestations)
  await measureQuestions(database, options)
  await measureGetMeanwhile(database, options)
}

/** As many as there are reader threads: more would only queue. */
const askers = 2

async function measureQuestions(database: string, { seconds }: RunOptions) {
  // A long deadline, so that queries above the usual one are measured too.
  await using libretto = await startLibretto(database, { QUERY_DEADLINE: '60000' })
  const gets = inTurn(
    manifestationIds(database)
      .slice(0, 1000)
      .map(id => getRequest(`/entities/${id}`))
  )
  const ask = (next: () => Buffer) => measure({ port: libretto.port, connections: askers, seconds: seconds / 2, next })
  const deep: AskedQuestion = {
    name: 'page 2000 by cursor',
    filters: [manifestations],
    query: `cursor=${await findDeepCursor(libretto)}`
  }

  await ask(gets)
  const before = await ask(gets)
  const rows: string[][] = []
  for (const { name, filters, query = '' } of [...questionsAbout(findSamples(database)), deep]) {
    const request = postRequest(`/entities/filter?${query}`, filters)
    const first = await tryOnce(libretto.port, request)
    // A question that is near the deadline may pass it when two ask at once.
    const measured = first.status === 200 ? await ask(() => request).catch(() => undefined) : undefined
    rows.push(
      measured
        ? [name, first.count, ...figures(measured), (measured.p95 / before.p95).toFixed(0)]
        : [name, first.count, 'passes the deadline', '', '', '']
    )
  }
  const after = await ask(gets)
  const get = (before.perSecond + after.perSecond) / 2
  const table = [['get by id', '1', ...figures(before), '1'], ...rows].map(row => [
    ...row,
    Number.isNaN(Number(row[2])) ? '' : `${((Number(row[2]) / get) * 100).toPrecision(2)} %`
  ])
  console.log(
    `${askers} connections; the ratio is of the 95th percentile to that of get by id, share is of its throughput`
  )
  printTable(['question', 'matches', 'requests/s', 'p50 ms', 'p95 ms', 'ratio', 'share of get'], table)
}

const figures = ({ perSecond, p50, p95 }: Measured) => [perSecond.toPrecision(4), p50.toFixed(2), p95.toFixed(2)]

/**
 * Gets as in get.ts, hot ids over 16 connections, while nothing else goes on, while others scan,
 * and while records are imported.
 */
async function measureGetMeanwhile(database: string, { rounds, seconds }: RunOptions) {
  const scratch = scratchFolder()
  const copy = join(scratch, 'copy.db')
  copyFileSync(database, copy)
  const records = join(scratch, 'records.ndjson')
  await writeRecords(records, 20_000)

  await using libretto = await startLibretto(copy)
  const next = inTurn(
    manifestationIds(database)
      .slice(0, 1000)
      .map(id => getRequest(`/entities/${id}`))
  )
  const gets = (load: Partial<Load> = {}) => measure({ port: libretto.port, connections: 16, seconds, next, ...load })
  await gets()
  const idle: Measured[] = []
  const scanned: Measured[] = []
  const besideCostly: Measured[] = []
  for (let round = 0; round < rounds; round++) {
    idle.push(await gets())
    scanned.push(await whileScanning(libretto, gets))
    besideCostly.push(await whileScanning(libretto, gets, costliest))
  }
  let isImporting = true
  const started = performance.now()
  const importing = runLibretto(['import', records], copy).finally(() => {
    isImporting = false
  })
  const imported = await gets({ goOn: () => isImporting })
  await importing
  const took = (performance.now() - started) / 1000
  idle.push(await gets())

  const quiet = median(idle.map(each => each.p99))
  const row = (name: string, of: readonly Measured[]) => {
    const p99 = median(of.map(each => each.p99))
    return [
      name,
      median(of.map(each => each.perSecond)).toFixed(0),
      median(of.map(each => each.p50)).toFixed(2),
      p99.toFixed(2),
      (p99 / quiet).toFixed(1)
    ]
  }
  console.log(
    `get by id, 16 connections; the import took ${took.toFixed(0)} s, ${(20_000 / took).toFixed(0)} records/s`
  )
  printTable(
    ['meanwhile', 'gets/s', 'p50 ms', 'p99 ms', 'times idle'],
    [
      row('nothing', idle),
      row('4 clients scan for two letters', scanned),
      row('4 clients ask for a stop word with sixteen facets', besideCostly),
      row('20,000 records are imported', [imported])
    ]
  )
}

const scan = postRequest('/entities/filter', [titled('qx')])
const costliest = postRequest(`/entities/filter?${stopWordWithFacets.query}`, stopWordWithFacets.filters)

export async function whileScanning(
  libretto: ServerProcess,
  gets: () => Promise<Measured>,
  request = scan
): Promise<Measured> {
  let isScanning = true
  const scans = measure({
    port: libretto.port,
    connections: 4,
    seconds: 600,
    next: () => request,
    goOn: () => isScanning
  })
  const measured = await gets()
  isScanning = false
  await scans
  return measured
}

/** Records as a client sends them, none of which is in the catalogue yet. */
async function writeRecords(file: string, count: number) {
  const output = createWriteStream(file)
  let written = 0
  for (const { id, type, metadata, relations } of generateCatalogue({ manifestations: count, seed: 7 })) {
    output.write(`${JSON.stringify({ id, type, metadata, relations })}\n`)
    written++
    if (written === count) break
  }
  output.end()
  await once(output, 'finish')
}
