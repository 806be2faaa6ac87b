import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { prepareCatalogue, scratchFolder } from './support/catalogue-file.ts'
import { benchSize } from './support/generate-catalogue.ts'
import { measure, postRequest } from './support/load.ts'
import { adminToken, startLibretto, usageOf } from './support/processes.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

const starts = 7

/**
 * From spawning the process to the first 200 of `/health/ready`, and the resident memory of a
 * server that has nothing to do. Aims: under a second on an existing database, under 150 MB. With
 * another size, from spawning the process to the first list.
 */
export async function run({ manifestations }: RunOptions) {
  if (manifestations !== benchSize.manifestations) return measureFinding(await prepareCatalogue(manifestations))
  const scratch = scratchFolder()
  const existing = await prepareCatalogue()
  const rows = [
    await measureStart('100,000 manifestations', () => existing),
    await measureStart('empty, made at the start', start => join(scratch, `empty-${start}.db`))
  ]
  console.log(`median and longest of ${starts} starts; memory is VmRSS`)
  printTable(
    ['database', 'ready ms', 'longest ms', 'idle MB after 3 s', 'MB after one filter', 'MB after 3 s more'],
    rows
  )
}

async function measureStart(name: string, databaseOf: (start: number) => string): Promise<string[]> {
  const times: number[] = []
  for (let start = 1; start < starts; start++) {
    await using libretto = await startLibretto(databaseOf(start))
    times.push(libretto.readyAfter)
  }
  await using libretto = await startLibretto(databaseOf(starts))
  times.push(libretto.readyAfter)
  const memory = () => usageOf(libretto.pid).memory.toFixed(0)
  await seconds(3)
  const idle = memory()
  const filter = postRequest('/entities/filter?order_by=title', [{ type: 'type', value: 'manifestation' }])
  await measure({ port: libretto.port, connections: 1, seconds: 1, next: () => filter, goOn: () => false })
  const asked = memory()
  await seconds(3)
  return [name, median(times).toFixed(0), Math.max(...times).toFixed(0), idle, asked, memory()]
}

/**
 * Aims for 1,000,000 records on two cores: 40 s from nothing, 2 s with a snapshot; at most 1,200 MB
 * meanwhile, and 600 MB some seconds later.
 */
async function measureFinding(path: string) {
  const snapshot = `${path}.index`
  rmSync(snapshot, { force: true })
  const rows: string[][] = []
  for (const name of ['from nothing', 'with a snapshot', 'with a snapshot']) {
    const started = performance.now()
    await using libretto = await startLibretto(path)
    await untilFound(libretto.port)
    const found = performance.now() - started
    const { processor } = usageOf(libretto.pid)
    while (!existsSync(snapshot)) await seconds(1)
    await seconds(20)
    const { memory, peak } = usageOf(libretto.pid)
    const times = [found, processor].map(each => (each / 1000).toFixed(1))
    rows.push([name, libretto.readyAfter.toFixed(0), ...times, peak.toFixed(0), memory.toFixed(0)])
  }
  printTable(['index', 'ready ms', 'first list s', 's of processor', 'at most MB', 'MB 20 s later'], rows)
}

async function untilFound(port: number) {
  const headers = { authorization: `Bearer ${adminToken}` }
  const isFound = async () => (await fetch(`http://127.0.0.1:${port}/entities?limit=1`, { headers })).status === 200
  while (!(await isFound())) await seconds(0.02)
}

const seconds = (count: number) => new Promise(resolve => setTimeout(resolve, count * 1000))
