import { postRequest } from './support/load.ts'
import { findSamples, prepareCatalogue } from './support/catalogue-file.ts'
import { startLibretto, type ServerProcess, usageOf } from './support/processes.ts'
import { adversaries, questionsAbout, searchesAbout, tryOnce } from './support/questions.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/** Questions that take longer in SQL, in milliseconds, are the ones that the index is for. */
const slow = 10

/** In milliseconds. */
const maxRepeated = 1000

/**
 * Two services on one catalogue in one run: in one the database finds, in the other the index in
 * memory. Every question goes to both in turn; answers must have the same count.
 */
export async function run({ manifestations: size, rounds, database: given }: RunOptions) {
  const database = given ?? (await prepareCatalogue(size))
  const patient = { QUERY_DEADLINE: '10000' }
  await using sql = await startLibretto(database, { FINDING: 'sql', ...patient })
  const started = performance.now()
  await using memory = await startLibretto(database, { FINDING: 'memory', ...patient })
  const peak = await untilIndexed(memory)
  const took = (performance.now() - started) / 1000
  console.log(`the index was ready ${took.toFixed(1)} s after the start; at most ${peak} MB meanwhile`)
  const samples = findSamples(database)
  const rows: string[][] = []
  for (const { name, filters, query = '' } of [...questionsAbout(samples), ...searchesAbout(samples), ...adversaries]) {
    const request = postRequest(`/entities/filter?${query}`, filters)
    const bySql = await timesOf(sql, request, rounds)
    const byIndex = await timesOf(memory, request, rounds)
    if (bySql.count !== byIndex.count && bySql.status === 200)
      throw new Error(`${name}: SQL finds ${bySql.count}, the index ${byIndex.count}`)
    const times = bySql.took / byIndex.took
    const mark = bySql.took > slow ? '**' : ''
    rows.push([
      `${mark}${name}${mark}`,
      byIndex.count,
      bySql.status === 200 ? bySql.took.toFixed(1) : 'refused',
      byIndex.took.toFixed(1),
      times.toPrecision(2)
    ])
  }
  printTable(['question', 'matches', 'SQL ms', 'index ms', 'times'], rows)
  const resident = (server: ServerProcess) => `${usageOf(server.pid).memory.toFixed(0)} MB`
  console.log(`memory after all questions: ${resident(sql)} with SQL, ${resident(memory)} with the index`)
}

/** Waits for the index; gives the most memory that was seen meanwhile, in megabytes. */
async function untilIndexed({ port, pid }: ServerProcess): Promise<string> {
  let peak = 0
  for (;;) {
    const health = (await (await fetch(`http://127.0.0.1:${port}/health/ready`)).json()) as { indexing?: unknown }
    peak = Math.max(peak, usageOf(pid).memory)
    if (health.indexing === undefined) return peak.toFixed(0)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** The median time of some requests, after one that is not counted; both by the clock. */
async function timesOf(server: ServerProcess, request: Buffer, rounds: number) {
  const first = await tryOnce(server.port, request)
  const times: number[] = []
  // A question that takes this long is asked once.
  if (first.took > maxRepeated) return first
  for (let round = 0; round < Math.max(3, rounds); round++) {
    const begun = performance.now()
    await tryOnce(server.port, request)
    times.push(performance.now() - begun)
  }
  return { ...first, took: median(times) }
}
