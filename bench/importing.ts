import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { writers } from '#formats/marc/write-marc.ts'
import { manifestationIds, prepareCatalogue, scratchFolder } from './support/catalogue-file.ts'
import { postRequest } from './support/load.ts'
import { madeRecords } from './support/made-records.ts'
import { startLibretto } from './support/processes.ts'
import { searched, tryOnce } from './support/questions.ts'
import { printTable, type RunOptions } from './support/report.ts'

const program = fileURLToPath(new URL('../src/cli/libretto.ts', import.meta.url))

/** Records in the file that is imported; each makes some four records of the catalogue. */
const imported = 15_000

/**
 * Searches through a service, one after the other, before and while another process imports a file
 * into the same catalogue: how long they take, and how many are refused.
 */
export async function run({ manifestations }: RunOptions) {
  const folder = scratchFolder()
  const database = join(folder, 'catalogue.db')
  copyFileSync(await prepareCatalogue(manifestations), database)
  const file = join(folder, 'records.mrc')
  await writeFile(file)
  await using service = await startLibretto(database)
  const search = async () => {
    const { status, took } = await tryOnce(service.port, postRequest('/entities/filter?limit=10', [searched('leven')]))
    return { status, took }
  }
  while ((await search()).status !== 200) await new Promise(resolve => setTimeout(resolve, 100))
  const before = await searchUntil(search, new Promise(resolve => setTimeout(resolve, 5000)))
  const command = [program, 'import', file, '--json']
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: `sqlite:${database}` },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const started = performance.now()
  const during = await searchUntil(search, once(child, 'close'))
  const took = (performance.now() - started) / 1000
  const after = await searchUntil(search, new Promise(resolve => setTimeout(resolve, 5000)))
  console.log(
    `${imported} MARC records in ${took.toFixed(0)} s; the catalogue has ${manifestationIds(database).length} manifestations`
  )
  printTable(
    ['searches', 'answered', 'refused', 'p50 ms', 'p95 ms', 'p99 ms', 'longest ms'],
    [rowOf('before', before), rowOf('during the import', during), rowOf('after it', after)]
  )
}

interface Search {
  readonly status: number
  readonly took: number
}

async function searchUntil(search: () => Promise<Search>, end: Promise<unknown>): Promise<Search[]> {
  const searches: Search[] = []
  let isOver = false
  end.then(() => {
    isOver = true
  })
  while (!isOver) {
    searches.push(await search())
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return searches
}

function rowOf(name: string, searches: readonly Search[]): string[] {
  const times = searches.map(({ took }) => took).sort((one, other) => one - other)
  const quantile = (share: number) => (times[Math.floor((times.length - 1) * share)] as number).toFixed(1)
  const answered = searches.filter(({ status }) => status === 200).length
  return [name, String(answered), String(searches.length - answered), ...[0.5, 0.95, 0.99, 1].map(quantile)]
}

async function writeFile(file: string) {
  const out = createWriteStream(file)
  for (const record of madeRecords(imported)) if (!out.write(writers.iso2709.write(record))) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
}
