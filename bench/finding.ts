import { measure, postRequest } from './support/load.ts'
import { findSamples, prepareCatalogue } from './support/catalogue-file.ts'
import { startLibretto, type ServerProcess, usageOf } from './support/processes.ts'
import { adversaries, questionsAbout, searchesAbout, tryOnce } from './support/questions.ts'
import { printTable, type RunOptions } from './support/report.ts'

/** In milliseconds: the longest time of a question that is asked again, and how long it is. */
const maxRepeated = 1000
const repeatedFor = 500

/** A service on a catalogue: how soon it finds, and how long each question takes through it. */
export async function run({ manifestations: size, rounds, database: given }: RunOptions) {
  const database = given ?? (await prepareCatalogue(size))
  const started = performance.now()
  await using service = await startLibretto(database, { QUERY_DEADLINE: '10000' })
  const peak = await untilIndexed(service)
  const took = (performance.now() - started) / 1000
  console.log(`the index was ready ${took.toFixed(1)} s after the start; at most ${peak} MB meanwhile`)
  const samples = findSamples(database)
  const rows: string[][] = []
  for (const { name, filters, query = '' } of [...questionsAbout(samples), ...searchesAbout(samples), ...adversaries]) {
    const { count, status, took } = await timesOf(service, postRequest(`/entities/filter?${query}`, filters), rounds)
    rows.push([name, count, status === 200 ? took.toFixed(1) : 'refused'])
  }
  printTable(['question', 'matches', 'ms'], rows)
  console.log(`memory after all questions: ${usageOf(service.pid).memory.toFixed(0)} MB`)
}

/** Waits for the index; gives the most memory that was seen meanwhile, in megabytes. */
export async function untilIndexed({ port, pid }: ServerProcess): Promise<string> {
  let peak = 0
  for (;;) {
    const health = (await (await fetch(`http://127.0.0.1:${port}/health/ready`)).json()) as { indexing?: unknown }
    peak = Math.max(peak, usageOf(pid).memory)
    if (health.indexing === undefined) return peak.toFixed(0)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/**
 * The median time of requests on one open connection, by the clock, after others that are not
 * counted: at least `rounds` of each, and as many as there is time for.
 */
export async function timesOf({ port }: ServerProcess, request: Buffer, rounds: number) {
  const first = await tryOnce(port, request)
  // The first reads what is not in memory yet. A question that takes this long is asked once more.
  if (first.status !== 200) return first
  if (first.took > maxRepeated) return await tryOnce(port, request)
  const askAgain = async () => {
    const end = performance.now() + repeatedFor
    const goOn = (answers: number) => answers < Math.max(3, rounds) || performance.now() < end
    return (await measure({ port, connections: 1, seconds: 0, next: () => request, goOn })).p50
  }
  await askAgain()
  return { ...first, took: await askAgain() }
}
