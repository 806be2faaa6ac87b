import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { prepareCatalogue, scratchFolder } from './support/catalogue-file.ts'
import { benchSize } from './support/generate-catalogue.ts'
import { measure, postRequest } from './support/load.ts'
import { adminToken, ownCheckout, startLibretto, usageOf } from './support/processes.ts'
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
  const rows: string[][] = []
  for (const name of ['from nothing', 'with a snapshot', 'with a snapshot']) {
    if (name === 'from nothing') removeSnapshot(path)
    const { ready, found, processor, peak, memory } = await startUntilFound(path)
    rows.push([
      name,
      ready.toFixed(0),
      ...[found, processor].map(each => each.toFixed(1)),
      peak.toFixed(0),
      memory.toFixed(0)
    ])
  }
  printTable(['index', 'ready ms', 'first list s', 's of processor', 'at most MB', 'MB 20 s later'], rows)
}

const snapshotOf = (path: string) => `${path}.index`
export const removeSnapshot = (path: string) => rmSync(snapshotOf(path), { force: true })

/** Maximum number of seconds for which a snapshot is awaited after the first list. */
const maxWaitForSnapshot = 120

/**
 * Starts a service until the first list, which takes `found` seconds and this much processor time,
 * and lets it write its snapshot; memory in megabytes, at most and 20 s later.
 */
export async function startUntilFound(path: string, checkout = ownCheckout) {
  const started = performance.now()
  await using libretto = await startLibretto(path, {}, { checkout })
  await untilFound(libretto.port)
  const found = (performance.now() - started) / 1000
  const processor = usageOf(libretto.pid).processor / 1000
  let hasSnapshot = existsSync(snapshotOf(path))
  for (let waited = 0; !hasSnapshot && waited < maxWaitForSnapshot; waited++) {
    await seconds(1)
    hasSnapshot = existsSync(snapshotOf(path))
  }
  await seconds(20)
  const { memory, peak } = usageOf(libretto.pid)
  return { ready: libretto.readyAfter, found, processor, peak, memory, hasSnapshot }
}

async function untilFound(port: number) {
  const headers = { authorization: `Bearer ${adminToken}` }
  const isFound = async () => (await fetch(`http://127.0.0.1:${port}/entities?limit=1`, { headers })).status === 200
  while (!(await isFound())) await seconds(0.02)
}

const seconds = (count: number) => new Promise(resolve => setTimeout(resolve, count * 1000))
